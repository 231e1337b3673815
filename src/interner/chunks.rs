//! Splits a text into chunks: the parts between bytes that no word spans.
//!
//! White space and most ASCII punctuation separate the words of UAX #29, whatever characters are on
//! both sides. So the words of a text are those of its chunks, one after the other;
//! `words_of_chunks_are_those_of_the_text` checks that on any string. Most chunks are one word.
//! Only a hyphen at the end of a line may join what is on both sides of white space; there the
//! chunk continues.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x64};
use memchr::{memchr, memchr2, memrchr};

use super::{Spot, WordOffsets};
use crate::tokens;

/// The last bytes of the UTF-8 forms of characters that may break a word at the end of a line: `-`,
/// the hyphen U+2010, the soft hyphen, ¬, ⸗ and ⹀. Other characters end in these bytes as well; then a
/// chunk is longer than necessary, which does no harm.
pub(super) const LAST_OF_HYPHENS: [u8; 6] = [b'-', 0x90, 0xad, 0xac, 0x97, 0x80];

/// Returns the chunks of a text, in order, as spans in bytes; none is empty.
pub fn chunks(text: &str) -> Chunks<'_> {
    Chunks {
        bytes: text.as_bytes(),
        level: Level::new(),
        block: 0,
        edges: 0,
        was_parting: true,
        may_continue: false,
    }
}

/// An iterator over the chunks of a text, which scans 64 bytes at a time.
#[derive(Clone)]
pub struct Chunks<'t> {
    bytes: &'t [u8],
    /// The SIMD instructions that the processor supports.
    level: Level,
    /// The offset of the block after the current one.
    block: usize,
    /// The unread edges of the current block: a bit for each byte at which a chunk begins or ends,
    /// the lowest for the first byte.
    edges: u64,
    /// Whether the last byte of the current block separates chunks.
    was_parting: bool,
    /// Whether a chunk that ends in the current block may continue past its end, across a line end.
    may_continue: bool,
}

impl Iterator for Chunks<'_> {
    type Item = Range<usize>;

    #[expect(
        clippy::inline_always,
        reason = "[`Chunks::fill`] is a tenth slower with a call a chunk"
    )]
    #[inline(always)]
    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.next_edge()?;
        let mut end = self.next_edge().unwrap_or(self.bytes.len());
        while LAST_OF_HYPHENS.contains(&self.bytes[end - 1]) && self.goes_on(end) {
            self.next_edge();
            end = self.next_edge().unwrap_or(self.bytes.len());
        }
        Some(start..end)
    }
}

impl Chunks<'_> {
    /// Adds the next chunks to `batch` until that is full. If it is not full afterwards, there are
    /// no more chunks.
    ///
    /// It yields the same chunks as [`Iterator::next`], most of them without a check for a hyphen.
    #[inline(never)]
    pub fn fill(&mut self, batch: &mut Vec<Range<usize>>) {
        loop {
            self.fill_from_block(batch);
            if batch.len() == batch.capacity() {
                return;
            }
            let Some(chunk) = self.next() else { return };
            batch.push(chunk);
        }
    }

    /// Adds to `batch` the chunks that begin and end in the current block; none if one of them may
    /// continue past its end.
    fn fill_from_block(&mut self, batch: &mut Vec<Range<usize>>) {
        if self.may_continue {
            return;
        }
        let start = self.block.saturating_sub(BLOCK_BYTES);
        let at = |edges: u64| start + edges.trailing_zeros() as usize;
        let behind = |edges: u64| edges & edges.wrapping_sub(1);
        let mut edges = self.edges;
        while behind(edges) != 0 && batch.len() < batch.capacity() {
            batch.push(at(edges)..at(behind(edges)));
            edges = behind(behind(edges));
        }
        self.edges = edges;
    }

    /// Returns the next offset at which a chunk begins or ends; `None` at the end of the text.
    #[expect(clippy::inline_always, reason = "as [`Iterator::next`]")]
    #[inline(always)]
    fn next_edge(&mut self) -> Option<usize> {
        while self.edges == 0 {
            let rest = self.bytes.get(self.block..).filter(|rest| !rest.is_empty())?;
            let before = self.block.checked_sub(1).map_or(b' ', |at| self.bytes[at]);
            let Separators { bytes: parting, may_continue } =
                match rest.first_chunk::<BLOCK_BYTES>() {
                    Some(block) => Separators::new(
                        self.level,
                        block,
                        before,
                        *rest.get(BLOCK_BYTES).unwrap_or(&b' '),
                    ),
                    None => Separators::new(self.level, &filled_up(rest), before, b' '),
                };
            self.may_continue = may_continue;
            self.edges = parting ^ (parting << 1 | u64::from(self.was_parting));
            self.was_parting = parting >> (BLOCK_BYTES - 1) == 1;
            self.block += BLOCK_BYTES;
        }
        let edge = self.block - BLOCK_BYTES + self.edges.trailing_zeros() as usize;
        self.edges &= self.edges - 1;
        // The last block is padded with white space: where that begins, the text ends.
        (edge <= self.bytes.len()).then_some(edge)
    }

    /// Reports whether there is exactly one line end at `at`, and after it a byte that may begin a
    /// lower-case letter. Blanks may be before it, and blanks and marks of a quotation after it.
    fn goes_on(&self, at: usize) -> bool {
        let blanks = |bytes: &[u8], marks: &[u8]| {
            bytes.iter().take_while(|byte| marks.contains(byte)).count()
        };
        let rest = &self.bytes[at..];
        let rest = &rest[blanks(rest, b" \t")..];
        let ([b'\r', b'\n', next @ ..] | [b'\r' | b'\n', next @ ..]) = rest else { return false };
        let next = next.get(blanks(next, b" \t>"));
        next.is_some_and(|next| next.is_ascii_lowercase() || !next.is_ascii())
    }
}

