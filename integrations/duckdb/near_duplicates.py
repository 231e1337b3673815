#!/usr/bin/env python3
"""Finds the near-duplicates of many texts with DuckDB on one machine: exactly the pairs of `dedup corpus`.

    near_duplicates.py --input docs.jsonl --output pairs.jsonl --binary /usr/local/bin/dedup

Needs the packages duckdb and numpy. docs/scale.md explains the steps, and why no pair is lost.
"""
import argparse
import glob
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from fractions import Fraction

try:
    import duckdb
    import numpy
except ImportError as missing:
    print(f"near_duplicates.py: {sys.executable}: {missing}, expected the packages of integrations/requirements.txt: "
          f"{sys.executable} -m pip install 'duckdb>=1.1,<3' numpy", file=sys.stderr)
    sys.exit(2)

try:
    import dedup_text
except ImportError:
    dedup_text = None

MORE = 3  # number of keys that are considered beyond those required: fewer pairs to verify
SEEN = 3  # number of records of a file that are read to find the names of fields
MAX_LINE = 1 << 26  # largest size of a line of keys, in bytes
DEDUP = "dedup"  # the program, on PATH
NUMBERS = (("min", 1, 64), ("max", 1, 64), ("slots", 16, 32), ("threads", 1, 256))


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
    parser.add_argument("--binary", help="path of dedup [the package dedup-text, in this process; else dedup on PATH]")
    for flag in ("min", "max", "lang"):
        parser.add_argument(f"--{flag}", help="as for dedup corpus")
    parser.add_argument("--hamming", default="3", help="as for dedup corpus, at most 7, or off [3]")
    parser.add_argument("--jaccard", default="0.5", help="as for dedup corpus, above 0, or off [0.5]")
    parser.add_argument("--records", action="store_true", help="write the full record of each pair")
    parser.add_argument("--slots", default="26", help="binary logarithm of the number of slots of the counts; 30 for 10 million texts or more [26]")
    parser.add_argument("--memory", default="2GB", help="memory that DuckDB may use before it spills to disk [2GB]")
    parser.add_argument("--threads", help="number of threads, at most 256 [the number of cores]")
    parser.add_argument("--work", help="a folder for intermediate files, about seven times the size of the texts")
    parser.add_argument("--figures", help="a file for statistics of the run")
    return parser.parse_args()


def dedup(given, step, source, target, *more):
    """Runs a step of `dedup part`, which reads files and writes a file."""
    flags = [f"--{flag}={getattr(given, flag)}" for flag in ("min", "max", "lang", "hamming", "jaccard")
             if getattr(given, flag) is not None]
    threads = [f"--threads={given.threads}"] if given.threads else []
    command = [given.binary, "part", step, *flags, *threads, *more]
    error = []

    def feed(pipe):
        try:
            with pipe:
                for name in source:
                    with open(name, "rb") as file:
                        shutil.copyfileobj(file, pipe, 1 << 20)
                    pipe.write(b"\n")  # a file may end within a line
        except BrokenPipeError:
            pass  # the exit status tells why
        except Exception as found:
            error.append(found)
            process.kill()

    with open(target, "wb") as output:
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.PIPE)
        except OSError as found:
            if given.binary == DEDUP:
                raise UsageError("no dedup, expected the package dedup-text (pip install dedup-text), or --binary PATH") from found
            raise JobError(f"{given.binary}: cannot be run: {found.strerror}") from found
        feeder = threading.Thread(target=feed, args=(process.stdin,))
        feeder.start()
        message = process.stderr.read().decode(errors="replace").strip()
        feeder.join()
        status = process.wait()
    if error:
        raise error[0]
    if status:
        died = f"was killed by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
        raise JobError(f"{given.binary} part {step} {died}: {message or 'no message'}")


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
    """Checks that the outputs can be written, and replace only pairs of an earlier run."""
    for path in filter(None, (given.output, given.figures)):
        if os.path.isdir(path):
            raise UsageError(f"{path}: is a folder, expected a file")
        if not os.path.isdir(os.path.dirname(path) or "."):
            raise UsageError(f"{path}: its folder does not exist, expected an existing folder")
        if any(os.path.exists(path) and os.path.samefile(path, one) for one in found):
            raise UsageError(f"{path}: is one of the inputs, expected another file")
    if given.work and not os.path.isdir(given.work):
        raise UsageError(f"--work {given.work}: no such folder, expected one that exists")
    if os.path.isfile(given.output):
        with open(given.output, "rb") as file:
            first = file.readline(MAX_LINE)
        if first and b'"verdict":' not in first:
            raise UsageError(f"{given.output}: exists and does not contain pairs, expected a new file or the output of an earlier run")


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


