//! The baseline: a file of accepted pairs, and which pairs of a run it accepts.
//!
//! Input: the file, the texts of a run, and its judged pairs. Output: which pairs are accepted,
//! which entries were not found, and the file rewritten on request. This module knows neither exit
//! statuses nor formats.
//!
//! An entry accepts one passage of one pair of texts. A text is recognized by its name or by its
//! words ([`texts`]), so that an entry still applies after the text is renamed, its lines are
//! moved, or it is edited around the passage. But each listed text is matched with at most one text
//! of a run, so that a copy of it is another text, and the passages that the copy shares are new.

mod texts;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use dedup_text::corpus::{CommonStretch, WordsDigest};
use dedup_text::display::{counted, or_closer, thousands, visible};
use dedup_text::pair::Judgement;
use dedup_text::simhash::Fingerprint;
use dedup_text::text::{ReadTextError, Side, Text, display_path};
use dedup_text::verdict::Verdict;
use dedup_text::{parallel, rabin, tokens};

use crate::args::{BaselineFlags, Unused};
use crate::diagnostics::{self, Diagnostic, MAX_SHOWN, as_argument, note_more};
use crate::io::disk::{self, canonical, folder_of};
use crate::io::output;
use crate::model::name_of;
use texts::{ListedFile, ListedTexts, Name, Short, TextId};

/// A baseline, and what is to be done with it.
#[derive(Debug)]
pub(crate) struct Baseline {
    path: PathBuf,
    listing: Listing,
    update: Update,
    /// Whether digests are written instead of names and words.
    is_anonymous: bool,
    unused: Unused,
}

/// The change that a run makes to the file.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Update {
    /// It is only read.
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
    names: Vec<Option<Name>>,
    /// The entries of each pair of listed texts, with the smaller name first.
    pairs: BTreeMap<[Name; 2], Vec<&'b Line>>,
    /// The listed passages that were too common to make a pair.
    common: BTreeMap<Entry, &'b Line>,
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
    /// The entries that record the pair, each with whether it is listed. Empty if the pair does not
    /// reach the level.
    lines: Vec<(Line, bool)>,
    /// The listed entries that were found in the pair.
    used: Vec<Line>,
    /// Whether the current entries of the pair are to be written.
    pub(crate) is_written: bool,
    /// The names of the texts of the pair.
    names: [String; 2],
    /// Whether the pair was accepted earlier, or is accepted by this run.
    pub(crate) is_accepted: bool,
}

impl PairEntries {
    /// Reports whether all entries of the pair are listed.
    pub(crate) fn is_listed(&self) -> bool {
        self.lines.iter().all(|(_, is_listed)| *is_listed)
    }
}

/// The findings of a run.
#[derive(Debug, Default)]
pub(crate) struct RunFindings {
    /// The entries that record all pairs, each with whether it is listed.
    lines: BTreeMap<Line, bool>,
    /// The listed entries that were found.
    used: BTreeSet<Line>,
    /// Those of `used` that the current entries of their pairs replace.
    replaced: BTreeSet<Line>,
    /// The names of the texts of the pair that the advice names: the first pair that is not
    /// accepted.
    new: Option<[String; 2]>,
    /// The names of the texts of the pairs that are accepted.
    accepted: BTreeSet<[String; 2]>,
}

impl RunFindings {
    /// Makes the advice name a pair, if it is not accepted.
    pub(crate) fn put_first(&mut self, seen: &PairEntries) {
        if !seen.is_accepted && !seen.lines.is_empty() {
            self.new = Some(seen.names.clone());
        }
    }

    /// Adds a pair. A pair that does not reach the level is ignored.
    pub(crate) fn extend(&mut self, seen: Option<PairEntries>) {
        let Some(seen) = seen.filter(|seen| !seen.lines.is_empty()) else { return };
        if seen.is_accepted {
            self.accepted.insert(in_order(seen.names));
        } else {
            self.new.get_or_insert(seen.names);
        }
        if seen.is_written {
            self.replaced.extend(seen.used.iter().filter(|line| !line.is_common()).cloned());
        }
        self.used.extend(seen.used);
        for (line, is_listed) in seen.lines {
            self.lines.entry(line).or_insert(is_listed);
        }
    }
}

/// Returns two names, the smaller one first.
fn in_order<N: Ord>(mut names: [N; 2]) -> [N; 2] {
    names.sort();
    names
}

