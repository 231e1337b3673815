//! What would be compared, and nothing else.

use std::fmt::Write;

use super::{inputs, no_text, opener};
use crate::args::CorpusFlags;
use crate::exit::Exit;
use crate::io::inputs::failure_log::FailureLog;
use crate::io::inputs::names::Names;
use crate::io::inputs::source::{Opened, Skipped, Unopened};
use crate::io::inputs::sources::Sources;
use crate::io::output;
use crate::words::{counted, visible};

/// Lists the texts in the order in which they are come by, a line each: name, kind, bytes and
/// group, parted by tabs; then what was counted.
pub(crate) fn list(flags: &CorpusFlags) -> anyhow::Result<Exit> {
    let opener = opener(flags)?;
    let mut sources = Sources::new(inputs(flags)?)?;
    let mut names: Names = Names::default();
    let (mut skipped, mut failed, mut told) = (Skipped::default(), 0, FailureLog::default());
    let mut list = String::new();
    for batch in &mut sources {
        for source in batch {
            let text = opener.open(source).and_then(|text| {
                names.add(&text.name, text.place.clone())?;
                Ok(text)
            });
            match text {
                Ok(Opened { name, group, text, .. }) => {
                    let (kind, bytes) = (text.kind().name(), text.bytes());
                    let [name, group] = [&name, group.as_deref().unwrap_or("-")].map(visible);
                    let _ = writeln!(list, "{name}\t{kind}\t{bytes}\t{group}");
                }
                Err(Unopened::Skipped(why)) => skipped.add(why, 1),
                Err(Unopened::Failed(failure)) if flags.inputs.stop_on_error => {
                    return Err(failure.error);
                }
                Err(Unopened::Failed(failure)) => {
                    failed += 1;
                    told.tell(&failure);
                }
            }
        }
    }
    told.end(None);
    skipped.add_all(sources.skipped());
    let _ = writeln!(list, "{}, {failed} failed", counted(names.len(), "text"));
    for (why, count) in skipped.counts() {
        let _ = writeln!(list, "{count} skipped: {}", why.name());
    }
    if !flags.answering.quiet {
        output::write(&list, flags.answering.color)?;
    }
    match (names.len(), failed) {
        (0, 0) => Err(no_text().into()),
        (_, 0) => Ok(Exit::Success),
        _ => Ok(Exit::Error),
    }
}
