//! The file format of a baseline: a line with the version, then an entry per line, with its fields
//! separated by tabs.
//!
//! ```text
//! pair    NAME  NAME   WORDS  SHARED/ALL  DESCRIPTION
//! text    NAME  WORDS.FINGERPRINT  TILES
//! ```
//!
//! A description is for people, who may replace it. With ` anonymous` after the version, names are
//! digests, and descriptions are empty. Several entries for one pair, as after a merge, accept the
//! largest amount; those of one text accept the tiles of all.
//!
//! A file of another version is neither read nor replaced. Versions 1 and 2 had the fingerprints of
//! passages, from which nothing can be known about an edited one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use dedup_text::text::{ReadTextError, display_path};

use super::accepted::{Amount, Tiles};
use super::texts::{Name, TextId};
use crate::diagnostics::Diagnostic;
use crate::io::disk;

/// The entries of a file, or those that a run would write.
#[derive(Clone, Debug, Default)]
pub(super) struct Listing {
    /// The accepted pairs, with the smaller name first. The entry of a pair also has its
    /// description.
    pub(super) pairs: BTreeMap<[Name; 2], (Amount, String)>,
    /// The texts of these pairs, which may have several entries with one name.
    pub(super) texts: BTreeMap<TextId, Tiles>,
    /// Whether there are digests instead of names and words.
    pub(super) is_anonymous: bool,
}

/// An entry of a listing, by the names of its texts.
pub(super) type Key = [Name; 2];

impl Listing {
    /// Keeps some entries, and the texts of the pairs among them.
    pub(super) fn retain(&mut self, is_kept: impl Fn(&Key) -> bool) {
        self.pairs.retain(|names, _| is_kept(names));
        let names: BTreeSet<&Name> = self.pairs.keys().flatten().collect();
        self.texts.retain(|text, _| names.contains(&text.name));
    }

    /// Adds the entries of another listing, in place of those of the same pairs. Returns how many
    /// were not in this one.
    pub(super) fn replace_by(&mut self, others: Self) -> usize {
        let before = self.pairs.len();
        self.pairs.extend(others.pairs);
        others.texts.into_iter().for_each(|(text, tiles)| self.add_text(text, &tiles));
        self.pairs.len() - before
    }

    /// Adds a pair, unless a larger amount is listed for it.
    fn add_pair(&mut self, names: [Name; 2], pair: (Amount, String)) {
        let listed = self.pairs.entry(names).or_insert_with(|| pair.clone());
        if listed.0 < pair.0 {
            *listed = pair;
        }
    }

    pub(super) fn add_text(&mut self, text: TextId, tiles: &Tiles) {
        self.texts.entry(text).or_default().extend(tiles);
    }

    /// Replaces names and words by digests.
    pub(super) fn anonymous(self) -> Self {
        let mut listing = self.renamed(Name::digest);
        let described = listing.pairs.values_mut().map(|(_, text)| text);
        described.for_each(String::clear);
        Self { is_anonymous: true, ..listing }
    }

    /// Replaces names.
    pub(super) fn renamed(self, name: impl Fn(&Name) -> Name) -> Self {
        let Self { pairs, texts, is_anonymous } = self;
        let mut new = Self { is_anonymous, ..Self::default() };
        for (names, pair) in pairs {
            new.add_pair(in_order(names.each_ref().map(&name)), pair);
        }
        for (text, tiles) in texts {
            new.add_text(TextId { name: name(&text.name), ..text }, &tiles);
        }
        new
    }

    /// Renders the file.
    pub(super) fn render(&self) -> String {
        let anonymous = if self.is_anonymous { ANONYMOUS } else { "" };
        let mut file = format!("{NAME}{VERSION}{anonymous}\n");
        for ([left, right], (Amount { words, shared, all }, described)) in &self.pairs {
            let _ = writeln!(file, "{PAIR}\t{left}\t{right}\t{words}\t{shared}/{all}\t{described}");
        }
        for (text, tiles) in &self.texts {
            let _ =
                writeln!(file, "{TEXT}\t{}\t{}\t{}", text.name, text.digests(), tiles.written());
        }
        file
    }

