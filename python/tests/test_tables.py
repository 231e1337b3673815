"""Tables: the pairs and the rows of the program, whichever library they are of."""

import errno
import json
import random
import signal
import subprocess
import sys
import threading
import time
import uuid

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import dedup_text

WORDS = "keeper lamp harbour rope tide gull anchor sail barrel stone bread candle winter letter".split()


def texts(count):
    """Texts of which every fifth has an edited copy."""
    rows = []
    for number in range(count):
        of = number - 1 if number % 5 == 4 else number
        chosen = random.Random(of)
        words = [f"{chosen.choice(WORDS)}{chosen.randrange(100)}" for _ in range(60)]
        if of != number:
            words[30] = "changed"
        rows.append({"id": f"t{number:03}", "text": " ".join(words), "score": number % 3})
    return rows


ROWS = texts(60)
TABLE = pyarrow.Table.from_pylist(ROWS)


def rows(table):
    return pyarrow.table(table).to_pylist()


@pytest.fixture
def jsonl(tmp_path):
    file = tmp_path / "docs.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return file


@pytest.mark.parametrize("level", ["identical", "near-duplicate", "partial", "excerpt"])
@pytest.mark.parametrize("limits", [{}, {"max": 1}, {"jaccard": "off", "hamming": 10}])
def test_pairs_are_those_of_the_program(level, limits, dedup, jsonl):
    flags = [f"--{name}={value}" for name, value in limits.items()]
    lines = dedup("corpus", "--jsonl", jsonl, "--at-least", level, "--format", "jsonl", *flags).splitlines()
    want = [json.loads(line) for line in lines]
    found = rows(dedup_text.near_duplicates(TABLE, level=level, **limits))
    assert len(found) == len(want)
    assert level == "identical" or len(found) >= 11
    for pair, record in zip(found, want):
        measures, coverage = record["measures"], record.get("coverage") or {}
        assert pair == {
            "a": record["a"]["path"],
            "b": record["b"]["path"],
            "verdict": record["verdict"],
            **{name: measures[name] for name in ("hamming", "jaccard", "shared", "union", "containment_a", "containment_b")},
            "coverage_a": coverage.get("share_a"),
            "coverage_b": coverage.get("share_b"),
            **{name: coverage.get(name) for name in ("same_a", "same_b", "changed_a", "changed_b")},
        }


def streams():
    table = TABLE
    yield "pyarrow", table
    yield "batches", pyarrow.Table.from_batches(table.to_batches(max_chunksize=7))
    yield "reader", pyarrow.RecordBatchReader.from_batches(table.schema, iter(table.to_batches(max_chunksize=7)))
    yield "a batch", table.to_batches()[0]
    yield "polars", polars.DataFrame(ROWS)
    yield "pandas", pandas.DataFrame(ROWS)
    yield "duckdb", duckdb.connect().from_arrow(table).order("id")
    large = table.cast(pyarrow.schema([("id", "large_string"), ("text", pyarrow.large_string()), ("score", "int64")]))
    yield "large strings", large
    views = table.cast(pyarrow.schema([("id", pyarrow.string_view()), ("text", pyarrow.string_view()), ("score", "int64")]))
    yield "views", views
    yield "categories", table.set_column(1, "text", table["text"].dictionary_encode())


@pytest.mark.parametrize(("name", "table"), list(streams()), ids=lambda it: it if isinstance(it, str) else "")
def test_tables_of_all_libraries_have_the_same_pairs(name, table):
    want = rows(dedup_text.near_duplicates(TABLE))
    assert rows(dedup_text.near_duplicates(table)) == want, name


def test_a_dataset_is_what_was_chosen_of_it():
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset.from_list(ROWS)
    assert rows(dedup_text.near_duplicates(dataset)) == rows(dedup_text.near_duplicates(TABLE))
    some = dataset.select(range(10, 40))
    assert rows(dedup_text.near_duplicates(some)) == rows(dedup_text.near_duplicates(TABLE.slice(10, 30)))
    assert len(dedup_text.deduplicate(some)) == 24
    streamed = dataset.to_iterable_dataset()
    with pytest.raises(TypeError, match=r"^table is of type IterableDataset, expected a Dataset, which is not streamed: "):
        dedup_text.near_duplicates(streamed)
    several = datasets.DatasetDict(train=dataset, test=some)
    with pytest.raises(TypeError, match=r"^table is of type DatasetDict, expected one of its datasets: 'train', 'test'$"):
        dedup_text.near_duplicates(several)
    whole = datasets.Dataset.from_generator(lambda: iter(streamed))
    assert rows(dedup_text.near_duplicates(whole)) == rows(dedup_text.near_duplicates(TABLE))


