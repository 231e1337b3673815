use std::io::{Cursor, Write};

use zip::CompressionMethod::{Deflated, Stored};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::super::FileCategory;
use super::*;

/// Packs parts into an archive: `mimetype` without compression, as it must be, all others
/// compressed.
pub(in super::super) fn pack(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        let method = if *name == "mimetype" { Stored } else { Deflated };
        zip.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn open(bytes: &[u8], max_bytes: Option<u64>) -> Result<Archive<'_>, ExtractError> {
    Archive::open(bytes, "docx", &Bounds { unpacked: max_bytes, ..Bounds::default() })
}

/// Replaces all occurrences of a name with another of the same length.
fn rename(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut renamed = bytes.to_vec();
    for at in memmem::find_iter(bytes, from) {
        renamed[at..at + to.len()].copy_from_slice(to.as_bytes());
    }
    renamed
}

/// A package and an `OpenDocument` text, each in one XML file.
#[test]
fn parts_of_one_file_are_found_by_their_names() {
    let package = "<?xml version='1.0'?><pkg:package><pkg:part pkg:name='/a/b.xml'><pkg:xmlData><x> y</x></pkg:xmlData></pkg:part>\
                   <pkg:part pkg:name='/c'><pkg:binaryData>dGVh\n</pkg:binaryData></pkg:part><pkg:part pkg:name='/d'><pkg:xmlData/></pkg:part></pkg:package>";
    let mut open = Archive::open(package.as_bytes(), "docx", &Bounds::default()).unwrap();
    for (name, want) in
        [("a/b.xml", Some("<x> y</x>")), ("c", Some("tea")), ("d", Some("")), ("e", None)]
    {
        assert_eq!(open.read(name).unwrap().as_deref(), want.map(str::as_bytes), "{name}");
        assert_eq!(open.has(name), want.is_some(), "{name}");
    }
    let text = b"<office:document><office:body/></office:document>";
    let mut open = Archive::open(text, "odt", &Bounds::default()).unwrap();
    assert_eq!(open.read("content.xml").unwrap().as_deref(), Some(&text[..]));
    let bounds = Bounds { unpacked: Some(60), ..Bounds::default() };
    let mut open = Archive::open(text, "odt", &bounds).unwrap();
    assert!(open.read("content.xml").is_ok() && open.read("meta.xml").is_err(), "both count");
    let twice = package.replace("/c'", "/d'");
    let reason = Archive::open(twice.as_bytes(), "docx", &Bounds::default()).err().unwrap();
    assert_eq!(reason.to_string(), "damaged docx: two parts with the same name");
}

#[test]
fn parts_are_looked_up_by_their_exact_names() {
    let bytes = pack(&[("a/b.xml", b"one"), ("/etc/passwd", b"two"), ("../c", b"three")]);
    let mut archive = open(&bytes, None).unwrap();
    #[rustfmt::skip]
    let table: [(&str, &str, Option<&[u8]>); 7] = [
        ("as it is",           "a/b.xml",     Some(b"one")),
        ("an absolute path",   "/etc/passwd", Some(b"two")),
        ("one that leads out", "../c",        Some(b"three")),
        ("other letters",      "A/b.xml",     None),
        ("another slash",      "a\\b.xml",    None),
        ("a folder",           "a/",          None),
        ("nothing",            "",            None),
    ];
    for (why, name, want) in table {
        assert_eq!(archive.read(name).unwrap().as_deref(), want, "{why}");
    }
    let missing = archive.read_required("word/none.xml").unwrap_err().to_string();
    assert_eq!(missing, "damaged docx: part word/none.xml is missing");
}

#[test]
fn all_parts_together_unpack_to_so_much() {
    let bytes = pack(&[("a", b"12345"), ("b", b"1234"), ("c", b"1"), ("none", b"")]);
    let mut archive = open(&bytes, Some(9)).unwrap();
    assert_eq!(archive.read("a").unwrap().unwrap().len(), 5);
    assert_eq!(archive.read("b").unwrap().unwrap().len(), 4);
    assert_eq!(archive.read("none").unwrap().unwrap().len(), 0);
    assert!(matches!(archive.read("c"), Err(ExtractError::TooLarge { max_bytes: 9 })));
    let mut again = open(&bytes, Some(9)).unwrap();
    again.read("a").unwrap();
    again.read("a").unwrap_err(); // a part that is unpacked twice counts twice
}

#[test]
fn a_bomb_is_counted_while_it_unpacks_whatever_it_declares() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("bomb", SimpleFileOptions::default()).unwrap();
    let zeros = vec![0; 1 << 20];
    for _ in 0..20 {
        zip.write_all(&zeros).unwrap();
    }
    let mut bytes = zip.finish().unwrap().into_inner();
    assert!(bytes.len() < 80_000, "{}", bytes.len());
    let unpack = |bytes: &[u8]| open(bytes, Some(1_000_000)).unwrap().read("bomb").unwrap_err();
    assert!(matches!(unpack(&bytes), ExtractError::TooLarge { max_bytes: 1_000_000 }));
    let size = memmem::rfind(&bytes, b"PK\x01\x02").unwrap() + 24;
    bytes[size..size + 4].copy_from_slice(&10_u32.to_le_bytes()); // declared: ten bytes
    assert!(matches!(unpack(&bytes), ExtractError::Damaged { .. } | ExtractError::TooLarge { .. }));
}

