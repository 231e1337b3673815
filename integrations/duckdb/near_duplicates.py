#!/usr/bin/env python3
"""Finds the near-duplicates of many texts with DuckDB on one machine: exactly the pairs of `dedup corpus`.

    near_duplicates.py --input docs.jsonl --output pairs.jsonl

DuckDB reads the texts, and the package dedup-text finds the pairs, in this process.
"""
import argparse
import glob
import itertools
import json
import os
import shutil
import sys
import tempfile
import warnings

try:
    import dedup_text
    import duckdb
except ImportError as missing:
    print(f"near_duplicates.py: {sys.executable}: {missing}, expected the packages duckdb and dedup-text: "
          f"{sys.executable} -m pip install 'duckdb>=1.1,<3' dedup-text", file=sys.stderr)
    sys.exit(2)

BATCH = 256  # number of pairs that are judged at a time
SEEN = 3  # number of records of a file that are read to find the names of fields
MAX_LINE = 1 << 26  # largest size of a record, in bytes


class JobError(Exception):
    """An error that ends the job, described in one line."""

    status = 1


class UsageError(JobError):
    """An error in the arguments or inputs of the job, described in one line."""

    status = 2


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--input", required=True, nargs="+", help="JSON Lines, Parquet, CSV, or other JSON that DuckDB can read")
    parser.add_argument("--output", required=True, help="the file for the pairs, one JSON object per line; a new file, or one of an earlier run")
    parser.add_argument("--id", default="id", help="the field with the id of a text [id]")
    parser.add_argument("--text", default="text", help="the field with the text [text]")
    for flag in ("min", "max", "lang"):
        parser.add_argument(f"--{flag}", help="as for dedup corpus")
    parser.add_argument("--hamming", default="3", help="as for dedup corpus [3]")
    parser.add_argument("--jaccard", default="0.5", help="as for dedup corpus [0.5]")
    parser.add_argument("--records", action="store_true", help="write the full record of each pair")
    parser.add_argument("--memory", default="2GB", help="memory that DuckDB may use before it spills to disk [2GB]")
    parser.add_argument("--threads", help="number of threads, at most 256 [the number of cores]")
    parser.add_argument("--work", help="a folder for intermediate files")
    return parser.parse_args()


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def name(text):
    return '"' + text.replace('"', '""') + '"'


def files(given):
    """Returns the input files."""
    found = [path for named in given.input for path in sorted(glob.glob(named)) or [named]]
    missing = [path for path in found if not os.path.isfile(path)]
    if missing:
        raise UsageError(f"{missing[0]}: {'is a folder' if os.path.isdir(missing[0]) else 'not found'}, expected a file")
    return found


def check_places(given, found):
    """Checks that the output can be written, and replaces only pairs of an earlier run."""
    path = given.output
    if os.path.isdir(path):
        raise UsageError(f"{path}: is a folder, expected a file")
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise UsageError(f"{path}: its folder does not exist, expected an existing folder")
    if any(os.path.exists(path) and os.path.samefile(path, one) for one in found):
        raise UsageError(f"{path}: is one of the inputs, expected another file")
    if given.work and not os.path.isdir(given.work):
        raise UsageError(f"--work {given.work}: no such folder, expected one that exists")
    if os.path.isfile(path):
        with open(path, "rb") as file:
            first = file.readline(MAX_LINE)
        if first and b'"verdict":' not in first:
            raise UsageError(f"{path}: exists and does not contain pairs, expected a new file or the output of an earlier run")