def test_what_comes_out_is_read_by_all_libraries():
    pairs = dedup_text.near_duplicates(TABLE)
    assert len(pairs) == 12
    assert pairs.column_names[:4] == ["a", "b", "verdict", "hamming"]
    assert repr(pairs).startswith("<dedup_text.Table: 12 rows of a, b, verdict, ")
    assert polars.DataFrame(pairs).height == 12
    assert pyarrow.table(pairs).to_pandas()["jaccard"].min() > 0.5
    assert duckdb.from_arrow(pyarrow.table(pairs)).filter("hamming <= 64").count("*").fetchall() == [(12,)]


def test_ids_keep_their_type():
    numbered = TABLE.set_column(0, "id", pyarrow.array(range(60), pyarrow.int32()))
    pairs = pyarrow.table(dedup_text.near_duplicates(numbered))
    assert pairs.schema.field("a").type == pyarrow.int32()
    assert sorted(pairs["a"].to_pylist()) == [number for number in range(60) if number % 5 == 3]
    by_rows = pyarrow.table(dedup_text.near_duplicates(TABLE.drop(["id"])))
    assert by_rows.schema.field("a").type == pyarrow.uint64()
    assert by_rows["a"].to_pylist() == [number for number in range(60) if number % 5 == 3]
    assert by_rows["b"].to_pylist() == [number for number in range(60) if number % 5 == 4]
    named = TABLE.rename_columns(["key", "body", "score"])
    assert rows(dedup_text.near_duplicates(named, "body", "key")) == rows(dedup_text.near_duplicates(TABLE))


def test_ids_of_dictionaries_are_their_values():
    small = pyarrow.dictionary(pyarrow.int8(), pyarrow.string())
    names = [[f"{part}{number:03}" for number in range(100)] for part in "ab"]
    many = pyarrow.chunked_array([pyarrow.array(some).dictionary_encode().cast(small) for some in names], small)
    assert len(set(many.to_pylist())) == 200, "more than an int8 can number"
    table = pyarrow.table({"id": many, "text": [f"{number} copper kettles and a spoon" for number in range(100)] * 2})
    pairs = pyarrow.table(dedup_text.near_duplicates(table, level="identical"))
    assert pairs.schema.field("a").type == pyarrow.string()
    assert [(pair["a"], pair["b"]) for pair in pairs.to_pylist()] == list(zip(*names))
    assert pyarrow.table(dedup_text.deduplicate(table, level="identical")).schema == table.schema


def test_ids_that_are_uuids_are_those_of_the_program(dedup, tmp_path):
    names = [uuid.UUID(int=of) for of in (2**120, 7)]
    table = pyarrow.table({"id": pyarrow.array(names, pyarrow.uuid()), "text": ["A copper kettle and a wooden spoon"] * 2})
    pairs = pyarrow.table(dedup_text.near_duplicates(table))
    assert pairs.schema.field("a").type == pyarrow.uuid()
    assert [(pair["a"], pair["b"]) for pair in pairs.to_pylist()] == [tuple(sorted(names))]
    pyarrow.parquet.write_table(table, tmp_path / "in.parquet")
    [line] = dedup("corpus", "--parquet", tmp_path / "in.parquet", "--format", "jsonl").splitlines()
    assert [json.loads(line)[side]["path"] for side in "ab"] == list(map(str, sorted(names)))
    twice = table.take([0, 0])
    with pytest.raises(ValueError, match=f'^row 1: the id "{names[0]}" is also that of row 0, '):
        dedup_text.near_duplicates(twice)


def test_a_share_of_no_shingles_is_null():
    left = "alpha kettle spoon lamp rope bell crane wheel"
    table = pyarrow.table({"id": ["a", "b"], "text": [left, left + " anvil"]})
    [pair] = rows(dedup_text.near_duplicates(table, level="partial", jaccard=0.1, max=9))
    measures = dedup_text.judge(*table["text"].to_pylist(), jaccard=0.1, max=9).measures
    sides = ["containment_a", "containment_b"]
    assert [pair[side] for side in sides] == [measures[side] for side in sides] == [None, None]


def test_fields_within_structs_are_named_by_points():
    nested = pyarrow.table({"meta": [{"key": row["id"], "of": {"body": row["text"]}} for row in ROWS]})
    assert rows(dedup_text.near_duplicates(nested, "meta.of.body", "meta.key")) == rows(dedup_text.near_duplicates(TABLE))


