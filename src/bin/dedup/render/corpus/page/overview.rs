//! What the overview shows: for a reader who knows no measure, whose texts to read side by side.

use anyhow::Context;
use askama::Template;
use dedup_text::corpus::CommonStretch;
use dedup_text::jaccard::Share;
use dedup_text::language::Language;
use dedup_text::text::display_path;
use dedup_text::verdict::Verdict;
use dedup_text::words::{counted, first_position, or_closer, thousands, visible};

use super::graph::Graphs;
use super::{Bar, Found, List, MOST_ROWS, Shape, Uncompared};
use crate::model::corpus::{Levels, Row};
use crate::model::names::Visibility;
use crate::render::corpus::table;
use crate::render::html;

/// What moves the overview.
const SCRIPT: &str = include_str!("overview.js");
/// What makes the page of a pair of its text and how that is cut.
const UNFOLDING: &str = include_str!("unfold.js");
/// What it wears besides what every page wears.
const STYLE: &str = include_str!("overview.css");

/// The overview as the template takes it.
#[derive(Template)]
#[template(path = "overview.html")]
struct Overview<'a> {
    policy: String,
    style: String,
    version: &'static str,
    title: String,
    /// What a pair is shown for.
    condition: String,
    figures: Vec<Figure>,
    uncompared: Vec<Uncompared>,
    /// What is said below those: how many more there are, and what was skipped.
    uncompared_rest: Vec<String>,
    disguised: Vec<(&'a str, &'a [String])>,
    sections: Vec<Section>,
    graphs: Graphs,
    rows_cut: Option<String>,
    pages_cut: Option<String>,
    /// What many texts have, which counts for no pair or makes none.
    common: Vec<String>,
    /// What is not shown of each name.
    ends: Option<String>,
    parameters: Vec<(&'static str, String)>,
    is_one_file: bool,
}

impl Overview<'_> {
    /// Whether there is a file that was not compared.
    fn has_uncompared(&self) -> bool {
        !self.uncompared.is_empty() || !self.uncompared_rest.is_empty()
    }

    /// Whether anything stands above the pairs.
    fn has_remarks(&self) -> bool {
        self.has_uncompared() || !self.disguised.is_empty()
    }
}

/// A count of the run.
struct Figure {
    value: String,
    name: &'static str,
    /// The heading of the part of the page that lists what is counted.
    address: Option<&'static str>,
}

/// A list of pairs.
struct Section {
    id: &'static str,
    title: &'static str,
    about: &'static str,
    /// What stands in place of the list where there is no pair.
    empty: &'static str,
    rows: Vec<PairRow>,
    /// The flags that its rows have, which are explained above it.
    flags: Vec<&'static Flag>,
}

/// A pair in a list.
struct PairRow {
    number: usize,
    /// The address of its page.
    address: Option<String>,
    texts: [NamedText; 2],
    /// How much both have in common where they share no passage.
    both: Option<Bar>,
    /// The words of the passages; empty where there is none.
    words: String,
    /// How the longest passage begins.
    beginning: String,
    language: Option<&'static str>,
    flags: Vec<&'static Flag>,
}

/// A text of a pair.
struct NamedText {
    name: String,
    /// How much of it stands in the other; none where they share no passage.
    bar: Option<Bar>,
    flags: Vec<&'static Flag>,
}

// What is to be seen at a glance on a row.

/// A short label on a pair or on one of its texts, and what it means.
#[derive(Debug, Eq, PartialEq)]
struct Flag {
    label: &'static str,
    meaning: &'static str,
}

const IDENTICAL: Flag =
    Flag { label: "identical", meaning: "both texts have the same words in the same order" };
