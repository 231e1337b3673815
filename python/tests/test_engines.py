"""The jobs of engines find the pairs of `dedup corpus`, with the steps of `Part`."""

import _thread
import itertools
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import duckdb
import pytest
from test_judge import interrupting
from test_tables import ROWS

import dedup_text

INTEGRATIONS = Path(__file__).resolve().parents[2] / "integrations"
JOB = INTEGRATIONS / "duckdb" / "near_duplicates.py"


def pairs(file):
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def job(folder, *arguments):
    """Runs the job; without the package's folder on PATH."""
    command = [sys.executable, str(JOB), "--input", "docs.jsonl", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, "PATH": "/usr/bin:/bin"})


def write_texts(folder, count):
    """Writes texts with near-duplicates among them, as records and as nested records."""
    texts = subprocess.run([sys.executable, str(INTEGRATIONS / "texts.py"), str(count)], capture_output=True, check=True)
    (folder / "docs.jsonl").write_bytes(texts.stdout)
    nested = (b'{"meta": %s}\n' % line for line in texts.stdout.splitlines())
    (folder / "nested.jsonl").write_bytes(b"".join(nested))


NESTED = ["--input=nested.jsonl", "--id=meta.id", "--text=meta.text"]


def of_corpus(dedup, folder, *flags):
    """Returns the records of the pairs of `dedup corpus`, one per line, sorted."""
    return sorted(dedup("corpus", "--jsonl=docs.jsonl", "--format=jsonl", *flags, folder=folder).splitlines())


def short(line):
    """Returns the pair that a job writes without `--records`."""
    it = json.loads(line)
    of = it["measures"]
    pair = {"a": it["a"]["path"], "b": it["b"]["path"], "verdict": it["verdict"]}
    return {**pair, **{name: of[name] for name in ("hamming", "jaccard", "shared", "union")}}


def check_kept(dedup, folder, lines):
    """Checks that `clusters` keeps the same texts of these pairs as `dedup corpus`."""
    texts = (folder / "docs.jsonl").read_text(encoding="utf-8").splitlines()
    ids = [json.loads(line, parse_float=str, parse_int=str)["id"] for line in texts]
    found = [json.loads(line) for line in lines]
    for by in ("direct", "linked"):
        want = dedup("corpus", "--jsonl=docs.jsonl", "--format=jsonl", "--keep=first", f"--keep-by={by}", folder=folder)
        kept = [group[0] for group in dedup_text.clusters(found, ids, keep_by=by)]
        assert kept == [json.loads(line)["path"] for line in want.splitlines()] and want, by


@pytest.mark.parametrize("limits", [[], ["--max=1", "--jaccard=0.3"], ["--hamming=off"], ["--jaccard=off", "--lang=en"], ["--min=2", "--hamming=7"]])
def test_the_job_finds_the_pairs_of_the_corpus(dedup, tmp_path, limits):
    write_texts(tmp_path, 600)
    want = of_corpus(dedup, tmp_path, *limits)
    assert len(want) > 50, len(want)
    done = job(tmp_path, "--output=pairs", *limits)
    assert done.returncode == 0, done.stderr
    order = lambda it: (it["a"], it["b"])
    assert sorted(pairs(tmp_path / "pairs"), key=order) == sorted(map(short, want), key=order)
    for more in ([], NESTED):
        done = job(tmp_path, "--output=records", "--records", *limits, *more)
        found = (tmp_path / "records").read_text("utf-8").splitlines()
        assert done.returncode == 0 and sorted(found) == want, more
    if not limits:
        check_kept(dedup, tmp_path, found)


def test_what_is_wrong_is_one_line(tmp_path):
    (tmp_path / "docs.jsonl").write_text('{"id": "a", "text": "x y"}\n{"id": "a", "text": "y z"}\n', encoding="utf-8")
    done = job(tmp_path, "--output", "pairs")
    assert done.returncode == 1
    assert done.stderr == 'near_duplicates.py: row 1: the id "a" is also that of row 0, expected a different id for each row\n'
    assert not (tmp_path / "pairs").exists()


