//! A PDF → its text, through poppler's `pdftotext`.
//!
//! Goes in: the bytes of a PDF. Comes out: its lines as they stand on its pages, headers and
//! footers of pages included: nothing in a PDF parts them from its text. Letters in a PDF lie
//! where they are to be seen; what makes words and lines of them is a program of its own, that
//! is found on the search path. Words that no reader sees are set apart.

use std::collections::BTreeMap;
use std::io::Read;
use std::process::Command;

use memchr::memmem;

use super::program::{Program, ProgramOutput, cleaned};
use super::{Bounds, Extracted, Refusal};
use crate::text::Properties;
use crate::text::properties::cleaned as cleaned_property;

const KIND: &str = "PDF";
const PROGRAM: Program = Program { name: "pdftotext", reads: "a PDF" };

/// Messages that are distinguished and counted, at most.
const MOST_TOLD_APART: usize = 100;

/// Reads the text of a PDF.
///
/// # Errors
///
/// A [`Refusal`] where it cannot be had; [`Refusal::OnlyPictures`] where there is not one
/// letter or digit, as in a PDF of scanned pages.
pub(crate) fn text(bytes: &[u8], bounds: &Bounds) -> Result<Extracted, Refusal> {
    // Both dashes are pipes: the PDF goes in, the text comes out.
    let plain = ["-enc", "UTF-8", "-", "-"];
    let with_properties = [&["-htmlmeta"], &plain[..]].concat();
    match read(&mut PROGRAM.command(&with_properties), bytes, bounds) {
        // Programs of the name that are not poppler's do not know the flag.
        Err(Refusal::Damaged { found, .. }) if found.starts_with(USAGE) => {
            read(&mut PROGRAM.command(&plain), bytes, bounds)
        }
        read => read,
    }
}

/// How the program begins to say which flags it has.
const USAGE: &str = "pdftotext version";

/// Reads the text of a PDF by a command.
fn read(command: &mut Command, bytes: &[u8], bounds: &Bounds) -> Result<Extracted, Refusal> {
    let output = PROGRAM.read(command, bytes, bounds)?;
    if !output.status.success() {
        return Err(refused(&output));
    }
    page_text(output, |text| seen(bytes, text, bounds))
}

/// The text that the program wrote, where it holds any, and what it complains of. A page without
/// a letter or digit is missing where it complains of damage: it skips what it cannot read, and
/// ends as if nothing was wrong. `seen` parts the text into what is seen and the words that are not.
fn page_text(
    output: ProgramOutput,
    seen: impl FnOnce(&str) -> Option<(String, Vec<String>)>,
) -> Result<Extracted, Refusal> {
    let messages = Messages::new(&output.stderr);
    let written = output.text();
    let (text, properties) = without_head(&written);
    if let Some(damage) = &messages.damage {
        let missing = messages.missing_page.clone().or_else(|| empty_page(text));
        if let Some(page) = missing {
            let found = format!("{page} has no text; {} says: {damage}", PROGRAM.name);
            return Err(Refusal::Damaged { kind: KIND, found });
        }
    }
    if !text.contains(char::is_alphanumeric) {
        return Err(Refusal::OnlyPictures { kind: KIND });
    }
    let (text, hidden) = seen(text).unwrap_or_else(|| (text.to_owned(), Vec::new()));
    let pages = page_starts(&text);
    let content = text.replace(END_OF_PAGE, "\n");
    let damage = messages.summary();
    Ok(Extracted { content, hidden, pages, damage, properties, ..Extracted::default() })
}

/// What `-htmlmeta` puts around the text, which stands there as it is.
const AROUND: [&str; 3] =
    ["<!DOCTYPE html PUBLIC", "</head>\n<body>\n<pre>\n", "</pre>\n</body>\n</html>\n"];

