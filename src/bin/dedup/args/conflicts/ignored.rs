//! Flags of which one would be ignored by another.
//!
//! What a settings file says for other runs is no mistake of this one, unless two settings say
//! what the answer is made of.

use dedup_text::passages::MinMatch;

use super::super::evidence::Evidence;
use super::super::{BaselineFlags, CorpusFlags, Flags, PASSAGES_SHOWN, Unused};
use super::usage_error;
use crate::diagnostics::Diagnostic;
use crate::model::format::Format;

/// Whether two flags are there of which one would be ignored, both, and what to do.
type Together<'f> = (bool, &'f str, &'f str, &'f str);

/// Refuses the first of some pairs that is there.
fn check_together(rows: &[Together]) -> Result<(), Diagnostic> {
    match rows.iter().find(|(is_there, ..)| *is_there) {
        Some((_, one, other, hint)) => {
            usage_error(&format!("{one} and {other} together, wanted one of them"), hint)
        }
        None => Ok(()),
    }
}

impl Flags {
    /// Checks that none is ignored.
    pub(super) fn check_ignored(&self) -> Result<(), Diagnostic> {
        let typed = |flag: &str| !self.settings.says(flag);
        let printed = self.formats.printed();
        let format = format!("--format {}", printed.name());
        let has_text = !self.answering.quiet && printed == Format::Text
            || self.formats.files().any(|(format, _)| format == Format::Text);
        let has_stages = has_text
            || (self.formats.files().map(|(format, _)| format).chain([printed]))
                .any(|format| matches!(format, Format::Json | Format::Jsonl));
        let is_shown_said = self.passages_shown != PASSAGES_SHOWN && typed("passages-shown");
        let evidence = &self.comparing.evidence;
        let is_off = evidence.has_no_passages();
        let silent = if self.answering.quiet { "--quiet" } else { &format };
        check_together(&[
            (
                self.explain && typed("explain") && !has_stages,
                "--explain",
                &format,
                "text, json and jsonl tell the stages",
            ),
            (
                is_shown_said && !has_text,
                "--passages-shown",
                silent,
                "it is for the text; the other formats have all passages, or none",
            ),
            (is_shown_said && is_off, "--passages-shown", "--passages off", NO_PASSAGES),
        ])?;
        evidence.check_ignored(typed)?;
        self.baseline.check_ignored(typed)
    }
}

const NO_PASSAGES: &str = "without passages none can be short or long";

impl Evidence {
    /// Checks that none is of passages where they are not looked for.
    fn check_ignored(&self, typed: impl Fn(&str) -> bool) -> Result<(), Diagnostic> {
        let is_off = self.has_no_passages();
        let has_least = self.least() != MinMatch::default() && typed("min-match");
        let is_idle = has_least && self.template_files().next().is_none();
        let has_short = self.short().is_some() && typed("ignore");
        check_together(&[
            (is_off && is_idle, "--min-match", "--passages off", NO_PASSAGES),
            (is_off && has_short, "--ignore short", "--passages off", NO_PASSAGES),
        ])
    }
}

impl CorpusFlags {
    /// Checks that none is ignored.
    pub(super) fn check_ignored(&self) -> Result<(), Diagnostic> {
        let typed = |flag: &str| !self.settings.says(flag);
        let (nearest, keep) = (self.nearest.is_some(), self.keep.is_some());
        let of_pairs =
            "--nearest is of pairs, whatever the limit; clusters are of those that reach it";
        check_together(&[
            (nearest && keep, "--nearest", "--keep", of_pairs),
            (nearest && self.clusters, "--nearest", "--clusters", of_pairs),
            (
                keep && self.clusters && typed("clusters"),
                "--clusters",
                "--keep",
                "--keep goes by the clusters; without it they are told",
            ),
        ])?;
        let has_format = self.formats.is_said();
        #[rustfmt::skip]
        let unlisted = [
            ("nearest",      nearest),
            ("keep",         keep),
            ("clusters",     self.clusters),
            ("format",       has_format),
            ("report",       self.report.file().is_some()),
            ("baseline",     self.baseline.file().is_some()),
            ("list-short",   self.list_short),
            ("max-pairs",    self.max_pairs.is_some()),
            ("at-least",     self.answering.has_at_least()),
            ("fail-on",      self.answering.has_fail_on()),
        ];
        if let Some((flag, _)) =
            unlisted.into_iter().find(|(flag, is_there)| self.list && *is_there && typed(flag))
        {
            return usage_error(
                &format!("--list and --{flag} together, wanted one of them"),
                "--list names the texts that would be compared, and compares none",
            );
        }
        let printed = self.formats.printed();
        let is_printed = !self.answering.quiet
            && matches!(printed, Format::Text | Format::Json | Format::Jsonl | Format::Paths);
        let has_short = is_printed
            || (self.formats.files())
                .any(|(format, _)| matches!(format, Format::Text | Format::Json));
        let format = format!("--format {}", printed.name());
        let silent = if self.answering.quiet { "--quiet" } else { &format };
        check_together(&[(
            self.list_short && typed("list-short") && !has_short,
            "--list-short",
            silent,
            "text and json name the texts that are too short",
        )])?;
        if self.template_share.is_none() {
            self.comparing.evidence.check_ignored(typed)?;
        }
        self.baseline.check_ignored(typed)
    }
}

impl BaselineFlags {
    /// Checks that none is ignored.
    fn check_ignored(&self, typed: impl Fn(&str) -> bool) -> Result<(), Diagnostic> {
        let has_unused = self.unused() != Unused::Warn && typed("baseline-unused");
        check_together(&[(
            self.is_update() && has_unused,
            "--update-baseline",
            "--baseline-unused",
            "what is not found is dropped from a baseline that is written",
        )])
    }
}
