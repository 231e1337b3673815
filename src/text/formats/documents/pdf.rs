//! Extracts the text of a PDF: in a process of the program, or, for a library without one, with
//! poppler's `pdftotext`.
//!
//! Input: the bytes of a PDF. Output: its lines as on its pages. `pdftotext`, which is looked up on
//! the search path, also has the headers and footers of the pages. Words that no reader sees are
//! returned separately.

#[cfg(feature = "pdf")]
pub(super) mod process;
#[cfg(feature = "pdf")]
mod reader;

use std::collections::BTreeMap;
use std::io::Read;
use std::process::Command;

use memchr::memmem;

use super::program::{Program, ProgramOutput, cleaned};
use super::{Bounds, ExtractError, Extracted};
use crate::text::Properties;
use crate::text::properties::cleaned as cleaned_property;

const KIND: &str = "PDF";
const PROGRAM: Program = Program { name: "pdftotext", reads: "a PDF" };

/// The largest number of different messages that are counted.
const MAX_MESSAGES: usize = 100;

/// Extracts the text of a PDF.
///
/// # Errors
///
/// Returns an [`ExtractError`] if its text cannot be extracted: [`ExtractError::OnlyPictures`] if
/// it does not have a single letter or digit, as in a PDF of scanned pages.
pub(crate) fn text(bytes: &[u8], bounds: &Bounds) -> Result<Extracted, ExtractError> {
    #[cfg(feature = "pdf")]
    if let Some(reader) = bounds.pdf_reader {
        return reader.read(bytes, bounds);
    }
    // The two dashes stand for pipes: the PDF is read from one, and the text written to the other.
    let plain = ["-enc", "UTF-8", "-", "-"];
    let with_properties = [&["-htmlmeta"], &plain[..]].concat();
    match read(&mut PROGRAM.command(&with_properties), bytes, bounds) {
        // Programs of the same name that are not poppler's do not know the option.
        Err(ExtractError::Damaged { found, .. }) if found.starts_with(USAGE) => {
            read(&mut PROGRAM.command(&plain), bytes, bounds)
        }
        read => read,
    }
}

/// The beginning of the program's usage message.
const USAGE: &str = "pdftotext version";

fn read(command: &mut Command, bytes: &[u8], bounds: &Bounds) -> Result<Extracted, ExtractError> {
    let output = PROGRAM.read(command, bytes, bounds)?;
    if !output.status.success() {
        return Err(refused(&output));
    }
    let mut read = page_text(output, |text| {
        split_hidden(bytes, text, bounds).unwrap_or_else(|| (text.to_owned(), Vec::new()))
    })?;
    let mut replaced = 0;
    any_content(bytes, bounds.unpacked.unwrap_or(u64::MAX), |content| {
        replaced += replaced_words(content);
        false
    });
    if replaced >= MIN_REPLACED {
        read.damage.get_or_insert_with(|| {
            format!("{replaced} words that its pages show are others in its /ActualText")
        });
    }
    Ok(read)
}

/// The number of words from which on a warning reports that `/ActualText` replaces them: it is also
/// used for a few ligatures, initials and formulas.
const MIN_REPLACED: usize = 10;

/// Returns the number of words of a content stream that `/ActualText` replaces with other letters, as
/// far as both are written in ASCII letters.
fn replaced_words(content: &[u8]) -> usize {
    const ACTUAL_TEXT: &[u8] = b"/ActualText";
    const MAX_SPAN: usize = 1 << 12;
    let is_replaced = |at: usize| {
        let span = &content[at..content.len().min(at + MAX_SPAN)];
        let (said, shown) =
            span[..memmem::find(span, b"EMC")?].split_at_checked(memmem::find(span, b"BDC")?)?;
        // Other strings may follow it, such as the language.
        let said = said[ACTUAL_TEXT.len()..].trim_ascii_start();
        let length = match said.strip_prefix(b"(") {
            Some(string) => said.len() - after_string(string).len(),
            None => memchr::memchr(b'>', said)?,
        };
        let said = &said[..length];
        let letters = |string: Vec<u8>| {
            let is_text = |byte: &u8| *byte == b' ' || byte.is_ascii_graphic();
            let is_readable = string.iter().all(is_text);
            let letters: Vec<u8> = string.into_iter().filter(u8::is_ascii_alphabetic).collect();
            (is_readable && letters.len() >= 2).then_some(letters)
        };
        Some(letters(strings(said))? != letters(strings(shown))?)
    };
    memmem::find_iter(content, ACTUAL_TEXT).filter(|at| is_replaced(*at) == Some(true)).count()
}

/// Returns the bytes of the strings in a part of a content stream, joined; those of a hexadecimal one
/// in UTF-16 are its letters.
fn strings(mut content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(start) = memchr::memchr2(b'(', b'<', content) {
        let rest = &content[start + 1..];
        if content[start] == b'(' {
            content = after_string(rest);
            let length = (rest.len() - content.len()).saturating_sub(1);
            bytes.extend(rest[..length].iter().filter(|byte| **byte != b'\\'));
        } else {
            let end = memchr::memchr(b'>', rest).unwrap_or(rest.len());
            content = &rest[end..];
            let digits = str::from_utf8(&rest[..end]).unwrap_or_default();
            let digits = digits.strip_prefix("FEFF").or(digits.strip_prefix("feff"));
            let units = digits.unwrap_or_default().as_bytes().chunks(4);
            let letter = |unit: &[u8]| {
                let unit = u16::from_str_radix(str::from_utf8(unit).ok()?, 16).ok()?;
                Some(u8::try_from(unit).unwrap_or(b'?'))
            };
            bytes.extend(units.filter_map(letter));
        }
    }
    bytes
}