def records(given, connection, found, work):
    """Returns files of JSON Lines: the inputs, or a copy of their content."""
    copy = os.path.join(work, "docs.jsonl")
    if all(path.endswith((".jsonl", ".ndjson")) for path in found):
        check_fields(given, found[0])
        return found if are_plain(given, connection, found) else [rewritten(given, found, copy)]
    readers = {(".parquet",): "read_parquet({}, binary_as_string = true)", (".csv", ".tsv", ".csv.gz", ".tsv.gz"): "read_csv({}, all_varchar = true)"}
    fit = [reader for ends, reader in readers.items() if all(path.endswith(ends) for path in found)]
    rows = (fit or ["read_json_auto({})"])[0].format(f"[{', '.join(map(quoted, found))}]")
    there = {column: of for column, of, *_ in connection.execute(f"DESCRIBE FROM {rows}").fetchall()}
    types = {column.lower(): of for column, of in there.items()}  # DuckDB ignores case
    for column in (given.id, given.text):
        if column.lower() not in types:
            raise JobError(f"{found[0]}: no column {column}, expected one of {', '.join(there)}")
    id_type, text_type = types[given.id.lower()], types[given.text.lower()]
    if text_type not in ("VARCHAR", "JSON"):
        raise JobError(f"{found[0]}: the column {given.text} is of the type {text_type}, expected one of strings")
    if id_type == "BOOLEAN" or id_type.endswith((")", "]")) and not id_type.startswith("DECIMAL"):
        raise JobError(f"{found[0]}: the column {given.id} is of the type {id_type}, expected one of strings or numbers")
    connection.execute(f"""COPY (SELECT {name(given.id)}, {name(given.text)} FROM {rows}) TO {quoted(copy)} (FORMAT json)""")
    if "JSON" not in (id_type, text_type) or are_plain(given, connection, [copy]):
        return [copy]
    return [rewritten(given, [copy], os.path.join(work, "strings.jsonl"), "record {number}")]


def fields_of(record, within=""):
    """Yields the names of the fields of a record; nested ones with dots."""
    for key, value in record.items() if isinstance(record, dict) else ():
        yield from fields_of(value, f"{within}{key}.") if isinstance(value, dict) and value else [within + key]


def check_fields(given, path):
    """Checks the names of the fields: at least one of the first records must have each of them."""
    with open(path, encoding="utf-8", errors="surrogateescape") as lines:
        first = [line for line in itertools.islice(lines, SEEN) if line.strip()]
    try:
        first = [json.loads(line) for line in first]
    except ValueError:
        return  # reported with its line when the records are read
    there = dict.fromkeys(key for record in first for key in fields_of(record))
    for wanted in (given.id, given.text):
        if first and all(field(record, wanted) is None for record in first) and wanted not in there:
            raise JobError(f"{path}: no field {wanted}, expected one of {', '.join(there)}")


def are_plain(given, connection, found):
    """Checks whether DuckDB reads ids and texts unchanged: they must be fields at the top level, texts strings, and ids
    strings or whole numbers. DuckDB would format other numbers differently."""
    columns = f"{{{quoted(given.id)}: 'JSON', {quoted(given.text)}: 'JSON'}}"
    return connection.execute(f"""SELECT count(*) = 0 FROM read_json([{", ".join(map(quoted, found))}],
        format = 'newline_delimited', maximum_object_size = {MAX_LINE}, ignore_errors = true, columns = {columns})
        WHERE coalesce(json_type({name(given.text)}), '') <> 'VARCHAR'
            OR coalesce(json_type({name(given.id)}), '') NOT IN ('VARCHAR', 'BIGINT', 'UBIGINT')"""
    ).fetchall()[0][0]  # fetchall frees the connection for a relation


class Number(str):
    """A number of JSON as it is written. An id may be a number, a text may not."""


def field(record, name):
    """Returns a field of a record; `meta.body` is the field of that name, or else the field `body` of `meta`."""
    if not isinstance(record, dict):
        return None
    first, dot, rest = name.partition(".")
    return field(record.get(first), rest) if dot and name not in record else record.get(name)


def rewritten(given, found, target, place="{path}: line {number}"):
    """Copies the records with both fields at the top level and the id as a string."""
    with open(target, "w", encoding="utf-8", errors="surrogateescape", newline="") as copy:
        for path in found:
            with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        copy.write(plain(given, line.removesuffix("\n"), place.format(path=path, number=number)) + "\n")
    return target


def plain(given, line, place):
    try:
        record = json.loads(line, parse_int=Number, parse_float=Number)
    except ValueError as found:
        raise JobError(f"{place}: not JSON: {found}") from None
    if not isinstance(record, dict):
        raise JobError(f"{place}: not a JSON object, expected one with the fields {given.id} and {given.text}")
    both = {wanted: field(record, wanted) for wanted in (given.id, given.text)}
    for wanted, value in both.items():
        if value is None and wanted not in fields_of(record):
            raise JobError(f"{place}: no field {wanted}, expected one")
        if not isinstance(value, str) or wanted == given.text and isinstance(value, Number):
            raise JobError(f"{place}: the field {wanted} is not a string{' or a number' if wanted == given.id else ''}")
    return json.dumps(both)


