//! The baseline: a file of accepted pairs, and which pairs of a run it accepts.
//!
//! Input: the file, the texts of a run, and its judged pairs. Output: which pairs are accepted,
//! which entries were not found, and the file rewritten on request. This module knows neither exit
//! statuses nor formats.
//!
//! A text is recognized by its name or by its words ([`texts`]), so that an entry still applies
//! after the text is renamed or edited. But each listed text is matched with at most one text of a
//! run, so that a copy of it is another text, and its pairs are new. An accepted pair is new again
//! if what it shares grew ([`accepted`]). It is compared with what was accepted, never with an
//! earlier run: only `--update-baseline` and `--accept` change what is stored.

mod accepted;
mod file;
mod texts;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use dedup_text::corpus::WordsDigest;
use dedup_text::display::{counted, or_closer, thousands, visible};
use dedup_text::pair::Judgement;
use dedup_text::simhash::Fingerprint;
use dedup_text::text::{Text, display_path};
use dedup_text::verdict::Verdict;
use dedup_text::{parallel, tokens};

use crate::args::BaselineFlags;
use crate::diagnostics::{self, Diagnostic, MAX_SHOWN, as_argument, note_more};
use crate::io::disk::{canonical, folder_of};
use crate::io::inputs::again::Stamp;
use crate::io::output;
use crate::model::name_of;
use accepted::{Shared, Tiles};
use file::{Key, Listing, in_order};
use texts::{ListedFile, ListedTexts, Name, TextId};

/// A baseline, and what is to be done with it.
#[derive(Debug, Default)]
pub(crate) struct Baseline {
    path: PathBuf,
    listing: Listing,
    /// The properties of the file when it was read; `None` if there was none.
    read: Option<Stamp>,
    update: Update,
    /// Whether digests are written instead of names and words.
    is_anonymous: bool,
    /// Whether entries that are not found are known, and listed.
    lists_unused: bool,
}

/// The change that a run makes to the file.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
enum Update {
    /// It is only read.
    #[default]
    None,
    /// It is replaced by all that is found.
    All,
    /// The findings in these pairs are added to it.
    Pairs(Vec<[String; 2]>),
}

/// A baseline whose texts are matched with the texts of a run.
#[derive(Debug)]
pub(crate) struct Matching<'b> {
    baseline: &'b Baseline,
    /// The texts of the run.
    texts: Vec<TextId>,
    /// The listed text that each of them is.
    names: Vec<Option<Name>>,
    /// The tiles of these listed texts.
    tiles: Vec<Tiles>,
    /// The texts of the run whose listed files are gone, by their listed names.
    renamed: BTreeMap<Name, usize>,
    /// The names of the listed texts whose files exist, but are not compared in this run.
    others: BTreeSet<String>,
    /// The lowest verdict of a pair in which entries are looked for.
    level: Verdict,
}

/// A text of a run with its fingerprint and digest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunText<'t> {
    pub(crate) text: &'t Text,
    /// `None` if the text is too short for a shingle.
    pub(crate) fingerprint: Option<Fingerprint>,
    /// The digest of all its words. `None` if it is not known.
    pub(crate) digest: Option<&'t WordsDigest>,
}

/// A pair of a run, looked up in a baseline.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairEntries {
    /// The names of the texts; `None` if the pair does not reach the level.
    names: Option<[String; 2]>,
    /// The listed entries for it.
    used: Vec<Key>,
    /// Whether they accept the pair as it is.
    pub(crate) is_listed: bool,
    /// Whether its current entries are to be written.
    pub(crate) is_written: bool,
    /// These entries.
    written: Listing,
    /// Whether the pair was accepted earlier, or is accepted by this run.
    pub(crate) is_accepted: bool,
}

/// The findings of a run.
#[derive(Debug, Default)]
pub(crate) struct RunFindings {
    /// The entries to be written.
    written: Listing,
    /// The number of those that were not accepted earlier.
    new: usize,
    /// The listed entries that were found.
    used: BTreeSet<Key>,
    /// Those of `used` that the written entries replace.
    replaced: BTreeSet<Key>,
    /// The names of the texts of the pair that the advice names: the first pair that is not
    /// accepted.
    first: Option<[String; 2]>,
    /// The names of the texts of the pairs that are accepted.
    accepted: BTreeSet<[String; 2]>,
}