/// Returns the last bytes of a text, padded with white space.
fn filled_up(rest: &[u8]) -> [u8; BLOCK_BYTES] {
    let mut block = [b' '; BLOCK_BYTES];
    block[..rest.len()].copy_from_slice(rest);
    block
}

// Classifies 64 bytes of a text at a time: which of them no word spans.

pub(super) const BLOCK_BYTES: usize = 64;

/// The classes of the bytes of a block; each class has a bit for each byte, the lowest for the
/// first.
#[derive(Clone, Copy)]
struct ByteClasses {
    /// ASCII white space, including the vertical tab, since all of it separates words.
    white: u64,
    /// The bytes that words are made of: ASCII letters, digits and underscores, control characters
    /// other than white space, and all bytes that are not ASCII. The rest is punctuation.
    inner: u64,
    /// The bytes of characters that are not ASCII.
    beyond_ascii: u64,
    /// `.`, `:`, `'`, `,` or `;`, which UAX #29 allows inside a word or number, and the grave accent,
    /// which is typed for an apostrophe.
    joining: u64,
    apostrophe: u64,
    hyphen: u64,
    /// The bytes in [`LAST_OF_HYPHENS`]: the last bytes of characters that may break a word, and
    /// bytes that look like them.
    last_of_hyphen: u64,
    line_end: u64,
}

/// The positions in a block at which chunks begin and end.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Separators {
    /// A bit for each byte, the lowest for the first: whether the byte separates chunks. No word
    /// spans such a byte, and none begins or ends with it.
    pub(super) bytes: u64,
    /// Whether a byte that may end a hyphen is right before a line end, or before several bytes of
    /// white space.
    pub(super) may_continue: bool,
}

impl Separators {
    /// Finds the bytes of a block that separate chunks. `before` and `after` are the bytes on both
    /// sides of the block.
    ///
    /// White space always separates. Punctuation separates, except in four cases; each of them is
    /// wider than necessary, since a chunk that is too long costs time and nothing else:
    /// * before a byte that is not ASCII, which may begin a combining mark;
    /// * one of ``.:',;` `` between two bytes that words are made of;
    /// * an apostrophe after a byte that is not ASCII, which may end a Hebrew letter;
    /// * a hyphen before white space, which may break a word at the end of a line.
    pub(super) fn new(level: Level, block: &[u8; BLOCK_BYTES], before: u8, after: u8) -> Self {
        let classes =
            dispatch!(level, simd => ByteClasses::classify(u8x64::from_slice(simd, block)));
        let next = |bits: u64, last: bool| bits >> 1 | u64::from(last) << (BLOCK_BYTES - 1);
        let previous = |bits: u64, first: bool| bits << 1 | u64::from(first);
        let between =
            previous(classes.inner, is_inner(before)) & next(classes.inner, is_inner(after));
        let before_white = next(classes.white, after.is_ascii_whitespace());
        // What follows the next byte of a block is not known, and may be white space.
        let at_line_end = next(classes.line_end, matches!(after, b'\r' | b'\n'))
            | before_white & next(before_white, after.is_ascii_whitespace());
        let joined = next(classes.beyond_ascii, !after.is_ascii())
            | classes.joining & between
            | classes.apostrophe & previous(classes.beyond_ascii, !before.is_ascii())
            | classes.hyphen & before_white;
        let punctuation = !classes.white & !classes.inner;
        Self {
            bytes: classes.white | punctuation & !joined,
            may_continue: classes.last_of_hyphen & at_line_end != 0,
        }
    }
}