NUMBERS = [
    (["--hamming=abc"], "--hamming abc, expected a whole number from 0 to 7, or off"),
    (["--hamming=8"], "--hamming 8, expected a whole number from 0 to 7, or off"),
    (["--jaccard=half"], "--jaccard half, expected a number above 0 and at most 1, or off"),
    (["--jaccard=1/2"], "--jaccard 1/2, expected a number above 0 and at most 1, or off"),
    (["--jaccard=0"], "--jaccard 0, expected a number above 0 and at most 1, or off"),
    (["--jaccard=0.1234567891"], "--jaccard 0.1234567891, expected at most nine digits after the point"),
    (["--min=x"], "--min x, expected a whole number from 1 to 64"),
    (["--id=text"], "--id text and --text text, expected two fields"),
    (["--slots=9"], "--slots 9, expected a whole number from 16 to 32"),
]


WRONG = {
    "object": ('{"id": "a", "text": {"b": 1}}', "the field text is not a string"),
    "number": ('{"id": "a", "text": 5}', "the field text is not a string"),
    "list": ('{"id": "a", "text": ["x y"]}', "the field text is not a string"),
    "null": ('{"id": "a", "text": null}', "the field text is not a string"),
    "without": ('{"id": "a"}', "no field text, expected one"),
    "truth": ('{"id": true, "text": "x y"}', "the field id is not a string or a number"),
    "listed": ('{"id": [1], "text": "x y"}', "the field id is not a string or a number"),
    "other": ("[1]", "not a JSON object, expected one with the fields id and text"),
}


def contents(folder):
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def test_what_the_job_cannot_run_on_is_one_line_and_nothing_is_written(tmp_path):
    (tmp_path / "docs.jsonl").write_text('{"id": "a", "text": "x y", "of": {"a": 1}}\n{"id": "b", "text": "y z"}\n', encoding="utf-8")
    duckdb.sql(f"COPY (SELECT 'a' AS id, 'x y' AS text) TO '{tmp_path / 'docs.parquet'}' (FORMAT parquet)")
    duckdb.sql(f"COPY (SELECT 'a' AS id, 5 AS text, true AS is, [1] AS list) TO '{tmp_path / 'numbers.parquet'}' (FORMAT parquet)")
    (tmp_path / "mixed.json").write_text('[{"id": 1, "text": "x y"}, {"id": 2, "text": 5}]', encoding="utf-8")
    for name, (line, _) in WRONG.items():
        (tmp_path / f"{name}.jsonl").write_text(f'{{"id": 1, "text": "x y"}}\n{line}\n', encoding="utf-8")
    (tmp_path / "notes").write_text("mine\n", encoding="utf-8")
    (tmp_path / "bad.jsonl").write_text('{"id": "a", "text": "x y"}\n\n{"id": "c", "text": "x y"}\nowls\n', encoding="utf-8")
    (tmp_path / "folder").mkdir()
    table = [
        (["--hamming=abc"], 2, "hamming='abc', expected a whole number from 0 to 64, or \"off\""),
        (["--hamming=65"], 2, "hamming=65, expected a whole number from 0 to 64, or \"off\""),
        (["--jaccard=1/2"], 2, "jaccard='1/2', expected a number from 0 to 1, or \"off\""),
        (["--jaccard=nan"], 2, "jaccard=nan, expected a number from 0 to 1, or \"off\""),
        (["--min=x"], 2, "min='x', expected a whole number from 1 to 64"),
        (["--id=text"], 2, "--id text and --text text, expected two fields"),
        (["--threads=300"], 2, "--threads 300, expected a whole number from 1 to 256"),
        (["--threads=0"], 2, "--threads 0, expected a whole number from 1 to 256"),
        (["--memory=lots"], 2, "--memory lots: "),
        (["--output=nowhere/pairs"], 2, "nowhere/pairs: its folder does not exist, expected an existing folder"),
        (["--output=folder"], 2, "folder: is a folder, expected a file"),
        (["--output=docs.jsonl"], 2, "docs.jsonl: is one of the inputs, expected another file"),
        (["--output=notes"], 2, "notes: exists and does not contain pairs, expected a new file or the output of an earlier run"),
        (["--work=nowhere"], 2, "--work nowhere: no such folder, expected one that exists"),
        (["--input=missing.jsonl"], 2, "missing.jsonl: not found, expected a file"),
        (["--input=folder"], 2, "folder: is a folder, expected a file"),
        (["--id=nope"], 1, "docs.jsonl: no field nope, expected one of id, text, of.a"),
        (["--input=bad.jsonl"], 1, "bad.jsonl: line 4: not JSON: Expecting value: line 1 column 1 (char 0)"),
        (["--text=of.b"], 1, "docs.jsonl: no field of.b, expected one of id, text, of.a"),
        (["--input=numbers.parquet"], 1, "numbers.parquet: the column text is of the type INTEGER, expected one of strings"),
        (["--input=numbers.parquet", "--id=is", "--text=id"], 1, "numbers.parquet: the column is is of the type BOOLEAN, expected one of strings or numbers"),
        (["--input=numbers.parquet", "--id=list", "--text=id"], 1, "numbers.parquet: the column list is of the type INTEGER[], expected one of strings or numbers"),
        (["--input=mixed.json"], 1, "record 2: the field text is not a string"),
        *(([f"--input={name}.jsonl"], 1, f"{name}.jsonl: line 2: {told}") for name, (_, told) in WRONG.items()),
        (["--input=docs.parquet", "--id=nope"], 1, "docs.parquet: no column nope, expected one of id, text"),
    ]
    before = contents(tmp_path)
    for flags, status, told in table:
        done = job(tmp_path, "--output=pairs", *flags)
        assert done.stderr.startswith(f"near_duplicates.py: {told}"), (flags, done.stderr)
        assert (done.returncode, done.stderr.count("\n")) == (status, 1), (flags, done.stderr)
        assert contents(tmp_path) == before, flags


