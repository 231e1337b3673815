//! `dedup part`: a corpus in parts, for anyone who brings the parts together.
//!
//! Goes in: records on standard input. Comes out: a line for each, or a file of counts. No step
//! but count knows of more than one line at a time, and none of the parts that there are.

pub(crate) mod records;

use dedup_text::pair::recipe::Recipe;

use crate::args::{PartFlags, Step};
use crate::exit::Exit;
use crate::io::inputs::record::Fields;
use crate::io::inputs::source::Opener;

/// Does a step.
pub(crate) fn answer(flags: &PartFlags) -> anyhow::Result<Exit> {
    let recipe = flags.recipe()?;
    match flags.step {
        Step::Count => records::count(flags, &recipe),
        Step::Merge => records::merge(flags),
        Step::Keys => records::keys(flags, &recipe),
        Step::Judge => records::judge(flags, &recipe),
    }?;
    Ok(Exit::Success)
}

/// How the records are opened.
fn opener(flags: &PartFlags) -> anyhow::Result<Opener> {
    let fields = Fields::named(&flags.text, &flags.id, None, None);
    let opening = &flags.comparing.opening;
    Ok(Opener::new(opening.reading_of_all()?, fields, opening.disguises()))
}

/// The sketches of texts, with one memory a thread.
fn singles<'r>(
    flags: &PartFlags,
    recipe: &'r Recipe,
) -> Vec<dedup_text::corpus::DocumentAnalyzer<'r>> {
    let single = |_| dedup_text::corpus::DocumentAnalyzer::new(recipe);
    (0..flags.threads().get()).map(single).collect()
}
