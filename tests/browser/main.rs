//! The reports in a real browser: what they show, how they move, who can use them.
//!
//! Where there is no browser the tests say so and pass; under `DEDUP_CI` they fail.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod chromium;
mod opened;
mod shown;
mod moving;
mod access;
mod overview;
mod unfolded;
mod web;
mod keyboard;
mod firefox;