def whole(flag, typed, least, most, or_off=""):
    """Returns a whole number and checks its range; None if it is not given."""
    if typed is None:
        return None
    if not (typed.isascii() and typed.isdecimal() and least <= int(typed) <= most):
        raise UsageError(f"--{flag} {typed}, expected a whole number from {least} to {most}{or_off}")
    return int(typed)


def check_numbers(given):
    """Checks all numbers, and returns the limits of the Hamming distance and the Jaccard index; None for off."""
    for flag, least, most in NUMBERS:
        whole(flag, getattr(given, flag), least, most)
    if given.id == given.text:
        raise UsageError(f"--id {given.id} and --text {given.text}, expected two fields")
    hamming = None if given.hamming == "off" else whole("hamming", given.hamming, 0, 7, ", or off")
    return hamming, limit(given.jaccard)


def limit(typed):
    """Returns the limit of the Jaccard index as a fraction; None for off."""
    if typed == "off":
        return None
    try:
        fraction = Fraction(0 if "/" in typed else typed)
    except ValueError:
        fraction = 0
    if not 0 < fraction <= 1:
        raise UsageError(f"--jaccard {typed}, expected a number above 0 and at most 1, or off")
    if fraction.denominator > 10**9:
        raise UsageError(f"--jaccard {typed}, expected at most nine digits after the point")
    return fraction


def load(connection, keys):
    """Reads the join keys of the texts. The number of a text is that of its line."""
    connection.execute("SET preserve_insertion_order = true")
    connection.execute(f"""CREATE TABLE texts AS
        SELECT id, size, words, "order", "set", ('0x' || simhash)::UBIGINT AS bits, variety, keys, blocks
        FROM read_json({quoted(keys)}, format = 'newline_delimited', maximum_object_size = {MAX_LINE}, columns = {{
            id: 'VARCHAR', size: 'BIGINT', words: 'BIGINT', "order": 'VARCHAR', "set": 'VARCHAR',
            simhash: 'VARCHAR', variety: 'VARCHAR', keys: 'BIGINT[][]', blocks: 'BIGINT[]'}})""")
    connection.execute("SET preserve_insertion_order = false")
    twice = connection.execute("SELECT id FROM texts GROUP BY id HAVING count(*) > 1 ORDER BY id LIMIT 1").fetchone()
    if twice:
        raise JobError(f"two records with the id {json.dumps(twice[0])}, expected a different id for each record")
    # Texts with equal sets form one class, which is represented by the first of them; where the words are few or merely
    # repeat, only texts with the same words do.
    connection.execute("""CREATE TABLE members AS
        SELECT rowid AS n, "order", min(rowid) OVER (PARTITION BY "set", CASE variety WHEN 'varied' THEN '' ELSE "order" END) AS class
        FROM texts WHERE size > 0""")
    connection.execute("""CREATE TABLE firsts AS
        SELECT rowid AS n, size, bits, variety, keys, blocks FROM texts
        WHERE rowid IN (SELECT class FROM members)""")


