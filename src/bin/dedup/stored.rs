//! A stored index that `--against` or `--earlier` names → those of its texts that may be paired with new ones.

mod settings;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use data_encoding::HEXLOWER;
use dedup_text::corpus::index::{Index, Names};
use dedup_text::corpus::{ComparedIndex, Corpus, CorpusBuilder};
use dedup_text::display::visible;
use dedup_text::interner::{self, Salt};
use dedup_text::pair::{Recipe, Search};
use dedup_text::parallel::Advance;
use dedup_text::passages::MinMatch;
use dedup_text::record::PersonRecord;
use dedup_text::text::{Text, display_path};
use dedup_text::verdict::Verdict;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::args::{Comparing, InputFlags};
use crate::diagnostics::{Diagnostic, as_argument};
use crate::io::inputs::source::{Unopened, name_of_old};
use crate::model::found::{Failed, FoundTexts, TextOrigin};
use crate::model::gathered::TextFacts;
use crate::model::name_of;
use crate::model::persons::{Person, Time};

pub(crate) use settings::{ANONYMOUS, is_of_file, recorded, take_recorded};

/// The properties of a text that an index stores for people.
#[derive(Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Attached {
    /// The person whose text it is, if a course platform's file names or a list give one.
    pub(crate) owner: Option<String>,
    /// The person who submitted the text, and whether the text consists of several files.
    pub(crate) person: Option<(PersonRecord, bool)>,
}

/// Converts the stored record of the person who submitted a text.
fn person_of(record: PersonRecord) -> Person {
    let PersonRecord { id, name, group, submitted } = record;
    Person { id, name, group, submitted: submitted.and_then(|time| Time::parse(&time)) }
}

/// The function that maps names to IDs in an index without names, for texts and groups.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ids(Salt);

impl Ids {
    /// The number of hexadecimal digits of an ID, which has 64 bits: with a million names, two
    /// share an ID in one of 37 million indexes.
    const DIGITS: usize = 16;

    /// Returns the function for an index, given its settings. `None` if the index has names.
    pub(crate) fn new(built: &str, salt: Salt) -> Option<Self> {
        built.lines().any(|line| line == ANONYMOUS).then_some(Self(salt))
    }

    /// Returns the ID of the text of a name.
    pub(crate) fn text(self, name: &Path) -> String {
        self.id("text", name.as_os_str().as_encoded_bytes())
    }

    /// Returns the ID of the group of a name.
    pub(crate) fn group(self, name: &str) -> String {
        self.id("group", name.as_bytes())
    }

    fn id(self, what: &str, name: &[u8]) -> String {
        let Self(Salt(salt)) = self;
        let digest = HEXLOWER.encode(&Sha256::new_with_prefix(salt).chain_update(name).finalize());
        format!("{what}-{}", &digest[..Self::DIGITS])
    }
}

