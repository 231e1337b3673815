//! The report in a real browser: what it shows, how it moves, who can use it.
//!
//! Each test opens a browser of its own on an empty profile. Where there is none the tests
//! say so and pass; under `DEDUP_CI` they fail.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod opened;
mod shown;
mod moving;
mod access;
