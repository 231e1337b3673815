//! Joins glyphs into lines.
//!
//! Input: glyphs in the order in which they are drawn, all in one direction. Output: lines with
//! their words, each with its place, in the order in which they are drawn. What is drawn on one
//! baseline is one line if nothing wider than a space is between; a line of right-to-left letters
//! is read from the right.

use unicode_normalization::char::is_combining_mark;

use super::order::{Direction, in_logical_order};

/// A glyph, with its place along and across the lines.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) letters: String,
    pub(super) left: f64,
    pub(super) right: f64,
    /// The distance of the baseline from the first one.
    pub(super) baseline: f64,
    pub(super) size: f64,
}

/// A line, or a part of one that is apart from the others.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) baseline: f64,
    pub(super) size: f64,
    /// The number of glyphs that are drawn before its first one.
    pub(super) drawn: usize,
}

impl Line {
    /// Reports whether another line goes on where this one ends.
    pub(super) fn is_followed_by(&self, next: &Self) -> bool {
        self.right <= next.left
            && (self.baseline - next.baseline).abs() <= SHIFT * self.size.min(next.size)
    }
}

// Lengths, each as a share of the size of the type.

/// The smallest gap between words.
const WORD_GAP: f64 = 0.2;

/// The smallest gap between words with a drawn space in it.
const SPACE_GAP: f64 = 0.05;

/// The smallest gap between Chinese or Japanese letters that parts them.
const WIDE_GAP: f64 = 0.5;

/// The largest gap within a line.
const LINE_GAP: f64 = 1.2;

/// The largest gap between what is drawn one after the other with something else in between.
const MERGED_GAP: f64 = 0.6;

/// The largest shift of an index or exponent from the baseline, and of letters merged into a line.
const SHIFT: f64 = 0.4;

/// The gap between letters from which on they are spaced out, and how many times as wide the gap
/// between their words is at least.
const SPACED_OUT: f64 = 0.08;
const WORD_RATIO: f64 = 1.7;

/// Accents that are drawn as letters of their own, and the marks that they stand for.
const ACCENTS: [(char, char); 12] = [
    ('`', '\u{300}'),
    ('\u{b4}', '\u{301}'),
    ('\u{2c6}', '\u{302}'),
    ('^', '\u{302}'),
    ('\u{2dc}', '\u{303}'),
    ('\u{af}', '\u{304}'),
    ('\u{2d8}', '\u{306}'),
    ('\u{2d9}', '\u{307}'),
    ('\u{a8}', '\u{308}'),
    ('\u{2da}', '\u{30a}'),
    ('\u{2c7}', '\u{30c}'),
    ('\u{b8}', '\u{327}'),
];

/// Glyphs that are drawn one after the other on a line.
struct Fragment {
    glyphs: Vec<Placed>,
    left: f64,
    right: f64,
    baseline: f64,
    size: f64,
    drawn: usize,
}

/// Joins glyphs into lines.
pub(super) fn lines(glyphs: Vec<Placed>) -> Vec<Line> {
    let base = Direction::of_text(glyphs.iter().map(|glyph| glyph.letters.as_str()));
    let mut lines = merged(fragments(glyphs));
    lines.sort_by_key(|fragment| fragment.drawn);
    let lines = lines.into_iter().map(|fragment| fragment.into_line(base));
    lines.filter(|line| !line.text.is_empty()).collect()
}

/// Cuts glyphs into fragments.
fn fragments(glyphs: Vec<Placed>) -> Vec<Fragment> {
    let mut fragments: Vec<Fragment> = Vec::new();
    for (drawn, glyph) in glyphs.into_iter().enumerate() {
        let Placed { left, right, baseline, size, .. } = glyph;
        let next = Fragment { left, right, baseline, size, drawn, glyphs: vec![glyph] };
        match fragments.last_mut() {
            Some(last) if last.continues_with(&next) => last.merge(next),
            _ => fragments.push(next),
        }
    }
    fragments
}

/// Merges fragments that touch on a line.
fn merged(mut fragments: Vec<Fragment>) -> Vec<Fragment> {
    fragments.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
    let mut lines: Vec<Fragment> = Vec::new();
    let is_row = |one: &Fragment, other: &Fragment| {
        (one.baseline - other.baseline).abs() <= SHIFT / 2.0 * one.size.min(other.size)
    };
    let mut rest = fragments.into_iter().peekable();
    while let Some(first) = rest.next() {
        let mut row = vec![first];
        while let Some(next) =
            rest.next_if(|next| row.last().is_some_and(|last| is_row(last, next)))
        {
            row.push(next);
        }
        row.sort_by(|one, other| one.left.total_cmp(&other.left));
        let begin = lines.len();
        for fragment in row {
            match lines[begin..].last_mut() {
                Some(last) if last.touches(&fragment) => last.merge(fragment),
                _ => lines.push(fragment),
            }
        }
    }
    lines
}

impl Fragment {
    /// Reports whether a glyph that is drawn next belongs to the same line.
    fn continues_with(&self, glyph: &Self) -> bool {
        let size = self.size.max(glyph.size);
        let gap = (glyph.left - self.right).max(self.left - glyph.right);
        (glyph.baseline - self.baseline).abs() <= SHIFT * size && gap <= LINE_GAP * size
    }

