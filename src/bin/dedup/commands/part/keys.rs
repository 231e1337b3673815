//! A record → what it is joined by.

use anyhow::Context;
use data_encoding::HEXLOWER;
use dedup_text::corpus::join::Limit;
use dedup_text::corpus::join::part::{self, MOST_BITS};
use dedup_text::corpus::{DocumentAnalyzer, of_corpus};
use dedup_text::language::Language;
use dedup_text::pair::recipe::Recipe;
use serde::Serialize;

use super::counts::{Counted, digest};
use super::{filter, opener, singles};
use crate::args::PartFlags;
use crate::diagnostics::Diagnostic;
use crate::inert;
use crate::io::inputs::source::Line;
use crate::io::inputs::source::Opener;

/// Numbers of 64 bits are written with a sign: engines that join them have no others.
#[derive(Default, Serialize)]
struct Record<'r> {
    id: &'r str,
    /// Distinct shingles; 0 of a text that is too short to be compared.
    size: usize,
    words: usize,
    /// The SHA-256 of the words in their order.
    order: Option<String>,
    /// What the shingles come to; the same for equal sets.
    set: Option<String>,
    simhash: Option<String>,
    language: Option<&'static str>,
    keys: Vec<(i64, usize)>,
    blocks: Vec<i64>,
    shingles: Vec<i64>,
}

/// Answers each record of standard input with its keys.
pub(super) fn keys(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<()> {
    let limit = recipe.limits.jaccard.map(Limit::of);
    check(recipe)?;
    let counted = Counted::named(flags, recipe)?.context("no counts")?;
    let keys = Keys { recipe, opener: opener(flags)?, limit, counted: &counted };
    filter::answer(flags, &mut singles(flags, recipe), |single, line| keys.answer(single, line))
}

/// Limits that every pair reaches have no keys.
fn check(recipe: &Recipe) -> Result<(), Diagnostic> {
    let trouble =
        |message: String| Diagnostic::new(message).hint("dedup corpus compares by any limit");
    if recipe.limits.jaccard.is_some_and(|limit| Limit::of(limit).is_zero()) {
        return Err(trouble("--jaccard 0, wanted a limit that not all pairs reach".to_owned()));
    }
    match recipe.limits.hamming {
        Some(most) if most > MOST_BITS => {
            Err(trouble(format!("--hamming {most}, wanted {MOST_BITS} at most in parts")))
        }
        _ => Ok(()),
    }
}

struct Keys<'k> {
    recipe: &'k Recipe,
    opener: Opener,
    limit: Option<Limit>,
    counted: &'k Counted,
}

impl Keys<'_> {
    fn answer(&self, single: &mut DocumentAnalyzer, line: &Line) -> anyhow::Result<String> {
        let opened = self.opener.open_line(line)?;
        let main = || of_corpus(self.counted.languages.main());
        let language = single.language(&opened.text).unwrap_or_else(main);
        let Ok((document, sketch)) = single.sketch(opened.text, language) else {
            // Too short, as a corpus may have them.
            return inert::json(&Record { id: &opened.name, ..Record::default() });
        };
        let set = sketch.shingles.all().distinct_residues();
        let keys = part::keys(&set, &self.counted.counts, self.counted.known(), self.limit);
        if keys.is_strange {
            let message = "a shingle that was not counted, wanted counts of all texts";
            return Err(Diagnostic::new(message).into());
        }
        let bytes: Vec<u8> = set.iter().flat_map(|residue| residue.to_be_bytes()).collect();
        let blocks = self.recipe.limits.hamming.zip(sketch.fingerprint);
        let blocks = blocks.map(|(most, bits)| part::blocks(bits, most, self.counted.texts()));
        let record = Record {
            id: &opened.name,
            size: set.len(),
            words: document.words,
            order: Some(HEXLOWER.encode(document.digest.bytes())),
            set: Some(digest(&bytes)),
            simhash: sketch.fingerprint.map(|bits| bits.to_string()),
            language: language.language.map(Language::code),
            keys: keys.keys.into_iter().map(|(it, place)| (it.cast_signed(), place)).collect(),
            blocks: blocks.unwrap_or_default().into_iter().map(u64::cast_signed).collect(),
            shingles: keys.shared.into_iter().map(u64::cast_signed).collect(),
        };
        inert::json(&record)
    }
}
