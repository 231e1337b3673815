//! Extracts the text of a Word document from before 2007 (`.doc`).
//!
//! Input: the bytes of a document of Word 6 to 2003. Output: its text and its hidden text. A text
//! box follows the paragraph that it is anchored to, and notes are at the end. Headers, footers,
//! comments, text that is marked as deleted, and the codes of fields are left out. Hidden and
//! deleted text is not recognized in documents of Word 6 and 95, which store formatting in another
//! way. Source: Microsoft, *\[MS-DOC\]: Word (.doc) Binary File Format*.
//!
//! Positions in the text are counted in UTF-16 units (*cp* in that source), and places in the
//! stream `WordDocument` in bytes (*fc*). The piece table maps the former to the latter.

mod compound;
mod formats;
mod properties;
mod writer;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::rtf::CodePage;
use super::{Bounds, ExtractError, Extracted, end_line};
use compound::{Compound, index, numbers, u16_at, u32_at, units};
use formats::Formats;
use properties::properties;
use writer::Writer;

/// The kind of document, for messages.
const KIND: &str = "Word document";

/// Extracts the text of a document, of at most `bounds.unpacked` bytes as it is stored, which is up
/// to three times as long in the output; empty if it has none.
///
/// # Errors
///
/// Returns an [`ExtractError`] if it is damaged or encrypted, or has more text.
pub(crate) fn text(bytes: &[u8], bounds: &Bounds) -> Result<Extracted, ExtractError> {
    let max_bytes = bounds.unpacked.unwrap_or(u64::MAX);
    let file = Compound::new(bytes).ok_or_else(|| damaged("not an OLE compound file"))?;
    let word = file.stream("WordDocument").ok_or_else(|| damaged("no stream WordDocument"))?;
    let source = Source::new(&file, &word)?;
    let [main, footnotes, _, _, _, endnotes, ..] = source.parts.clone();
    let mut writer = Writer::new(usize::try_from(max_bytes).unwrap_or(usize::MAX));
    let write = |writer: &mut Writer, part, boxes| {
        source.write(part, boxes, writer).ok_or(ExtractError::TooLarge { max_bytes })
    };
    write(&mut writer, main, &source.boxes)?;
    for notes in [footnotes, endnotes] {
        end_line(&mut writer.text);
        write(&mut writer, notes, &[])?;
    }
    let (content, hidden) = writer.finish();
    let summary = file.stream("\u{5}SummaryInformation").unwrap_or_default();
    let properties = properties(&summary).unwrap_or_default();
    let unread = source.is_cut().then(|| "some of its text is missing".to_owned());
    Ok(Extracted { content, hidden, unread, properties, ..Extracted::default() })
}

fn damaged(found: &str) -> ExtractError {
    ExtractError::Damaged { kind: KIND, found: found.to_owned() }
}

/// The text of a document as it is stored.
struct Source<'w> {
    /// The stream with the characters.
    word: &'w [u8],
    pieces: Vec<Piece>,
    /// The positions of the main text, the footnotes, the headers, the macros, the comments, the
    /// endnotes, the text boxes, and the text boxes of headers.
    parts: [Range<u32>; 8],
    formats: Formats,
    /// The text boxes, in the order of their anchors.
    boxes: Vec<TextBox>,
    /// That of pieces with one byte per character.
    code_page: CodePage,
}

/// A stretch of text that is stored in one place.
struct Piece {
    cps: Range<u32>,
    begin: usize,
    /// The number of bytes of a character: 1 or 2.
    width: usize,
}

impl Piece {
    /// Returns the part of a piece that lies in a stream of `length` bytes; `None` if it is empty.
    fn new(mut cps: Range<u32>, begin: usize, width: usize, length: usize) -> Option<Self> {
        let stored = length.saturating_sub(begin) / width;
        let stored = u32::try_from(stored).unwrap_or(u32::MAX);
        cps.end = cps.end.min(cps.start.saturating_add(stored));
        (!cps.is_empty()).then_some(Self { cps, begin, width })
    }
}

struct TextBox {
    /// The position in the main text of the character that the box is anchored to.
    anchor: u32,
    cps: Range<u32>,
}