    /// Reports whether a fragment to the right of this one is the rest of its line.
    fn touches(&self, next: &Self) -> bool {
        let size = self.size.max(next.size);
        let gap = next.left - self.right;
        let is_on_it = (self.baseline - next.baseline).abs() <= SHIFT * size;
        is_on_it && (gap.abs() <= MERGED_GAP * size || next.right <= self.right)
    }

    fn merge(&mut self, next: Self) {
        self.drawn = self.drawn.min(next.drawn);
        self.left = self.left.min(next.left);
        self.right = self.right.max(next.right);
        if next.size > self.size {
            // An index is not the baseline.
            (self.size, self.baseline) = (next.size, next.baseline);
        }
        self.glyphs.extend(next.glyphs);
    }

    fn into_line(self, base: Direction) -> Line {
        let Self { glyphs, left, right, baseline, size, drawn } = self;
        let text = text(glyphs, base);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Line { text, left, right, baseline, size, drawn }
    }
}

/// Returns the text of a line in the order in which it is read.
fn text(glyphs: Vec<Placed>, base: Direction) -> String {
    let mut clusters = with_marks(glyphs);
    clusters.sort_by(|one, other| one.left.total_cmp(&other.left));
    let spaced_out = {
        let pairs = clusters.windows(2).filter(|it| it.iter().all(|one| !is_blank(one)));
        let mut gaps: Vec<f64> =
            pairs.map(|it| (it[1].left - it[0].right) / it[1].size.max(it[0].size)).collect();
        let middle = gaps.len() / 2;
        gaps.sort_by(f64::total_cmp);
        gaps.get(middle).copied().filter(|gap| *gap > SPACED_OUT)
    };
    let word_gap = spaced_out.map_or(WORD_GAP, |gap| WORD_GAP.max(gap * WORD_RATIO));
    let mut pieces: Vec<String> = Vec::new();
    let mut last: Option<Placed> = None;
    let mut has_space = false;
    for cluster in clusters {
        if is_blank(&cluster) {
            has_space = true;
            continue;
        }
        if let Some(last) = &last {
            let gap = (cluster.left - last.right) / cluster.size.max(last.size);
            let are_wide = is_wide(&last.letters) && is_wide(&cluster.letters);
            let smallest = match () {
                () if has_space => SPACE_GAP,
                () if are_wide => WIDE_GAP.max(word_gap),
                () => word_gap,
            };
            if gap >= smallest {
                pieces.push(" ".to_owned());
            }
        }
        has_space = false;
        pieces.push(cluster.letters.clone());
        last = Some(cluster);
    }
    in_logical_order(pieces, base).concat()
}

/// Joins marks and accents with the letters on which they are drawn.
fn with_marks(glyphs: Vec<Placed>) -> Vec<Placed> {
    let mut clusters: Vec<Placed> = Vec::with_capacity(glyphs.len());
    let mut marks: Vec<Placed> = Vec::new();
    let holds = |letter: &Placed, mark: &Placed| {
        let centre = f64::midpoint(mark.left, mark.right);
        let edge = SPACE_GAP * letter.size;
        letter.left - edge <= centre && centre <= letter.right + edge && !is_blank(letter)
    };
    for glyph in glyphs {
        if is_mark(&glyph) {
            match clusters.last_mut() {
                Some(letter) if holds(letter, &glyph) => letter.letters.push_str(&glyph.letters),
                _ => marks.push(glyph),
            }
            continue;
        }
        let mut letter = glyph;
        // A mark that is drawn before its letter.
        for mark in std::mem::take(&mut marks) {
            if holds(&letter, &mark) {
                letter.letters.push_str(&mark.letters);
            } else {
                clusters.push(mark);
            }
        }
        if let Some(mark) = accent(&letter)
            && let Some(last) =
                clusters.last_mut().filter(|last| holds(last, &letter) && is_letter(last))
        {
            last.letters.push(mark);
            continue;
        }
        if is_letter(&letter)
            && let Some(mark) = clusters.last().filter(|last| holds(&letter, last)).and_then(accent)
        {
            clusters.pop();
            letter.letters.push(mark);
        }
        clusters.push(letter);
    }
    clusters.extend(marks);
    clusters
}

fn is_blank(glyph: &Placed) -> bool {
    glyph.letters.trim().is_empty()
}

fn is_letter(glyph: &Placed) -> bool {
    glyph.letters.starts_with(char::is_alphabetic)
}

fn is_mark(glyph: &Placed) -> bool {
    glyph.letters.starts_with(is_combining_mark)
}

/// Returns the mark that an accent stands for.
fn accent(glyph: &Placed) -> Option<char> {
    let mut letters = glyph.letters.chars();
    let letter = letters.next().filter(|_| letters.next().is_none())?;
    ACCENTS.iter().find(|(accent, _)| *accent == letter).map(|(_, mark)| *mark)
}

/// Reports whether letters are as wide as high: Chinese, Japanese.
pub(super) fn is_wide(letters: &str) -> bool {
    letters.starts_with(|letter: char| {
        matches!(letter, '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
            | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3fffd}')
    })
}
