//! Where the texts come from that a clean corpus would lose.

use std::collections::BTreeMap;
use std::path::Path;

use dedup_text::text::display_path;
use dedup_text::words::{counted, thousands};

use crate::args::InputFlags;
use crate::diagnostics::{self, MAX_SHOWN};
use crate::io::inputs::source::{Age, Place, name_of};
use crate::model::corpus::Answer;
use crate::model::corpus::Keeping;

/// How many texts a source has, and how many of them are removed.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Count {
    all: usize,
    removed: usize,
}

impl Count {
    /// Whether it loses more than half of several texts.
    fn is_mostly_removed(self) -> bool {
        self.all > 1 && 2 * self.removed > self.all
    }
}

/// Warns of each source that would lose more than half of its texts: a file of records, an archive
/// or a folder that is named.
pub(crate) fn warn(answer: &Answer, keeping: &Keeping, inputs: &InputFlags) {
    let counts = counts(answer, keeping, inputs);
    let lost: Vec<_> = counts.iter().filter(|(_, count)| count.is_mostly_removed()).collect();
    for (source, Count { all, removed }) in lost.iter().take(MAX_SHOWN) {
        let (removed, all) = (thousands(*removed), counted(*all, "text"));
        diagnostics::warn(source, &format!("more than half would go: {removed} of {all}"));
    }
    if let Some(more) = lost.len().checked_sub(MAX_SHOWN).filter(|more| *more > 0) {
        diagnostics::note(&format!("and {} more like them", counted(more, "source")));
    }
}

fn counts(answer: &Answer, keeping: &Keeping, inputs: &InputFlags) -> BTreeMap<String, Count> {
    let gathered = answer.gathered;
    let mut is_removed = vec![false; gathered.ages.len()];
    for (number, _) in (0..).zip(&keeping.removed).filter(|(_, partner)| partner.is_some()) {
        let position = gathered.position(answer.document(number).text.path());
        if let Some(is_removed) = position.and_then(|at| is_removed.get_mut(at)) {
            *is_removed = true;
        }
    }
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let texts = (gathered.ages.iter().zip(&is_removed).enumerate())
        .filter(|(_, (age, _))| **age != Age::Old);
    for (position, (_, is_removed)) in texts {
        let name = gathered.found_at.get(position);
        let source = match gathered.found_at.place_of(position) {
            Place::Line { file, .. } | Place::Row { file, .. } => display_path(file).into_owned(),
            Place::Member { archive, .. } | Place::Stored(archive) => name_of(archive),
            Place::File | Place::Unit(_) => folder(name, inputs),
        };
        let count = counts.entry(source).or_default();
        count.all += 1;
        count.removed += usize::from(*is_removed);
    }
    counts
}

/// The innermost folder that is named and has a text; of a file that is named, itself.
fn folder(name: &str, inputs: &InputFlags) -> String {
    let around = inputs.paths.iter().filter(|path| Path::new(name).starts_with(path));
    let innermost = around.max_by_key(|path| path.components().count());
    innermost.map_or_else(|| name.to_owned(), |path| name_of(path))
}
