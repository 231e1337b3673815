//! Counts the shingles of a pair that were chosen to have the same residue as another shingle.
//!
//! A corpus keeps one number per shingle, in which only the highest bits of the residue are
//! unchanged. If two texts may collide in these bits, both are opened and sketched again, each of
//! them once. For texts that cannot be opened again, the corpus keeps the remaining bits as well.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::Corpus;
use crate::corpus::join::Pair;
use crate::pair::Analyzer;
use crate::shingles::{Collided, collided, may_collide};
use crate::text::Text;
use crate::text::defect;
use crate::tokens::exclusions::{LeftOut, Remaining};

/// The checks of a text's shingles, in the order of their keys; `None` if the text cannot be read
/// again unchanged.
type Checks = Arc<OnceLock<Option<Vec<u32>>>>;

/// A search for shingles with equal residues in the pairs of a corpus.
pub struct Collisions<'c> {
    corpus: &'c Corpus<'c>,
    open: Box<dyn Fn(u32) -> Option<Text> + Sync + 'c>,
    /// The checks of the texts looked at so far, four bytes per shingle.
    checks: Mutex<HashMap<u32, Checks>>,
}

impl<'c> Collisions<'c> {
    /// Returns the search for a corpus. `open` opens a text again by its number, or returns `None`
    /// if it cannot.
    pub fn new(corpus: &'c Corpus<'c>, open: impl Fn(u32) -> Option<Text> + Sync + 'c) -> Self {
        Self { corpus, open: Box::new(open), checks: Mutex::default() }
    }

    /// Returns the shingles of two texts that have the same residue as another one.
    ///
    /// If a text cannot be opened again, or has changed, only the collisions within each single
    /// text are counted.
    ///
    /// The cost is one pass over both sets, unless they may collide.
    pub fn between(&self, pair: &Pair) -> Collided {
        let numbers = [pair.a, pair.b];
        let own = numbers.map(|number| self.corpus.documents[number as usize].collisions());
        let [left, right] = numbers.map(|number| self.corpus.collection.all(number));
        if own == [0, 0] && !may_collide(&left, &right) {
            return Collided::default();
        }
        let [of_left, of_right] = numbers.map(|number| self.checks(number));
        match [&of_left, &of_right].map(|checks| checks.get().and_then(Option::as_deref)) {
            [Some(of_left), Some(of_right)] => collided([(&left, of_left), (&right, of_right)]),
            _ => Collided { count: own[0].max(own[1]), is_across: false },
        }
    }

    fn checks(&self, number: u32) -> Checks {
        let mut all = self.checks.lock().unwrap_or_else(PoisonError::into_inner);
        let checks = Arc::clone(all.entry(number).or_default());
        drop(all);
        checks.get_or_init(|| defect::catch(|| self.sketched_again(number)).ok().flatten());
        checks
    }