/// Reports whether words are made of such bytes; see [`ByteClasses::inner`].
fn is_inner(byte: u8) -> bool {
    let is_white = matches!(byte, b'\t'..=b'\r' | b' ');
    !is_white && (byte == b'_' || !byte.is_ascii_punctuation())
}

impl ByteClasses {
    #[expect(clippy::inline_always, reason = "so that it is compiled for what the processor has")]
    #[inline(always)]
    fn classify<S: Simd>(bytes: u8x64<S>) -> Self {
        let is = |byte: u8| bytes.simd_eq(byte);
        let within = |bytes: u8x64<S>, first: u8, last: u8| (bytes - first).simd_le(last - first);
        let white = is(b' ') | within(bytes, b'\t', b'\r');
        let is_small_or_capital = within(bytes | 0x20, b'a', b'z');
        let is_control = within(bytes, 0, 0x1f) | is(0x7f);
        let beyond_ascii = within(bytes, 0x80, 0xff);
        let inner = is_small_or_capital | within(bytes, b'0', b'9') | is(b'_') | beyond_ascii;
        let apostrophe = is(b'\'');
        let [first, others @ ..] = LAST_OF_HYPHENS;
        let last_of_hyphen = others.into_iter().fold(is(first), |all, byte| all | is(byte));
        let joining = within(bytes, b':', b';') | is(b',') | is(b'.') | is(b'`') | apostrophe;
        Self {
            white: white.to_bitmask(),
            inner: ((inner | is_control) & !white).to_bitmask(),
            beyond_ascii: beyond_ascii.to_bitmask(),
            joining: joining.to_bitmask(),
            apostrophe: apostrophe.to_bitmask(),
            hyphen: is(b'-').to_bitmask(),
            last_of_hyphen: last_of_hyphen.to_bitmask(),
            line_end: (is(b'\n') | is(b'\r')).to_bitmask(),
        }
    }
}

// Finds where sentences begin in a text that was read chunk by chunk.

/// Reports whether a character ends a sentence if white space follows it, possibly after closing
/// quotation marks or brackets.
fn is_stop(letter: char) -> bool {
    matches!(letter, '.' | '!' | '?' | '…')
}

/// Reports whether a character ends a sentence whatever follows: punctuation of scripts without
/// spaces, and characters that prose does not contain, so that an address or a line of code is not
/// part of a sentence.
fn is_end(letter: char) -> bool {
    matches!(letter, '。' | '！' | '？' | '｡' | '<' | '>' | '{' | '}' | '=' | '|' | '/' | '\\')
}

impl WordOffsets {
    /// Returns, for ranges of words, the words in each range that begin a sentence of the text, not
    /// counting the first word of the range; increasing.
    ///
    /// Front matter and the fields of a form are no prose: each word of a line such as `key: value` begins a
    /// sentence, as does the word behind it.
    ///
    /// The ranges must be in order and must not overlap. No range may span a part that was excluded
    /// from the text.
    pub fn sentences(&self, text: &str, ranges: &[Range<usize>]) -> Vec<usize> {
        let mut starts = Vec::new();
        for range in ranges.iter().filter(|range| !range.is_empty()) {
            let before = self.0.partition_point(|offset| offset.words <= range.start);
            let Some(first) = before.checked_sub(1) else { continue };
            // The end of the previous word, in bytes.
            let mut end = None;
            let mut line = Line::default();
            let mut batch = Vec::with_capacity(CHUNKS_AT_A_TIME);
            for (at, offset) in self.0.iter().enumerate().skip(first) {
                let (mut count, next) = (offset.words, self.0.get(at + 1));
                if count >= range.end {
                    break;
                }
                if next.is_some_and(|next| next.words == count) {
                    continue;
                }
                let part = &text[..next.map_or(text.len(), |next| next.byte)];
                let mut meet = |span: Range<usize>, more: usize| {
                    let was_setting = line.is_setting;
                    if span.start >= line.end {
                        line = Line::around(text, span.start);
                    }
                    let is_within = range.start < count && count < range.end;
                    let is_setting = was_setting || line.is_setting;
                    let is_start =
                        is_setting || end.is_some_and(|end| ends_between(part, end..span.start));
                    if is_within && is_start {
                        starts.push(count);
                    }
                    end = Some(span.end);
                    count += more;
                };
                let mut chunks = chunks(&part[offset.byte..]);
                loop {
                    batch.clear();
                    chunks.fill(&mut batch);
                    for chunk in &batch {
                        let chunk = offset.byte + chunk.start..offset.byte + chunk.end;
                        if is_ascii_word(part.as_bytes(), &chunk) {
                            meet(chunk, 1);
                            continue;
                        }
                        for (span, more) in tokens::places(&part[chunk.clone()]) {
                            meet(chunk.start + span.start..chunk.start + span.end, more);
                        }
                    }
                    if batch.len() < batch.capacity() {
                        break;
                    }
                }
            }
        }
        starts
    }