def test_names_with_points_are_found_as_in_the_program(dedup, tmp_path):
    def shapes(same, other):
        yield {"a": {"b": {"c": same}}}
        yield {"a": {"b": {"c": other}, "b.c": same}}
        yield {"a": {"b.c": other}, "a.b": {"c": same}}
        yield {"a.b": {"c": other}, "a.b.c": same}

    same = "A copper kettle and a wooden spoon"
    for records in zip(shapes(same, "Two ferries leave at noon"), shapes(same, "Nobody asked the keeper")):
        (tmp_path / "in.jsonl").write_text("".join(json.dumps(it) + "\n" for it in records), encoding="utf-8")
        printed = dedup("corpus", "--jsonl", tmp_path / "in.jsonl", "--text", "a.b.c", "--format", "jsonl")
        pairs = dedup_text.near_duplicates(pyarrow.Table.from_pylist(records), "a.b.c")
        assert len(pairs) == printed.count("\n") == 1, records


def test_what_is_null_in_a_struct_is_null():
    hole = pyarrow.table({"meta": [{"body": "a copper kettle"}, None]})
    with pytest.raises(ValueError, match="row 1: the text is null, expected one"):
        dedup_text.near_duplicates(hole, "meta.body")


@pytest.mark.parametrize("keep", ["first", "longest", "field:score", "newest:score"])
@pytest.mark.parametrize("level", ["near-duplicate", "excerpt", "identical"])
def test_rows_that_are_kept_are_those_of_the_program(keep, level, dedup, jsonl):
    out = jsonl.with_name("kept.jsonl")
    dedup("corpus", "--jsonl", jsonl, "--keep", keep, "--at-least", level, "--output", out)
    want = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    kept = pyarrow.table(dedup_text.deduplicate(TABLE, keep=keep, level=level))
    assert kept.to_pylist() == want
    assert kept.schema == TABLE.schema
    parts = pyarrow.Table.from_batches(TABLE.to_batches(max_chunksize=7))
    assert rows(dedup_text.deduplicate(parts, keep=keep, level=level)) == want


VALUES = [
    pyarrow.array([1000, 1500], pyarrow.timestamp("ms", "UTC")),
    pyarrow.array([1000, 1500], pyarrow.timestamp("ms", "Europe/Berlin")),
    pyarrow.array([1000, 1500], pyarrow.timestamp("ms")),
    pyarrow.array([9, 10], pyarrow.date32()),
    pyarrow.array([9, 10], pyarrow.duration("s")),
    pyarrow.array([9000, 10500], pyarrow.time32("ms")),
    pyarrow.array([9, 10], pyarrow.time64("us")),
    pyarrow.array([float("nan"), -1], pyarrow.float64()),
    pyarrow.array([float("inf"), -1], pyarrow.float32()),
]


@pytest.mark.parametrize("values", VALUES, ids=lambda values: str(values.type))
def test_values_are_compared_as_in_the_program(values, dedup, tmp_path):
    table = pyarrow.table({"id": ["old", "new"], "of": values, "text": ["A copper kettle and a wooden spoon"] * 2})
    pyarrow.parquet.write_table(table, tmp_path / "in.parquet")
    has_numbers = not pyarrow.types.is_timestamp(values.type) and not pyarrow.types.is_date(values.type)
    if not has_numbers:
        with pytest.raises(ValueError, match="^keep: no row has a number in the column of, expected it in at least one$"):
            dedup_text.deduplicate(table, keep="field:of")
    for keep in ("newest:of", "field:of")[: 1 + has_numbers]:
        out = tmp_path / f"{keep[:5]}.parquet"
        dedup("corpus", "--parquet", tmp_path / "in.parquet", "--keep", keep, "--output", out)
        want = pyarrow.parquet.read_table(out)["id"].to_pylist()
        kept = pyarrow.table(dedup_text.deduplicate(table, keep=keep))["id"].to_pylist()
        assert kept == want, keep
        assert keep != "newest:of" or kept == ["new"]


def test_empty_tables_have_no_pairs():
    empty = TABLE.slice(0, 0)
    assert rows(dedup_text.near_duplicates(empty)) == []
    assert rows(dedup_text.deduplicate(empty)) == []
    assert rows(dedup_text.near_duplicates(empty.drop(["id"]))) == []


def test_texts_that_are_too_short_are_counted():
    short = pyarrow.table({"text": ["one copper kettle", "kettle", "one copper kettle", ""]})
    with pytest.warns(UserWarning, match="^2 texts are too short to be compared$"):
        pairs = rows(dedup_text.near_duplicates(short, min=3))
    assert [(pair["a"], pair["b"]) for pair in pairs] == [(0, 2)]
    with pytest.warns(UserWarning):
        assert rows(dedup_text.deduplicate(short, min=3)) == short.take([0, 1, 3]).to_pylist()