/// Returns the text that the program wrote, if it has any, with the complaints of the program. If
/// it complains of damage, a page without a letter or digit counts as missing: the program skips
/// what it cannot read, and exits as if nothing were wrong. `split_hidden` splits the text into the
/// visible text and the hidden words.
fn page_text(
    output: ProgramOutput,
    split_hidden: impl FnOnce(&str) -> (String, Vec<String>),
) -> Result<Extracted, ExtractError> {
    let messages = Messages::new(&output.stderr);
    let written = output.text();
    let (text, properties) = without_head(&written);
    if let Some(damage) = &messages.damage {
        let missing = messages.missing_page.clone().or_else(|| empty_page(text));
        if let Some(page) = missing {
            let found = format!("{page} has no text; {} says: {damage}", PROGRAM.name);
            return Err(ExtractError::Damaged { kind: KIND, found });
        }
    }
    if !text.contains(char::is_alphanumeric) {
        return Err(ExtractError::OnlyPictures { kind: PROGRAM.reads });
    }
    let (text, hidden) = split_hidden(text);
    let pages = page_starts(&text);
    let content = text.replace(END_OF_PAGE, "\n");
    let damage = messages.summary();
    Ok(Extracted { content, hidden, pages, damage, properties, ..Extracted::default() })
}

/// The HTML that `-htmlmeta` writes before, between and after the properties and the text. The text
/// itself is not escaped.
const HTML_AROUND_TEXT: [&str; 3] =
    ["<!DOCTYPE html PUBLIC", "</head>\n<body>\n<pre>\n", "</pre>\n</body>\n</html>\n"];

/// Splits the output of the program into the text and the properties of the document. The head is
/// HTML, in which no value can contain the string that ends it.
fn without_head(written: &str) -> (&str, Properties) {
    let [start, begin, end] = HTML_AROUND_TEXT;
    let parts = written.starts_with(start).then(|| written.split_once(begin)).flatten();
    let Some((head, text)) = parts else { return (written, Properties::default()) };
    let value = |name: &str| {
        let (_, value) = head.split_once(&format!("<meta name=\"{name}\" content=\""))?;
        let (value, _) = value.split_once("\"/>")?;
        cleaned_property(&quick_xml::escape::unescape(value).ok()?)
    };
    let properties = Properties {
        author: value("Author"),
        last_modified_by: None,
        created: value("CreationDate"),
    };
    (text.strip_suffix(end).unwrap_or(text), properties)
}

/// The character that the program writes after each page.
const END_OF_PAGE: char = '\u{c}';

/// Returns the pages, in order.
fn pages(text: &str) -> impl Iterator<Item = &str> {
    text.strip_suffix(END_OF_PAGE).unwrap_or(text).split(END_OF_PAGE)
}

/// Returns the byte offset at which each page begins.
fn page_starts(text: &str) -> Vec<usize> {
    let mut end = 0;
    let start = |page: &str| {
        let start = end;
        end += page.len() + END_OF_PAGE.len_utf8();
        start
    };
    pages(text).map(start).collect()
}

/// Returns the first page without a letter or digit, as `page 2`.
fn empty_page(text: &str) -> Option<String> {
    let empty = |page: &str| !page.contains(char::is_alphanumeric);
    pages(text).zip(1..).find(|(page, _)| empty(page)).map(|(_, number)| format!("page {number}"))
}

/// The complaints of the program about a PDF from which it extracted a text.
#[derive(Debug, Default)]
struct Messages {
    /// The first message.
    first: Option<String>,
    count: usize,
    /// The first message because of which some of the text may be missing.
    damage: Option<String>,
    /// The page that a message reports as missing.
    missing_page: Option<String>,
}

/// Subjects of messages that do not concern the text: the look of letters, layers and links. Many
/// intact PDFs cause such messages.
const HARMLESS: [&str; 5] = ["font", "optional content", "color", "annotation", "destination"];

/// A message about fonts that does mean missing text.
const HARMFUL: &str = "no font in";

impl Messages {
    /// Collects the messages on standard error, except those that the program itself calls
    /// warnings.
    fn new(written: &str) -> Self {
        let mut all: Vec<String> = Vec::new();
        let mut messages = Self::default();
        for line in written.lines().map(cleaned) {
            if line.is_empty() || line.starts_with("Syntax Warning") || all.contains(&line) {
                continue;
            }
            let small = line.to_ascii_lowercase();
            let is_harmless = HARMLESS.into_iter().any(|what| small.contains(what));
            if !is_harmless || small.contains(HARMFUL) {
                messages.damage.get_or_insert_with(|| line.clone());
            }
            // After "Kid object (page 2) is wrong type (null)", not even an empty page is written
            // for page 2.
            if let Some(page) =
                line.split_once("Kid object (page ").and_then(|(_, it)| it.split_once(')'))
            {
                messages.missing_page.get_or_insert_with(|| format!("page {}", page.0));
            }
            if all.len() < MAX_MESSAGES {
                all.push(line);
            }
        }
        messages.count = all.len();
        messages.first = all.into_iter().next();
        messages
    }

    /// Summarizes the messages on one line; `None` if there are none.
    fn summary(&self) -> Option<String> {
        let first = self.damage.as_ref().or(self.first.as_ref())?;
        let more = match self.count {
            0 | 1 => String::new(),
            count if count >= MAX_MESSAGES => format!(", and {} or more others", count - 1),
            count => format!(", and {} more", count - 1),
        };
        Some(format!("some of its text may be missing; {} says: {first}{more}", PROGRAM.name))
    }
}

/// Returns the refusal for the exit status and the messages of the program (poppler's manual, "Exit
/// codes").
fn refused(output: &ProgramOutput) -> ExtractError {
    const NOT_PERMITTED: Option<i32> = Some(3);
    if output.stderr.contains("Incorrect password") || output.status.code() == NOT_PERMITTED {
        return ExtractError::Locked { kind: KIND };
    }
    let gave_up = || format!("{} failed", PROGRAM.name);
    ExtractError::Damaged { kind: KIND, found: output.first_message().unwrap_or_else(gave_up) }
}

