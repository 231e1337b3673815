//! Plain data that several renderers show.

pub(crate) mod calibration;
pub(crate) mod corpus;
pub(crate) mod format;
pub(crate) mod meaning;
pub(crate) mod names;
pub(crate) mod pair;