def test_pairs_of_an_earlier_run_are_replaced_on_a_machine_of_many_cores(tmp_path, monkeypatch):
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    (tmp_path / "sitecustomize.py").write_text("import os\nos.cpu_count = lambda: 300\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    for _ in range(2):
        done = job(tmp_path, "--output=pairs")
        assert (done.stderr, done.returncode) == ("", 0)
        assert len(pairs(tmp_path / "pairs")) == 12


def test_rows_of_csv_are_records_and_no_record_is_no_pair(tmp_path):
    header = "id,text\n"
    (tmp_path / "docs.csv").write_text(f'{header}007,"A copper kettle, a spoon"\n7,a copper kettle: a spoon\n', encoding="utf-8")
    (tmp_path / "none.csv").write_text(header, encoding="utf-8")
    (tmp_path / "none.jsonl").write_text("\n", encoding="utf-8")
    for more in ([], ["--records"]):
        for name, want in [("docs.csv", 1), ("none.csv", 0), ("none.jsonl", 0)]:
            done = job(tmp_path, "--input", name, "--output", f"{name}.pairs", *more)
            assert (done.stderr, done.returncode, len(pairs(tmp_path / f"{name}.pairs"))) == ("", 0, want), (name, more)
        assert more or [(it["a"], it["b"]) for it in pairs(tmp_path / "docs.csv.pairs")] == [("007", "7")]


def test_short_texts_are_counted_in_a_line(tmp_path):
    (tmp_path / "docs.jsonl").write_text('{"id": "a", "text": "x"}\n{"id": "b", "text": "y z"}\n', encoding="utf-8")
    done = job(tmp_path, "--output=pairs", "--min=2")
    assert (done.stderr, done.returncode) == ("near_duplicates.py: 1 text is too short to be compared\n", 0)


def test_a_relation_is_a_table(tmp_path):
    file = tmp_path / "docs.parquet"
    connection = duckdb.connect()
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    connection.sql(f"COPY (FROM '{tmp_path / 'docs.jsonl'}') TO '{file}' (FORMAT parquet)")
    found = dedup_text.near_duplicates(connection.sql(f"FROM '{file}'"))
    connection.register("found", found)
    assert connection.sql("SELECT count(*) FROM found WHERE a < b").fetchall() == [(len(found),)]


def test_a_part_says_what_is_wrong():
    record = ("é \"1\"", "A copper kettle and a wooden spoon")
    counts = dedup_text.Part().count([record], slots=16)
    table = [
        (lambda: dedup_text.Part(counts[:-1]), ValueError, "damaged counts, expected the result of Part.count"),
        (lambda: dedup_text.Part(b"owls"), ValueError, "not counts, expected the result of Part.count"),
        (lambda: dedup_text.Part(counts, max=2), ValueError, "counted with max 3, expected max 2"),
        (lambda: dedup_text.Part.merge([]), ValueError, "no counts, expected at least one"),
        (lambda: dedup_text.Part.merge([counts, dedup_text.Part().count([], 17)]), ValueError, "counted with slots 17, expected slots 16"),
        (lambda: dedup_text.Part().count([], 15), ValueError, "slots=15, expected a whole number from 16 to 32"),
        (lambda: dedup_text.Part().count([], 2**70), ValueError, f"slots={2**70}, expected a whole number from 16 to 32"),
        (lambda: dedup_text.Part().count([], True), TypeError, "slots=True, expected an int"),
        (lambda: dedup_text.Part().count([], None), TypeError, "slots=None, expected an int"),
        (lambda: dedup_text.Part("x"), TypeError, "counts='x', expected bytes or None"),
        (lambda: dedup_text.Part.merge(["x"]), TypeError, "counts is of type str, expected bytes"),
        (lambda: dedup_text.Part.merge(counts), TypeError, "counts is of type bytes, expected an iterable of bytes"),
        (lambda: dedup_text.Part.merge(5), TypeError, "counts is of type int, expected an iterable of bytes"),
        (lambda: dedup_text.Part().count([("a", 1)], 16), TypeError,
         "a record is of type tuple of str, int, expected a tuple of two str, the id and the text"),
        (lambda: dedup_text.Part(counts).keys(["a"]), TypeError,
         "a record is of type str, expected a tuple of two str, the id and the text"),
        (lambda: dedup_text.Part(counts).judge([(record, record, record)]), TypeError,
         "a pair is of type tuple of tuple, tuple, tuple, expected a tuple of two records"),
        (lambda: dedup_text.Part().keys([record]), TypeError, "no counts, expected the counts of all texts"),
        (lambda: dedup_text.Part(counts, jaccard=0).keys([]), ValueError, "a Jaccard index of 0, expected a limit that not all pairs reach"),
        (lambda: dedup_text.Part(counts, hamming=8).keys([]), ValueError, "a Hamming distance of 8, expected a limit of at most 7"),
        (lambda: dedup_text.Part(counts).keys([("é \"1\"", "Two ferries leave at noon")]), ValueError,
         'the record with the id "é \\"1\\"": a shingle that was not counted, expected counts of all texts'),
    ]
    for call, kind, told in table:
        with pytest.raises(kind) as raised:
            call()
        assert str(raised.value) == told


def test_an_interrupt_ends_a_part():
    record = ("a", "A copper kettle and a wooden spoon")
    part = dedup_text.Part(dedup_text.Part().count([record], slots=16))
    calls = [
        lambda *last: part.count(interrupting(*[record] * 2000, *last), slots=16),
        lambda *last: part.keys(interrupting(record, *last)),
        lambda *last: part.judge(interrupting((record, record), *last)),
    ]
    for call, last in zip(calls, [record, ("b", "Two ferries leave at noon"), (record, ("b", ""))]):
        with pytest.raises(KeyboardInterrupt):  # not the error of the last one
            call(last)


LONG = " ".join(f"keeper{number % 300} lamp{number}" for number in range(2000))


def test_other_threads_run_during_a_part():
    records = [("a", LONG), ("b", f"{LONG} harbour")]
    part = dedup_text.Part(dedup_text.Part().count(records, slots=16))
    for call in (lambda: part.keys(records * 20), lambda: part.judge([tuple(records)] * 20)):
        ended, ticks = threading.Event(), [time.monotonic()]

        def tick():
            while not ended.wait(0.001):
                ticks.append(time.monotonic())

        thread = threading.Thread(target=tick)
        thread.start()
        start = time.monotonic()
        call()
        took = time.monotonic() - start
        ended.set()
        thread.join()
        assert max(later - earlier for earlier, later in itertools.pairwise(ticks)) < took / 2


def test_an_interrupt_ends_a_part_on_the_way():
    record = ("a", LONG)
    part = dedup_text.Part(dedup_text.Part().count([record], slots=16))
    bad = ("b", "Two ferries leave at noon"), (record, ("b", ""))
    for call, last in zip((part.keys, part.judge), bad):
        first = record if call == part.keys else (record, record)
        timer = threading.Timer(0.05, _thread.interrupt_main)
        timer.start()
        with pytest.raises(KeyboardInterrupt):  # not the error of the last one
            call([first] * 200 + [last])
        timer.join()


def spark(folder, *arguments, first="", master="local[2]"):
    """Runs the job of Spark without `dedup` on PATH; its Pythons run `first` as they start."""
    (folder / "sitecustomize.py").write_text(first, encoding="utf-8")
    command = [sys.executable, str(INTEGRATIONS / "spark" / "near_duplicates.py"), f"--master={master}", *arguments]
    path = {"PATH": f"{folder}:{Path(shutil.which('java') or '/java').parent}:/usr/bin:/bin", "PYTHONPATH": str(folder)}
    others = {name: value for name, value in os.environ.items() if name not in ("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON")}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env={**others, **path})


