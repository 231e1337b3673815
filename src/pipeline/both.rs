//! Two texts → their sketches compared, and the passages that they share.
//!
//! What can be done side by side is, unless that would hold too much at once.

use super::Line;
use super::matches::Matches;
use super::sketched::Sketched;
use super::written::{self, Written};
use crate::exclusions::Remaining;
use crate::language::Settled;
use crate::passages::Least;
use crate::recipe::Recipe;
use crate::text::Text;
use crate::threads;

/// Two texts, and what is left of them.
pub(super) struct Both<'t> {
    pub(super) texts: [&'t Text; 2],
    pub(super) remaining: [&'t Remaining<'t>; 2],
}

impl Both<'_> {
    fn bytes(&self) -> usize {
        self.remaining.iter().map(|text| text.text().len()).sum()
    }

    /// Sketches both texts: short ones in one language with one lexicon, long ones side by
    /// side. The passages that they share come with them where those are asked for and that does
    /// not take [too much memory](is_too_much).
    pub(super) fn sketch(
        &self,
        languages: &Settled,
        recipe: &Recipe,
    ) -> (Sketched, Option<Matches>) {
        let in_one_language = languages.left.language == languages.right.language;
        let line = Line::new(languages.left.language, recipe);
        let own_line = (!in_one_language).then(|| Line::new(languages.right.language, recipe));
        let right_line = own_line.as_ref().unwrap_or(&line);
        let [left, right] = self.remaining;
        let (bytes, ngrams) = (self.bytes(), recipe.ngrams);
        let is_together = in_one_language && !threads::is_worth_it(bytes);
        if let Some(least) = recipe.passages
            && is_together
        {
            let (words, [left, right]) = written::read([left, right]);
            let stems = line.reduce_all(&words, [&left, &right]);
            let sketched = Sketched::together(stems, bytes, ngrams);
            return (sketched, Some(self.matches(left, right, least, recipe)));
        }
        if let Some(least) = recipe.passages
            && !begins_as_too_much([left, right], bytes)
        {
            let ((left_words, [left]), (right_words, [right])) =
                threads::side_by_side(bytes, || written::read([left]), || written::read([right]));
            let beside = self.texts.iter().map(|text| text.beside()).sum();
            if !is_too_much([&left, &right], beside, bytes) {
                // What is done with is freed where it was needed, not all at the end.
                let (line, left, right) = (&line, &left, &right);
                let sketch = move || {
                    if in_one_language {
                        let stems = line.reduce_both((left_words, left), (right_words, right));
                        return Sketched::together(stems, bytes, ngrams);
                    }
                    let sketch_left = move || line.reduce_all(&left_words, [left]);
                    let sketch_right = move || right_line.reduce_all(&right_words, [right]);
                    let (left, right) = threads::side_by_side(bytes, sketch_left, sketch_right);
                    Sketched::apart(left, right, bytes, ngrams)
                };
                let find = || Some(self.matches(left.clone(), right.clone(), least, recipe));
                return threads::side_by_side(bytes, sketch, find);
            }
        }
        if is_together {
            return (Sketched::together(line.read([left, right]), bytes, ngrams), None);
        }
        let (left, right) =
            threads::side_by_side(bytes, || line.read([left]), || right_line.read([right]));
        (Sketched::apart(left, right, bytes, ngrams), None)
    }

    /// Finds the passages that both texts share, where those are asked for, with nothing else
    /// at hand.
    pub(super) fn find(&self, recipe: &Recipe) -> Option<Matches> {
        let least = recipe.passages?;
        let [left, right] = self.remaining;
        let (left, right) =
            threads::side_by_side(self.bytes(), || Written::alone(left), || Written::alone(right));
        Some(self.matches(left, right, least, recipe))
    }

    fn matches(&self, left: Written, right: Written, least: Least, recipe: &Recipe) -> Matches {
        let [left_text, right_text] = self.texts;
        Matches::of((left_text, left), (right_text, right), least, recipe.short)
    }
}

/// Bytes for each word of both texts that it takes to sketch them and to find their passages at
/// once, and for each distinct one.
const A_WORD: usize = 12;
const A_DISTINCT_WORD: usize = 80;

/// Bytes that texts of any size may take.
const ANY: usize = 1 << 25;

/// One part of so many, its beginning, is as a text may be.
const PARTS: usize = 64;

/// The bytes that it takes to sketch texts and to find their passages at once.
fn takes(texts: [&Written; 2]) -> usize {
    let of = |text: &Written| {
        A_WORD * text.sequence.words.len() + A_DISTINCT_WORD * text.sequence.distinct.len()
    };
    texts.into_iter().map(of).sum()
}

/// Whether it takes too much memory to sketch texts of so many bytes together, with so many
/// beside them, and to find their passages at once: where they have very many words to the
/// kilobyte, or ever new ones.
fn is_too_much(texts: [&Written; 2], beside: usize, bytes: usize) -> bool {
    takes(texts) + beside > 4 * bytes + ANY
}

/// Whether that can be told by how the texts begin. The beginning of any text has more distinct
/// words to the kilobyte than all of it.
fn begins_as_too_much(texts: [&Remaining; 2], bytes: usize) -> bool {
    let beginning = |text: &Remaining| {
        let text = text.text();
        Written::alone(&Remaining::all(&text[..text.floor_char_boundary(text.len() / PARTS)]))
    };
    let [left, right] = texts.map(beginning);
    takes([&left, &right]) > (8 * bytes + ANY) / PARTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_too_much_is_told_by_words_and_by_distinct_ones() {
        let million =
            |words: &dyn Fn(usize) -> String| (0..1_000_000).map(words).collect::<String>();
        let letters = |at: usize| "ab ".to_owned() + ["c ", "d "][at % 2];
        #[rustfmt::skip]
        let table: &[(&str, String, bool, bool)] = &[
            ("nothing",             String::new(),                              false, false),
            ("few words in little", "a b c ".repeat(1000),                      false, false),
            ("words that recur",    million(&|at| format!("word{} ", at % 9)),  false, false),
            ("many words",          million(&letters),                          false, false),
            ("ever new words",      million(&|at| format!("w{at} ")),           true,  true),
            ("new words at the end", "word ".repeat(1_000_000) + &million(&|at| format!("w{at} ")), true, false),
        ];
        for (why, text, whole, beginning) in table {
            let remaining = Remaining::all(text);
            let written = Written::alone(&remaining);
            let bytes = 2 * text.len();
            assert_eq!(is_too_much([&written, &written], 0, bytes), *whole, "{why}");
            let beside = (4 * bytes + ANY).saturating_sub(takes([&written, &written]));
            assert!(!is_too_much([&written; 2], beside, bytes) || *whole, "{why}");
            assert!(is_too_much([&written; 2], beside + 1, bytes), "{why}");
            assert_eq!(begins_as_too_much([&remaining, &remaining], bytes), *beginning, "{why}");
        }
    }
}