def checked_limits(given):
    """Returns the limits as arguments of the Python module, which checks them."""
    def parsed(number, typed):
        try:
            return number(typed)
        except ValueError:
            return typed  # "off", or wrong

    as_numbers = {"min": int, "max": int, "jaccard": float, "hamming": int, "lang": str}
    flags = {flag: getattr(given, flag) for flag in as_numbers if getattr(given, flag) is not None}
    limits = {flag: parsed(as_numbers[flag], typed) for flag, typed in flags.items()}
    try:
        dedup_text.Part(**limits)
    except (ValueError, TypeError) as found:
        raise UsageError(found) from None
    return limits


def thread_count(typed):
    """Returns the number of threads; None if it is not given."""
    if typed and not (typed.isascii() and typed.isdecimal() and 1 <= int(typed) <= 256):
        raise UsageError(f"--threads {typed}, expected a whole number from 1 to 256")
    return int(typed) if typed else None


def find(given, connection, docs, limits, threads):
    """Finds the pairs, as the table `pairs`. Returns the texts."""
    columns = f"{{{quoted(given.id)}: 'VARCHAR', {quoted(given.text)}: 'VARCHAR'}}"
    texts = connection.sql(f"""SELECT {name(given.id)} AS id, {name(given.text)} AS text
        FROM read_json([{", ".join(map(quoted, docs))}], format = 'newline_delimited',
            maximum_object_size = {MAX_LINE}, columns = {columns})""")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pairs = dedup_text.near_duplicates(texts, threads=threads, max_pairs=None, passages=False, **limits)
    for warning in caught:
        print(f"near_duplicates.py: {warning.message}", file=sys.stderr)
    connection.register("pairs", pairs)
    return texts


def batches(rows, size):
    """Yields the rows of a query, some at a time."""
    while some := rows.fetchmany(size):
        yield some


def judge(connection, texts, target, limits):
    """Writes the full record of each pair, as in the corpus: texts in doubt have the language of most texts."""
    texts.create_view("texts")
    rows = connection.execute("SELECT id, text FROM texts")
    counts = dedup_text.Part(**limits).count((row for some in batches(rows, BATCH) for row in some), slots=16)
    part = dedup_text.Part(counts, **limits)
    rows = connection.execute("""SELECT x.id, x.text, y.id, y.text
        FROM pairs JOIN texts AS x ON pairs.a = x.id JOIN texts AS y ON pairs.b = y.id ORDER BY pairs.a, pairs.b""")
    with open(target, "w", encoding="utf-8", newline="") as file:
        for some in batches(rows, BATCH):
            file.writelines(f"{line}\n" for line in part.judge([(row[:2], row[2:]) for row in some]))


def main(given):
    limits, threads = checked_limits(given), thread_count(given.threads)
    if given.id == given.text:
        raise UsageError(f"--id {given.id} and --text {given.text}, expected two fields")
    found = files(given)
    check_places(given, found)
    with tempfile.TemporaryDirectory(dir=given.work, prefix="dedup-") as work:
        config = {"memory_limit": given.memory, "temp_directory": os.path.join(work, "spill")}
        try:
            connection = duckdb.connect(config={**config, "threads": threads} if threads else config)
        except duckdb.Error as error:
            raise UsageError(f"--memory {given.memory}: {error}") from None
        docs, written = records(given, connection, found, work), os.path.join(work, "pairs.jsonl")
        try:
            texts = find(given, connection, docs, limits, threads)
            if given.records:
                judge(connection, texts, written, limits)
            else:
                connection.execute(f"""COPY (SELECT a, b, verdict, hamming, shared / "union" AS jaccard, shared, "union"
                    FROM pairs ORDER BY a, b) TO {quoted(written)} (FORMAT json)""")
        except (ValueError, MemoryError) as error:
            raise JobError(error) from None
        shutil.move(written, given.output)


if __name__ == "__main__":
    if not (1, 1) <= tuple(int(part) for part in duckdb.__version__.split(".")[:2]) < (3, 0):
        print(f"near_duplicates.py: duckdb {duckdb.__version__}, expected 1.1 or later, before 3: "
              f"{sys.executable} -m pip install 'duckdb>=1.1,<3'", file=sys.stderr)
        sys.exit(2)
    try:
        main(arguments())
    except (JobError, duckdb.Error, OSError) as error:
        message = str(error).partition("\n")[0]  # the other lines quote the SQL
        print(f"near_duplicates.py: {message}", file=sys.stderr)
        sys.exit(getattr(error, "status", 1))
    except KeyboardInterrupt:
        sys.exit(130)
