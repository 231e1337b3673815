//! Standard output, as the system has it.

use std::fs::File;
use std::io;

/// Standard output as a file: std's own handle takes one that may not be written for
/// one that swallows everything, and an answer must not be lost in silence.
pub(super) type Output = File;

#[cfg(unix)]
pub(super) fn duplicate() -> io::Result<Output> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

/// The same by its Windows name.
#[cfg(windows)]
pub(super) fn duplicate() -> io::Result<Output> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

/// Whether it goes to a file.
pub(super) fn is_file(output: &Output) -> io::Result<bool> {
    Ok(output.metadata()?.is_file())
}

/// The columns and lines of the terminal that it goes to; 0 where there is none.
pub(super) fn size() -> [usize; 2] {
    let terminal = terminal_size::terminal_size_of(io::stdout());
    terminal.map_or([0, 0], |(width, height)| [width.0, height.0].map(usize::from))
}