def test_a_limit_of_memory_and_threads_changes_nothing():
    want = rows(dedup_text.near_duplicates(TABLE))
    assert rows(dedup_text.near_duplicates(TABLE, memory=1)) == want
    for threads in (1, 2, 7, numpy.int64(2)):
        assert rows(dedup_text.near_duplicates(TABLE, threads=threads)) == want


@pytest.mark.skipif(sys.platform == "win32", reason="TMPDIR is of Unix")
def test_a_temporary_file_that_cannot_be_made_is_an_os_error(tmp_path, monkeypatch):
    folder = tmp_path / "missing"
    monkeypatch.setenv("TMPDIR", str(folder))
    for call in (dedup_text.near_duplicates, dedup_text.deduplicate):
        with pytest.raises(FileNotFoundError) as raised:
            call(TABLE, memory=1)
        assert (raised.value.errno, raised.value.filename) == (errno.ENOENT, str(folder))
        assert raised.value.strerror == "cannot use a temporary file in this folder: No such file or directory"


@pytest.mark.parametrize(
    ("table", "arguments", "error", "message"),
    [
        ([1, 2], {}, TypeError, "table is of type list, expected one with the Arrow stream interface"),
        (TABLE, {"text": "body"}, KeyError, "no column body, the columns are id, text, score"),
        (TABLE, {"id": "key"}, KeyError, "no column key, the columns are id, text, score"),
        (TABLE, {"text": "score"}, TypeError, "the column score is of Int64, expected strings"),
        (TABLE, {"level": "different"}, ValueError, 'level="different", expected identical, near-duplicate, partial or excerpt'),
        (TABLE, {"threads": 0}, ValueError, "threads=0, expected a whole number from 1 to 256"),
        (TABLE, {"threads": "2"}, TypeError, "threads='2', expected an int or None"),
        (TABLE, {"threads": -1}, ValueError, "threads=-1, expected a whole number from 1 to 256"),
        (TABLE, {"threads": 2**70}, ValueError, f"threads={2**70}, expected a whole number from 1 to 256"),
        (TABLE, {"memory": 2**70}, ValueError, f"memory={2**70}, expected a whole number from 0 to {2**64 - 1}"),
        (TABLE, {"memory": "1G"}, TypeError, "memory='1G', expected an int or None"),
        (TABLE, {"memory": True}, TypeError, "memory=True, expected an int or None"),
        (TABLE, {"memory": numpy.array([2, 3])}, TypeError, "memory=array([2, 3]), expected an int or None"),
        (TABLE, {"memory": numpy.int64(-1)}, ValueError, "memory=-1, expected a whole number from 0 to "),
        (TABLE, {"jaccard": numpy.array([0.5])}, TypeError, "jaccard=array([0.5]), expected a number from 0 to 1, or \"off\""),
        (TABLE, {"text": 0}, TypeError, "text=0, expected a str"),
        (TABLE, {"id": 5}, TypeError, "id=5, expected a str or None"),
        (TABLE, {"level": None}, TypeError, "level=None, expected a str"),
        (TABLE, {"progress": "tqdm"}, TypeError, "progress='tqdm', expected a function or None"),
        (TABLE, {"lang": ["de", "en"]}, TypeError, "lang=['de', 'en'], expected one language for all texts"),
        (TABLE, {"jacard": 1}, TypeError, "unexpected keyword argument 'jacard'"),
        (pyarrow.table({"id": ["a", "b", "a"], "text": ["x y", "y z", "z x"]}), {}, ValueError,
         'row 2: the id "a" is also that of row 0, expected a different id for each row'),
        (pyarrow.table({"text": ["x y", None]}), {}, ValueError, "row 1: the text is null, expected one"),
        (pyarrow.table({"id": ["a", None], "text": ["x y", "y z"]}), {}, ValueError, "row 1: the id is null, expected one"),
        (pyarrow.table({"id": [[1]], "text": ["x y"]}), {}, TypeError, "the column id is of List(Int64), expected strings, numbers or dates"),
        (pyarrow.table({"id": pyarrow.array([b"x" * 16], pyarrow.binary(16)), "text": ["x y"]}), {}, TypeError,
         "the column id is of FixedSizeBinary(16), expected strings, numbers or dates"),
        (pyarrow.table({"text": pyarrow.array([b"x" * 16], pyarrow.uuid())}), {}, TypeError,
         "the column text is of FixedSizeBinary(16), expected strings"),
        (TABLE, {"text": "\ud800"}, UnicodeEncodeError, "utf-8"),
        (TABLE, {"id": "\ud800"}, UnicodeEncodeError, "utf-8"),
        (TABLE, {"level": "\ud800"}, UnicodeEncodeError, "utf-8"),
        (pyarrow.Table.from_batches([pyarrow.record_batch({"id": [id], "text": [f"{id}\0z"]}) for id in ("x", "y")]), {}, ValueError,
         "row 0: x: not a text: NUL byte at offset 1"),
        (pyarrow.table({"text": ["x y", "y\0z"]}), {}, ValueError, "row 1: not a text: NUL byte at offset 1"),
        (pyarrow.Table.from_batches([pyarrow.record_batch({"id": [id], "text": ["x y"]}) for id in (b"x", b"\xff")]), {}, ValueError,
         "row 1: the Binary in the column id is not UTF-8, expected strings, numbers or dates"),
        (pyarrow.table({"id": pyarrow.array([1, 2**31 - 1], pyarrow.date32()), "text": ["x y"] * 2}), {}, ValueError,
         "the column id: a value of the type Date32 is out of range"),
        (pyarrow.table({"id": pyarrow.array([1, 2**31 - 1], pyarrow.timestamp("s", "Mars/Olympus")), "text": ["x y"] * 2}), {}, ValueError,
         'the column id: Invalid timezone "Mars/Olympus": failed to parse timezone'),
        (pyarrow.table({}), {}, KeyError, "no column text, the table has none"),
        (pyarrow.table([["x y"], ["y z"]], names=["text", "text"]), {}, ValueError, "several columns text, expected one"),
        (pyarrow.table([["a"], ["b"], ["x y"]], names=["id", "id", "text"]), {}, ValueError, "several columns id, expected one"),
        (pyarrow.table({"meta": [{"body": "x", "of": {"a": 1}}], "n": [1]}), {"text": "meta.text"}, KeyError,
         "no column meta.text, the columns are meta.body, meta.of.a, n"),
        (polars.Series(["x y"]), {}, TypeError, "table is of type Series, expected one with the Arrow stream interface"),
        (polars.DataFrame({"text": ["x y"], "of": [object()]}), {}, TypeError, "the column of has the type Object, expected a type of Arrow"),
    ],
)
def test_what_is_wrong_is_an_exception(table, arguments, error, message):
    for call in (dedup_text.near_duplicates, dedup_text.deduplicate):
        with pytest.raises(error) as raised:
            call(table, **arguments)
        assert str(raised.value.args[0]).startswith(message)


