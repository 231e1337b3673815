//! The reasons why files are skipped, and the counts of skipped files.

use dedup_text::display::thousands;

/// The reason why something in a folder is skipped.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Skip {
    /// It is hidden by its name, as by [`is_hidden`]. A hidden folder is skipped with everything in
    /// it.
    Hidden,
    /// It is a symbolic link.
    Link,
    /// It is a pipe, a socket or a device.
    Special,
    /// Its text is empty or only white space.
    Empty,
    /// It is a picture.
    Picture,
    /// It is a sound recording or a film.
    Recording,
    /// It is a program or a font.
    Program,
    /// It is not text, and its format is not known.
    NoText,
    /// It is the settings file of the run.
    Settings,
    /// It is read for another purpose: as a template, a list or a file of records.
    Input,
    /// It was written by an earlier run: a report or a baseline.
    Output,
    /// It is another name of a file that is already a text of the corpus.
    HardLink,
    /// It is a receipt of Blackboard without a typed text.
    Receipt,
}

impl Skip {
    /// The reasons in the order of the variants, each with its [code](Self::code) and its
    /// [name](Self::name).
    const ALL: [(Self, &str, &str); 13] = [
        (Self::Hidden, "hidden", "hidden"),
        (Self::Link, "link", "symbolic links"),
        (Self::Special, "special", "pipes, sockets and devices"),
        (Self::Empty, "empty", "empty files"),
        (Self::Picture, "picture", "pictures"),
        (Self::Recording, "recording", "audio and video"),
        (Self::Program, "program", "programs and fonts"),
        (Self::NoText, "no-text", "files that are not text"),
        (Self::Settings, "settings", "settings"),
        (Self::Input, "input", "templates and lists"),
        (Self::Output, "output", "written by dedup"),
        (Self::HardLink, "hard-link", "hard links"),
        (Self::Receipt, "receipt", "Blackboard receipts without a text"),
    ];

    /// Returns the identifier of the reason in machine-readable output. It never changes.
    pub(crate) fn code(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Returns the description of the reason for the user.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL[self as usize].2
    }

    /// Returns what the user can do to have such a file compared, if there is something.
    pub(crate) fn hint(self) -> Option<&'static str> {
        matches!(self, Self::Hidden | Self::Link | Self::Special)
            .then_some("give the file or folder itself to compare it")
    }

    /// Returns the name, followed by the hint if there is one.
    pub(crate) fn with_hint(self) -> String {
        let name = self.name();
        self.hint().map_or_else(|| name.to_owned(), |hint| format!("{name}; {hint}"))
    }
}

/// Reports whether the name of a file or folder hides it: it begins with a full stop, or is one of
/// those in which Windows stores pictures and settings of a folder, and which it hides.
pub(crate) fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
        || ["Thumbs.db", "desktop.ini"].iter().any(|it| it.eq_ignore_ascii_case(name))
}

/// The largest number of skipped files of one kind whose names are kept.
const NAMED: usize = 1000;

/// Counts of skipped files.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Skipped {
    counts: [usize; Skip::ALL.len()],
    /// The first files of each kind: those that were opened and turned out not to be texts, in the
    /// order of the texts, and then those that were not opened.
    files: Vec<(Skip, String)>,
}

impl Skipped {
    /// Adds to the count of a reason.
    pub(crate) fn add(&mut self, why: Skip, count: usize) {
        self.counts[why as usize] += count;
    }

    /// Counts a file, and keeps its name unless there are [`NAMED`] of its kind already.
    pub(crate) fn add_file(&mut self, why: Skip, name: String) {
        self.add(why, 1);
        if self.count(why) <= NAMED {
            self.files.push((why, name));
        }
    }

    /// Adds the counts and the names of another value, of each kind at most [`NAMED`] names.
    pub(crate) fn add_all(&mut self, more: &Self) {
        more.files.iter().for_each(|(why, name)| self.add_file(*why, name.clone()));
        more.counts().for_each(|(why, count)| self.add(why, count - more.files(why).count()));
    }

    /// Returns the same counts, with other names for the files.
    pub(crate) fn renamed(&self, name: impl Fn(&str) -> String) -> Self {
        let files = self.files.iter().map(|(why, file)| (*why, name(file))).collect();
        Self { counts: self.counts, files }
    }

    /// Returns the number of files that were skipped for a reason.
    pub(crate) fn count(&self, why: Skip) -> usize {
        self.counts[why as usize]
    }

    /// Returns the reasons whose counts are not zero, with their counts.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (Skip, usize)> {
        Skip::ALL.map(|(why, ..)| why).into_iter().zip(self.counts).filter(|(_, count)| *count > 0)
    }

    /// The largest number of files of one kind that a description names.
    pub(crate) const MAX_NAMED: usize = 3;

    /// Describes the files of each kind of which names are kept.
    pub(crate) fn by_kind(&self) -> Vec<String> {
        self.counts().filter_map(|(why, count)| self.described(why, count)).collect()
    }

    /// Describes the first files of a kind, how many more there are, and what to do about them if
    /// that is known. `None` if no name of the kind is kept.
    pub(crate) fn described(&self, why: Skip, count: usize) -> Option<String> {
        let named: Vec<&str> = self.files(why).take(Self::MAX_NAMED).collect();
        let more = count - named.len();
        let and_more =
            if more > 0 { format!(" and {} more", thousands(more)) } else { String::new() };
        let hint = why.hint().map_or_else(String::new, |hint| format!(" ({hint})"));
        let named = (!named.is_empty()).then(|| named.join(", "));
        named.map(|named| format!("{}: {named}{and_more}{hint}", why.name()))
    }

    /// Reports whether names of files that were skipped for a reason are kept.
    pub(crate) fn has_names(&self, why: Skip) -> bool {
        self.files(why).next().is_some()
    }

    /// Returns the names of the files that were skipped for a reason, at most [`NAMED`].
    pub(crate) fn files(&self, why: Skip) -> impl Iterator<Item = &str> {
        self.files.iter().filter(move |(it, _)| *it == why).map(|(_, name)| &**name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_is_at_its_place_in_the_table() {
        for (at, (why, ..)) in Skip::ALL.into_iter().enumerate() {
            assert_eq!(why as usize, at, "{why:?}");
        }
    }

    #[test]
    fn many_files_of_one_kind_leave_room_for_the_names_of_others() {
        let mut opened = Skipped::default();
        (0..NAMED).for_each(|number| opened.add_file(Skip::Empty, number.to_string()));
        let mut walked = Skipped::default();
        walked.add_file(Skip::Empty, "one more".to_owned());
        walked.add_file(Skip::Hidden, ".git/".to_owned());
        walked.add(Skip::Input, 2);
        opened.add_all(&walked);
        opened.add_all(&walked);
        let kinds = [(Skip::Hidden, 2), (Skip::Empty, NAMED + 2), (Skip::Input, 4)];
        assert_eq!(opened.counts().collect::<Vec<_>>(), kinds);
        assert_eq!(opened.files(Skip::Empty).count(), NAMED);
        assert_eq!(opened.files(Skip::Empty).last(), Some("999"));
        assert_eq!(opened.files(Skip::Hidden).collect::<Vec<_>>(), [".git/", ".git/"]);
        assert_eq!(
            opened.by_kind(),
            [
                "hidden: .git/, .git/ (give the file or folder itself to compare it)",
                "empty files: 0, 1, 2 and 999 more",
            ]
        );
    }
}
