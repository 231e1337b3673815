//! Reads a PDF.
//!
//! Input: the bytes of a PDF. Output: its lines, page by page, as a reader sees them, the words
//! that no reader sees, and what is not read. It may take without end and as much memory as there
//! is: it is to run in a process of its own.

mod canvas;
mod columns;
mod fonts;
mod glyphs;
mod heads;
mod lines;
mod order;

use std::io;

use hayro_interpret::hayro_syntax::metadata::Metadata;
use hayro_interpret::hayro_syntax::object::{Array, Dict, Name, Stream, String as PdfString};
use hayro_interpret::hayro_syntax::page::Page as PdfPage;
use hayro_interpret::hayro_syntax::{DecryptionError, Filter, LoadPdfError, Pdf};
use hayro_interpret::kurbo::{Rect, Vec2};
use hayro_interpret::{
    Context, InterpreterCache, InterpreterSettings, RenderContent, TransformExt, interpret_page,
};

use unicode_segmentation::UnicodeSegmentation;

use columns::in_reading_order;
use fonts::Fonts;
use glyphs::{Glyph, Page, text_string};
use heads::remove_heads;
use lines::{Line, Placed, lines};

use super::super::{ExtractError, Extracted};
use super::KIND;
use crate::text::Properties;
use crate::text::properties::cleaned as cleaned_property;

/// The largest number of nodes of the tree of attachments that are looked at.
const MAX_NODES: usize = 10_000;

/// The number of words from which on a warning reports that `/ActualText` replaces them, and of
/// letters that `/ToUnicode` gives as others: both happen to a few ligatures, initials and formulas.
const MIN_REPLACED: usize = 10;

/// The smallest share of a page that is a picture of one if it has no letter.
const MIN_PICTURE: f64 = 0.1;

/// Extracts the text of a PDF, of at most a number of bytes.
///
/// # Errors
///
/// Returns an [`ExtractError`] if its text cannot be extracted: [`ExtractError::OnlyPictures`] if
/// it does not have a single letter or digit, as in a PDF of scanned pages.
pub(super) fn read(bytes: &[u8], max_bytes: u64) -> Result<Extracted, ExtractError> {
    let damaged = |found: String| ExtractError::Damaged { kind: KIND, found };
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
            ExtractError::Locked { kind: KIND }
        }
        LoadPdfError::Decryption(_) => damaged("its encryption is not known".to_owned()),
        LoadPdfError::Invalid => damaged("no pages in it".to_owned()),
    })?;
    let pages = pdf.pages();
    if pages.is_empty() {
        return Err(damaged("no pages in it".to_owned()));
    }
    let catalog: Option<Dict<'_>> = pdf.xref().get(pdf.xref().root_id());
    let declared = || catalog.as_ref()?.get::<Dict<'_>>(b"Pages")?.get::<usize>(b"Count");
    if let Some(declared) = declared().filter(|declared| *declared > pages.len()) {
        return Err(damaged(format!(
            "{} of its {declared} pages are missing",
            declared - pages.len()
        )));
    }
    let cache = InterpreterCache::new();
    let settings = InterpreterSettings {
        render_content: RenderContent::PAGE,
        ..InterpreterSettings::default()
    };
    let (mut seen, mut hidden, mut left) = (Vec::new(), Vec::new(), max_bytes);
    let mut unread = Unread::default();
    let mut fonts = Fonts::new(&pdf);
    for (page, number) in pages.iter().zip(1..) {
        let (width, height) = page.render_dimensions();
        let (width, height) = (f64::from(width), f64::from(height));
        let mut drawn = Page::new([width, height], left, &mut fonts);
        let bounds = Rect::new(0.0, 0.0, width, height);
        let transform = page.initial_transform(true).to_kurbo();
        let mut context = Context::new(transform, bounds, &cache, pdf.xref(), settings.clone());
        interpret_page(page, &mut context, &mut drawn);
        left = drawn.left;
        if left == 0 {
            return Err(ExtractError::TooLarge { max_bytes });
        }
        let [shown, not_shown] = drawn.take_glyphs().map(page_lines);
        hidden.extend(not_shown.into_iter().map(|line| line.text));
        if is_damaged(page) {
            if shown.is_empty() && drawn.picture < MIN_PICTURE {
                return Err(damaged(format!("page {number} has no text, and cannot be unpacked")));
            }
            unread.damaged.push(number);
        }
        unread.add_page(page, &drawn, &shown, number);
        seen.push(shown);
    }
    if let Some(catalog) = &catalog {
        unread.attachments += attachments(catalog);
        unread.layers = layers_off(catalog);
    }
    let words_of_heads = remove_heads(&mut seen);
    hidden.retain(|piece: &String| piece.contains(char::is_alphanumeric));
    let (mut content, mut starts) = (String::new(), Vec::new());
    for page in seen {
        starts.push(content.len());
        for row in page.chunk_by(Line::is_followed_by) {
            let parts: Vec<&str> = row.iter().map(|line| line.text.as_str()).collect();
            content.push_str(&parts.join(" "));
            content.push('\n');
        }
    }
    if !content.contains(char::is_alphanumeric) && hidden.is_empty() {
        return Err(ExtractError::OnlyPictures { kind: "a PDF" });
    }
    let properties = properties(pdf.metadata());
    let unread = unread.notice();
    let around = [words_of_heads, words_of_heads + content.unicode_words().count()];
    Ok(Extracted {
        content,
        hidden,
        pages: starts,
        unread,
        around,
        properties,
        ..Extracted::default()
    })
}

