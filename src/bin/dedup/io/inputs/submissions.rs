//! The names of files → whose they are, and which of them are one text.
//!
//! Goes in: the names that the files of an archive or a folder have in it. Comes out: of each the
//! person, where a course platform's names say so, and the text that it is a part of.

use std::collections::BTreeSet;

use clap::ValueEnum;

use crate::diagnostics::Diagnostic;

/// What is one text.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Units {
    /// Each file.
    File,
    /// Each folder that lies in one that is named, with all in it.
    Dir,
    /// All files of a person.
    Person,
}

/// Whose a file is.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Owner {
    /// The person, where that is known.
    pub(crate) person: Option<String>,
    /// What the file goes by where its person is known: the person, and what they called it.
    pub(crate) name: Option<String>,
    /// The text that it is a part of; none where it is one by itself.
    pub(crate) unit: Option<String>,
}

/// Says whose files are, archive by archive and folder by folder.
#[derive(Debug)]
pub(crate) struct Owners {
    units: Units,
    submissions: Submissions,
    /// All persons so far, by what they go by.
    persons: BTreeSet<String>,
}

impl Owners {
    pub(crate) fn new(units: Units, submissions: Submissions) -> Self {
        Self { units, submissions, persons: BTreeSet::new() }
    }

    /// Whether it matters whose the files of folders are.
    pub(crate) fn are_asked(&self) -> bool {
        let is_given = !matches!(self.submissions, Submissions::Auto | Submissions::Off);
        self.units != Units::File || is_given
    }

    /// Checks that persons are known where texts are to be theirs.
    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        if self.units != Units::Person || !self.persons.is_empty() {
            return Ok(());
        }
        Err(Diagnostic::new(
            "--unit person and no person known, expected files with the names that Moodle, \
             Canvas or Blackboard give them",
        )
        .hint("--unit dir makes each folder one text"))
    }

    /// Of each file of an archive, by its name in it. Where all are in one folder, that counts as the archive.
    pub(crate) fn of_archive(&mut self, archive: &str, names: &[&str]) -> Vec<Owner> {
        let mut root = root(names);
        if self.submissions.platform(|| names.iter().copied()).is_some() {
            root = "";
        }
        let inner: Vec<&str> = names.iter().map(|name| &name[root.len()..]).collect();
        let platform = self.submissions.platform(|| inner.iter().copied());
        let first = |name: &str| {
            let (folder, _) = name.split_once('/')?;
            Some(format!("{archive}/{root}{folder}"))
        };
        self.of(archive, &inner, platform, first)
    }

    /// Of each file in a folder, by its path from there. Files have the names of a platform by
    /// chance: they are only looked at where that is asked for.
    pub(crate) fn of_folder(&mut self, folder: &str, names: &[&str]) -> Vec<Owner> {
        let is_asked = self.units == Units::Person || self.submissions != Submissions::Auto;
        let platform = is_asked.then(|| self.submissions.platform(|| names.iter().copied()));
        let first = |name: &str| {
            // An archive is as a folder.
            let is_folder = name.contains('/') || super::archives::is_archive(name.as_ref());
            let (first, _) = name.split_once('/').unwrap_or((name, ""));
            is_folder.then(|| format!("{}/{first}", folder.trim_end_matches('/')))
        };
        let mut owners = self.of(folder, names, platform.flatten(), first);
        // What is no copy goes by its path.
        for owner in &mut owners {
            owner.name = None;
        }
        owners
    }

    /// Of a file that is named, by its folder.
    pub(crate) fn of_file(&self, folder: &str) -> Owner {
        let is_in_one = self.units == Units::Dir && !["", "."].contains(&folder);
        Owner { unit: is_in_one.then(|| folder.to_owned()), ..Owner::default() }
    }

    fn of(
        &mut self,
        place: &str,
        names: &[&str],
        platform: Option<Submissions>,
        first: impl Fn(&str) -> Option<String>,
    ) -> Vec<Owner> {
        let known = |name: &&str| platform.and_then(|platform| platform.person_and_file(name));
        let mut known: Vec<_> = names.iter().map(known).collect();
        let mut persons: BTreeSet<String> =
            known.iter().flatten().map(|(person, _)| person.clone()).collect();
        if !persons.is_disjoint(&self.persons) {
            // They handed in something else as well.
            known
                .iter_mut()
                .flatten()
                .for_each(|(person, _)| *person = format!("{place}/{person}"));
            persons = persons.iter().map(|person| format!("{place}/{person}")).collect();
        }
        self.persons.append(&mut persons);
        let mut taken = BTreeSet::new();
        let owner = |(name, known): (&&str, Option<(String, String)>)| {
            let own = known.as_ref().map(|(person, file)| {
                let own = format!("{person}/{file}");
                if taken.insert(own.clone()) { own } else { format!("{person}/{name}") }
            });
            let person = known.map(|(person, _)| person);
            let unit = match self.units {
                Units::File => None,
                Units::Dir => first(name),
                Units::Person => person.clone(),
            };
            Owner { person, name: own, unit }
        };
        names.iter().zip(known).map(owner).collect()
    }
}

