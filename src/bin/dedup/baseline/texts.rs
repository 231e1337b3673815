//! Matches the texts of a run with the texts that a baseline lists.
//!
//! Input: the listed texts, each with its name, the digest of its words and its fingerprint, and
//! the texts of a run. Output: for each text of the run, the listed text that it matches, if any.
//! No two texts of a run match the same listed text, so that a copy is never mistaken for its
//! original.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use dedup_text::display::visible;
use dedup_text::hamming;
use dedup_text::simhash::Fingerprint;
use dedup_text::text::Text;
use dedup_text::tokens;
use sha2::{Digest, Sha256};

use super::RunText;

/// The largest number of bits in which the fingerprints may differ before and after a text is
/// renamed and edited at the same time: about three quarters of its shingles are the same. In
/// 10,891 pairs of unrelated texts, the smallest distance is 15.
const MAX_EDITED: u32 = 10;

/// The first 64 bits of a SHA-256 digest.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Short(pub(super) u64);

impl Short {
    fn new(sha256: Sha256) -> Self {
        Self::beginning(&sha256.finalize())
    }

    fn beginning(digest: &[u8]) -> Self {
        Self(digest.iter().take(8).fold(0, |bits, byte| bits << 8 | u64::from(*byte)))
    }

    /// Computes the digest of a name.
    pub(super) fn from_name(name: &str) -> Self {
        Self::new(Sha256::new().chain_update(name))
    }

    /// Computes the digest of the words of a text, each followed by a line feed.
    fn from_words(text: &Text) -> Self {
        let mut sha256 = Sha256::new();
        for token in tokens::split(text.content()).0 {
            sha256.update(&*token.word);
            sha256.update("\n");
        }
        Self::new(sha256)
    }
}

impl fmt::Display for Short {
    /// Writes the 16 hexadecimal digits.
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

/// The name of a text in a baseline.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Name {
    /// The name, with hidden characters escaped.
    Shown(String),
    /// The digest of the name, with hidden characters escaped.
    Digest(Short),
}

impl Name {
    /// Reads a name, or a digest of one; `None` if it should be a digest but is not.
    pub(super) fn read(written: &str, is_digest: bool) -> Option<Self> {
        if is_digest {
            hexadecimal(written).map(|bits| Self::Digest(Short(bits)))
        } else {
            Some(Self::Shown(written.to_owned()))
        }
    }

    pub(super) fn digest(&self) -> Self {
        match self {
            Self::Shown(name) => Self::Digest(Short::from_name(name)),
            digest @ Self::Digest(_) => digest.clone(),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Shown(name) => formatter.write_str(name),
            Self::Digest(digest) => digest.fmt(formatter),
        }
    }
}

/// The identity of a text across runs.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct TextId {
    pub(super) name: Name,
    /// The digest of its words.
    pub(super) words: Short,
    /// `None` if the text is too short for a shingle.
    pub(super) fingerprint: Option<u64>,
}

impl TextId {
    /// Computes the identity of a text of a run. The name `./a.md`, under which `dedup corpus .`
    /// finds the text, becomes `a.md`.
    pub(super) fn new(RunText { text, fingerprint, digest }: RunText) -> Self {
        let name = Name::Shown(visible(&super::name(text.path())));
        let fingerprint = fingerprint.map(|bits| bits.0);
        let known = digest.map(|digest| Short::beginning(digest.bytes()));
        Self { name, words: known.unwrap_or_else(|| Short::from_words(text)), fingerprint }
    }

    /// Reads the digests that [`digests`](Self::digests) wrote.
    pub(super) fn read(name: Name, digests: &str) -> Option<Self> {
        let (words, bits) = digests.split_once('.')?;
        let fingerprint = if bits == "-" { None } else { Some(hexadecimal(bits)?) };
        Some(Self { name, words: Short(hexadecimal(words)?), fingerprint })
    }