/// Reports whether what a page draws cannot be unpacked completely. Checksums are not looked at:
/// those of many intact PDFs are wrong.
fn is_damaged(page: &PdfPage<'_>) -> bool {
    const HEADER: usize = 2;
    let contents = page.raw();
    let streams = contents.get::<Stream<'_>>(b"Contents").map(|it| vec![it]);
    let parts =
        || contents.get::<Array<'_>>(b"Contents").map(|it| it.iter::<Stream<'_>>().collect());
    streams.or_else(parts).unwrap_or_default().iter().any(|stream: &Stream<'_>| {
        let packed = stream.raw_data();
        let is_deflated = matches!(stream.filters()[..], [Filter::FlateDecode]);
        let packed = packed.get(HEADER..).filter(|_| is_deflated);
        packed.is_some_and(|packed| {
            io::copy(&mut flate2::read::DeflateDecoder::new(packed), &mut io::sink()).is_err()
        })
    })
}

/// Returns the lines of a page in reading order: first those in the direction that most glyphs have.
fn page_lines(mut glyphs: Vec<Glyph>) -> Vec<Line> {
    Glyph::set_vertically(&mut glyphs);
    let mut groups: Vec<(i32, Vec<Placed>)> = Vec::new();
    let mut last = 0;
    for glyph in glyphs {
        let angle = direction(glyph.advance).unwrap_or(last);
        last = angle;
        let along = Vec2::from_angle(f64::from(angle).to_radians());
        let across = Vec2::new(-along.y, along.x);
        let begin = glyph.origin.to_vec2();
        let ends = [begin.dot(along), (begin + glyph.advance).dot(along)];
        let placed = Placed {
            left: ends[0].min(ends[1]),
            right: ends[0].max(ends[1]),
            baseline: begin.dot(across),
            size: glyph.size,
            letters: glyph.letters,
        };
        match groups.iter_mut().find(|(of, _)| *of == angle) {
            Some((_, group)) => group.push(placed),
            None => groups.push((angle, vec![placed])),
        }
    }
    groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.len()));
    groups.into_iter().flat_map(|(_, group)| in_reading_order(lines(group))).collect()
}

/// Returns the direction of a line in degrees, clockwise from the right; `None` of no direction.
#[expect(clippy::cast_possible_truncation, reason = "a number of degrees")]
fn direction(advance: Vec2) -> Option<i32> {
    const NEAR: i32 = 3;
    if advance.hypot() < 1e-6 {
        return None;
    }
    let degrees = advance.angle().to_degrees().round() as i32;
    let quarter = (degrees + 360 + 45) / 90 * 90 - 360;
    let degrees = if (degrees - quarter).abs() <= NEAR { quarter } else { degrees };
    Some(if degrees <= -180 { degrees + 360 } else { degrees })
}

/// What is in a PDF and not read.
#[derive(Default)]
struct Unread {
    fields: usize,
    annotations: usize,
    attachments: usize,
    /// The layers that are not shown.
    layers: usize,
    /// The pages that are pictures, and those that are damaged, from 1.
    pictures: Vec<usize>,
    damaged: Vec<usize>,
    replaced: usize,
    belied: usize,
    unnamed: usize,
    guessed: usize,
}