/// The folder, with its slash, that all files of an archive are in, where it has folders itself, as
/// that of somebody who packs a folder of submissions; nothing where there is none.
fn root<'n>(names: &[&'n str]) -> &'n str {
    let (mut root, first) = ("", names.first().copied().unwrap_or_default());
    while let Some((folder, _)) = first.get(root.len()..).and_then(|rest| rest.split_once('/')) {
        let Some(next) = first.get(..=root.len() + folder.len()) else { break };
        let has_folders =
            names.iter().any(|name| name.get(next.len()..).is_some_and(|it| it.contains('/')));
        if !has_folders || !names.iter().all(|name| name.starts_with(next)) {
            break;
        }
        root = next;
    }
    root
}

// The names that course platforms give to submissions → person and file.

/// By which platform's names a file is of a person.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Submissions {
    /// By that platform's whose names all files have, if there is one.
    Auto,
    Moodle,
    Canvas,
    Blackboard,
    /// By none.
    Off,
}

impl Submissions {
    /// The platform whose names all files have, or that which is given.
    fn platform<'n, N: Iterator<Item = &'n str>>(self, names: impl Fn() -> N) -> Option<Self> {
        let fits = |platform: &Self| names().all(|name| platform.person_and_file(name).is_some());
        match self {
            Self::Auto => [Self::Moodle, Self::Blackboard, Self::Canvas].into_iter().find(fits),
            Self::Off => None,
            platform => {
                names().any(|name| platform.person_and_file(name).is_some()).then_some(platform)
            }
        }
    }

    /// Whose a file is and what it was called, by its name in the archive; none where that is not
    /// of the platform. A person is called with the number that the platform gave, so that two of
    /// one name are two.
    fn person_and_file(self, name: &str) -> Option<(String, String)> {
        match self {
            Self::Moodle => moodle(name),
            Self::Canvas => canvas(name),
            Self::Blackboard => blackboard(name),
            Self::Auto | Self::Off => None,
        }
    }
}

/// `Anna Muster_1234_assignsubmission_file_/essay.docx`, or all in one folder:
/// `Anna Muster_1234_assignsubmission_file_essay.docx`.
fn moodle(name: &str) -> Option<(String, String)> {
    let (before, rest) = name.split_once("_assignsubmission_")?;
    let (person, number) = before.rsplit_once('_')?;
    let (_, file) = rest.split_once('/').or_else(|| rest.split_once('_'))?;
    let is_named = !person.is_empty() && !person.contains('/') && !file.is_empty();
    (is_named && is_number(number)).then(|| (format!("{person} {number}"), file.to_owned()))
}

/// `musteranna_1234_5678_essay.docx`, or `musteranna_LATE_1234_5678_essay.docx`.
fn canvas(name: &str) -> Option<(String, String)> {
    let (person, rest) = name.split_once('_').filter(|(person, _)| !person.contains('/'))?;
    let rest = rest.strip_prefix("LATE_").unwrap_or(rest);
    let (number, rest) = rest.split_once('_')?;
    let (submission, file) = rest.split_once('_')?;
    let is_named = !person.is_empty() && !file.is_empty();
    (is_named && is_number(number) && is_number(submission))
        .then(|| (format!("{person} {number}"), file.to_owned()))
}

