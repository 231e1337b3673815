//! Invariants of the library, checked on arbitrary input.

pub mod entry_points;
