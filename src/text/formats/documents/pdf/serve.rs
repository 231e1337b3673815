//! Reads PDFs in this process.
//!
//! Input: requests, as [`process`] sends them. Output: their replies. PDFs are read one after the
//! other, on one thread. A process that cannot start others keeps the replies in a folder: if its
//! host terminates it because of one PDF, the next process takes those of the others from there.
//!
//! [`process`]: super::process

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::Builder;
use std::time::Duration;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::super::{ExtractError, Extracted};
use super::process::{Reply, read_frame, write_frame};
use super::{KIND, reader};

/// The stack of the thread that reads, in bytes: forms and glyphs are nested up to fifty deep.
const STACK: usize = 64 << 20;

/// Reads a PDF. If a folder is given, takes the reply that is kept there, or keeps it there: a file
/// named by the digest of the PDF, empty while the PDF is read.
///
/// # Errors
///
/// Returns an [`ExtractError`] if its text cannot be extracted, or if the process that read it last
/// was ended.
#[expect(clippy::disallowed_methods, reason = "a reply of this program is no text")]
pub(super) fn read(
    pdf: &[u8],
    max_bytes: u64,
    folder: Option<&Path>,
) -> Result<Extracted, ExtractError> {
    let Some(folder) = folder else { return reader::read(pdf, max_bytes) };
    let kept = folder.join(HEXLOWER.encode(&Sha256::digest(pdf)));
    let Ok(reply) = fs::read(&kept) else {
        fs::write(&kept, "").map_err(ExtractError::ReaderFailed)?;
        let reply = Reply::new(reader::read(pdf, max_bytes));
        let bytes = postcard::to_allocvec(&reply).map_err(io::Error::other);
        bytes.and_then(|bytes| fs::write(&kept, bytes)).map_err(ExtractError::ReaderFailed)?;
        return reply.into_result(max_bytes);
    };
    if reply.is_empty() {
        let found = "its reader took too long or too much memory".to_owned();
        return Err(ExtractError::Damaged { kind: KIND, found });
    }
    let reply: Reply = postcard::from_bytes(&reply)
        .map_err(io::Error::other)
        .map_err(ExtractError::ReaderFailed)?;
    reply.into_result(max_bytes)
}

/// The interval between checks whether a process is still wanted.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Reads PDFs from an input and writes their texts to an output, until the input ends or the process
/// is not wanted any more, since a PDF may take without end.
///
/// # Errors
///
/// Returns an error if the input or output fails, or no thread can be started.
pub fn serve(
    mut input: impl Read + Send + 'static,
    mut output: impl Write + Send + 'static,
    is_wanted: impl Fn() -> bool,
) -> io::Result<()> {
    let mut answer_all = move || -> io::Result<()> {
        while let Some(request) = read_frame(&mut input, u64::MAX)? {
            let (limit, pdf) = request.split_first_chunk().ok_or(io::ErrorKind::InvalidData)?;
            let reply = Reply::new(reader::read(pdf, u64::from_le_bytes(*limit)));
            write_frame(&mut output, &postcard::to_allocvec(&reply).map_err(io::Error::other)?)?;
        }
        Ok(())
    };
    let (ended, end) = mpsc::channel();
    let serve = move || drop(ended.send(answer_all()));
    Builder::new().stack_size(STACK).spawn(serve)?;
    loop {
        match end.recv_timeout(POLL_INTERVAL) {
            Ok(served) => return served,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(io::Error::other("a PDF made its reader panic"));
            }
            Err(RecvTimeoutError::Timeout) if !is_wanted() => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

impl Reply {
    fn new(read: Result<Extracted, ExtractError>) -> Self {
        match read {
            Ok(read) => Self::Read(Box::new(read)),
            Err(ExtractError::Damaged { found, .. }) => Self::Damaged(found),
            Err(ExtractError::Locked { .. }) => Self::Locked,
            Err(ExtractError::OnlyPictures { .. }) => Self::OnlyPictures,
            Err(ExtractError::TooLarge { .. }) => Self::TooLarge,
            Err(other) => Self::Damaged(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Sender;

    use super::*;

    const OFFICE: &[u8] = include_bytes!("../../../../../tests/documents/libreoffice.pdf");
    const LOCKED: &[u8] = include_bytes!("../../../../../tests/documents/qpdf-locked.pdf");

    /// An output that can be looked at after it was given away.
    struct Pipe(Sender<Vec<u8>>);

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_vec()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn one_pdf_after_the_other_is_answered() {
        let mut requests = Vec::new();
        for (limit, pdf) in [(1_000_000_u64, OFFICE), (99, OFFICE), (99, LOCKED), (99, b"")] {
            let request = [&limit.to_le_bytes()[..], pdf].concat();
            write_frame(&mut requests, &request).unwrap();
        }
        let (written, output) = mpsc::channel();
        serve(io::Cursor::new(requests), Pipe(written), || true).unwrap();
        let output: Vec<u8> = output.into_iter().flatten().collect();
        let mut output = &output[..];
        let mut reply = || {
            let frame = read_frame(&mut output, 1_000_000).ok()??;
            Some(postcard::from_bytes::<Reply>(&frame).unwrap())
        };
        assert!(matches!(reply(), Some(Reply::Read(read)) if read.content.contains("café")));
        assert!(matches!(reply(), Some(Reply::TooLarge)));
        assert!(matches!(reply(), Some(Reply::Locked)));
        assert!(matches!(reply(), Some(Reply::Damaged(found)) if found == "no pages in it"));
        assert!(reply().is_none());
    }

    #[test]
    fn a_reply_is_kept_and_an_unfinished_pdf_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let read = |pdf: &[u8]| read(pdf, 1_000_000, Some(folder.path()));
        let first = read(OFFICE).unwrap();
        let kept: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().path()).collect();
        let [kept] = &kept[..] else { panic!("{kept:?}") };
        assert_eq!(read(OFFICE).unwrap(), first);
        let locked = postcard::to_allocvec(&Reply::Locked).unwrap();
        let message = |it: Result<Extracted, ExtractError>| it.unwrap_err().to_string();
        fs::write(kept, locked).unwrap();
        assert_eq!(
            message(read(OFFICE)),
            "password-protected PDF, expected one without a password"
        );
        fs::write(kept, "").unwrap();
        let want = "damaged PDF: its reader took too long or too much memory";
        assert_eq!(message(read(OFFICE)), want);
        assert_eq!(message(read(b"")), "damaged PDF: no pages in it");
    }

    #[test]
    fn what_is_not_wanted_ends() {
        let (reader, writer) = io::pipe().unwrap();
        serve(reader, io::sink(), || false).unwrap();
        drop(writer);
    }
}