    /// Reads a line of the file into the listing; `None` if it is not an entry.
    fn read(&mut self, line: &str) -> Option<()> {
        let fields: Vec<&str> = line.split('\t').collect();
        let name = |name: &str| Name::read(name, self.is_anonymous);
        match fields[..] {
            [PAIR, left, right, words, counts, described] => {
                let (shared, all) = counts.split_once('/')?;
                let [words, shared, all] = [words.parse(), shared.parse(), all.parse()];
                let amount = Amount { words: words.ok()?, shared: shared.ok()?, all: all.ok()? };
                let names = in_order([name(left)?, name(right)?]);
                self.add_pair(names, (amount, described.to_owned()));
            }
            [TEXT, text, digests, tiles] => {
                let text = TextId::read(name(text)?, digests)?;
                self.add_text(text, &Tiles::read(tiles)?);
            }
            _ => return None,
        }
        Some(())
    }
}

/// Returns two values, the smaller one first.
pub(super) fn in_order<N: Ord>(mut both: [N; 2]) -> [N; 2] {
    both.sort();
    both
}

/// The first field of an entry.
const PAIR: &str = "pair";
const TEXT: &str = "text";

/// The start of the first line, in all versions.
const NAME: &str = "# dedup baseline ";

/// The version that is written.
const VERSION: &str = "3";

/// What follows the version if there are digests instead of names and words.
const ANONYMOUS: &str = " anonymous";

/// The markers that a merge conflict leaves in a file.
const CONFLICT: [&str; 4] = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"];

/// The reason why a file has no entries of a baseline.
enum NoEntries {
    /// The file does not exist.
    Missing,
    /// The file is something else, or of another version. It is never replaced.
    Foreign(Diagnostic),
    /// The file cannot be read, or is damaged.
    Damaged(Diagnostic),
}

impl NoEntries {
    /// Makes the error to report.
    fn diagnostic(self, path: &Path) -> Diagnostic {
        match self {
            Self::Missing => {
                let path = display_path(path);
                Diagnostic::new(format!("{path}: no such file, expected a baseline"))
                    .hint("run with --update-baseline to write it")
            }
            Self::Foreign(diagnostic) | Self::Damaged(diagnostic) => diagnostic,
        }
    }
}

/// Reads the entries of a file.
pub(super) fn read(path: &Path, max_bytes: Option<u64>) -> Result<Listing, Diagnostic> {
    let entries = content(path, max_bytes).and_then(|content| parse(path, &content));
    entries.map_err(|error| error.diagnostic(path))
}

/// Reads the entries of a file that is to be replaced. Returns none if the file is missing, empty
/// or damaged.
///
/// # Errors
///
/// [`Diagnostic`] if the file is not a baseline of this version, so that it must not be replaced, or
/// if it cannot be read.
pub(super) fn read_to_replace(path: &Path, max_bytes: Option<u64>) -> Result<Listing, Diagnostic> {
    let content = match content(path, max_bytes) {
        Err(NoEntries::Missing) => return Ok(Listing::default()),
        content => content.map_err(|error| error.diagnostic(path))?,
    };
    match parse(path, &content) {
        Err(error @ NoEntries::Foreign(_)) if !content.is_empty() => Err(error.diagnostic(path)),
        parsed => Ok(parsed.unwrap_or_default()),
    }
}

fn content(path: &Path, max_bytes: Option<u64>) -> Result<Vec<u8>, NoEntries> {
    disk::read(path, max_bytes).map_err(|error| match &error {
        ReadTextError::Missing { .. } => NoEntries::Missing,
        ReadTextError::TooLarge { .. } => NoEntries::Damaged(
            Diagnostic::new(error.to_string())
                .hint("--max-bytes off lifts the limit")
                .flags(["max-bytes"]),
        ),
        ReadTextError::Folder { .. } => NoEntries::Damaged(
            Diagnostic::new(format!("{}: is a folder, expected a baseline", display_path(path)))
                .hint("name a file: --update-baseline writes it"),
        ),
        _ => NoEntries::Damaged(
            Diagnostic::new(format!("{:#}", anyhow::Error::from(error)))
                .hint("check that the file exists and is readable"),
        ),
    })
}

