//! The words that templates and `--ignore` leave out of the texts of a corpus.

use std::collections::BTreeMap;
use std::fmt;

use dedup_text::corpus::Document;
use dedup_text::display::counted;
use dedup_text::pair::Recipe;
use dedup_text::tokens::exclusions::Why;
use serde::{Serialize, Serializer};

use super::gathered::Gathered;

/// The words that templates and `--ignore` left out of new texts. As text: `Left out 61 words (marked
/// 61) of 1 text`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Excluded {
    /// The number of texts of which any are left out.
    texts: usize,
    /// The number of texts of which any are left out for a [reason of the text](Why::is_of_the_text).
    #[serde(skip)]
    pub(crate) in_part: usize,
    /// The number of words by reason.
    #[serde(serialize_with = "by_name")]
    words: BTreeMap<Why, usize>,
}

fn by_name<S: Serializer>(words: &BTreeMap<Why, usize>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(words.iter().map(|(why, words)| (why.name(), words)))
}

impl Excluded {
    /// Counts the words; `None` if there are none, unless there is a template: one that is in no text
    /// may be the wrong file.
    pub(crate) fn new(gathered: &Gathered, recipe: &Recipe) -> Option<Self> {
        let (mut texts, mut in_part, mut words) = (0, 0, BTreeMap::new());
        // Of an index, only the texts in pairs are read, so the others of `--against` are not counted.
        let is_new = |(_, text): &(&Document, u32)| !gathered.is_earlier(*text);
        for (document, _) in gathered.corpus.documents.iter().zip(0..).filter(is_new) {
            // Stretches that many texts have in common are listed one by one.
            let parts = document.left_out().iter().filter(|part| part.why != Why::Common);
            texts += usize::from(parts.clone().next().is_some());
            in_part += usize::from(parts.clone().any(|part| part.why.is_of_the_text()));
            parts.for_each(|part| *words.entry(part.why).or_insert(0) += part.words);
        }
        // A text that consists of the template is too short without it.
        if texts == 0 && !recipe.templates.all.is_empty() && gathered.corpus.short.is_empty() {
            words.insert(Why::Template, 0);
        }
        (!words.is_empty()).then_some(Self { texts, in_part, words })
    }
}

impl fmt::Display for Excluded {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let reasons = self.words.iter().map(|(why, words)| format!("{} {words}", why.name()));
        let reasons = reasons.collect::<Vec<_>>().join(", ");
        write!(f, "Left out {} ({reasons})", counted(self.words.values().sum(), "word"))?;
        if self.texts > 0 { write!(f, " of {}", counted(self.texts, "text")) } else { Ok(()) }
    }
}