impl<'w> Source<'w> {
    fn new(file: &Compound, word: &'w [u8]) -> Result<Self, ExtractError> {
        let header = |at| u16_at(word, at).ok_or_else(|| damaged("its header is cut"));
        let (version, flags) = (header(2)?, header(10)?);
        if !matches!(header(0)?, 0xa5dc | 0xa5ec | 0xa697..=0xa699) || version < 101 {
            return Err(damaged("not of Word 6 to 2003"));
        }
        if flags & 0x0100 != 0 {
            return Err(ExtractError::Locked { kind: KIND });
        }
        let is_old = version < 0xc0;
        let names = if flags & 0x0200 == 0 { ["0Table", "1Table"] } else { ["1Table", "0Table"] };
        let table = if is_old {
            Cow::Borrowed(word)
        } else {
            let table = names.iter().find_map(|name| file.stream(name));
            Cow::Owned(table.ok_or_else(|| damaged("no table stream"))?)
        };
        let mut end = 0_u32;
        let counts = if is_old { 0x34 } else { 0x4c };
        let parts: [Range<u32>; 8] = std::array::from_fn(|at| {
            let begin = end;
            end = end.saturating_add(u32_at(word, counts + 4 * at).unwrap_or(0));
            begin..end
        });
        let width = if is_old && flags & 0x1000 == 0 { 1 } else { 2 };
        let listed = listed_part(word, &table, if is_old { 0x160 } else { 0x1a2 });
        let listed = piece_table(listed).unwrap_or_default();
        let mut pieces = pieces(listed, word.len(), width, is_old);
        if pieces.is_empty() && is_old {
            let begin = index(u32_at(word, 0x18).unwrap_or(0));
            pieces.extend(Piece::new(0..end, begin, width, word.len()));
        }
        if pieces.is_empty() {
            return Err(damaged("its text is missing"));
        }
        let part = |at| listed_part(word, &table, at);
        let formats = if is_old {
            Formats::default()
        } else {
            Formats::new(word, part(0xfa), part(0x102), part(0xa2))
        };
        let boxes = if is_old { Vec::new() } else { boxes(part(0x1da), part(0x25a), &parts) };
        let code_page = if is_old {
            code_page_of(part(0xd0), header(18)? & 1 != 0)
        } else {
            CodePage::default()
        };
        Ok(Self { word, pieces, parts, formats, boxes, code_page })
    }

    /// Reports whether the pieces have fewer characters than the header states.
    fn is_cut(&self) -> bool {
        let stored: u64 = self.pieces.iter().map(|it| u64::from(it.cps.end - it.cps.start)).sum();
        stored < u64::from(self.parts[7].end)
    }

    /// Writes a part of the text, with the text boxes that are anchored in it; `None` if there is no
    /// room for it.
    fn write(&self, cps: Range<u32>, boxes: &[TextBox], writer: &mut Writer) -> Option<()> {
        let around = std::mem::take(&mut writer.fields);
        let mut boxes = boxes.iter().peekable();
        let first = self.pieces.partition_point(|piece| piece.cps.end <= cps.start);
        for piece in self.pieces[first..].iter().take_while(|piece| piece.cps.start < cps.end) {
            // A piece lies in the stream, so that no sum can overflow.
            let place =
                |cp: u32| piece.begin + index(cp.saturating_sub(piece.cps.start)) * piece.width;
            let (mut at, end) = (place(cps.start), place(cps.end.min(piece.cps.end)));
            while at < end {
                let (format, same) = self.formats.at(at);
                let length = same.min(end).saturating_sub(at).max(piece.width);
                let stretch = &self.word[at..at + length - length % piece.width];
                writer.take(stretch.len())?;
                let units = units_of(stretch, piece.width);
                for part in units.chunk_by(|left, right| *left >= 0x20 && *right >= 0x20) {
                    let ends_paragraph = matches!(part, [0x07 | 0x0c | 0x0d]);
                    writer.write(part, piece.width, self.code_page, format);
                    at += part.len() * piece.width;
                    let cp = (at - piece.begin) / piece.width + index(piece.cps.start);
                    while ends_paragraph && let Some(it) = boxes.next_if(|it| index(it.anchor) < cp)
                    {
                        self.write(it.cps.clone(), &[], writer)?;
                    }
                }
            }
        }
        for it in boxes {
            self.write(it.cps.clone(), &[], writer)?;
        }
        writer.fields = around;
        Some(())
    }
}