/// Checks that texts to be compared with an index are read in the same way as its texts, and salts
/// the checks of stems with the salt of the index. Settings that are not given have been taken over
/// from the index before.
///
/// # Errors
///
/// Returns an error if the settings differ from those of the index, if a list or a template cannot
/// be read, or if the checks have another salt already.
pub(crate) fn prepare(
    path: &Path,
    built: &str,
    salt: Salt,
    comparing: &Comparing,
) -> anyhow::Result<()> {
    interner::salt_checks(salt)?;
    let asked = recorded(comparing)?;
    // Whether names are recorded has no influence on how texts are compared.
    let built = built.strip_prefix(ANONYMOUS).map_or(built, str::trim_start);
    if asked == built {
        return Ok(());
    }
    let only = |lines: &'_ str, others: &str| -> Vec<String> {
        let is_other = |line: &&str| others.lines().all(|other| other != *line);
        lines.lines().filter(is_other).map(str::to_owned).collect()
    };
    let (has, wants) = (only(built, &asked), only(&asked, built));
    let of_files = || has.iter().filter(|line| is_of_file(line));
    let path = visible(&display_path(path));
    let is_ignored = |line: &String| line.starts_with("--ignore ");
    if comparing.evidence.is_marked_by_default && has.iter().chain(&wants).all(is_ignored) {
        let what = format!("{path}: built with marked text, expected an index without it");
        let hint = "dedup check leaves out marked text; dedup corpus with --fail-on \
                    near-duplicate compares it";
        return Err(Diagnostic::new(what).hint(hint).into());
    }
    let hint = if of_files().next().is_some() {
        let named: Vec<&str> = of_files().filter_map(|line| line.split(" (").next()).collect();
        format!("use the same file as when it was built: {}", named.join(" "))
    } else if has.is_empty() {
        let wants = as_typed(comparing, &asked, &wants);
        format!(
            "leave out {wants} to use the index as built, or rebuild it: dedup index build … \
             {wants}"
        )
    } else {
        format!(
            "use the index as built, with {}; or rebuild it with dedup index build",
            has.join(" ")
        )
    };
    let (with, wanted) = (has.join(" "), wants.join(" "));
    let what = match (has.is_empty(), wants.is_empty()) {
        (true, _) => format!("built without {wanted}, expected an index built with it"),
        (_, true) => format!("built with {with}, expected an index built without it"),
        _ => format!("built with {with}, expected {wanted}"),
    };
    let lines = has.iter().chain(&wants);
    let flags = lines.filter_map(|line| line.strip_prefix("--")?.split(' ').next());
    Err(Diagnostic::new(format!("{path}: {what}")).hint(hint).flags(flags).into())
}

/// Formats those settings of a run that an index lacks as they would be typed: with the names of
/// templates, and without a length that is recorded only because of them.
fn as_typed(comparing: &Comparing, asked: &str, wants: &[String]) -> String {
    let mut templates = comparing.evidence.template.iter();
    let mut template = || Some(as_argument(templates.next()?));
    let default = format!("--min-match {}", MinMatch::default().words());
    let typed = asked.lines().map(|line| {
        let is_template = line.starts_with("--template ");
        let name = if is_template { template() } else { None };
        let other = (!is_template && line != default).then(|| line.to_owned());
        (line, name.map(|name| format!("--template {name}")).or(other))
    });
    let wanted = typed.filter(|(line, _)| wants.iter().any(|want| want == line));
    wanted.filter_map(|(_, typed)| typed).collect::<Vec<_>>().join(" ")
}

/// Returns the index among the paths of old texts. `None` if there is none.
///
/// # Errors
///
/// Returns an error if there are two indexes.
pub(crate) fn index_among(inputs: &InputFlags) -> Result<Option<&Path>, Diagnostic> {
    let (flag, mut named) =
        (inputs.old_flag(), inputs.old().iter().filter(|path| Index::is_at(path)));
    let Some(path) = named.next() else { return Ok(None) };
    if let Some(other) = named.next() {
        let [path, other] = [path, other].map(|path| visible(&display_path(path)));
        let what = format!("--{flag} {path} and --{flag} {other}, expected at most one index");
        let hint =
            "run dedup once with each index, or add all texts to one index with dedup index add";
        return Err(Diagnostic::new(what).hint(hint).flags([flag]));
    }
    Ok(Some(path))
}

/// Opens an index to compare texts with it that are read and compared as `comparing` says.
///
/// # Errors
///
/// Returns an error if the index cannot be read, or was built in another way.
pub(crate) fn open(path: &Path, comparing: &Comparing) -> anyhow::Result<Index> {
    let index = Index::open(path)?;
    prepare(path, index.settings(), index.salt(), comparing)?;
    Ok(index)
}

/// Returns an error if passages are to be searched for in an index without texts.
pub(crate) fn check_search(index: &Index, recipe: &Recipe) -> Result<(), Diagnostic> {
    if recipe.search == Search::Never || index.has_texts() {
        return Ok(());
    }
    let path = visible(&display_path(index.path()));
    Err(Diagnostic::new(format!(
        "{path}: has no texts, expected an index with texts to search for passages"
    ))
    .hint("--passages off uses only the figures; dedup index build --with-texts stores texts")
    .flags(["passages"]))
}

