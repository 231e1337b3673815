//! What holds of whatever comes in through an entry point of the library or of the program.
#![expect(dead_code, unused_imports, reason = "much of the program's is not looked at from here")]

/// The modules of the program.
#[path = "../../src/bin/dedup"]
mod program {
    pub(crate) mod baseline;
    pub(crate) mod calibrate;
    pub(crate) mod clusters;
    pub(crate) mod completions;
    pub(crate) mod corpus;
    pub(crate) mod disk;
    pub(crate) mod exit;
    pub(crate) mod failures;
    pub(crate) mod flags;
    pub(crate) mod identity;
    pub(crate) mod inert;
    pub(crate) mod manual;
    pub(crate) mod meaning;
    pub(crate) mod output;
    pub(crate) mod part;
    pub(crate) mod progress;
    pub(crate) mod report;
    pub(crate) mod screen;
    pub(crate) mod settings;
    pub(crate) mod diagnostics;
    pub(crate) mod words;
}

mod choices;
pub mod entry_points;

// The modules look for one another here.
use program::{
    baseline, calibrate, clusters, completions, corpus, diagnostics, disk, exit, failures, flags,
    identity, inert, manual, meaning, output, part, progress, report, screen, settings, words,
};