/// The text of what the program wrote, and what it says of those who wrote it. In the head, which
/// is HTML, no name holds what ends that.
fn without_head(written: &str) -> (&str, Properties) {
    let [start, begin, end] = AROUND;
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

/// What the program writes behind each page.
const END_OF_PAGE: char = '\u{c}';

/// The pages, in order.
fn pages(text: &str) -> impl Iterator<Item = &str> {
    text.strip_suffix(END_OF_PAGE).unwrap_or(text).split(END_OF_PAGE)
}

/// Where each page begins, in bytes.
fn page_starts(text: &str) -> Vec<usize> {
    let mut end = 0;
    let start = |page: &str| {
        let start = end;
        end += page.len() + END_OF_PAGE.len_utf8();
        start
    };
    pages(text).map(start).collect()
}

/// The first page without a letter or digit.
fn empty_page(text: &str) -> Option<String> {
    let empty = |page: &str| !page.contains(char::is_alphanumeric);
    pages(text).zip(1..).find(|(page, _)| empty(page)).map(|(_, number)| format!("page {number}"))
}

/// What the program complains of, though it gave a text.
#[derive(Debug, Default)]
struct Messages {
    /// The first.
    first: Option<String>,
    /// How many different ones there are.
    count: usize,
    /// The first that some of the text may be missing for.
    damage: Option<String>,
    /// The page that it says is missing.
    missing_page: Option<String>,
}

/// What a message is about that leaves no text out: how letters look, layers and links. Many
/// sound PDFs give reason for such.
const HARMLESS: [&str; 5] = ["font", "optional content", "color", "annotation", "destination"];

/// What is about letters and leaves them out all the same.
const HARMFUL: &str = "no font in";

impl Messages {
    /// Of what the program wrote on standard error, without what it calls warnings itself.
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
            // "Kid object (page 2) is wrong type (null)": such a page is not even written empty.
            if let Some(page) =
                line.split_once("Kid object (page ").and_then(|(_, it)| it.split_once(')'))
            {
                messages.missing_page.get_or_insert_with(|| format!("page {}", page.0));
            }
            if all.len() < MOST_TOLD_APART {
                all.push(line);
            }
        }
        messages.count = all.len();
        messages.first = all.into_iter().next();
        messages
    }

    /// All of them in a line; none where there are none.
    fn summary(&self) -> Option<String> {
        let first = self.damage.as_ref().or(self.first.as_ref())?;
        let more = match self.count {
            0 | 1 => String::new(),
            count if count >= MOST_TOLD_APART => format!(", and {} or more others", count - 1),
            count => format!(", and {} more", count - 1),
        };
        Some(format!("some of its text may be missing; {} says: {first}{more}", PROGRAM.name))
    }
}

/// What the program's end and its messages mean (poppler's manual, "Exit codes").
fn refused(output: &ProgramOutput) -> Refusal {
    const NOT_PERMITTED: Option<i32> = Some(3);
    if output.stderr.contains("Incorrect password") || output.status.code() == NOT_PERMITTED {
        return Refusal::Locked { kind: KIND };
    }
    let gave_up = || format!("{} gave up on it", PROGRAM.name);
    Refusal::Damaged { kind: KIND, found: output.first_message().unwrap_or_else(gave_up) }
}

// The words of a PDF that no reader sees, though the file holds them.
//
// Goes in: the bytes of a PDF, and its text. Comes out: the text without such words, and these.
//
// 1. Only where a page **may hide** words is more done, as for few PDFs: where a content stream
//    shows text in what is nearly white or by a rendering mode that paints nothing (ISO 32000-1,
//    9.3.6), where something is nearly transparent, where a page is cropped, and where the file is
//    encrypted, so that the streams cannot be read here.
// 2. poppler draws the pages, small and in grey, and says in which box of its page each word stands, and
//    to what a page is cropped. A word is **hidden** where its box has one tone or is cropped away. So white
//    words on a dark ground are shown, and so are those that lie, not painted, over the picture of a scanned
//    page.
//
// Words outside of the medium, of which a page may show a part, are not in the text to begin with: poppler
// leaves them out. Black words under a picture or in a size that no one can read are not looked for, nor
// are streams packed by anything but Flate.

/// What draws the pages; it comes with the program that reads them.
const PAINTER: Program = Program { name: "pdftoppm", reads: "a PDF" };

