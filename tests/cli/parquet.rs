//! Tests of Parquet records: the same answers as from JSON Lines, and all columns are kept.

/// Checks that without the feature, Parquet is an error that says so, and nothing is written.
#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_so() {
    use crate::common::{empty_folder, with_input};
    let folder = empty_folder("parquet", "without");
    std::fs::copy("tests/parquet/snappy.parquet", folder.join("in.parquet")).unwrap();
    let want = "dedup: in.parquet: Parquet, which this build of dedup does not read\nhint: use a \
                released program, or build with --features parquet\n";
    for flag in ["--parquet", "--jsonl", "--csv"] {
        let flags = format!("corpus {flag} in.parquet --keep first --output out --removed gone");
        let found = with_input(&folder, &flags, "");
        assert_eq!((found.status, found.output.as_str(), found.errors.as_str()), (2, "", want));
        assert!(!folder.join("out").exists() && !folder.join("gone").exists(), "{flag}");
    }
}

#[cfg(feature = "parquet")]
mod built {
    use std::collections::BTreeSet;
    use std::fs::{self, File};
    use std::path::{Path, PathBuf};
    use std::process::Command;
    use std::sync::Arc;

    use parquet::basic::{Compression, GzipLevel};
    use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::record::Row;
    use parquet::schema::parser::parse_message_type;
    use proptest::prelude::*;

    use crate::common::{empty_folder, is_installed, read_file, with_input, words};
    use crate::records::run;
    use crate::transcript::Transcript;

    /// The limit of these tests: half of the distinct words.
    const HALF: &str = "--lang none --min 1 --max 1 --jaccard 0.5 --hamming off";

    /// Files written by pyarrow, each with the records of `samples/notices.jsonl`.
    const NOTICES: [&str; 9] =
        ["snappy", "gzip", "zstd", "lz4", "none", "second", "large", "view", "binary"];

