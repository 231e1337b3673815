//! Flags that cannot be meant together.

use std::path::Path;

use super::{Flags, Format};
use crate::trouble::Usage;

impl Flags {
    /// What cannot be meant, though each flag alone can.
    pub(crate) fn check(self) -> Result<Self, Usage> {
        let trouble = |message: &str, hint: &str| {
            Err(Usage { message: message.to_owned(), hint: Some(hint.to_owned()) })
        };
        let is_standard_input = |path: &&Path| *path == Path::new("-");
        let sides = [&*self.left, &*self.right].into_iter().filter(is_standard_input);
        let templates = self.evidence.template_files().filter(is_standard_input);
        match (sides.count(), templates.count()) {
            (2, _) => {
                return trouble(
                    "both LEFT and RIGHT are -, wanted standard input for one of them at most",
                    "name a file for the other, or use <(…) for both",
                );
            }
            (sides, templates) if sides + templates > 1 => {
                return trouble(
                    "--template - and another -, wanted standard input for one of them at most",
                    "name a file for the other, or use <(…) for both",
                );
            }
            _ => {}
        }
        if self.quiet && self.format != Format::Text {
            return trouble(
                "--quiet and --format json together, wanted one of them",
                "--quiet prints nothing; leave it out to get the json",
            );
        }
        Ok(self)
    }
}
