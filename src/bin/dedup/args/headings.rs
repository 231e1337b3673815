//! The headings of help. Each flag names its own, and whether the short help, which must fit on a
//! screen of 24 lines, leaves it out. A flag that only one command has may be without a heading.

pub(crate) const WHAT_TO_COMPARE: &str = "What to compare";
pub(crate) const WHAT_COUNTS: &str = "What counts";
pub(crate) const EVIDENCE: &str = "Evidence";
pub(crate) const LIMITS: &str = "Limits";
pub(crate) const READING: &str = "Reading texts";
pub(crate) const OUTPUT: &str = "Output";
pub(crate) const CI: &str = "CI";
pub(crate) const CLEAN: &str = "A clean corpus";
pub(crate) const SETTINGS_FILE: &str = "Settings";

/// The headings in the order in which help shows them.
pub(crate) const HEADINGS: [&str; 9] =
    [WHAT_TO_COMPARE, WHAT_COUNTS, EVIDENCE, LIMITS, READING, OUTPUT, CI, CLEAN, SETTINGS_FILE];
