//! Reads PDFs in processes of this program, so that one that takes without end or all memory is
//! only one that is not read. A platform without processes, such as that of the page, reads them
//! itself, and keeps what it read in a folder: the page ends it if it takes too long, and starts it
//! again.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

use dedup_text::text::formats::{PdfReader, PdfReading, serve_pdfs};

use crate::diagnostics::Exit;

/// The name of the variable with the folder in which the page keeps what was read.
const FOLDER_VARIABLE: &str = "DEDUP_PDFS";

/// The most memory that such a process may have, in bytes.
#[cfg(any(target_os = "linux", target_os = "macos"))]
const MAX_MEMORY: u64 = 2 << 30;

/// Returns where PDFs are read.
pub(crate) fn reading() -> PdfReading {
    static READER: OnceLock<Option<PdfReader>> = OnceLock::new();
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    if cfg!(target_os = "wasi") {
        let folder = FOLDER.get_or_init(|| std::env::var_os(FOLDER_VARIABLE).map(PathBuf::from));
        return PdfReading::Here(folder.as_deref());
    }
    let reader = READER.get_or_init(|| {
        let program = std::env::current_exe().ok()?;
        Some(PdfReader::new(program, [PdfReader::ARGUMENT.into()]))
    });
    reader.as_ref().map_or(PdfReading::Refused, PdfReading::InProcesses)
}

/// Reports whether this process is to read PDFs.
pub(crate) fn is_asked(arguments: &[OsString]) -> bool {
    arguments.len() == 2 && arguments[1] == PdfReader::ARGUMENT
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
