//! Turns the bytes of a file of any kind into a [`Text`].

use std::ops::Range;
use std::path::Path;

use super::decode::legacy::is_doubtful;
use super::decode::{BadByte, Decoded, decode};
use super::decode::{ESCAPE, begins_with_controls, detect, is_ebcdic, is_wide};
use super::disguises::{self, Disguise};
use super::formats::{self, Extracted, Kind, MarkupOptions, unsupported};
use super::marked::{self, LoneMarker, Marked};
use super::source_map::{Excerpt, Origin};
use super::{
    Encoding, EncodingBy, FoundDisguise, Html, Markup, ReadOptions, ReadTextError, Text,
    TextExtras, display_path, packed, recognized,
};
use super::{Pages, Stored};

/// A text extracted from its file, before its disguises are removed.
#[derive(Debug)]
struct Extraction {
    kind: Kind,
    document: Extracted,
    /// The characters of the file, and the map from the content to them. `None` if the content is
    /// all of the characters, or if places refer to the content itself.
    stored: Option<(String, Origin)>,
    /// The result of decoding the file; its `characters` have been moved out.
    read: Content,
}

/// Builds the text of a file from its bytes.
pub(super) fn text(
    path: &Path,
    bytes: Vec<u8>,
    options: &ReadOptions,
) -> Result<Text, ReadTextError> {
    let size = bytes.len();
    let refused = |reason| ReadTextError::Refused { path: path.to_owned(), reason };
    let unpacked = if options.nameless {
        None // a record is part of a file, which may be compressed, but its text is not
    } else {
        packed::whole(path, &bytes, &options.bounds).map_err(refused)?
    };
    let taken = match unpacked {
        Some((inner, bytes)) => {
            extract(inner, bytes, options).map_err(|error| error.of_file(path))?
        }
        None => extract(path, bytes, options)?,
    };
    let revealed = disguises::reveal(&taken.document.content);
    let hidden = disguises::hidden(&taken.document.hidden);
    let excerpt = revealed.excerpt.as_ref();
    let shown = excerpt.map_or(&*taken.document.content, Excerpt::content);
    let unrecognized = recognized::unrecognized(shown).map(|it| {
        let written = |at: usize| excerpt.map_or(at, |excerpt| excerpt.source(at..at).start);
        Disguise { offset: it.offset.map(written), ..it }
    });
    let all = revealed.disguises.into_iter().chain(hidden).chain(unrecognized);
    let disguises = all.map(|disguise| taken.with_line(disguise)).collect();
    let Extraction { kind, document, stored, mut read } = taken;
    let Extracted { content: written, mut marked, mut pages, unread, properties, .. } = document;
    let nuls = (read.nuls > 0).then(|| match read.nuls {
        1 => "1 NUL byte read as white space".to_owned(),
        nuls => format!("{nuls} NUL bytes read as white space"),
    });
    let doubt = || {
        let name = read.encoding.name();
        read.is_doubtful
            .then(|| format!("read as {name}, which is in doubt: --encoding chooses another"))
    };
    let unread = unread.or(nuls).or_else(doubt);
    let Extracted { quotes: mut block_quotes, mut references, around, .. } = document;
    if let Some(excerpt) = &revealed.excerpt {
        for range in block_quotes.iter_mut().chain(&mut references) {
            *range = excerpt.target(range);
        }
        move_starts(&mut pages, excerpt);
        marked = marked.moved(|range| excerpt.target(range));
    }
    let bytes = read.bytes.take().filter(|_| kind.is_shown_as_stored());
    let (content, stored) = stored_with(written, revealed.excerpt, stored, bytes);
    if let Some(characters) = &stored.characters
        && kind == Kind::Markdown
    {
        let place = |byte: usize| stored.source(byte..byte).start;
        block_quotes = quoted_lines(&content, characters, place);
    }
    let extras = TextExtras {
        unread,
        properties,
        around: if kind == Kind::Pdf || 10 * around[0] > around[1] { around } else { [0; 2] },
        disguises,
        block_quotes,
        references,
        marked,
        pages,
        stored,
        files: Vec::new(),
    };
    Ok(Text {
        path: path.into(),
        content: content.into_boxed_str(),
        kind,
        encoding: read.encoding,
        encoding_by: read.by,
        bytes: size,
        mark: u8::try_from(read.mark).unwrap_or(u8::MAX),
        replaced: u32::try_from(read.replaced).unwrap_or(u32::MAX),
        extras: extras.boxed(),
    })
}