def candidates(connection, hamming, jaccard):
    """Finds pairs of classes that may reach a limit; a is the smaller class."""
    # Texts with the same words may have been read in different languages.
    connection.execute("""CREATE TABLE candidates AS
        WITH own AS (SELECT DISTINCT "order", class FROM members)
        SELECT DISTINCT a.class AS a, b.class AS b FROM own AS a JOIN own AS b ON a."order" = b."order" AND a.class < b.class""")
    if jaccard is not None:
        p, q = jaccard.numerator, jaccard.denominator
        need = f"(({p} * (a.size + b.size) + {p + q - 1}) // {p + q})"
        least = f"(({p} * {{}}.size + {q - 1}) // {q})".format
        connection.execute("""CREATE TABLE keys AS SELECT n, size, key[1] AS key, key[2] AS place
            FROM (SELECT n, size, unnest(keys) AS key FROM firsts)""")
        # The smaller of two sets needs fewer of its keys to contain everything that it may share with the larger.
        connection.execute(f"""CREATE TABLE small AS SELECT * FROM keys AS a
            WHERE place <= size - (2 * {p} * size + {p + q - 1}) // {p + q} + {MORE}""")
        connection.execute(f"""INSERT INTO candidates
            WITH rows AS (
                SELECT a.n AS a, b.n AS b, a.size - a.place AS behind_a, b.size - b.place AS behind_b,
                    {need} AS need, greatest({least("a")}, {least("b")}) AS least
                FROM small AS a JOIN keys AS b ON a.key = b.key
                    AND (a.size < b.size OR a.size = b.size AND a.n < b.n) AND a.size >= {least("b")}
                    AND a.place <= a.size - {need} + {MORE} AND b.place <= b.size - {need} + {MORE})
            SELECT a, b FROM rows GROUP BY a, b
            HAVING count(*) + greatest(any_value(need) - {MORE}, any_value(least)) > any_value(need)
                AND least(max(behind_a), max(behind_b)) >= any_value(need)""")
    if hamming is not None:
        connection.execute("CREATE TABLE blocks AS SELECT n, bits, unnest(blocks) AS block FROM firsts")
        connection.execute(f"""INSERT INTO candidates
            SELECT DISTINCT least(a.n, b.n), greatest(a.n, b.n) FROM blocks AS a JOIN blocks AS b
            ON a.block = b.block AND a.n < b.n AND bit_count(xor(a.bits, b.bits)) <= {hamming}""")


def shingles(connection, keys, work):
    """The shingles of texts that are in a candidate: from where on in one array, and how many."""
    wanted = """SELECT n, "set" FROM (SELECT a AS n FROM candidates UNION SELECT b FROM candidates)
        JOIN texts ON n = texts.rowid ORDER BY n"""
    numbers, sets = connection.execute(wanted).fetchnumpy().values()
    starts, sizes = numpy.zeros((2, len(numbers)), dtype=numpy.int64)
    start, at, path = 0, 0, os.path.join(work, "shingles")
    with open(keys, "rb") as lines, open(path, "wb") as array:
        for number, line in enumerate(lines):
            if at == len(numbers):
                break
            if number != numbers[at]:
                continue
            if b'"set":"%s"' % sets[at].encode() not in line:
                raise JobError(f"{keys}: changed while it was read")
            own = numpy.fromstring(line[line.rindex(b"[") + 1:line.rindex(b"]")].decode(), dtype=numpy.int64, sep=",")
            array.write(own.tobytes())
            starts[at], sizes[at] = start, len(own)
            start, at = start + len(own), at + 1
    array = numpy.memmap(path, dtype=numpy.int64, mode="r") if start else numpy.zeros(0, dtype=numpy.int64)
    return numbers, starts, sizes, array