    /// Shrinks ranges of words to the longest parts that share no character with other words.
    /// Returns these parts and their spans in the text, in the same order. If the ranges do not
    /// overlap, the spans do not either. A part may be empty; its span is empty then, too.
    pub(crate) fn whole(&self, text: &str, ranges: &[Range<usize>]) -> Vec<Spot> {
        let filled = || ranges.iter().filter(|range| !range.is_empty());
        let mut ends: Vec<usize> =
            filled().flat_map(|range| [range.start, range.end - 1]).collect();
        ends.sort_unstable();
        ends.dedup();
        let spots = self.spots(text, ends.iter().copied());
        let spot = |word: usize| &spots[ends.partition_point(|end| *end < word)];
        let whole = |range: &Range<usize>| {
            if range.is_empty() {
                return Spot { span: 0..0, words: range.clone() };
            }
            let (first, last) = (spot(range.start), spot(range.end - 1));
            let is_cut = [first.words.start < range.start, last.words.end > range.end];
            let start = if is_cut[0] { first.words.end } else { range.start };
            let end = if is_cut[1] { last.words.start } else { range.end };
            Spot { span: first.span.start..last.span.end, words: start..end.max(start) }
        };
        let found: Vec<Spot> = ranges.iter().map(whole).collect();
        if found.iter().zip(ranges).all(|(spot, range)| spot.words == *range) {
            return found;
        }
        // The parts may begin or end with other words than the ranges, whose spans must be looked
        // up.
        self.whole(text, &found.into_iter().map(|spot| spot.words).collect::<Vec<_>>())
    }
}

const CHUNKS_AT_A_TIME: usize = 256;

/// Reports whether a chunk of a text consists of ASCII letters and digits, as most chunks do: it is
/// then one word. The first eight bytes are looked at together, which is all of most words: for two
/// unrelated texts of 4.5 MB, the entire program takes 162 ms, and 168 ms with [`is_lone_word`].
///
/// [`is_lone_word`]: tokens::is_lone_word
fn is_ascii_word(text: &[u8], chunk: &Range<usize>) -> bool {
    const LOWEST: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHEST: u64 = LOWEST << 7;
    let Some(first) = text.get(chunk.start..).and_then(|rest| rest.first_chunk()) else {
        return text[chunk.clone()].iter().all(u8::is_ascii_alphanumeric);
    };
    let first = u64::from_le_bytes(*first);
    let ascii = first & !HIGHEST;
    // The highest bit of each byte that is at least `low` and at most `high`.
    let within = |bytes: u64, low: u8, high: u8| {
        let reaches = |limit: u8| bytes + LOWEST * u64::from(0x80 - limit);
        reaches(low) & !reaches(high + 1)
    };
    let letters = within(ascii | LOWEST << 5, b'a', b'z') | within(ascii, b'0', b'9');
    let others = !(letters & !first) & HIGHEST;
    // Those after the chunk are shifted out.
    let beyond = 8_usize.saturating_sub(chunk.len());
    others << (8 * beyond) == 0 && text[chunk.clone()].iter().skip(8).all(u8::is_ascii_alphanumeric)
}

/// Same as [`ends`], for a range of a text between two words: one space or line end in most cases.
fn ends_between(text: &str, between: Range<usize>) -> bool {
    let is_one_space = between.len() == 1 && b" \n".contains(&text.as_bytes()[between.start]);
    !is_one_space && ends(&text[between])
}

/// The number of spaces in a row that part two columns of a table or of a heading, and so two sentences.
const COLUMN_SPACES: usize = 3;

/// Reports whether a sentence ends in the text between two words.
pub(super) fn ends(between: &str) -> bool {
    let (mut was_stop, mut lines, mut spaces) = (false, 0, 0);
    for letter in between.chars() {
        let is_space = letter.is_whitespace();
        lines = if letter == '\n' { lines + 1 } else { lines * i32::from(is_space) };
        // What is in front of the first word of a line is its margin.
        spaces = if letter == ' ' && lines == 0 { spaces + 1 } else { 0 };
        let is_column = spaces == COLUMN_SPACES || letter == '\t' && lines == 0;
        if is_end(letter) || is_space && was_stop || lines == 2 || is_column {
            return true;
        }
        was_stop |= is_stop(letter);
    }
    false
}

