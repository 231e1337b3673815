//! Plain data that several renderers show.

pub(crate) mod meaning;
