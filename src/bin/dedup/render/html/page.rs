//! What the report shows of a pair, whatever it was found by.

use std::borrow::Cow;
use std::ops::Range;

use dedup_text::text::Side as Which;

/// All that the report shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Page<'p> {
    pub(super) left: Side<'p>,
    pub(super) right: Side<'p>,
    /// Numbered from 1 in this order; they overlap on neither side.
    pub(super) passages: Vec<Passage>,
    pub(super) verdict: &'static str,
    /// The answer in one sentence.
    pub(super) sentence: String,
    /// What decided.
    pub(super) reasons: String,
    /// Name, value, limit, meaning.
    pub(super) figures: Vec<[String; 4]>,
    /// What pairs that were measured say of each figure: its name, and a sentence.
    pub(super) measured: Vec<(&'static str, String)>,
    /// What is known of each text.
    pub(super) facts: Vec<Fact>,
    /// Name and value.
    pub(super) parameters: Vec<(&'static str, String)>,
    /// What every reader should know.
    pub(super) warnings: Vec<String>,
    /// The warnings that are about how words were compared.
    pub(super) notes: Vec<String>,
    /// What does not count of each text and why, counted.
    pub(super) left_out: Vec<String>,
}

impl<'p> Page<'p> {
    /// Whether a passage has parts in another order.
    pub(super) fn has_parts(&self) -> bool {
        self.passages.iter().any(|passage| !passage.right.parts.is_empty())
    }

    /// Whether a passage is reworded.
    pub(super) fn has_reworded(&self) -> bool {
        self.passages.iter().any(|passage| passage.kind == "reworded")
    }

    /// Whether a text has words in disguise.
    pub(super) fn has_disguised(&self) -> bool {
        [&self.left, &self.right].iter().any(|side| !side.disguised.is_empty())
    }

    pub(super) fn side(&self, which: Which) -> &Side<'p> {
        match which {
            Which::Left => &self.left,
            Which::Right => &self.right,
        }
    }
}

/// One of the texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Side<'p> {
    /// The file's name, or what stands for it.
    pub(super) name: String,
    /// The text as it was compared, its lines as they are to be read; see [`super::shown`].
    pub(super) content: Cow<'p, str>,
    /// The shortest code of its language.
    pub(super) language: Option<&'static str>,
    /// Those that count.
    pub(super) words: usize,
    /// In their order; none reaches into another.
    pub(super) left_out: Vec<Out>,
    /// In their order; none reaches into another.
    pub(super) disguised: Vec<Disguised>,
}

impl Side<'_> {
    /// A part of the text. A border that lies in a soft hyphen which stands for the end of a line
    /// is before that.
    pub(super) fn text(&self, span: Range<usize>) -> &str {
        let [start, end] =
            [span.start, span.end].map(|byte| self.content.floor_char_boundary(byte));
        &self.content[start..end]
    }
}

/// A word that is shown in other characters than it was written in.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Disguised {
    pub(super) span: Range<usize>,
    pub(super) written: String,
}

/// A part of a text that does not count.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Out {
    pub(super) why: &'static str,
    pub(super) span: Range<usize>,
}

/// Something that is known of each text.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub(super) name: &'static str,
    pub(super) left: String,
    pub(super) right: String,
}

/// A passage that both texts have.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Passage {
    /// `exact`, `edited` or `reworded`.
    pub(super) kind: &'static str,
    /// The words that agree.
    pub(super) words: usize,
    /// The other words of the longer side.
    pub(super) changed_words: usize,
    pub(super) left: Place,
    pub(super) right: Place,
}

impl Passage {
    pub(super) fn place(&self, which: Which) -> &Place {
        match which {
            Which::Left => &self.left,
            Which::Right => &self.right,
        }
    }
}

/// Where a passage stands in a text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Place {
    /// Its bytes in the text as it was compared.
    pub(super) span: Range<usize>,
    /// Its first and its last line in what can be opened, from 1.
    pub(super) lines: [usize; 2],
    /// Its words, changed or not.
    pub(super) words: usize,
    /// What in it the other text has not, in order.
    pub(super) changed: Vec<Range<usize>>,
    /// Where its parts begin, in order, with their numbers in the order of right; none where
    /// they stand in one order in both texts.
    pub(super) parts: Vec<(usize, usize)>,
}

/// The colours of passages that are numbered one after the other.
pub(super) fn tint(number: usize) -> &'static str {
    const TINTS: [&str; 8] =
        ["tint-0", "tint-1", "tint-2", "tint-3", "tint-4", "tint-5", "tint-6", "tint-7"];
    TINTS[(number + TINTS.len() - 1) % TINTS.len()]
}