#[test]
fn what_cannot_be_unpacked_is_reported() {
    let good = pack(&[("a", b"coffee and tea, tea and coffee, coffee and tea")]);
    let twins = rename(&pack(&[("part1", b"one"), ("part2", b"two")]), "part2", "part1");
    let data = 30 + 1; // after the local header and its name
    let mut flipped = good.clone();
    flipped[data + 8] ^= 0x55;
    let mut method = good.clone();
    let list = memmem::find(&good, b"PK\x01\x02").unwrap();
    (method[8], method[list + 10]) = (97, 97);
    let mut locked = good.clone();
    (locked[6], locked[list + 8]) = (1, 1);
    let cut = "damaged docx: truncated, or without a list of its parts";
    #[rustfmt::skip]
    let table: [(&str, &[u8], &str); 7] = [
        ("nothing",          b"",                      cut),
        ("noise",            b"PK\x03\x04 and no more", cut),
        ("cut",              &good[..good.len() - 30], cut),
        ("two of a name",    &twins,                   "damaged docx: two parts with the same name"),
        ("a changed byte",   &flipped,                 "damaged docx: a: does not unpack"),
        ("another method",   &method,                  "damaged docx: a: compressed with an unsupported method"),
        ("a password",       &locked,                  "password-protected docx, expected one without a password"),
    ];
    for (why, bytes, want) in table {
        let read = open(bytes, None).and_then(|mut archive| archive.read("a"));
        assert_eq!(read.unwrap_err().to_string(), want, "{why}");
    }
}