impl Baseline {
    /// Opens the baseline that the flags name. `None` if they name none. A baseline that is to be
    /// written may be missing.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or is not a baseline, or if pairs are to be
    /// added to a baseline of version 1.
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
        let listing = match update {
            Update::All => read_to_replace(path, max_bytes)?,
            Update::Pairs(_) if !path.exists() => Listing::OfPairs(BTreeSet::new()),
            Update::Pairs(_) | Update::None => read(path, max_bytes)?,
        };
        if matches!(listing, Listing::Anywhere(_)) && update != Update::All {
            let shown = display_path(path);
            if update != Update::None {
                return Err(Diagnostic::new(format!(
                    "{shown}: a baseline of version 1, expected version 2 to add a pair"
                ))
                .hint("run with --update-baseline to write it again with everything found")
                .into());
            }
            let what =
                "a baseline of version 1 accepts its passages in all texts, even in new ones";
            diagnostics::warn(&shown, what);
            diagnostics::advise(
                "run with --update-baseline to write it again with the texts of each passage",
            );
        }
        let is_anonymous = flags.anonymous_baseline || listing.is_anonymous();
        let unused = flags.baseline_unused;
        Ok(Some(Self { path: path.to_owned(), listing, update, is_anonymous, unused }))
    }

    /// Makes a baseline without a file that lists nothing, to collect all that is found.
    pub(crate) fn of_nothing() -> Self {
        let listing = Listing::OfPairs(BTreeSet::new());
        let (path, unused) = (PathBuf::new(), Unused::Ignore);
        Self { path, listing, update: Update::All, is_anonymous: false, unused }
    }

    /// Makes a baseline that accepts the findings of another run.
    pub(crate) fn accepting(found: RunFindings) -> Self {
        let listing = Listing::OfPairs(found.lines.into_keys().collect());
        Self { listing, update: Update::None, ..Self::of_nothing() }
    }

    /// Returns the baseline for a run that does not search for all pairs, and so cannot report the
    /// entries that are not found.
    pub(crate) fn of_some_pairs(self) -> Self {
        Self { unused: Unused::Ignore, ..self }
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
        self.update != Update::None || self.unused != Unused::Ignore
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
        let (mut listed, mut pairs) = (ListedTexts::default(), BTreeMap::new());
        let mut common = BTreeMap::new();
        if let Listing::OfPairs(lines) = &self.listing {
            for line in lines {
                line.texts.iter().for_each(|text| listed.add(text));
                let [left, right] = &line.texts;
                let names = in_order([left.name.clone(), right.name.clone()]);
                pairs.entry(names).or_insert_with(Vec::new).push(line);
                if line.is_common() {
                    common.entry(line.entry).or_insert(line);
                }
            }
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
        let matched: BTreeSet<&str> = names
            .iter()
            .filter_map(|name| match name {
                Some(Name::Shown(name)) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        let is_other =
            |name: &&str| !matched.contains(name) && matches!(find(name), ListedFile::Other);
        // They matter only where entries that are not found are reported or dropped.
        let shown = listed.shown().filter(|_| self.needs_all());
        let others = shown.filter(is_other).map(str::to_owned).collect();
        Matching { baseline: self, texts, names, pairs, common, others, level }
    }
}

/// Returns the name of a text whose path was typed: `./a.txt` becomes `a.txt`.
fn name(typed: &Path) -> String {
    without_dot(&name_of(typed))
}

fn without_dot(name: &str) -> String {
    let mut rest = name;
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

    /// Looks up a pair, given the numbers of its texts. A passage that is listed as too common to
    /// make a pair is accepted in every pair. A pair that is to be written to the file is accepted,
    /// too.
    pub(crate) fn look(
        &self,
        numbers: [usize; 2],
        [left, right]: [&Text; 2],
        judgement: &Judgement,
    ) -> PairEntries {
        let names = [left, right].map(|text| without_dot(&name_of(text.path())));
        if judgement.decision.verdict < self.level {
            return PairEntries { names, ..PairEntries::default() };
        }
        let known = self.listed(numbers);
        let mut free: Vec<Option<&Line>> = known.iter().copied().map(Some).collect();
        let (mut lines, mut used) = (Vec::new(), Vec::new());
        let first =
            if self.texts[numbers[1]] < self.texts[numbers[0]] { Side::Right } else { Side::Left };
        for mut found in found([left, right], first, judgement) {
            let entry = found.entry;
            let begins = match &self.baseline.listing {
                Listing::Anywhere(entries) => entries.get(&entry).cloned(),
                Listing::OfPairs(_) => {
                    let mut all = free.iter_mut();
                    let line = all.find(|line| line.is_some_and(|it| it.entry == entry));
                    let line = line.and_then(Option::take);
                    let line = line.or_else(|| self.common.get(&entry).copied());
                    used.extend(line.cloned());
                    line.map(|line| line.begins.clone())
                }
            };
            let is_listed = begins.is_some();
            // Keep what a person wrote instead of the first words.
            found.begins = begins.filter(|it| !it.is_empty()).unwrap_or(found.begins);
            let id = |side: usize| (self.texts[numbers[side]].clone(), found.lines[side]);
            lines.push((Line::new([id(0), id(1)], entry, found.begins), is_listed));
        }
        let is_listed = lines.iter().all(|(_, is_listed)| *is_listed);
        let is_written = match &self.baseline.update {
            Update::None => false,
            Update::All => true,
            Update::Pairs(pairs) => pairs.contains(&in_order(names.clone())),
        };
        PairEntries { lines, used, is_written, names, is_accepted: is_listed || is_written }
    }

    /// Looks up a passage that is too common to make a pair, given the number of the first text that
    /// contains it and those of all texts that contain the whole of it. It is recorded as a passage
    /// that the first text shares with itself.
    ///
    /// It is accepted if it is listed like this for any text, or if pairs of all these texts list
    /// it: whether a passage is too common depends on the number of all texts, too.
    pub(crate) fn look_at_common(
        &self,
        (number, all): (usize, &[u32]),
        text: &Text,
        stretch: &CommonStretch,
    ) -> PairEntries {
        let span = stretch.place.content.clone();
        let entry = Entry::Passage(of_words(&text.content()[span.clone()]));
        let (known, used) = match &self.baseline.listing {
            Listing::Anywhere(entries) => (entries.get(&entry).cloned(), Vec::new()),
            Listing::OfPairs(lines) => {
                let pairs_of_all = || {
                    let pairs: Vec<&Line> = lines.iter().filter(|it| it.entry == entry).collect();
                    let names: BTreeSet<&Name> =
                        pairs.iter().flat_map(|line| &line.texts).map(|text| &text.name).collect();
                    let is_listed = |text: &u32| {
                        self.names[*text as usize].as_ref().is_some_and(|it| names.contains(it))
                    };
                    if all.iter().all(is_listed) { pairs } else { Vec::new() }
                };
                let found = self.common.get(&entry).map_or_else(pairs_of_all, |it| vec![*it]);
                (
                    found.first().map(|line| line.begins.clone()),
                    found.into_iter().cloned().collect(),
                )
            }
        };
        let is_listed = known.is_some();
        let words = counted(stretch.words, "word");
        let begins = known.filter(|it| !it.is_empty());
        let begins = begins.unwrap_or_else(|| format!("{words}: {}", beginning(text, span.start)));
        let side = || (self.texts[number].clone(), stretch.place.lines);
        let name = without_dot(&name_of(text.path()));
        let is_written = self.baseline.update == Update::All;
        PairEntries {
            lines: vec![(Line::new([side(), side()], entry, begins), is_listed)],
            used,
            is_written,
            names: [name.clone(), name],
            is_accepted: is_listed || is_written,
        }
    }

    /// Returns the listed entries of a pair of texts.
    fn listed(&self, numbers: [usize; 2]) -> &[&Line] {
        let [Some(left), Some(right)] = numbers.map(|number| self.names[number].clone()) else {
            return &[];
        };
        self.pairs.get(&in_order([left, right])).map_or(&[], Vec::as_slice)
    }

    /// Ends a run: rewrites the file if requested, otherwise reports the entries that were not
    /// found.
    ///
    /// # Errors
    ///
    /// Returns an error if entries were not found and this is an error, if a pair that is to be
    /// accepted was not found, or if the file cannot be written.
    pub(crate) fn end(&self, found: &RunFindings) -> anyhow::Result<()> {
        match &self.baseline.update {
            Update::None => self.check_used(found),
            Update::All => {
                let mut lines: BTreeSet<Line> = found.lines.keys().cloned().collect();
                if let Listing::OfPairs(listed) = &self.baseline.listing {
                    lines.extend(listed.iter().filter(|line| self.is_of_others(line)).cloned());
                }
                self.write(lines, found, self.not_found(found).len())
            }
            Update::Pairs(pairs) => {
                if let Some([left, right]) = pairs.iter().find(|it| !found.accepted.contains(*it)) {
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
                    let what = format!("--accept {left} {right}: {what}");
                    return Err(Diagnostic::new(what).hint(hint).into());
                }
                let is_accepted = |line: &Line| {
                    let names = line.texts.each_ref().map(|text| match &text.name {
                        Name::Shown(name) => name.clone(),
                        Name::Digest(_) => String::new(),
                    });
                    let mut pairs = pairs.iter();
                    pairs.any(|pair| {
                        in_order(pair.each_ref().map(|name| visible(name)))
                            == in_order(names.clone())
                    })
                };
                let new = found.lines.keys().filter(|line| is_accepted(line)).cloned();
                let Listing::OfPairs(listed) = &self.baseline.listing else { return Ok(()) };
                // An entry that was found in these pairs is replaced by its current form.
                let kept = listed.difference(&found.replaced);
                self.write(new.chain(kept.cloned()).collect(), found, 0)
            }
        }
    }

    /// Advises how to accept the pair that made a run fail. With `--since`, the file is not replaced:
    /// it would accept what is already there, too.
    pub(crate) fn advise(&self, found: &RunFindings, is_since: bool) {
        let Some(names) = found.new.as_ref().filter(|_| self.baseline.update == Update::None)
        else {
            return;
        };
        let all = if is_since {
            "without --since, --update-baseline accepts everything found"
        } else {
            "--update-baseline accepts everything found"
        };
        let [left, right] = names.each_ref().map(as_argument);
        // A passage that is too common to make a pair has one text.
        let advice = if left == right {
            all.to_owned()
        } else {
            format!("--accept {left} {right} accepts this pair, {all}")
        };
        diagnostics::advise(&advice);
    }

    /// Reports whether a listed entry cannot be found in this run, which does not compare its texts.
    fn is_of_others(&self, line: &Line) -> bool {
        line.texts.iter().any(|text| match &text.name {
            Name::Shown(name) => self.others.contains(name),
            Name::Digest(_) => false,
        })
    }

    /// Returns the listed entries that should have been found but were not, formatted for people.
    fn not_found(&self, found: &RunFindings) -> Vec<String> {
        match &self.baseline.listing {
            Listing::Anywhere(entries) => {
                let known: BTreeSet<Entry> = found.lines.keys().map(|line| line.entry).collect();
                let unused = entries.iter().filter(|(entry, _)| !known.contains(entry));
                unused.map(|(entry, name)| format!("{entry} {name}")).collect()
            }
            Listing::OfPairs(lines) => {
                let unused = lines.difference(&found.used);
                unused.filter(|line| !self.is_of_others(line)).map(Line::shown).collect()
            }
        }
    }

    /// Prints the entries that were not found.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if there are some and `--baseline-unused` is `error`.
    fn check_used(&self, found: &RunFindings) -> anyhow::Result<()> {
        let Baseline { path, unused, .. } = self.baseline;
        let gone = self.not_found(found);
        if gone.is_empty() || *unused == Unused::Ignore {
            return Ok(());
        }
        let not_found = if self.level <= Verdict::Excerpt {
            "no longer found".to_owned()
        } else {
            format!("not found in pairs that are {}", or_closer(self.level))
        };
        for entry in gone.iter().take(MAX_SHOWN) {
            let message = format!("{}: {not_found}: {entry}", display_path(path));
            diagnostics::note(&visible(&message));
        }
        note_more(gone.len(), |more| count_of(more, "such ") + " more");
        match unused {
            Unused::Error => {
                let count = count_of(gone.len(), "accepted ");
                let path = display_path(path);
                Err(Diagnostic::new(format!("{path}: {count} {not_found}, expected all"))
                    .hint("--update-baseline drops them")
                    .into())
            }
            _ => Ok(()),
        }
    }

    /// Writes entries, and prints how many of them are new and how many were dropped.
    fn write(
        &self,
        lines: BTreeSet<Line>,
        found: &RunFindings,
        dropped: usize,
    ) -> anyhow::Result<()> {
        let path = &self.baseline.path;
        let new = lines.iter().filter(|line| found.lines.get(line) == Some(&false)).count();
        let count = count_of(lines.len(), "");
        let lines: BTreeSet<Line> = if self.baseline.is_anonymous {
            lines.iter().map(Line::anonymous).collect()
        } else {
            lines
        };
        output::write_file(path, &render(lines))?;
        diagnostics::note(&visible(&format!(
            "{}: {count} accepted, {} of them new; {} dropped",
            display_path(path),
            thousands(new),
            thousands(dropped),
        )));
        Ok(())
    }
}

/// Formats a number of entries, with a word that describes them.
fn count_of(count: usize, what: &str) -> String {
    let noun = if count == 1 { "passage or pair" } else { "passages or pairs" };
    format!("{} {what}{noun}", thousands(count))
}

// The entries that record a pair.

/// A finding in a pair.
struct Recorded {
    entry: Entry,
    /// The first and the last line of the finding in the left and in the right text.
    lines: [[usize; 2]; 2],
    /// Its first words.
    begins: String,
}

/// The number of words that describe a passage or a text.
const EXCERPT_WORDS: usize = 8;

/// The number of bytes that are searched for the first words of a passage or a text.
const HEAD: usize = 1 << 10;

/// Returns the entries that record a pair: its passages or, if it has none, both texts. The first
/// words of a passage are those on the side `first`.
fn found([left, right]: [&Text; 2], first: Side, judgement: &Judgement) -> Vec<Recorded> {
    let passages = judgement.matches.iter().flat_map(|matches| &matches.all);
    let passages: Vec<Recorded> = passages
        .map(|found| {
            let count = counted(found.passage.words(), "word");
            let (text, place) = match first {
                Side::Left => (left, &found.left),
                Side::Right => (right, &found.right),
            };
            let begins = format!("{count}: {}", beginning(text, place.content.start));
            let lines = [found.left.lines, found.right.lines];
            Recorded { entry: Entry::Passage(found.passage.fingerprint), lines, begins }
        })
        .collect();
    if !passages.is_empty() {
        return passages;
    }
    let fingerprint =
        |text: &Text, known: Option<u64>| known.unwrap_or_else(|| of_words(text.content()));
    let known = [&judgement.left, &judgement.right].map(|it| it.fingerprint.map(|bits| bits.0));
    let mut sides = [
        (fingerprint(left, known[0]), beginning(left, 0)),
        (fingerprint(right, known[1]), beginning(right, 0)),
    ];
    let lines = [left, right].map(|text| [1, text.content().lines().count().max(1)]);
    sides.sort();
    let [(one, name), (other, its_name)] = sides;
    vec![Recorded {
        entry: Entry::Texts(one, other),
        lines,
        begins: format!("{name} | {its_name}"),
    }]
}

/// Returns the residue of the words of a text. It serves as the fingerprint of a passage that is
/// too common to make a pair, and of a text that is too short for a shingle.
fn of_words(text: &str) -> u64 {
    let words: Vec<_> = tokens::split(text).0.iter().map(|it| it.word.clone()).collect();
    rabin::residue(words.join(" ").as_bytes())
}

/// Returns the first words of a text from a byte offset on, in their normalized form.
fn beginning(text: &Text, start: usize) -> String {
    let content = &text.content()[start..];
    let head = &content[..content.floor_char_boundary(HEAD)];
    let words = tokens::split(head).0;
    let first: Vec<_> = words.iter().take(EXCERPT_WORDS).map(|token| token.word.clone()).collect();
    let more = if words.len() > EXCERPT_WORDS { " …" } else { "" };
    visible(&(first.join(" ") + more))
}

// The file format of a baseline: a line with the version, then an entry per line, in order.

/// The finding that an entry accepts. It contains neither places nor names of files.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Entry {
    /// The fingerprint of a passage.
    Passage(u64),
    /// The fingerprints of two texts that share no passage, the smaller one first.
    Texts(u64, u64),
}

impl Entry {
    const PASSAGE: &str = "passage";
    const TEXTS: &str = "texts";

    /// Parses an entry and the description after it. `None` if the line is not an entry.
    fn parse(line: &str) -> Option<(Self, &str)> {
        let (kind, rest) = line.split_once(' ')?;
        match kind {
            Self::PASSAGE => {
                let (fingerprint, name) = fingerprint(rest)?;
                Some((Self::Passage(fingerprint), name))
            }
            Self::TEXTS => {
                let (one, rest) = fingerprint(rest)?;
                let (other, name) = fingerprint(rest)?;
                Some((Self::Texts(one.min(other), one.max(other)), name))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Passage(fingerprint) => write!(formatter, "{} {fingerprint:016x}", Self::PASSAGE),
            Self::Texts(one, other) => write!(formatter, "{} {one:016x} {other:016x}", Self::TEXTS),
        }
    }
}

/// Parses 16 hexadecimal digits. Also returns the rest after a space.
fn fingerprint(typed: &str) -> Option<(u64, &str)> {
    let (digits, rest) = typed.split_once(' ').unwrap_or((typed, ""));
    let is_one = digits.len() == 16 && digits.bytes().all(|it| it.is_ascii_hexdigit());
    let number = u64::from_str_radix(digits, 16).ok().filter(|_| is_one)?;
    Some((number, rest))
}

/// A line of the file: a passage that was accepted in a pair of texts, or a pair without a passage.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Line {
    /// The texts, the one with the smaller name first.
    texts: [TextId; 2],
    /// The first and the last line of the finding in each text.
    lines: [[usize; 2]; 2],
    entry: Entry,
    /// The words that describe the finding; empty if digests are written instead of names.
    begins: String,
}

impl Line {
    /// Makes the line of a finding. The texts may be in either order.
    fn new(sides: [(TextId, [usize; 2]); 2], entry: Entry, begins: String) -> Self {
        let [mut left, mut right] = sides;
        if right < left {
            std::mem::swap(&mut left, &mut right);
        }
        Self { texts: [left.0, right.0], lines: [left.1, right.1], entry, begins }
    }

    /// Reports whether the line accepts a passage that was too common to make a pair.
    fn is_common(&self) -> bool {
        self.texts[0] == self.texts[1]
    }

    /// Returns the line without names and words.
    fn anonymous(&self) -> Self {
        let [left, right] = [0, 1].map(|side| (self.texts[side].anonymous(), self.lines[side]));
        Self::new([left, right], self.entry, String::new())
    }

    /// Parses a line of the file. `None` if it is not an entry.
    fn parse(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let (&[left, right, entry, left_id, right_id], begins) = fields.split_first_chunk()?;
        let begins = match begins {
            [] => None,
            [begins] => Some(*begins),
            _ => return None,
        };
        let (entry, rest) = Entry::parse(entry)?;
        let text = |place: &str, id: &str| {
            let (name, lines) = place.rsplit_once(':')?;
            let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
            let lines = [first.parse().ok()?, last.parse().ok()?];
            let name = match begins {
                Some(_) => Name::Shown(name.to_owned()),
                None => Name::Digest(Short(hexadecimal(name)?)),
            };
            let (words, bits) = id.split_once('.')?;
            let fingerprint = if bits == "-" { None } else { Some(hexadecimal(bits)?) };
            Some((TextId { name, words: Short(hexadecimal(words)?), fingerprint }, lines))
        };
        let sides = [text(left, left_id)?, text(right, right_id)?];
        rest.is_empty().then(|| Self::new(sides, entry, begins.unwrap_or_default().to_owned()))
    }

    /// Formats the places and the first words for people.
    fn shown(&self) -> String {
        let [left, right] = [0, 1].map(|side| self.place(side));
        format!("{left} {right} {}", self.begins).trim_end().to_owned()
    }

    /// Formats the name of a text and its lines.
    fn place(&self, side: usize) -> String {
        let name = match &self.texts[side].name {
            Name::Shown(name) => name.clone(),
            Name::Digest(digest) => digest.digits(),
        };
        match self.lines[side] {
            [first, last] if first == last => format!("{name}:{first}"),
            [first, last] => format!("{name}:{first}-{last}"),
        }
    }
}

/// Parses 16 hexadecimal digits.
fn hexadecimal(typed: &str) -> Option<u64> {
    fingerprint(typed).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number)
}

