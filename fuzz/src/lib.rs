//! Invariants of the library and of the program, checked on arbitrary input.
#![expect(dead_code, reason = "much of the program's is not looked at from here")]

/// The modules of the program.
#[path = "../../src/bin/dedup"]
mod program {
    pub(crate) mod args;
    pub(crate) mod commands;
    pub(crate) mod config;
    pub(crate) mod diagnostics;
    pub(crate) mod io;
    pub(crate) mod model;
    pub(crate) mod progress;
    pub(crate) mod baseline;
    pub(crate) mod dispatch;
    pub(crate) mod failures;
    pub(crate) mod outputs;
    pub(crate) mod recipe;
    pub(crate) mod render;
    pub(crate) mod report;
    pub(crate) mod stored;
}

mod choices;
pub mod entry_points;

// The modules of the program import one another from here.
use program::{
    args, baseline, commands, config, diagnostics, dispatch, failures, io, model, outputs,
    progress, recipe, render, report, stored,
};
