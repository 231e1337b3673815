use std::fs;
use std::num::NonZeroUsize;

use dedup_text::parallel::Advance;
use parquet::data_type::{ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use proptest::prelude::*;

use super::super::Writer;
use super::*;
use crate::io::output::write_together;

/// Files that other programs wrote, with every kind of page compression.
#[rustfmt::skip]
const FILES: [(&str, &[u8]); 9] = [
    ("snappy", include_bytes!("../../../../../../../tests/parquet/snappy.parquet")),
    ("gzip",   include_bytes!("../../../../../../../tests/parquet/gzip.parquet")),
    ("zstd",   include_bytes!("../../../../../../../tests/parquet/zstd.parquet")),
    ("lz4",    include_bytes!("../../../../../../../tests/parquet/lz4.parquet")),
    ("none",   include_bytes!("../../../../../../../tests/parquet/none.parquet")),
    ("second", include_bytes!("../../../../../../../tests/parquet/second.parquet")),
    ("nested", include_bytes!("../../../../../../../tests/parquet/nested.parquet")),
    ("types",  include_bytes!("../../../../../../../tests/parquet/types.parquet")),
    ("int96",  include_bytes!("../../../../../../../tests/parquet/int96.parquet")),
];

/// Returns the fields to read of a file; most files have the same ones.
fn asked(name: &str) -> RequestedFields<'_> {
    let (text, id) = match name {
        "nested" => ("meta.body", "url"),
        "types" => ("text", "moment"),
        "int96" => ("text", "local"),
        _ => ("text", "id"),
    };
    [
        Some((text, Need::Required)),
        Some((id, Need::Required)),
        Some(("kind", Need::Optional)),
        Some(("real", Need::Optional)),
    ]
}

/// Reads a file to its end and returns the number of its rows.
fn read(name: &str, path: &Path) -> Result<usize, String> {
    #[expect(clippy::disallowed_methods, reason = "no text that is compared")]
    let file = File::open(path).unwrap();
    let rows = Rows::new(path, file, &asked(name), false, (1 << 20, Some(1 << 20)));
    let rows = rows.map_err(|error| format!("{error:#}"))?;
    let mut count = 0;
    for row in rows.flatten() {
        let row = row.map_err(|lost| format!("{:#}", lost.error))?;
        count += 1;
        assert_eq!(row.number, count as u64);
    }
    Ok(count)
}

/// Copies every other row of a file.
fn copy(path: &Path, to: &Path, annotated: Option<&str>) -> anyhow::Result<()> {
    #[expect(clippy::disallowed_methods, reason = "no text that is compared")]
    let open = || File::open(path).unwrap();
    let footer = Footer::read(path, open())?;
    write_together(&[to], |sinks| {
        let mut writer = Writer::new(&mut sinks[0], &footer, annotated, None)?;
        let removed = |row: u64| row.is_multiple_of(2).then_some(7);
        writer.add(
            &footer,
            removed,
            |text| text.to_string(),
            (NonZeroUsize::MIN, &Advance::default()),
        )?;
        writer.finish()
    })
}

#[test]
fn a_file_is_read_to_its_end_or_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f");
    for (name, bytes) in FILES {
        fs::write(&path, bytes).unwrap();
        let whole = read(name, &path).unwrap();
        assert_eq!(whole, if matches!(name, "types" | "int96") { 3 } else { 8 }, "{name}");
        for length in (0..bytes.len()).step_by(101) {
            fs::write(&path, &bytes[..length]).unwrap();
            let error = read(name, &path).unwrap_err();
            assert!(error.starts_with(&format!("{}: ", path.display())), "{name}: {error}");
        }
    }
}

/// Returns the third cell that is asked for of each row of a file, the other cells of which are
/// a text and nothing.
fn numbers(kind: &str, values: &[&[u8]]) -> Result<Vec<Option<String>>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f");
    let schema = format!("message m {{ required binary text (UTF8); required {kind}; }}");
    let schema = Arc::new(parse_message_type(&schema).unwrap());
    let mut file =
        SerializedFileWriter::new(File::create(&path).unwrap(), schema, Arc::default()).unwrap();
    let mut group = file.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let texts = vec![ByteArray::from("so"); values.len()];
    column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let values: Vec<_> =
        values.iter().map(|it| FixedLenByteArray::from(ByteArray::from(it.to_vec()))).collect();
    column.typed::<FixedLenByteArrayType>().write_batch(&values, None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    file.close().unwrap();
    let required = |name| Some((name, Need::Required));
    let asked: RequestedFields = [required("text"), required("v"), None, None];
    #[expect(clippy::disallowed_methods, reason = "no text that is compared")]
    let file = File::open(&path).unwrap();
    let rows = Rows::new(Path::new("f"), file, &asked, false, (1 << 20, Some(1 << 20)));
    let rows = rows.map_err(|error| format!("{error:#}"))?;
    let cell = |row: ParquetRow| row.cells[1].clone().map(|it| String::from_utf8(it).unwrap());
    Ok(rows.flatten().map(|row| cell(row.map_err(|lost| lost.error).unwrap())).collect())
}