// Finds the words of a PDF that the file contains but no reader sees.
//
// Input: the bytes of a PDF, and its text. Output: the text without the hidden words, and these
// words.
//
// 1. Most PDFs cannot hide words, and for them nothing more is done. A page **may hide** words if a
//    content stream shows text in a nearly white colour or in a rendering mode that paints nothing
//    (ISO 32000-1, 9.3.6), if something is nearly transparent, if a page is cropped, or if the file
//    is encrypted, so that its streams cannot be read here.
// 2. poppler renders the pages, small and in grey, and reports the box of each word on its page,
//    and the box to which each page is cropped. A word is **hidden** if its box has a single tone
//    or is cropped away. So white words on a dark background count as visible, and so do unpainted
//    words over the image of a scanned page.
//
// Words off the medium are not in the text to begin with: poppler leaves them out. Not detected are
// black words under an image or in an unreadable size, and streams compressed with anything but
// Flate.

/// The program that renders the pages, installed together with `pdftotext`.
const RENDERER: Program = Program { name: "pdftoppm", reads: "a PDF" };

/// The program that reports the boxes to which pages are cropped, installed together with
/// `pdftotext`.
const BOX_LISTER: Program = Program { name: "pdfinfo", reads: "a PDF" };

/// The resolution of rendered pages, in pixels per inch: a letter of eight points is four pixels
/// high.
const RESOLUTION: &str = "36";

const POINTS_PER_PIXEL: f32 = 2.0;

/// The largest difference of two tones, of 256, that the eye does not notice. Letters as small as
/// these are rendered at half of their contrast.
const MAX_CONTRAST: u8 = 6;

/// A page number larger than that of any last page.
const LAST_PAGE: &str = "1000000000";

/// The smallest share of white in a nearly white colour.
const LIGHT: f32 = 0.9;

/// The largest opacity of something nearly transparent.
const TRANSPARENT: f32 = 0.1;

/// Returns the visible text and the hidden words, in order; `None` if no word is hidden, or if
/// poppler cannot decide it.
fn split_hidden(pdf: &[u8], text: &str, bounds: &Bounds) -> Option<(String, Vec<String>)> {
    if !may_have_hidden_words(pdf, bounds.unpacked.unwrap_or(u64::MAX)) {
        return None;
    }
    let arguments = ["-r", RESOLUTION, "-gray", "-"];
    let rendered = RENDERER.read(&mut RENDERER.command(&arguments), pdf, bounds).ok()?;
    let arguments = ["-bbox", "-enc", "UTF-8", "-", "-"];
    let boxes = PROGRAM.read(&mut PROGRAM.command(&arguments), pdf, bounds).ok()?.text();
    let pages = RenderedPage::all(&rendered.stdout);
    let words: Vec<Word> = words(&boxes);
    let arguments = ["-box", "-f", "1", "-l", LAST_PAGE, "-"];
    let described = BOX_LISTER.read(&mut BOX_LISTER.command(&arguments), pdf, bounds);
    let crop_boxes = described.map(|described| crop_boxes(&described.text())).unwrap_or_default();
    let is_hidden = |word: &Word| {
        pages.get(word.page).is_some_and(|page| page.has_one_tone(&word.bounding_box))
            || crop_boxes.get(&word.page).is_some_and(|crop| is_outside(&word.bounding_box, crop))
    };
    let hidden: Vec<bool> = words.iter().map(is_hidden).collect();
    if !hidden.contains(&true) {
        return None;
    }
    remove_hidden(text, &words, &hidden)
}

// Whether pages may hide words.

/// Reports whether a PDF may contain words that no reader sees. Unpacks at most `max_bytes` bytes.
fn may_have_hidden_words(pdf: &[u8], max_bytes: u64) -> bool {
    has(pdf, b"/Encrypt")
        || is_transparent(pdf)
        || is_cropped(pdf)
        || any_content(pdf, max_bytes, |content| {
            is_transparent(content) || is_cropped(content) || shows_invisible_text(content)
        })
}

/// Reports whether a stream of a PDF, other than a picture or a font, is as wanted. Unpacks at most
/// `max_bytes` bytes.
fn any_content(pdf: &[u8], max_bytes: u64, mut is_wanted: impl FnMut(&[u8]) -> bool) -> bool {
    let mut left = max_bytes;
    let (mut unpacked, mut at) = (Vec::new(), 0);
    while let Some(start) = memmem::find(&pdf[at..], b"stream") {
        let dictionary = &pdf[at..at + start];
        let line_ends = pdf[at + start + 6..].iter().take(2).take_while(|it| b"\r\n".contains(it));
        let start = at + start + 6 + line_ends.count();
        let Some(length) = memmem::find(&pdf[start..], b"endstream") else { return false };
        at = start + length + 9;
        let dictionary = &dictionary[memmem::rfind(dictionary, b"obj").unwrap_or_default()..];
        if [&b"/Image"[..], b"/Length1", b"/FontFile"].iter().any(|it| has(dictionary, it)) {
            continue;
        }
        let packed = &pdf[start..start + length];
        unpacked.clear();
        // Damaged data is unpacked as far as possible, as poppler does.
        let _ = flate2::read::ZlibDecoder::new(packed).take(left).read_to_end(&mut unpacked);
        left = left.saturating_sub(unpacked.len() as u64);
        let content = if unpacked.is_empty() { packed } else { &unpacked[..] };
        if is_wanted(content) {
            return true;
        }
    }
    false
}

fn has(bytes: &[u8], part: &[u8]) -> bool {
    memmem::find(bytes, part).is_some()
}

/// Reports whether a graphics state is nearly transparent: `/ca 0`.
fn is_transparent(bytes: &[u8]) -> bool {
    memmem::find_iter(bytes, b"/ca ").any(|at| {
        let rest = &bytes[at + 4..];
        let end = rest.iter().position(|it| !b"0123456789.".contains(it)).unwrap_or(rest.len());
        number(&rest[..end]).is_some_and(|covers| covers <= TRANSPARENT)
    })
}

