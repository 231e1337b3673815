//! Tests of text that is hidden, and of text that only seems to be.

use super::*;
use crate::text::formats::documents::document_tests::is_visible;

const COLOURS: &str =
    "{\\colortbl;\\red255\\green255\\blue255;\\red0\\green0\\blue128;\\red240\\green240\\blue239;}";

#[test]
fn letters_that_are_not_seen_are_set_apart() {
    #[rustfmt::skip]
    let table = [
        ("nothing",              "secret",                                   true),
        ("hidden",               "{\\v sec}{\\v ret}",                       false),
        ("hidden, with a number", "{\\v1 secret}",                           false),
        ("not hidden",           "\\v\\v0 secret",                           true),
        ("plain again",          "\\v\\plain secret",                        true),
        ("only its group",       "{\\v}secret",                              true),
        ("white",                "{\\cf1 secret}",                           false),
        ("blue",                 "{\\cf2 secret}",                           true),
        ("nearly white",         "{\\cf3 secret}",                           true),
        ("of the system",        "{\\cf0 secret}",                           true),
        ("no such colour",       "{\\cf9 secret}",                           true),
        ("below zero",           "{\\cf-1 secret}",                          true),
        ("of 1 point",           "{\\fs2 secret}",                           false),
        ("of 2.5 points",        "{\\fs5 secret}",                           false),
        ("of 3 points",          "{\\fs6 secret}",                           true),
        ("of 1 per cent",        "{\\charscalex1 secret}",                   false),
        ("over each other",      "{\\fs24\\expnd-48\\expndtw-240 secret}",  false),
        ("close",                "{\\expndtw-20 secret}",                    true),
        ("with a shadow",        "{\\cf1\\shad secret}",                    true),
        ("without",              "{\\cf1\\shad0 secret}",                   false),
        ("outlined",             "{\\cf1\\outl secret}",                    true),
        ("as its highlight",     "{\\cf2\\highlight2 secret}",              false),
        ("highlighted",          "{\\cf1\\highlight2 secret}",               true),
        ("highlighted white",    "{\\cf1\\highlight1 secret}",               false),
        ("shaded",               "{\\cf1\\chcbpat2 secret}",                 true),
        ("a pattern",            "{\\cf1\\chshdng10000 secret}",             true),
        ("a blue paragraph",     "{\\cbpat2\\cf1 secret}",                   true),
        ("a new paragraph",      "{\\cbpat2\\pard\\cf1 secret}",             false),
        ("a blue cell",          "{\\trowd\\clcbpat2\\cellx9 \\pard\\intbl\\cf1 secret}", true),
        ("behind the table",     "{\\trowd\\clcbpat2\\cellx9 \\pard\\cf1 secret}", false),
        ("a row without blue",   "{\\trowd\\clcbpat2\\trowd\\cellx9 \\pard\\intbl\\cf1 secret}", false),
        ("a box, filled or not", "{\\shp{\\*\\shpinst{\\shptxt\\cf1 secret}}}", true),
        ("a hidden mark around", "{\\v{\\*\\footnote secret}}",              true),
    ];
    for (why, inner, want) in table {
        assert_eq!(is_visible(&extract(&format!("{COLOURS}seen{inner}"))), want, "{why}");
    }
}
