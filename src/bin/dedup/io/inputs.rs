//! Paths, lists and records → texts, in an order that depends on their names alone.

pub(crate) mod failure_log;
pub(crate) mod lines;
pub(crate) mod list;
pub(crate) mod names;
pub(crate) mod open;
pub(crate) mod others;
pub(crate) mod record;
pub(crate) mod source;
pub(crate) mod sources;
pub(crate) mod walk;
