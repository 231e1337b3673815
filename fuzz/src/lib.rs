//! Invariants of the library, checked on arbitrary input.

mod choices;
pub mod entry_points;