def lines_of(folder):
    return sorted(line for file in folder.glob("part-*") for line in file.read_text("utf-8").splitlines())


def test_numbers_are_checked_before_spark_starts(tmp_path, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "none"))
    for flags, told in [*NUMBERS, (["--partitions=0"], "--partitions 0, expected a whole number from 1 to 1000000")]:
        done = spark(tmp_path, "--input=docs.jsonl", "--output=pairs", *flags)
        assert (done.stderr, done.returncode) == (f"near_duplicates.py: {told}\n", 2), flags


@pytest.mark.skipif(not shutil.which("java") and "DEDUP_CI" not in os.environ, reason="no Java")
def test_what_spark_cannot_run_on_is_one_line_and_nothing_is_written(tmp_path):
    (tmp_path / "docs.jsonl").write_text('{"id": "a", "text": "x y"}\n{"id": "b", "text": "y z"}\n', encoding="utf-8")
    duckdb.sql(f"COPY (SELECT 'a' AS id, 'x y' AS text) TO '{tmp_path / 'docs.parquet'}' (FORMAT parquet)")
    duckdb.sql(f"COPY (SELECT 'a' AS id, 5 AS text, [1] AS list) TO '{tmp_path / 'numbers.parquet'}' (FORMAT parquet)")
    (tmp_path / "there").mkdir()
    (tmp_path / "notes").write_text("mine\n", encoding="utf-8")
    table = [
        (["--input=docs.jsonl", "--output=there"], "there: already exists, expected a new folder: choose another, or remove it"),
        (["--input", "docs.jsonl", "missing*.jsonl", "--output=pairs"], "missing*.jsonl: not found, expected JSON Lines (.jsonl) or Parquet"),
        (["--input=notes", "--output=pairs"], "notes: read as Parquet, since not all names end with .jsonl, .ndjson or .jsonl.gz: "),
        (["--input=numbers.parquet", "--output=pairs"], "numbers.parquet: the column text is of the type int, expected one of strings"),
        (["--input=numbers.parquet", "--id=list", "--text=id", "--output=pairs"],
         "numbers.parquet: the column list is of the type array<int>, expected one of strings or numbers"),
        (["--input=docs.parquet", "--id=nope", "--output=pairs"], "docs.parquet: no column nope or text, expected two of id, text"),
    ]
    for arguments, told in table:
        before = contents(tmp_path)
        before.pop(tmp_path / "sitecustomize.py", None)
        done = spark(tmp_path, *arguments)
        after = contents(tmp_path)
        for of_python in (tmp_path / "sitecustomize.py", *tmp_path.glob("__pycache__*"), *tmp_path.glob("__pycache__/*")):
            after.pop(of_python, None)
            before.pop(of_python, None)
        last = done.stderr.splitlines()[-1]
        assert done.returncode == 2 and last.startswith(f"near_duplicates.py: {told}"), (arguments, done.stderr)
        assert "Traceback" not in done.stderr and after == before, arguments