fn parse(path: &Path, content: &[u8]) -> Result<Listing, NoEntries> {
    let error = |message: &str, hint: &str| {
        Diagnostic::new(format!("{}: {message}", display_path(path))).hint(hint)
    };
    let foreign = || {
        let what = format!("not a baseline, expected a file that begins with \"{NAME}{VERSION}\"");
        let hint = "name a file that --update-baseline or --accept wrote; both create a new one";
        NoEntries::Foreign(error(&what, hint))
    };
    let refused = |line: &str, number: usize| {
        let (what, hint) = if CONFLICT.iter().any(|mark| line.starts_with(mark)) {
            ("a merge conflict, expected an entry", "keep the lines of both sides")
        } else {
            ("not an entry, expected tabs between the fields of one", "delete the line")
        };
        let hint = format!("{hint}, or run with --update-baseline to write the file again");
        NoEntries::Damaged(error(&format!("line {number}: {what}"), &hint))
    };
    let content = str::from_utf8(content).map_err(|_| foreign())?;
    let mut lines = content.trim_start_matches('\u{feff}').lines().zip(1..);
    let first = lines.next().map(|(line, _)| line).unwrap_or_default();
    let Some(version) = first.strip_prefix(NAME) else {
        let is_conflict = CONFLICT.iter().any(|mark| first.starts_with(mark));
        return Err(if is_conflict { refused(first, 1) } else { foreign() });
    };
    let anonymous = version.strip_suffix(ANONYMOUS);
    if anonymous.unwrap_or(version) != VERSION {
        let what = format!("a baseline of version {version}, expected {VERSION}");
        let hint = "check with the dedup that wrote it that nothing is new, move the file away, \
                    and accept everything found with --update-baseline";
        return Err(NoEntries::Foreign(error(&what, hint)));
    }
    let mut listing = Listing { is_anonymous: anonymous.is_some(), ..Listing::default() };
    for (line, number) in lines.filter(|(line, _)| !line.is_empty()) {
        listing.read(line).ok_or_else(|| refused(line, number))?;
    }
    Ok(listing)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: &str = "text\ta\t0000000000000001.-\tAAAB\n\
        text\ta\t0000000000000001.0000000000000003\t-\n\
        text\tb\t0000000000000002.0000000000000003\tAAABAAAC\n";

    fn read(content: &str) -> Listing {
        parse(Path::new("base"), content.as_bytes()).unwrap_or_default()
    }

    #[test]
    fn a_file_is_read_as_it_is_written() {
        let pair = "pair\ta\tb\t22\t36/41\t22 words: x y\n";
        for entries in ["", pair, &[pair, TEXTS].concat()] {
            let file = format!("# dedup baseline 3\n{entries}");
            assert_eq!(read(&file).render(), file);
            let anonymous = read(&file).anonymous().render();
            assert!(anonymous.starts_with("# dedup baseline 3 anonymous\n"));
            assert!(!anonymous.contains("words") && !anonymous.contains("\ta\t"), "{anonymous}");
            assert_eq!(anonymous.lines().count(), file.lines().count());
            assert_eq!(read(&anonymous).render(), anonymous);
        }
    }

    #[test]
    fn lines_may_be_in_any_order_and_there_more_than_once() {
        let pair =
            |names: &str, amount: &str, words: &str| format!("pair\t{names}\t{amount}\t{words}\n");
        let [few, many] = [pair("a\tb", "14\t3/9", "few"), pair("b\ta", "22\t3/8", "many")];
        let want = format!("# dedup baseline 3\n{}{TEXTS}", pair("a\tb", "22\t3/8", "many"));
        for entries in [format!("{few}{many}"), format!("{many}\n{few}"), many.clone()] {
            let file = format!("\u{feff}# dedup baseline 3\r\n{TEXTS}{entries}");
            assert_eq!(read(&file).render(), want, "{entries}");
        }
    }

    #[test]
    fn what_is_replaced_goes_with_its_texts() {
        let file =
            format!("# dedup baseline 3\npair\ta\tb\t22\t3/8\tx\npair\tb\tc\t14\t3/8\ty\n{TEXTS}");
        let mut listing = read(&file);
        let names = [Name::Shown("a".to_owned()), Name::Shown("b".to_owned())];
        let mut others = read("# dedup baseline 3\npair\ta\tb\t12\t1/8\tz\n");
        assert_eq!(listing.replace_by(others.clone()), 0);
        assert_eq!(listing.pairs[&names].0.words, 12, "the smaller amount is the newer one");
        listing.retain(|key| *key != names);
        assert_eq!(listing.texts.keys().map(|it| it.name.to_string()).collect::<Vec<_>>(), ["b"]);
        others.pairs.extend(listing.pairs.clone());
        assert_eq!(listing.replace_by(others), 1);
        let renamed = listing.renamed(|name| match name.to_string().as_str() {
            "a" => Name::Shown("z".to_owned()),
            _ => name.clone(),
        });
        let pairs: Vec<String> =
            renamed.pairs.keys().map(|[one, other]| format!("{one} {other}")).collect();
        assert_eq!(pairs, ["b c", "b z"]);
    }
}