/// What says to what pages are cropped; it comes with them, too.
const DESCRIBER: Program = Program { name: "pdfinfo", reads: "a PDF" };

/// Pixels an inch of what is drawn: a letter of eight points is four of them high.
const RESOLUTION: &str = "36";

/// Points a pixel.
const POINTS: f32 = 2.0;

/// The greatest difference of two tones, of 256, that the eye does not notice; letters as small as these
/// are drawn in half of their tone.
const MOST_CONTRAST: u8 = 6;

/// A number above that of any last page.
const LAST_PAGE: &str = "1000000000";

/// The least part of white that is nearly white, of 1.
const LIGHT: f32 = 0.9;

/// The most that something nearly transparent covers, of 1.
const TRANSPARENT: f32 = 0.1;

/// The text that is seen, and the words that are not, in their order; nothing where all are seen
/// or poppler does not say.
fn seen(pdf: &[u8], text: &str, bounds: &Bounds) -> Option<(String, Vec<String>)> {
    if !may_hide(pdf, bounds.unpacked.unwrap_or(u64::MAX)) {
        return None;
    }
    let arguments = ["-r", RESOLUTION, "-gray", "-"];
    let drawn = PAINTER.read(&mut PAINTER.command(&arguments), pdf, bounds).ok()?;
    let arguments = ["-bbox", "-enc", "UTF-8", "-", "-"];
    let boxes = PROGRAM.read(&mut PROGRAM.command(&arguments), pdf, bounds).ok()?.text();
    let pages = Page::all(&drawn.stdout);
    let words: Vec<Word> = words(&boxes);
    let arguments = ["-box", "-f", "1", "-l", LAST_PAGE, "-"];
    let described = DESCRIBER.read(&mut DESCRIBER.command(&arguments), pdf, bounds);
    let crops = described.map(|described| crops(&described.text())).unwrap_or_default();
    let is_hidden = |word: &Word| {
        pages.get(word.page).is_some_and(|page| page.has_one_tone(&word.within))
            || crops.get(&word.page).is_some_and(|crop| is_outside(&word.within, crop))
    };
    let hidden: Vec<bool> = words.iter().map(is_hidden).collect();
    if !hidden.contains(&true) {
        return None;
    }
    without(text, &words, &hidden)
}

// Whether pages may hide words.

/// Whether a PDF may have words that no reader sees. At most `most` bytes are unpacked.
fn may_hide(pdf: &[u8], most: u64) -> bool {
    if has(pdf, b"/Encrypt") || is_transparent(pdf) || is_cropped(pdf) {
        return true;
    }
    let mut left = most;
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
        // What is damaged is read as far as it goes, as poppler does.
        let _ = flate2::read::ZlibDecoder::new(packed).take(left).read_to_end(&mut unpacked);
        left = left.saturating_sub(unpacked.len() as u64);
        let content = if unpacked.is_empty() { packed } else { &unpacked[..] };
        if is_transparent(content) || is_cropped(content) || shows_unseen(content) {
            return true;
        }
    }
    false
}

fn has(bytes: &[u8], part: &[u8]) -> bool {
    memmem::find(bytes, part).is_some()
}

/// Whether a state of graphics covers nearly nothing of what is below: `/ca 0`.
fn is_transparent(bytes: &[u8]) -> bool {
    memmem::find_iter(bytes, b"/ca ").any(|at| {
        let rest = &bytes[at + 4..];
        let end = rest.iter().position(|it| !b"0123456789.".contains(it)).unwrap_or(rest.len());
        number(&rest[..end]).is_some_and(|covers| covers <= TRANSPARENT)
    })
}

/// Whether a page is cropped: a `/CropBox` is not written as numbers that a `/MediaBox` has, too.
fn is_cropped(bytes: &[u8]) -> bool {
    let edges = |name: &'static [u8]| {
        memmem::find_iter(bytes, name).map(move |at| edges(&bytes[at + name.len()..]))
    };
    let media: Vec<Option<[f32; 4]>> = edges(b"/MediaBox").collect();
    edges(b"/CropBox").any(|crop| crop.is_none() || !media.contains(&crop))
}

