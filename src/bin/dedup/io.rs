//! Files: which texts are read, and what is written, whole or not at all.

pub(crate) mod disk;
pub(crate) mod failures;
pub(crate) mod inputs;
pub(crate) mod output;
pub(crate) mod packed;
