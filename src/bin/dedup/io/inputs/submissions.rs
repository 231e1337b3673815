//! Finds the owner of each file, and the files that together form one text, from the names of
//! files.
//!
//! Input: the names of files in an archive or a folder. Output: for each file the person, if the
//! names are those of a course platform, and the text that the file is a part of.

use std::collections::BTreeSet;
use std::sync::Arc;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use dedup_text::display::visible;

use super::course::{Course, Origin};
use crate::diagnostics::{self, Diagnostic};
use crate::model::persons::{Person, ids, is_number};

/// The unit that forms one text.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub(crate) enum Units {
    /// Each file.
    #[default]
    File,
    /// Each folder that lies in one that is named, with all in it.
    Dir,
    /// All files of a person.
    Person,
}

/// The owner of a file.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Owner {
    /// The person, if known.
    pub(crate) person: Option<String>,
    /// The name of the file if its person is known: the person, a slash, and the name that the
    /// person gave it.
    pub(crate) name: Option<String>,
    /// The text that the file is a part of; `None` if the file is a text of its own.
    pub(crate) unit: Option<String>,
    /// The entry of the person in a list of persons.
    pub(crate) known: Option<Arc<Person>>,
    /// Whether the file has the name of a receipt of Blackboard.
    pub(crate) is_receipt: bool,
}

impl Owner {
    /// Reports whether a list assigns the person to a group.
    pub(crate) fn is_in_group(&self) -> bool {
        self.known.as_ref().is_some_and(|known| known.group.is_some())
    }

    /// Returns the group: the one in the list, otherwise the person.
    pub(crate) fn group(&self) -> Option<String> {
        let listed = self.known.as_ref().and_then(|known| known.group.clone());
        listed.or_else(|| self.person.clone())
    }
}

/// Finds the owners of files, one archive or folder after the other.
#[derive(Debug)]
pub(crate) struct Owners {
    units: Units,
    submissions: Submissions,
    /// The list of persons that the user named.
    given: Option<Course>,
    /// The lists that were found next to files.
    found: Vec<Course>,
    /// The names of the lists that were noted.
    noted: BTreeSet<String>,
    /// The names of all persons found so far.
    persons: BTreeSet<String>,
    /// Whether any file has a name of the platform; `None` before the first file.
    has_platform: Option<bool>,
    /// The platform whose names most files of an archive or folder have, and the first file that
    /// has another name.
    unfit: Option<(Submissions, String)>,
}

/// An archive or a folder whose files are assigned to owners together.
struct NamePlace<'p> {
    /// The name of the archive or folder.
    name: &'p str,
    /// The folder in it that file names are relative to, including the slash; empty if there is
    /// none.
    root: &'p str,
    platform: Option<Submissions>,
    /// Whether the place is a folder, whose files are named by their paths.
    is_folder: bool,
}

impl Owners {
    pub(crate) fn new(units: Units, submissions: Submissions, given: Option<Course>) -> Self {
        let (noted, persons) = (BTreeSet::new(), BTreeSet::new());
        let (found, has_platform, unfit) = (Vec::new(), None, None);
        Self { units, submissions, given, found, noted, persons, has_platform, unfit }
    }

    /// Reports whether lists are used where they are found.
    pub(crate) fn takes_lists(&self) -> bool {
        self.submissions != Submissions::Off
    }

    /// Notes, once, that a list that was found is not compared.
    pub(crate) fn note(&mut self, list: &Course) {
        if self.noted.insert(list.name().to_owned()) {
            list.note();
        }
    }

    /// Reports whether the user named a list.
    pub(crate) fn has_given(&self) -> bool {
        self.given.is_some()
    }