def verify(connection, keys, work):
    """Counts what the candidates share."""
    numbers, starts, sizes, array = shingles(connection, keys, work)
    pairs = connection.execute("SELECT DISTINCT least(a, b) AS a, greatest(a, b) AS b FROM candidates ORDER BY a, b").fetchnumpy()
    shared = numpy.zeros(len(pairs["a"]), dtype=numpy.int64)
    for pair, (a, b) in enumerate(zip(*(numpy.searchsorted(numbers, pairs[side]) for side in "ab"))):
        own, other = (array[starts[it]:starts[it] + sizes[it]] for it in (a, b))
        shared[pair] = len(numpy.intersect1d(own, other, assume_unique=True))
    pairs["shared"] = shared
    connection.register("verified", pairs)
    connection.execute("""CREATE TABLE links AS
        SELECT v.a, v.b, v.shared, a.size + b.size - v.shared AS "union", bit_count(xor(a.bits, b.bits)) AS hamming,
            a.variety = 'repetitive' AND b.variety = 'repetitive' AS repetitive
        FROM verified AS v JOIN firsts AS a ON v.a = a.n JOIN firsts AS b ON v.b = b.n""")


def join(connection, hamming, jaccard):
    """Expands pairs of classes to pairs of texts, with their verdicts."""
    reached = [f"hamming <= {hamming}"] if hamming is not None else []
    if jaccard is not None:
        reached.append(f'shared * {jaccard.denominator}::HUGEINT >= {jaccard.numerator} * "union"')
    holds = " OR ".join(reached) or "false"
    connection.execute(f"""CREATE VIEW linked AS
        SELECT x.n AS x, y.n AS y, shared, "union", hamming, x."order" = y."order" AS same, repetitive
        FROM links JOIN members AS x ON x.class = a JOIN members AS y ON y.class = b
        WHERE {holds} OR x."order" = y."order" """)
    left_out, = connection.execute("SELECT count(*) FROM linked WHERE repetitive AND NOT same").fetchone()
    if left_out:
        print(f"near_duplicates.py: {left_out} pairs left out: the words of both texts merely repeat, and passages are not "
              "searched for", file=sys.stderr)
    connection.execute(f"""CREATE VIEW pairs AS
        WITH near AS (
            SELECT x, y, shared, "union", hamming FROM linked WHERE same OR NOT repetitive
            UNION ALL
            SELECT x.n, y.n, size, size, 0 FROM members AS x JOIN members AS y ON x.class = y.class AND x.n < y.n
                JOIN firsts ON firsts.n = x.class),
        judged AS (
            SELECT least(a.id, b.id) AS a, greatest(a.id, b.id) AS b,
                a.words = b.words AND a."order" = b."order" AS same, hamming, shared, "union"
            FROM near JOIN texts AS a ON x = a.rowid JOIN texts AS b ON y = b.rowid)
        SELECT a, b, CASE WHEN same THEN 'identical' ELSE 'near-duplicate' END AS verdict,
            hamming, shared / "union" AS jaccard, shared, "union"
        FROM judged WHERE same OR {bool(reached)}""")


def judge(given, connection, docs, counts, work):
    """Writes the full record of each pair."""
    both, output = os.path.join(work, "both.jsonl"), os.path.join(work, "records.jsonl")
    connection.execute(f"""CREATE TABLE paired AS SELECT id, text
        FROM (SELECT {name(given.id)} AS id, {name(given.text)} AS text FROM read_json([{", ".join(map(quoted, docs))}],
            format = 'newline_delimited', maximum_object_size = {MAX_LINE},
            columns = {{{quoted(given.id)}: 'VARCHAR', {quoted(given.text)}: 'VARCHAR'}}))
        WHERE id IN (SELECT a FROM pairs UNION SELECT b FROM pairs)""")
    def fields(side):
        return f"{{{quoted(given.id)}: {side}.id, {quoted(given.text)}: {side}.text}}"

    connection.execute(f"""COPY (SELECT {fields("x")} AS a, {fields("y")} AS b
        FROM pairs JOIN paired AS x ON pairs.a = x.id JOIN paired AS y ON pairs.b = y.id
        ORDER BY pairs.a, pairs.b) TO {quoted(both)} (FORMAT json)""")
    dedup(given, "judge", [both], output, f"--id={given.id}", f"--text={given.text}", f"--counts={counts}")
    shutil.move(output, given.output)


