//! Documents that are archives. A part of them is fuzzed inside a valid archive, because arbitrary
//! bytes are hardly ever one. The first byte chooses the kind of document and the part.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The valid parts of an archive, and the name of the part that is fuzzed.
type Kind<'k> = (&'k [(&'k str, &'k str)], &'k str);

const DOCX: &str = r#"<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#;
/// A document that refers to a paragraph style and to a character style.
const STYLED: &str = r#"<w:document><w:p><w:pPr><w:pStyle w:val="a"/></w:pPr><w:r><w:t>one</w:t></w:r><w:r><w:rPr><w:rStyle w:val="b"/></w:rPr><w:t>two</w:t></w:r></w:p></w:document>"#;

/// A document that refers to a footnote.
const NOTED: &str = r#"<w:document><w:p><w:r><w:t>one</w:t><w:footnoteReference w:id="1"/></w:r></w:p></w:document>"#;

const PACKAGE: &str = r#"<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>"#;
const CONTAINER: &str = r#"<container><rootfiles><rootfile full-path="p.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"#;

/// The relationships of a Word document. Parts that no relationship names are not read.
const RELATIONS: &str = r#"<Relationships><Relationship Type="/styles" Target="styles.xml"/><Relationship Type="/footnotes" Target="footnotes.xml"/><Relationship Type="/endnotes" Target="endnotes.xml"/></Relationships>"#;

/// The content types of a presentation. [`SLIDES`] relates it to its only slide.
const PPTX: &str = r#"<Types><Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>"#;
const SLIDES: &str =
    r#"<Relationships><Relationship Type="/slide" Target="slide.xml"/></Relationships>"#;

const KINDS: &[Kind] = &[
    (&[("[Content_Types].xml", DOCX)], "word/document.xml"),
    (
        &[
            ("[Content_Types].xml", DOCX),
            ("word/_rels/document.xml.rels", RELATIONS),
            ("word/document.xml", STYLED),
        ],
        "word/styles.xml",
    ),
    (
        &[
            ("[Content_Types].xml", DOCX),
            ("word/_rels/document.xml.rels", RELATIONS),
            ("word/document.xml", NOTED),
        ],
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
    (&[("mimetype", "application/vnd.oasis.opendocument.presentation")], "content.xml"),
    (
        &[
            ("[Content_Types].xml", PPTX),
            ("ppt/presentation.xml", "<p/>"),
            ("ppt/_rels/presentation.xml.rels", SLIDES),
        ],
        "ppt/slide.xml",
    ),
];

/// Reads a document that is an archive, with one part fuzzed.
pub fn office(bytes: &[u8]) {
    let Some((kind, part)) = bytes.split_first() else { return };
    super::reading::check("fuzzed", &archive(*kind, part, None));
}

/// Returns the bytes of a document of a kind, with the given content of the part that is fuzzed. If
/// there is a content of `last`, it replaces that of the last valid part.
pub(super) fn archive(kind: u8, fuzzed: &[u8], last: Option<&[u8]>) -> Vec<u8> {
    let (sound, name) = KINDS[usize::from(kind) % KINDS.len()];
    let mut parts: Vec<_> = sound.iter().map(|(name, part)| (*name, part.as_bytes())).collect();
    if let (Some((_, content)), Some(last)) = (parts.last_mut(), last) {
        *content = last;
    }
    parts.push((name, fuzzed));
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        archive.start_file(name, SimpleFileOptions::default()).expect("a name of our own");
        archive.write_all(content).expect("memory");
    }
    archive.finish().expect("memory").into_inner()
}