/// Returns the part of the table stream whose offset and length the header states at `at`.
fn listed_part<'t>(word: &[u8], table: &'t [u8], at: usize) -> &'t [u8] {
    let stated = |at| index(u32_at(word, at).unwrap_or(0));
    let rest = table.get(stated(at)..).unwrap_or_default();
    &rest[..rest.len().min(stated(at + 4))]
}

/// Returns the piece table from the part that contains it, behind lists of formats.
fn piece_table(mut listed: &[u8]) -> Option<&[u8]> {
    while listed.first() == Some(&1) {
        listed = listed.get(3 + usize::from(u16_at(listed, 1)?)..)?;
    }
    listed.get(5..).filter(|_| listed.first() == Some(&2))
}

/// Returns the pieces of a piece table, up to the first that does not follow the one before it; of
/// each, what lies in a stream of `length` bytes.
fn pieces(table: &[u8], length: usize, width: usize, is_old: bool) -> Vec<Piece> {
    let ordered = plc(table, 8).take_while(|(cps, _)| cps.start <= cps.end);
    let pieces = ordered.filter_map(|(cps, piece)| {
        let place = u32_at(piece, 2)?;
        let is_short = !is_old && place & 0x4000_0000 != 0;
        let begin = index(place & 0x3fff_ffff);
        let (begin, width) = if is_short { (begin / 2, 1) } else { (begin, width) };
        Piece::new(cps, begin, width, length)
    });
    pieces.collect()
}

/// Returns the ranges of positions in a table, each with the `size` bytes that describe it.
pub(super) fn plc(table: &[u8], size: usize) -> impl Iterator<Item = (Range<u32>, &[u8])> {
    let count = table.len().saturating_sub(4) / (4 + size);
    let ends = numbers(table).skip(1);
    let ranges = numbers(table).zip(ends).map(|(begin, end)| begin..end);
    let described = table.get(4 * (count + 1)..).unwrap_or_default();
    ranges.take(count).zip(described.chunks_exact(size))
}

/// Returns the text boxes, from the tables of the anchors of shapes and of the texts of boxes.
fn boxes(anchors: &[u8], texts: &[u8], parts: &[Range<u32>; 8]) -> Vec<TextBox> {
    let (main, part) = (&parts[0], &parts[6]);
    let within = |cp: u32| part.start.saturating_add(cp).min(part.end);
    let of_shapes: BTreeMap<u32, u32> =
        plc(anchors, 26).filter_map(|(cps, shape)| Some((u32_at(shape, 0)?, cps.start))).collect();
    let boxes = plc(texts, 22).filter_map(|(cps, text)| {
        let anchor = of_shapes.get(&u32_at(text, 14)?).copied().unwrap_or(main.end);
        Some(TextBox { anchor, cps: within(cps.start)..within(cps.end) })
    });
    let mut boxes: Vec<_> = boxes.collect();
    boxes.sort_by_key(|it| it.anchor);
    boxes
}

/// Returns the code page of a document of Word 6 or 95: that of the first character set of its fonts
/// that implies one. The set of western letters does not, nor do those of symbols, Johab and DOS.
fn code_page_of(fonts: &[u8], is_macintosh: bool) -> CodePage {
    let mut rest = fonts.get(2..).unwrap_or_default();
    while let [length, _, _, _, set, ..] = rest {
        let implied = CodePage::from_charset(i32::from(*set));
        if let Some(implied) = implied.filter(|_| !matches!(set, 0 | 2 | 130 | 254 | 255)) {
            return implied;
        }
        rest = rest.get(1 + usize::from(*length)..).unwrap_or_default();
    }
    CodePage::from_number(if is_macintosh { 10_000 } else { 1252 })
}