def keywords(given):
    """Returns the limits as arguments of the Python module."""
    as_numbers = {"min": int, "max": int, "jaccard": float, "hamming": int, "lang": str}
    flags = {flag: getattr(given, flag) for flag in as_numbers if getattr(given, flag) is not None}
    return {flag: typed if typed == "off" else as_numbers[flag](typed) for flag, typed in flags.items()}


def in_process(given, connection, docs, target):
    """Finds the pairs with the Python module, without intermediate files."""
    columns = f"{{{quoted(given.id)}: 'VARCHAR', {quoted(given.text)}: 'VARCHAR'}}"
    texts = connection.sql(f"""SELECT {name(given.id)} AS id, {name(given.text)} AS text
        FROM read_json([{", ".join(map(quoted, docs))}], format = 'newline_delimited',
            maximum_object_size = {MAX_LINE}, columns = {columns})""")
    threads = int(given.threads) if given.threads else None
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            pairs = dedup_text.near_duplicates(texts, threads=threads, max_pairs=None, passages=False, **keywords(given))
    except (ValueError, MemoryError) as found:
        raise JobError(found) from None
    for warning in caught:
        print(f"near_duplicates.py: {warning.message}", file=sys.stderr)
    connection.register("pairs", pairs)
    connection.execute(f"""COPY (SELECT a, b, verdict, hamming, shared / "union" AS jaccard, shared, "union"
        FROM pairs ORDER BY a, b) TO {quoted(target)} (FORMAT json)""")


def main(given):
    hamming, jaccard = check_numbers(given)
    if dedup_text and not given.binary:
        try:
            dedup_text.Part(**keywords(given))
        except ValueError as found:
            raise UsageError(found) from None
    found = files(given)
    check_places(given, found)
    with tempfile.TemporaryDirectory(dir=given.work, prefix="dedup-") as work:
        config = {"memory_limit": given.memory, "temp_directory": os.path.join(work, "spill")}
        try:
            connection = duckdb.connect(config={**config, "threads": given.threads} if given.threads else config)
        except duckdb.Error as error:
            raise UsageError(f"--memory {given.memory}: {error}") from None
        docs = records(given, connection, found, work)
        if dedup_text and not (given.binary or given.records or given.figures):
            written = os.path.join(work, "pairs.jsonl")
            in_process(given, connection, docs, written)
            shutil.move(written, given.output)
            return
        given.binary = given.binary or (str(dedup_text.program()) if dedup_text else DEDUP)
        counts, keys = os.path.join(work, "all.counts"), os.path.join(work, "keys.jsonl")
        fields = [f"--id={given.id}", f"--text={given.text}"]
        dedup(given, "count", docs, counts, *fields, f"--slots={given.slots}")
        dedup(given, "keys", docs, keys, *fields, f"--counts={counts}")
        load(connection, keys)
        candidates(connection, hamming, jaccard)
        verify(connection, keys, work)
        join(connection, hamming, jaccard)
        if given.records:
            judge(given, connection, docs, counts, work)
        else:
            written = os.path.join(work, "pairs.jsonl")
            connection.execute(f"COPY (SELECT * FROM pairs ORDER BY a, b) TO {quoted(written)} (FORMAT json)")
            shutil.move(written, given.output)
        if given.figures:
            tables = ("texts", "firsts", "keys", "small", "blocks", "links", "pairs")
            there = {table for table, in connection.execute("SELECT table_name FROM information_schema.tables").fetchall()}
            figures = {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                       for table in tables if table in there}
            figures["bytes of keys"] = os.path.getsize(keys)
            with open(given.figures, "w") as file:
                json.dump(figures, file)


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