impl fmt::Display for Line {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let id = |text: &TextId| {
            let bits = text.fingerprint.map_or("-".to_owned(), |bits| format!("{bits:016x}"));
            format!("{}.{bits}", text.words.digits())
        };
        let [left, right] = &self.texts;
        let places = [self.place(0), self.place(1)].join("\t");
        write!(formatter, "{places}\t{}\t{}\t{}", self.entry, id(left), id(right))?;
        let is_shown = matches!(left.name, Name::Shown(_));
        if is_shown { write!(formatter, "\t{}", self.begins) } else { Ok(()) }
    }
}

/// The entries of a file.
#[derive(Debug)]
enum Listing {
    /// Version 1: passages and pairs, each with its description, in whatever texts they are found.
    Anywhere(BTreeMap<Entry, String>),
    /// Version 2: the entries of pairs of texts.
    OfPairs(BTreeSet<Line>),
}

impl Listing {
    /// Reports whether there are digests instead of names and words.
    fn is_anonymous(&self) -> bool {
        let Self::OfPairs(lines) = self else { return false };
        lines.iter().any(|line| matches!(line.texts[0].name, Name::Digest(_)))
    }
}

/// The start of the first line, in all versions.
const NAME: &str = "# dedup baseline ";

/// The version that is written.
const VERSION: &str = "2";

