//! A calibration → text with plots, JSON, a page.

pub(crate) mod json;
pub(crate) mod page;
pub(crate) mod text;
pub(crate) mod shown;