FIELD = pyarrow.field("a", pyarrow.int8(), nullable=False)
TYPES = [
    *map(pyarrow.type_for_alias, ("null", "bool", "int8", "uint64", "float16", "float32", "float64", "binary", "large_binary")),
    pyarrow.binary_view(),
    pyarrow.binary(3),
    pyarrow.date32(),
    pyarrow.date64(),
    pyarrow.time32("s"),
    pyarrow.time64("us"),
    pyarrow.timestamp("ms"),
    pyarrow.timestamp("ns", "Europe/Berlin"),
    pyarrow.duration("us"),
    pyarrow.month_day_nano_interval(),
    pyarrow.decimal32(5, 2),
    pyarrow.decimal64(15, -2),
    pyarrow.decimal128(5, 2),
    pyarrow.decimal256(50, 2),
    pyarrow.list_(pyarrow.string()),
    pyarrow.large_list(pyarrow.large_string()),
    pyarrow.list_view(pyarrow.string_view()),
    pyarrow.large_list_view(pyarrow.float16()),
    pyarrow.list_(pyarrow.int16(), 2),
    pyarrow.struct([FIELD, pyarrow.field("b", pyarrow.list_(FIELD))]),
    pyarrow.map_(pyarrow.string(), pyarrow.int32()),
    pyarrow.run_end_encoded(pyarrow.int32(), pyarrow.int64()),
]


@pytest.mark.parametrize("of", TYPES, ids=str)
def test_a_column_of_another_type_is_no_text(of):
    with pytest.raises(TypeError, match=r"^the column text is of [A-Z]\w+(\(.*\))?, expected strings$"):
        dedup_text.near_duplicates(pyarrow.record_batch({"text": pyarrow.array([], of)}))


def runs(ends, values, width=pyarrow.int32()):
    return pyarrow.RunEndEncodedArray.from_arrays(pyarrow.array(ends, width), values)


