//! What was found among many texts → text, records, a page.

pub(crate) mod clusters;
pub(crate) mod items;
pub(crate) mod page;
pub(crate) mod table;
