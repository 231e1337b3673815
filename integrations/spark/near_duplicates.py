#!/usr/bin/env python3
"""Finds the near-duplicates of many texts with Spark: exactly the pairs of `dedup corpus`.

    spark-submit near_duplicates.py --input docs.jsonl --output pairs

The driver and the workers call the package dedup-text in their process. docs/scale.md explains the steps, and why no pair
is lost.
"""
import argparse
import contextlib
import json
import os
import re
import sys
import tempfile
import uuid
from fractions import Fraction

try:
    import dedup_text
    import pyarrow
    import pyspark
    from pyspark import SparkFiles
    from pyspark.sql import SparkSession, functions
except ImportError as missing:  # or a package that is too old for another, or broken
    print(f"near_duplicates.py: {sys.executable}: {missing}, expected the packages dedup-text, pyspark, pyarrow and pandas: "
          f"{sys.executable} -m pip install dedup-text 'pyspark>=3.4,<5' pyarrow 'pandas<3'", file=sys.stderr)
    sys.exit(2)

MORE = 3  # number of keys that are considered beyond those required: fewer pairs to verify
LINES = 256  # number of output lines per batch
MAX_COUNTS = 32  # largest number of count files that the driver adds up
NUMBERS = (("min", 1, 64), ("max", 1, 64), ("slots", 16, 32), ("partitions", 1, 10**6))
KEYS = """id STRING, size BIGINT, words BIGINT, `order` STRING, `set` STRING, simhash STRING,
    variety STRING, keys ARRAY<ARRAY<BIGINT>>, blocks ARRAY<BIGINT>, shingles ARRAY<BIGINT>"""


class JobError(Exception):
    """An error that ends the job, described in one line."""

    status = 1


class UsageError(JobError):
    """An error in the arguments or inputs of the job, described in one line."""

    status = 2


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--input", required=True, nargs="+", help="JSON Lines (.jsonl) or Parquet")
    parser.add_argument("--output", required=True, help="a new folder for the pairs, one JSON object per line")
    parser.add_argument("--id", default="id", help="the field with the id of a text [id]")
    parser.add_argument("--text", default="text", help="the field with the text [text]")
    for flag in ("min", "max", "lang"):
        parser.add_argument(f"--{flag}", help="as for dedup corpus")
    parser.add_argument("--hamming", default="3", help="as for dedup corpus, at most 7, or off [3]")
    parser.add_argument("--jaccard", default="0.5", help="as for dedup corpus, above 0, or off [0.5]")
    parser.add_argument("--records", action="store_true", help="write the full record of each pair")
    parser.add_argument("--slots", default="26", help="binary logarithm of the number of slots of the counts; 30 for 10 million texts or more [26]")
    parser.add_argument("--partitions", help="number of partitions of the texts [those of their files]")
    parser.add_argument("--work", help="a folder that all workers can access, for keys [next to the output]")
    parser.add_argument("--master", help="when run by plain python, such as local[2,4]")
    parser.add_argument("--memory", default="2g", help="with --master: memory of the single process [2g]")
    parser.add_argument("--figures", help="a file for statistics of the run")
    return parser.parse_args()


class Number(str):
    """A number of JSON as it is written. An id may be a number, a text may not."""


def field(record, name):
    """Returns a field of a record; `meta.body` is the field of that name, or else the field `body` of `meta`."""
    if not isinstance(record, dict):
        return None
    first, dot, rest = name.partition(".")
    return field(record.get(first), rest) if dot and name not in record else record.get(name)


