//! Texts that look made to deceive: some of their shingles have the Rabin residue of other ones.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use dedup_text::corpus::Collisions;
use dedup_text::corpus::join::Pair;

use crate::commands::corpus::gather::Gathered;
use crate::diagnostics::{self, TOLD};
use crate::words::thousands;

/// What is found of them in the pairs that are reported.
#[derive(Debug)]
pub(crate) struct Collided<'a> {
    collisions: Collisions<'a>,
    /// The texts of pairs that collide with each other.
    texts: Mutex<BTreeSet<u32>>,
}

impl<'a> Collided<'a> {
    pub(crate) fn new(gathered: &'a Gathered<'a>) -> Self {
        let open = |number| gathered.open_again(number);
        Self { collisions: Collisions::new(&gathered.corpus, open), texts: Mutex::default() }
    }

    /// How many shingles of a pair that is reported have the residue of another one.
    pub(crate) fn of(&self, pair: &Pair) -> usize {
        let collided = self.collisions.of(pair);
        if collided.is_across {
            let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
            texts.extend([pair.a, pair.b]);
        }
        collided.count
    }

    /// Warns of all such texts at once, also of those that collide in themselves.
    pub(crate) fn warn(&self, gathered: &Gathered, name: impl Fn(u32) -> String) {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let documents = (0..).zip(&gathered.corpus.documents);
        texts.extend(documents.filter(|(_, it)| it.collisions > 0).map(|(number, _)| number));
        if texts.is_empty() {
            return;
        }
        let mut names: Vec<String> = texts.iter().take(TOLD).map(|text| name(*text)).collect();
        let more = texts.len() - names.len();
        if let (Some(last), 1..) = (names.last_mut(), more) {
            *last = format!("{last} and {} more", thousands(more));
        }
        diagnostics::warn(
            &names.join(", "),
            "a text looks made to deceive: shingles have the Rabin residue of other ones, \
             which does not happen by chance; counted as different",
        );
    }
}