/// Returns the text as its reader sees it, and the data that maps it back to the characters and
/// bytes of the file.
fn stored_with(
    written: String,
    revealed: Option<Excerpt>,
    stored: Option<(String, Origin)>,
    bytes: Option<Vec<u8>>,
) -> (String, Stored) {
    let (content, mut characters, revealed) = match revealed.map(Excerpt::into_parts) {
        Some((content, origin)) => (content, Some(written), Some(origin)),
        None => (written, None, None),
    };
    let taken = stored.map(|(file, origin)| {
        characters = Some(file);
        origin
    });
    (content, Stored { characters, revealed, taken, bytes })
}

/// The separator between two files of a joined text: a blank line, so that no line is shared by two
/// files.
const FILE_SEPARATOR: &str = "\n\n";

/// Joins files into one text, in the given order.
pub(super) fn joined(path: &Path, files: Vec<Text>) -> Text {
    let mut content = String::new();
    let mut all = Text {
        path: path.into(),
        content: Box::default(),
        kind: Kind::Files,
        encoding: Encoding::UTF_8,
        encoding_by: EncodingBy::Content,
        bytes: 0,
        mark: 0,
        replaced: 0,
        extras: None,
    };
    let mut extras = TextExtras { files: Vec::with_capacity(files.len()), ..TextExtras::NONE };
    for mut file in files {
        if !extras.files.is_empty() {
            content.push_str(FILE_SEPARATOR);
        }
        let start = content.len();
        content.push_str(&std::mem::take(&mut file.content));
        let name = file.path.strip_prefix(path).unwrap_or(&file.path).to_owned();
        let mut own = file.extras.take().map_or(TextExtras::NONE, |own| *own);
        let moved = |it: &Range<usize>| start + it.start..start + it.end;
        extras.block_quotes.extend(std::mem::take(&mut own.block_quotes).iter().map(moved));
        extras.references.extend(std::mem::take(&mut own.references).iter().map(moved));
        let Marked { stretches, lone } = std::mem::take(&mut own.marked).moved(moved);
        extras.marked.stretches.extend(stretches);
        let lone = lone.into_iter().map(|it| LoneMarker { file: Some(name.clone()), ..it });
        extras.marked.lone.extend(lone);
        let disguises = std::mem::take(&mut own.disguises);
        let in_file = |it| FoundDisguise { file: Some(name.clone()), ..it };
        extras.disguises.extend(disguises.into_iter().map(in_file));
        all.bytes += file.bytes;
        all.replaced = all.replaced.saturating_add(file.replaced);
        if let Some(unread) = &own.unread {
            let unread = format!("{}: {unread}", display_path(&name));
            extras.unread = Some(extras.unread.map_or_else(String::new, |it| it + "; ") + &unread);
        }
        file.extras = own.boxed();
        extras.files.push((start..content.len(), file));
    }
    extras.disguises.sort_by_key(|it| it.trick);
    all.content = content.into_boxed_str();
    all.extras = extras.boxed();
    all
}