class Step:
    """A step on a worker, once per partition. `counts` is the file with the counts of all texts."""

    def __init__(self, given, counts=None):
        self.given, self.counts = given, counts

    def part(self):
        """Returns the step of the Python module, which checks the limits."""
        as_numbers = {"min": int, "max": int, "lang": str, "hamming": int, "jaccard": float}
        typed = {flag: getattr(self.given, flag) for flag in as_numbers}
        limits = {flag: it if it in (None, "off") else as_numbers[flag](it) for flag, it in typed.items()}
        return asked(dedup_text.Part, read(SparkFiles.get(self.counts)) if self.counts else None, **limits)

    def parsed(self, batch):
        """Yields the record of each line that is not blank."""
        for line in batch.column(0):
            if line.as_py().strip():
                try:
                    yield json.loads(line.as_py(), parse_int=Number, parse_float=Number)
                except ValueError as found:
                    raise JobError(f"not JSON: {found}: {line.as_py()[:80]!r}") from None

    def record(self, item):
        """Returns the id of a text, and the text."""
        name, text = field(item, self.given.id), field(item, self.given.text)
        if not isinstance(name, str):
            raise JobError(f"no field {self.given.id}, expected a string or a number: {json.dumps(item)[:80]}")
        if not isinstance(text, str) or isinstance(text, Number):
            raise JobError(f"the record with the id {json.dumps(name)}: no field {self.given.text}, expected a string")
        return name, text


class Records(Step):
    """Converts lines to ids, as they are written, and texts."""

    def __call__(self, batches):
        for batch in batches:
            both = [self.record(it) for it in self.parsed(batch)]
            columns = [pyarrow.array([it[column] for it in both], pyarrow.string()) for column in (0, 1)]
            yield pyarrow.RecordBatch.from_arrays(columns, ["id", "text"])


class Count(Step):
    """Converts the records of each partition to a row with their counts."""

    def __call__(self, batches):
        records = (self.record(it) for batch in batches for it in self.parsed(batch))
        yield rows([asked(self.part().count, records, int(self.given.slots))], pyarrow.binary(), "counts")


class Merge(Step):
    """Converts the counts of each partition to a row with their sum."""

    def __call__(self, batches):
        counts = [row.as_py() for batch in batches for row in batch.column(0)]
        if counts:
            yield rows([asked(dedup_text.Part.merge, counts)], pyarrow.binary(), "counts")


class Answers(Step):
    """Converts each line to an output line."""

    def __call__(self, batches):
        part = self.part()
        for batch in batches:
            items = list(self.parsed(batch))
            for start in range(0, len(items), LINES):
                yield rows(self.answer(part, items[start:start + LINES]), pyarrow.string(), "line")


class Keys(Answers):
    """Converts each record to the line of its keys."""

    def answer(self, part, items):
        return asked(part.keys, [self.record(it) for it in items])


class Judge(Answers):
    """Converts each pair of records to the line of its verdict."""

    def answer(self, part, items):
        return asked(part.judge, [(self.record(it["a"]), self.record(it["b"])) for it in items])


def rows(values, of, name):
    return pyarrow.RecordBatch.from_arrays([pyarrow.array(values, of)], [name])


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)
    return path


def read(path):
    with open(path, "rb") as file:
        return file.read()


def asked(step, *arguments, **limits):
    """Calls the Python module; its errors are those of the job."""
    try:
        return step(*arguments, **limits)
    except ValueError as found:
        raise JobError(found) from None


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


