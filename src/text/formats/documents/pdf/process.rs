//! Reads PDFs in processes of their own, since a PDF may take without end, or all memory.
//!
//! Input: a command that [serves], and PDFs. Output: their texts. A process reads one PDF after the
//! other; as many are kept as PDFs were read at the same time. One that takes too long or writes too
//! much is ended, and a PDF that ends its process is damaged: all others are read. What reads them
//! need not be part of this program.
//!
//! A request and a reply are each a frame: a length (64 bits, little-endian) and a payload of that
//! many bytes. That of a request is the limit on the text (64 bits, little-endian) and the PDF, that
//! of a reply a serialized [`Reply`].
//!
//! [serves]: super::serve::serve

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::super::{Bounds, ExtractError, Extracted};
use super::KIND;

/// The kind of document with its article, for messages.
const READS: &str = "a PDF";

/// The largest number of bytes of a reply for each byte of text.
const BYTES_PER_BYTE: u64 = 4;

/// The smallest limit on a reply in bytes.
const MIN_REPLY: u64 = 1 << 20;

/// The answer of a process to a PDF.
#[derive(Deserialize, Serialize)]
pub(super) enum Reply {
    Read(Box<Extracted>),
    Damaged(String),
    Locked,
    OnlyPictures,
    TooLarge,
}

impl Reply {
    /// Returns what was read, with a limit of `max_bytes`.
    pub(super) fn into_result(self, max_bytes: u64) -> Result<Extracted, ExtractError> {
        match self {
            Self::Read(read) => Ok(*read),
            Self::Damaged(found) => Err(ExtractError::Damaged { kind: KIND, found }),
            Self::Locked => Err(ExtractError::Locked { kind: KIND }),
            Self::OnlyPictures => Err(ExtractError::OnlyPictures { kind: READS }),
            Self::TooLarge => Err(ExtractError::TooLarge { max_bytes }),
        }
    }
}

/// Processes that read PDFs.
#[derive(Debug)]
pub struct PdfReader {
    program: OsString,
    arguments: Vec<OsString>,
    idle: Mutex<Vec<Running>>,
}

/// Readers are equal if their commands are.
impl PartialEq for PdfReader {
    fn eq(&self, other: &Self) -> bool {
        (&self.program, &self.arguments) == (&other.program, &other.arguments)
    }
}

impl Eq for PdfReader {}

/// A process that reads PDFs, which is killed when this is dropped.
#[derive(Debug)]
struct Running {
    child: Child,
    requests: Sender<Vec<u8>>,
    replies: Receiver<io::Result<Vec<u8>>>,
}

impl PdfReader {
    /// The only argument with which the program of this package serves.
    pub const ARGUMENT: &'static str = "__read-pdfs";

    /// Returns a reader that runs a program, which [serves](super::serve::serve). No process is
    /// started yet.
    pub fn new(
        program: impl Into<OsString>,
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Self {
        let arguments = arguments.into_iter().collect();
        Self { program: program.into(), arguments, idle: Mutex::default() }
    }

    /// Reads a PDF.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtractError`] if its text cannot be extracted, no process can be started, or it
    /// exceeds the limits.
    pub(in super::super) fn read(
        &self,
        pdf: &[u8],
        bounds: &Bounds,
    ) -> Result<Extracted, ExtractError> {
        let max_bytes = bounds.unpacked.unwrap_or(u64::MAX);
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let next = idle().pop();
        let mut running = match next {
            Some(running) => running,
            None => self.start().map_err(ExtractError::ReaderFailed)?,
        };
        let request = [&max_bytes.to_le_bytes()[..], pdf].concat();
        let reply = running.ask(request, bounds.time).map_err(|error| match error {
            RecvTimeoutError::Timeout => {
                let seconds = bounds.time.unwrap_or_default().as_secs();
                ExtractError::TooSlow { seconds }
            }
            RecvTimeoutError::Disconnected => died("no reply"),
        })?;
        let reply = match reply {
            Ok(reply) => reply,
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                return Err(ExtractError::TooLarge { max_bytes });
            }
            Err(_) => {
                let status = running.child.wait().map(|status| status.to_string());
                return Err(died(&status.unwrap_or_else(|error| error.to_string())));
            }
        };
        let reply: Reply =
            postcard::from_bytes(&reply).map_err(|_| died("a reply that is none"))?;
        idle().push(running);
        reply.into_result(max_bytes)
    }