impl RunFindings {
    /// Makes the advice name a pair, if it is not accepted.
    pub(crate) fn put_first(&mut self, seen: &PairEntries) {
        if !seen.is_accepted && seen.names.is_some() {
            self.first.clone_from(&seen.names);
        }
    }

    /// Adds a pair. A pair that does not reach the level is ignored.
    pub(crate) fn extend(&mut self, seen: Option<PairEntries>) {
        let Some(seen) = seen else { return };
        let Some(names) = seen.names else { return };
        if seen.is_accepted {
            self.accepted.insert(in_order(names));
        } else {
            self.first.get_or_insert(names);
        }
        if seen.is_written {
            self.replaced.extend(seen.used.iter().cloned());
        }
        self.used.extend(seen.used);
        let written = self.written.replace_by(seen.written);
        self.new += if seen.is_listed { 0 } else { written };
    }
}

impl Baseline {
    /// Opens the baseline that the flags name. `None` if they name none. A baseline that is to be
    /// written may be missing.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or is not a baseline.
    pub(crate) fn open(
        flags: &BaselineFlags,
        max_bytes: Option<u64>,
    ) -> anyhow::Result<Option<Self>> {
        let Some(path) = flags.file() else { return Ok(None) };
        let pairs: Vec<[String; 2]> = flags.accepted().map(|names| names.map(name)).collect();
        let update = match (flags.update_baseline, pairs.is_empty()) {
            (true, _) => Update::All,
            (false, true) => Update::None,
            (false, false) => Update::Pairs(pairs.into_iter().map(in_order).collect()),
        };
        let read = Stamp::of(path);
        let listing = match update {
            Update::All => file::read_to_replace(path, max_bytes)?,
            Update::Pairs(_) if !path.exists() => Listing::default(),
            Update::Pairs(_) | Update::None => file::read(path, max_bytes)?,
        };
        let is_anonymous = flags.anonymous_baseline || listing.is_anonymous;
        let path = path.to_owned();
        Ok(Some(Self { path, listing, read, update, is_anonymous, lists_unused: true }))
    }

    /// Makes a baseline without a file that lists nothing, to collect all that is found.
    pub(crate) fn of_nothing() -> Self {
        Self { update: Update::All, ..Self::default() }
    }

    /// Makes a baseline that accepts the findings of another run.
    pub(crate) fn accepting(found: RunFindings) -> Self {
        Self { listing: found.written, ..Self::default() }
    }

    /// Returns the baseline for a run that does not search for all pairs, and so cannot report the
    /// entries that are not found.
    pub(crate) fn of_some_pairs(self) -> Self {
        Self { lists_unused: false, ..self }
    }

    /// Replaces names given to `--accept` by the own names of texts: a name that no text has, but
    /// that is displayed for exactly one text, becomes the own name of that text. `texts` has the
    /// path of each text and the name that results show for it.
    pub(crate) fn with_names<'t>(
        mut self,
        texts: impl Iterator<Item = (&'t Path, String)>,
    ) -> Self {
        let Update::Pairs(pairs) = &mut self.update else { return self };
        let (own, shown): (Vec<String>, Vec<String>) =
            texts.map(|(path, shown)| (name(path), shown)).unzip();
        for pair in pairs {
            for typed in pair.iter_mut().filter(|typed| !own.contains(typed)) {
                let is_typed = |name: &String| visible(name) == *typed;
                let fits = |(own, shown): &(&String, &String)| is_typed(own) || is_typed(shown);
                let mut fitting = own.iter().zip(&shown).filter(fits);
                if let (Some((own, _)), None) = (fitting.next(), fitting.next()) {
                    typed.clone_from(own);
                }
            }
            pair.sort();
        }
        self
    }

    /// Reports whether all pairs must be found, not only the closest verdict.
    pub(crate) fn needs_all(&self) -> bool {
        self.update != Update::None || self.lists_unused
    }