def records(spark, given):
    """Returns the records as lines of JSON, in one column."""
    if given.partitions:  # splits files that can be split, without a shuffle
        spark.conf.set("spark.sql.files.minPartitionNum", given.partitions)
        spark.conf.set("spark.sql.files.openCostInBytes", 1)
    if all(path.endswith((".jsonl", ".ndjson", ".jsonl.gz")) for path in given.input):
        lines = spark.read.option("lineSep", "\n").text(given.input)
    else:
        fields = [functions.col(f"`{name}`").alias(name) for name in (given.id, given.text)]
        try:
            rows = spark.read.parquet(*given.input)
        except Exception as error:
            read = "read as Parquet, since not all names end with .jsonl, .ndjson or .jsonl.gz"
            raise UsageError(f"{' '.join(given.input)}: {read}: {message_of(error)}") from None
        there = ", ".join(rows.columns)
        try:
            rows = rows.select(*fields)
        except Exception:  # of Spark's analysis
            raise UsageError(f"{given.input[0]}: no column {given.id} or {given.text}, expected two of {there}") from None
        id_type, text_type = (of for _, of in rows.dtypes)
        if text_type not in ("string", "binary"):
            raise UsageError(f"{given.input[0]}: the column {given.text} is of the type {text_type}, expected one of strings")
        if id_type.startswith(("array", "map", "struct")):
            raise UsageError(f"{given.input[0]}: the column {given.id} is of the type {id_type}, expected one of strings or numbers")
        columns = functions.struct(*(functions.col(f"`{name}`").cast("string").alias(name) for name in rows.columns))
        lines = rows.select(functions.to_json(columns, {"ignoreNullFields": "false"}).alias("line"))
    if not given.partitions:
        return lines
    there = lines.rdd.getNumPartitions() if hasattr(lines, "rdd") else 0
    return lines.coalesce(given.partitions) if there >= given.partitions else lines.repartition(given.partitions)


def ship(spark, path):
    """Sends a file to all workers."""
    try:
        spark.sparkContext.addFile(path)
    except Exception:  # Spark Connect has no context
        spark.addArtifacts(path, file=True)
    return os.path.basename(path)


