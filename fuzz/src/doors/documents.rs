//! Documents in archives: their parts are fuzzed inside a sound archive, which arbitrary bytes
//! hardly ever are; the first byte says what it is.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Sound parts of an archive, and the part that is fuzzed.
type Kind<'k> = (&'k [(&'k str, &'k str)], &'k str);

const DOCX: &str = r#"<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#;
const PACKAGE: &str = r#"<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>"#;
const CONTAINER: &str = r#"<container><rootfiles><rootfile full-path="p.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"#;

const KINDS: &[Kind] = &[
    (&[("[Content_Types].xml", DOCX)], "word/document.xml"),
    (&[("[Content_Types].xml", DOCX), ("word/document.xml", "<w:document/>")], "word/styles.xml"),
    (
        &[("[Content_Types].xml", DOCX), ("word/document.xml", "<w:document/>")],
        "word/footnotes.xml",
    ),
    (&[("mimetype", "application/vnd.oasis.opendocument.text")], "content.xml"),
    (
        &[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", "<a/>")],
        "styles.xml",
    ),
    (
        &[
            ("mimetype", "application/epub+zip"),
            ("META-INF/container.xml", CONTAINER),
            ("p.opf", PACKAGE),
        ],
        "a.xhtml",
    ),
    (
        &[
            ("mimetype", "application/epub+zip"),
            ("META-INF/container.xml", CONTAINER),
            ("a.xhtml", "<p>a</p>"),
        ],
        "p.opf",
    ),
];

/// Documents in archives.
pub fn office(bytes: &[u8]) {
    let Some((first, part)) = bytes.split_first() else { return };
    let (sound, fuzzed) = KINDS[usize::from(*first) % KINDS.len()];
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, content: &[u8]| {
        archive.start_file(name, SimpleFileOptions::default()).expect("a name of our own");
        archive.write_all(content).expect("memory");
    };
    for (name, content) in sound {
        add(name, content.as_bytes());
    }
    add(fuzzed, part);
    let archive = archive.finish().expect("memory").into_inner();
    super::reading::check("fuzzed", &archive);
}