    /// Matches the listed texts with the texts of a run.
    ///
    /// Entries are looked for in pairs of the verdict `level` and closer.
    pub(crate) fn matching(
        &self,
        texts: Vec<RunText>,
        level: Verdict,
        threads: NonZeroUsize,
    ) -> Matching<'_> {
        let paths: Vec<PathBuf> = texts.iter().map(|it| it.text.path().to_owned()).collect();
        let of_run = OnceCell::new();
        let texts: Vec<TextId> = parallel::map(threads, texts, |text| TextId::new(text));
        let Listing { texts: known, .. } = &self.listing;
        let mut listed = ListedTexts::default();
        let mut tiles_of: BTreeMap<&Name, Tiles> = BTreeMap::new();
        for (text, tiles) in known {
            listed.add(text);
            tiles_of.entry(&text.name).or_default().extend(tiles);
        }
        // The listed names are relative to the working folder of the run that wrote them. It is
        // taken to be the current working folder, or the folder of the baseline if more of the
        // names exist there, as in a run in a subfolder.
        let here = Path::new("");
        let exist = |folder: &Path| listed.shown().filter(|it| folder.join(it).exists()).count();
        let base = [folder_of(&self.path), here].into_iter().max_by_key(|folder| exist(folder));
        let base = base.unwrap_or(here);
        let find = |name: &str| {
            let file = base.join(name);
            if !file.exists() {
                return ListedFile::None;
            }
            let of_run: &BTreeMap<PathBuf, usize> =
                of_run.get_or_init(|| paths.iter().map(|path| canonical(path)).zip(0..).collect());
            of_run.get(&canonical(&file)).map_or(ListedFile::Other, |it| ListedFile::OfRun(*it))
        };
        let names = listed.identified(&texts, base == here, find);
        let is_gone = |(name, number): &(Name, usize)| match name {
            Name::Shown(shown) => find(shown) == ListedFile::None && *name != texts[*number].name,
            Name::Digest(_) => *name != texts[*number].name.digest(),
        };
        let matched = names.iter().cloned().zip(0..);
        let matched: BTreeMap<Name, usize> =
            matched.filter_map(|(name, number)| Some((name?, number))).collect();
        let is_other = |name: &&str| {
            !matched.contains_key(&Name::Shown((*name).to_owned()))
                && find(name) == ListedFile::Other
        };
        // They matter only where entries that are not found are reported or dropped.
        let shown = listed.shown().filter(|_| self.needs_all());
        let others = shown.filter(is_other).map(str::to_owned).collect();
        let tiles = names.iter().map(|name| tiles_of.get(name.as_ref()?).cloned());
        Matching {
            baseline: self,
            tiles: tiles.map(Option::unwrap_or_default).collect(),
            names,
            renamed: matched.into_iter().filter(is_gone).collect(),
            texts,
            others,
            level,
        }
    }
}

/// Returns the name of a text whose path was typed: `./a.txt` becomes `a.txt`.
fn name(typed: &Path) -> String {
    let name = name_of(typed);
    let mut rest = name.as_str();
    while let Some(after) = rest.strip_prefix("./") {
        rest = after.trim_start_matches('/');
    }
    rest.to_owned()
}