    /// Returns the checks of a text, sketched again if they were not kept; `None` if the text
    /// cannot be opened again or has changed.
    fn sketched_again(&self, number: u32) -> Option<Vec<u32>> {
        let document = &self.corpus.documents[number as usize];
        if let Some(checks) = document.checks() {
            return Some(checks.to_vec());
        }
        let opened = match document.text.content() {
            "" => Some((self.open)(number)?),
            _ => None,
        };
        let text = opened.as_ref().unwrap_or(&document.text);
        let is_there = |part: &LeftOut| text.content().get(part.span.clone());
        if document.left_out().iter().any(|part| is_there(part).is_none()) {
            return None;
        }
        let remaining = Remaining::without(text, document.left_out().to_vec());
        let analyzer = Analyzer::new(document.language.language, self.corpus.recipe);
        let ([reading], distinct) = analyzer.read([&remaining]);
        let sketch = analyzer.compose(&reading, &distinct);
        let all = sketch.shingles.all();
        (all.keys() == *self.corpus.collection.all(number)).then(|| all.checks_by_key())
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use proptest::prelude::*;

    use super::*;
    use crate::corpus::join::Side;
    use crate::corpus::{CorpusBuilder, DocumentAnalyzer, Opened, of_corpus};
    use crate::language::{Choice, Given};
    use crate::pair::Recipe;
    use crate::pair::Search;
    use crate::pair::warnings::Warning;

    const ONE: &str = "4000000000000000000001";
    const OTHER: &str = "3616207136267326152070";

    fn recipe(search: Search) -> Recipe {
        let given = Given::As(None);
        Recipe { languages: Choice { left: given, right: given }, search, ..Recipe::default() }
    }

    fn text(number: usize, content: &str) -> Text {
        Text::from_bytes(Path::new(&number.to_string()), content.as_bytes().to_vec()).unwrap()
    }

    fn gathered<'r>(recipe: &'r Recipe, contents: &[&str]) -> Corpus<'r> {
        gathered_once(recipe, contents, false)
    }

    fn gathered_once<'r>(recipe: &'r Recipe, contents: &[&str], is_read_once: bool) -> Corpus<'r> {
        let mut gathering = CorpusBuilder::new(recipe, NonZeroUsize::MIN);
        let sources = contents.iter().enumerate().collect();
        let open = |(number, content): (usize, &&str)| {
            Ok::<_, ()>((
                Opened { text: text(number, content), group: None, side: Side::Any, is_read_once },
                (),
            ))
        };
        assert_eq!(gathering.add(sources, open, |()| Ok(())), []);
        gathering.finish()
    }

    fn collided_of(count: usize, is_across: bool) -> Collided {
        Collided { count, is_across }
    }

    #[test]
    fn texts_are_opened_again_where_they_may_collide_and_once() {
        let contents = [
            format!("account {ONE} is closed"),
            format!("account {OTHER} is closed"),
            format!("accounts {ONE} and {OTHER} are closed"),
            "account 1 is closed".to_owned(),
        ];
        let contents = contents.each_ref().map(String::as_str);
        let recipe = recipe(Search::Never);
        let corpus = gathered(&recipe, &contents);
        assert_eq!([0, 1, 2, 3].map(|it| corpus.documents[it].collisions()), [0, 0, 1, 0]);
        let opened = AtomicUsize::new(0);
        let collisions = Collisions::new(&corpus, |number| {
            opened.fetch_add(1, Ordering::Relaxed);
            Some(text(number as usize, contents[number as usize]))
        });
        let of = |a, b| collisions.between(&corpus.collection.pair(a, b));
        assert_eq!(of(0, 3), collided_of(0, false));
        assert_eq!(opened.load(Ordering::Relaxed), 0);
        // Five shingles of each text contain the number.
        assert_eq!(of(0, 1), collided_of(5, true));
        assert_eq!(of(1, 0), collided_of(5, true));
        assert_eq!(opened.load(Ordering::Relaxed), 2);
        assert_eq!(of(2, 3), collided_of(1, false));
        assert_eq!(of(0, 2), collided_of(1, false));
        assert_eq!(opened.load(Ordering::Relaxed), 4);
    }

    #[test]
    fn a_text_that_is_gone_or_another_tells_what_is_known_without_it() {
        let pair = format!("accounts {ONE} and {OTHER} are closed");
        let contents = [pair.as_str(), &format!("account {OTHER} 1"), &format!("account {ONE} 2")];
        let recipe = recipe(Search::Never);
        let corpus = gathered(&recipe, &contents);
        let open: [fn(u32) -> Option<Text>; 3] = [
            |_| None,
            |number| Some(text(number as usize, "account 5 is closed")),
            |_| panic!("it broke"),
        ];
        for open in open {
            let collisions = Collisions::new(&corpus, open);
            assert_eq!(collisions.between(&corpus.collection.pair(0, 1)), collided_of(1, false));
            assert_eq!(collisions.between(&corpus.collection.pair(1, 2)), collided_of(0, false));
        }
    }

    #[test]
    fn texts_whose_content_or_checks_are_kept_are_not_opened_again() {
        let contents =
            [&*format!("account {ONE} is closed"), &format!("account {OTHER} is closed")];
        for (search, is_read_once) in [(Search::Always, false), (Search::Never, true)] {
            let recipe = recipe(search);
            let corpus = gathered_once(&recipe, &contents, is_read_once);
            let collisions = Collisions::new(&corpus, |_| None);
            assert_eq!(collisions.between(&corpus.collection.pair(0, 1)), collided_of(5, true));
        }
    }

    proptest! {
        /// Compares the counts with those of the two texts on their own.
        #[test]
        fn a_corpus_tells_what_the_pair_tells(
            texts in proptest::collection::vec(
                proptest::collection::vec(proptest::sample::select(vec!["a", "b", ONE, OTHER]), 3..12), 2..4),
        ) {
            let contents: Vec<String> = texts.iter().map(|words| words.join(" ")).collect();
            let contents: Vec<&str> = contents.iter().map(String::as_str).collect();
            let recipe = recipe(Search::Never);
            let corpus = gathered(&recipe, &contents);
            let again = |number: u32| Some(text(number as usize, contents[number as usize]));
            let collisions = Collisions::new(&corpus, again);
            for b in 1..contents.len() {
                let numbers = [0, u32::try_from(b).unwrap()];
                let got = collisions.between(&corpus.collection.pair(numbers[0], numbers[1])).count;
                let [left, right] = [0, b].map(|number| text(number, contents[number]));
                let judged = crate::pair::judge(&left, &right, &recipe).unwrap();
                let count = |it: &Warning| if let Warning::Collisions(count) = it { *count } else { 0 };
                prop_assert_eq!(got, judged.warnings.iter().map(count).sum::<usize>());
                let single = DocumentAnalyzer::new(&recipe).judge(left, right, of_corpus(None)).unwrap();
                prop_assert_eq!(got, single.warnings.iter().map(count).sum::<usize>());
            }
        }
    }
}