/// Reports whether a page is cropped: whether there is a `/CropBox` that is not four numbers equal
/// to those of some `/MediaBox`.
fn is_cropped(bytes: &[u8]) -> bool {
    let boxes = |name: &'static [u8]| {
        memmem::find_iter(bytes, name).map(move |at| edges(&bytes[at + name.len()..]))
    };
    let media: Vec<Option<[f32; 4]>> = boxes(b"/MediaBox").collect();
    boxes(b"/CropBox").any(|crop| crop.is_none() || !media.contains(&crop))
}

/// Parses four numbers in brackets.
fn edges(bytes: &[u8]) -> Option<[f32; 4]> {
    let rest = bytes.trim_ascii_start().strip_prefix(b"[")?;
    let mut edges = rest[..memchr::memchr(b']', rest)?].split(u8::is_ascii_whitespace);
    let mut edge = || number(edges.find(|it| !it.is_empty())?);
    Some([edge()?, edge()?, edge()?, edge()?])
}

fn number(token: &[u8]) -> Option<f32> {
    std::str::from_utf8(token).ok()?.parse().ok()
}

/// The state of the graphics that decides whether text is visible.
#[derive(Clone, Copy, Default)]
struct GraphicsState {
    is_light: bool,
    is_invisible: bool,
}

/// Reports whether a content stream shows text that is nearly white or not painted.
fn shows_invisible_text(content: &[u8]) -> bool {
    let (mut graphics_state, mut saved, mut operands) =
        (GraphicsState::default(), Vec::new(), Vec::new());
    for token in ContentTokens(content) {
        if let Some(number) = number(token) {
            operands.push(number);
            continue;
        }
        let all = |is: fn(&f32) -> bool| !operands.is_empty() && operands.iter().all(is);
        match token {
            // Four values are amounts of ink (CMYK), fewer are amounts of light.
            b"g" | b"rg" | b"k" | b"sc" | b"scn" if operands.len() == 4 => {
                graphics_state.is_light = all(|value| *value <= 1.0 - LIGHT);
            }
            b"g" | b"rg" | b"k" | b"sc" | b"scn" => {
                graphics_state.is_light = all(|value| *value >= LIGHT);
            }
            b"cs" => graphics_state.is_light = false,
            b"Tr" => graphics_state.is_invisible = matches!(operands.last(), Some(3.0 | 7.0)),
            b"q" => saved.push(graphics_state),
            b"Q" => graphics_state = saved.pop().unwrap_or_default(),
            b"Tj" | b"TJ" | b"'" | b"\""
                if graphics_state.is_light || graphics_state.is_invisible =>
            {
                return true;
            }
            _ => {}
        }
        operands.clear();
    }
    false
}

/// An iterator over the numbers and operators of a content stream. Strings, names, comments and the
/// delimiters of arrays are skipped.
struct ContentTokens<'c>(&'c [u8]);

impl<'c> Iterator for ContentTokens<'c> {
    type Item = &'c [u8];

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (first, rest) = self.0.split_first()?;
            let ends_token = |it: &u8| b" \t\r\n\0\x0c()<>[]{}/%".contains(it);
            match first {
                b'(' => self.0 = after_string(rest),
                b'<' if rest.first() != Some(&b'<') => {
                    self.0 = &rest[memchr::memchr(b'>', rest).unwrap_or(rest.len())..];
                }
                b'%' => self.0 = &rest[memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())..],
                b'/' => self.0 = &rest[rest.iter().position(ends_token).unwrap_or(rest.len())..],
                _ if ends_token(first) => self.0 = rest,
                _ => {
                    let end = self.0.iter().position(ends_token).unwrap_or(self.0.len());
                    let (token, rest) = self.0.split_at(end);
                    self.0 = rest;
                    if token == b"ID" {
                        // The bytes of an inline image.
                        self.0 = &rest[memmem::find(rest, b"EI").unwrap_or(rest.len())..];
                        continue;
                    }
                    return Some(token);
                }
            }
        }
    }
}