    /// Creates a folder with the files of `tests/parquet`, and the notices as JSON Lines.
    fn folder(name: &str) -> PathBuf {
        let folder = empty_folder("parquet", name);
        for entry in fs::read_dir("tests/parquet").unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
        }
        fs::write(folder.join("in.jsonl"), read_file("samples/notices.jsonl")).unwrap();
        folder
    }

    #[expect(clippy::disallowed_methods, reason = "no text that is compared")]
    fn bytes(path: PathBuf) -> Vec<u8> {
        fs::read(path).unwrap()
    }

    /// Reads the rows of a file with the parquet crate.
    #[expect(clippy::disallowed_methods, reason = "no text that is compared")]
    fn rows(path: &Path) -> Vec<Row> {
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        reader.get_row_iter(None).unwrap().map(Result::unwrap).collect()
    }

    /// Returns the schema and the key-value metadata of a file.
    #[expect(clippy::disallowed_methods, reason = "no text that is compared")]
    fn head(path: &Path) -> (String, String) {
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        let metadata = reader.metadata().file_metadata();
        let fields = metadata.schema().get_fields();
        (format!("{fields:?}"), format!("{:?}", metadata.key_value_metadata()))
    }

    /// Returns the strings of a column.
    fn strings(path: &Path, name: &str) -> Vec<String> {
        let cells = rows(path).into_iter().map(|row| {
            let (_, cell) = row.get_column_iter().find(|(column, _)| *column == name).unwrap();
            cell.to_string().trim_matches('"').to_owned()
        });
        cells.collect()
    }

    #[test]
    fn files_of_pyarrow_are_read_as_their_records_are_in_json_lines() {
        let folder = folder("same");
        let answer = |flags: &str| {
            let found = run(&folder, &format!("--format jsonl {flags}"));
            assert_eq!(found.errors, "", "{flags}");
            found.output
        };
        let want = answer("--jsonl in.jsonl");
        assert!(!want.is_empty());
        for name in NOTICES {
            for flag in ["--parquet", "--jsonl", "--csv"] {
                assert_eq!(answer(&format!("{flag} {name}.parquet")), want, "{flag} {name}");
            }
        }
        assert_eq!(answer("--parquet in.jsonl"), want);
        assert_eq!(answer("--parquet nested.parquet --text meta.body --id url"), want);
        let passages = answer("--jsonl in.jsonl --passages on");
        assert_eq!(answer("--parquet zstd.parquet --passages on"), passages);
        let piped = bytes(folder.join("gzip.parquet"));
        let found = with_input(&folder, "corpus --format jsonl --parquet -", piped);
        assert_eq!((found.output, found.errors.as_str()), (want.clone(), ""), "standard input");
        if is_installed("gzip", "--version") {
            let packed = Command::new("gzip").arg("-c").arg(folder.join("none.parquet")).output();
            fs::write(folder.join("packed.parquet.gz"), packed.unwrap().stdout).unwrap();
            assert_eq!(answer("--parquet packed.parquet.gz"), want, "packed as a whole");
        }
        let against = |old: &str| {
            let flags = format!("--parquet snappy.parquet --against {old} --keep first");
            run(&folder, &flags).output.replace(old, "old")
        };
        fs::copy(folder.join("zstd.parquet"), folder.join("old.parquet")).unwrap();
        fs::copy(folder.join("in.jsonl"), folder.join("old.jsonl")).unwrap();
        assert_eq!(against("old.parquet"), against("old.jsonl"));
        assert!(against("old.parquet").starts_with("0 of 8 texts kept\n"));
    }

    /// Checks that the schema and the metadata are kept, and that the kept and the removed rows are
    /// those of the input.
    #[test]
    fn kept_rows_have_all_columns() {
        let folder = folder("kept");
        let keep = |input: &str, ending: &str, flags: &str| {
            let outputs = format!("--output out.{ending} --removed gone.{ending}");
            let found = run(&folder, &format!("{input} --keep longest {outputs} {flags}"));
            assert_eq!((found.status, found.errors.as_str()), (0, ""), "{input}");
            found.output
        };
        let want = keep("--jsonl in.jsonl", "jsonl", "");
        for name in NOTICES {
            let input = folder.join(format!("{name}.parquet"));
            assert_eq!(keep(&format!("--parquet {name}.parquet"), "parquet", ""), want, "{name}");
            let [out, gone] = ["out.parquet", "gone.parquet"].map(|name| folder.join(name));
            assert_eq!(head(&out), head(&input), "{name}");
            let removed: BTreeSet<String> = strings(&gone, "id").into_iter().collect();
            assert_eq!(removed, BTreeSet::from(["harbour-1", "market-2"].map(str::to_owned)));
            let listed = ["--parquet out.parquet", "--jsonl out.jsonl"]
                .map(|kept| run(&folder, &format!("--list {kept}")).output);
            assert_eq!(listed[0], listed[1], "{name}");
            if matches!(name, "zstd" | "second") {
                continue; // the crate does not read Zstandard by itself
            }
            // All files have the same records.
            let same = if name == "binary" { "binary.parquet" } else { "none.parquet" };
            let same = folder.join(same);
            let ids = strings(&same, "id");
            let kept = rows(&same).into_iter().zip(ids).filter(|(_, id)| !removed.contains(id));
            let kept: Vec<Row> = kept.map(|(row, _)| row).collect();
            assert_eq!(rows(&out), kept, "{name}");
        }
        let shown: Vec<String> =
            rows(&folder.join("gone.parquet")).iter().map(Row::to_string).collect();
        let gone = "{id: \"harbour-1\", kept_id: \"harbour-2\", verdict: \"near-duplicate\", jaccard: \
                    0.9629629629629629, coverage: null, same: null, changed: null}";
        assert_eq!(shown[0], gone);
        // Standard input is copied to a file for the second pass.
        let piped = bytes(folder.join("snappy.parquet"));
        let found =
            with_input(&folder, "corpus --parquet - --keep longest --output piped.parquet", piped);
        assert_eq!((found.status, found.errors.as_str()), (0, ""));
        keep("--parquet snappy.parquet", "parquet", "");
        assert_eq!(rows(&folder.join("piped.parquet")), rows(&folder.join("out.parquet")));
    }

    #[test]
    fn a_column_says_what_a_row_is_a_duplicate_of() {
        let folder = folder("column");
        let flags =
            "--parquet nested.parquet --text meta.body --id url --keep first --output out.parquet";
        let found = run(&folder, &format!("{flags} --annotate duplicate_of"));
        assert_eq!((found.status, found.errors.as_str()), (0, ""));
        let [input, out] = ["nested.parquet", "out.parquet"].map(|name| folder.join(name));
        let shown: Vec<String> = rows(&out).iter().map(Row::to_string).collect();
        let mut want: Vec<String> = rows(&input).iter().map(Row::to_string).collect();
        for row in &mut want {
            let of = match &**row {
                row if row.contains("url: \"harbour-2\"") => "\"harbour-1\"",
                row if row.contains("url: \"market-2\"") => "\"market-1\"",
                _ => "null",
            };
            *row = format!("{}, duplicate_of: {of}}}", row.strip_suffix('}').unwrap());
        }
        assert_eq!(shown, want);
        let (_, said) = head(&out);
        assert!(said.contains("made by") && !said.contains("ARROW:schema"), "{said}");
        fs::write(folder.join("out.parquet"), "earlier").unwrap();
        let found = run(&folder, &format!("{flags} --annotate meta"));
        let want = "dedup: nested.parquet: already has a field meta, expected a new field for \
                    --annotate\nhint: choose another name for --annotate\n";
        assert_eq!((found.status, found.errors.as_str()), (2, want));
        assert_eq!(bytes(out), b"earlier");
    }

    /// Checks that an id is the same as it would be in JSON. Times have all of their digits, so
    /// that they sort correctly.
    #[test]
    fn ids_are_strings_numbers_times_and_truth_values() {
        let folder = folder("ids");
        #[rustfmt::skip]
        let table = [
            ("whole",         "-7 0 9"),
            ("natural",       "18446744073709551615 0 9"),
            ("small",         "255 0 9"),
            ("real",          "0.5 1.0 1e300"),
            ("day",           "2024-01-02 1969-12-31 2024-02-29"),
            ("moment",        "2024-01-02T12:00:00.000000Z 1969-12-31T23:59:59.000005Z"),
            ("local",         "2024-01-02T12:00:00.000000000"),
            ("price",         "12.50 -0.07"),
            ("single",        "0.1 2.0"),
            ("truth",         "true false"),
            ("one.two.three", "a b"),
            ("kind",          "x y"),
            ("bytes",         "k1 k3"),
            ("absent",        ""),
        ];
        for (column, want) in table {
            let found = run(&folder, &format!("--list --parquet types.parquet --id {column}"));
            let mut lines: Vec<&str> = found.output.lines().collect();
            lines.pop();
            let ids: Vec<&str> =
                lines.iter().map(|line| line.split('\t').next().unwrap()).collect();
            assert_eq!(ids.join(" "), want, "{column}: {}", found.errors);
        }
        let found = run(&folder, "--list --parquet int96.parquet --id local");
        assert!(found.output.starts_with("2024-01-02T12:00:00.000000000\t"), "{}", found.output);
        let want = "types.parquet:1\tplain\t12\tx\ntypes.parquet:2\tplain\t16\ty\ntypes.parquet:3\tplain\t5\tx\n\
                    3 texts, 0 failed\n";
        assert_eq!(run(&folder, "--list --parquet types.parquet --group kind").output, want);
        let newest = |by: &str| {
            run(&folder, &format!("{HALF} --parquet types.parquet --text again --keep {by}")).output
        };
        assert!(newest("newest:whole").starts_with("types.parquet:2\n"));
        assert!(newest("newest:moment").starts_with("types.parquet:1\n"));
        assert!(newest("field:real").starts_with("types.parquet:2\n"));
    }

    /// Checks that each is an error that names the file, and the row or the row group, and that
    /// nothing is written.
    #[test]
    fn what_is_wrong_with_a_file_is_an_error() {
        let folder = folder("wrong");
        let good = bytes(folder.join("snappy.parquet"));
        let put = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
        let mut large = good.clone();
        let length = large.len() - 8;
        large[length..length + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        put("large_footer.parquet", &large);
        put("cut.parquet", &good[..good.len() - 9]);
        put("short.parquet", b"PAR1");
        put("none_at_all.parquet", b"");
        put("text.parquet", b"a kettle and a lid");
        put("locked.parquet", b"PAREabcdefghPARE");
        let mut page = good.clone();
        page[4..60].fill(0xff);
        put("page.parquet", &page);
        let anew = "copy it or write it again";
        let lines = [
            "types.parquet --text body",
            "types.parquet --id key",
            "types.parquet --text list",
            "types.parquet --text list.list.element",
            "types.parquet --text map",
            "types.parquet --text one.two",
            "types.parquet --text whole",
            "types.parquet --id list",
            "types.parquet --text null_text",
            "types.parquet --id nothing",
            "types.parquet --id bytes",
            "types.parquet --text bytes --id whole",
            "types.parquet --id again",
            "types.parquet --max-bytes 14",
            "brotli.parquet",
            "large_footer.parquet",
            "cut.parquet",
            "short.parquet",
            "none_at_all.parquet",
            "text.parquet",
            "locked.parquet",
            "empty.parquet",
            "gone.parquet",
        ];
        let mut transcript = Transcript::default();
        for flags in lines {
            put("out", b"earlier");
            let flags = format!("--keep first --output out --parquet {flags}");
            transcript.error(&format!("corpus {flags}"), &run(&folder, &flags));
            assert_eq!(bytes(folder.join("out")), b"earlier", "{flags}");
        }
        transcript.assert_snapshot("parquet");
        let found = run(&folder, "--keep first --output out --parquet page.parquet");
        assert_eq!(found.status, 2);
        let begins = "dedup: page.parquet: row group 1: damaged: ";
        assert!(found.errors.starts_with(begins), "{}", found.errors);
        assert!(found.errors.ends_with(&format!("\nhint: {anew}\n")), "{}", found.errors);
        let found = with_input(&folder, "spans --jsonl types.parquet", "");
        let want = "dedup: types.parquet: a Parquet file, expected lines\nhint: dedup corpus \
                    --parquet reads it\n";
        assert!(found.errors.starts_with(want), "{}", found.errors);
        assert_eq!(found.status, 2);
    }

    #[test]
    fn files_that_are_written_as_one_have_the_same_columns() {
        let folder = folder("form");
        let hint = "hint: a run of dedup corpus --output writes records of only one format\n";
        let lines = [
            "--parquet snappy.parquet --parquet nested.parquet --text id --id absent",
            "--parquet binary.parquet --parquet zstd.parquet",
            "--parquet snappy.parquet --jsonl in.jsonl",
        ];
        let mut transcript = Transcript::default();
        for flags in lines {
            let flags = format!("{flags} --keep first --output out");
            transcript.error(&format!("corpus {flags}"), &run(&folder, &flags));
            assert!(!folder.join("out").exists(), "{flags}");
        }
        transcript.assert_snapshot("parquet_columns");
        write(
            &folder.join("a.parquet"),
            &[(1, Some(words(0))), (2, Some(words(50)))],
            9,
            Compression::SNAPPY,
        );
        write(
            &folder.join("b.parquet"),
            &[(3, Some(words(1))), (4, Some(words(90)))],
            1,
            Compression::UNCOMPRESSED,
        );
        let flags =
            "--parquet a.parquet --parquet b.parquet --keep first --output out --removed gone";
        let found = run(&folder, &format!("{HALF} {flags}"));
        assert_eq!((found.status, found.errors.as_str()), (0, ""));
        assert_eq!(strings(&folder.join("out"), "id"), ["1", "2", "4"]);
        assert_eq!(strings(&folder.join("gone"), "kept_id"), ["1"]);
        fs::write(folder.join("c.jsonl"), "{\"id\":5,\"text\":\"a pan\"}\n").unwrap();
        let found = run(&folder, "--parquet a.parquet --jsonl c.jsonl --keep first --output new");
        let want = "dedup: a.parquet: Parquet, expected JSON Lines as in c.jsonl\n";
        assert_eq!((found.status, found.errors), (2, format!("{want}{hint}")));
        let found =
            run(&folder, "--parquet a.parquet --parquet binary.parquet --keep first --output new");
        let want =
            "dedup: binary.parquet: other columns than a.parquet, expected the same columns\n";
        assert_eq!((found.status, found.errors), (2, format!("{want}{hint}")));
        assert!(!folder.join("new").exists());
    }

    /// Checks that a column that is only copied, which is not read before, has the same limit.
    #[test]
    fn a_column_that_is_only_copied_unpacks_within_limits() {
        let folder = empty_folder("parquet", "bomb");
        let schema = "message made {
            required int32 id;
            required binary text (STRING);
            required binary more;
        }";
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let properties = WriterProperties::builder()
            .set_compression(Compression::GZIP(GzipLevel::default()))
            .set_dictionary_enabled(false)
            .build();
        let file = File::create(folder.join("in.parquet")).unwrap();
        let mut file = SerializedFileWriter::new(file, schema, Arc::new(properties)).unwrap();
        let mut group = file.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int32Type>().write_batch(&[1, 2], None, None).unwrap();
        column.close().unwrap();
        let zeros = ByteArray::from(vec![0; 3_000_000]);
        for cells in [[words(1).as_str().into(), words(1).as_str().into()], [zeros.clone(), zeros]]
        {
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<ByteArrayType>().write_batch(&cells, None, None).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
        file.close().unwrap();
        let flags = format!("{HALF} --parquet in.parquet --keep first --output out");
        let found = run(&folder, &format!("{flags} --max-unpacked 1000000"));
        let begins = "dedup: in.parquet: row group 1: damaged: the column more: unpacks to more than 1000000 bytes";
        assert_eq!((found.status, found.output.as_str()), (2, ""));
        assert!(found.errors.starts_with(begins), "{}", found.errors);
        assert!(!folder.join("out").exists());
        let found = run(&folder, &flags);
        assert_eq!((found.status, found.errors.as_str()), (0, ""));
        assert_eq!(strings(&folder.join("out"), "id"), ["1"]);
    }

    /// Writes a file of ids, texts, and a list per row that identifies it.
    fn write(path: &Path, records: &[(i32, Option<String>)], group: usize, packed: Compression) {
        let schema = "message made {
            required int32 id;
            optional binary text (STRING);
            optional group more (LIST) { repeated group list { optional int32 element; } }
        }";
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let properties = WriterProperties::builder().set_compression(packed).build();
        let file = File::create(path).unwrap();
        let mut file = SerializedFileWriter::new(file, schema, Arc::new(properties)).unwrap();
        for rows in records.chunks(group) {
            let mut group = file.next_row_group().unwrap();
            let ids: Vec<i32> = rows.iter().map(|(id, _)| *id).collect();
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<Int32Type>().write_batch(&ids, None, None).unwrap();
            column.close().unwrap();
            let texts = rows.iter().flat_map(|(_, text)| text);
            let texts: Vec<ByteArray> = texts.map(|text| text.as_str().into()).collect();
            let levels: Vec<i16> = rows.iter().map(|(_, text)| i16::from(text.is_some())).collect();
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<ByteArrayType>().write_batch(&texts, Some(&levels), None).unwrap();
            column.close().unwrap();
            // By definition level: null, an empty list, a null, a null and an element, a null and
            // two.
            let (mut there, mut again, mut elements) = (Vec::new(), Vec::new(), Vec::new());
            for id in &ids {
                let levels: [&[i16]; 5] = [&[0], &[1], &[2], &[2, 3], &[2, 3, 3]];
                let levels = levels[usize::try_from(id % 5).unwrap()];
                for (at, level) in (0..).zip(levels) {
                    there.push(*level);
                    again.push(i16::from(at > 0));
                    elements.extend((*level == 3).then_some(100 * id + at));
                }
            }
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<Int32Type>().write_batch(&elements, Some(&there), Some(&again)).unwrap();
            column.close().unwrap();
            group.close().unwrap();
        }
        file.close().unwrap();
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Checks that the kept and the removed rows are those of the input, each once and with all
        /// of its columns, and that JSON Lines of the same records give the same result.
        #[test]
        fn kept_and_removed_are_the_input(
            texts in prop::collection::vec(prop::collection::vec(0_usize..12, 1..8), 1..24),
            group in 1_usize..9,
            packed in prop::sample::select(vec![
                Compression::SNAPPY,
                Compression::UNCOMPRESSED,
                Compression::LZ4_RAW,
                Compression::GZIP(GzipLevel::default()),
            ]),
        ) {
            let folder = empty_folder("parquet", "property");
            let text = |words: &Vec<usize>| words.iter().map(|word| format!("word{word}")).collect::<Vec<_>>().join(" ");
            let records: Vec<(i32, Option<String>)> = (0..).zip(&texts).map(|(id, words)| (id, Some(text(words)))).collect();
            let [input, out, gone] = ["in.parquet", "out.parquet", "gone.parquet"].map(|name| folder.join(name));
            write(&input, &records, group, packed);
            let lines = records.iter().map(|(id, text)| serde_json::json!({"id": id, "text": text}).to_string() + "\n");
            fs::write(folder.join("in.jsonl"), lines.collect::<String>()).unwrap();
            for (flag, ending) in [("--parquet", "parquet"), ("--jsonl", "jsonl")] {
                let files = format!("{flag} in.{ending} --output out.{ending} --removed gone.{ending}");
                let found = run(&folder, &format!("{HALF} --keep longest {files}"));
                prop_assert_eq!(found.status, 0, "{}", found.errors);
            }
            let removed: BTreeSet<String> = strings(&gone, "id").into_iter().collect();
            let kept: Vec<String> = strings(&out, "id");
            let all = rows(&input);
            let want = all.iter().zip(0..).filter(|(_, id)| !removed.contains(&id.to_string()));
            let want: Vec<Row> = want.map(|(row, _)| row.clone()).collect();
            prop_assert_eq!(rows(&out), want);
            prop_assert_eq!(kept.len() + removed.len(), all.len());
            let of_lines = read_file(folder.join("out.jsonl"));
            let of_lines: Vec<String> = of_lines.lines().map(|line| {
                serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].to_string()
            }).collect();
            prop_assert_eq!(kept, of_lines);
            prop_assert_eq!(head(&out), head(&input));
        }
    }
}
