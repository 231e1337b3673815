//! Tests of complete pages, and of pages that are built to break a reader.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::MAX_TEXT_LENGTH;
use crate::text::formats::documents::html::{ExtractError, Extracted, Html, read};
use crate::tokens;

const MILL: &str = include_str!("../../../../../tests/documents/mill.txt");
const MILL_SITE: &str = include_str!("../../../../../tests/documents/mill_site.html");
const MILL_PANDOC: &str = include_str!("../../../../../tests/documents/mill_pandoc.html");
const MILL_OLD: &str = include_str!("../../../../../tests/documents/mill_old.html");
const OVEN: &str = include_str!("../../../../../tests/documents/oven.txt");
const OVEN_SITE: &str = include_str!("../../../../../tests/documents/oven_site.html");

/// Returns the main part of a page that hides nothing.
fn main_part(page: &str) -> String {
    let read = read(page, Html::Main).unwrap();
    assert_eq!(read.hidden, Vec::<String>::new());
    read.content
}

fn words(text: &str) -> Vec<String> {
    tokens::split(text).0.into_iter().map(|token| token.word.into_owned()).collect()
}

/// Returns the distinct windows of one, two and three words.
fn windows(text: &str) -> BTreeSet<String> {
    let words = words(text);
    (1..=3).flat_map(|n| words.windows(n).map(|window| window.join(" "))).collect()
}

fn jaccard(left: &str, right: &str) -> f64 {
    let (left, right) = (windows(left), windows(right));
    let count = |number: usize| f64::from(u32::try_from(number).unwrap());
    count(left.intersection(&right).count()) / count(left.union(&right).count())
}

/// Concatenates what `write` returns for each of the things.
fn each<T>(things: impl Iterator<Item = T>, write: impl Fn(T) -> String) -> String {
    things.map(write).collect()
}

#[test]
fn the_main_part_of_a_page_is_its_article() {
    for (why, page, article, least) in [
        ("as a site has it", MILL_SITE, MILL, 1.0),
        ("another page of it", OVEN_SITE, OVEN, 1.0),
        ("as pandoc writes it", MILL_PANDOC, MILL, 0.99), // except its title
        ("as it was long ago", MILL_OLD, MILL, 0.99),
    ] {
        let like = jaccard(&main_part(page), article);
        assert!(like >= least, "{why}: {like}");
    }
}

#[test]
fn two_pages_of_a_site_share_no_article() {
    let like = jaccard(&main_part(MILL_SITE), &main_part(OVEN_SITE));
    assert!(like < 0.1, "{like}");
    let whole = read(MILL_SITE, Html::All).unwrap().content;
    assert!(jaccard(&whole, MILL) >= 0.97, "what stands on every page does not count");
}

#[test]
fn a_marked_part_is_believed() {
    let prose = "One two, three four five. ".repeat(20);
    let words = |page: &str| main_part(page).split_whitespace().count();
    #[rustfmt::skip]
    let table = [
        ("main",                   format!("<div>a b c</div><main>{prose}</main>"),                        100),
        ("by its role",            format!("<div>a b c</div><div role=main>{prose}</div>"),                100),
        ("one article",            format!("<div>a b c</div><article>{prose}</article>"),                  100),
        ("most of the main part",  format!("<main><p>a b<article>{prose}</article></main>"),               100),
        ("with one in it",         format!("<article>{prose}<article>{prose}</article></article><p>a"),    200),
        ("less than half of it",   format!("<main>{prose}{prose}{prose}<article>{prose}</article></main>"), 400),
        ("several articles",       format!("<main>{prose}<article>{prose}</article><article>a</article></main>"), 201),
        ("a tenth of a long page", format!("<main>{prose}</main>{}", format!("<p>{prose}").repeat(9)), 100),
        ("a scrap on a long page", format!("<main>a b c</main><p>{prose}"),                                103),
        ("all of a short page",    "<main>a b c</main>".to_owned(),                                         3),
    ];
    for (why, page, want) in table {
        assert_eq!(words(&page), want, "{why}");
    }
}

#[test]
fn the_reader_view_shows_no_hidden_text() {
    let prose = "One two, three four five. ".repeat(20);
    let page = format!(
        "<header>a</header><div><p>{prose}</p><p style='color:#fff'>{prose}</p><p>{prose}</p></div>"
    );
    let read = read(&page, Html::Main).unwrap();
    assert_eq!(read.content.split_whitespace().count(), 200);
    assert_eq!(read.hidden.len(), 1);
}