@pytest.mark.parametrize("width", [pyarrow.int16(), pyarrow.int32(), pyarrow.int64()], ids=str)
@pytest.mark.parametrize("encode", [lambda it: it, pyarrow.Array.dictionary_encode], ids=["plain", "dictionary"])
def test_runs_are_read_as_rows(width, encode):
    kettles, ferries = "A copper kettle and a wooden spoon", "Two ferries leave at noon"
    table = pyarrow.table(
        {
            "id": runs([1, 2, 3, 4, 5], encode(pyarrow.array(["a", "b", "c", "d", "e"])), width),
            "text": runs([2, 3, 5], encode(pyarrow.array([kettles, ferries, kettles])), width),
            "score": runs([1, 4, 5], pyarrow.array([9.0, float("inf"), 8.0]), width),
        }
    )
    plain = pyarrow.Table.from_pylist(table.to_pylist())
    parts = pyarrow.concat_tables([table.slice(0, 2), table.slice(2)])
    for some, other in ((table, plain), (table.slice(1, 3), plain.slice(1, 3)), (parts, plain), (table.slice(0, 0), plain.slice(0, 0))):
        pairs = pyarrow.table(dedup_text.near_duplicates(some))
        assert pairs.to_pylist() == rows(dedup_text.near_duplicates(other))
        assert pairs.schema.field("a").type == pyarrow.string()
        assert rows(dedup_text.deduplicate(some)) == rows(dedup_text.deduplicate(other))
    assert rows(dedup_text.deduplicate(table, keep="newest:score")) == rows(dedup_text.deduplicate(plain, keep="newest:score"))
    within = pyarrow.StructArray.from_arrays([table["text"].chunk(0)], ["body"], mask=pyarrow.array([False, True, False, False, False]))
    with pytest.raises(ValueError, match="^row 1: the text is null, expected one$"):
        dedup_text.near_duplicates(pyarrow.table({"meta": within}), "meta.body")


def test_a_rule_for_rows_that_is_not_utf8_is_an_exception():
    table = pyarrow.Table.from_batches([pyarrow.record_batch({"of": [of], "text": ["x y"]}) for of in (b"x", b"\xff")])
    with pytest.raises(ValueError, match="^row 1: the Binary in the column of is not UTF-8, expected strings, numbers or dates$"):
        dedup_text.deduplicate(table, keep="newest:of")


def test_without_ids_texts_go_by_their_rows():
    same = TABLE.set_column(0, "id", pyarrow.array(["same"] * 60))
    assert rows(dedup_text.near_duplicates(same, id="off")) == rows(dedup_text.near_duplicates(TABLE.drop(["id"])))
    assert rows(dedup_text.deduplicate(same, id="off")) == [{**row, "id": "same"} for row in rows(dedup_text.deduplicate(TABLE))]
    off = TABLE.rename_columns(["off", "text", "score"])
    assert rows(dedup_text.near_duplicates(off, id="off"))[0]["a"] == 3, "as in the program, such a column cannot be the id"


def test_more_pairs_than_asked_for_are_an_exception():
    copies = pyarrow.table({"text": ["a copper kettle and a wooden spoon"] * 30})  # 435 pairs
    assert len(dedup_text.near_duplicates(copies, max_pairs=435)) == 435
    assert len(dedup_text.near_duplicates(copies, max_pairs=None)) == 435
    with pytest.raises(ValueError, match=f"^max_pairs={2**70}, expected a whole number from 0 to {2**64 - 1}$"):
        dedup_text.near_duplicates(copies, max_pairs=2**70)
    with pytest.raises(ValueError, match="^more than 434 pairs near-duplicate or closer, expected at most that many; "):
        dedup_text.near_duplicates(copies, max_pairs=434)
    many = pyarrow.table({"text": ["a copper kettle and a wooden spoon"] * 1500})
    with pytest.raises(ValueError, match="^more than 1,000,000 pairs near-duplicate or closer"):
        dedup_text.near_duplicates(many)
    assert len(dedup_text.deduplicate(many)) == 1


def test_only_rows_can_be_kept_that_there_is_a_rule_for():
    with pytest.raises(ValueError, match='keep="best", expected first, longest, newest:FIELD or field:FIELD'):
        dedup_text.deduplicate(TABLE, keep="best")
    with pytest.raises(KeyError, match="no column date, the columns are id, text, score"):
        dedup_text.deduplicate(TABLE, keep="newest:date")
    empty = pyarrow.table({"text": ["a copper kettle"], "date": [""]})
    with pytest.raises(ValueError, match="^keep: no row has a value in the column date, expected it in at least one$"):
        dedup_text.deduplicate(empty, keep="newest:date")
    assert rows(dedup_text.deduplicate(empty.slice(0, 0), keep="newest:date")) == []