/// A setting has fewer bytes than this, and at most as many words in its key and in its value, as white space
/// separates them. A longer value is prose, such as a description.
const MAX_SETTING_BYTES: usize = 160;
const MAX_KEY_WORDS: usize = 5;
const MAX_VALUE_WORDS: usize = 8;

/// A line of a text.
#[derive(Clone, Copy, Default)]
struct Line {
    /// Its end in bytes, or a place within it if it is too long for a setting.
    end: usize,
    is_setting: bool,
}

impl Line {
    /// Returns the line around a byte. However long the line is, at most twice [`MAX_SETTING_BYTES`] bytes
    /// are read.
    fn around(text: &str, at: usize) -> Self {
        let bytes = text.as_bytes();
        let first = at.saturating_sub(MAX_SETTING_BYTES);
        let last = bytes.len().min(at + MAX_SETTING_BYTES);
        let before = memrchr(b'\n', &bytes[first..at]).map(|place| first + place + 1);
        let behind = memchr(b'\n', &bytes[at..last]).map(|place| at + place);
        let start = before.or((first == 0).then_some(0));
        let end = behind.or((last == bytes.len()).then_some(last));
        let is_setting = start.zip(end).is_some_and(|(start, end)| is_setting(&text[start..end]));
        Self { end: end.unwrap_or(last), is_setting }
    }
}

