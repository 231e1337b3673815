//! Tests of `dedup` with other programs: hooks, the action, workflows and the container. Each is
//! tested with a program that is not ours.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod action;
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
