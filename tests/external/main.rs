//! Tests of how `dedup` stands in other programs' world: hooks, the action, workflows, the
//! container, each tried with a program that no one here wrote.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod action;
mod engines;
mod fuzzing;
mod guide;
mod habits;
mod hooks;
mod install;
mod lints;
mod manifests;
mod npm;
#[cfg(feature = "parquet")]
mod parquet;
mod places;
mod programs;
mod release;
mod since;
mod submissions;
mod supply;
mod system_packages;
mod versions;
mod web;
mod workflow;
