//! The people of a report, or its texts where no people are known: how much of the words of each stands
//! in any other text.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use dedup_text::display::{counted, thousands};
use dedup_text::passages::Covered;
use dedup_text::sketch::Coverage;

use super::{Bar, Flag, Report, flags_of_text_alone, row_address};
use crate::model::names::Visibility;

/// The people that are listed before the others are folded away.
const MAX_UNFOLDED: usize = 10;

/// The upper ends of the bins of the histogram, in percent; the last bin has all above.
const BINS: [(&str, usize); 5] = [
    ("nothing", 0),
    ("up to 10 %", 10),
    ("up to 25 %", 25),
    ("up to 50 %", 50),
    ("up to 75 %", 75),
];

/// The list of people, and how many have how much in common with others.
pub(super) struct People {
    pub(super) title: &'static str,
    pub(super) about: String,
    pub(super) bins: Vec<Bin>,
    /// Those with the greatest shares, and the others.
    pub(super) lists: [PersonList; 2],
}

/// A list of people.
pub(super) struct PersonList {
    /// What is folded away: `The other 31 students`. `None` if the list is open.
    pub(super) folded: Option<String>,
    pub(super) rows: Vec<PersonRow>,
}

/// The number of people whose share is in a range.
pub(super) struct Bin {
    pub(super) range: &'static str,
    pub(super) count: String,
    /// The length of its bar in percent of the longest.
    pub(super) width: usize,
}

/// A person, with all texts that are theirs.
pub(super) struct PersonRow {
    pub(super) name: String,
    pub(super) bar: Bar,
    /// The number of other people, or of texts without one, that have the same words.
    pub(super) sources: usize,
    pub(super) flags: Vec<&'static Flag>,
    /// The address of the row of the closest pair; `None` if it is not listed.
    pub(super) address: Option<String>,
}

/// What the texts of a person have in common with those of others.
#[derive(Default)]
struct Total<'a> {
    covered: Covered,
    /// The number of the words of these texts.
    of: usize,
    texts: Vec<u32>,
    sources: BTreeSet<PersonKey<'a>>,
}

/// What tells people apart: a person who is known, or a text.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum PersonKey<'a> {
    Person(&'a str),
    Text(u32),
}

impl<'a> Total<'a> {
    /// Returns the sort key: the greatest share of words that are the same first, then that of all.
    fn order(&self) -> impl Ord + use<> {
        let parts = |words: usize| (words * 1_000_000).checked_div(self.of).unwrap_or_default();
        Reverse((parts(self.covered.same), parts(self.covered.all())))
    }

    fn bar(&self) -> Bar {
        Bar::of_text(&Coverage::new(1, [self.covered; 2], [self.of; 2], 0), 0)
    }

    fn row(&self, report: &Report<'a>) -> PersonRow {
        let is_of = |text: &u32| self.texts.contains(text);
        let mut numbered = (1..).zip(&report.rows);
        let first = numbered.find(|(_, row)| is_of(&row.pair.a) || is_of(&row.pair.b));
        let mut flags: Vec<&Flag> =
            self.texts.iter().flat_map(|text| flags_of_text_alone(report, *text)).collect();
        flags.dedup();
        PersonRow {
            name: name(report, self.texts[0]),
            bar: self.bar(),
            sources: self.sources.len(),
            flags,
            address: first.and_then(|(number, _)| row_address(number)),
        }
    }
}

fn key<'a>(report: &Report<'a>, text: u32) -> PersonKey<'a> {
    let person = report.answer.gathered.person_of(text);
    person.map_or(PersonKey::Text(text), PersonKey::Person)
}

/// Returns the name of the person whose text it is, or else that of the text. Anonymous, it is that of the
/// text.
pub(super) fn name(report: &Report, text: u32) -> String {
    let person = match report.answer.options.visibility {
        Visibility::Shown => report.answer.gathered.name_of_person(text),
        Visibility::Hidden => None,
    };
    person.unwrap_or_else(|| report.name(text).to_owned())
}

/// Returns the people whose texts share a passage; `None` if fewer than three do, so that the pairs say
/// all.
pub(super) fn people(report: &Report) -> Option<People> {
    let gathered = report.answer.gathered;
    let mut totals: BTreeMap<PersonKey, Total> = BTreeMap::new();
    for (text, shared) in report.shared.texts().filter(|(text, _)| !gathered.is_earlier(*text)) {
        let own = key(report, text);
        let total = totals.entry(own).or_default();
        let Covered { same, changed } = shared.count();
        total.covered.same += same;
        total.covered.changed += changed;
        total.of += shared.of;
        total.texts.push(text);
        let others = shared.sources.iter().map(|source| key(report, *source));
        total.sources.extend(others.filter(|other| *other != own));
    }
    if totals.len() < 3 {
        return None;
    }
    let given = (0..).take(gathered.corpus.documents.len());
    let all: BTreeSet<PersonKey> =
        given.filter(|text| !gathered.is_earlier(*text)).map(|text| key(report, text)).collect();
    let persons = all.iter().filter(|key| matches!(key, PersonKey::Person(_))).count();
    let (title, one) =
        if 2 * persons > all.len() { ("Students", "student") } else { ("Texts", "text") };
    let mut shares: Vec<usize> = totals.values().map(|total| total.bar().width).collect();
    shares.resize(all.len(), 0);
    let mut sorted: Vec<&Total> = totals.values().collect();
    sorted.sort_by_key(|total| (total.order(), total.texts[0]));
    let mut first: Vec<PersonRow> = sorted.into_iter().map(|total| total.row(report)).collect();
    let others = first.split_off(first.len().min(MAX_UNFOLDED));
    Some(People {
        title,
        about: format!(
            "How much of the words of each {one} stands in any other text: each word counts once, \
             whatever the number of sources."
        ),
        bins: bins(&shares),
        lists: [
            PersonList { folded: None, rows: first },
            PersonList {
                folded: Some(format!("The other {}", counted(others.len(), one))),
                rows: others,
            },
        ],
    })
}

/// Counts shares, in percent.
fn bins(shares: &[usize]) -> Vec<Bin> {
    let bin_of = |share: &usize| BINS.iter().take_while(|(_, end)| share > end).count();
    let mut counts = [0; BINS.len() + 1];
    for share in shares {
        counts[bin_of(share)] += 1;
    }
    let most = counts.into_iter().max().unwrap_or_default().max(1);
    let ranges = BINS.iter().map(|(range, _)| *range).chain(["more"]);
    let bin = |(range, count): (&'static str, usize)| Bin {
        range,
        count: thousands(count),
        width: (100 * count).div_ceil(most),
    };
    ranges.zip(counts).map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_counted_by_their_bins() {
        let counts = |shares: &[usize]| -> Vec<(String, usize)> {
            bins(shares).into_iter().map(|bin| (bin.count, bin.width)).collect()
        };
        let want = ["2", "1", "1", "2", "0", "4"].map(str::to_owned);
        let got = counts(&[0, 0, 10, 11, 26, 50, 76, 99, 100, 100]);
        assert_eq!(got.iter().map(|(count, _)| count.clone()).collect::<Vec<_>>(), want);
        assert_eq!(
            got.iter().map(|(_, width)| *width).collect::<Vec<_>>(),
            [50, 25, 25, 50, 0, 100]
        );
        assert_eq!(counts(&[]).into_iter().map(|(_, width)| width).sum::<usize>(), 0);
    }
}