/// Reports whether a path of old texts is not an index, and so names texts.
pub(crate) fn is_text(path: &Path) -> bool {
    !Index::is_at(path)
}

/// The names of an index, to find the new texts that replace stored ones.
pub(crate) struct Replaced<'i> {
    names: Option<Names<'i>>,
    /// The mapping of names to IDs, if the index has no names.
    ids: Option<Ids>,
}

impl<'i> Replaced<'i> {
    /// Reads the names of the index of the run, if there is one.
    pub(crate) fn new(index: Option<&'i Index>) -> anyhow::Result<Self> {
        let ids = index.and_then(|index| Ids::new(index.settings(), index.salt()));
        Ok(Self { names: index.map(Index::names).transpose()?, ids })
    }

    /// Returns the name of a group in the index, so that groups of new and stored texts can be
    /// compared.
    pub(crate) fn group(&self, group: Option<String>) -> Option<String> {
        group.map(|name| self.ids.map_or(name.clone(), |ids| ids.group(&name)))
    }

    /// Returns the names of the stored texts that a text replaces: one of its own name, and for a
    /// record one of the same file and id.
    ///
    /// # Errors
    ///
    /// Returns [`Unopened::Failed`] if the index cannot be read.
    pub(crate) fn replaced_by(
        &self,
        text: &Text,
        place: &TextOrigin,
    ) -> Result<Vec<String>, Unopened> {
        let Some(names) = &self.names else { return Ok(Vec::new()) };
        let of_record = match place {
            TextOrigin::Line { file, .. } | TextOrigin::Row { file, .. } => {
                Some(name_of_old(file, &name_of(text.path())))
            }
            _ => None,
        };
        let mut found = Vec::new();
        for path in [Some(text.path()), of_record.as_deref().map(Path::new)].into_iter().flatten() {
            let name = match self.ids {
                Some(ids) => Some(ids.text(path)),
                None => path.to_str().map(str::to_owned),
            };
            let Some(name) = name else { continue };
            match names.find(&name) {
                Ok(stored) => found.extend(stored.map(|_| name)),
                Err(error) => return Err(Failed::new(name, error).into()),
            }
        }
        Ok(found)
    }
}

/// The texts of a run in the order of the input.
#[derive(Default)]
pub(crate) struct InputTexts {
    pub(crate) names: FoundTexts,
    /// What is known of each text.
    pub(crate) facts: Vec<TextFacts>,
    /// The names of the stored texts that are replaced by texts of the run.
    pub(crate) replaced: BTreeSet<String>,
}

/// Finishes a corpus, together with those texts of an index that may be paired with a new one. The
/// names of these texts and the facts about them are added to `known`.
pub(crate) fn finish<'r>(
    builder: CorpusBuilder<'r>,
    earlier: Option<(&Index, Verdict)>,
    known: &mut InputTexts,
    advance: &Advance,
) -> anyhow::Result<Corpus<'r>> {
    let Some((index, level)) = earlier else { return Ok(builder.finish_watched(advance)) };
    let InputTexts { names, facts, replaced } = known;
    let corpus = builder.finish_against(&ComparedIndex { index, level, replaced }, advance)?;
    for document in &corpus.documents {
        let Some(attached) = document.attached() else { continue };
        let name = name_of(document.text.path());
        names
            .add(&name, TextOrigin::Stored(Arc::from(index.path())))
            .map_err(|failed| failed.error)?;
        let Attached { owner, person } = serde_json::from_str(attached).unwrap_or_default();
        let is_unit = person.as_ref().is_some_and(|(_, is_unit)| *is_unit);
        let person = person.map(|(person, _)| Arc::new(person_of(person)));
        facts.push(TextFacts::of_stored(owner, person, is_unit));
    }
    Ok(corpus)
}