/// Checks the numbers that pyarrow and `DuckDB` write as bytes of a fixed length.
#[test]
fn numbers_of_a_fixed_length_are_read() {
    let some = |numbers: &[&str]| Ok(numbers.iter().map(|it| Some((*it).to_owned())).collect());
    let least = i128::MIN.to_be_bytes();
    #[rustfmt::skip]
    let table: [(&str, &str, &[&[u8]], Result<Vec<Option<String>>, String>); 6] = [
        ("pyarrow",  "fixed_len_byte_array(2) v (DECIMAL(4,2))",   &[&[0x07, 0xe9], &[0xff, 0x6a], &[0, 7]], some(&["20.25", "-1.50", "0.07"])),
        (
            "DuckDB",
            "fixed_len_byte_array(16) v (DECIMAL(38,2))",
            &[&[0xff; 16], &least],
            some(&["-0.01", "-1701411834604692317316873037158841057.28"]),
        ),
        ("no point", "fixed_len_byte_array(3) v (DECIMAL(6,0))",   &[&[0xff, 0, 0], &[0, 0, 0]],             some(&["-65536", "0"])),
        ("halves",   "fixed_len_byte_array(2) v (FLOAT16)",        &[&[0, 0x3e], &[0, 0xc0], &[0, 4]],       some(&["1.5", "-2.0", "6.1035156e-5"])),
        (
            "NaN",
            "fixed_len_byte_array(2) v (FLOAT16)",
            &[&[0xff, 0x7b], &[1, 0x7e], &[2, 0]],
            Ok(vec![Some("65504.0".to_owned()), None, Some("1.1920929e-7".to_owned())]),
        ),
        (
            "too long",
            "fixed_len_byte_array(17) v (DECIMAL(39,2))",
            &[&[0; 17]],
            Err("f: the column v is of the type DECIMAL(39, 2), expected one of strings or numbers".to_owned()),
        ),
    ];
    for (why, kind, values, want) in table {
        assert_eq!(numbers(kind, values), want, "{why}");
    }
}

#[test]
fn a_page_takes_no_more_room_than_it_has_bytes_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f");
    let (name, bytes) = FILES[4];
    // The second dictionary is that of the texts, which are read first.
    let header = |bytes: &[u8]| {
        let headers = bytes.windows(2).enumerate().filter(|(_, it)| *it == [0x4c, 0x15]);
        headers.map(|(at, _)| at).nth(1).unwrap()
    };
    let mut large = bytes.to_vec();
    // The number of values in its header becomes the largest possible one.
    let at = header(bytes) + 2;
    large.splice(at..=at, [0xfe, 0xff, 0xff, 0xff, 0x0f]);
    fs::write(&path, large).unwrap();
    let error = read(name, &path).unwrap_err();
    let want =
        ": row group 1: damaged: a dictionary of 751 bytes that claims to have 2147483647 values, ";
    assert!(error.contains(want), "{error}");
    // The same for the unpacked size that Snappy states.
    let (name, bytes) = FILES[0];
    let mut large = bytes.to_vec();
    let at = header(bytes) + 8;
    large.splice(at..at + 2, [0xff, 0xff, 0xff, 0xff, 0x0f]);
    fs::write(&path, large).unwrap();
    let error = read(name, &path).unwrap_err();
    let want = ": row group 1: damaged: a page of 361 bytes that claims to unpack to 4294967295, ";
    assert!(error.contains(want), "{error}");
}

proptest! {
    // The number of cases grows with PROPTEST_CASES.
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4, ..ProptestConfig::default() })]

    /// Whatever a file contains, either it is read or the error names it; and it is copied
    /// completely or not at all.
    #[test]
    fn damage_is_an_error(
        file in 0..FILES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        is_annotated in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let [path, to] = ["f", "to"].map(|name| folder.path().join(name));
        let (name, bytes) = FILES[file];
        let mut bytes = bytes.to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        fs::write(&path, bytes).unwrap();
        if let Err(error) = read(name, &path) {
            prop_assert!(error.starts_with(&path.display().to_string()), "{}", error);
            return Ok(());
        }
        match copy(&path, &to, is_annotated.then_some("of")) {
            Ok(()) => prop_assert!(to.exists()),
            Err(_) => prop_assert!(!to.exists()),
        }
    }
}