/// Returns the content after a string, whose opening parenthesis has been read.
fn after_string(content: &[u8]) -> &[u8] {
    let (mut depth, mut at) = (1, 0);
    while depth > 0 && at < content.len() {
        match content[at] {
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    &content[at.min(content.len())..]
}

// The positions of words, and what is rendered there.

#[derive(Debug, PartialEq)]
struct Word {
    text: String,
    /// The index of the page, from 0.
    page: usize,
    /// The left, upper, right and lower edge of its box, in points.
    bounding_box: [f32; 4],
}

/// Parses the words in the output of `pdftotext -bbox`, page by page.
fn words(boxes: &str) -> Vec<Word> {
    let (mut words, mut pages) = (Vec::new(), 0_usize);
    for line in boxes.lines().map(str::trim_start) {
        if line.starts_with("<page ") {
            pages += 1;
        }
        let word = || {
            let line = line.strip_prefix("<word ")?.strip_suffix("</word>")?;
            let (edges, text) = line.split_once('>')?;
            let mut edges = edges.split('"').skip(1).step_by(2).map(|edge| edge.parse().ok());
            let bounding_box = [edges.next()??, edges.next()??, edges.next()??, edges.next()??];
            let text = quick_xml::escape::unescape(text).ok()?.into_owned();
            Some(Word { text, page: pages.checked_sub(1)?, bounding_box })
        };
        words.extend(word());
    }
    words
}

/// Parses the output of `pdfinfo -box`. Returns the box to which each page, from 0, is cropped: its
/// left, upper, right and lower edge, in points from the upper left corner of the medium after
/// rotation. For each page `pdfinfo` writes its rotation, its medium box and its crop box, in this
/// order. The lines for the pages follow the properties of the PDF, where a title may contain lines
/// of the same form, so the last ones count.
fn crop_boxes(described: &str) -> BTreeMap<usize, [f32; 4]> {
    let (mut crop_boxes, mut quarter_turns, mut media_box) = (BTreeMap::new(), 0, [0.0; 4]);
    for (name, values) in described.lines().filter_map(|line| line.split_once(':')) {
        let edges = || -> Option<[f32; 4]> {
            let edges: Option<Vec<f32>> =
                values.split_whitespace().map(|edge| edge.parse().ok()).collect();
            edges?.try_into().ok()
        };
        let name: Vec<&str> = name.split_whitespace().collect();
        match name[..] {
            ["Page", _, "rot"] => {
                quarter_turns = values.trim().parse().map_or(0, |degrees: usize| degrees / 90 % 4);
            }
            ["Page", _, "MediaBox"] => media_box = edges().unwrap_or_default(),
            ["Page", number, "CropBox"] => {
                let crop =
                    edges().map_or(UNBOUNDED, |crop| visible_box(media_box, crop, quarter_turns));
                let page = number.parse().ok().and_then(|number: usize| number.checked_sub(1));
                crop_boxes.extend(page.map(|page| (page, crop)));
            }
            _ => {}
        }
    }
    crop_boxes
}

/// The crop box of a page that is shown completely.
const UNBOUNDED: [f32; 4] = [f32::MIN, f32::MIN, f32::MAX, f32::MAX];

/// Returns the visible part of a medium that is cropped and then rotated clockwise by a number of
/// quarter turns. Both boxes are given as their left, lower, right and upper edge.
fn visible_box(media_box: [f32; 4], crop: [f32; 4], quarter_turns: usize) -> [f32; 4] {
    let [left, lower, right, upper] = media_box;
    // The widths that are cut off at the left, the top, the right and the bottom.
    let mut cut = [crop[0] - left, upper - crop[3], right - crop[2], crop[1] - lower];
    cut.rotate_right(quarter_turns);
    let size = [right - left, upper - lower];
    let [width, height] = if quarter_turns.is_multiple_of(2) { size } else { [size[1], size[0]] };
    [cut[0], cut[1], width - cut[2], height - cut[3]]
}

/// Reports whether a box lies completely outside the edges.
fn is_outside(bounding_box: &[f32; 4], edges: &[f32; 4]) -> bool {
    let [left, top, right, bottom] = bounding_box;
    *right <= edges[0] || *bottom <= edges[1] || *left >= edges[2] || *top >= edges[3]
}

/// A rendered page: the tones of its pixels, row by row.
#[derive(Debug)]
struct RenderedPage<'d> {
    width: usize,
    tones: &'d [u8],
}

impl<'d> RenderedPage<'d> {
    /// Parses the output of `pdftoppm -gray`: a sequence of portable graymaps.
    fn all(mut rendered: &'d [u8]) -> Vec<Self> {
        let mut pages = Vec::new();
        while let Some((page, rest)) = Self::first(rendered) {
            pages.push(page);
            rendered = rest;
        }
        pages
    }

    fn first(rendered: &'d [u8]) -> Option<(Self, &'d [u8])> {
        let rest = rendered.strip_prefix(b"P5\n")?;
        let (head, rest) = rest.split_at(memmem::find(rest, b"\n255\n")?);
        let (width, height) = std::str::from_utf8(head).ok()?.split_once(' ')?;
        let (width, height): (usize, usize) = (width.parse().ok()?, height.parse().ok()?);
        let (tones, rest) = rest[5..].split_at_checked(width.checked_mul(height)?)?;
        Some((Self { width, tones }, rest))
    }

    /// Reports whether all pixels within a box have nearly the same tone; `false` if there is no
    /// pixel in it.
    fn has_one_tone(&self, bounding_box: &[f32; 4]) -> bool {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a pixel, which is looked up; what is outside is none"
        )]
        let [left, top, right, bottom] =
            bounding_box.map(|edge| (edge / POINTS_PER_PIXEL).max(0.0) as usize);
        let lines =
            self.tones.chunks_exact(self.width.max(1)).take(bottom.saturating_add(1)).skip(top);
        let pixels = lines.flat_map(|line| line.iter().take(right.saturating_add(1)).skip(left));
        let range = pixels.fold(None, |range: Option<(u8, u8)>, tone| {
            let (least, most) = range.unwrap_or((*tone, *tone));
            Some((least.min(*tone), most.max(*tone)))
        });
        range.is_some_and(|(least, most)| most - least <= MAX_CONTRAST)
    }
}

// Removes words from the text.