    /// Writes the digest of the words and the fingerprint.
    pub(super) fn digests(&self) -> String {
        let bits = self.fingerprint.map_or("-".to_owned(), |bits| format!("{bits:016x}"));
        format!("{}.{bits}", self.words)
    }
}

/// Parses 16 hexadecimal digits.
fn hexadecimal(typed: &str) -> Option<u64> {
    let is_one = typed.len() == 16 && typed.bytes().all(|it| it.is_ascii_hexdigit());
    u64::from_str_radix(typed, 16).ok().filter(|_| is_one)
}

/// A listed text: the words and fingerprints in all of its entries, which may come from several
/// runs.
#[derive(Debug, Default)]
struct Listed {
    words: BTreeSet<Short>,
    fingerprints: BTreeSet<u64>,
}

impl Listed {
    /// Returns the smallest distance of its fingerprints from that of a text; `None` if one of the
    /// two texts has none.
    fn distance(&self, text: &TextId) -> Option<u32> {
        let fingerprint = Fingerprint(text.fingerprint?);
        self.fingerprints.iter().map(|it| hamming::distance(Fingerprint(*it), fingerprint)).min()
    }
}

/// The texts that a baseline lists, in the order of their names.
#[derive(Debug, Default)]
pub(super) struct ListedTexts(BTreeMap<Name, Listed>);

impl ListedTexts {
    /// Adds the text of an entry.
    pub(super) fn add(&mut self, text: &TextId) {
        let listed = self.0.entry(text.name.clone()).or_default();
        listed.words.insert(text.words);
        listed.fingerprints.extend(text.fingerprint);
    }

    pub(super) fn shown(&self) -> impl Iterator<Item = &str> {
        self.0.keys().filter_map(|name| match name {
            Name::Shown(name) => Some(name.as_str()),
            Name::Digest(_) => None,
        })
    }

    /// Returns, for each text of a run, the name of the listed text that it matches, if any. These
    /// matches are tried in order: the same name and words; the same words, if the text was
    /// renamed; the same name, if it was edited; and similar fingerprints, if it was renamed and
    /// edited, that is, if no file has the listed name and the text of the run has a new name.
    ///
    /// `is_here` is whether listed names are relative to the working folder, as the names of the
    /// run are. `find` looks for the file of a listed name if they are not, or if no text of the
    /// run has the name.
    pub(super) fn identified(
        &self,
        run: &[TextId],
        is_here: bool,
        find: impl Fn(&str) -> ListedFile,
    ) -> Vec<Option<Name>> {
        let listed: Vec<(&Name, &Listed)> = self.0.iter().collect();
        let mut by_name: BTreeMap<Name, usize> = BTreeMap::new();
        for (number, text) in run.iter().enumerate() {
            by_name.entry(text.name.clone()).or_insert(number);
            by_name.entry(text.name.digest()).or_insert(number);
        }
        let file = |name: &Name| match (name, by_name.get(name)) {
            (Name::Shown(name), _) if !is_here => find(name),
            (_, Some(number)) => ListedFile::OfRun(*number),
            (Name::Shown(name), None) => find(name),
            (Name::Digest(_), None) => ListedFile::None,
        };
        let files: Vec<ListedFile> = listed.iter().map(|(name, _)| file(name)).collect();
        // The listed texts whose file is a text of the run, each with the number of that text.
        let named: Vec<(usize, usize)> = (files.iter().enumerate())
            .filter_map(|(at, file)| match file {
                ListedFile::OfRun(number) => Some((at, *number)),
                ListedFile::None | ListedFile::Other => None,
            })
            .collect();
        let mut found =
            TextMatching { of_run: vec![None; run.len()], is_bound: vec![false; listed.len()] };
        for (at, number) in &named {
            if listed[*at].1.words.contains(&run[*number].words) {
                found.bind(*at, *number);
            }
        }
        let mut has_listed_name = vec![false; run.len()];
        for (_, number) in &named {
            has_listed_name[*number] = true;
        }
        // Prefer texts with new names.
        let mut new_first: Vec<usize> = (0..run.len()).collect();
        new_first.sort_by_key(|number| has_listed_name[*number]); // the sort is stable
        let mut by_words: BTreeMap<Short, Vec<usize>> = BTreeMap::new();
        for number in new_first {
            by_words.entry(run[number].words).or_default().push(number);
        }
        for (at, (_, known)) in listed.iter().enumerate() {
            if files[at] == ListedFile::Other {
                continue;
            }
            let same = known.words.iter().filter_map(|words| by_words.get(words)).flatten();
            if let Some(number) = same.copied().find(|number| found.of_run[*number].is_none()) {
                found.bind(at, number);
            }
        }
        for (at, number) in &named {
            found.bind(*at, *number);
        }
        let is_gone = |at: &usize| !found.is_bound[*at] && files[*at] == ListedFile::None;
        let mut near: Vec<(u32, usize, usize)> = Vec::new();
        for at in (0..listed.len()).filter(is_gone) {
            for number in (0..run.len()).filter(|number| !has_listed_name[*number]) {
                let distance = listed[at].1.distance(&run[number]);
                near.extend(distance.filter(|it| *it <= MAX_EDITED).map(|it| (it, at, number)));
            }
        }
        near.sort_unstable();
        for (_, at, number) in near {
            found.bind(at, number);
        }
        let name = |at: usize| listed[at].0.clone();
        found.of_run.into_iter().map(|at| at.map(name)).collect()
    }
}