/// Reports whether a line is a setting, as in the front matter of a page, or a field of a form: `key: value`
/// or `key = value`, in few words, and not the end of a sentence.
fn is_setting(line: &str) -> bool {
    let Some(mark) = memchr2(b':', b'=', line.as_bytes()) else { return false };
    let (key, value) = (line[..mark].trim(), &line[mark + 1..]);
    let key = key.trim_start_matches(['-', '*', '+', '•', ' ']);
    // No space is behind the colon of an address or of a time of day.
    let is_parted =
        line[mark..].starts_with('=') || value.is_empty() || value.starts_with(char::is_whitespace);
    let are_few = |text: &str, most: usize| text.split_whitespace().nth(most).is_none();
    line.len() < MAX_SETTING_BYTES
        && !key.is_empty()
        && !key.contains(|letter| is_end(letter) || ",;".contains(letter))
        && is_parted
        && are_few(key, MAX_KEY_WORDS)
        && are_few(value, MAX_VALUE_WORDS)
        && !value.trim_end().ends_with(is_stop)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::interner::common_runs;
    use crate::tokens;

    #[test]
    fn chunks_are_parted_by_what_no_word_reaches_over() {
        #[rustfmt::skip]
        let table: &[(&str, &str, &[&str])] = &[
            ("nothing",                    "",                       &[]),
            ("white space",                " \t\r\n\x0b\x0c",        &[]),
            ("one",                        "kettle",                 &["kettle"]),
            ("several",                    "  a kettle,\tand\r\nlid ", &["a", "kettle", "and", "lid"]),
            ("longer than eight bytes",    "lighthouse-keepers of",  &["lighthouse", "keepers", "of"]),
            ("exactly eight",              "12345678 1234567 ",      &["12345678", "1234567"]),
            ("a control character",        "a\u{1}b c",              &["a\u{1}b", "c"]),
            ("a no-break space stays",     "a\u{a0}b",               &["a\u{a0}b"]),
            ("a hyphen at a line's end",   "exam-\nple of",          &["exam-\nple", "of"]),
            ("by CR LF",                   "exam\u{2010}\r\nple",    &["exam\u{2010}\r\nple"]),
            ("a soft hyphen",              "exam\u{ad}\nple",        &["exam\u{ad}\nple"]),
            ("before an indent",           "exam-\n \tple",          &["exam-\n \tple"]),
            ("after blanks",               "exam- \t\r\nple",       &["exam- \t\r\nple"]),
            ("in a quotation",             "exam\u{ac}\n> > ple",   &["exam\u{ac}\n> > ple"]),
            ("over an empty line",         "exam-\n \nple",         &["exam-", "ple"]),
            ("before a capital",           "exam-\nPle",             &["exam-", "Ple"]),
            ("at the end",                 "exam-\n",                &["exam-"]),
            ("no line end",                "exam- ple",              &["exam-", "ple"]),
            ("quoted and bracketed",       "(\"kettle!\")",          &["kettle"]),
            ("nothing but punctuation",    "*** ---. ...",           &[]),
            ("a hyphen before white space", "a - b --",              &["a", "-", "b", "-"]),
            ("marks inside",               "1,5 a.b don't x:y 'q'",  &["1,5", "a.b", "don't", "x:y", "q"]),
            ("a grave accent",             "don`t ``a`` a`1",        &["don`t", "a", "a`1"]),
            ("before a mark that leans",   "a!\u{301} b",            &["a!\u{301}", "b"]),
            ("after a Hebrew letter",      "\u{5e6}' \u{5e6}, a'",   &["\u{5e6}'", "\u{5e6}", "a"]),
        ];
        for (why, text, want) in table {
            let got: Vec<&str> = chunks(text).map(|span| &text[span]).collect();
            assert_eq!(got, *want, "{why}");
        }
    }

    /// Any text, with a preference for everything that UAX #29 or a broken word treats specially.
    fn text() -> impl Strategy<Value = String> {
        let special = "[ \t\r\n\x0b\x0c\x01!(/\u{85}\u{2028}a-cA-C0-9_.,:;'`´\"\u{2019}\u{ad}\u{200d}\u{200b}\
            \u{2060}\u{300}\u{301}\u{93f}\u{e31}\u{e33}กขא״ר水火かカｶﾞー한ℹ😀🇪🇺\u{1f3fd}\u{fe0f}ßﬁﷺİı>\u{ac}\u{2e17}\u{2e40}\\-\u{2010}]{0,40}";
        prop_oneof![
            special,
            any::<String>(),
            "(\\PC|[ \n\u{ad}-]){0,60}",
            "[a>¬ \t\r\n\u{85}\u{301}-]{0,40}"
        ]
    }

    /// The definition: byte by byte.
    fn plain_chunks(text: &str) -> Vec<Range<usize>> {
        let bytes = text.as_bytes();
        let is_white = |at: usize| matches!(bytes[at], b'\t'..=b'\r' | b' ');
        let is_before_white = |at: usize| at + 1 == bytes.len() || is_white(at + 1);
        let mut chunks: Vec<Range<usize>> = Vec::new();
        for at in 0..bytes.len() {
            let goes_on = chunks.last().is_some_and(|chunk| {
                let between = text[chunk.end..at].trim_start_matches([' ', '\t']);
                let line_end =
                    matches!(between.trim_end_matches([' ', '\t', '>']), "\n" | "\r" | "\r\n");
                let hyphen = bytes[chunk.end - 1] == b'-' && bytes[at].is_ascii_lowercase();
                at == chunk.end || line_end && hyphen
            });
            match chunks.last_mut() {
                _ if is_white(at)
                    || bytes[at] == b'>'
                    || bytes[at] == b'-' && !is_before_white(at) => {}
                Some(chunk) if goes_on => chunk.end = at + 1,
                _ => chunks.push(at..at + 1),
            }
        }
        chunks
    }

    proptest! {
        #[test]
        fn chunks_agree_with_the_definition(text in "[a-z \n\r-]{0,200}|[a\n-]{0,200}|[a\t\n >-]{0,200}") {
            prop_assert_eq!(chunks(&text).collect::<Vec<_>>(), plain_chunks(&text));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]
        /// Several blocks, read in batches of any size, against one chunk at a time.
        #[test]
        fn batches_hold_the_chunks_in_their_order(
            parts in proptest::collection::vec(text(), 0..6), hyphened in "[a-z \n\r.-]{0,200}", room in 1_usize..40,
        ) {
            let text = parts.concat() + &hyphened;
            let (mut chunks_by_batch, mut filled) = (chunks(&text), Vec::new());
            loop {
                let mut batch = Vec::with_capacity(room);
                chunks_by_batch.fill(&mut batch);
                filled.extend_from_slice(&batch);
                if batch.len() < batch.capacity() {
                    break;
                }
            }
            prop_assert_eq!(filled, chunks(&text).collect::<Vec<_>>());
        }

        #[test]
        fn words_of_chunks_are_those_of_the_text(text in text()) {
            let of_chunks: Vec<Range<usize>> = chunks(&text)
                .flat_map(|chunk| {
                    let start = chunk.start;
                    tokens::spans(&text[chunk])
                        .map(|span| start + span.start..start + span.end)
                        .collect::<Vec<_>>()
                })
                .collect();
            prop_assert_eq!(of_chunks, tokens::spans(&text).collect::<Vec<_>>());
        }

        #[test]
        fn words_of_parts_are_those_of_the_text(text in text(), other in text()) {
            let whole = format!("{text} {other}");
            if !common_runs::parts_words(whole.as_bytes(), text.len()) {
                return Ok(());
            }
            let words = |part: &str| {
                let of_chunk = |chunk: &str| {
                    tokens::spans(chunk).map(|word| chunk[word].to_owned()).collect::<Vec<_>>()
                };
                chunks(part).flat_map(|chunk| of_chunk(&part[chunk])).collect::<Vec<_>>()
            };
            let (first, second) = whole.split_at(text.len() + 1);
            prop_assert_eq!([words(first), words(second)].concat(), words(&whole));
        }
    }
}