/// Splits a text into the text without the hidden words, and these words; those with no visible
/// word between them are one piece. The words must occur in the text in order, but the text may
/// have less white space between them, and lack their hyphens at line ends. `None` if they do not
/// occur in it.
fn remove_hidden(text: &str, words: &[Word], hidden: &[bool]) -> Option<(String, Vec<String>)> {
    let mut visible = String::with_capacity(text.len());
    let mut hidden_words: Vec<String> = Vec::new();
    let mut rest = text.char_indices().peekable();
    let mut copied = 0;
    for (word, is_hidden) in words.iter().zip(hidden) {
        while rest.next_if(|(_, letter)| letter.is_whitespace()).is_some() {}
        let start = rest.peek().map_or(text.len(), |(at, _)| *at);
        for letter in word.text.chars().filter(|letter| !letter.is_whitespace()) {
            while rest.next_if(|(_, other)| other.is_whitespace()).is_some() {}
            let is_there = rest.next_if(|(_, other)| *other == letter).is_some();
            if !is_there && !matches!(letter, '-' | '\u{ad}' | '\u{2010}') {
                return None;
            }
        }
        if *is_hidden {
            let end = rest.peek().map_or(text.len(), |(at, _)| *at);
            visible.push_str(&text[copied..start]);
            match hidden_words.last_mut() {
                Some(last) if text[copied..start].trim().is_empty() => {
                    last.push(' ');
                    last.push_str(&word.text);
                }
                _ => hidden_words.push(word.text.clone()),
            }
            copied = end;
        }
    }
    visible.push_str(&text[copied..]);
    Some((visible, hidden_words))
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod hidden_tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The files and streams may be damaged.
        #[test]
        fn what_is_hidden_stays_hidden_with_more_behind_it(
            bytes in prop_oneof![
                prop::collection::vec(any::<u8>(), 0..200),
                "(stream\n|endstream|BI|ID|EI|[()<>/%\\\\\n]| ([01] g|3 Tr|Tj|q|Q) | ([01] g|3 Tr|Tj|q|Q) ){0,20}"
                    .prop_map(String::into_bytes),
            ],
            more in "(\nstream\n|\nendstream|[()<> \n]| (0 g|Tj|Q) ){0,9}",
        ) {
            let longer = [&*bytes, b"\n", more.as_bytes()].concat();
            prop_assert!(!shows_invisible_text(&bytes) || shows_invisible_text(&longer));
            prop_assert!(!may_have_hidden_words(&bytes, 1 << 20) || may_have_hidden_words(&longer, 1 << 20));
        }

        #[test]
        fn rendered_pages_are_read_up_to_the_first_damaged_one(
            pages in prop::collection::vec((0_usize..4, 0_usize..4, prop::collection::vec(0_u8..9, 9)), 0..4),
            rest in "(P5\n|[0-9]{1,20}| |\n255\n){0,9}",
        ) {
            let mut rendered = Vec::new();
            for (width, height, tones) in &pages {
                rendered.extend(format!("P5\n{width} {height}\n255\n").bytes());
                rendered.extend(&tones[..width * height]);
            }
            rendered.extend(rest.bytes());
            let read = RenderedPage::all(&rendered);
            prop_assert!(read.len() >= pages.len());
            for ((width, height, tones), read) in pages.iter().zip(&read) {
                let tones = &tones[..width * height];
                prop_assert_eq!((read.width, read.tones), (*width, tones));
                let contrast = tones.iter().max().zip(tones.iter().min()).map(|(most, least)| most - least);
                let is_one = read.has_one_tone(&[f32::NAN, -1.0, f32::INFINITY, 1e30]);
                prop_assert_eq!(is_one, contrast.is_some_and(|contrast| contrast <= MAX_CONTRAST));
            }
        }

        #[test]
        fn words_in_boxes_are_of_the_pages_before_them(
            boxes in "(<page >\n|<word a=\"1\" b=\"[0-9.]{1,40}\" c=\"3\" d=\"4\">(a|&amp;|&x;)</word>\n\
                |<word xMin=|[0-9\"\n]){0,30}",
        ) {
            let (words, pages) = (words(&boxes), boxes.matches("<page ").count());
            prop_assert!(words.is_sorted_by_key(|word| word.page), "{:?}", words);
            prop_assert!(words.iter().all(|word| word.page < pages), "{:?}", words);
            prop_assert!(words.iter().all(|word| ["a", "&"].contains(&&*word.text)), "{:?}", words);
        }

        /// Cropping and rotating a box gives the same as cropping and rotating each of its corners.
        #[test]
        fn what_is_shown_is_turned_as_its_corners_are(
            media_box in (-9_i8..9, -9_i8..9, 10_i8..30, 10_i8..30),
            cut in (0_i8..5, 0_i8..5, 0_i8..5, 0_i8..5),
            quarter_turns in 0_usize..4,
        ) {
            let [left, lower] = [media_box.0, media_box.1].map(f32::from);
            let [right, upper] = [left + f32::from(media_box.2), lower + f32::from(media_box.3)];
            let crop = [left + f32::from(cut.0), lower + f32::from(cut.1), right - f32::from(cut.2), upper - f32::from(cut.3)];
            // Offsets from the upper left corner, then rotated by a quarter turn clockwise, once
            // per quarter.
            let corners = [(crop[0], crop[3]), (crop[2], crop[1])].map(|(x, y)| {
                let (mut x, mut y, mut height) = (x - left, upper - y, upper - lower);
                let mut width = right - left;
                for _ in 0..quarter_turns {
                    (x, y, width, height) = (height - y, x, height, width);
                }
                (x, y)
            });
            let [(a, b), (c, d)] = corners;
            let (want, got) =
                ([a.min(c), b.min(d), a.max(c), b.max(d)], visible_box([left, lower, right, upper], crop, quarter_turns));
            prop_assert_eq!(got.map(f32::to_bits), want.map(f32::to_bits));
        }

        /// The removed and the remaining letters are together those of the text.
        #[test]
        fn no_letter_is_lost(words in prop::collection::vec(("[a-z水]{1,4}", any::<bool>(), "[ \n\x0c]{0,2}"), 0..20)) {
            let text: String =
                words.iter().flat_map(|(word, _, space)| [word.as_str(), space]).collect();
            let hidden: Vec<bool> = words.iter().map(|(_, is_hidden, _)| *is_hidden).collect();
            let word = |(text, ..): &(String, bool, String)| {
                Word { text: text.clone(), page: 0, bounding_box: [0.0; 4] }
            };
            let in_boxes: Vec<Word> = words.iter().map(word).collect();
            let (visible, hidden_words) = remove_hidden(&text, &in_boxes, &hidden).unwrap();
            let of = |is_hidden: bool| -> String {
                words.iter().filter(|word| word.1 == is_hidden).map(|word| word.0.as_str()).collect()
            };
            prop_assert_eq!(hidden_words.concat().replace(' ', ""), of(true));
            let visible: String = visible.chars().filter(|letter| !letter.is_whitespace()).collect();
            prop_assert_eq!(visible, of(false));
        }
    }

    #[test]
    fn text_that_is_not_painted_or_white_may_be_hidden() {
        #[rustfmt::skip]
        let table: &[(&str, &str, bool)] = &[
            ("nothing",                          "",                                      false),
            ("black, as it is without a word",   "BT /F 9 Tf (a) Tj ET",                  false),
            ("white",                            "1 g BT (a) Tj ET",                      true),
            ("nearly white",                     ".95 .97 0.9 rg BT [(a) 3 (b)] TJ ET",   true),
            ("grey",                             ".8 g (a) Tj",                           false),
            ("yellow",                           "1 1 0 rg (a) Tj",                       false),
            ("no ink",                           "0 0 0 0 k (a) Tj",                      true),
            ("ink",                              "0 0 0 1 k (a) Tj",                      false),
            ("white by a space of colours",      "/C cs 1 1 1 scn (a) Tj",                true),
            ("no ink by one",                    "/C cs 0 0 0 0 sc (a) Tj",               true),
            ("another space begins with black",  "1 g /C cs (a) Tj",                      false),
            ("white for a ground",               "1 g 0 0 9 9 re f 0 g (a) Tj",           false),
            ("white and back",                   "q 1 g Q (a) Tj",                        false),
            ("back to white",                    "1 g q 0 g (a) Tj Q (b) '",              true),
            ("not painted",                      "3 Tr (a) Tj",                           true),
            ("a path for clipping",              "7 Tr 1 2 (a) \"",                       true),
            ("painted again",                    "3 Tr 0 Tr (a) Tj",                      false),
            ("white for strokes",                "1 G (a) Tj",                            false),
            ("in a string",                      "(1 g \\) (3 Tr) ) (a) Tj",              false),
            ("in a hexadecimal string",          "<31> Tj",                               false),
            ("in a comment",                     "% 1 g\n(a) Tj",                         false),
            ("a name that ends like one",        "/1 g (a) Tj",                           false),
            ("the bytes of a picture",           "BI /W 1 ID 1 g (a) Tj EI (a) Tj",       false),
            ("too few were saved",               "Q Q 1 g (a) Tj",                        true),
        ];
        for (why, content, want) in table {
            assert_eq!(shows_invisible_text(content.as_bytes()), *want, "{why}");
        }
    }

    #[test]
    fn words_that_are_replaced_are_counted() {
        #[rustfmt::skip]
        let table: &[(&str, &str, usize)] = &[
            ("nothing",              "BT (bee) Tj ET",                                          0),
            ("another word",         "/Span <</ActualText (eeb)>> BDC (bee) Tj EMC",             1),
            ("in UTF-16",            "/Span <</ActualText <FEFF006500650062>>> BDC (bee) Tj EMC", 1),
            ("the same word",        "/Span <</ActualText (bee)>> BDC [(b) -9 (ee)] TJ EMC",      0),
            ("with its language",    "/Span <</ActualText (bee)/Lang (en)>> BDC (bee) Tj EMC",   0),
            ("a ligature",           "/Span <</ActualText (ffi)>> BDC (\x1b) Tj EMC",            0),
            ("a hyphen",             "/Span <</ActualText <FEFF00AD>>> BDC (-) Tj EMC",           0),
            ("numbers of letters",   "/Span <</ActualText (bee)>> BDC <00250018> Tj EMC",         0),
            ("never ended",          "/Span <</ActualText (eeb)>> BDC (bee) Tj",                 0),
            ("two",                  "/ActualText(ab)BDC(cd)Tj EMC /ActualText(ef)BDC(gh)Tj EMC", 2),
        ];
        for (why, content, want) in table {
            assert_eq!(replaced_words(content.as_bytes()), *want, "{why}");
        }
    }

    #[test]
    fn streams_are_looked_at_unpacked_or_not() {
        let packed = |content: &[u8]| {
            let mut packed = flate2::read::ZlibEncoder::new(content, flate2::Compression::fast());
            let mut bytes = Vec::new();
            packed.read_to_end(&mut bytes).unwrap();
            bytes
        };
        let stream = |dictionary: &str, bytes: &[u8]| {
            let head = format!("4 0 obj <<{dictionary}>> stream\r\n");
            [head.as_bytes(), bytes, b"\nendstream endobj "].concat()
        };
        let (white, black) = (b"1 g (a) Tj", b"0 g (a) Tj");
        let first = |second: Vec<u8>| [stream("", &packed(black)), second].concat();
        #[rustfmt::skip]
        let table: Vec<(&str, Vec<u8>, u64, bool)> = vec![
            ("no stream",              b"%PDF-1.7".to_vec(),                     99, false),
            ("packed",                 first(stream("", &packed(white))),        99, true),
            ("as it is",               first(stream("", white)),                 99, true),
            ("black",                  first(stream("", black)),                 99, false),
            ("a picture",              first(stream("/Subtype/Image", white)),   99, false),
            ("a font",                 first(stream("/Length1 9", white)),       99, false),
            ("over the bound",         first(stream("", &packed(white))),        12, false),
            ("a stream without end",   b"stream\n1 g (a) Tj".to_vec(),           99, false),
            ("encrypted",              b"trailer <</Encrypt 9 0 R>>".to_vec(),   99, true),
            ("transparent",            b"<</ca 0.05>>".to_vec(),                 99, true),
            ("transparent, packed",    stream("", &packed(b"<</ca 0/CA 1>>")),   99, true),
            ("not transparent",        b"<</ca 0.5/ca 1/ca x>>".to_vec(),        99, false),
            ("cropped",                b"/MediaBox[0 0 9 9]/CropBox [0 1 9 9]".to_vec(), 99, true),
            ("cropped, packed",        stream("", &packed(b"/CropBox[0 1 9 9]")), 99, true),
            ("cropped elsewhere",      b"/CropBox 7 0 R".to_vec(),               99, true),
            ("not cropped",            b"/CropBox[ 0 0\n9.0 9]/MediaBox [0 0 9 9 ]".to_vec(), 99, false),
        ];
        for (why, pdf, max_bytes, want) in table {
            assert_eq!(may_have_hidden_words(&pdf, max_bytes), want, "{why}");
        }
    }

    #[test]
    fn a_box_of_one_tone_shows_nothing() {
        // Two pages of four by two pixels; a pixel is two points wide.
        let rendered = b"P5\n4 2\n255\n\xff\xff\xff\xff\xff\xff\xf9\xf8P5\n4 2\n255\n\0\0\0\0\0\xff\0\0P5\n9 9\n255\n";
        let pages = RenderedPage::all(rendered);
        assert_eq!(pages.len(), 2, "what is cut off is no page");
        #[rustfmt::skip]
        let table: &[(&str, usize, [f32; 4], bool)] = &[
            ("white",                           0, [0.0, 0.0, 7.9, 1.9],  true),
            ("nearly",                          0, [0.0, 0.0, 5.9, 3.9],  true),
            ("a tone that is seen",             0, [0.0, 0.0, 7.9, 3.9],  false),
            ("black",                           1, [0.0, 0.0, 7.9, 1.9],  true),
            ("white on black",                  1, [0.0, 2.0, 7.9, 3.9],  false),
            ("over the edge",                   0, [-9.0, -9.0, 99.0, 1.0], true),
            ("off the page",                    0, [9.0, 9.0, 12.0, 12.0], false),
        ];
        for (why, page, bounding_box, want) in table {
            assert_eq!(pages[*page].has_one_tone(bounding_box), *want, "{why}");
        }
        assert!(RenderedPage::all(b"P5\n99999999999 99999999999\n255\n").is_empty());
        assert!(RenderedPage::all(b"P6\n1 1\n255\n\0").is_empty());
    }

    #[test]
    fn what_pages_are_cropped_to_is_read_of_their_description() {
        let described = "Title:  Page 1 CropBox: 1 2 3 4\nPage 1 CropBox: 1 2 3 4\nPage 0 CropBox: 1 2 3 4\n\
            Page    1 rot:   0\n\
            Page    1 MediaBox:      0.00     0.00   600.00   800.00\n\
            Page    1 CropBox:       0.00    40.00   600.00   800.00\n\
            Page    1 TrimBox:       9.00    40.00   600.00   800.00\n\
            Page    2 rot:   90\n\
            Page    2 MediaBox:     10.00    10.00   610.00   810.00\n\
            Page    2 CropBox:      10.00    50.00   590.00   810.00\n\
            Page    4 CropBox:      nan\n";
        let want = [[0.0, 0.0, 600.0, 760.0], [40.0, 0.0, 800.0, 580.0], UNBOUNDED];
        let pages = [0, 1, 3]; // a page without a description does not shift the others
        assert_eq!(crop_boxes(described), pages.into_iter().zip(want).collect::<BTreeMap<_, _>>());
        #[rustfmt::skip]
        let table: &[(&str, [f32; 4], bool)] = &[
            ("inside",            [10.0, 10.0, 20.0, 20.0],     false),
            ("over the edge",     [10.0, 755.0, 20.0, 765.0],   false),
            ("below",             [10.0, 760.0, 20.0, 770.0],   true),
            ("above",             [10.0, -9.0, 20.0, 0.0],      true),
            ("at the left",       [-9.0, 10.0, 0.0, 20.0],      true),
            ("at the right",      [600.0, 10.0, 610.0, 20.0],   true),
        ];
        for (why, bounding_box, is_it) in table {
            assert_eq!(is_outside(bounding_box, &want[0]), *is_it, "{why}");
            assert!(!is_outside(bounding_box, &UNBOUNDED), "{why}");
        }
    }

    #[test]
    fn words_stand_in_boxes_of_their_pages() {
        let boxes = "<doc>\n  <page width=\"9\" height=\"9\">\n  </page>\n  <page width=\"9\" height=\"9\">\n    \
            <word xMin=\"1.5\" yMin=\"2\" xMax=\"3\" yMax=\"4\">a&amp;b</word>\n    <word xMin=\"x\">c</word>";
        let word = Word { text: "a&b".to_owned(), page: 1, bounding_box: [1.5, 2.0, 3.0, 4.0] };
        assert_eq!(words(boxes), [word]);
    }

    #[test]
    fn hidden_words_are_taken_out_where_they_stand() {
        #[rustfmt::skip]
        let table: &[(&str, &str, &str, Option<(&str, &str)>)] = &[
            ("none",                    "a b\u{c}",          "a b",         Some(("a b\u{c}", ""))),
            ("in the middle",           "a b c\n\u{c}d\n",   "a *b c d",    Some(("a  c\n\u{c}d\n", "b"))),
            ("first and last",          "a b c",             "*a b *c",     Some((" b ", "a|c"))),
            ("neighbours",              "a b\nc d\u{c}e",    "a *b *c d *e", Some(("a \n d\u{c}", "b c|e"))),
            ("on two pages",            "a\n\u{c}b",          "*a *b",       Some(("\n\u{c}", "a b"))),
            ("glued to another",        "ab c",              "a *b c",      Some(("a c", "b"))),
            ("broken at a line's end",  "abcd e",            "ab- cd *e",   Some(("abcd ", "e"))),
            ("half of it",              "abcd e",            "ab- *cd e",   Some(("ab e", "cd"))),
            ("a hyphen that stands",    "a-b c",             "*a-b c",      Some((" c", "a-b"))),
            ("in another order",        "a b c",             "a *c b",      None),
            ("more than the text has",  "a",                 "a *b",        None),
            ("less than it has",        "a b",               "*a",          Some((" b", "a"))),
        ];
        for (why, text, marked, want) in table {
            let words = marked.split_whitespace().map(|word| Word {
                text: word.trim_start_matches('*').to_owned(),
                page: 0,
                bounding_box: [0.0; 4],
            });
            let words: Vec<Word> = words.collect();
            let hidden: Vec<bool> =
                marked.split_whitespace().map(|word| word.starts_with('*')).collect();
            let got = remove_hidden(text, &words, &hidden)
                .map(|(visible, hidden_words)| (visible, hidden_words.join("|")));
            let want =
                want.map(|(visible, hidden_words)| (visible.to_owned(), hidden_words.to_owned()));
            assert_eq!(got, want, "{why}");
        }
    }
}