const NEAR_COPY: Flag = Flag {
    label: "near copy",
    meaning: "most of both texts is the same: one may be a version of the other",
};
const REWORDED: Flag = Flag {
    label: "reworded",
    meaning: "sentences of one text say in other words what sentences of the other say",
};
const BY_FAR: Flag = Flag {
    label: "closest by far",
    meaning: "one of the two is much nearer to the other than to any other text: so are many that \
              were reworded, and few that were written independently",
};
const SCATTERED: Flag = Flag {
    label: "no passage",
    meaning: "no long stretch of words is the same: the percentage is how much both have in \
              common of all their words and short word sequences",
};
const DISGUISED: Flag = Flag {
    label: "disguised",
    meaning: "the text has characters that a reader does not notice, such as letters of another \
              script; it was compared as a reader sees it",
};

const PROPERTIES: Flag = Flag {
    label: "same person in both files",
    meaning: "what the two files say of their author, or of who saved them last, names one person: \
              a form that was handed out may do so too",
};
const LATER: Flag = Flag {
    label: "later",
    meaning: "of the two it was handed in later, which says nothing of who wrote first",
};

/// The flags in the order in which they are explained.
const FLAGS: [&Flag; 8] =
    [&IDENTICAL, &NEAR_COPY, &REWORDED, &BY_FAR, &SCATTERED, &PROPERTIES, &DISGUISED, &LATER];

/// The flags of a pair: all that is known of it goes here, a line each.
fn flags_of_pair(found: &Found, row: &Row) -> Vec<&'static Flag> {
    let gathered = found.answer.gathered;
    let flags = [
        (row.verdict == Verdict::Identical, &IDENTICAL),
        (row.verdict == Verdict::NearDuplicate, &NEAR_COPY),
        (row.shared.is_some_and(|shared| shared.is_reworded), &REWORDED),
        (row.stands_out(), &BY_FAR),
        (row.verdict != Verdict::Identical && row.is_without_passage(), &SCATTERED),
        (!gathered.named_in_both(row.pair.a, row.pair.b).is_empty(), &PROPERTIES),
    ];
    flags.into_iter().filter(|(is, _)| *is).map(|(_, flag)| flag).collect()
}

/// The flags of one text of a pair, a line each.
fn flags_of_text(found: &Found, row: &Row, text: u32) -> Vec<&'static Flag> {
    let flags = [
        (found.disguised.contains_key(&text), &DISGUISED),
        (found.answer.later(&row.pair) == Some(text), &LATER),
    ];
    flags.into_iter().filter(|(is, _)| *is).map(|(_, flag)| flag).collect()
}

/// The overview, all but what ends it.
pub(super) fn head(found: &Found) -> anyhow::Result<String> {
    let Found { answer, shape, .. } = found;
    let gathered = answer.gathered;
    let sections = sections(found);
    let graphs = Graphs::new(found, shares);
    let uncompared = found.uncompared();
    let failed = gathered.failed.len() + gathered.corpus.short.len();
    let count = |list| found.rows_of(list).count();
    let texts = gathered.corpus.len();
    let all = found.rows.len();
    let cut = |shown: usize| [shown, all].map(thousands);
    let style = format!("{}{STYLE}{}", html::STYLE, widths());
    let overview = Overview {
        policy: html::policy(&style, &script(*shape)),
        style,
        version: env!("CARGO_PKG_VERSION"),
        title: title(count(List::First), all, texts),
        condition: condition(found),
        figures: figures(&[
            (texts, ["text compared", "texts compared"], None),
            (count(List::First), ["pair to read first", "pairs to read first"], Some("read-first")),
            (count(List::Parts), ["more shares parts", "more share parts"], Some("shared-parts")),
            (failed, ["not compared"; 2], Some("not-compared")),
            (found.disguised.len(), ["disguised"; 2], Some("disguised")),
        ]),
        uncompared_rest: uncompared_rest(found, failed - uncompared.len().min(failed)),
        uncompared,
        disguised: found.disguised.iter().map(|(it, what)| (found.name(*it), &what[..])).collect(),
        rows_cut: (all > MOST_ROWS).then(|| {
            let [shown, all] = cut(MOST_ROWS);
            format!(
                "The first {shown} of {all} pairs are listed; --format jsonl writes all of them."
            )
        }),
        pages_cut: (found.pages < all).then(|| {
            let [shown, all] = cut(found.pages);
            format!("The first {shown} of {all} pairs open side by side.")
        }),
        sections,
        graphs,
        common: common(found),
        ends: ends(found),
        parameters: html::parameters(answer.recipe, found.stopwords(), found.settings()),
        is_one_file: *shape == Shape::Page,
    };
    overview.render().context("the report cannot be written")
}