impl Matching<'_> {
    /// Reports whether all pairs must be found, not only the closest verdict.
    pub(crate) fn needs_all(&self) -> bool {
        self.baseline.needs_all()
    }

    /// Looks up a pair, given the numbers of its texts. A pair that is to be written to the file is
    /// accepted, too.
    pub(crate) fn look(
        &self,
        numbers: [usize; 2],
        texts: [&Text; 2],
        judgement: &Judgement,
    ) -> PairEntries {
        let mut seen = PairEntries::default();
        if judgement.decision.verdict < self.level {
            return seen;
        }
        let names = texts.map(|text| name(text.path()));
        seen.names = Some(names.clone());
        seen.is_written = match &self.baseline.update {
            Update::None => false,
            Update::All => true,
            Update::Pairs(pairs) => pairs.contains(&in_order(names)),
        };
        let listed_names = match numbers.map(|number| self.names[number].clone()) {
            [Some(left), Some(right)] => Some(in_order([left, right])),
            _ => None,
        };
        let listed = listed_names.as_ref().and_then(|it| self.baseline.listing.pairs.get(it));
        if listed.is_none() && !seen.is_written {
            return seen;
        }
        let shared = Shared::new(texts, judgement);
        seen.used.extend(listed_names.clone().filter(|_| listed.is_some()));
        let none = Tiles::default();
        let tiles = numbers.map(|it| listed.map_or(&none, |_| &self.tiles[it]));
        seen.is_listed = listed.is_some_and(|(amount, _)| shared.is_accepted(*amount, tiles));
        seen.is_accepted = seen.is_listed || seen.is_written;
        if seen.is_written {
            let described = listed.map(|(_, described)| described).filter(|it| is_own(it)).cloned();
            let described =
                described.unwrap_or_else(|| self.description(numbers, texts, judgement));
            let ids = numbers.map(|number| &self.texts[number]);
            let names = in_order(ids.map(|text| text.name.clone()));
            seen.written.pairs.insert(names, (shared.amount, described));
            for (side, text) in ids.into_iter().enumerate() {
                seen.written.add_text(text.clone(), &shared.tiles(side));
            }
        }
        seen
    }

    /// Describes a pair by the first words that it shares, or of its texts.
    fn description(&self, numbers: [usize; 2], texts: [&Text; 2], judgement: &Judgement) -> String {
        // The side whose name is the smaller one.
        let first = usize::from(self.texts[numbers[1]] < self.texts[numbers[0]]);
        let all = judgement.matches.as_ref().map_or(&[][..], |matches| &matches.all);
        let words = counted(all.iter().map(|it| it.passage.words()).sum(), "word");
        let begins = all.first().map(|found| {
            let start = [&found.left, &found.right][first].content.start;
            beginning(texts[first], start)
        });
        let begins = begins.unwrap_or_else(|| {
            format!("{} | {}", beginning(texts[first], 0), beginning(texts[1 - first], 0))
        });
        format!("{words}: {begins}")
    }

    /// Ends a run: rewrites the file if requested, otherwise reports the entries that were not
    /// found.
    ///
    /// # Errors
    ///
    /// Returns an error if a pair that is to be accepted was not found, or if the file cannot be
    /// written.
    pub(crate) fn end(&self, found: &RunFindings) -> anyhow::Result<()> {
        match self.rewrite(found)? {
            Some(note) => diagnostics::note(&visible(&note)),
            None => self.note_unused(&found.used),
        }
        Ok(())
    }

    /// Rewrites the file if requested, and describes what changed; `None` if it is only read.
    ///
    /// # Errors
    ///
    /// Returns an error if a pair that is to be accepted was not found, or if the file cannot be
    /// written.
    pub(crate) fn rewrite(&self, found: &RunFindings) -> anyhow::Result<Option<String>> {
        let RunFindings { written, new, used, replaced, accepted, .. } = found;
        let Baseline { listing, update, .. } = self.baseline;
        let mut kept = listing.clone();
        let mut dropped = 0;
        match update {
            Update::None => return Ok(None),
            Update::All => {
                dropped = self.not_found(used).len();
                let others: BTreeSet<&Key> = self.of_others().collect();
                kept.retain(|key| others.contains(key));
            }
            Update::Pairs(pairs) => {
                if let Some(pair) = pairs.iter().find(|it| !accepted.contains(*it)) {
                    return Err(self.no_such_pair(pair).into());
                }
                // An entry that was found in these pairs is replaced by its current form.
                kept.retain(|key| !replaced.contains(key));
                kept = kept.renamed(|name| {
                    let now = self.renamed.get(name).map(|number| &self.texts[*number].name);
                    now.unwrap_or(name).clone()
                });
            }
        }
        let is_anonymous = self.baseline.is_anonymous;
        let anonymous = |it: Listing| if is_anonymous { it.anonymous() } else { it };
        let mut listing = anonymous(kept);
        listing.replace_by(anonymous(written.clone()));
        let path = &self.baseline.path;
        // What another run has accepted meanwhile would be lost.
        output::write_file_if(path, &listing.render(), || Stamp::check(path, self.baseline.read))?;
        Ok(Some(format!(
            "{}: {} accepted, {} of them new; {} dropped",
            display_path(path),
            count_of(listing.pairs.len(), ""),
            thousands(*new),
            thousands(dropped),
        )))
    }

    /// Makes the error that a pair that is to be accepted was not found.
    fn no_such_pair(&self, [left, right]: &[String; 2]) -> Diagnostic {
        let is_text = |name: &&String| {
            let name = Name::Shown(visible(name));
            self.texts.iter().any(|text| text.name == name)
        };
        let missing = [left, right].into_iter().find(|name| !is_text(name));
        let what = match missing {
            Some(name) => format!("no text {name} among the texts compared"),
            None => "no such pair found, expected one in the results".to_owned(),
        };
        let mut hint = "use the names in the results".to_owned();
        if missing.is_none() && self.level > Verdict::Excerpt {
            let level = self.level.name();
            let _ = write!(hint, "; a level below {level} finds more pairs");
        }
        Diagnostic::new(format!("--accept {left} {right}: {what}")).hint(hint)
    }

    /// Advises how to accept the pair that made a run fail. With `--since`, the file is not replaced:
    /// it would accept what is already there, too.
    pub(crate) fn advise(&self, found: &RunFindings, is_since: bool) {
        let Some(names) = found.first.as_ref().filter(|_| self.baseline.update == Update::None)
        else {
            return;
        };
        let all = if is_since {
            "without --since, --update-baseline accepts everything found"
        } else {
            "--update-baseline accepts everything found"
        };
        let [left, right] = names.each_ref().map(as_argument);
        diagnostics::advise(&format!("--accept {left} {right} accepts this pair, {all}"));
    }

    /// Returns the listed entries that cannot be found in this run, which does not compare their
    /// texts.
    fn of_others(&self) -> impl Iterator<Item = &Key> {
        let is_other = |name: &Name| match name {
            Name::Shown(name) => self.others.contains(name),
            Name::Digest(_) => false,
        };
        self.baseline.listing.pairs.keys().filter(move |names| names.iter().any(is_other))
    }

    /// Returns the listed entries that should have been found but were not, formatted for people.
    fn not_found(&self, used: &BTreeSet<Key>) -> Vec<String> {
        let others: BTreeSet<&Key> = self.of_others().collect();
        let pairs = self.baseline.listing.pairs.iter();
        let unused = pairs.filter(|(key, _)| !used.contains(*key) && !others.contains(key));
        let shown = unused.map(|([left, right], (_, described))| {
            format!("{left} {right} {described}").trim_end().to_owned()
        });
        shown.collect()
    }

    /// Prints the entries that were not found.
    fn note_unused(&self, used: &BTreeSet<Key>) {
        if !self.baseline.lists_unused {
            return;
        }
        let gone = self.not_found(used);
        let path = display_path(&self.baseline.path);
        let not_found = if self.level <= Verdict::Excerpt {
            "no longer found".to_owned()
        } else {
            format!("not found in pairs that are {}", or_closer(self.level))
        };
        for entry in gone.iter().take(MAX_SHOWN) {
            diagnostics::note(&visible(&format!("{path}: {not_found}: {entry}")));
        }
        note_more(gone.len(), |more| count_of(more, "such ") + " more");
    }
}