def slow(seconds, batches=50, asked=None):
    """A stream whose batches take their time; `asked` gets the number of each that is asked for."""

    def made():
        for number in range(batches):
            if asked is not None:
                asked.append(number)
            time.sleep(seconds)
            words = [f"w{number * 1000 + at}" for at in range(50)]
            yield pyarrow.record_batch({"text": [" ".join(words)]})

    return pyarrow.RecordBatchReader.from_batches(pyarrow.schema([("text", "string")]), made())


def test_progress_is_told_in_stages():
    told = []
    dedup_text.near_duplicates(slow(0.02), progress=lambda *it: told.append(it))
    assert told and told[0][0] == "reading"
    done = [done for stage, done, _ in told if stage == "reading"]
    assert done == sorted(done)


def test_the_end_of_a_short_run_is_told():
    told = []
    dedup_text.near_duplicates(TABLE, progress=lambda *it: told.append(it))
    stage, done, total = told[-1]
    assert (stage, done) == ("joining", total)


def test_what_the_last_call_of_progress_raises_is_raised():
    def tired(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        dedup_text.near_duplicates(TABLE, progress=tired)


def test_batches_that_were_compared_are_let_go():
    size, most = 1_000_000, 0

    def batches():
        nonlocal most
        for number in range(20):
            most = max(most, pyarrow.total_allocated_bytes())
            yield pyarrow.record_batch({"id": [f"t{number}"], "text": [f"{number} keeper " * (size // 9)]})

    schema = pyarrow.schema({"id": pyarrow.string(), "text": pyarrow.string()})
    before = pyarrow.total_allocated_bytes()
    dedup_text.near_duplicates(pyarrow.RecordBatchReader.from_batches(schema, batches()))
    assert most - before < 5 * size, "one that is compared, one that waits and one that is made"


def test_a_batch_is_read_while_the_one_before_is_compared_and_then_let_go():
    let_go, held, second, waited = [], [], threading.Event(), []

    class Memory:
        """What the buffer of a batch stands in; the first is let go only once the second is asked for."""

        def __init__(self, number):
            self.number, self.text = number, f"{number} a copper kettle and a wooden spoon".encode()

        def __del__(self):
            if self.number == 0:
                waited.append(second.wait(60))
            let_go.append(self.number)

        def batch(self):
            ends = pyarrow.array([0, len(self.text)], pyarrow.int64()).buffers()[1]
            text = pyarrow.foreign_buffer(pyarrow.py_buffer(self.text).address, len(self.text), self)
            return pyarrow.record_batch({"text": pyarrow.Array.from_buffers(pyarrow.large_string(), 1, [None, ends, text])})

    def batches():
        for number in range(20):
            held.append(number - len(let_go))
            if number == 1:
                second.set()
            yield Memory(number).batch()

    schema = pyarrow.schema({"text": pyarrow.large_string()})
    dedup_text.near_duplicates(pyarrow.RecordBatchReader.from_batches(schema, batches()))
    assert waited == [True], "the second batch was not asked for while the first was held"
    assert len(held) == 20 and max(held) <= 3, "one that is compared, one that waits, and one that is on its way"
    assert let_go == list(range(20))


def test_what_progress_raises_stops_the_run():
    def tired(*_):
        raise RuntimeError("enough")

    asked = []
    with pytest.raises(RuntimeError, match="enough"):
        dedup_text.near_duplicates(slow(0.05, 2000, asked), progress=tired)
    assert 1 < len(asked) < 1000, "not all batches were read"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are of Unix")
def test_an_interrupt_stops_the_run():
    code = """
import sys; sys.path.insert(0, sys.argv[1])
import test_tables, dedup_text
print("begun", flush=True)
try:
    dedup_text.near_duplicates(test_tables.slow(0.05, 2000))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    import pathlib

    here = str(pathlib.Path(__file__).parent)
    with subprocess.Popen([sys.executable, "-c", code, here], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert process.wait(30) == 0


def test_other_threads_run_meanwhile():
    counted = []
    ticking = threading.Event()

    def tick():
        while not ticking.wait(0.01):
            counted.append(1)

    table = pyarrow.Table.from_pylist(texts(2000))
    thread = threading.Thread(target=tick)
    thread.start()
    before = len(counted)
    dedup_text.near_duplicates(table)  # without a call of Python in it
    after = len(counted)
    ticking.set()
    thread.join()
    assert after - before > 1, "one tick may be late, behind a run that let no other thread in"


def test_a_column_of_nulls_is_read():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"text": ["a copper kettle", "A copper kettle!"], "note": [None, None]})
    assert len(dedup_text.near_duplicates(frame)) == 1
    assert pyarrow.table(dedup_text.deduplicate(frame)).to_pydict() == {"text": ["a copper kettle"], "note": [None]}
    assert len(dedup_text.near_duplicates(polars.DataFrame({"text": []}))) == 0


@pytest.mark.parametrize(
    "notes",
    [
        [{"x": None, "y": 1}, {"x": None, "y": None}],
        [[None], [None, None]],
        [[], []],
        [[{"x": None}], [{"x": None}]],
        [{"x": {"y": []}}, {"x": {"y": [None]}}],
        polars.Series([[None, None], [None, None]], dtype=polars.Array(polars.Null, 2)).to_list(),
    ],
)
def test_nulls_alone_in_nested_columns_are_read(notes):
    frame = polars.DataFrame({"text": ["a copper kettle", "A copper kettle!"], "note": notes})
    assert len(dedup_text.near_duplicates(frame)) == 1
    assert rows(dedup_text.deduplicate(frame)) == [{"text": "a copper kettle", "note": notes[0]}]


class Exported:
    """A table whose export fails the first time, and counts the attempts."""

    def __init__(self, error):
        self.error = error
        self.exports = 0

    def __arrow_c_stream__(self, requested_schema=None):
        self.exports += 1
        if self.exports == 1:
            raise self.error
        return TABLE.__arrow_c_stream__(requested_schema)


CALLS = (dedup_text.near_duplicates, dedup_text.deduplicate)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("error", [RuntimeError("the connection is closed"), AttributeError("x"), TypeError("y"), KeyboardInterrupt(), SystemExit(3)], ids=repr)
def test_what_the_export_of_a_table_raises_is_raised_after_one_export(call, error):
    table = Exported(error)
    with pytest.raises(type(error)) as raised:
        call(table)
    assert (raised.value, table.exports) == (error, 1)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("column", [pyarrow.chunked_array([["x y"]]), polars.Series(["x y"]), pyarrow.array(["x y"])], ids=lambda it: type(it).__name__)
def test_a_column_alone_is_exported_once_and_refused(call, column):
    exports = []

    class Column:
        def __init__(self, method):
            setattr(Column, method, lambda _, requested_schema=None: exports.append(method) or getattr(column, method)())

    method = "__arrow_c_array__" if isinstance(column, pyarrow.Array) else "__arrow_c_stream__"
    with pytest.raises(TypeError, match="^table is of type Column, expected one with the Arrow stream interface, such as "):
        call(Column(method))
    assert exports == [method]


def test_a_stream_of_structs_is_a_table():
    column = pyarrow.chunked_array([[{"text": "a copper kettle"}, {"text": "A copper kettle!"}]])
    assert len(dedup_text.near_duplicates(column)) == len(dedup_text.near_duplicates(column.chunk(0))) == 1
    for missing in (pyarrow.chunked_array([[{"text": "a"}, None]]), pyarrow.array([{"text": "a"}, None])):
        with pytest.raises(ValueError, match="^a row of the table is null, expected none$"):
            dedup_text.near_duplicates(missing)


def reader(*batches):
    """A reader of batches, in which an exception is raised."""

    def made():
        for batch in batches:
            if isinstance(batch, BaseException):
                raise batch
            yield batch

    return pyarrow.RecordBatchReader.from_batches(pyarrow.schema({"text": pyarrow.string()}), made())


class OwnError(Exception):
    """An exception of the caller."""


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "error",
    [KeyboardInterrupt(), SystemExit(3), OSError(28, "No space left", "f"), ValueError("v"), MemoryError("m"), OwnError("o")],
    ids=repr,
)
def test_what_a_reader_raises_is_raised(call, error):
    batch = pyarrow.record_batch({"text": ["x y"]})
    for batches in ((error,), (batch, error), (batch, batch, batch, error)):
        with pytest.raises(type(error)) as raised:
            call(reader(*batches))
        assert raised.value is error


def test_batches_of_other_columns_are_an_exception():
    batch = pyarrow.record_batch({"text": ["x y"]})
    for other in ({}, {"text": [1]}, {"body": ["x y"]}, {"text": ["x y"], "id": ["a"]}):
        with pytest.raises(ValueError, match="^a batch has other columns than the schema of its reader, expected the same$"):
            dedup_text.near_duplicates(reader(batch, pyarrow.record_batch(other)))