    /// Checks, after all files are known, that the persons that the user asked for were found.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] if each text should consist of the files of one person but no
    /// person is known, if `--submissions` names a platform that no file fits, or if the check of a
    /// list fails.
    pub(crate) fn check(&mut self) -> Result<(), Diagnostic> {
        let platform = self.unfit.as_ref().map(|(platform, _)| platform.flag());
        let given = self.given.iter_mut().map(|list| (list, Origin::Named));
        // The list at the top of a folder is read for the folder and for each archive in it.
        let fitting: BTreeSet<String> = self
            .found
            .iter()
            .filter(|list| list.fits())
            .map(|list| list.name().to_owned())
            .collect();
        let is_checked = |list: &&mut Course| list.fits() || !fitting.contains(list.name());
        let found = self.found.iter_mut().filter(is_checked).map(|list| (list, Origin::Found));
        for (list, origin) in given.chain(found) {
            list.check(origin, platform.as_deref())?;
        }
        if let (Some(false), Some(example)) = (self.has_platform, self.submissions.example()) {
            let flag = self.submissions.flag();
            let message = format!(
                "{flag} without a file that has such a name, expected names such as {example}"
            );
            let hint = "--submissions auto finds the platform, --submissions off reads the files by their paths";
            return Err(Diagnostic::new(message).hint(hint).flags(["submissions"]));
        }
        if self.units != Units::Person || !self.persons.is_empty() {
            return Ok(());
        }
        let (hint, flag) = match &self.unfit {
            Some((platform, file)) => {
                let flag = platform.flag();
                let hint =
                    format!("{flag} finds the persons of the other files; {file} has another name");
                (hint, Some("submissions"))
            }
            None => ("--unit dir makes each folder one text".to_owned(), None),
        };
        Err(Diagnostic::new(
            "--unit person without known persons, expected file names of Moodle, Canvas or \
             Blackboard, a course.csv or --names",
        )
        .hint(visible(&hint))
        .flags(["unit", "names"].into_iter().chain(flag)))
    }

    /// Notes the first file that has no name of the platform if most others have one, so that no
    /// person is known; prints a warning unless there is a list of persons.
    fn note_unfit(&mut self, place: &NamePlace, names: &[&str], has_list: bool) {
        let is_tried = self.submissions == Submissions::Auto && place.platform.is_none();
        let Some((platform, name)) = is_tried.then(|| Submissions::nearly(names)).flatten() else {
            return;
        };
        if self.units != Units::Person && !has_list {
            let flag = platform.flag();
            let what = format!(
                "{name} is not named by a platform as most files are, so no person is known; \
                 {flag} finds the persons of the others"
            );
            diagnostics::warn(place.name, &what);
        }
        let file = format!("{}/{}{name}", place.name, place.root);
        self.unfit.get_or_insert((platform, file));
    }

    /// Returns the owner of each file of an archive, in the order of `names`, its names in the
    /// archive. If all files are in one folder that contains folders, that folder is taken for the
    /// archive.
    pub(crate) fn of_archive(
        &mut self,
        archive: &str,
        names: &[&str],
        list: Option<Course>,
    ) -> Vec<Owner> {
        let root = self.root(names);
        let inner: Vec<&str> = names.iter().filter_map(|name| name.get(root.len()..)).collect();
        let platform = self.submissions.platform(&inner);
        self.of(&NamePlace { name: archive, root, platform, is_folder: false }, &inner, list)
    }

    /// Reports whether a list has the id of a person of an archive, given the names of its files.
    pub(crate) fn is_listed(&self, list: &Course, names: &[&str]) -> bool {
        let root = self.root(names);
        let inner: Vec<&str> = names.iter().filter_map(|name| name.get(root.len()..)).collect();
        let platform = self.submissions.platform(&inner);
        inner.iter().any(|name| {
            if let Some((person, _)) = platform.and_then(|it| it.person_and_file(name)) {
                return ids(&person).iter().any(|id| list.has(id));
            }
            let first = name.split('/').next().unwrap_or(name);
            [*name, first, last(name), stem(name), stem(first)].iter().any(|id| list.has(id))
        })
    }

