use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::tokens;

fn text(source: &str) -> String {
    read(source).0.content().to_owned()
}

#[test]
fn what_an_element_hides_is_set_apart() {
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &[&str])] = &[
        ("in a word",       "wo<span style=\"display:none\">x</span>rd",       "word\n",     &["x"]),
        ("by an attribute", "one <b hidden>x <b>y</b></b> two",                "one  two\n", &["x y"]),
        ("white",           "wo<font color=white>x</font>rd",                  "word\n",     &["x"]),
        ("of several lines", "<div style='font-size:0'>\n\nx\n\n</div>\n\none", "one\n",      &["x"]),
        ("never closed",    "one <i hidden>two",                               "one two\n",  &[]),
        ("coloured",        "wo<span style='color:red'>r</span>d",             "word\n",     &[]),
    ];
    for (why, source, want, hidden) in table {
        let (excerpt, found) = read(source);
        let found: Vec<&str> = found.iter().map(|piece| piece.trim()).collect();
        assert_eq!((excerpt.content(), found), (*want, hidden.to_vec()), "{why}");
    }
}

#[test]
fn words_are_read_and_marks_are_not() {
    #[rustfmt::skip]
    let table = [
        ("nothing",              "",                                               ""),
        ("prose",                "One two\nthree.",                                "One two\nthree.\n"),
        ("paragraphs",           "One\n\n\ntwo",                                   "One\n\ntwo\n"),
        ("a part of a word",     "**bold**ly *un*do",                              "boldly undo\n"),
        ("a heading",            "# One\ntwo",                                     "One\n\ntwo\n"),
        ("closed",               "## One ##\n",                                    "One\n"),
        ("underlined",           "One\n===\ntwo",                                  "One\n\ntwo\n"),
        ("with a name",          "# One {#one .big}",                              "One\n"),
        ("items",                "- one\n- two\n\nthree",                          "one\ntwo\n\nthree\n"),
        ("with paragraphs",      "1. one\n\n   two\n2. three",                     "one\n\ntwo\n\nthree\n"),
        ("items in items",       "- one\n  - two\n- three",                        "one\n\ntwo\n\nthree\n"),
        ("tasks",                "- [x] one\n- [ ] two",                           "one\ntwo\n"),
        ("a quotation",          "> one\n> two",                                   "one\ntwo\n"),
        ("with a kind",          "> [!NOTE]\n> one",                               "one\n"),
        ("a table",              "| a | b |\n|---|:-:|\n| c | d\\|e |\n",          "a\tb\nc\td|e\n"),
        ("code",                 "Use `a b` now",                                  "Use a b now\n"),
        ("code in code",         "`` a`b ``",                                      "a`b\n"),
        ("code over lines",      "> `a\n> b`",                                     "a b\n"),
        ("indented code",        "one\n\n    a  b\n     c\n\ntwo",                 "one\n\na  b\n c\n\ntwo\n"),
        ("fenced code",          "```rust\nfn a()\n\n  b\n```\ntwo",               "fn a()\n\n  b\n\ntwo\n"),
        ("a link",               "[one](https://a.b \"c\") two",                   "one two\n"),
        ("by a name",            "[one][a] [a]\n\n[a]: https://a.b 'c'",           "one a\n"),
        ("a bare link",          "<https://a.b>",                                  "https://a.b\n"),
        ("a picture",            "one ![alt *text*](a.png) two",                   "one  two\n"),
        ("a note",               "one[^a] two\n\n[^a]: three",                     "one two\n\nthree\n"),
        ("struck out",           "~~one~~ two",                                    "one two\n"),
        ("entities",             "a&amp;b caf&eacute; &#65; &x;",                  "a&b caf\u{e9} A &x;\n"),
        ("escapes",              "\\*one\\* two\\_three",                          "*one* two_three\n"),
        ("a broken word",        "hy-\nphen",                                      "hy-\nphen\n"),
        ("a break",              "one  \ntwo\\\nthree",                            "one\ntwo\nthree\n"),
        ("no word over items",   "- hy-\n- phen",                                  "hy-\n\nphen\n"),
        ("front matter",         "---\ntitle: one\n---\ntwo",                      "two\n"),
        ("of another kind",      "+++\ntitle = 1\n+++\ntwo",                       "two\n"),
        ("a rule",               "one\n\n---\n\ntwo",                              "one\n\ntwo\n"),
        ("a formula",            "$a + b$ and $$c$$",                              "a + b and c\n"),
        ("prices",               "$5 and $6",                                      "$5 and $6\n"),
        ("a short code",         "{{< figure src=a >}} {% one %}",                 "{{< figure src=a >}} {% one %}\n"),
        ("an import",            "import A from 'b'",                              "import A from 'b'\n"),
        ("other line ends",      "one\r\ntwo\r\n\r\n> three\r\n",                  "one\ntwo\n\nthree\n"),
    ];
    for (why, source, want) in table {
        assert_eq!(text(source), want, "{why}");
    }
}