impl Unread {
    fn add_page(&mut self, page: &PdfPage<'_>, drawn: &Page<'_>, lines: &[Line], number: usize) {
        let is_wordless = |line: &Line| !line.text.contains(char::is_alphanumeric);
        if drawn.picture >= MIN_PICTURE && lines.iter().all(is_wordless) {
            self.pictures.push(number);
        }
        self.replaced += drawn.replaced;
        self.belied += drawn.belied;
        self.unnamed += drawn.unnamed;
        self.guessed += drawn.guessed;
        let annotations = page.raw().get::<Array<'_>>(b"Annots");
        for annotation in annotations.iter().flat_map(Array::iter::<Dict<'_>>) {
            let has_text = |of: &Dict<'_>, key: &[u8]| {
                of.get::<PdfString<'_>>(key)
                    .is_some_and(|it| text_string(it.as_bytes()).contains(char::is_alphanumeric))
            };
            let subtype = annotation.get::<Name<'_>>(b"Subtype");
            match subtype.as_deref() {
                Some(b"Widget") => {
                    let parent = || annotation.get::<Dict<'_>>(b"Parent");
                    let has_value = has_text(&annotation, b"V")
                        || parent().is_some_and(|it| has_text(&it, b"V"));
                    self.fields += usize::from(has_value);
                }
                Some(b"FileAttachment") => self.attachments += 1,
                Some(b"Link" | b"Popup") | None => {}
                Some(_) => self.annotations += usize::from(has_text(&annotation, b"Contents")),
            }
        }
    }

    /// Says what is not read; `None` if that is nothing.
    fn notice(&self) -> Option<String> {
        let count = |count: usize, what: &str| match count {
            0 => None,
            1 => Some(format!("1 {what}")),
            _ => Some(format!("{count} {what}s")),
        };
        let parts = [
            count(self.fields, "form field"),
            count(self.annotations, "annotation"),
            count(self.attachments, "attachment"),
            count(self.layers, "hidden layer"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let mut notices = Vec::new();
        if !parts.is_empty() {
            notices.push(format!("{} not read", parts.join(", ")));
        }
        let listed = |pages: &[usize], what: &str| {
            const MAX_LISTED: usize = 20;
            let numbers: Vec<String> =
                pages.iter().take(MAX_LISTED).map(usize::to_string).collect();
            let more = pages.len().saturating_sub(MAX_LISTED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let noun = if pages.len() == 1 { "page" } else { "pages" };
            (!pages.is_empty()).then(|| format!("{noun} {}{more} {what}", numbers.join(", ")))
        };
        notices.extend(listed(&self.damaged, "damaged: some of the text may be missing"));
        notices.extend(listed(&self.pictures, "without text, only with pictures"));
        if self.replaced >= MIN_REPLACED {
            notices.push(format!(
                "{} words that its pages show are others in its /ActualText",
                self.replaced
            ));
        }
        if self.belied >= MIN_REPLACED {
            notices.push(format!("{} letters are others in its /ToUnicode", self.belied));
        }
        let lost = self.unnamed - self.guessed;
        if lost > 0 {
            notices.push(format!("{lost} letters of fonts that do not say which they are"));
        }
        if self.guessed > 0 {
            notices.push(format!("{} letters taken for those of their codes, since their fonts do not say which they are", self.guessed));
        }
        (!notices.is_empty()).then(|| notices.join("; "))
    }
}

/// Returns the number of files that a PDF has in it.
fn attachments(catalog: &Dict<'_>) -> usize {
    let tree =
        catalog.get::<Dict<'_>>(b"Names").and_then(|it| it.get::<Dict<'_>>(b"EmbeddedFiles"));
    let (mut nodes, mut seen, mut count) = (Vec::from_iter(tree), 0, 0);
    while let Some(node) = nodes.pop().filter(|_| seen < MAX_NODES) {
        seen += 1;
        let length = |it: Array<'_>| it.raw_iter().take(2 * MAX_NODES).count();
        count += node.get::<Array<'_>>(b"Names").map_or(0, length) / 2;
        let kids = node.get::<Array<'_>>(b"Kids");
        nodes.extend(kids.iter().flat_map(Array::iter::<Dict<'_>>).take(MAX_NODES - seen));
    }
    count
}

/// Returns the number of layers (optional content) that are off when a PDF is opened.
fn layers_off(catalog: &Dict<'_>) -> usize {
    let layers = catalog.get::<Dict<'_>>(b"OCProperties");
    let shown = layers.and_then(|it| it.get::<Dict<'_>>(b"D"));
    let off = shown.and_then(|it| it.get::<Array<'_>>(b"OFF"));
    off.map_or(0, |it| it.raw_iter().take(MAX_NODES).count())
}

/// Returns what a PDF says of itself.
fn properties(metadata: &Metadata) -> Properties {
    let author = metadata.author.as_deref().and_then(|it| cleaned_property(&text_string(it)));
    let created = metadata.creation_date.map(|date| {
        let zone = match (date.utc_offset_hour, date.utc_offset_minute) {
            (0, 0) => "Z".to_owned(),
            (hours, minutes) => format!("{hours:+03}:{minutes:02}"),
        };
        format!(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{zone}",
            date.year, date.month, date.day, date.hour, date.minute, date.second
        )
    });
    Properties { author, last_modified_by: None, created }
}

#[cfg(test)]
mod tests;
