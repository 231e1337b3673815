//! Catches the panic of a piece of work.
//!
//! A panic is a defect of this library. When one text of many is read, it must affect that text
//! only: [`catch`] turns it into a [`Defect`], which the error about the text carries.

use std::cell::{Cell, RefCell};
use std::fmt::{self, Display, Formatter};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

thread_local! {
    /// The number of nested calls of [`catch`] on this thread.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// The last panic on this thread that was passed to [`is_caught`] and will be caught.
    static LAST: RefCell<Option<Defect>> = const { RefCell::new(None) };
}

/// A panic: its message, and its location in the source if known.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Defect(String);

impl Defect {
    /// Creates the defect from the panic that a panic hook receives.
    pub fn from_panic(panic: &PanicHookInfo) -> Self {
        let message = panic.payload_as_str().unwrap_or(NO_MESSAGE);
        let place = panic.location().map(|place| format!(" at {}:{}", place.file(), place.line()));
        Self(format!("{message}{}", place.unwrap_or_default()))
    }
}

impl Display for Defect {
    /// May quote the text that was being read, including escape sequences.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The message of a panic whose payload is not a string.
const NO_MESSAGE: &str = "no message";

/// Runs a piece of work. State that it modifies must not be used after a panic.
///
/// # Errors
///
/// Returns the [`Defect`] if it panics. The location is known only if the panic hook of the program
/// calls [`is_caught`].
pub fn catch<R>(work: impl FnOnce() -> R) -> Result<R, Defect> {
    DEPTH.set(DEPTH.get() + 1);
    let done = catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    done.map_err(|payload| {
        let message = payload.downcast_ref::<&str>().copied();
        let message = message.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        LAST.take().unwrap_or_else(|| Defect(message.unwrap_or(NO_MESSAGE).to_owned()))
    })
}

/// Reports, for a panic hook, whether the panic will be caught by [`catch`], whose caller reports
/// it. Remembers the panic in that case, so that [`catch`] knows its location.
pub fn is_caught(panic: &PanicHookInfo) -> bool {
    let is_caught = DEPTH.get() > 0;
    if is_caught {
        LAST.set(Some(Defect::from_panic(panic)));
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