DIES_ONCE = """import os, signal
import dedup_text
keys = dedup_text.Part.keys
def dying(part, records):
    try:
        os.mkdir("{died}")
    except FileExistsError:
        return keys(part, records)
    os.kill(os.getpid(), signal.SIGKILL)
dedup_text.Part.keys = dying
"""


@pytest.mark.skipif(not shutil.which("java") and "DEDUP_CI" not in os.environ, reason="no Java")
def test_spark_finds_the_pairs_of_the_corpus_also_if_a_worker_dies(dedup, tmp_path):
    write_texts(tmp_path, 600)
    (tmp_path / "python3").write_text("#!/bin/sh\necho 'the wrong python3' >&2\nexit 9\n", encoding="utf-8")
    (tmp_path / "python3").chmod(0o755)  # workers run the Python of the driver, not this one
    want = of_corpus(dedup, tmp_path)
    every = [*NESTED, "--partitions=3", "--slots=20"]
    first = DIES_ONCE.format(died=tmp_path / "died")
    done = spark(tmp_path, *every, "--records", "--output=records", first=first, master="local[2,4]")
    assert done.returncode == 0 and (tmp_path / "died").is_dir(), done.stderr
    assert lines_of(tmp_path / "records") == want and len(want) > 50
    assert (tmp_path / "records" / "_SUCCESS").is_file()
    assert not [*tmp_path.glob("*.dedup-*")], "folders for what is kept on the way"
    check_kept(dedup, tmp_path, want)
    limits = ["--max=3", "--min=3", "--hamming=7"]
    done = spark(tmp_path, *every, *limits, "--output=pairs")
    assert done.returncode == 0, done.stderr
    key = lambda it: (it["a"], it["b"])
    found = sorted(map(json.loads, lines_of(tmp_path / "pairs")), key=key)
    assert found == sorted(map(short, of_corpus(dedup, tmp_path, *limits)), key=key)