/// `Essay 1_amuster_attempt_2026-11-24-10-15-00_essay.docx`; what was typed has no name of its own.
fn blackboard(name: &str) -> Option<(String, String)> {
    let (before, rest) = name.split_once("_attempt_").filter(|(it, _)| !it.contains('/'))?;
    let (_, person) = before.rsplit_once('_')?;
    let date = rest.get(..19)?;
    let is_date = date.split('-').count() == 6 && date.split('-').all(is_number);
    let file = match rest[19..].strip_prefix('_') {
        Some(file) => file.to_owned(),
        None => format!("submission{}", &rest[19..]),
    };
    (is_date && !person.is_empty()).then(|| (person.to_owned(), file))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_platforms_are_persons_and_files() {
        use Submissions::{Blackboard, Canvas, Moodle};
        #[rustfmt::skip]
        let table = [
            ("a folder each",      Moodle,     "Anna Muster_12_assignsubmission_file_/a/essay.docx", Some(("Anna Muster 12", "a/essay.docx"))),
            ("one folder",         Moodle,     "Anna Muster_12_assignsubmission_file_essay_2.docx",  Some(("Anna Muster 12", "essay_2.docx"))),
            ("typed online",       Moodle,     "Anna Muster_12_assignsubmission_onlinetext_/onlinetext.html", Some(("Anna Muster 12", "onlinetext.html"))),
            ("a name with a bar",  Moodle,     "Anna_Muster_12_assignsubmission_file_/x.txt",        Some(("Anna_Muster 12", "x.txt"))),
            ("no number",          Moodle,     "Anna Muster_assignsubmission_file_/x.txt",           None),
            ("another name",       Moodle,     "essay.docx",                                         None),
            ("of Canvas",          Canvas,     "musteranna_12_345_essay_final.docx",                 Some(("musteranna 12", "essay_final.docx"))),
            ("too late",           Canvas,     "musteranna_LATE_12_345_essay.docx",                  Some(("musteranna 12", "essay.docx"))),
            ("one number",         Canvas,     "musteranna_12_essay.docx",                           None),
            ("in a folder",        Canvas,     "a/b_12_345_essay.docx",                              None),
            ("of Blackboard",      Blackboard, "Essay 1_amuster_attempt_2026-11-24-10-15-00_my essay.docx", Some(("amuster", "my essay.docx"))),
            ("its own note",       Blackboard, "Essay 1_amuster_attempt_2026-11-24-10-15-00.txt",    Some(("amuster", "submission.txt"))),
            ("no date",            Blackboard, "Essay 1_amuster_attempt_x.txt",                      None),
            ("letters in it",      Blackboard, "Essay_b_attempt_2026-11-24-10-15-ééé",               None),
        ];
        for (why, platform, name, want) in table {
            let want = want.map(|(person, file)| (person.to_owned(), file.to_owned()));
            assert_eq!(platform.person_and_file(name), want, "{why}");
        }
    }

    #[test]
    fn a_platform_is_known_by_all_names() {
        let platform = |names: &[&str]| Submissions::Auto.platform(|| names.iter().copied());
        let moodle = "A B_1_assignsubmission_file_/x.txt";
        let other = "C_2_assignsubmission_file_/y.txt";
        assert_eq!(platform(&[moodle, other]), Some(Submissions::Moodle));
        assert_eq!(platform(&[moodle, "readme.txt"]), None);
        assert_eq!(platform(&["a_1_2_x.txt"]), Some(Submissions::Canvas));
    }

    #[test]
    fn what_all_files_are_packed_in_is_no_submission() {
        #[rustfmt::skip]
        let table: &[(&str, &[&str], &str)] = &[
            ("nothing",                 &[],                                    ""),
            ("a folder each",           &["anna/a.txt", "bert/b.txt"],          ""),
            ("a folder around them",    &["all/anna/a.txt", "all/bert/b.txt"],  "all/"),
            ("two around them",         &["x/y/anna/a.txt", "x/y/bert/b.txt"],  "x/y/"),
            ("files of one folder",     &["anna/a.txt", "anna/b.txt"],          ""),
            ("a file beside it",        &["all/anna/a.txt", "info.csv"],        ""),
            ("a file in it",            &["all/anna/a.txt", "all/info.csv"],    "all/"),
            ("one that begins alike",   &["all/a/a.txt", "allies/b/b.txt"],     ""),
            ("a letter of two bytes",   &["é/ü/a.txt", "é/b"],                  "é/"),
        ];
        for (why, names, want) in table {
            assert_eq!(root(names), *want, "{why}");
        }
    }

    /// The units of files, by their names in an archive.
    fn units(units: Units, names: &[&str]) -> Vec<Option<String>> {
        let mut owners = Owners::new(units, Submissions::Auto);
        owners.of_archive("x.zip", names).into_iter().map(|owner| owner.unit).collect()
    }

    #[test]
    fn files_are_one_text_by_folder_or_person() {
        let some = |unit: &str| Some(unit.to_owned());
        let loose = ["anna/a/1.txt", "anna/2.txt", "bert.txt"];
        assert_eq!(units(Units::Dir, &loose), [some("x.zip/anna"), some("x.zip/anna"), None]);
        assert_eq!(units(Units::File, &loose), [None, None, None]);
        assert_eq!(units(Units::Person, &loose), [None, None, None]);
        let canvas = ["anna_1_2_a.txt", "anna_LATE_1_3_b.txt", "bert_4_5_a.txt"];
        let want = [some("anna 1"), some("anna 1"), some("bert 4")];
        assert_eq!(units(Units::Person, &canvas), want);
        assert_eq!(units(Units::Dir, &canvas), [None, None, None]);
    }

    #[test]
    fn no_two_files_and_no_two_persons_have_one_name() {
        let mut owners = Owners::new(Units::Person, Submissions::Auto);
        let names = |owners: Vec<Owner>| -> Vec<[String; 2]> {
            owners.into_iter().map(|it| [it.person.unwrap(), it.name.unwrap()]).collect()
        };
        let twice = ["anna_1_2_a.txt", "anna_1_3_a.txt"];
        let want = [["anna 1", "anna 1/a.txt"], ["anna 1", "anna 1/anna_1_3_a.txt"]];
        assert_eq!(names(owners.of_archive("x.zip", &twice)), want);
        let want = [["y.zip/anna 1", "y.zip/anna 1/a.txt"]];
        assert_eq!(names(owners.of_archive("y.zip", &twice[..1])), want);
        let other = names(owners.of_archive("z.zip", &["bert_4_5_a.txt"]));
        assert_eq!(other, [["bert 4", "bert 4/a.txt"]]);
    }

    #[test]
    fn files_of_a_folder_keep_their_paths() {
        let names = ["anna_1_2_a.txt", "bert_4_5_a.txt"];
        for (units, submissions, person) in [
            (Units::File, Submissions::Auto, None),
            (Units::File, Submissions::Canvas, Some("anna 1".to_owned())),
            (Units::Person, Submissions::Auto, Some("anna 1".to_owned())),
            (Units::Person, Submissions::Off, None),
        ] {
            let unit = person.clone().filter(|_| units == Units::Person);
            let owners = Owners::new(units, submissions).of_folder("x", &names);
            assert_eq!(owners[0], Owner { person, name: None, unit }, "{units:?}");
        }
        let owners = Owners::new(Units::Dir, Submissions::Auto)
            .of_folder("x/", &["anna/b/c.txt", "cleo.zip", "d.txt"]);
        let units = owners.into_iter().map(|it| it.unit).collect::<Vec<_>>();
        assert_eq!(units, [Some("x/anna".to_owned()), Some("x/cleo.zip".to_owned()), None]);
    }
}
