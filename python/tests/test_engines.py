"""The job of DuckDB, which needs no program where the package is installed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import duckdb
from test_tables import ROWS

import dedup_text

JOB = Path(__file__).resolve().parents[2] / "integrations" / "duckdb" / "near_duplicates.py"


def pairs(file):
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def job(folder, *arguments):
    """Runs the job; without the package's folder on PATH."""
    command = [sys.executable, str(JOB), "--input", "docs.jsonl", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, "PATH": "/usr/bin:/bin"})


def test_the_job_finds_the_same_pairs_in_its_process(tmp_path):
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    for limits in ([], ["--max=1", "--jaccard=0.3"], ["--hamming=off"], ["--jaccard=off", "--lang=en"]):
        for name, more in [("here", []), ("program", ["--binary", str(dedup_text.program())])]:
            done = job(tmp_path, "--output", name, *limits, *more)
            assert (done.stderr, done.returncode) == ("", 0), (limits, name)
        found = pairs(tmp_path / "here")
        assert found == pairs(tmp_path / "program") and len(found) > 2, limits
    done = job(tmp_path, "--output", "records", "--records")
    assert (done.stderr, done.returncode) == ("", 0)
    assert {it["schema"] for it in pairs(tmp_path / "records")} == {"dedup.pair/2"}


def test_what_is_wrong_is_one_line(tmp_path):
    (tmp_path / "docs.jsonl").write_text('{"id": "a", "text": "x y"}\n{"id": "a", "text": "y z"}\n', encoding="utf-8")
    done = job(tmp_path, "--output", "pairs")
    assert done.returncode == 1
    assert done.stderr == 'near_duplicates.py: row 1: the id "a" is taken by row 0, expected one of its own\n'
    assert not (tmp_path / "pairs").exists()


def test_a_relation_is_a_table(tmp_path):
    file = tmp_path / "docs.parquet"
    connection = duckdb.connect()
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    connection.sql(f"COPY (FROM '{tmp_path / 'docs.jsonl'}') TO '{file}' (FORMAT parquet)")
    found = dedup_text.near_duplicates(connection.sql(f"FROM '{file}'"))
    connection.register("found", found)
    assert connection.sql("SELECT count(*) FROM found WHERE a < b").fetchall() == [(len(found),)]
