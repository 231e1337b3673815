use dom_query::Document;

use super::*;
use crate::text::formats::documents::html::{Html, read};

/// Returns the style of `<p class="note big" id=top>` under a sheet for some media.
fn styled(style: &str, media: &str) -> ComputedStyle {
    let mut sheet = StyleSheet::default();
    sheet.add(style, media);
    let page = Document::from("<p class='note big' id=top>");
    let element = page.select("p").nodes()[0].element_ref().unwrap().clone();
    computed_style(&element, &sheet)
}

#[test]
fn a_rule_hides_by_selectors_of_one_element() {
    #[rustfmt::skip]
    let table = [
        ("nothing",                      "",                                                    false),
        ("a class",                      ".note { display: none }",                             true),
        ("its case counts",              ".Note { display: none }",                             false),
        ("any of its classes",           ".big{display:none}",                                  true),
        ("another class",                ".other{display:none}",                                false),
        ("an id",                        "#top{display:none}",                                  true),
        ("a name in capitals",           "P{display:none}",                                     true),
        ("all",                          "*{display:none}",                                     true),
        ("name and class",               "p.note{display:none}",                                true),
        ("name and id",                  "p#top{display:none}",                                 true),
        ("another name and class",       "b.note{display:none}",                                false),
        ("one of a list",                "b , .note,i{display:none}",                           true),
        ("after a comment",              "/* a */ .note /* b */ { /* c */ display: none }",     true),
        ("a comment alone",              "/* .note { display: none } */",                       false),
        ("in the old fence",             "<!-- .note { display: none } -->",                    true),
        ("after an import",              "@import 'a.css'; .note { display: none }",            true),
        ("under the pointer",            ".note:hover{display:none}",                           false),
        ("in another",                   ".list .note{display:none}",                           false),
        ("an escaped name",              ".n\\6fte{display:none}",                              true),
        ("on paper only",                "@media print{.note{display:none}}",                   false),
        ("on a screen",                  "@media screen{.note{display:none}}",                  true),
        ("where something is known",     "@supports (gap: 0){.note{display:none}}",             false),
        ("on a narrow screen",           "@media (max-width: 9em){.note{display:none}}",        false),
        ("the last one holds",           ".note{display:none} .note{display:block}",            false),
        ("an id over a class",           "#top{display:none} .note{display:block}",             true),
        ("a class over a name",          ".note{display:none} p{display:block}",                true),
        ("shown under the pointer",      ".note{display:none} a:hover .note{display:block}",    false),
        ("shown when chosen",            ".note{display:none} .note.now{display:block}",        false),
        ("shown on a wide screen",       ".note{display:none} @media (min-width:9em){.note{display:block}}", false),
        ("shown on paper",               ".note{display:none} @media print{.note{display:block}}", true),
        ("another shown at times",       ".note{display:none} .x:hover{display:block}",         true),
        ("a list in one of a list",      ":is(.x,.y) b,.note{display:none}",                    true),
        ("in a comment of a list",       "i,/* a, b */.note{display:none}",                     true),
        ("letters before its media",     "/*a\u{e9}\u{e9}*/@media screen{.note{display:none}}",  true),
        ("shown in the rule at times",   ".note{display:none;@media(width>9em){display:block}}", false),
        ("shown in the rule when chosen", ".note{display:none;&.now{display:block}}",           false),
        ("another shown in its rule",    ".note{display:none} b{color:red;&:hover{display:block}}", true),
        ("of a layer",                   "@layer a{.note{display:none}}",                       false),
        ("three parts",                  "p.note.big{display:none}",                            false),
        ("never closed",                 ".note{display:none",                                  true),
    ];
    for (why, style, want) in table {
        assert_eq!(styled(style, "").hide(), want, "{why}");
    }
}

#[test]
fn a_sheet_is_for_its_media() {
    for (media, want) in
        [("", true), ("screen", true), ("ALL", true), ("print", false), ("(max-width: 9em)", false)]
    {
        assert_eq!(styled(".note{display:none}", media).hide(), want, "{media}");
    }
}

#[test]
fn a_ground_that_holds_at_times_is_unknown() {
    for (style, want) in [
        ("p{background:#fff}", Some(Value::Painted(Paint::WHITE))),
        (".dark p{background:#fff}", Some(Value::Painted(Paint::Other))),
        ("p{background:#fff} .dark p{background:#000}", Some(Value::Painted(Paint::Other))),
        (".dark b{background:#fff}", None),
        (":root p{background:#000}", Some(Value::Painted(Paint::Other))),
        ("[data-dark]{background:#000}", Some(Value::Painted(Paint::Other))),
        ("p{background:#fff} ::selection{background:#000}", Some(Value::Painted(Paint::WHITE))),
    ] {
        assert_eq!(styled(style, "").get("background"), want, "{style}");
    }
}

#[test]
fn a_sheet_that_imports_another_is_not_whole() {
    for (style, want) in [("p{}", true), ("@charset 'utf-8'; p{}", true), ("@import 'a';", false)] {
        let mut sheet = StyleSheet::default();
        sheet.add(style, "");
        assert_eq!(!sheet.has_external, want, "{style}");
    }
}

#[test]
fn rules_without_end_are_read_in_linear_time() {
    let mut sheet = StyleSheet::default();
    sheet.add(&"@media screen{".repeat(100_000), "");
    sheet.add(&"{".repeat(100_000), "");
    sheet.add(&".a{color:red}".repeat(100_000), "");
    sheet.add(&".a.b:c ".repeat(100_000), "");
    assert_eq!(sheet.rules.len(), 1);
}

#[test]
fn selectors_that_look_at_all_elements_are_matched_in_linear_time() {
    let selectors = ".a~.s, .s:nth-child(7), .s:nth-LAST-of-type(7), p:has(.a) .s";
    let letters = "<i class=s>x </i>".repeat(20_000);
    let page = format!("<style>{selectors}{{display:none}}</style><p>{letters}");
    assert!(read(&page, Html::All).unwrap().unread.is_some(), "not matched any more");
}
