//! Reads PDFs in processes of this program, so that one that takes without end or all memory is
//! only one that is not read.

use std::ffi::OsString;
use std::io;
use std::sync::OnceLock;

use dedup_text::text::formats::{PdfReader, serve_pdfs};

use crate::diagnostics::Exit;

/// The only argument of such a process; nobody types it.
const ARGUMENT: &str = "__read-pdfs";

/// The most memory that such a process may have, in bytes.
#[cfg(any(target_os = "linux", target_os = "macos"))]
const MAX_MEMORY: u64 = 2 << 30;

/// Returns the reader; `None` on a platform without processes.
pub(crate) fn reader() -> Option<&'static PdfReader> {
    static READER: OnceLock<Option<PdfReader>> = OnceLock::new();
    let reader = READER.get_or_init(|| {
        let program = std::env::current_exe().ok().filter(|_| !cfg!(target_os = "wasi"))?;
        Some(PdfReader::new(program, [OsString::from(ARGUMENT)]))
    });
    reader.as_ref()
}

/// Reports whether this process is to read PDFs.
pub(crate) fn is_asked(arguments: &[OsString]) -> bool {
    arguments.len() == 2 && arguments[1] == ARGUMENT
}

/// Reads PDFs from standard input and writes their texts to standard output.
pub(crate) fn serve() -> Exit {
    limit_memory();
    match serve_pdfs(io::stdin(), io::stdout(), still_wanted()) {
        Ok(()) => Exit::Success,
        Err(_) => Exit::Error,
    }
}

/// Returns a function that reports whether the process that started this one is still there: it may
/// have been killed.
#[cfg(unix)]
fn still_wanted() -> impl Fn() -> bool {
    let parent = std::os::unix::process::parent_id();
    move || std::os::unix::process::parent_id() == parent
}

#[cfg(not(unix))]
fn still_wanted() -> impl Fn() -> bool {
    || true
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn limit_memory() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    // A lower limit that is set already stays.
    let least = |known: Option<u64>| Some(known.map_or(MAX_MEMORY, |known| known.min(MAX_MEMORY)));
    let Rlimit { current, maximum } = getrlimit(Resource::As);
    let limit = Rlimit { current: least(current), maximum: least(maximum) };
    // Where it fails, the time is still limited.
    let _ = setrlimit(Resource::As, limit);
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn limit_memory() {}