/// Extracts the text of a file.
fn extract(
    path: &Path,
    bytes: Vec<u8>,
    options: &ReadOptions,
) -> Result<Extraction, ReadTextError> {
    let refused = |reason| ReadTextError::Refused { path: path.to_owned(), reason };
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let named = Kind::from_ending(ending).filter(|_| !options.nameless);
    // The beginning of a record says nothing about its kind.
    let kind = if options.nameless { None } else { Kind::from_bytes(&bytes).map_err(refused)? };
    // A user who gives a file a name of plain text sees all of it in an editor, markup and
    // attachments included.
    let is_named_as_text = matches!(named, Some(Kind::Plain | Kind::Markdown | Kind::Latex));
    let is_archive = bytes.starts_with(b"PK");
    let kind = kind.filter(|kind| {
        !(is_named_as_text && !is_archive && (*kind == Kind::Mail || kind.is_archive()))
    });
    if let Some(kind) = kind {
        let extracted = formats::document(kind, &bytes, &options.bounds).map_err(refused)?;
        return Ok(Extraction::new(kind, extracted, Content::default()));
    }
    let given = match (options.markdown, options.latex) {
        (Markup::On, _) => Some(Kind::Markdown),
        (_, Markup::On) => Some(Kind::Latex),
        (Markup::Auto, _) if named == Some(Kind::Markdown) => named,
        (_, Markup::Auto) if named == Some(Kind::Latex) => named,
        _ => None,
    };
    let html = match options.html {
        Html::Auto if options.nameless => Html::Off,
        Html::Auto => Html::Main,
        part => part,
    };
    let may_be = |kind: Kind| match (given, kind) {
        (Some(given), kind) => kind == given,
        (None, Kind::Html) => html != Html::Off,
        (None, Kind::Latex) => !options.nameless && options.latex != Markup::Off,
        (None, kind) => kind == Kind::Notebook && !options.nameless,
    };
    let page = may_be(Kind::Html).then(|| formats::declared_encoding(&bytes)).flatten();
    let latex = may_be(Kind::Latex).then(|| formats::declared_encoding_of_latex(&bytes)).flatten();
    let latex = latex.and_then(Encoding::from_label).filter(|it| it.is_ascii_compatible());
    let declared = page.and_then(Encoding::from_label).or(latex);
    let mut read = Content::new(path, bytes, options, declared)?;
    let characters = std::mem::take(&mut read.characters);
    let kind = given.unwrap_or_else(|| Kind::from_text(&characters));
    if !may_be(kind) {
        let marked = marked::in_lines(&characters);
        let document = Extracted { content: characters, marked, ..Extracted::default() };
        return Ok(Extraction { kind: Kind::Plain, document, stored: None, read });
    }
    let is_xml = ["xhtml", "xht"].iter().any(|it| it.eq_ignore_ascii_case(ending));
    let markup = MarkupOptions { html, is_xml, bounds: &options.bounds };
    let mut document = formats::markup(kind, &characters, &markup).map_err(refused)?;
    Ok(match document.origin.take() {
        Some(origin) => Extraction { kind, document, stored: Some((characters, origin)), read },
        None => Extraction::new(kind, document, read),
    })
}

impl Extraction {
    fn new(kind: Kind, mut document: Extracted, read: Content) -> Self {
        if document.content.contains('\0') {
            let kept = without_nuls(&document.content);
            document.quotes = document.quotes.iter().map(|quote| kept.target(quote)).collect();
            move_starts(&mut document.pages, &kept);
            document.marked = document.marked.moved(|range| kept.target(range));
            (document.content, _) = kept.into_parts();
        }
        if !matches!(kind, Kind::Html | Kind::Notebook) {
            document.marked = marked::in_lines(&document.content);
        }
        Self { kind, document, stored: None, read }
    }

    /// Adds the page and the line to a disguise. The line is that of the file if places refer to
    /// the file, and that of the extracted text otherwise.
    fn with_line(&self, disguise: Disguise) -> FoundDisguise {
        let Disguise { trick, words, offset, example } = disguise;
        let line = offset.map(|offset| match &self.stored {
            Some((stored, origin)) => line(stored, origin.source(offset..offset).start),
            None => line(&self.document.content, offset),
        });
        let page = offset
            .and_then(|offset| Pages::new(self.kind, &self.document.pages, &(offset..offset)));
        FoundDisguise { trick, words, line, page, example, file: None }
    }
}

/// Moves the starts of pages to their positions in an excerpt of their text.
fn move_starts(pages: &mut [usize], excerpt: &Excerpt) {
    for start in pages {
        *start = excerpt.target(&(*start..*start)).start;
    }
}

fn without_nuls(text: &str) -> Excerpt {
    let mut kept = Excerpt::default();
    let mut start = 0;
    for part in text.split('\0') {
        kept.copy(text, start..start + part.len());
        start += part.len() + 1;
    }
    kept
}