/// Four numbers in brackets.
fn edges(bytes: &[u8]) -> Option<[f32; 4]> {
    let rest = bytes.trim_ascii_start().strip_prefix(b"[")?;
    let mut edges = rest[..memchr::memchr(b']', rest)?].split(u8::is_ascii_whitespace);
    let mut edge = || number(edges.find(|it| !it.is_empty())?);
    Some([edge()?, edge()?, edge()?, edge()?])
}

fn number(token: &[u8]) -> Option<f32> {
    std::str::from_utf8(token).ok()?.parse().ok()
}

/// How text is painted.
#[derive(Clone, Copy, Default)]
struct Paint {
    is_light: bool,
    is_invisible: bool,
}

/// Whether a content stream shows text in nearly white, or does not paint it.
fn shows_unseen(content: &[u8]) -> bool {
    let (mut paint, mut saved, mut operands) = (Paint::default(), Vec::new(), Vec::new());
    for token in Tokens(content) {
        if let Some(number) = number(token) {
            operands.push(number);
            continue;
        }
        let all = |is: fn(&f32) -> bool| !operands.is_empty() && operands.iter().all(is);
        match token {
            // Four are parts of ink, others of light.
            b"g" | b"rg" | b"k" | b"sc" | b"scn" if operands.len() == 4 => {
                paint.is_light = all(|value| *value <= 1.0 - LIGHT);
            }
            b"g" | b"rg" | b"k" | b"sc" | b"scn" => paint.is_light = all(|value| *value >= LIGHT),
            b"cs" => paint.is_light = false,
            b"Tr" => paint.is_invisible = matches!(operands.last(), Some(3.0 | 7.0)),
            b"q" => saved.push(paint),
            b"Q" => paint = saved.pop().unwrap_or_default(),
            b"Tj" | b"TJ" | b"'" | b"\"" if paint.is_light || paint.is_invisible => return true,
            _ => {}
        }
        operands.clear();
    }
    false
}

/// The numbers and operators of a content stream. Strings, names and marks of arrays are skipped.
struct Tokens<'c>(&'c [u8]);

impl<'c> Iterator for Tokens<'c> {
    type Item = &'c [u8];

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (first, rest) = self.0.split_first()?;
            let ends_token = |it: &u8| b" \t\r\n\0\x0c()<>[]{}/%".contains(it);
            match first {
                b'(' => self.0 = behind_string(rest),
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
                        // The bytes of a picture.
                        self.0 = &rest[memmem::find(rest, b"EI").unwrap_or(rest.len())..];
                        continue;
                    }
                    return Some(token);
                }
            }
        }
    }
}

/// What follows a string whose parenthesis is open.
fn behind_string(content: &[u8]) -> &[u8] {
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

// Where words stand, and what is drawn there.

/// A word of a page.
#[derive(Debug, PartialEq)]
struct Word {
    text: String,
    /// The page, from 0.
    page: usize,
    /// The left, upper, right and lower edge of its box, in points.
    within: [f32; 4],
}

/// The words that `pdftotext -bbox` wrote, page by page.
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
            let within = [edges.next()??, edges.next()??, edges.next()??, edges.next()??];
            let text = quick_xml::escape::unescape(text).ok()?.into_owned();
            Some(Word { text, page: pages.checked_sub(1)?, within })
        };
        words.extend(word());
    }
    words
}