/// What ends the page.
pub(super) fn tail(shape: Shape) -> String {
    format!("<script>{}</script>\n</body>\n</html>\n", script(shape))
}

/// A page with all pairs in it moves them, too.
fn script(shape: Shape) -> String {
    match shape {
        Shape::Folder => SCRIPT.to_owned(),
        Shape::Page => html::SCRIPT.to_owned() + UNFOLDING + SCRIPT,
    }
}

/// The length of each bar: a page that allows itself no style on an element has a class for each.
fn widths() -> String {
    let class = |width| format!(".w{width}{{--w:{width}%}}");
    (0..=100).map(class).collect::<Vec<_>>().concat()
}

fn title(first: usize, all: usize, texts: usize) -> String {
    let texts = counted(texts, "text");
    match (first, all) {
        (0, 0) => format!("Nothing shared among {texts}"),
        (0, _) => format!("No pair to read first among {texts}"),
        (first, _) => format!("{} to read first among {texts}", counted(first, "pair")),
    }
}

/// What a pair is shown for.
fn condition(found: &Found) -> String {
    let options = &found.answer.options;
    let shown = match options.nearest {
        Some(1) => "The nearest of each text, however far.".to_owned(),
        Some(most) => format!("The {most} nearest of each text, however far."),
        None if options.levels == Levels::All && found.answer.found.get().is_some() => {
            "All pairs that share anything, the greatest share first.".to_owned()
        }
        None => format!("All pairs that are {}.", or_closer(found.answer.level)),
    };
    let is_of_some = found.answer.focus.is_some();
    shown + if is_of_some { " Only those with a text that --focus names." } else { "" }
}