    /// Returns the folder that the names of an archive's files are relative to, as by [`root`];
    /// empty if the names are those of a course platform.
    pub(crate) fn root<'n>(&self, names: &[&'n str]) -> &'n str {
        if self.submissions.platform(names).is_some() { "" } else { root(names) }
    }

    /// Returns the owner of each file in a folder, in the order of `names`, its paths relative to
    /// the folder. They may be those of a course platform, unless the ids of a list of persons are paths,
    /// folders or files there.
    pub(crate) fn of_folder(
        &mut self,
        folder: &str,
        names: &[&str],
        list: Option<Course>,
    ) -> Vec<Owner> {
        let persons = self.given.as_ref().or(list.as_ref());
        let has_path = |list: &Course| {
            let parts = |name: &&str| {
                [*name, stem(name)].into_iter().chain(name.split('/')).any(|it| list.has(it))
            };
            names.iter().any(parts)
        };
        let is_asked = self.units == Units::Person || self.submissions != Submissions::Auto;
        let is_of_paths = persons.is_some_and(has_path) && !is_asked;
        let platform = match self.units {
            Units::Person => self.submissions.platform(names),
            _ => self.submissions.platform_of_folder(names),
        };
        let platform = platform.filter(|_| !is_of_paths);
        let name = folder.trim_end_matches('/');
        self.of(&NamePlace { name, root: "", platform, is_folder: true }, names, list)
    }

    /// Returns the owners of files that the user named, given the path and the folder of each. Their names
    /// may be those of a course platform. `list` is a list among them.
    pub(crate) fn of_files(
        &mut self,
        files: &[(String, String)],
        mut list: Option<Course>,
    ) -> Vec<Owner> {
        let names: Vec<&str> = files.iter().map(|(path, _)| last(path)).collect();
        let platform = self.submissions.platform_of_folder(&names);
        let owners = files
            .iter()
            .map(|(path, folder)| self.of_file((path, folder), platform, list.as_mut()))
            .collect();
        self.found.extend(list);
        owners
    }

    fn of_file(
        &mut self,
        (path, folder): (&str, &str),
        platform: Option<Submissions>,
        list: Option<&mut Course>,
    ) -> Owner {
        let is_in_one = self.units == Units::Dir && !["", "."].contains(&folder);
        let person = platform.and_then(|it| it.person_and_file(last(path))).map(|(it, _)| it);
        let unit = match self.units {
            Units::Person => person.clone(),
            _ => is_in_one.then(|| folder.to_owned()),
        };
        self.persons.extend(person.clone());
        let mut owner = Owner { person, unit, ..Owner::default() };
        let of_person = owner.person.iter().flat_map(|person| ids(person)).map(|id| (id, path));
        let names = [(path, path), (last(path), path), (stem(path), path), (last(folder), folder)];
        let persons = self.given.as_mut().or(list);
        owner.known = persons.and_then(|list| list.find(of_person.chain(names)));
        self.listed(&mut owner);
        owner
    }

    /// Sets the person from the list, unless the file name gave one.
    fn listed(&mut self, owner: &mut Owner) {
        let Some(known) = owner.known.as_ref().filter(|_| owner.person.is_none()) else { return };
        owner.person = Some(known.id.clone());
        self.persons.insert(known.id.clone());
        if self.units == Units::Person {
            owner.unit = Some(known.id.clone());
        }
    }

    fn of(&mut self, place: &NamePlace, names: &[&str], mut list: Option<Course>) -> Vec<Owner> {
        if !names.is_empty() {
            let has_one = place.platform.is_some() || self.has_platform == Some(true);
            self.has_platform = Some(has_one);
        }
        self.note_unfit(place, names, list.is_some());
        let known = |name: &&str| place.platform?.person_and_file(name);
        let mut known: Vec<_> = names.iter().map(known).collect();
        let bare: Vec<Option<String>> =
            known.iter().map(|it| it.as_ref().map(|(person, _)| person.clone())).collect();
        let mut persons: BTreeSet<String> = bare.iter().flatten().cloned().collect();
        let are_again = !persons.is_disjoint(&self.persons);
        if are_again {
            // These persons submitted something in another archive or folder as well.
            for (person, _) in known.iter_mut().flatten() {
                *person = format!("{}/{person}", place.name);
            }
            persons = persons.iter().map(|person| format!("{}/{person}", place.name)).collect();
        }
        self.persons.append(&mut persons);
        let mut taken = BTreeSet::new();
        let mut owners = Vec::with_capacity(names.len());
        for ((name, known), bare) in names.iter().zip(known).zip(bare) {
            let own = known.as_ref().map(|(person, file)| {
                let own = format!("{person}/{file}");
                if taken.insert(own.clone()) { own } else { format!("{person}/{name}") }
            });
            let person = known.map(|(person, _)| person);
            let unit = match self.units {
                Units::File => None,
                Units::Dir => place.first(name),
                Units::Person => person.clone(),
            };
            let persons = self.given.as_mut().or(list.as_mut());
            let mut known = persons.and_then(|list| match &bare {
                Some(person) => list.find(ids(person).map(|id| (id, person.as_str()))),
                None => place.find(name, list),
            });
            if let Some(person) = known.as_mut().filter(|_| are_again) {
                // The time of submission belongs to the first submission only.
                Arc::make_mut(person).submitted = None;
            }
            let is_receipt =
                place.platform == Some(Submissions::Blackboard) && is_name_of_receipt(name);
            let mut owner = Owner { person, name: own, unit, known, is_receipt };
            self.listed(&mut owner);
            owner.name.take_if(|_| place.is_folder);
            owners.push(owner);
        }
        self.found.extend(list);
        owners
    }
}