def count(given, lines, folder):
    """Counts all texts: a file on the driver."""
    counts = lines.mapInArrow(Count(given), "counts BINARY")
    parts = lines.rdd.getNumPartitions() if hasattr(lines, "rdd") else MAX_COUNTS
    while parts > MAX_COUNTS:
        parts = -(-parts // MAX_COUNTS)
        counts = counts.repartition(parts).mapInArrow(Merge(given), "counts BINARY")
    whole = None
    for row in counts.toLocalIterator():
        new = bytes(row.counts)
        whole = asked(dedup_text.Part.merge, [whole, new]) if whole else new
    if whole is None:  # there is no text
        whole = asked(Count(given).part().count, [], int(given.slots))
    return write(os.path.join(folder, f"dedup-{uuid.uuid4().hex}.counts"), whole)


def kept(spark, rows, work, name):
    """Keeps rows in the folder for the work: what comes after knows their size, and does none of it again."""
    path = os.path.join(work, name)
    rows.write.mode("overwrite").parquet(path)
    spark.read.schema(rows.schema).parquet(path).createOrReplaceTempView(name)


def load(spark, texts, work):
    """Keeps the texts and their classes."""
    kept(spark, texts, work, "texts")
    twice = spark.sql("SELECT id FROM texts GROUP BY id HAVING count(*) > 1 LIMIT 1").first()
    if twice:
        raise JobError(f"two records with the id {json.dumps(twice.id)}, expected a different id for each record")
    # Texts with equal sets form one class, which is represented by the first of them. The others are few. Where the words
    # are few or merely repeat, only texts with the same words form a class.
    members = spark.sql("""SELECT n, `order`, min(n) OVER (PARTITION BY `set`, IF(variety = 'varied', '', `order`)) AS class
        FROM texts WHERE size > 0""")
    kept(spark, members, work, "members")
    kept(spark, spark.sql("SELECT n FROM members WHERE n <> class"), work, "copies")
    spark.sql("""SELECT n, size, bits, variety, keys, blocks FROM texts LEFT ANTI JOIN copies USING (n) WHERE size > 0
        """).createOrReplaceTempView("firsts")


def candidates(spark, hamming, jaccard, parts):
    """Pairs of classes that may reach a limit."""
    # Texts with the same words may have been read in different languages.
    spark.sql("SELECT DISTINCT `order`, class FROM members").createOrReplaceTempView("own")
    found = ["SELECT a.class AS a, b.class AS b FROM own AS a JOIN own AS b ON a.`order` = b.`order` AND a.class < b.class"]
    if jaccard is not None:
        p, q = jaccard.numerator, jaccard.denominator
        need = f"(({p} * (a.size + b.size) + {p + q - 1}) div {p + q})"
        least = f"(({p} * {{}}.size + {q - 1}) div {q})".format
        keys = spark.sql("""SELECT n, CAST(size AS INT) AS size, key[0] AS key, CAST(key[1] AS INT) AS place
            FROM (SELECT n, size, explode(keys) AS key FROM firsts)""").repartition(parts, "key")
        keys.createOrReplaceTempView("keys")
        # The smaller of two sets needs fewer of its keys to contain everything that it may share with the larger. The
        # random condition keeps Spark from filtering before the shuffle, which both sides of the join then share.
        spark.sql(f"""SELECT * FROM keys WHERE rand() >= 0
            AND place <= size - (2 * {p} * CAST(size AS BIGINT) + {p + q - 1}) div {p + q} + {MORE}
            """).createOrReplaceTempView("small")
        found.append(f"""
            SELECT least(a, b) AS a, greatest(a, b) AS b FROM (
                SELECT a.n AS a, b.n AS b, a.size - a.place AS behind_a,
                    b.size - b.place AS behind_b, {need} AS need, greatest({least("a")}, {least("b")}) AS least
                FROM small AS a JOIN keys AS b ON a.key = b.key
                    AND (a.size < b.size OR a.size = b.size AND a.n < b.n) AND a.size >= {least("b")}
                    AND a.place <= a.size - {need} + {MORE} AND b.place <= b.size - {need} + {MORE})
            GROUP BY a, b
            HAVING count(*) + greatest(first(need) - {MORE}, first(least)) > first(need)
                AND least(max(behind_a), max(behind_b)) >= first(need)""")
    if hamming is not None:
        spark.sql("SELECT n, bits, explode(blocks) AS block FROM firsts").createOrReplaceTempView("blocks")
        found.append(f"""
            SELECT least(a.n, b.n) AS a, greatest(a.n, b.n) AS b FROM blocks AS a JOIN blocks AS b
            ON a.block = b.block AND a.n < b.n AND bit_count(a.bits ^ b.bits) <= {hamming}""")
    return spark.sql(" UNION ".join(found))


def join(spark, hamming, jaccard):
    """From candidates to pairs of texts, with their verdict."""
    reached = [f"hamming <= {hamming}"] if hamming is not None else []
    if jaccard is not None:
        reached.append(f"shared * {jaccard.denominator} >= {jaccard.numerator} * `union`")
    spark.sql("""SELECT n, size, bits, variety, shingles FROM texts
        LEFT SEMI JOIN (SELECT a AS n FROM candidates UNION SELECT b FROM candidates) USING (n)
        """).createOrReplaceTempView("wanted")
    spark.sql("""
        SELECT a, b, shared, sizes - shared AS `union`, hamming, repetitive FROM (
            SELECT a.n AS a, b.n AS b, size(array_intersect(a.shingles, b.shingles)) AS shared,
                a.size + b.size AS sizes, bit_count(a.bits ^ b.bits) AS hamming,
                a.variety = 'repetitive' AND b.variety = 'repetitive' AS repetitive
            FROM candidates AS c JOIN wanted AS a ON c.a = a.n JOIN wanted AS b ON c.b = b.n)
        """).createOrReplaceTempView("links")
    spark.sql(f"""
        SELECT x.n AS x, y.n AS y, CAST(shared AS BIGINT) AS shared, `union`, hamming, x.`order` = y.`order` AS same, repetitive
        FROM links JOIN members AS x ON x.class = a JOIN members AS y ON y.class = b
        WHERE {" OR ".join(reached) or "false"} OR x.`order` = y.`order`
        """).createOrReplaceTempView("linked")
    left_out = spark.sql("SELECT count(*) AS pairs FROM linked WHERE repetitive AND NOT same").first().pairs
    if left_out:
        print(f"near_duplicates.py: {left_out} pairs left out: the words of both texts merely repeat, and passages are not "
              "searched for", file=sys.stderr)
    return spark.sql(f"""
        WITH near AS (
            SELECT x, y, shared, `union`, hamming FROM linked WHERE same OR NOT repetitive
            UNION ALL
            SELECT x.n, y.n, size, size, 0 FROM members AS x JOIN members AS y ON x.class = y.class AND x.n < y.n
                JOIN firsts ON firsts.n = x.class),
        judged AS (
            SELECT least(a.id, b.id) AS a, greatest(a.id, b.id) AS b,
                a.words = b.words AND a.`order` = b.`order` AS same, hamming, shared, `union`
            FROM near JOIN texts AS a ON x = a.n JOIN texts AS b ON y = b.n)
        SELECT a, b, IF(same, 'identical', 'near-duplicate') AS verdict, hamming,
            shared / `union` AS jaccard, shared, `union`
        FROM judged WHERE same OR {bool(reached)}""")


def judge(given, lines, pairs, counts):
    """Returns the full record of each pair, one per line."""
    texts = lines.mapInArrow(Records(given), "id STRING, text STRING")
    record = lambda side: functions.struct(functions.col(f"{side}.id").alias(given.id),
                                           functions.col(f"{side}.text").alias(given.text))
    both = pairs.join(texts.alias("x"), pairs.a == functions.col("x.id"))
    both = both.join(texts.alias("y"), pairs.b == functions.col("y.id"))
    both = both.select(functions.to_json(functions.struct(record("x").alias("a"), record("y").alias("b"))).alias("line"))
    return both.mapInArrow(Judge(given, counts), "line STRING")


def folder_of(spark, path):
    """Returns a Hadoop path and its file system; None under Spark Connect, which has no JVM on the driver."""
    if not hasattr(spark, "_jvm"):
        return None, None
    found = spark._jvm.org.apache.hadoop.fs.Path(path)
    return found, found.getFileSystem(spark._jsparkSession.sessionState().newHadoopConf())


def check_places(spark, given, work):
    """Checks that the inputs exist and the output does not, and creates the working folder."""
    from py4j.protocol import Py4JError
    try:
        for named in given.input:
            path, system = folder_of(spark, named)
            if system and not system.globStatus(path):
                raise UsageError(f"{named}: not found, expected JSON Lines (.jsonl) or Parquet")
        named = given.output
        path, system = folder_of(spark, named)
        if system and system.exists(path):
            raise UsageError(f"{named}: already exists, expected a new folder: choose another, or remove it")
        named = work
        path, system = folder_of(spark, named)
        if system and not system.mkdirs(path):
            raise UsageError(f"{named}: cannot be created, expected a writable folder")
    except Py4JError as error:  # such as an unknown file system, or no access
        raise UsageError(f"{named}: {message_of(error)}") from None


def message_of(error):
    """Returns the message of a Java exception, in one line."""
    java = getattr(error, "java_exception", None)
    return str(java.getMessage() if java else error).partition("\n")[0]


def run(spark, given, hamming, jaccard):
    own = f"dedup-{uuid.uuid4().hex}"  # a new folder: other files in the working folder are left alone
    work = f"{given.work.rstrip('/')}/{own}" if given.work else f"{given.output.rstrip('/')}.{own}"
    check_places(spark, given, work)
    try:
        find(spark, given, hamming, jaccard, work)
    finally:
        with contextlib.suppress(Exception):  # Spark may have stopped before the job
            path, system = folder_of(spark, work)
            system.delete(path, True)


def find(spark, given, hamming, jaccard, work):
    given.partitions = int(given.partitions) if given.partitions else None
    parts = given.partitions or int(spark.conf.get("spark.sql.shuffle.partitions"))
    spark.conf.set("spark.sql.shuffle.partitions", parts)
    lines = records(spark, given)
    with tempfile.TemporaryDirectory() as folder:
        counts = ship(spark, count(given, lines, folder))
        # The keys are stored, so that each text is analysed for them only once.
        texts = lines.mapInArrow(Keys(given, counts), "line STRING").select(functions.from_json("line", KEYS).alias("it")).select("it.*")
        texts = texts.withColumn("n", functions.monotonically_increasing_id())
        texts = texts.withColumn("bits", functions.conv("simhash", 16, -10).cast("bigint"))
        load(spark, texts, work)
        kept(spark, candidates(spark, hamming, jaccard, parts), work, "candidates")
        pairs = join(spark, hamming, jaccard)
        if given.records:
            judge(given, lines, pairs, counts).write.mode("errorifexists").text(given.output)
        else:
            pairs.write.mode("errorifexists").json(given.output)
        if given.figures:
            executors = spark.sparkContext._jsc.sc().statusStore().executorList(False)
            shuffled = sum(executors.apply(number).totalShuffleWrite() for number in range(executors.size()))
            figures = {table: spark.table(table).count() for table in ("texts", "copies", "candidates")}
            figures["bytes shuffled"] = shuffled
            with open(given.figures, "w") as file:
                json.dump(figures, file)


def environment_error(error):
    """Describes an error of the environment in one line; None if it is another error."""
    message = str(error)
    lacks = re.search(r"(?:ModuleNotFoundError|ImportError): (.*)", message)
    if lacks:
        python = os.environ["PYSPARK_PYTHON"]
        return (f"{python} on a worker: {lacks[1].strip()}, expected dedup-text, pyarrow and pandas there; "
                "PYSPARK_PYTHON names another Python")
    other = re.search(r"\[(?:PYTHON_VERSION_MISMATCH|UNSUPPORTED_PACKAGE_VERSION|PACKAGE_NOT_INSTALLED)\] (.*)", message)
    if other:
        return f"{other[1].strip()} python/requirements.txt names versions that go together"
    if "JAVA_GATEWAY_EXITED" in message:
        return "Java cannot be started, expected 17 or later on PATH, or in the folder that JAVA_HOME names"
    return None


def end(status, message):
    print(f"near_duplicates.py: {message}", file=sys.stderr)
    sys.exit(status)


def main():
    given = arguments()
    version = tuple(int(part) for part in pyspark.__version__.split(".")[:2])
    if not (3, 4) <= version < (5, 0):
        end(2, f"pyspark {pyspark.__version__}, expected 3.4 or later, before 5: "
            f"{sys.executable} -m pip install 'pyspark>=3.4,<5'")
    try:
        hamming, jaccard = check_numbers(given)
        if given.figures and not os.path.isdir(os.path.dirname(given.figures) or "."):
            raise UsageError(f"{given.figures}: its folder does not exist, expected an existing folder")
        Step(given).part()  # the Python module checks the limits
    except JobError as error:
        end(2, error)
    # Workers use the Python of the driver: the one on PATH may lack packages.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("near-duplicates by dedup")
    if given.master:
        builder = builder.master(given.master).config("spark.ui.showConsoleProgress", "false")
        builder = builder.config("spark.driver.memory", given.memory).config("spark.sql.shuffle.partitions", 16)
        builder = builder.config("spark.io.compression.codec", "zstd")  # shuffles a quarter less than lz4
    try:
        spark = builder.getOrCreate()
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        message = environment_error(error)
        if not message:
            raise
        end(2, message)
    if given.master:
        spark.sparkContext.setLogLevel("FATAL")  # otherwise a failed task prints pages before the reason
    try:
        run(spark, given, hamming, jaccard)
    except JobError as error:
        end(error.status, error)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        reason = re.search(r"JobError: (.*)", str(error))
        if reason:
            end(1, reason[1])
        if "Python worker exited unexpectedly" in str(error):
            end(1, "a Python worker died, expected it to finish its task; spark.executor.memoryOverhead is memory for it")
        message = environment_error(error)
        if not message:
            raise
        end(2, message)
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