#[test]
fn the_reader_view_parts_words_as_the_page_does() {
    let cell = "The landlord shall keep the roof in good repair, at his own cost";
    let line = "<span class=line>The heron stands above the weir at dawn</span>";
    let sheet = "<style>.line{display:block}</style>";
    let styled = line.replace("class=line", "style='display:block'");
    let shown = "The heron stands above the weir at dawn";
    #[rustfmt::skip]
    let table = [
        ("a row",             format!("<table><tr><td>{cell}<td>{cell}</table>"),                     format!("{cell}\t{cell}\n")),
        ("two rows",          format!("<table><tr><td>{cell}<td>b, c<tr><td>d, e<td>{cell}</table>"), format!("{cell}\tb, c\nd, e\t{cell}\n")),
        ("rows of one cell",  format!("<table><tr><td><a href=a>Home</a><tr><td>{cell}, {cell}<tr><td><a href=b>About</a></table>"), format!("{cell}, {cell}\n")),
        ("lines of a sheet",  format!("{sheet}<p>{line}{line}</p>"),                                 format!("{shown}\n\n{shown}\n")),
        ("lines by a style",  format!("<p>{styled}{styled}</p>"),                                    format!("{shown}\n\n{shown}\n")),
        ("hidden in a word",  format!("<div><p>{cell}<p>wo<i hidden>x</i>rd</div>"),                 format!("{cell}\n\nword\n")),
        ("what leads nowhere",  format!("<div class=sidebar>{shown}</div> <div><p>{cell}{cell}{cell}</div>"), format!("{shown}\n\n{cell}{cell}{cell}\n")),
        (
            "what is left out",
            format!("<div class=sidebar><a href=a>{shown}</a></div> <div><p>{cell}{cell}{cell}<p>a <b>b</b></div>"),
            format!("{cell}{cell}{cell}\n\na b\n"),
        ),
    ];
    for (why, page, want) in table {
        assert_eq!(read(&page, Html::Main).unwrap().content, want, "{why}");
    }
}

#[test]
fn words_around_the_main_part_are_counted() {
    let prose = "One two, three four five. ".repeat(20);
    let page = format!(
        "<nav><script>x y</script><a href=a>a b</a></nav><div class=sidebar><a href=b>c d e</a></div><div><p>{prose}</div>"
    );
    assert_eq!(read(&page, Html::Main).unwrap().around, [5, 105]);
    assert_eq!(read(&page, Html::All).unwrap().around, [2, 105]);
    assert_eq!(read(&prose, Html::Main).unwrap().around, [0, 100]);
    assert_eq!(read("", Html::Main).unwrap().around, [0, 0]);
}

#[test]
fn prose_around_the_main_part_is_reported() {
    let line = "The heron stands above the weir at dawn, and nobody knows why it comes back to this place each year. ";
    let page = |kept: usize, around: usize, linked: bool| {
        let [open, close] = if linked { ["<a href=a>", "</a>"] } else { [""; 2] };
        let around = format!("<p>{open}{line}{close}</p>").repeat(around);
        format!("<div>{around}</div><main><p>{}</p></main>", line.repeat(kept))
    };
    let unread_of = |page: &str| read(page, Html::Main).unwrap().unread;
    let want = |words: usize| Some(format!("{words} words of prose around its main part not read"));
    assert_eq!(unread_of(&page(5, 5, false)), want(100));
    assert_eq!(unread_of(&page(5, 4, false)), None, "too few");
    assert_eq!(unread_of(&page(20, 6, false)), None, "less than a third");
    assert_eq!(unread_of(&page(5, 9, true)), None, "links");
    assert_eq!(read(&page(5, 5, false), Html::All).unwrap().unread, None);
}

#[test]
fn the_reader_view_is_not_asked_for_too_much() {
    let page =
        |text: &str| format!("<div class=sidebar><a href=a>a b c</a></div><div>{text}</div>");
    let prose = |times: usize| format!("<p>{}</p>", "One two, three four five. ".repeat(times));
    let nested = |depth: usize| {
        let (open, close) = ("<div>".repeat(depth), "</div>".repeat(depth));
        format!("{open}{}{close}", prose(1).repeat(4_000))
    };
    #[rustfmt::skip]
    let table = [
        ("as much as it may",     page(&prose(MAX_TEXT_LENGTH / 26)),     5 * (MAX_TEXT_LENGTH / 26)),
        ("one sentence more",     page(&prose(MAX_TEXT_LENGTH / 26 + 1)), 3 + 5 * (MAX_TEXT_LENGTH / 26 + 1)),
        ("nested a little",       page(&nested(1)),                    5 * 4_000),
        ("nested too deeply",     page(&nested(300)),                  3 + 5 * 4_000),
("a scrap of a page",     format!("<div><div>{}</div></div><div>{}</div>", prose(7).repeat(3), "<div>x y z</div> ".repeat(200)), 705),
    ];
    for (why, page, want) in table {
        assert_eq!(main_part(&page).split_whitespace().count(), want, "{why}");
    }
}