/// What is counted, as it is called where it is one and where it is more, and where it is listed.
type Counted = (usize, [&'static str; 2], Option<&'static str>);

/// Those that are not 0; that of all texts and of pairs to be read first in any case.
fn figures(all: &[Counted]) -> Vec<Figure> {
    let is_shown = |(at, (count, ..)): &(usize, &Counted)| *at < 2 || *count > 0;
    let figure = |(_, (count, [one, more], address)): (usize, &Counted)| Figure {
        value: thousands(*count),
        name: if *count == 1 { one } else { more },
        address: *address,
    };
    all.iter().enumerate().filter(is_shown).map(figure).collect()
}

/// How many more texts were not compared than are named, and what is in the folders and is no
/// text.
fn uncompared_rest(found: &Found, more: usize) -> Vec<String> {
    let more =
        (more > 0).then(|| format!("And {} more; --format json lists all.", thousands(more)));
    let skipped = found.answer.gathered.skipped.counts();
    let is_named = found.answer.options.visibility == Visibility::Shown;
    let skipped = skipped.map(|(why, count)| {
        let files = is_named.then(|| table::skipped_files(found.answer, why, count)).flatten();
        files.map_or_else(
            || format!("{} ({})", why.name(), thousands(count)),
            |files| visible(&files),
        )
    });
    let skipped: Vec<String> = skipped.collect();
    let skipped = (!skipped.is_empty()).then(|| format!("Skipped: {}.", skipped.join("; ")));
    more.into_iter().chain(skipped).collect()
}

/// What more texts have than may, each with the number of them.
fn common(found: &Found) -> Vec<String> {
    let line = |what: &str, stretch: &CommonStretch| {
        let CommonStretch { words, texts, path, place, excerpt, .. } = stretch;
        let first = match found.answer.options.visibility {
            Visibility::Shown => {
                let path = display_path(path);
                format!(" ({}, {})", found.ends.without(&path), first_position(place))
            }
            Visibility::Hidden => String::new(),
        };
        let (words, texts) = (counted(*words, "word"), counted(*texts, "text"));
        visible(&format!("{what}: {words} that {texts} have: “{excerpt}”{first}"))
    };
    let left_out = found.answer.gathered.corpus.common.iter();
    let left_out = left_out.map(|stretch| line("Left out", stretch));
    let widespread = found.answer.widespread().iter();
    left_out.chain(widespread.map(|stretch| line("Too common to make a pair", stretch))).collect()
}

/// What is not shown of each name, where that is anything.
fn ends(found: &Found) -> Option<String> {
    let before = Some(&found.ends.before).filter(|it| !it.is_empty());
    let behind = Some(&found.ends.behind).filter(|it| !it.is_empty());
    let before = before.map(|before| format!("“{}” at the beginning", visible(before)));
    let behind = behind.map(|behind| format!("“{}” at the end", visible(behind)));
    let ends: Vec<String> = before.into_iter().chain(behind).collect();
    (!ends.is_empty()).then(|| ends.join(" and "))
}

/// The lists that have a pair, and the first one in any case.
fn sections(found: &Found) -> Vec<Section> {
    #[rustfmt::skip]
    let lists = [
        (List::First, "read-first", "To read first",
         "A great part of one text stands in the other. Open a pair to read both side by side, with what they share in colour."),
        (List::Parts, "shared-parts", "Also shares parts",
         "A passage is the same, and no more: it may be a quotation, the question, or a phrase that many use."),
        (List::Nearest, "nearest", "The nearest of the other texts",
         "Each is only closer than any other text: it need not share anything."),
    ];
    let section = |(list, id, title, about)| {
        let rows = found.rows_of(list).take_while(|(number, _)| *number <= MOST_ROWS);
        let rows: Vec<PairRow> = rows.map(|(number, row)| pair_row(found, number, row)).collect();
        let has = |flag: &&&'static Flag| {
            let of_texts = |row: &PairRow| row.texts.iter().any(|it| it.flags.contains(*flag));
            rows.iter().any(|row| row.flags.contains(*flag) || of_texts(row))
        };
        let flags = FLAGS.iter().filter(has).copied().collect();
        Section { id, title, about, empty: "No two texts share a great part.", rows, flags }
    };
    let sections = lists.into_iter().map(section);
    sections.filter(|it| it.id == "read-first" || !it.rows.is_empty()).collect()
}

fn pair_row(found: &Found, number: usize, row: &Row) -> PairRow {
    let texts = [row.pair.a, row.pair.b];
    let covered = row.shared.filter(|_| !row.is_without_passage()).map(|it| it.covered);
    let both = covered.is_none().then(|| Bar::new(row.pair.all.jaccard()));
    let left = found.answer.document(row.pair.a);
    let longest = row.shared.and_then(|shared| shared.longest);
    let passage = longest.and_then(|[[start, end], _]| left.text.content().get(start..end));
    PairRow {
        number,
        address: found.page_address(number),
        texts: [0, 1].map(|side| NamedText {
            name: found.name(texts[side]).to_owned(),
            bar: covered.map(|covered| Bar::new(covered[side])),
            flags: flags_of_text(found, row, texts[side]),
        }),
        both,
        words: row.shared.filter(|it| it.words > 0).map_or(String::new(), |it| thousands(it.words)),
        beginning: passage.map(html::beginning).unwrap_or_default(),
        language: left.language.language.map(|it: Language| it.row().short),
        flags: flags_of_pair(found, row),
    }
}

/// How much of each text stands in the other: `89 | 45 %`; where they share no passage how much
/// both have in common: `~31 %`.
fn shares(row: &Row) -> String {
    let percent = |share: Option<Share>| Bar::new(share).percent;
    let covered = row.shared.filter(|_| !row.is_without_passage()).map(|it| it.covered);
    match covered.map(|covered| covered.map(percent)) {
        Some([left, right]) => format!("{} | {right}", left.trim_end_matches("\u{a0}%")),
        None => format!("~{}", percent(row.pair.all.jaccard())),
    }
}
