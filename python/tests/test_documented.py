"""Examples that are documented, types, and a notebook."""

import doctest
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbconvert import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor

import dedup_text

PYTHON = Path(__file__).resolve().parents[1]


def test_examples_of_the_module_hold():
    failed, tried = doctest.testmod(dedup_text)
    assert tried > 5 and failed == 0


@pytest.mark.parametrize("page", [PYTHON / "README.md"])
def test_examples_of_the_documents_hold(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried > 5 and failed == 0


def test_types_are_sound(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        """from pathlib import Path
import pyarrow
import dedup_text

found = dedup_text.judge("a", Path("b"), jaccard="off", max=3)
words: int = sum(it.words for it in found.passages or [])
words += sum(it.words for it in dedup_text.passages("a", "b"))
rows: int = len(dedup_text.near_duplicates(dedup_text.deduplicate(pyarrow.table({})), level="partial"))
""",
        encoding="utf-8",
    )
    check = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run([*check, "-p", "dedup_text"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("", 0)
    done = subprocess.run([*check, "--ignore-missing-imports", str(program)], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("", 0)
    program.write_text('import dedup_text\ndedup_text.judge(1, "b", jacard=1)\n', encoding="utf-8")
    done = subprocess.run([*check, str(program)], capture_output=True, text=True, check=False)
    assert done.stdout.count("error:") == 2, done.stdout


def test_a_notebook_shows_the_passages():
    cells = [
        "import dedup_text",
        'sentence = "The keeper counted the lamps twice before the harbour was dark and nobody asked why."\n'
        'dedup_text.judge(f"{sentence} It rained.", f"We know this. {sentence}")',
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    ExecutePreprocessor(timeout=120).preprocess(notebook)
    page, _ = HTMLExporter().from_notebook_node(notebook)
    assert "1 shared passage" in page
    assert page.count("The keeper counted the lamps twice before") >= 3