/// The file that a listed name refers to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum ListedFile {
    /// No file: the text was deleted or renamed.
    None,
    /// The file of a text of the run, given by its number.
    OfRun(usize),
    /// A file that is not a text of the run: the listed text was not renamed.
    Other,
}

/// The listed text of each text of a run; no two texts have the same.
struct TextMatching {
    of_run: Vec<Option<usize>>,
    is_bound: Vec<bool>,
}

impl TextMatching {
    /// Binds a listed text to a text of the run, unless one of them is bound already.
    fn bind(&mut self, listed: usize, number: usize) {
        if !self.is_bound[listed] && self.of_run[number].is_none() {
            self.is_bound[listed] = true;
            self.of_run[number] = Some(listed);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Makes the identity of a text from its name, a number as the digest of its words, and its
    /// fingerprint.
    fn id((name, words, fingerprint): (&str, u64, u64)) -> TextId {
        let name = Name::Shown(name.to_owned());
        TextId { name, words: Short(words), fingerprint: Some(fingerprint) }
    }

    fn identified(listed: &[TextId], run: &[TextId], there: &str) -> Vec<Option<String>> {
        let mut texts = ListedTexts::default();
        for text in listed {
            texts.add(text);
        }
        let find = |name: &str| {
            if there.split(' ').any(|it| it == name) { ListedFile::Other } else { ListedFile::None }
        };
        let found = texts.identified(run, true, find);
        found.into_iter().map(|name| name.map(|it| it.to_string())).collect()
    }

    #[test]
    fn a_text_is_known_by_its_name_or_its_words() {
        const FAR: u64 = u64::MAX;
        #[rustfmt::skip]
        let table: &[(&str, &[(&str, u64, u64)], &[(&str, u64, u64)], &str, &[&str])] = &[
            ("nothing",                 &[],                          &[("a", 1, 0)],                "", &["-"]),
            ("as it was",               &[("a", 1, 0)],               &[("a", 1, 0)],                "", &["a"]),
            ("edited",                  &[("a", 1, 0)],               &[("a", 2, FAR)],              "", &["a"]),
            ("renamed",                 &[("a", 1, 0)],               &[("x", 1, 0)],                "", &["a"]),
            ("renamed and edited",      &[("a", 1, 0)],               &[("x", 2, 0x3ff)],            "", &["a"]),
            ("edited too much",         &[("a", 1, 0)],               &[("x", 2, 0x7ff)],            "", &["-"]),
            ("a copy",                  &[("a", 1, 0)],               &[("a", 1, 0), ("b", 1, 0)],   "", &["a", "-"]),
            ("a copy that comes first", &[("b", 1, 0)],               &[("a", 1, 0), ("b", 1, 0)],   "", &["-", "b"]),
            ("two copies, none is it",  &[("a", 1, 0)],               &[("x", 1, 0), ("y", 1, 0)],   "", &["a", "-"]),
            ("an edited copy",          &[("a", 1, 0)],               &[("a", 1, 0), ("b", 2, 1)],   "", &["a", "-"]),
            ("names changed places",    &[("a", 1, 0), ("b", 2, FAR)], &[("a", 2, FAR), ("b", 1, 0)], "", &["b", "a"]),
            ("copied, then edited",     &[("a", 1, 0)],               &[("a", 2, 1), ("x", 1, 0)],   "", &["-", "a"]),
            ("the nearest",             &[("a", 1, 0)],               &[("x", 2, 3), ("y", 3, 1)],   "", &["-", "a"]),
            ("a new name that is listed", &[("a", 1, 0), ("b", 2, 0)], &[("b", 3, 0)],               "", &["b"]),
            ("still there, elsewhere",  &[("a", 1, 0)],               &[("x", 1, 0)],                "a", &["-"]),
        ];
        for (why, listed, run, there, want) in table {
            let [listed, run] =
                [listed, run].map(|it| it.iter().copied().map(id).collect::<Vec<_>>());
            let want: Vec<Option<String>> =
                want.iter().map(|name| Some((*name).to_owned()).filter(|it| it != "-")).collect();
            assert_eq!(identified(&listed, &run, there), want, "{why}");
            let anonymous = listed.iter().cloned();
            let anonymous: Vec<TextId> =
                anonymous.map(|text| TextId { name: text.name.digest(), ..text }).collect();
            let found = identified(&anonymous, &run, "");
            let digests = want.iter().map(|it| Some(Short::from_name(it.as_ref()?).to_string()));
            if there.is_empty() {
                assert_eq!(found, digests.collect::<Vec<_>>(), "{why}, by digests");
            }
        }
    }

    proptest! {
        /// No two texts are matched with the same listed text, and added texts are not matched if
        /// all listed texts are unchanged.
        #[test]
        fn what_is_added_is_no_listed_text(
            listed in proptest::collection::btree_map("[a-e]", (0_u64..4, 0_u64..4), 0..5),
            added in proptest::collection::btree_map("[f-z]", (0_u64..4, 0_u64..4), 0..4),
        ) {
            let ids = |texts: &BTreeMap<String, (u64, u64)>| -> Vec<TextId> {
                texts.iter().map(|(name, (words, bits))| id((name, *words, *bits))).collect()
            };
            let [listed, added] = [ids(&listed), ids(&added)];
            let run: Vec<TextId> = added.iter().chain(&listed).cloned().collect();
            let found = identified(&listed, &run, "");
            prop_assert!(found[..added.len()].iter().all(Option::is_none));
            prop_assert!(found[added.len()..].iter().all(Option::is_some));
        }

        /// Texts with different words are recognized by their words under any names.
        #[test]
        fn texts_are_identified_whatever_their_new_names(names in proptest::sample::subsequence(vec!["a", "b", "c", "x", "y"], 3), turn in 0_usize..3) {
            let words = |number: usize| (number as u64, u64::MAX * (number as u64 % 2));
            let text = |(number, name): (usize, &&str)| id((*name, words(number).0, words(number).1));
            let listed: Vec<TextId> = ["a", "b", "c"].iter().enumerate().map(text).collect();
            let mut run: Vec<TextId> = names.iter().enumerate().map(text).collect();
            run.rotate_left(turn);
            let want: Vec<Option<String>> =
                (0..3).map(|at| Some(["a", "b", "c"][(at + turn) % 3].to_owned())).collect();
            prop_assert_eq!(identified(&listed, &run, ""), want);
        }
    }
}