impl NamePlace<'_> {
    /// Returns the first folder of the path, or the file itself if it is an archive, which is
    /// treated like a folder. `None` if there is neither.
    fn first(&self, name: &str) -> Option<String> {
        let folder = name.split_once('/').map(|(folder, _)| folder);
        let is_archive = || self.is_folder && super::archives::is_archive(name.as_ref());
        let first = folder.or_else(|| is_archive().then_some(name))?;
        Some(format!("{}/{}{first}", self.name, self.root))
    }

    /// Looks up a file in a list of persons, by its folder, its path and its name, and then by the
    /// name of the archive.
    fn find(&self, name: &str, list: &mut Course) -> Option<Arc<Person>> {
        let (first, path) = (self.first(name), format!("{}/{}{name}", self.name, self.root));
        let folder = first.as_deref().unwrap_or(&path);
        let archive = if self.is_folder { "" } else { stem(self.name) };
        list.find([
            (folder, folder),
            (last(folder), folder),
            (stem(folder), folder),
            (path.as_str(), &path),
            (name, &path),
            (last(name), &path),
            (stem(name), &path),
            (archive, self.name),
        ])
    }
}

/// Returns the part of a path after the last slash.
fn last(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, last)| last)
}

/// Same as [`last`], but without the file extension.
fn stem(path: &str) -> &str {
    let name = last(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Returns the folder, including the slash, that contains all files of an archive, if it has
/// folders itself. This is the case if someone packs a folder of submissions. Empty if there is no
/// such folder.
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

// Parses the file names that course platforms give to submissions into person and file.

/// The course platform whose file names are used to find the owner of a file.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub(crate) enum Submissions {
    /// The platform whose names nearly all files have, if there is one.
    Auto,
    Moodle,
    Canvas,
    Blackboard,
    /// Owners are not looked for.
    #[default]
    Off,
}

impl Submissions {
    /// Returns the given platform if any name is one of its names; for [`Auto`](Self::Auto), the
    /// platform whose names nine of ten files have, or all but one of at least four; otherwise `None`.
    fn platform(self, names: &[&str]) -> Option<Self> {
        let count = |platform: Self| {
            names.iter().filter(|name| platform.person_and_file(name).is_some()).count()
        };
        let fits = |platform: &Self| match names.len() - count(*platform) {
            0 => true,
            1 if names.len() >= 4 => true,
            others => 10 * others <= names.len(),
        };
        match self {
            Self::Auto => [Self::Moodle, Self::Blackboard, Self::Canvas].into_iter().find(fits),
            Self::Off => None,
            platform => (count(platform) > 0).then_some(platform),
        }
    }

    /// Same as [`platform`](Self::platform), for the files of a folder, which may have such names by
    /// chance: `report_2024_1105_a.txt` is named as in Canvas. Two of three files must be of different
    /// persons there, and no two persons have one number.
    fn platform_of_folder(self, names: &[&str]) -> Option<Self> {
        let platform = self.platform(names).filter(|_| !names.is_empty())?;
        if self != Self::Auto || platform != Self::Canvas {
            return Some(platform);
        }
        let persons = names.iter().filter_map(|name| platform.person_and_file(name));
        let persons: BTreeSet<String> = persons.map(|(person, _)| person).collect();
        let numbers: BTreeSet<&str> = persons.iter().map(|person| ids(person)[1]).collect();
        let are_many = 3 * persons.len() >= 2 * names.len() && names.len() > 1;
        (are_many && numbers.len() == persons.len()).then_some(platform)
    }

    /// Returns the platform whose names more than half of the files have, but not all, and the first
    /// file that has another name; `None` if there is none.
    fn nearly<'n>(names: &[&'n str]) -> Option<(Self, &'n str)> {
        [Self::Moodle, Self::Blackboard, Self::Canvas].into_iter().find_map(|platform| {
            let mut others = names.iter().filter(|name| platform.person_and_file(name).is_none());
            let first = others.next()?;
            (2 * (1 + others.count()) < names.len()).then_some((platform, *first))
        })
    }

    /// Returns the flag that names the platform.
    fn flag(self) -> String {
        let value = self.to_possible_value();
        format!("--submissions {}", value.as_ref().map_or("auto", PossibleValue::get_name))
    }

    /// Returns a name that the platform gives to a file; `None` if it gives none.
    fn example(self) -> Option<&'static str> {
        match self {
            Self::Moodle => Some("Anna Muster_1234_assignsubmission_file_/essay.docx"),
            Self::Canvas => Some("musteranna_1234_5678_essay.docx"),
            Self::Blackboard => Some("Essay 1_amuster_attempt_2026-11-24-10-15-00_essay.docx"),
            Self::Auto | Self::Off => None,
        }
    }

    /// Returns the person and the original name of a file, given its name in the archive; `None` if
    /// the name is not one of the platform. The name of the person includes the number that the
    /// platform gave, so that two persons with the same name are distinguished.
    fn person_and_file(self, name: &str) -> Option<(String, String)> {
        match self {
            Self::Moodle => moodle(name),
            Self::Canvas => canvas(name),
            Self::Blackboard => blackboard(name),
            Self::Auto | Self::Off => None,
        }
    }
}

