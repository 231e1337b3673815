"""Writes the files of this folder with pyarrow: run `python make.py` in this folder."""

import datetime
import decimal
import json

import pyarrow as pa
import pyarrow.parquet as pq

with open("../../samples/notices.jsonl", encoding="utf-8") as lines:
    records = [json.loads(line) for line in lines]
notices = pa.table({name: [record[name] for record in records] for name in ("id", "text")})


def write(name, table=notices, **how):
    pq.write_table(table, name + ".parquet", **({"row_group_size": 3} | how))


for codec in ("snappy", "gzip", "zstd", "lz4", "none", "brotli"):
    write(codec, compression=codec)
lengths = {"text": "DELTA_LENGTH_BYTE_ARRAY", "id": "DELTA_BYTE_ARRAY"}
write("second", compression="zstd", data_page_version="2.0", use_dictionary=False, column_encoding=lengths)
for name, kind in (("large", pa.large_string()), ("view", pa.string_view()), ("binary", pa.binary())):
    write(name, notices.set_column(1, "text", notices["text"].cast(kind)))
# Two names, and bytes that are no text, stand for what Hugging Face and Spark write.
nested = [{"body": record["text"], "tags": ["a", "b"], "lang": "en"} for record in records]
write("nested", pa.table({"url": notices["id"], "meta": nested}).replace_schema_metadata({"made by": "a test"}))

noon = datetime.datetime(2024, 1, 2, 12)
types = {
    "text": ["a red kettle", "a red kettle too", "a lid"],
    "null_text": ["a red kettle", None, "a lid"],
    "list": [["a"], [], None],
    "map": pa.array([[("a", 1)], [], None], pa.map_(pa.string(), pa.int32())),
    "one": pa.array([{"two": {"three": "a"}}, {"two": {"three": "b"}}, {"two": None}]),
    "whole": pa.array([-7, 0, 9], pa.int64()),
    "natural": pa.array([2**64 - 1, 0, 9], pa.uint64()),
    "small": pa.array([255, 0, 9], pa.uint8()),
    "real": pa.array([0.5, 1.0, 1e300], pa.float64()),
    "single": pa.array([0.1, 2.0, float("nan")], pa.float32()),
    "truth": [True, False, None],
    "day": pa.array([noon.date(), datetime.date(1969, 12, 31), datetime.date(2024, 2, 29)], pa.date32()),
    "moment": pa.array([noon, datetime.datetime(1969, 12, 31, 23, 59, 59, 5), noon], pa.timestamp("us", "UTC")),
    "local": pa.array([noon, noon, noon], pa.timestamp("ns")),
    "price": pa.array([decimal.Decimal("12.50"), decimal.Decimal("-0.07"), None], pa.decimal128(9, 2)),
    "kind": pa.array(["x", "y", "x"]).dictionary_encode(),
    "bytes": pa.array([b"k1", b"\xff", b"k3"], pa.binary()),
    "nothing": pa.array([None, None, None], pa.string()),
    "again": ["k", "k", "l"],
}
write("types", pa.table(types), store_decimal_as_integer=True)
write("int96", pa.table({"text": types["text"], "local": types["local"]}), use_deprecated_int96_timestamps=True)
write("empty", notices.slice(0, 0))