#[test]
fn tags_are_read_as_in_a_page() {
    #[rustfmt::skip]
    let table = [
        ("in a word",            "<b>wo</b>rd",                                    "word\n"),
        ("a comment in a word",  "wo<!-- x -->rd",                                 "word\n"),
        ("a break",              "one<br>two<br/>\nthree",                         "one\ntwo\nthree\n"),
        ("a block",              "<div class=\"a>b\">\n  <p>one</p>two\n</div>\n\nthree", "one\n\ntwo\n\nthree\n"),
        ("a tag over lines",     "<div\nclass='a\nb'>one\n</div>",                 "one\n"),
        ("a comment",            "<!-- one\n\ntwo -->\nthree",                     "three\n"),
        ("the shortest",         "<!--> one -->",                                  "one -->\n"),
        ("a script",             "<script>\none\n\n*two*\n</script>\n\nthree",     "three\n"),
        ("a sheet",              "<style>one</style>\n\ntwo",                      "two\n"),
        ("navigation",           "<nav>\n\n- one\n\n</nav>\n\ntwo",                "two\n"),
        ("in navigation",        "<nav><nav>\n\none\n\n</nav>\n\ntwo\n\n</nav>\n\nthree", "three\n"),
        ("never closed",         "The <select> tag\n\nand <nav>\n\nmore",          "The  tag\n\nand \n\nmore\n"),
        ("in a script a script", "<script>\n<script>\n</script>\n\none",           "one\n"),
        ("entities",             "<p>\na&amp;b caf&eacute; & &x; &#65;\n</p>",     "a&b caf\u{e9} & &x; A\n"),
        ("white space",          "<p>\n  one\n  hy-\n  phen</p>",                  "one hy- phen\n"),
        ("a table",              "<table>\n<tr><td>one</td><td>two</td></tr>\n</table>", "one\ttwo\n"),
        ("a summary",            "<details>\n<summary>one</summary>\n\n**two**\n\n</details>", "one\n\ntwo\n"),
        ("a picture",            "<p align=center><img src=a alt=b>one<img>two</p>", "one two\n"),
        ("signs",                "<p>a < b <3</p>",                                "a < b <3\n"),
        ("cut in a tag",         "<div class='a\n\none",                           "one\n"),
        ("a small note",         "<ruby>one<rt>two</rt></ruby>",                   "one\n"),
    ];
    for (why, source, want) in table {
        assert_eq!(text(source), want, "{why}");
    }
}

#[test]
fn a_place_in_the_text_is_found_in_the_source() {
    let source = "# A *b*ig\n\n> one\n> **two**ly &amp; caf&eacute;s `x`\n\n<p>\n d&amp;e\n</p>\n";
    let excerpt = read(source).0;
    assert_eq!(excerpt.content(), "A big\n\none\ntwoly & caf\u{e9}s x\n\nd&e\n");
    #[rustfmt::skip]
    let table = [
        ("a word over marks", "big",         "b*ig"),
        ("over lines",        "one\ntwo",    "one\n> **two"),
        ("between blocks",    "\n\none",     "\n\n> one"),
        ("a decoded one",     "caf\u{e9}s",  "caf&eacute;s"),
        ("code",              "x",           "x"),
        ("in a block",        "d&e",         "d&amp;e"),
    ];
    for (why, words, want) in table {
        let at = excerpt.content().find(words).unwrap();
        assert_eq!(&source[excerpt.source(at..at + words.len())], want, "{why}");
    }
}

/// Returns a table with a header of `columns` columns, and `lines` rows of one cell each. The
/// parser fills in the missing cells, up to 2¹⁸ in total, and then ends the table.
fn table(columns: usize, lines: usize, cell: &str, last: &str) -> String {
    let (head, rule) = ("a|".repeat(columns), "-|".repeat(columns));
    format!("|{head}\n|{rule}\n{}{last}", format!("|{cell}|\n").repeat(lines))
}