/// Parses `Anna Muster_1234_assignsubmission_file_/essay.docx` or, if all files are in one folder,
/// `Anna Muster_1234_assignsubmission_file_essay.docx`.
fn moodle(name: &str) -> Option<(String, String)> {
    let (before, rest) = name.split_once("_assignsubmission_")?;
    let (person, number) = before.rsplit_once('_')?;
    let (_, file) = rest.split_once('/').or_else(|| rest.split_once('_'))?;
    let is_named = !person.is_empty() && !person.contains('/') && !file.is_empty();
    (is_named && is_number(number)).then(|| (format!("{person} {number}"), file.to_owned()))
}

/// Parses `musteranna_1234_5678_essay.docx` or `musteranna_LATE_1234_5678_essay.docx`.
fn canvas(name: &str) -> Option<(String, String)> {
    let (person, rest) = name.split_once('_').filter(|(person, _)| !person.contains('/'))?;
    let rest = rest.strip_prefix("LATE_").unwrap_or(rest);
    let (number, rest) = rest.split_once('_')?;
    let (submission, file) = rest.split_once('_')?;
    let is_named = !person.is_empty() && !file.is_empty();
    (is_named && is_number(number) && is_number(submission))
        .then(|| (format!("{person} {number}"), file.to_owned()))
}

/// Parses `Essay 1_amuster_attempt_2026-11-24-10-15-00_essay.docx`. A text that was typed online
/// has no file name of its own and is called `submission`.
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

// The receipts of Blackboard: the text file that it writes for each attempt.

/// Reports whether a file has the name of a receipt:
/// `Essay 1_amuster_attempt_2026-11-24-10-15-00.txt`.
fn is_name_of_receipt(name: &str) -> bool {
    let rest = name.split_once("_attempt_").and_then(|(_, rest)| rest.get(19..));
    rest == Some(".txt")
}

/// The sentence in place of the text in a receipt of a person who typed no text.
const NO_TEXT: &str = "There is no student submission text data for this assignment.";

