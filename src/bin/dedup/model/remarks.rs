//! Remarks on single texts: what a reader should know of a text, whether it is in a pair or not.

use dedup_text::pair::warnings::described;
use dedup_text::tokens::exclusions::LargelyLeftOut;

use super::gathered::Gathered;

/// The kind of a remark, in the order in which remarks are listed.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum RemarkKind {
    /// The text has disguises, which were undone.
    Disguised,
    /// Words of the text look like no language.
    NotRecognized,
    /// More than a third of the text is left out for reasons that lie in the text.
    LeftOut,
    /// The properties of a file name a person other than the one whose text it is.
    Properties,
}

impl RemarkKind {
    pub(crate) const ALL: [Self; 4] =
        [Self::Disguised, Self::NotRecognized, Self::LeftOut, Self::Properties];

    /// Returns the identifier of the kind in machine-readable output. It never changes.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Disguised => "disguised",
            Self::NotRecognized => "words-not-recognized",
            Self::LeftOut => "left-out",
            Self::Properties => "properties",
        }
    }

    /// Returns the title of the list of all remarks of the kind.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Disguised => "Disguised, and compared as their readers see them",
            Self::NotRecognized => "Words not recognized",
            Self::LeftOut => "Compared without more than a third of their words",
            Self::Properties => "Properties that name another person",
        }
    }
}

/// A remark on a text of a corpus.
#[derive(Debug)]
pub(crate) struct Remark {
    pub(crate) kind: RemarkKind,
    /// The number of the text.
    pub(crate) text: u32,
    /// What was found, at least one entry. Of properties these are sentences that name the file.
    pub(crate) found: Vec<String>,
}

impl Remark {
    /// Renders the remark on a text, which is shown by a name.
    pub(crate) fn line(&self, name: &str) -> String {
        let found = self.found.join("; ");
        match self.kind {
            RemarkKind::Disguised | RemarkKind::NotRecognized | RemarkKind::LeftOut => {
                format!("{name}: {found}")
            }
            RemarkKind::Properties => found,
        }
    }
}

impl Gathered<'_> {
    /// Returns the remarks on all texts, by kind, and by number within a kind. Of old texts only
    /// disguises and words of no language are remarked on.
    pub(crate) fn remarks(&self) -> Vec<Remark> {
        let mut all: Vec<Remark> = Vec::new();
        let mut add = |kind, text, found: Vec<String>| {
            if !found.is_empty() {
                all.push(Remark { kind, text, found });
            }
        };
        for (text, document) in (0..).zip(&self.corpus.documents) {
            for (kind, is_suspicion) in
                [(RemarkKind::Disguised, false), (RemarkKind::NotRecognized, true)]
            {
                let found = document.text.disguises().iter();
                let found = found.filter(|it| it.trick.is_suspicion() == is_suspicion);
                add(kind, text, found.map(described).collect());
            }
            if !self.is_earlier(text) {
                let found = LargelyLeftOut::new(document.left_out(), document.words);
                add(RemarkKind::LeftOut, text, found.iter().map(ToString::to_string).collect());
            }
        }
        for (text, found) in self.named_otherwise() {
            add(RemarkKind::Properties, text, found);
        }
        all.sort_by_key(|remark| (remark.kind, remark.text));
        all
    }
}