#[cfg(test)]
mod block_tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, byte by byte.
    fn parts(before: u8, byte: u8, after: u8) -> bool {
        let joins = !after.is_ascii()
            || b".:',;".contains(&byte) && is_inner(before) && is_inner(after)
            || byte == b'\'' && !before.is_ascii()
            || byte == b'-' && WHITE.contains(&after);
        !is_inner(byte) && (WHITE.contains(&byte) || !joins)
    }

    const WHITE: &[u8] = b" \t\n\x0b\x0c\r";

    #[test]
    fn words_are_made_of_letters_digits_and_what_is_not_known() {
        let punctuation = b"!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~ \t\n\x0b\x0c\r";
        for byte in 0..=u8::MAX {
            assert_eq!(is_inner(byte), !punctuation.contains(&byte), "{byte:#x}");
        }
    }

    #[test]
    fn every_byte_is_known_at_every_place() {
        for byte in 0..=u8::MAX {
            for at in 0..BLOCK_BYTES {
                let mut block = [b' '; BLOCK_BYTES];
                block[at] = byte;
                let want = !(u64::from(!parts(b' ', byte, b' ')) << at);
                let got = Separators::new(Level::new(), &block, b' ', b' ');
                let may_continue = LAST_OF_HYPHENS.contains(&byte);
                assert_eq!(got, Separators { bytes: want, may_continue }, "{byte:#x} at {at}");
            }
        }
    }

    proptest! {
        #[test]
        fn bits_agree_with_the_definition(
            bytes in proptest::collection::vec(proptest::sample::select(b"a.'-,\n\r \t\xd7(_7\x01\x90\xad\x80".to_vec()), BLOCK_BYTES + 2)
        ) {
            let block = bytes[1..=BLOCK_BYTES].try_into().unwrap();
            let got = Separators::new(Level::new(), &block, bytes[0], bytes[BLOCK_BYTES + 1]);
            for at in 0..BLOCK_BYTES {
                let want = parts(bytes[at], bytes[at + 1], bytes[at + 2]);
                prop_assert_eq!(got.bytes >> at & 1 == 1, want, "at {}", at);
            }
            // What follows the last byte is not known, and may be white space.
            let goes_on = |three: &[u8]| LAST_OF_HYPHENS.contains(&three[0])
                && (b"\r\n".contains(&three[1]) || WHITE.contains(&three[1]) && WHITE.contains(&three[2]));
            let after = [&bytes[1..], b" "].concat();
            prop_assert_eq!(got.may_continue, after.windows(3).any(goes_on));
        }
    }
}

#[cfg(test)]
mod sentences_tests {
    use proptest::prelude::*;

    use super::super::Interner;
    use super::*;
    use crate::stems::Stems;
    use crate::tokens::Tokens;

    fn starts(
        text: &str,
        stretches: Option<&[Range<usize>]>,
        ranges: &[Range<usize>],
    ) -> Vec<usize> {
        let own =
            |words: Tokens, _: &str| words.0.iter().map(|token| &*token.word).collect::<Stems>();
        let whole = std::slice::from_ref(&(0..text.len())).to_vec();
        let stretches = stretches.map_or(whole, <[_]>::to_vec);
        let (_, offsets) = Interner::new(0, own).read_with_offsets(text, stretches);
        offsets.sentences(text, ranges)
    }

    #[test]
    fn sentences_end_where_the_text_says_so() {
        #[rustfmt::skip]
        let table: &[(&str, &str, &[usize])] = &[
            ("nothing",                    "",                                  &[]),
            ("a full stop",                "The kettle. It boils. ",            &[2]),
            ("no space behind it",         "Version 1.2 of example.org is out", &[]),
            ("a question in quotes",       "“A kettle?” he said",               &[2]),
            ("an exclamation",             "A kettle! (It boils.)\nIt does",    &[2, 4]),
            ("three dots",                 "A kettle… it boils ... not",        &[2, 4]),
            ("a comma, a colon, a dash",   "A kettle, it: boils; - now",        &[]),
            ("an empty line",              "A heading\n \nA kettle\nboils",     &[2]),
            ("Windows' line ends",         "A heading\r\n\r\nA kettle\r\nboils", &[2]),
            ("columns of a table",         "Kettle   two\tcopper  lid",         &[1, 2]),
            ("the margin of a line",       "A kettle\n   boils\n\tnow",         &[]),
            ("Chinese",                    "水火。山川！風",                     &[2, 4]),
            ("a setting: each word",       "A kettle\nboils: 3 min\nnow it is", &[2, 3, 4, 5]),
            ("code and addresses",         "a <b> c = d http://e.org/f",        &[1, 2, 3, 5, 6]),
            ("words of one character",     "A. ﷺ. B",                           &[1, 5]),
        ];
        for (why, text, want) in table {
            let all = 0..tokens::split(text).len();
            assert_eq!(starts(text, None, std::slice::from_ref(&all)), *want, "{why}");
        }
    }

