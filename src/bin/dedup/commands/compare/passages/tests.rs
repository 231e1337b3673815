use std::path::Path;

use dedup_text::interner::common_runs::Run;
use dedup_text::pair;
use dedup_text::pair::Recipe;
use dedup_text::passages::MinMatch;

use super::*;
use crate::commands::compare::answer::line as line_of_figures;
use crate::render::answer::passages_figure;

/// Renders the line of the figures and the passages that `--details` shows.
fn render(pair: &Pair, limit: usize, width: usize) -> String {
    let line = passages_figure(pair.judgement.matches.as_ref().unwrap());
    let line = line_of_figures(line.each_ref().map(String::as_str));
    line + &shown(pair, &["left", "right"].map(str::to_owned), limit, width)
}

/// Renders the passages of two texts, without colors.
fn printed(left: &str, right: &str, limit: usize, width: usize) -> String {
    printed_without(None, left, right, limit, width)
}

/// Same as [`printed`], but without passages of fewer than `short` words.
fn printed_without(
    short: Option<usize>,
    left: &str,
    right: &str,
    limit: usize,
    width: usize,
) -> String {
    let text = |text: &str| Text::from_bytes(Path::new("x"), text.into()).unwrap();
    let (left, right) = (text(left), text(right));
    let recipe = Recipe { min_match: MinMatch::new(3).unwrap(), short, ..Recipe::default() };
    let judgement = pair::judge(&left, &right, &recipe).unwrap();
    let pair = Pair::new([&left, &right], &recipe, &judgement, Verdict::NearDuplicate);
    anstream::adapter::strip_str(&render(&pair, limit, width)).to_string()
}

/// Returns the lines of a page without trailing spaces.
fn lines(page: &str) -> Vec<&str> {
    page.lines().map(str::trim_end).collect()
}

const KETTLE: &str = "First of all.\nA copper kettle with a lid\nof brass.";
const KETTLE_AGAIN: &str = "A copper kettle with the lid of brass";

#[test]
fn passages_stand_side_by_side_where_there_is_room() {
    let page = printed(KETTLE, KETTLE_AGAIN, 5, 100);
    assert_eq!(
        lines(&page),
        [
            "Passages     1 in both       limit 3         7+1 of 11 words of left, 7+1 of 8 of right",
            "",
            "passage 1    8 words, 1 changed, marked [ ]",
            "  left, lines 2 to 3                             |   right, line 1",
            "   2  A copper kettle with [a] lid of brass      |    1  A copper kettle with [the] lid of brass",
        ]
    );
}

#[test]
fn passages_stand_above_one_another_where_there_is_not() {
    let page = printed(KETTLE, KETTLE_AGAIN, 5, 26);
    assert_eq!(
        lines(&page)[2..],
        [
            "passage 1    8 words, 1",
            "  changed, marked [ ]",
            "  left, lines 2 to 3",
            "   2  A copper kettle with",
            "      [a] lid of brass",
            "  right, line 1",
            "   1  A copper kettle with",
            "      [the] lid of brass",
        ]
    );
}

#[test]
fn the_longest_passages_are_shown_in_the_order_of_left_and_the_rest_is_counted() {
    let words = |name: &str, count: usize| {
        (0..count).map(|k| format!("{name}{k} ")).collect::<Vec<_>>().concat()
    };
    let text = |fill: &str| {
        let passages = [("a", 12), ("b", 14), ("c", 12)];
        passages
            .map(|(name, count)| words(&format!("{fill}{name}"), 90) + &words(name, count))
            .concat()
    };
    let heads = |limit: usize| -> Vec<String> {
        let page = printed(&text("x"), &text("y"), limit, 80);
        let is_head = |line: &&str| line.starts_with("passage") || line.contains("shows all");
        page.lines().filter(is_head).map(str::to_owned).collect()
    };
    let [a, b, c] =
        ["1    12", "2    14", "3    12"].map(|it| format!("passage {it} words, word for word"));
    assert_eq!(heads(5), [a.clone(), b.clone(), c.clone()]);
    assert_eq!(heads(3), [a.clone(), b.clone(), c]);
    assert_eq!(heads(2), [a, b.clone(), "1 more passage; --passages-shown 3 shows all".to_owned()]);
    assert_eq!(heads(1), [b, "2 more passages; --passages-shown 3 shows all".to_owned()]);
    assert_eq!(heads(0), ["3 passages; --passages-shown 3 shows all"]);
    let numbered = printed(&text("x"), &text("y"), 3, 80).matches("\n   1  ").count();
    assert_eq!(numbered, 3 * 2, "each side begins with its line, though it is the same one");
    let page = printed(&text("x"), &text("y"), 0, 80);
    assert_eq!(
        page,
        "Passages     3 in both       limit 3         38 of 308 words of left, 38 of 308 of right\n\n\
         3 passages; --passages-shown 3 shows all\n"
    );
}