#[test]
fn a_table_with_too_many_cells_is_read_once() {
    #[rustfmt::skip]
    let table = [
        ("filled in, not yet ended", table(520, 504, "x", "x"),                504, "x"),
        ("ended at its last line",   table(520, 505, "x", "x"),                505, "x"),
        ("in a later line",          table(520, 505, "x", "x\nyes **no** `z`"), 505, "x yes no z"),
        ("longer words",             table(520, 505, "x", "café &eacute;té"),  505, "café été"),
        ("two lines behind it",      table(520, 505, "x", "|x|\n|y|\n\nz"),   505, "x | |y| z"),
        ("with tags",                table(520, 505, "x", "<b>y</b>\n<p>z"),   505, "y z"),
    ];
    for (why, source, lines, last) in table {
        let excerpt = read(&source).0;
        let words: Vec<&str> = excerpt.content().split_whitespace().collect();
        let (cells, behind) = words.split_at(520 + lines);
        assert_eq!(cells, [vec!["a"; 520], vec!["x"; lines]].concat(), "{why}");
        assert_eq!(behind.join(" "), last, "{why}");
        let mut end = 0;
        for (at, letter) in excerpt.content().char_indices() {
            let place = excerpt.source(at..at + letter.len_utf8());
            assert!(end <= place.start && place.end <= source.len(), "{why}: {place:?}");
            end = place.start;
        }
    }
}

#[test]
fn malicious_documents_grow_by_no_more_than_a_line_end() {
    for unit in [
        "[",
        "]",
        "[a](",
        "[a][",
        "![",
        "*",
        "**a",
        "_a ",
        "`",
        "`a ",
        "``a ",
        ">",
        "> ",
        "- ",
        "1. ",
        "<",
        "<a ",
        "<!--",
        "<?",
        "</",
        "&",
        "&a;",
        "\\",
        "$",
        "$a ",
        "$$",
        "~",
        "~~a",
        "#",
        "|",
        "|a\n|-\n",
        "[^a]",
        "[^a]: b\n\n",
        "[a]: b\n",
        "---\n",
        "+++\n",
        "\t",
        "a\n\n",
        "<div>\n",
        "<nav>\n\n",
        "<p>&amp;",
        "<p>& ",
        "\r",
        "\n> [!NOTE]\n",
        "[a]: <b\n",
        "<a b='",
        "*a_ ",
    ] {
        let source = unit.repeat(20_000);
        assert!(read(&source).0.content().len() <= source.len() + 1, "{unit:?}");
    }
}

proptest! {
    #[test]
    fn plain_prose_keeps_its_words(lines in proptest::collection::vec("[A-Za-zé]{1,9}( [a-z]{1,9}[,.;]?){0,9}", 1..9)) {
        let source = lines.join("\n\n");
        let words = |text: &str| tokens::split(text).0.into_iter().map(|token| token.word.into_owned()).collect::<Vec<_>>();
        prop_assert_eq!(words(&text(&source)), words(&source));
    }

    /// Each letter comes from the place in the source that is reported for it: the letter itself,
    /// an entity, or a longer range that contains the letter.
    #[test]
    fn each_letter_comes_from_its_place(
        source in "([a-zé]{1,4}|[ \n*_`>#|\\[\\]()!~$<&;:\\\\-]|\r\n|&eacute;|&amp;|<b>|</b>|<p>|<!--|-->\
            |```|\n\n|    |[0-9]\\. |\\[\\^a\\]:?){0,40}",
    ) {
        let excerpt = read(&source).0;
        let content = excerpt.content();
        let letters: BTreeSet<char> = source.chars().collect();
        for (at, letter) in content.char_indices() {
            let place = &source[excerpt.source(at..at + letter.len_utf8())];
            if letter.is_alphanumeric() {
                let is_written = place.starts_with('&') || place.contains(letter) && place.len() > letter.len_utf8();
                prop_assert!(place.chars().eq([letter]) || is_written, "{} of {}", letter, place);
            }
            prop_assert!(letters.contains(&letter) || "\n\t &é".contains(letter));
        }
    }

    #[test]
    fn letters_of_any_text_come_from_places_in_its_order(source in any::<String>()) {
        let excerpt = read(&source).0;
        let mut last = 0;
        for (at, letter) in excerpt.content().char_indices() {
            let place = excerpt.source(at..at + letter.len_utf8());
            prop_assert!(last <= place.start && source.get(place.clone()).is_some(), "{:?}", place);
            last = place.start;
        }
    }
}