/// The central directory of an archive that is read from a file is bounded, and its members are not
/// part of it.
#[test]
fn the_list_of_files_is_bounded() {
    let noise: Vec<u8> =
        (0..50_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let bytes = pack(&[("mimetype", &noise), ("b", b"two")]);
    let sizes = |max_bytes| {
        let mut sizes = Vec::new();
        let read = zip_members_within(max_bytes, Cursor::new(&bytes), |member| {
            if let ZipMember::File { name, bytes, file, .. } = member {
                sizes.push((name, bytes, file.read_to_end(&mut Vec::new()).unwrap() as u64));
            }
            Ok(())
        });
        read.map(|()| sizes).map_err(|reason| reason.to_string())
    };
    let all = vec![("mimetype".to_owned(), 50_000, 50_000), ("b".to_owned(), 3, 3)];
    assert_eq!(sizes(10_000), Ok(all));
    let cut = "damaged ZIP archive: cut off, or the list of its files is damaged";
    assert_eq!(sizes(100), Err(cut.to_owned()));
    let twins = rename(&pack(&[("part1", b"one"), ("part2", b"two")]), "part2", "part1");
    let mut seen = Vec::new();
    let each = |member: ZipMember| {
        seen.push(match member {
            ZipMember::Lost { name, reason } => format!("{name}: {reason}"),
            ZipMember::File { name, file, .. } => {
                format!("{name}: {}", io::read_to_string(file).unwrap())
            }
        });
        Ok(())
    };
    zip_members(Cursor::new(&twins), each).unwrap();
    let lost = "part1: cannot be read: 2 files have this name, and only the last is read";
    assert_eq!(seen, [lost, "part1: two"]);
}

#[test]
fn references_are_resolved_within_the_archive() {
    #[rustfmt::skip]
    let table = [
        ("beside it",         "word/document.xml", "footnotes.xml",      Some("word/footnotes.xml")),
        ("from the top",      "word/document.xml", "/word/styles.xml",   Some("word/styles.xml")),
        ("up",                "word/document.xml", "../custom/item.xml", Some("custom/item.xml")),
        ("out",               "word/document.xml", "../../etc/passwd",   None),
        ("out and in again",  "word/document.xml", "../../word/a.xml",   None),
        ("up from the top",   "word/document.xml", "/../a.xml",          None),
        ("here",              "word/document.xml", "./a.xml",            Some("word/a.xml")),
        ("from no part",      "",                  "word/document.xml",  Some("word/document.xml")),
        ("the folder itself", "word/document.xml", "..",                 None),
        ("nothing",           "document.xml",      "",                   None),
    ];
    for (why, part, reference, want) in table {
        assert_eq!(resolve(part, reference).as_deref(), want, "{why}");
    }
}

#[test]
fn kinds_are_recognized_by_what_is_inside() {
    let types =
        |kind: &str| format!("<Types><Override ContentType=\"application/{kind}\"/></Types>");
    let office = "vnd.openxmlformats-officedocument";
    let docx = types(&format!("{office}.wordprocessingml.document.main+xml"));
    let template = types(&format!("{office}.wordprocessingml.template.main+xml"));
    let macros = types("vnd.ms-word.document.macroEnabled.main+xml");
    let xlsx = types(&format!("{office}.spreadsheetml.sheet.main+xml"));
    let binary = types("vnd.ms-excel.sheet.binary.macroEnabled.main");
    let pptx = types(&format!("{office}.presentationml.presentation.main+xml"));
    // A letter with an embedded worksheet is not a workbook.
    let with_sheet = docx.replace("</Types>", &types(&format!("{office}.spreadsheetml.sheet")));
    let in_types = |types: &str| pack(&[("[Content_Types].xml", types.as_bytes())]);
    let mime = |kind: &str| pack(&[("mimetype", kind.as_bytes()), ("content.xml", b"<a/>")]);
    let named = |name: &str| pack(&[("README", b"read me"), (name, b"")]);
    let document = "application/vnd.oasis.opendocument";
    #[rustfmt::skip]
    let table = [
        ("Word",             in_types(&docx),                        Ok(Kind::Docx)),
        ("a template",       in_types(&template),                    Ok(Kind::Docx)),
        ("with macros",      in_types(&macros),                      Ok(Kind::Docx)),
        ("with a sheet",     in_types(&with_sheet),                  Ok(Kind::Docx)),
        ("Word, typeless",   named("word/document.xml"),             Ok(Kind::Docx)),
        ("Excel",            in_types(&xlsx),                        Err((FileCategory::Document, "an Excel workbook"))),
        ("binary Excel",     in_types(&binary),                       Err((FileCategory::Document, "an Excel workbook"))),
        ("PowerPoint",       in_types(&pptx),                        Ok(Kind::Pptx)),
        ("Writer",           mime(&format!("{document}.text")),      Ok(Kind::Odt)),
        ("a line end",       mime(&format!("{document}.text\n")),    Ok(Kind::Odt)),
        ("its template",     mime(&format!("{document}.text-template")), Ok(Kind::Odt)),
        ("Calc",             mime(&format!("{document}.spreadsheet")), Err((FileCategory::Document, "a spreadsheet of LibreOffice"))),
        ("Impress",          mime(&format!("{document}.presentation")), Ok(Kind::Odp)),
        ("Math",             mime(&format!("{document}.formula")),   Err((FileCategory::Document, "a document of LibreOffice without text"))),
        ("a book",           mime("application/epub+zip"),           Ok(Kind::Epub)),
        ("a book, untyped",  named("META-INF/container.xml"),        Ok(Kind::Epub)),
        ("Java",             named("META-INF/MANIFEST.MF"),          Err((FileCategory::Program, "a Java archive"))),
        ("Android",          named("AndroidManifest.xml"),           Err((FileCategory::Program, "an Android app"))),
        ("any other",        named("notes.txt"),                     Err((FileCategory::Archive, "a ZIP archive"))),
        ("an empty one",     pack(&[]),                              Err((FileCategory::Archive, "a ZIP archive"))),
    ];
    for (why, bytes, want) in table {
        assert_eq!(kind_of_archive(&bytes), want, "{why}");
    }
}

#[test]
fn a_cut_archive_is_what_its_first_parts_belong_to() {
    let cut = |parts: &[&str]| {
        let parts: Vec<_> = parts.iter().map(|name| (*name, &b"text"[..])).collect();
        let bytes = pack(&parts);
        bytes[..memmem::find(&bytes, b"PK\x01\x02").unwrap()].to_vec()
    };
    let typed = |kind: &str| {
        let bytes = pack(&[("mimetype", kind.as_bytes()), ("content.xml", b"<a/>")]);
        bytes[..150].to_vec()
    };
    #[rustfmt::skip]
    let table = [
        ("types only",  cut(&["[Content_Types].xml"]),               Ok(Kind::Docx)),
        ("Word",        cut(&["_rels/.rels", "word/styles.xml"]),    Ok(Kind::Docx)),
        ("Excel",       cut(&["[Content_Types].xml", "xl/workbook.xml"]), Err((FileCategory::Document, "an Excel workbook"))),
        ("a book",      typed("application/epub+zip"),               Ok(Kind::Epub)),
        ("Writer",      typed("application/vnd.oasis.opendocument.text"), Ok(Kind::Odt)),
        ("Calc",        typed("application/vnd.oasis.opendocument.spreadsheet"), Err((FileCategory::Document, "a spreadsheet of LibreOffice"))),
        ("any other",   cut(&["a.txt", "b.txt"]),                    Err((FileCategory::Archive, "a damaged ZIP archive"))),
        ("a header",    b"PK\x03\x04".to_vec(),                      Err((FileCategory::Archive, "a damaged ZIP archive"))),
        ("a long name", [b"PK\x03\x04".as_slice(), &[0xff; 26]].concat(), Err((FileCategory::Archive, "a damaged ZIP archive"))),
    ];
    for (why, bytes, want) in table {
        assert_eq!(kind_of_archive(&bytes), want, "{why}");
    }
}