#[test]
fn malicious_pages_are_read_or_refused() {
    let many = |tag: &str| tag.repeat(5_000);
    let attributes: String = each(0..20_000, |n| format!(" a{n}"));
    let fonts: String = each(0..100, |n| format!("<font size={n}>"));
    #[rustfmt::skip]
    let table = [
        ("divisions",              many("<div>"),                                     None),
        ("closed",                 many("<div>") + "x" + &many("</div>"),             None),
        ("bold",                   many("<b>x"),                                      None),
        ("tables",                 many("<table><tr><td>"),                           None),
        ("templates",              many("<template>"),                                None),
        ("pictures",               many("<svg><foreignObject>"),                      None),
        ("links over blocks",      many("<a><div></a>"),                              None),
        ("attributes",             format!("<a{attributes}>x"),                       None),
        ("attributes of the page", each(0..2_000, |n| format!("<body a{n}>")), None),
        ("fonts in paragraphs",    format!("<p>{fonts}{}", "<p>x".repeat(2_000)),         None),
        ("paragraphs",             many("<p>x"),                                      Some(5_000)),
        ("links",                  many("<a>x "),                                     Some(5_000)),
        ("wrongly nested",         many("<a><b><i>x</a> y</b> z</i> "),               Some(15_000)),
        ("signs",                  many("< ") + "x",                                  Some(5_001)),
        ("open comments",          many("<!--"),                                      Some(0)),
        ("open quotes",            format!("<a b='{}", many("x")),                    Some(0)),
        ("a long attribute",       format!("<a b='{}'>x", many("x ")),                Some(1)),
        ("to the end",             format!("<plaintext>{}", many("<p> ")),            Some(5_000)),
        ("an open script",         format!("<script>{}", many("<p>x")),               Some(0)),
        ("cells",                  format!("<table>{}", many("<td>x")),               Some(5_000)),
        ("signs to be written",    many("&amp;a &nbsp;"),                             Some(5_001)),
    ];
    for (why, page, want) in table {
        let count = |read: Extracted| read.content.split_ascii_whitespace().count();
        assert_eq!(read(&page, Html::All).ok().map(count), want, "{why}");
        assert_eq!(read(&page, Html::Main).is_ok(), want.is_some(), "{why}, main part");
    }
}

#[test]
fn nesting_is_allowed_as_browsers_allow_it() {
    let nested = |depth: usize| read(&"<div>".repeat(depth), Html::All);
    assert!(nested(500).is_ok());
    assert!(matches!(nested(513), Err(ExtractError::TooDeep { max_depth: 512 })));
}

/// Checks that a page is read, and that no letter or digit of its text is made up.
fn check_letters(page: &str) -> Result<(), TestCaseError> {
    for part in [Html::All, Html::Main] {
        let content = read(page, part).unwrap().content;
        let mut letters = content.chars().filter(|letter| letter.is_alphanumeric());
        prop_assert!(letters.all(|letter| page.contains(letter)), "{:?}", content);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn plain_paragraphs_come_out_as_their_words(
        paragraphs in proptest::collection::vec("[a-zé]{1,9}( [a-z]{1,9}){0,9}", 1..9),
    ) {
        let page: String = each(paragraphs.iter(), |text| format!("<p>{text}</p>\n"));
        let want = paragraphs.join("\n\n") + "\n";
        prop_assert_eq!(&read(&page, Html::All).unwrap().content, &want);
        prop_assert_eq!(words(&read(&page, Html::Main).unwrap().content), words(&want));
    }

    /// All kinds of tags, in any order, or any text.
    #[test]
    fn letters_of_a_text_are_letters_of_its_page(page in prop_oneof![
        "(</?(p|b|a|table|tr|td|div|ul|li|br|main|article|section|svg|select|template|pre|h1|span\
          |form|font|head|body|html|style|script)( (class=[ab]|style='color:#fff'|hidden|id=a|href='#'))?>\
          |[a,. ]{1,30}|<!--|-->|&amp;|\\.a\\{display:none\\}){0,60}",
        any::<String>(),
    ]) {
        check_letters(&page)?;
    }

    /// A real page with a range of it replaced.
    #[test]
    fn letters_of_a_damaged_page_are_its_own(at in 0_usize..4_800, drop in 0_usize..400, put in "\\PC{0,8}|<[a-z/!-]{0,8}|[\"'>]{1,3}") {
        let mut page = MILL_SITE.to_owned();
        let start = page.floor_char_boundary(at);
        let end = page.floor_char_boundary((at + drop).min(page.len()));
        page.replace_range(start..end, &put);
        check_letters(&page)?;
    }
}
