//! What an export has of a run besides its pairs: counts, remarks, and what was not compared.

use dedup_text::corpus::CommonStretch;
use dedup_text::display::{counted, or_closer, visible};
use dedup_text::pair::Undecided;
use dedup_text::text::Text;
use dedup_text::verdict::Verdict;

use crate::diagnostics::Severity;
use crate::model::excluded::Excluded;
use crate::model::findings::Finding;
use crate::model::found::{Failures, Skipped};
use crate::model::names::Names;
use crate::model::phrases::shared_by;
use crate::model::remarks::RemarkKind;

/// The facts about a run that are not about a single pair.
pub(crate) struct Run<'r> {
    pub(crate) names: &'r Names,
    /// The verdict from which on a pair is a finding.
    pub(crate) level: Verdict,
    /// The severity of the pairs that are findings.
    pub(crate) weight: Severity,
    /// The number of pairs, in as many directions as they are listed.
    pub(crate) pairs: usize,
    /// The number of pairs that reach the level and were not accepted earlier, each counted once.
    pub(crate) reaching: usize,
    /// The passages of these pairs, each with all its places, and the pairs without a passage.
    pub(crate) findings: &'r [Finding<'r>],
    /// The texts that are compared, except for old ones.
    pub(crate) texts: Vec<&'r Text>,
    /// The number of texts that are compared, including old ones.
    pub(crate) compared: usize,
    /// Whether the run has errors, so that its exit status is 2.
    pub(crate) has_errors: bool,
    /// The severity of disguises.
    pub(crate) disguises: Severity,
    /// The numbers of texts that were compared and that were not: `8 texts compared`.
    pub(crate) counts: String,
    /// The name of the settings file; `None` if none is read.
    pub(crate) settings: Option<&'r str>,
    /// The sources that should have been texts but could not be read.
    pub(crate) failed: &'r Failures,
    /// The files that were skipped.
    pub(crate) skipped: Skipped,
    /// The texts that are too short to be compared, by name, each with the reason.
    pub(crate) short: Vec<(String, &'r Undecided)>,
    /// The remarks on texts, by kind.
    pub(crate) remarks: Vec<TextRemark>,
    /// The stretches that are left out of all texts, since too many have them, each with the name of
    /// the first of these.
    pub(crate) left_out: Vec<(String, &'r CommonStretch)>,
    /// How many words of new texts templates and `--ignore` leave out; `None` if none.
    pub(crate) excluded: Option<Excluded>,
    /// The passages that many texts share.
    pub(crate) widespread: Vec<&'r CommonStretch>,
}

/// The code of a note on a text that is too short.
pub(super) const TOO_SHORT: &str = "too-short";

/// What a reader should know of a text, whether it is in a finding or not, or of files that were
/// skipped.
pub(super) struct Note {
    /// The identifier of its kind, which never changes.
    pub(super) code: &'static str,
    /// The name of the text, or of the first of the files.
    pub(super) name: String,
    /// The note, which has the name.
    pub(super) line: String,
}

/// A remark on a text.
pub(crate) struct TextRemark {
    pub(crate) kind: RemarkKind,
    /// The name of the text.
    pub(crate) name: String,
    /// What was found.
    pub(crate) found: String,
    /// Name and what was found, as a line of a list.
    pub(crate) line: String,
}

/// Describes the size of a passage, the number of texts that contain it, and its first words.
pub(super) fn described(stretch: &CommonStretch) -> String {
    format!("{}: \"{}\"", shared_by(stretch), visible(&stretch.excerpt))
}

/// Describes findings: `2 pairs excerpt or closer`.
pub(crate) fn found(pairs: usize, level: Verdict) -> String {
    format!("{} {}", counted(pairs, "pair"), or_closer(level))
}

impl<'r> Run<'r> {
    /// Describes how many pairs are found and, if that is another number, how many findings they make.
    pub(super) fn found(&self) -> String {
        let pairs = found(self.reaching, self.level);
        match self.findings.len() {
            0 => pairs,
            findings if findings == self.reaching => pairs,
            findings => format!("{pairs}, {}", counted(findings, "finding")),
        }
    }

    /// Returns the findings in the order in which a reader should see them: those of the closest pairs
    /// first, and of equally close ones the longest.
    pub(super) fn closest(&self) -> Vec<&'r Finding<'r>> {
        let mut closest: Vec<&Finding> = self.findings.iter().collect();
        let words = |it: &Finding| it.passage.as_ref().map(|passage| passage.words);
        closest.sort_by(|one, other| {
            one.closest.cmp(&other.closest).then_with(|| words(other).cmp(&words(one)))
        });
        closest
    }

    /// Returns the disguised texts if they make the run fail, as with `--disguises error`.
    pub(super) fn failing_disguises(&self) -> impl Iterator<Item = &TextRemark> {
        let is_error = self.disguises.is_error();
        self.remarks_of(RemarkKind::Disguised).filter(move |_| is_error)
    }

    pub(super) fn remarks_of(&self, kind: RemarkKind) -> impl Iterator<Item = &TextRemark> {
        self.remarks.iter().filter(move |remark| remark.kind == kind)
    }

    /// Returns what an author can do to keep a text, or a part of it, out of the comparison, and what
    /// else a reader should know of single texts: the remarks, what is left out, the texts that are too
    /// short, and the skipped files of each kind. Disguises that make the run fail, and texts that
    /// cannot be read, are not among them.
    pub(super) fn notes(&self) -> Vec<Note> {
        let is_error = self.disguises.is_error();
        let remarks = self.remarks.iter();
        let remarks = remarks.filter(|it| !(is_error && it.kind == RemarkKind::Disguised));
        let remarks = remarks.map(|remark| Note {
            code: remark.kind.code(),
            name: remark.name.clone(),
            line: remark.line.clone(),
        });
        let left_out = self.left_out.iter().map(|(name, stretch)| Note {
            code: "left-out",
            name: name.clone(),
            line: format!("set aside: {}", described(stretch)),
        });
        let not_compared = |code, name: &str, line: &str| Note {
            code,
            name: name.to_owned(),
            line: format!("not compared: {line}"),
        };
        let short = self.short.iter();
        let short = short.map(|(name, why)| not_compared(TOO_SHORT, name, &why.to_string()));
        let skipped = self.skipped.counts().filter_map(|(why, count)| {
            let line = self.skipped.described(why, count)?;
            Some(not_compared("skipped", self.skipped.files(why).next()?, &line))
        });
        remarks.chain(left_out).chain(short).chain(skipped).collect()
    }

    /// Returns how many words are left out, if any are for a reason that lies in a text. What a template
    /// leaves out, the user has given.
    pub(super) fn excluded_by_authors(&self) -> Option<&Excluded> {
        self.excluded.as_ref().filter(|excluded| excluded.in_part > 0)
    }

    /// Reports whether all texts were compared.
    pub(super) fn is_complete(&self) -> bool {
        self.compared > 1 && !self.has_errors && self.failed.is_empty() && self.short.is_empty()
    }
}
