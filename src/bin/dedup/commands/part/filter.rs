//! Lines in, a line for each out, in their order.

use std::path::Path;

use dedup_text::parallel;
use serde::Serialize;

use crate::args::{BadLines, PartFlags};
use crate::inert;
use crate::io::inputs::lines::Lines;
use crate::io::inputs::source::Line;
use crate::io::inputs::source::{Failed, Source};
use crate::io::output::{self, Reader, Syntax};

/// What stands for a line that is bad.
#[derive(Serialize)]
struct BadRecord {
    id: Option<String>,
    error: String,
}

/// The lines of standard input, block by block.
pub(super) fn lines(flags: &PartFlags) -> anyhow::Result<Lines> {
    let most = flags.comparing.opening.reading_of_all()?.most;
    Ok(Lines::of(Path::new("-"), most))
}

/// Answers each line on a thread for each state. A bad line ends it, or has an answer that says
/// so; what stands before it is written. Nobody reading on ends it, too.
pub(super) fn answer<S: Send>(
    flags: &PartFlags,
    states: &mut [S],
    answer: impl Fn(&mut S, &Line) -> anyhow::Result<String> + Sync,
) -> anyhow::Result<()> {
    for batch in lines(flags)? {
        let done = parallel::each_with(states, batch, |state, source| match source {
            Source::Line(line) => {
                let told = answer(state, &line);
                told.map_err(|error| (name(flags, &line), line.failed(error)))
            }
            Source::Lost(failed) => Err((None, failed)),
            Source::File(_) => Ok(String::new()), // there are lines alone
        });
        let mut written = String::new();
        let mut bad = None;
        for line in done {
            match line.or_else(|(id, failed)| kept(flags, id, failed)) {
                Ok(line) => {
                    written.push_str(&line);
                    written.push('\n');
                }
                Err(error) => {
                    bad = Some(error);
                    break;
                }
            }
        }
        if output::write_lines(Syntax::Json, &written)? == Reader::HasEnough {
            return Ok(());
        }
        if let Some(error) = bad {
            return Err(error);
        }
    }
    Ok(())
}

/// What stands for a bad line where it is to be kept. What could not be read on is the end.
fn kept(flags: &PartFlags, id: Option<String>, failed: Failed) -> anyhow::Result<String> {
    if flags.bad_lines == BadLines::Stop || failed.is_whole_file {
        return Err(failed.error);
    }
    inert::json(&BadRecord { id, error: format!("{:#}", failed.error) })
}

/// The id of a line that may have one.
fn name(flags: &PartFlags, line: &Line) -> Option<String> {
    crate::io::inputs::record::field(line.bytes(), &flags.id)
}