/// Returns the byte ranges of the lines of a text that are quoted with `>` in the file. `place`
/// maps a byte offset in the text to one in the file.
fn quoted_lines(text: &str, stored: &str, place: impl Fn(usize) -> usize) -> Vec<Range<usize>> {
    let is_quoted = |line: &str| line.trim_start_matches(' ').starts_with('>');
    let mut quoted: Vec<Range<usize>> = Vec::new();
    // Looking up the place of every line takes two thirds as long as parsing the document.
    if !stored.split('\n').any(is_quoted) {
        return quoted;
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let first = place(start + (line.len() - line.trim_start().len()));
        let line_start = stored[..first].rfind('\n').map_or(0, |line_end| line_end + 1);
        if !line.trim().is_empty() && is_quoted(&stored[line_start..]) {
            match quoted.last_mut() {
                Some(last) if text[last.end..start].trim().is_empty() => last.end = end,
                _ => quoted.push(start..end),
            }
        }
        start = end;
    }
    quoted
}

/// Returns the number of the line that contains a byte offset, from 1.
fn line(text: &str, byte: usize) -> usize {
    1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..byte]).count()
}

// Decodes bytes to characters, in the encoding that is given, marked, declared, valid or detected.

/// The decoded characters of a file. They may be empty, but contain no NUL.
#[derive(Debug, Default)]
pub(super) struct Content {
    pub(super) characters: String,
    pub(super) encoding: Encoding,
    pub(super) by: EncodingBy,
    /// The size of the byte order mark, in bytes.
    pub(super) mark: usize,
    pub(super) replaced: usize,
    /// The number of NUL bytes that became white space.
    pub(super) nuls: usize,
    /// Whether the encoding was guessed, and its letters are hardly those of a language.
    is_doubtful: bool,
    /// The bytes, if the byte offset of each character cannot be computed from the characters
    /// alone.
    pub(super) bytes: Option<Vec<u8>>,
}

impl Content {
    /// Decodes the bytes of a file; `declared` is the encoding that the content itself declares.
    pub(super) fn new(
        path: &Path,
        mut bytes: Vec<u8>,
        options: &ReadOptions,
        declared: Option<Encoding>,
    ) -> Result<Self, ReadTextError> {
        let mut text = Self::default();
        let marked = Encoding::marked(&bytes);
        // Text in a declared encoding that is not compatible with ASCII may consist of ASCII bytes
        // with escape sequences, which are valid UTF-8, too, so that it must be tried first.
        let escaped = declared.filter(|encoding| !encoding.is_ascii_compatible());
        if let Some(encoding) = options.encoding.or(marked).or(escaped) {
            text.encoding = encoding;
            text.by = match (options.encoding, marked) {
                (Some(_), _) => EncodingBy::Given,
                (None, Some(_)) => EncodingBy::Mark,
                (None, None) => EncodingBy::Content,
            };
            text.mark = if marked == Some(encoding) { encoding.mark().len() } else { 0 };
            bytes.drain(..text.mark);
        } else {
            // Nearly every text takes this path, so no time is spent on other encodings before it.
            bytes = match String::from_utf8(bytes) {
                Ok(content) if is_sure(content.as_bytes()) => {
                    return Ok(Self { characters: content, ..text });
                }
                Ok(content) => content.into_bytes(),
                Err(error) => error.into_bytes(),
            };
            if !is_wide(&bytes) {
                let is_binary = memchr::memchr(0, &bytes).is_some();
                if let Some(reason) = unsupported(&bytes).filter(|_| is_binary) {
                    return Err(ReadTextError::Refused { path: path.to_owned(), reason });
                }
                text.nuls = blank_nuls(&mut bytes);
            }
            let declared = declared.filter(|encoding| is_allowed(&bytes, *encoding));
            text.encoding = match declared {
                Some(encoding) => encoding,
                None if is_ebcdic(&bytes) => {
                    return Err(ReadTextError::Ebcdic { path: path.to_owned() });
                }
                None => detect(&bytes).map_err(|bad| no_text(path, &bytes, &text, bad))?,
            };
        }
        if text.encoding.is_ascii_compatible() {
            text.nuls += blank_nuls(&mut bytes);
        }
        if let Some(offset) = first_nul(&bytes, text.encoding.unit()) {
            return Err(no_text(path, &bytes, &text, BadByte { offset, byte: 0 }));
        }
        let mut decoded = decode(bytes, text.encoding);
        if !options.lossy {
            decoded = decoded.strict().map_err(|bad| {
                let (path, encoding) = (path.to_owned(), text.encoding);
                let offset = text.mark + bad.offset;
                ReadTextError::Damaged { path, encoding, offset, byte: bad.byte }
            })?;
        }
        let Decoded { content, replaced, bytes, .. } = decoded;
        let is_guess = text.by == EncodingBy::Content && text.encoding != Encoding::UTF_8;
        text.is_doubtful = is_guess && is_doubtful(&content);
        Ok(Self { characters: content, replaced, bytes, ..text })
    }
}