/// Formats a number of entries, with a word that describes them.
fn count_of(count: usize, what: &str) -> String {
    let noun = if count == 1 { "passage or pair" } else { "passages or pairs" };
    format!("{} {what}{noun}", thousands(count))
}

/// Reports whether a person wrote the description of an entry. It is kept.
fn is_own(description: &str) -> bool {
    let is_count = |it: &str| it.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
    let counted = description.split_once(' ');
    !description.is_empty()
        && !counted.is_some_and(|(count, rest)| is_count(count) && rest.starts_with("word"))
}

/// The number of words that describe a passage or a text.
const EXCERPT_WORDS: usize = 8;

/// The number of bytes that are searched for the first words of a passage or a text.
const HEAD: usize = 1 << 10;

/// Returns the first words of a text from a byte offset on, in their normalized form.
fn beginning(text: &Text, start: usize) -> String {
    let content = &text.content()[start..];
    let head = &content[..content.floor_char_boundary(HEAD)];
    let words = tokens::split(head).0;
    let first: Vec<_> = words.iter().take(EXCERPT_WORDS).map(|token| token.word.clone()).collect();
    let more = if words.len() > EXCERPT_WORDS { " …" } else { "" };
    visible(&(first.join(" ") + more))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_counted_in_words() {
        assert_eq!(count_of(0, ""), "0 passages or pairs");
        assert_eq!(count_of(1, "accepted "), "1 accepted passage or pair");
        assert_eq!(count_of(1204, "accepted "), "1,204 accepted passages or pairs");
    }

    #[test]
    fn a_description_is_kept_if_a_person_wrote_it() {
        #[rustfmt::skip]
        let table = [
            ("none",               "",                          false),
            ("one word",           "1 word: x",                 false),
            ("many words",         "1,204 words: x y …",        false),
            ("no passage",         "0 words: x | y",            false),
            ("an own one",         "the licence, as agreed",    true),
            ("with a number",      "2 licences, as agreed",     true),
            ("a single word",      "agreed",                    true),
        ];
        for (why, description, want) in table {
            assert_eq!(is_own(description), want, "{why}");
        }
    }
}
