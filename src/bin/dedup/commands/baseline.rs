//! What was accepted earlier, and what of a run is accepted by it.
//!
//! Goes in: a file of entries, and the judged pairs of a run. Comes out: which pairs are
//! accepted, which entries are of no use, and the file anew where that is asked for. It knows
//! nothing of statuses and formats.

mod entry;
mod file;

use std::collections::BTreeMap;
use std::path::PathBuf;

use dedup_text::pair::Judgement;
use dedup_text::text::{Text, display_path};
use dedup_text::verdict::Verdict;

use crate::args::{BaselineFlags, Unused};
use crate::diagnostics::{self, Diagnostic, TOLD};
use crate::io::output;
use crate::words::{thousands, visible};
use entry::{Entry, entries};

/// What was accepted earlier.
#[derive(Debug)]
pub(crate) struct Baseline {
    path: PathBuf,
    /// Each entry with its name.
    listed: BTreeMap<Entry, String>,
    is_update: bool,
    unused: Unused,
}

/// A pair, seen by a baseline.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// What it is recorded by; nothing where it does not reach the level.
    entries: Vec<(Entry, String)>,
    /// Whether it was accepted earlier, or is now.
    pub(crate) is_accepted: bool,
}

/// What was found in a run: each entry with its name.
#[derive(Debug, Default)]
pub(crate) struct Found(BTreeMap<Entry, String>);

impl Found {
    /// Adds what a pair is recorded by, where that is asked for; the first name of an entry counts.
    pub(crate) fn extend(&mut self, seen: Option<Seen>) {
        for (entry, name) in seen.into_iter().flat_map(|seen| seen.entries) {
            self.0.entry(entry).or_insert(name);
        }
    }
}

impl Baseline {
    /// Reads what was accepted; none where no baseline is named. One that is to be written
    /// need not be there.
    ///
    /// # Errors
    ///
    /// Where it cannot be read or is none.
    pub(crate) fn open(
        flags: &BaselineFlags,
        max_bytes: Option<u64>,
    ) -> anyhow::Result<Option<Self>> {
        let Some(path) = flags.file() else { return Ok(None) };
        let is_update = flags.is_update();
        let read = if is_update { file::read_to_replace } else { file::read };
        let listed = read(path, max_bytes)?;
        Ok(Some(Self { path: path.to_owned(), listed, is_update, unused: flags.unused() }))
    }

    /// Looks whether a pair is accepted. What is written now is accepted with it.
    pub(crate) fn look(
        &self,
        left: &Text,
        right: &Text,
        judgement: &Judgement,
        level: Verdict,
    ) -> Seen {
        if judgement.decision.verdict < level {
            return Seen { entries: Vec::new(), is_accepted: false };
        }
        let entries = entries(left, right, judgement);
        let is_listed = entries.iter().all(|(entry, _)| self.listed.contains_key(entry));
        Seen { entries, is_accepted: is_listed || self.is_update }
    }

    /// Whether all pairs must be known, not only the closest verdict.
    pub(crate) fn needs_all(&self) -> bool {
        self.is_update || self.unused != Unused::Ignore
    }

    /// Ends a run: writes the file anew, or names the entries that were not found.
    ///
    /// # Errors
    ///
    /// Where entries were not found and that is to be trouble.
    pub(crate) fn end(&self, found: &Found) -> anyhow::Result<()> {
        if self.is_update {
            return self.write(found);
        }
        let unused: Vec<_> =
            self.listed.iter().filter(|(entry, _)| !found.0.contains_key(entry)).collect();
        if unused.is_empty() || self.unused == Unused::Ignore {
            return Ok(());
        }
        for (entry, name) in unused.iter().take(TOLD) {
            let told = format!("{}: no longer found: {entry} {name}", display_path(&self.path));
            diagnostics::note(&visible(&told));
        }
        if unused.len() > TOLD {
            diagnostics::note(&format!("and {} more", counted(unused.len() - TOLD, "such ")));
        }
        match self.unused {
            Unused::Error => {
                let count = counted(unused.len(), "accepted ");
                let path = display_path(&self.path);
                Err(Diagnostic::new(format!("{path}: {count} no longer found, wanted all"))
                    .hint("--update-baseline drops them")
                    .into())
            }
            _ => Ok(()),
        }
    }

    /// Writes what was found; what was listed before keeps its name.
    fn write(&self, found: &Found) -> anyhow::Result<()> {
        let name = |(entry, name): (&Entry, &String)| {
            let known = self.listed.get(entry);
            (*entry, known.unwrap_or(name).clone())
        };
        let entries: BTreeMap<Entry, String> = found.0.iter().map(name).collect();
        output::write_file(&self.path, &file::render(&entries))?;
        let count = |one: &BTreeMap<Entry, String>, other: &BTreeMap<Entry, String>| {
            one.keys().filter(|entry| !other.contains_key(entry)).count()
        };
        diagnostics::note(&visible(&format!(
            "{}: {} accepted, {} of them new; {} dropped",
            display_path(&self.path),
            counted(entries.len(), ""),
            count(&entries, &self.listed),
            count(&self.listed, &entries),
        )));
        Ok(())
    }
}

/// So many entries, with what is said of them.
fn counted(count: usize, what: &str) -> String {
    let noun = if count == 1 { "passage or pair" } else { "passages or pairs" };
    format!("{} {what}{noun}", thousands(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_counted_in_words() {
        assert_eq!(counted(0, ""), "0 passages or pairs");
        assert_eq!(counted(1, "accepted "), "1 accepted passage or pair");
        assert_eq!(counted(1204, "accepted "), "1,204 accepted passages or pairs");
    }
}