#[test]
fn nothing_is_shown_of_what_is_the_same_or_not_there() {
    let line = |figure: &str, meaning: &str| {
        format!("Passages     {figure:15} limit 3         {meaning}\n")
    };
    assert_eq!(
        printed(KETTLE_AGAIN, "a copper KETTLE with the lid of brass.", 5, 80),
        line("1 in both", "8 of 8 words of left, 8 of 8 of right")
    );
    assert_eq!(
        printed(KETTLE_AGAIN, "Nobody rings here after midnight.", 5, 80),
        line("none", "none this long was found")
    );
}

#[test]
fn short_passages_are_counted_where_they_are_not_shown() {
    let words = |name: &str, count: usize| {
        (0..count).map(|k| format!("{name}{k} ")).collect::<Vec<_>>().concat()
    };
    let text = |fill: &str| {
        let passages = [("a", 12), ("b", 14), ("c", 13)];
        let part = |(name, count)| words(&format!("{fill}{name}"), 90) + &words(name, count);
        passages.map(part).concat()
    };
    let page = printed_without(Some(12), &text("x"), &text("y"), 1, 80);
    assert_eq!(page, printed(&text("x"), &text("y"), 1, 80), "12 are not fewer");
    let page = printed_without(Some(14), &text("x"), &text("y"), 1, 90);
    assert_eq!(
        page.lines().take(4).collect::<Vec<_>>(),
        [
            "Passages     1 in both       limit 3         14 of 309 words of left, 14 of 309 of right",
            "             2 passages of fewer than 14 words not shown (25 words; --ignore short)",
            "",
            "passage 1    14 words, word for word",
        ]
    );
    assert_eq!(
        printed_without(Some(15), &text("x"), &text("y"), 5, 90),
        "Passages     none            limit 3         none of 15 words or more was found\n             \
         3 passages of fewer than 15 words not shown (39 words; --ignore short)\n"
    );
    let page = printed_without(Some(15), &text("x"), &text("y"), 5, 60);
    assert_eq!(
        page.lines().skip(1).collect::<Vec<_>>(),
        [
            "             3 passages of fewer than 15 words not shown (39",
            "             words; --ignore short)",
        ]
    );
}

#[test]
fn words_of_its_own_are_counted_and_not_marked() {
    let copied = "The lighthouse at Carrow Point was built of granite in 1868.";
    let left = format!(
        "{copied} Nothing of this is there. The last keeper left the tower one grey morning in 1984."
    );
    let right = format!(
        "{copied} One grey morning during 1984 saw the last keeper abandon his tower. Quite another end."
    );
    let page = printed(&left, &right, 5, 80);
    assert_eq!(
        lines(&page)[2..],
        [
            "passage 1    22 words, 4 changed, 5 other words among them, marked [ ]",
            "  left, line 1",
            "   1  The lighthouse at Carrow Point was built of granite in 1868. (… 5 other",
            "      words …) The last keeper [left the tower] one grey morning [in] 1984",
            "  right, line 1",
            "   1  The lighthouse at Carrow Point was built of granite in 1868. One grey",
            "      morning [during] 1984 [saw] the last keeper",
        ]
    );
}

#[expect(clippy::single_range_in_vec_init, reason = "a list of ranges")]
#[test]
fn stretches_of_several_kinds_are_told_apart() {
    let run = |at: usize, length| Run { at: [at, at], length };
    let passage = |reworded: Vec<Range<usize>>| Passage {
        left: 0..60,
        right: 0..60,
        runs: vec![run(0, 12), run(20, 10), run(35, 5), run(48, 12)],
        reworded: [reworded.clone(), reworded],
        changed: [vec![30..35], vec![30..35]],
        ..Passage::default()
    };
    let note = |at: Range<usize>, note: &str| (at, note.to_owned());
    let own = [note(12..20, "(… 8 other words …)"), note(40..48, "(… 8 other words …)")];
    assert_eq!(notes(&passage(Vec::new()), 0), own, "all of it is edited");
    assert_eq!(notes(&passage(vec![0..12, 20..40, 48..60]), 1), own, "all of it is reworded");
    let [first, last] = own;
    let want = [
        note(0..0, "(word for word)"),
        first,
        note(20..20, "(reworded)"),
        last,
        note(48..48, "(word for word)"),
    ];
    assert_eq!(notes(&passage(vec![20..40]), 0), want);
}

#[test]
fn what_was_moved_is_named() {
    let (a, b) =
        ("one two three four five six seven eight", "nine ten eleven twelve thirteen fourteen");
    let page = printed(&format!("{a} {b}"), &format!("{b}\n{a}"), 5, 60);
    assert_eq!(
        lines(&page)[2..],
        [
            "passage 1    14 words, in another order",
            "  left, line 1",
            "   1  one two three four five six seven eight nine ten",
            "      eleven twelve thirteen fourteen",
            "  right, lines 1 to 2",
            "   1  nine ten eleven twelve thirteen fourteen one two three",
            "   2  four five six seven eight",
        ]
    );
}