/// The version whose entries name no texts.
const WITHOUT_TEXTS: &str = "1";

/// The markers that a merge conflict leaves in a file.
const CONFLICT: [&str; 4] = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"];

/// The reason why a file has no entries of a baseline.
enum NoEntries {
    /// The file does not exist.
    Missing,
    /// The file is something else.
    Foreign,
    /// The file cannot be read, or is damaged.
    Damaged(Diagnostic),
}

impl NoEntries {
    /// Makes the error to report.
    fn diagnostic(self, path: &Path) -> Diagnostic {
        let path = display_path(path);
        match self {
            Self::Missing => Diagnostic::new(format!("{path}: no such file, expected a baseline"))
                .hint("run with --update-baseline to write it"),
            Self::Foreign => Diagnostic::new(format!(
                "{path}: not a baseline, expected a file that begins with \"{NAME}{VERSION}\""
            ))
            .hint("name a file that --update-baseline or --accept wrote; both create a new one"),
            Self::Damaged(diagnostic) => diagnostic,
        }
    }
}

/// Reads the entries of a file.
fn read(path: &Path, max_bytes: Option<u64>) -> Result<Listing, Diagnostic> {
    let entries = content(path, max_bytes).and_then(|content| parse(path, &content));
    entries.map_err(|error| error.diagnostic(path))
}

