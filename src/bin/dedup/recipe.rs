//! The flags of a comparison → its recipe, with the lists and templates that they name.

use std::path::{Path, PathBuf};

use anyhow::Context;
use dedup_text::language::Choice;
use dedup_text::pair::{self, Recipe, Search};
use dedup_text::passages::{Sequence, Templates};
use dedup_text::stopwords::{Choice as StopWordChoice, StopWords};
use dedup_text::text::{ReadOptions, Text, display_path};

use crate::args::Comparing;
use crate::args::comparing::Evidence;
use crate::diagnostics::{Diagnostic, Flag};
use crate::io::disk::FileId;
use crate::io::inputs::archives::is_archive;

/// Returns the recipe of a comparison with the given languages. `search` sets when passages are
/// searched for.
///
/// # Errors
///
/// [`Diagnostic`] if flags contradict each other; an error if a file that they name cannot be
/// read or has no words.
pub(crate) fn recipe(
    comparing: &Comparing,
    languages: Choice,
    search: Search,
) -> anyhow::Result<Recipe> {
    let evidence = &comparing.evidence;
    Ok(Recipe {
        ignored: evidence.ignored(),
        templates: templates(evidence, &comparing.opening.of_others())?,
        common: None,
        ngrams: comparing.ngrams()?,
        languages,
        stopwords: stopwords(comparing)?,
        stemming: comparing.stem,
        limits: comparing.limits()?,
        search,
        min_match: evidence.min_match,
        short: evidence.short(),
    })
}

/// Returns which stop words are dropped: those of the language, none, or those of a file.
///
/// # Errors
///
/// Returns an error if a list cannot be read, or contains no words.
pub(crate) fn stopwords(comparing: &Comparing) -> anyhow::Result<StopWordChoice> {
    let Some(path) = comparing.stopwords_file() else {
        let is_on = comparing.stopwords == Path::new("on");
        return Ok(if is_on { StopWordChoice::On } else { StopWordChoice::Off });
    };
    let text = Text::open(path, &comparing.opening.list()).context(Flag::new("stopwords"))?;
    let list = StopWords::parse(text.content());
    if list.is_empty() {
        return Err(Diagnostic::new(format!(
            "--stopwords {}: no words found, expected a list of stop words",
            display_path(path)
        ))
        .hint("--stopwords off keeps all words")
        .flags(["stopwords"])
        .into());
    }
    Ok(StopWordChoice::List(list))
}

/// Returns the templates: texts that were given to all authors, so that sharing them is no
/// evidence. A file that is given twice is read once. The templates are opened with the given
/// options.
///
/// # Errors
///
/// Returns an error if a file cannot be read, is an archive, or contains no words.
fn templates(evidence: &Evidence, reading: &ReadOptions) -> anyhow::Result<Templates> {
    let template = |path: &Path| -> anyhow::Result<Sequence> {
        if path.is_file() && is_archive(path) {
            let what =
                format!("--template: {}: is an archive, expected a text file", display_path(path));
            return Err(Diagnostic::new(what)
                .hint("unpack it, and name one file in it")
                .flags(["template"])
                .into());
        }
        let text = Text::open(path, reading).context(Flag::new("template"))?;
        pair::template(&text).context(Flag::new("template"))
    };
    let mut known = Vec::new();
    let is_new = |path: &&PathBuf| {
        let id = FileId::new(path);
        !known.contains(&id) && {
            known.push(id);
            true
        }
    };
    let new = evidence.template.iter().filter(is_new);
    let all = new.map(|path| template(path)).collect::<Result<_, _>>()?;
    Ok(Templates { all, min_match: evidence.min_match })
}
