//! Tests of Parquet files, written and read with pyarrow, an independent implementation.

use std::fs;

use crate::programs::{command, folder, is_there, run};

/// Writes files with pyarrow, and checks the output for them.
const CHECK: &str = r#"
import datetime, json, subprocess, sys
import pyarrow as pa, pyarrow.parquet as pq

texts = [f"word{number} " + " ".join(f"word{word}" for word in range(number // 3, number // 3 + 8)) for number in range(90)]
count = len(texts)
start = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
moments = [start + datetime.timedelta(hours=number) for number in range(count)]
table = pa.table({
    "id": pa.array(range(count), pa.uint32()),
    "text": pa.array(texts, pa.large_string()),
    "moment": pa.array(
        [None if number % 7 == 0 else moment for number, moment in enumerate(moments)],
        pa.timestamp("us", "Europe/Berlin"),
    ),
    "kind": pa.array([f"kind{number % 4}" for number in range(count)]).dictionary_encode(),
    "tags": [[] if number % 5 == 0 else None if number % 5 == 1 else ["a", None, "b"][: number % 4] for number in range(count)],
    "deep": [{"list": [{"x": number, "y": [number] * (number % 3)}] * (number % 3), "none": None} for number in range(count)],
    "map": pa.array([[("key", number)] * (number % 2) for number in range(count)], pa.map_(pa.string(), pa.int64())),
    "bytes": pa.array([bytes([number, 255]) for number in range(count)], pa.binary(2)),
    "score": pa.array([number / 7 for number in range(count)], pa.float32()),
    "truth": [number % 3 == 0 for number in range(count)],
    "price": pa.array([number for number in range(count)], pa.decimal128(20, 3)),
})
table = table.replace_schema_metadata({"made by": "a test"})
for codec in ["snappy", "gzip", "zstd", "lz4", "none"]:
    for version in ["1.0", "2.0"]:
        pq.write_table(table, "in.parquet", compression=codec, data_page_version=version, row_group_size=17)
        run = ["dedup", "corpus", "--parquet", "in.parquet", "--lang", "none", "--min", "1", "--max", "1", "--hamming", "off"]
        run += ["--jaccard", "0.6", "--keep", "longest"]
        subprocess.run(run + ["--output", "out.parquet", "--removed", "gone.parquet"], check=True, stdout=sys.stderr)
        subprocess.run(run + ["--output", "all.parquet", "--annotate", "of"], check=True, stdout=sys.stderr)
        out, gone, marked = (pq.read_table(name) for name in ("out.parquet", "gone.parquet", "all.parquet"))
        schema = pq.read_schema("in.parquet")
        assert out.schema.equals(schema, check_metadata=True), (out.schema, schema)
        assert 0 < out.num_rows < count, out.num_rows
        removed = dict(zip(gone["id"].to_pylist(), gone["kept_id"].to_pylist()))
        rows = table.to_pylist()
        assert out.to_pylist() == [row for row in rows if str(row["id"]) not in removed], (codec, version)
        assert out.num_rows + gone.num_rows == count
        assert gone.schema.names == ["id", "kept_id", "verdict", "jaccard", "coverage", "same", "changed"]
        assert marked["of"].to_pylist() == [removed.get(str(row["id"])) for row in rows], (codec, version)
        assert marked.drop_columns(["of"]).to_pylist() == rows, (codec, version)
        assert marked.schema.metadata == {b"made by": b"a test"}, marked.schema.metadata
        for name in ("out.parquet", "all.parquet"):
            pq.ParquetFile(name).scan_contents()
print("the same")
"#;

#[test]
fn pyarrow_reads_the_rows_that_are_kept_as_it_wrote_them() {
    if !is_there("python3") {
        return;
    }
    let place = folder("parquet");
    let has = run(command("python3", &place).args(["-c", "import pyarrow"]));
    if has.status != Some(0) {
        assert!(std::env::var_os("DEDUP_CI").is_none(), "{}", has.errors);
        return;
    }
    fs::write(place.join("check.py"), CHECK).unwrap();
    let checked = run(command("python3", &place).arg("check.py"));
    assert_eq!(checked.output, "the same\n", "{}", checked.errors);
}