/// Reads the entries of a file that is to be replaced. Returns none if the file is missing, empty
/// or damaged.
///
/// # Errors
///
/// [`Diagnostic`] if the file is not a baseline, so that it must not be replaced, or if it cannot
/// be read.
fn read_to_replace(path: &Path, max_bytes: Option<u64>) -> Result<Listing, Diagnostic> {
    let none = || Listing::OfPairs(BTreeSet::new());
    let content = match content(path, max_bytes) {
        Err(NoEntries::Missing) => return Ok(none()),
        content => content.map_err(|error| error.diagnostic(path))?,
    };
    match parse(path, &content) {
        Err(error @ NoEntries::Foreign) if !content.is_empty() => Err(error.diagnostic(path)),
        parsed => Ok(parsed.unwrap_or_else(|_| none())),
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
    let damaged = |message: String, hint: &str| {
        let message = format!("{}: {message}", display_path(path));
        NoEntries::Damaged(Diagnostic::new(message).hint(hint))
    };
    let conflict = |line: usize| {
        damaged(
            format!("line {line}: a merge conflict, expected an entry"),
            "keep the lines of both sides, or run with --update-baseline to write the file again",
        )
    };
    let is_conflict = |line: &str| CONFLICT.iter().any(|mark| line.starts_with(mark));
    let content = str::from_utf8(content).map_err(|_| NoEntries::Foreign)?;
    let mut lines = content.trim_start_matches('\u{feff}').lines().zip(1..);
    let first = lines.next().map(|(line, _)| line).unwrap_or_default();
    if is_conflict(first) {
        return Err(conflict(1));
    }
    let entries = lines.filter(|(line, _)| !line.is_empty());
    let refused = |(line, number): (&str, usize), wanted: &str| {
        if is_conflict(line) {
            return conflict(number);
        }
        damaged(
            format!("line {number}: not an entry, expected {wanted}"),
            "delete the line, or run with --update-baseline to write the file again",
        )
    };
    match first.strip_prefix(NAME) {
        None => Err(NoEntries::Foreign),
        Some(VERSION) => {
            let wanted = "two texts, what they share, and their digests, separated by tabs";
            let lines =
                entries.map(|line| Line::parse(line.0).ok_or_else(|| refused(line, wanted)));
            Ok(Listing::OfPairs(lines.collect::<Result<_, _>>()?))
        }
        Some(WITHOUT_TEXTS) => {
            let wanted = "passage or texts with 16 hexadecimal digits";
            let mut known = BTreeMap::new();
            for line in entries {
                let (entry, name) = Entry::parse(line.0).ok_or_else(|| refused(line, wanted))?;
                known.entry(entry).or_insert_with(|| name.to_owned());
            }
            Ok(Listing::Anywhere(known))
        }
        Some(found) => {
            let message = format!("a baseline of version {found}, expected {VERSION}");
            Err(damaged(message, "run this dedup with --update-baseline to write it again"))
        }
    }
}

/// Renders the file with some entries.
fn render(lines: impl IntoIterator<Item = Line>) -> String {
    let lines = lines.into_iter().map(|line| format!("{line}\n"));
    format!("{NAME}{VERSION}\n{}", lines.collect::<String>())
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
}

#[cfg(test)]
mod entry_tests {
    use super::*;

    #[test]
    fn a_line_is_an_entry_and_a_name() {
        let (a, b) = ("0000000000000001", "ffffffffffffffff");
        #[rustfmt::skip]
        let table = [
            ("a passage",        format!("passage {a} 12 words: x y"), Some((Entry::Passage(1), "12 words: x y"))),
            ("no name",          format!("passage {b}"),               Some((Entry::Passage(u64::MAX), ""))),
            ("two texts",        format!("texts {a} {b} x | y"),       Some((Entry::Texts(1, u64::MAX), "x | y"))),
            ("turned round",     format!("texts {b} {a} x | y"),       Some((Entry::Texts(1, u64::MAX), "x | y"))),
            ("capitals",         "passage 00000000000000AB x".into(),  Some((Entry::Passage(0xab), "x"))),
            ("one text",         format!("texts {a}"),                 None),
            ("a digit short",    "passage 000000000000001 x".into(),   None),
            ("a digit more",     "passage 00000000000000001 x".into(), None),
            ("a sign",           "passage +000000000000001 x".into(),  None),
            ("no digit",         "passage 000000000000000g x".into(),  None),
            ("another kind",     format!("pair {a} x"),                None),
            ("no kind",          a.to_owned(),                         None),
            ("nothing",          String::new(),                        None),
        ];
        for (why, line, want) in table {
            assert_eq!(Entry::parse(&line), want, "{why}");
        }
    }

    #[test]
    fn an_entry_is_read_as_it_is_written() {
        for entry in [Entry::Passage(0), Entry::Passage(0xabc), Entry::Texts(7, 1 << 63)] {
            assert_eq!(Entry::parse(&entry.to_string()), Some((entry, "")));
        }
    }

    #[test]
    fn a_line_is_read_as_it_is_written() {
        let id = |name: Name, fingerprint| TextId { name, words: Short(7), fingerprint };
        let shown = |name: &str, bits| id(Name::Shown(name.to_owned()), bits);
        let digest = || id(Name::Digest(Short(9)), Some(3));
        #[rustfmt::skip]
        let table = [
            ("a passage",       [(shown("a b", Some(1)), [1, 3]), (shown("c:7", None), [2, 2])], Entry::Passage(5), "2 words: x y"),
            ("both texts",      [(shown("a:1-2", Some(1)), [1, 7]), (shown("b", Some(2)), [1, 1])], Entry::Texts(1, 2), "x | y"),
            ("turned round",    [(shown("b", Some(1)), [9, 9]), (shown("a", None), [1, 1])], Entry::Passage(5), ""),
            ("digests",         [(digest(), [1, 2]), (digest(), [4, 5])], Entry::Passage(5), ""),
        ];
        for (why, sides, entry, begins) in table {
            let line = Line::new(sides, entry, begins.to_owned());
            let written = line.to_string();
            assert_eq!(Line::parse(&written), Some(line), "{why}: {written}");
        }
    }
}