    #[test]
    fn settings_are_lines_of_a_key_and_few_words() {
        #[rustfmt::skip]
        let table: &[(&str, &str, bool)] = &[
            ("front matter",             "title: \"A kettle\"",                    true),
            ("an entry",                 "  - Start Date: 2017-04-03",            true),
            ("without a value",          "tags:",                                 true),
            ("TOML",                     "lto=true",                              true),
            ("an address",               "http://example.org",                    false),
            ("a time of day",            "at 10:30 it boils",                     false),
            ("a list",                   "- it boils",                            false),
            ("no key",                   ": it boils",                            false),
            ("the end of a sentence",    "as follows: the kettle boils.",         false),
            ("a comma",                  "A kettle, it: boils",                   false),
            ("five words in the key",    "one two three four five: six",          true),
            ("six",                      "one two three four five six: seven",    false),
            ("eight words in the value", "one: two three four five six seven eight nine", true),
            ("nine",                     "one: two three four five six seven eight nine ten", false),
        ];
        for (why, line, want) in table {
            assert_eq!(is_setting(line), *want, "{why}");
        }
        let length = |bytes: usize| "k: ".to_owned() + &"v".repeat(bytes - 3);
        assert!(
            is_setting(&length(MAX_SETTING_BYTES - 1)) && !is_setting(&length(MAX_SETTING_BYTES))
        );
    }

    #[test]
    fn ranges_begin_anew_and_what_was_left_out_is_not_read() {
        let text = "One. Two. Left. Out. Three. Four.";
        let stretches = [0..10, 21..text.len()];
        let got = |ranges: &[Range<usize>]| starts(text, Some(&stretches), ranges);
        assert_eq!(got(&[0..2, 2..4]), [1, 3]);
        assert_eq!(got(&[1..2, 3..4]), [0; 0]);
        assert_eq!(got(&[2..3, 3..4]), [0; 0]);
        assert_eq!(got(&[4..9, 9..12]), [0; 0], "behind the last");
    }

    proptest! {
        /// Against one byte at a time: letters and digits, the characters next to them, and others.
        #[test]
        fn chunks_of_letters_and_digits_are_words(
            text in "([a-z]{0,9}[/-:@-\\[`-\\{\u{1}\u{7f}éß]){1,4}", cuts in (0_usize..40, 0_usize..40),
        ) {
            let [start, end] = [cuts.0, cuts.1].map(|cut| cut % (text.len() + 1));
            let chunk = start.min(end)..start.max(end);
            let want = text.as_bytes()[chunk.clone()].iter().all(u8::is_ascii_alphanumeric);
            prop_assume!(!chunk.is_empty());
            prop_assert_eq!(is_ascii_word(text.as_bytes(), &chunk), want);
        }

        /// Against the definition: the text between every two words.
        #[test]
        fn sentences_are_those_between_words(
            text in "((kettle|lighthouses|lighthouse_s|exam-\n|l'home|水|ﷺ|b\u{37a}c|بﹰ|a\u{b8}|3.14|a|'|é|_)[ \n,.!/…。\":=-]{0,3}){0,200}",
            cuts in proptest::collection::btree_set(0_usize..200, 0..6),
        ) {
            let words = tokens::split(&text).0;
            let cuts: Vec<usize> = [0].into_iter().chain(cuts).chain([words.len()]).collect();
            let ranges: Vec<Range<usize>> = cuts.windows(2).map(|cut| cut[0]..cut[1].min(words.len())).filter(|range| range.start < range.end).collect();
            let is_in_setting = |at: usize| {
                let start = words[at].span.start;
                let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
                is_setting(text[line..].split('\n').next().unwrap())
            };
            let begins = |at: &usize| {
                let between = words[at - 1].span.end..words[*at].span.start;
                between.start <= between.end
                    && (is_in_setting(at - 1) || is_in_setting(*at) || ends(&text[between]))
            };
            let want: Vec<usize> = ranges.iter().flat_map(|range| (range.start + 1..range.end).filter(begins)).collect();
            prop_assert_eq!(starts(&text, None, &ranges), want);
        }
    }
}