/// What each page, from 0, is cropped to: the left, upper, right and lower edge, in points from the upper
/// left corner of its medium as it is turned. `pdfinfo -box` wrote for each page how far it is turned, its
/// medium and what that is cropped to, in this order. It did so behind what the PDF says of itself, where a
/// title may have lines that look alike: the last ones count.
fn crops(described: &str) -> BTreeMap<usize, [f32; 4]> {
    let (mut crops, mut quarters, mut medium) = (BTreeMap::new(), 0, [0.0; 4]);
    for (name, values) in described.lines().filter_map(|line| line.split_once(':')) {
        let edges = || -> Option<[f32; 4]> {
            let edges: Option<Vec<f32>> =
                values.split_whitespace().map(|edge| edge.parse().ok()).collect();
            edges?.try_into().ok()
        };
        let name: Vec<&str> = name.split_whitespace().collect();
        match name[..] {
            ["Page", _, "rot"] => {
                quarters = values.trim().parse().map_or(0, |degrees: usize| degrees / 90 % 4);
            }
            ["Page", _, "MediaBox"] => medium = edges().unwrap_or_default(),
            ["Page", number, "CropBox"] => {
                let crop = edges().map_or(EVERYTHING, |crop| shown(medium, crop, quarters));
                let page = number.parse().ok().and_then(|number: usize| number.checked_sub(1));
                crops.extend(page.map(|page| (page, crop)));
            }
            _ => {}
        }
    }
    crops
}

/// A page of which all is shown.
const EVERYTHING: [f32; 4] = [f32::MIN, f32::MIN, f32::MAX, f32::MAX];

/// What is shown of a medium that is cropped and then turned clockwise by some quarters. Both boxes are the
/// left, lower, right and upper edge.
fn shown(medium: [f32; 4], crop: [f32; 4], quarters: usize) -> [f32; 4] {
    let [left, lower, right, upper] = medium;
    // What is cut away at the left, above, at the right and below.
    let mut cut = [crop[0] - left, upper - crop[3], right - crop[2], crop[1] - lower];
    cut.rotate_right(quarters);
    let size = [right - left, upper - lower];
    let [width, height] = if quarters.is_multiple_of(2) { size } else { [size[1], size[0]] };
    [cut[0], cut[1], width - cut[2], height - cut[3]]
}

/// Whether a box has no point within the edges.
fn is_outside(within: &[f32; 4], edges: &[f32; 4]) -> bool {
    let [left, top, right, bottom] = within;
    *right <= edges[0] || *bottom <= edges[1] || *left >= edges[2] || *top >= edges[3]
}

/// A page as it was drawn: the tones of its pixels, line by line.
#[derive(Debug)]
struct Page<'d> {
    width: usize,
    tones: &'d [u8],
}

impl<'d> Page<'d> {
    /// The pages of what `pdftoppm -gray` wrote: portable grey maps, one behind the other.
    fn all(mut drawn: &'d [u8]) -> Vec<Self> {
        let mut pages = Vec::new();
        while let Some((page, rest)) = Self::first(drawn) {
            pages.push(page);
            drawn = rest;
        }
        pages
    }

    fn first(drawn: &'d [u8]) -> Option<(Self, &'d [u8])> {
        let rest = drawn.strip_prefix(b"P5\n")?;
        let (head, rest) = rest.split_at(memmem::find(rest, b"\n255\n")?);
        let (width, height) = std::str::from_utf8(head).ok()?.split_once(' ')?;
        let (width, height): (usize, usize) = (width.parse().ok()?, height.parse().ok()?);
        let (tones, rest) = rest[5..].split_at_checked(width.checked_mul(height)?)?;
        Some((Self { width, tones }, rest))
    }

    /// Whether all pixels within a box, one at least, have nearly one tone.
    fn has_one_tone(&self, within: &[f32; 4]) -> bool {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a pixel, which is looked up; what is outside is none"
        )]
        let [left, top, right, bottom] = within.map(|edge| (edge / POINTS).max(0.0) as usize);
        let lines = self.tones.chunks_exact(self.width.max(1)).take(bottom + 1).skip(top);
        let pixels = lines.flat_map(|line| line.iter().take(right + 1).skip(left));
        let range = pixels.fold(None, |range: Option<(u8, u8)>, tone| {
            let (least, most) = range.unwrap_or((*tone, *tone));
            Some((least.min(*tone), most.max(*tone)))
        });
        range.is_some_and(|(least, most)| most - least <= MOST_CONTRAST)
    }
}

// The text without some words of its pages.

