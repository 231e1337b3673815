//! Standard output under WASI: it has no duplicate, and no size of a terminal.

use std::io;

/// std's own handle.
pub(super) type Output = io::Stdout;

#[expect(clippy::unnecessary_wraps, reason = "as where there are duplicates")]
pub(super) fn duplicate() -> io::Result<Output> {
    Ok(io::stdout())
}

/// No one draws beside it.
#[expect(clippy::unnecessary_wraps, reason = "as where it can be asked")]
pub(super) fn is_file(_: &Output) -> io::Result<bool> {
    Ok(true)
}

pub(super) fn size() -> [usize; 2] {
    [0, 0]
}