/// Returns the characters of a stretch as units; those of one byte are not decoded.
fn units_of(stretch: &[u8], width: usize) -> Vec<u16> {
    if width == 1 {
        stretch.iter().map(|&it| it.into()).collect()
    } else {
        units(stretch).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::compound::tests::compound;
    use super::*;
    use crate::text::Encoding;

    fn read(bytes: &[u8], max_bytes: u64) -> Result<Extracted, ExtractError> {
        text(bytes, &Bounds { unpacked: Some(max_bytes), ..Bounds::default() })
    }

    const OFFICE: &[u8] = include_bytes!("../../../../tests/documents/libreoffice.doc");

    /// A document of Word 97 with a text and the formats of some of its characters.
    #[derive(Default)]
    struct Sample<'s> {
        /// Each piece, and whether it is stored in two bytes per character.
        pieces: &'s [(&'s str, bool)],
        /// The lengths of the main text, the footnotes, and so on, if not all is main text.
        parts: &'s [u32],
        /// The lists of changes, each with the number of bytes of text that it applies to.
        formats: &'s [(u32, &'s [u8])],
        /// The styles: whether each is one of characters, the number of its base, and its changes.
        styles: &'s [(bool, u16, &'s [u8])],
        /// The anchor of a text box, and its position among the texts of boxes.
        text_box: Option<(u32, u32)>,
    }

    /// The offset of the text in the stream, and that of the page with its formats.
    const TEXT: u32 = 0x400;
    const FORMATS: u32 = 0x600;

    impl Sample<'_> {
        /// Returns the streams `WordDocument` and `1Table`.
        fn streams(&self) -> [Vec<u8>; 2] {
            let (mut word, mut table) = (vec![0; index(TEXT)], Vec::new());
            let (mut cps, mut places) = (vec![0], Vec::new());
            for (text, is_wide) in self.pieces {
                let begin = u32::try_from(word.len()).unwrap();
                if *is_wide {
                    word.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
                } else {
                    word.extend_from_slice(&encoding_rs::WINDOWS_1252.encode(text).0);
                }
                places.push(if *is_wide { begin } else { (begin * 2) | 0x4000_0000 });
                cps.push(cps[cps.len() - 1] + u32::try_from(text.encode_utf16().count()).unwrap());
            }
            word.resize(index(FORMATS), 0);
            word.extend(self.page());
            let mut list = |at: usize, part: &[u8]| {
                let place = [table.len(), part.len()].map(|it| u32::try_from(it).unwrap());
                word[at..at + 8].copy_from_slice(&place.map(u32::to_le_bytes).concat());
                table.extend_from_slice(part);
            };
            let pieces = cps.iter().flat_map(|it| it.to_le_bytes());
            let places =
                places.iter().flat_map(|it| [&[0; 2], &it.to_le_bytes()[..], &[0; 2]].concat());
            let pieces: Vec<u8> = pieces.chain(places).collect();
            let length = u32::try_from(pieces.len()).unwrap().to_le_bytes();
            // A list of changes precedes the piece table.
            list(0x1a2, &[&[1, 2, 0, 0, 0, 2], &length[..], &pieces].concat());
            list(0xfa, &[TEXT, FORMATS, FORMATS / 512].map(u32::to_le_bytes).concat());
            list(0xa2, &self.style_sheet());
            if let Some((anchor, begin)) = self.text_box {
                let shape = [&anchor.to_le_bytes()[..], &[0; 4], &7_u32.to_le_bytes(), &[0; 22]];
                list(0x1da, &shape.concat());
                let end = self.parts[6].to_le_bytes();
                list(
                    0x25a,
                    &[&begin.to_le_bytes(), &end[..], &[0; 14], &[7, 0, 0, 0], &[0; 4]].concat(),
                );
            }
            word[..2].copy_from_slice(&[0xec, 0xa5]);
            word[2] = 0xc1;
            word[11] = 2;
            let all = [cps[cps.len() - 1]];
            let parts = if self.parts.is_empty() { &all } else { self.parts };
            for (at, length) in parts.iter().enumerate() {
                word[0x4c + 4 * at..][..4].copy_from_slice(&length.to_le_bytes());
            }
            [word, table]
        }

        /// Returns the page with the formats.
        fn page(&self) -> Vec<u8> {
            let mut page = vec![0; 512];
            let (mut end, mut at) = (TEXT, 256);
            page[511] = u8::try_from(self.formats.len()).unwrap();
            page[..4].copy_from_slice(&end.to_le_bytes());
            for (number, (length, changes)) in self.formats.iter().enumerate() {
                end += length;
                page[4 * number + 4..][..4].copy_from_slice(&end.to_le_bytes());
                if !changes.is_empty() {
                    page[4 * (self.formats.len() + 1) + number] = u8::try_from(at / 2).unwrap();
                    page[at] = u8::try_from(changes.len()).unwrap();
                    page[at + 1..][..changes.len()].copy_from_slice(changes);
                    at += changes.len() + 2 - changes.len() % 2;
                }
            }
            page
        }

        fn style_sheet(&self) -> Vec<u8> {
            let mut sheet = vec![18, 0];
            sheet.extend([0_u16, 10].map(u16::to_le_bytes).concat());
            sheet.resize(20, 0);
            for (is_of_characters, base, changes) in self.styles {
                let kind = if *is_of_characters { 2 } else { 1 };
                let mut style = [[0; 2], (base << 4 | kind).to_le_bytes()].concat();
                // Fixed data, the name "ab", and the list for the paragraph, of odd length.
                style.resize(10, 0);
                style.extend([2, 0, b'a', 0, b'b', 0, 0, 0]);
                style.extend_from_slice(if *is_of_characters { &[] } else { &[3, 0, 0, 0, 9, 0] });
                style.extend(u16::try_from(changes.len()).unwrap().to_le_bytes());
                style.extend_from_slice(changes);
                sheet.extend(u16::try_from(style.len()).unwrap().to_le_bytes());
                sheet.extend_from_slice(&style);
                sheet.resize(sheet.len().next_multiple_of(2), 0);
            }
            sheet
        }

        fn bytes(&self) -> Vec<u8> {
            let [word, table] = self.streams();
            compound(&[("WordDocument", word), ("1Table", table)])
        }

        fn read(&self) -> (String, Vec<String>) {
            let document = read(&self.bytes(), 1 << 20).unwrap();
            (document.content, document.hidden)
        }
    }

    #[test]
    fn a_document_of_a_real_program_is_read() {
        let document = read(OFFICE, 1 << 20).unwrap();
        let sentence =
            "Zoë opens the café at six, while the fishing boats still lie in the fog. She";
        let table = "Dish\tPrice\nFish soup\tseven\nApple cake\tthree\n";
        for part in ["The café at the harbour\n", sentence, "a pot of mint tea\n", table] {
            assert!(document.content.contains(part), "{part} in {}", document.content);
        }
        assert!(document.hidden.is_empty() && document.unread.is_none());
    }

    #[test]
    fn characters_are_written_as_a_reader_sees_them() {
        #[rustfmt::skip]
        let table: &[(&str, &[(&str, bool)], &str)] = &[
            ("nothing",            &[("\r", false)],                                "\n"),
            ("one byte",           &[("Caf\u{e9} \u{201c}a\u{201d}\r", false)],     "Café “a”\n"),
            ("two bytes",          &[("Ω \u{1d400}\r", true)],                      "Ω 𝐀\n"),
            ("pieces",             &[("a", false), ("Я", true), ("c\r", false)],    "aЯc\n"),
            ("line and page ends", &[("a\u{b}b\u{c}c\u{e}d\r", false)],             "a\nb\nc\nd\n"),
            ("hyphens",            &[("a\u{1e}b\u{1f}c\r", false)],                 "a\u{2011}b\u{ad}c\n"),
            ("marks of objects",   &[("a\u{1}\u{2}\u{5}\u{8}b\r", false)],          "ab\n"),
            ("a table",            &[("a\u{7}b\u{7}\u{7}c\u{7}d\u{7}\u{7}", false)], "a\tb\nc\td\n"),
            ("a field",            &[("a \u{13}LINK x\u{14}b\u{15} c\r", false)],   "a b c\n"),
            ("no result",          &[("a\u{13}XE x\u{15} c\r", false)],             "a c\n"),
            ("a field in a code",  &[("a\u{13}x\u{13}y\u{14}z\u{15}\u{14}b\u{15}c\r", false)], "abc\n"),
            ("a field in a result", &[("\u{13}x\u{14}a\u{13}y\u{14}b\u{15}\u{15}c\r", false)], "abc\n"),
            ("no field begins",    &[("a\u{14}b\u{15}c\r", false)],                 "abc\n"),
        ];
        for (why, pieces, want) in table {
            let (text, hidden) = Sample { pieces, ..Sample::default() }.read();
            assert_eq!((text.as_str(), hidden.len()), (*want, 0), "{why}");
        }
    }

    #[test]
    fn formats_decide_what_is_seen() {
        let hides: &[u8] = &[0x3c, 0x08, 1];
        #[rustfmt::skip]
        let table: &[(&str, &[u8], &str, &[&str])] = &[
            ("bold",             &[0x35, 0x08, 1],                                "one two three\n", &[]),
            ("hidden",           hides,                                           "one three\n",     &["two "]),
            ("not hidden",       &[0x3c, 0x08, 0],                                "one two three\n", &[]),
            ("behind others",    &[0x35, 0x08, 1, 0x61, 0x4a, 9, 9, 0x70, 0x68, 1, 1, 1, 1, 0x31, 0xc6, 1, 9, 0x3c, 0x08, 1], "one three\n", &["two "]),
            ("deleted",          &[0x00, 0x08, 1],                                "one three\n",     &[]),
            ("inserted",         &[0x01, 0x08, 1],                                "one two three\n", &[]),
            ("a symbol",         &[0x09, 0x6a, 2, 0, 0xb1, 0x03],                 "one ααααthree\n", &[]),
            ("by its style",     &[0x30, 0x4a, 1, 0],                             "one three\n",     &["two "]),
            ("by its base",      &[0x30, 0x4a, 2, 0],                             "one three\n",     &["two "]),
            ("a plain style",    &[0x30, 0x4a, 3, 0],                             "one two three\n", &[]),
            ("as its style",     &[0x30, 0x4a, 1, 0, 0x3c, 0x08, 0x80],           "one three\n",     &["two "]),
            ("not as its style", &[0x30, 0x4a, 1, 0, 0x3c, 0x08, 0x81],           "one two three\n", &[]),
            ("not as its base",  &[0x30, 0x4a, 5, 0],                             "one three\n",     &["two "]),
            ("nor as that",      &[0x30, 0x4a, 6, 0],                             "one two three\n", &[]),
            ("a ring of styles", &[0x30, 0x4a, 4, 0],                             "one two three\n", &[]),
            ("no such style",    &[0x30, 0x4a, 9, 9],                             "one two three\n", &[]),
            ("a list that is cut", &[0x3c],                                       "one two three\n", &[]),
        ];
        let styles: &[(bool, u16, &[u8])] = &[
            (false, 0xfff, &[]),
            (true, 0xfff, hides),
            (true, 1, &[]),
            (true, 1, &[0x3c, 0x08, 0]),
            (true, 4, &[]),
            (true, 3, &[0x3c, 0x08, 0x81]),
            (true, 5, &[0x3c, 0x08, 0x81]),
        ];
        for (why, changes, text, hidden) in table {
            let formats: &[(u32, &[u8])] = &[(4, &[]), (4, changes), (6, &[])];
            let pieces = &[("one two three\r", false)];
            let sample = Sample { pieces, formats, styles, ..Sample::default() };
            let read = sample.read();
            assert_eq!(
                (read.0.as_str(), read.1),
                (*text, hidden.iter().map(|it| (*it).to_owned()).collect()),
                "{why}"
            );
        }
    }

    #[test]
    fn parts_are_put_in_reading_order() {
        let pieces = &[
            ("one\rtwo\r\r", false),
            ("note\r", false),
            ("head\r", true),
            ("said\r", false),
            ("end\r", false),
            ("boxed\r\r", false),
        ];
        let parts = &[9, 5, 5, 0, 5, 4, 7, 0];
        let sample = Sample { pieces, parts, ..Sample::default() };
        assert_eq!(sample.read().0, "one\ntwo\n\nnote\nend\n");
        let sample = Sample { text_box: Some((1, 0)), ..sample };
        assert_eq!(sample.read().0, "one\nboxed\n\ntwo\n\nnote\nend\n");
    }

    #[test]
    fn documents_that_cannot_be_read_are_refused() {
        let pieces = &[("one two three\r", false)];
        let [word, table] = Sample { pieces, ..Sample::default() }.streams();
        let changed = |at: usize, byte| {
            let mut word = word.clone();
            word[at] = byte;
            compound(&[("WordDocument", word), ("1Table", table.clone())])
        };
        #[rustfmt::skip]
        let cases = [
            ("nothing",         Vec::new(),                                  "damaged Word document: not an OLE compound file"),
            ("a text",          b"not a document".repeat(99),                "damaged Word document: not an OLE compound file"),
            ("another program", compound(&[("Workbook", word.clone())]),     "damaged Word document: no stream WordDocument"),
            ("no table",        compound(&[("WordDocument", word.clone())]), "damaged Word document: no table stream"),
            ("a short header",  compound(&[("WordDocument", Vec::new()), ("1Table", Vec::new())]), "damaged Word document: not of Word 6 to 2003"),
            ("Word 2",          changed(0, 0xdb),                            "damaged Word document: not of Word 6 to 2003"),
            ("a password",      changed(11, 3),                              "password-protected Word document, expected one without a password"),
            ("no pieces",       changed(0x1a6, 0),                           "damaged Word document: its text is missing"),
        ];
        for (why, bytes, want) in cases {
            assert_eq!(read(&bytes, 1 << 20).unwrap_err().to_string(), want, "{why}");
        }
        let bytes = changed(4, 0);
        let error = read(&bytes, 15).unwrap_err().to_string();
        assert_eq!(error, "unpacks to more than the limit of 15 bytes");
        assert_eq!(read(&bytes, 16).unwrap().content, "one two three\n");
    }

    #[test]
    fn cut_documents_are_read_in_part_or_refused() {
        let whole = read(OFFICE, 1 << 20).unwrap().content;
        for end in (0..OFFICE.len()).step_by(61) {
            if let Ok(document) = read(&OFFICE[..end], 1 << 20) {
                assert_eq!(document.content != whole, document.unread.is_some(), "{end}");
            }
        }
    }

    #[test]
    fn text_outside_the_file_is_reported() {
        let pieces = &[("one two three\r", false), ("Ω\r", true)];
        let mut sample = Sample { pieces, ..Sample::default() };
        assert!(read(&sample.bytes(), 1 << 20).unwrap().unread.is_none());
        sample.parts = &[17];
        assert!(read(&sample.bytes(), 1 << 20).unwrap().unread.is_some());
    }

    #[test]
    fn the_encoding_of_an_old_document_is_that_of_its_fonts() {
        let font = |set| [&[9, 0, 0, 0, set][..], &[0; 5]].concat();
        #[rustfmt::skip]
        let table = [
            ("no fonts",       vec![],                                   false, "windows-1252"),
            ("of a Macintosh", vec![],                                   true,  "macintosh"),
            ("a cut font",     vec![0, 0, 9, 0],                         false, "windows-1252"),
            ("Latin",          [vec![0, 0], font(0)].concat(),           false, "windows-1252"),
            ("Cyrillic",       [vec![0, 0], font(0), font(204)].concat(), false, "windows-1251"),
            ("Greek",          [vec![0, 0], font(2), font(161)].concat(), true,  "windows-1253"),
        ];
        for (why, fonts, is_macintosh, want) in table {
            let want = CodePage::Known(Encoding::from_label(want).unwrap());
            assert_eq!(code_page_of(&fonts, is_macintosh), want, "{why}");
        }
    }

    proptest! {
        #[test]
        fn a_changed_document_is_read_or_refused(
            changes in prop::collection::vec((0..OFFICE.len(), any::<u8>()), 1..20),
        ) {
            let mut bytes = OFFICE.to_vec();
            for (at, byte) in changes {
                bytes[at] = byte;
            }
            if let Ok(read) = read(&bytes, 1 << 16) {
                let hidden: usize = read.hidden.iter().map(String::len).sum();
                prop_assert!(read.content.len() + hidden <= 3 << 16);
            }
        }
    }
}
