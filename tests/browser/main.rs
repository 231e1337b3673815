//! Tests of the reports in a real browser: what they show, how they move, and their accessibility.
//!
//! Without a browser, the tests print that they are skipped, and pass. Under `DEDUP_CI`, they fail.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod chromium;
mod opened;
mod shown;
mod moving;
mod access;
mod overview;
mod review;
mod unfolded;
mod web;
mod keyboard;
mod firefox;