    fn start(&self) -> io::Result<Running> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let (requests, asked) = mpsc::channel::<Vec<u8>>();
        let (reply, replies) = mpsc::channel();
        let pipes = child.stdin.take().zip(child.stdout.take());
        let running = Running { child, requests, replies };
        // The thread ends with the process, or when no request can come any more.
        Builder::new().spawn(move || {
            let Some((mut stdin, mut stdout)) = pipes else { return };
            for request in asked {
                let limit =
                    request.first_chunk().map_or(u64::MAX, |limit| u64::from_le_bytes(*limit));
                let limit = limit.saturating_mul(BYTES_PER_BYTE).max(MIN_REPLY);
                let answer =
                    write_frame(&mut stdin, &request).and_then(|()| read_frame(&mut stdout, limit));
                let answer =
                    answer.and_then(|answer| answer.ok_or(io::ErrorKind::UnexpectedEof.into()));
                let is_over = answer.is_err();
                if reply.send(answer).is_err() || is_over {
                    return;
                }
            }
        })?;
        Ok(running)
    }
}

/// Returns the error for a PDF whose process ended.
fn died(how: &str) -> ExtractError {
    let found = format!("its reader ended ({how}), perhaps for want of memory");
    ExtractError::Damaged { kind: KIND, found }
}

impl Running {
    /// Sends a request, and waits for the reply.
    fn ask(
        &mut self,
        request: Vec<u8>,
        time: Option<Duration>,
    ) -> Result<io::Result<Vec<u8>>, RecvTimeoutError> {
        self.requests.send(request).map_err(|_| RecvTimeoutError::Disconnected)?;
        match time {
            Some(time) => self.replies.recv_timeout(time),
            None => self.replies.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only if the process has ended already, which is the goal.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(super) fn write_frame(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(&(bytes.len() as u64).to_le_bytes())?;
    to.write_all(bytes)?;
    to.flush()
}

/// Reads a frame, and takes memory only for the bytes that come; `None` at the end.
///
/// # Errors
///
/// Returns an error if it ends early, or, of the kind [`io::ErrorKind::FileTooLarge`], if it is
/// longer than the limit.
pub(super) fn read_frame(from: &mut impl Read, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let cut = || io::ErrorKind::UnexpectedEof.into();
    let (mut length, mut bytes) = (Vec::new(), Vec::new());
    from.take(8).read_to_end(&mut length)?;
    if length.is_empty() {
        return Ok(None);
    }
    let length = u64::from_le_bytes(*length.first_chunk().ok_or_else(cut)?);
    if length > limit {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    from.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(Some(bytes)) } else { Err(cut()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_process_is_held_to_its_bounds() {
        let reply = |reply: &Reply| -> String {
            let bytes = postcard::to_allocvec(reply).unwrap();
            let bytes = [&(bytes.len() as u64).to_le_bytes()[..], &bytes].concat();
            let octal: Vec<String> = bytes.iter().map(|byte| format!("\\{byte:03o}")).collect();
            octal.concat()
        };
        let locked = format!("printf '{}'; exec sleep 9", reply(&Reply::Locked));
        let twice = format!("printf '{0}{0}'; exec sleep 9", reply(&Reply::OnlyPictures));
        let slow = "its reader did not finish in 1 s, expected it sooner";
        let pictures = "a PDF without text: its pages are pictures";
        let died = |how: &str| {
            format!("damaged PDF: its reader ended ({how}), perhaps for want of memory")
        };
        #[rustfmt::skip]
        let table = [
            ("it sleeps",            "exec sleep 9",                                [slow; 2].map(str::to_owned)),
            ("it writes slowly",     "printf 12; exec sleep 9",                     [slow; 2].map(str::to_owned)),
            ("it fails",             "exit 3",                                      [died("exit status: 3"), died("exit status: 3")]),
            ("it breaks down",       "kill -9 $$",                                  [died("signal: 9 (SIGKILL)"), died("signal: 9 (SIGKILL)")]),
            ("it writes too much",   "printf '\\0\\0\\0\\1\\0\\0\\0\\0'; exec sleep 9", ["unpacks to more than the limit of 1000 bytes"; 2].map(str::to_owned)),
            ("it writes noise",      "printf '\\1\\0\\0\\0\\0\\0\\0\\0x'; exec sleep 9", [died("a reply that is none"), died("a reply that is none")]),
            ("it answers once",      &locked,                                       ["password-protected PDF, expected one without a password", slow].map(str::to_owned)),
            ("it answers twice",     &twice,                                        [pictures; 2].map(str::to_owned)),
        ];
        for (why, script, want) in table {
            let reader = PdfReader::new("sh", ["-c", script].map(OsString::from));
            let bounds = Bounds {
                unpacked: Some(1_000),
                time: Some(Duration::from_secs(1)),
                pdfs: crate::text::formats::PdfReading::Refused,
            };
            let messages = [(); 2].map(|()| reader.read(b"x", &bounds).unwrap_err().to_string());
            assert_eq!(messages, want, "{why}");
        }
        let missing = PdfReader::new("no-such-program", []);
        let message = missing.read(b"x", &Bounds::default()).unwrap_err().to_string();
        assert_eq!(
            message,
            "a PDF, which another process of dedup reads: program could not be run"
        );
    }
}