#[test]
fn a_passage_that_was_moved_and_changed_is_marked_as_both() {
    let (a, b) =
        ("one two three four five six seven eight", "nine ten eleven twelve thirteen fourteen");
    let page = printed(&format!("{a} {b}"), &format!("{b}\n{a} again"), 5, 80);
    assert_eq!(lines(&page)[2], "passage 1    14 words, in another order");
    let page = printed(&format!("{a} {b}"), &format!("{b}\n{}", a.replace("two", "2")), 5, 80);
    assert_eq!(lines(&page)[2], "passage 1    14 words, in another order, 1 changed, marked [ ]");
}

#[test]
fn the_beginning_of_a_long_passage_is_shown_and_the_rest_is_counted() {
    let text = format!("first {}last", "word\n".repeat(200));
    let page = printed(&text, &format!("no {text}"), 5, 100);
    assert_eq!(lines(&page).len(), 4 + 8);
    // The number column is two columns wider for a line number of five digits.
    for (times, width) in [(200, 20), (20_000, 22)] {
        // Words of four letters, all different.
        let letter = |number: usize, place: u32| b"abcdefghij"[number / 10_usize.pow(place) % 10];
        let word = |number: usize| (0..4).rev().map(move |place| letter(number, place).into());
        let words: String = (0..times).flat_map(|it| word(it).chain(['\n'])).collect();
        let text = |last: &str| format!("first {words}{last}");
        let page = printed(&text("end"), &text("stop"), 5, width);
        let rows = page.lines().map(str::trim).skip_while(|row| !row.starts_with("left, "));
        let rows: Vec<&str> = rows.collect();
        assert_eq!(rows[1..4], ["1  first aaaa", "2  aaab aaac aaad", "5  aaae aaaf aaag"]);
        // Except for the last word, two words are in the first row and three in each of the next
        // three rows.
        let more = format!("… {} more words", thousands(times + 1 - (2 + 3 * 3)));
        assert_eq!((rows[5], rows[11]), (more.as_str(), more.as_str()));
        assert_eq!(rows.len(), 2 * (1 + 5));
    }
}

#[test]
fn no_passage_is_shown_from_within_a_character() {
    // U+FDFA is four words, of which the other text has the last two: the copied words end before the
    // character, and grow by what is beside them up to it.
    let left = "x \u{fdfa} kettle lid of brass and iron";
    let right = "y عليه وسلم kettle lid of copper and iron";
    let page = printed(left, right, 5, 60);
    assert_eq!(
        lines(&page)[2..],
        [
            "passage 1    6 words, 1 changed, 5 other words among them,",
            "  marked [ ]",
            "  left, line 1",
            "   1  (… 5 other words …) kettle lid of [brass] and iron",
            "  right, line 1",
            "   1  (… 3 other words …) kettle lid of [copper] and iron",
        ]
    );
}

#[test]
fn lines_are_those_of_the_file() {
    let source = "# Kettles\n\n```\nnone\n```\nA copper\n[kettle](https://kettles.example/copper)\nwith a\nlid";
    let left =
        Text::decode(Path::new("a.md"), source.into(), &dedup_text::text::ReadOptions::default())
            .unwrap();
    let right =
        Text::from_bytes(Path::new("b"), "a copper kettle with a lid of brass".into()).unwrap();
    let recipe = Recipe { min_match: MinMatch::new(3).unwrap(), ..Recipe::default() };
    let judgement = pair::judge(&left, &right, &recipe).unwrap();
    let pair = Pair::new([&left, &right], &recipe, &judgement, Verdict::NearDuplicate);
    let page = render(&pair, 5, 16);
    let page = anstream::adapter::strip_str(&page).to_string();
    let rows = lines(&page).into_iter().skip_while(|row| !row.starts_with("  left, "));
    assert_eq!(
        rows.take(4).collect::<Vec<_>>(),
        ["  left, lines 6 to 9", "   6  A copper", "   7  kettle", "   8  with a lid"]
    );
}

#[test]
fn headings_and_the_number_of_others_fit_on_a_narrow_terminal() {
    let page = printed(KETTLE, KETTLE_AGAIN, 5, 40);
    let want = ["passage 1    8 words, 1 changed, marked", "  [ ]", "  left, lines 2 to 3"];
    assert_eq!(lines(&page)[2..5], want);
    let page = printed(KETTLE, KETTLE_AGAIN, 0, 38);
    assert!(page.ends_with("\n1 passage; --passages-shown 1 shows\nall\n"), "{page}");
}