/// Blanks everything in an English receipt but the text that the person typed, so that offsets and
/// lines remain those of the file; all of it if no text was typed. `None` if the bytes do not have
/// the form of such a receipt.
pub(crate) fn typed(receipt: &[u8]) -> Option<Vec<u8>> {
    let text = str::from_utf8(receipt).ok()?;
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    let head = ["Name: ", "Assignment: ", "Date Submitted: "];
    if !head.iter().all(|label| lines.next().is_some_and(|line| line.starts_with(label))) {
        return None;
    }
    let (mut start, mut end, mut files, mut at) = (None, None, None, 0);
    for line in text.split_inclusive('\n') {
        match (line.trim_end(), start) {
            ("Submission Field:", None) => start = Some(at + line.len()),
            ("Comments:", Some(_)) => (end, files) = (Some(at), None),
            ("Files:", Some(_)) => files = Some(at),
            _ => {}
        }
        at += line.len();
    }
    let (start, end) = (start?, end.filter(|_| files.is_some())?);
    let is_typed = text[start..end].trim() != NO_TEXT;
    let blanked = receipt.iter().enumerate().map(|(at, byte)| {
        let is_kept = is_typed && (start..end).contains(&at) || [b'\n', b'\r'].contains(byte);
        if is_kept { *byte } else { b' ' }
    });
    Some(blanked.collect())
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
    fn of_a_receipt_the_typed_text_is_left() {
        let receipt = |text: &str| {
            format!(
                "Name: Ada Byron (abyron)\nAssignment: Essay 1\nDate Submitted: today\n\
                 Current Grade: Needs Grading\n\nSubmission Field:\n{text}\n\nComments:\n\
                 There are no student comments for this assignment.\n\nFiles:\n\tOriginal filename: é.txt\n"
            )
        };
        #[rustfmt::skip]
        let table = [
            ("no text",             receipt(NO_TEXT),                            Some("")),
            ("nothing",             receipt(""),                                 Some("")),
            ("a text",              receipt("A ferry.\n\nA kettle."),            Some("A ferry.\n\nA kettle.")),
            ("ends of Windows",     receipt("A ferry.").replace('\n', "\r\n"),   Some("A ferry.")),
            ("a mark",              format!("\u{feff}{}", receipt("A ferry.")),  Some("A ferry.")),
            ("a line of its own",   receipt("One.\nComments:\nTwo."),            Some("One.\nComments:\nTwo.")),
            ("files in the text",   receipt("One.\nFiles:\nTwo."),               Some("One.\nFiles:\nTwo.")),
            ("in German",           receipt("x").replace("Date Submitted", "Eingereicht am"), None),
            ("without its end",     receipt("x").replace("Files:", "File:"),     None),
            ("another text",        "A ferry.\n".to_owned(),                     None),
        ];
        for (why, bytes, want) in table {
            let typed = typed(bytes.as_bytes());
            let typed = typed.map(|typed| String::from_utf8(typed).unwrap());
            assert_eq!(typed.as_deref().map(str::trim), want, "{why}");
            let Some(typed) = typed else { continue };
            assert_eq!(typed.len(), bytes.len(), "{why}");
            assert_eq!(typed.lines().count(), bytes.lines().count(), "{why}");
            let same = |text: &str| bytes.find(text) == typed.find(text);
            assert!(want.is_none_or(|want| want.is_empty() || same(want)), "{why}");
        }
        let name = "Essay 1_amuster_attempt_2026-11-24-10-15-00";
        for (ending, want) in [(".txt", true), ("_essay.txt", false), (".docx", false)] {
            assert_eq!(is_name_of_receipt(&format!("{name}{ending}")), want, "{ending}");
        }
    }

    #[test]
    fn a_platform_is_known_by_nine_names_of_ten() {
        let moodle = "A B_1_assignsubmission_file_/x.txt";
        #[rustfmt::skip]
        let table: [(&str, usize, usize, bool); 7] = [
            ("all",                2, 0, true),
            ("one of two",         1, 1, false),
            ("two of three",       2, 1, false),
            ("three of four",      3, 1, true),
            ("nine of ten",        9, 1, true),
            ("17 of 19",          17, 2, false),
            ("18 of 20",          18, 2, true),
        ];
        for (why, fit, others, is_known) in table {
            let names = [vec![moodle; fit], vec!["readme.txt"; others]].concat();
            let want = is_known.then_some(Submissions::Moodle);
            assert_eq!(Submissions::Auto.platform(&names), want, "{why}");
            assert_eq!(Submissions::Auto.platform_of_folder(&names), want, "{why}");
        }
        assert_eq!(Submissions::Auto.platform(&["a_1_2_x.txt"]), Some(Submissions::Canvas));
    }

    #[test]
    fn a_folder_is_not_of_canvas_by_chance() {
        #[rustfmt::skip]
        let table: [(&str, &[&str], bool); 6] = [
            ("two persons",         &["anna_11_201_x.txt", "bert_12_202_y.txt"],                      true),
            ("one hands in twice",  &["anna_11_201_x.txt", "anna_11_203_y.txt", "bert_12_202_y.txt"], true),
            ("one file",            &["anna_11_201_x.txt"],                                           false),
            ("dates",               &["report_2024_1105_a.txt", "report_2024_1106_b.txt"],            false),
            ("dates of two series", &["sales_2024_11_a.txt", "costs_2024_11_b.txt"],                  false),
            ("no file",             &[],                                                              false),
        ];
        for (why, names, is_of_canvas) in table {
            let want = is_of_canvas.then_some(Submissions::Canvas);
            assert_eq!(Submissions::Auto.platform_of_folder(names), want, "{why}");
        }
    }

    #[test]
    fn a_platform_is_named_if_most_files_fit() {
        use Submissions::{Canvas, Moodle};
        let moodle = "A B_1_assignsubmission_file_/x.txt";
        #[rustfmt::skip]
        let table: [(&str, &[&str], Option<(Submissions, &str)>); 6] = [
            ("none",            &[],                                        None),
            ("all",             &[moodle, moodle],                          None),
            ("all but one",     &[moodle, "readme.txt", moodle, moodle],    Some((Moodle, "readme.txt"))),
            ("all but two",     &["b", moodle, moodle, moodle, "a"],        Some((Moodle, "b"))),
            ("half",            &[moodle, "readme.txt"],                    None),
            ("another",         &["a_1_2_x.txt", "c_3_4_y.txt", moodle],    Some((Canvas, moodle))),
        ];
        for (why, names, want) in table {
            assert_eq!(Submissions::nearly(names), want, "{why}");
        }
        for platform in [Moodle, Canvas, Submissions::Blackboard] {
            assert!(platform.person_and_file(platform.example().unwrap()).is_some());
        }
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

    /// Returns the units of files, given their names in an archive.
    fn units(units: Units, names: &[&str]) -> Vec<Option<String>> {
        let mut owners = Owners::new(units, Submissions::Auto, None);
        owners.of_archive("x.zip", names, None).into_iter().map(|owner| owner.unit).collect()
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
        let mut owners = Owners::new(Units::Person, Submissions::Auto, None);
        let names = |owners: Vec<Owner>| -> Vec<[String; 2]> {
            owners.into_iter().map(|it| [it.person.unwrap(), it.name.unwrap()]).collect()
        };
        let twice = ["anna_1_2_a.txt", "anna_1_3_a.txt"];
        let want = [["anna 1", "anna 1/a.txt"], ["anna 1", "anna 1/anna_1_3_a.txt"]];
        assert_eq!(names(owners.of_archive("x.zip", &twice, None)), want);
        let want = [["y.zip/anna 1", "y.zip/anna 1/a.txt"]];
        assert_eq!(names(owners.of_archive("y.zip", &twice[..1], None)), want);
        let other = names(owners.of_archive("z.zip", &["bert_4_5_a.txt"], None));
        assert_eq!(other, [["bert 4", "bert 4/a.txt"]]);
    }

    #[test]
    fn files_of_a_folder_keep_their_paths() {
        let names = ["anna_1_2_a.txt", "bert_4_5_a.txt"];
        for (units, submissions, person) in [
            (Units::File, Submissions::Auto, Some("anna 1".to_owned())),
            (Units::File, Submissions::Off, None),
            (Units::File, Submissions::Canvas, Some("anna 1".to_owned())),
            (Units::Person, Submissions::Auto, Some("anna 1".to_owned())),
            (Units::Person, Submissions::Off, None),
        ] {
            let unit = person.clone().filter(|_| units == Units::Person);
            let owners = Owners::new(units, submissions, None).of_folder("x", &names, None);
            assert_eq!(owners[0], Owner { person, unit, ..Owner::default() }, "{units:?}");
        }
        let owners = Owners::new(Units::Dir, Submissions::Auto, None).of_folder(
            "x/",
            &["anna/b/c.txt", "cleo.zip", "d.txt"],
            None,
        );
        let units = owners.into_iter().map(|it| it.unit).collect::<Vec<_>>();
        assert_eq!(units, [Some("x/anna".to_owned()), Some("x/cleo.zip".to_owned()), None]);
    }
}