/// A text without the words that are hidden, and these. The words stand in the text in their order,
/// perhaps with less between them, and without a hyphen at the end of a line; none where they do not.
fn without(text: &str, words: &[Word], hidden: &[bool]) -> Option<(String, Vec<String>)> {
    let (mut seen, mut unseen) = (String::with_capacity(text.len()), Vec::new());
    let mut rest = text.char_indices().peekable();
    let mut copied = 0;
    for (word, is_hidden) in words.iter().zip(hidden) {
        while rest.next_if(|(_, letter)| letter.is_whitespace()).is_some() {}
        let start = rest.peek().map_or(text.len(), |(at, _)| *at);
        for letter in word.text.chars().filter(|letter| !letter.is_whitespace()) {
            while rest.next_if(|(_, other)| other.is_whitespace()).is_some() {}
            let is_there = rest.next_if(|(_, other)| *other == letter).is_some();
            if !is_there && !is_hyphen(letter) {
                return None;
            }
        }
        if *is_hidden {
            let end = rest.peek().map_or(text.len(), |(at, _)| *at);
            seen.push_str(&text[copied..start]);
            unseen.push(word.text.clone());
            copied = end;
        }
    }
    seen.push_str(&text[copied..]);
    Some((seen, unseen))
}

fn is_hyphen(letter: char) -> bool {
    matches!(letter, '-' | '\u{ad}' | '\u{2010}')
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod hidden_tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever programs and files hold is read to its end.
        #[test]
        fn any_bytes_are_read(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            content in "(stream\n|endstream|BI|ID|EI|[()<>/% \\\\\n]|1 g|Tj|q|Q|[0-9.]{1,9}){0,30}",
            drawn in "(P5\n|[0-9]{1,20}| |\n255\n){0,9}",
            boxes in "(<page |<word xMin=|\"|[0-9.]{1,3}|>|&amp;|</word>|\n){0,30}",
        ) {
            for bytes in [&bytes[..], content.as_bytes(), drawn.as_bytes()] {
                may_hide(bytes, 1 << 20);
                shows_unseen(bytes);
                for page in Page::all(bytes) {
                    page.has_one_tone(&[f32::NAN, -1.0, f32::INFINITY, 1e30]);
                }
            }
            words(&boxes);
            crops(&boxes);
        }

        /// A box is cropped, and turned by quarters, as each of its corners is.
        #[test]
        fn what_is_shown_is_turned_as_its_corners_are(
            medium in (-9_i8..9, -9_i8..9, 10_i8..30, 10_i8..30),
            cut in (0_i8..5, 0_i8..5, 0_i8..5, 0_i8..5),
            quarters in 0_usize..4,
        ) {
            let [left, lower] = [medium.0, medium.1].map(f32::from);
            let [right, upper] = [left + f32::from(medium.2), lower + f32::from(medium.3)];
            let crop = [left + f32::from(cut.0), lower + f32::from(cut.1), right - f32::from(cut.2), upper - f32::from(cut.3)];
            // From the upper left corner; then a quarter clockwise, once for each.
            let corners = [(crop[0], crop[3]), (crop[2], crop[1])].map(|(x, y)| {
                let (mut x, mut y, mut height) = (x - left, upper - y, upper - lower);
                let mut width = right - left;
                for _ in 0..quarters {
                    (x, y, width, height) = (height - y, x, height, width);
                }
                (x, y)
            });
            let [(a, b), (c, d)] = corners;
            let (want, got) =
                ([a.min(c), b.min(d), a.max(c), b.max(d)], shown([left, lower, right, upper], crop, quarters));
            prop_assert_eq!(got.map(f32::to_bits), want.map(f32::to_bits));
        }

        /// What is taken out and what is left are the letters that there were.
        #[test]
        fn no_letter_is_lost(words in prop::collection::vec(("[a-z水]{1,4}", any::<bool>(), "[ \n\x0c]{0,2}"), 0..20)) {
            let text: String =
                words.iter().flat_map(|(word, _, space)| [word.as_str(), space]).collect();
            let hidden: Vec<bool> = words.iter().map(|(_, is_hidden, _)| *is_hidden).collect();
            let word = |(text, ..): &(String, bool, String)| {
                Word { text: text.clone(), page: 0, within: [0.0; 4] }
            };
            let in_boxes: Vec<Word> = words.iter().map(word).collect();
            let (seen, unseen) = without(&text, &in_boxes, &hidden).unwrap();
            let of = |is_hidden: bool| -> String {
                words.iter().filter(|word| word.1 == is_hidden).map(|word| word.0.as_str()).collect()
            };
            prop_assert_eq!(unseen.concat(), of(true));
            let seen: String = seen.chars().filter(|letter| !letter.is_whitespace()).collect();
            prop_assert_eq!(seen, of(false));
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
            assert_eq!(shows_unseen(content.as_bytes()), *want, "{why}");
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
        for (why, pdf, most, want) in table {
            assert_eq!(may_hide(&pdf, most), want, "{why}");
        }
    }

    #[test]
    fn a_box_of_one_tone_shows_nothing() {
        // Two pages of four by two pixels; one pixel is two points.
        let drawn = b"P5\n4 2\n255\n\xff\xff\xff\xff\xff\xff\xf9\xf8P5\n4 2\n255\n\0\0\0\0\0\xff\0\0P5\n9 9\n255\n";
        let pages = Page::all(drawn);
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
        for (why, page, within, want) in table {
            assert_eq!(pages[*page].has_one_tone(within), *want, "{why}");
        }
        assert!(Page::all(b"P5\n99999999999 99999999999\n255\n").is_empty());
        assert!(Page::all(b"P6\n1 1\n255\n\0").is_empty());
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
        let want = [[0.0, 0.0, 600.0, 760.0], [40.0, 0.0, 800.0, 580.0], EVERYTHING];
        let pages = [0, 1, 3]; // one that is not described is missed by no other
        assert_eq!(crops(described), pages.into_iter().zip(want).collect::<BTreeMap<_, _>>());
        #[rustfmt::skip]
        let table: &[(&str, [f32; 4], bool)] = &[
            ("inside",            [10.0, 10.0, 20.0, 20.0],     false),
            ("over the edge",     [10.0, 755.0, 20.0, 765.0],   false),
            ("below",             [10.0, 760.0, 20.0, 770.0],   true),
            ("above",             [10.0, -9.0, 20.0, 0.0],      true),
            ("at the left",       [-9.0, 10.0, 0.0, 20.0],      true),
            ("at the right",      [600.0, 10.0, 610.0, 20.0],   true),
        ];
        for (why, within, is_it) in table {
            assert_eq!(is_outside(within, &want[0]), *is_it, "{why}");
            assert!(!is_outside(within, &EVERYTHING), "{why}");
        }
    }

    #[test]
    fn words_stand_in_boxes_of_their_pages() {
        let boxes = "<doc>\n  <page width=\"9\" height=\"9\">\n  </page>\n  <page width=\"9\" height=\"9\">\n    \
            <word xMin=\"1.5\" yMin=\"2\" xMax=\"3\" yMax=\"4\">a&amp;b</word>\n    <word xMin=\"x\">c</word>";
        let word = Word { text: "a&b".to_owned(), page: 1, within: [1.5, 2.0, 3.0, 4.0] };
        assert_eq!(words(boxes), [word]);
    }

    #[test]
    fn hidden_words_are_taken_out_where_they_stand() {
        #[rustfmt::skip]
        let table: &[(&str, &str, &str, Option<(&str, &str)>)] = &[
            ("none",                    "a b\u{c}",          "a b",         Some(("a b\u{c}", ""))),
            ("in the middle",           "a b c\n\u{c}d\n",   "a *b c d",    Some(("a  c\n\u{c}d\n", "b"))),
            ("first and last",          "a b c",             "*a b *c",     Some((" b ", "a c"))),
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
                within: [0.0; 4],
            });
            let words: Vec<Word> = words.collect();
            let hidden: Vec<bool> =
                marked.split_whitespace().map(|word| word.starts_with('*')).collect();
            let got = without(text, &words, &hidden).map(|(seen, unseen)| (seen, unseen.join(" ")));
            let want = want.map(|(seen, unseen)| (seen.to_owned(), unseen.to_owned()));
            assert_eq!(got, want, "{why}");
        }
    }
}
