//! A piece of work → its result, or the panic that ended it.
//!
//! A panic is a defect of this library. Where one text of many is read, it must cost that text
//! alone: [`catch`] turns it into a [`Defect`], which the error about the text carries.

use std::cell::{Cell, RefCell};
use std::fmt::{self, Display, Formatter};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

thread_local! {
    /// How many calls of [`catch`] this thread is in.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// The last panic that [`is_caught`] was asked about on this thread.
    static LAST: RefCell<Option<Defect>> = const { RefCell::new(None) };
}

/// A panic: its message, and where in the source it came up, if that is known.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Defect(String);

impl Defect {
    /// The panic that a hook is reported of.
    pub fn of_panic(panic: &PanicHookInfo) -> Self {
        let message = panic.payload_as_str().unwrap_or(NO_MESSAGE);
        let place = panic.location().map(|place| format!(" at {}:{}", place.file(), place.line()));
        Self(format!("{message}{}", place.unwrap_or_default()))
    }
}

impl Display for Defect {
    /// May quote the text that was read, escape sequences included.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a panic says that carries no string.
const NO_MESSAGE: &str = "no message";

/// Counts a call of [`catch`] until it is dropped.
struct Within;

impl Within {
    fn enter() -> Self {
        DEPTH.set(DEPTH.get() + 1);
        Self
    }
}

impl Drop for Within {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

/// Does a piece of work. What it changes must not be used after a panic.
///
/// # Errors
///
/// The [`Defect`], where it panics. Its place is known where the panic hook of the program calls
/// [`is_caught`].
pub fn catch<R>(work: impl FnOnce() -> R) -> Result<R, Defect> {
    let within = Within::enter();
    let done = catch_unwind(AssertUnwindSafe(work));
    drop(within);
    done.map_err(|payload| {
        let message = payload.downcast_ref::<&str>().copied();
        let message = message.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        LAST.take().unwrap_or_else(|| Defect(message.unwrap_or(NO_MESSAGE).to_owned()))
    })
}

/// For a panic hook: whether the panic will be caught by [`catch`], whose caller reports it.
pub fn is_caught(panic: &PanicHookInfo) -> bool {
    let is_caught = DEPTH.get() > 0;
    if is_caught {
        LAST.set(Some(Defect::of_panic(panic)));
    }
    is_caught
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_value() {
        assert_eq!(catch(|| 7), Ok(7));
        let table: [(&str, fn()); 3] = [
            ("made up by a test", || panic!("made up by a test")),
            ("made up for 7", || panic!("made up for {}", std::hint::black_box(7))),
            (NO_MESSAGE, || std::panic::panic_any(7)),
        ];
        for (message, work) in table {
            assert_eq!(catch(work), Err(Defect(message.to_owned())), "{message}");
        }
        assert_eq!(catch(|| catch(|| panic!("inner")).is_err()), Ok(true));
        assert_eq!(DEPTH.get(), 0);
    }
}