/// Returns why bytes are not a text: the kind of file that they are, if known, or else the first
/// byte that does not occur in texts.
fn no_text(path: &Path, bytes: &[u8], text: &Content, bad: BadByte) -> ReadTextError {
    let path = path.to_owned();
    match unsupported(bytes) {
        Some(reason) => ReadTextError::Refused { path, reason },
        None => ReadTextError::NotText { path, offset: text.mark + bad.offset, byte: bad.byte },
    }
}

/// Reports whether bytes that are not UTF-8 are all valid in the encoding that a page declares. The
/// declaration may be wrong: some pages still declare the encoding that they were converted from.
fn is_allowed(bytes: &[u8], encoding: Encoding) -> bool {
    encoding.unit() == 1 && decode(bytes.to_vec(), encoding).strict().is_ok()
}

/// Reports whether bytes that are valid UTF-8 can hardly be in any other encoding: they contain
/// neither a NUL nor an escape, and do not begin with control characters.
fn is_sure(bytes: &[u8]) -> bool {
    memchr::memchr2(0, ESCAPE, bytes).is_none() && !begins_with_controls(bytes)
}

/// A text has at most one NUL in this many bytes; a file with more is binary.
const BYTES_PER_NUL: usize = 1000;

/// Replaces the NULs of a text by spaces, if it has few, and returns their number. Programs that cut
/// or join texts leave NULs behind: one of 300 texts of the web has some.
fn blank_nuls(bytes: &mut [u8]) -> usize {
    let nuls = memchr::memchr_iter(0, bytes).count();
    if nuls * BYTES_PER_NUL > bytes.len() {
        return 0;
    }
    bytes.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b' ');
    nuls
}

/// Returns the offset of the first NUL: a code unit of `unit` bytes that are all 0.
fn first_nul(bytes: &[u8], unit: usize) -> Option<usize> {
    if unit == 1 {
        return memchr::memchr(0, bytes);
    }
    let is_nul = |unit: &[u8]| unit.iter().all(|byte| *byte == 0);
    bytes.chunks_exact(unit).position(is_nul).map(|at| at * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_and_pages_are_those_of_the_text_without_nuls() {
        let quotes = vec![Range { start: 4, end: 10 }];
        let content = "a\0b c\0d\0e\n\0".to_owned();
        let extracted = Extracted { content, quotes, pages: vec![0, 4], ..Extracted::default() };
        let taken = Extraction::new(Kind::Html, extracted, Content::default()).document;
        assert_eq!(taken.content, "ab cde\n");
        assert_eq!(&taken.content[taken.quotes[0].clone()], "cde\n");
        assert_eq!(taken.pages, [0, 3]);
    }
}

#[cfg(test)]
mod quoted_tests {
    use super::*;

    #[test]
    fn quoted_lines_are_those_with_a_mark_in_the_file() {
        #[rustfmt::skip]
        let table: &[(&str, &str, &[&str])] = &[
            ("nothing",                "",                      &[]),
            ("no quotation",           "one\ntwo\n",            &[]),
            ("all of it",              "> one\n> two\n",        &["> one\n> two\n"]),
            ("between others",         "one\n  > two\nthree\n", &["  > two\n"]),
            ("two",                    "> one\ntwo\n> three",   &["> one\n", "> three"]),
            ("an empty line in it",    "> one\n\n> two\n",      &["> one\n\n> two\n"]),
            ("a mark within a line",   "one > two\n",           &[]),
        ];
        for (why, text, want) in table {
            let quoted = quoted_lines(text, text, |byte| byte);
            let quoted: Vec<&str> = quoted.into_iter().map(|it| &text[it]).collect();
            assert_eq!(quoted, *want, "{why}");
        }
    }
}