@pytest.mark.skipif(not shutil.which("java") and "DEDUP_CI" not in os.environ, reason="no Java")
def test_spark_on_no_texts_and_on_a_bad_record(tmp_path):
    every = ["--input=docs.jsonl", "--partitions=2", "--slots=20", "--records"]
    (tmp_path / "docs.jsonl").write_text("", encoding="utf-8")
    done = spark(tmp_path, *every, "--output=none")
    assert done.returncode == 0 and lines_of(tmp_path / "none") == [], done.stderr
    (tmp_path / "docs.jsonl").write_text('{"id": "a", "text": 7}\n', encoding="utf-8")
    done = spark(tmp_path, *every, "--output=bad")
    told = 'near_duplicates.py: the record with the id "a": no field text, expected a string\n'
    assert done.returncode == 1 and done.stderr.endswith(told), done.stderr
    assert done.stderr.count("no field text") == 1 and "\tat " not in done.stderr, "what Java prints"
    assert not (tmp_path / "bad" / "_SUCCESS").exists()
    assert not [*tmp_path.glob("*.dedup-*")], "folders for what is kept on the way"
    lacks = "import sys\nif 'daemon' in ' '.join(sys.orig_argv): sys.modules['dedup_text'] = None\n"
    done = spark(tmp_path, *every, "--output=lacking", first=lacks)
    told = "on a worker: import of dedup_text halted; None in sys.modules, expected dedup-text, pyarrow and pandas there; "
    assert done.returncode == 2 and told in done.stderr, done.stderr


def fake(name, version, names=""):
    return name, f"__version__ = '{version}'\n{names}"


def missing(name):
    return name, f"raise ModuleNotFoundError(\"No module named '{name}'\")\n"


def test_a_library_that_is_missing_or_not_fit_is_one_line(tmp_path):
    sql = fake("pyspark/sql", "", "SparkSession = functions = None\n")
    pyspark = lambda version: [fake("pyspark", version, "SparkFiles = None\n"), sql]
    table = [
        ("spark", [missing("pyspark")], "No module named 'pyspark', expected the packages ", "pyspark>=3.4,<5"),
        ("spark", [*pyspark("4.3.0"), missing("pyarrow")], "No module named 'pyarrow', expected the packages ", "pyarrow"),
        ("spark", [*pyspark("4.3.0"), missing("dedup_text")], "No module named 'dedup_text', expected the packages ", "dedup-text"),
        ("spark", pyspark("2.4.8"), "pyspark 2.4.8, expected 3.4 or later, before 5: ", "pyspark>=3.4,<5"),
        ("spark", pyspark("5.0.0.dev1"), "pyspark 5.0.0.dev1, expected 3.4 or later, before 5: ", "pyspark>=3.4,<5"),
        ("duckdb", [missing("duckdb")], "No module named 'duckdb', expected the packages ", "duckdb>=1.1,<3"),
        ("duckdb", [missing("dedup_text")], "No module named 'dedup_text', expected the packages ", "dedup-text"),
        ("duckdb", [fake("duckdb", "0.10.3")], "duckdb 0.10.3, expected 1.1 or later, before 3: ", "duckdb>=1.1,<3"),
    ]
    for number, (engine, modules, told, fix) in enumerate(table):
        for name, content in modules:
            folder = tmp_path / str(number) / name
            folder.mkdir(parents=True)
            (folder / "__init__.py").write_text(content, encoding="utf-8")
        command = [sys.executable, str(INTEGRATIONS / engine / "near_duplicates.py"), "--input=docs.jsonl", "--output=out"]
        environment = {**os.environ, "PYTHONPATH": str(tmp_path / str(number))}
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), (told, done.stderr)
        assert done.stderr.startswith("near_duplicates.py: ") and told in done.stderr, (told, done.stderr)
        assert " -m pip install " in done.stderr and fix in done.stderr, (told, done.stderr)
