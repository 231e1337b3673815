//! Tests of text that is hidden, and of text that only seems to be.

use super::*;
use crate::text::formats::documents::document_tests::is_visible;

fn style(family: &str, name: &str, inner: &str) -> String {
    format!("<style:style style:family='{family}' style:name='{name}' {inner}</style:style>")
}

const SECRET: &str =
    "<text:p>seen</text:p><text:p><text:span text:style-name='T'>secret</text:span></text:p>";

#[test]
fn a_span_is_hidden_by_its_style() {
    #[rustfmt::skip]
    let table = [
        ("nothing",          "",                                                        true),
        ("not shown",        "text:display='none'",                                     false),
        ("shown",            "text:display='true'",                                     true),
        ("white",            "fo:color='#ffffff'",                                      false),
        ("grey",             "fo:color='#efefef'",                                      true),
        ("as the window",    "fo:color='#ffffff' style:use-window-font-color='true'",   true),
        ("on blue",          "fo:color='#ffffff' fo:background-color='#000080'",        true),
        ("on white",         "fo:color='#ffffff' fo:background-color='#ffffff'",        false),
        ("on nothing",       "fo:color='#ffffff' fo:background-color='transparent'",    false),
        ("of 1 point",       "fo:font-size='1pt'",                                      false),
        ("of 2.9 points",    "fo:font-size='2.9pt'",                                    false),
        ("of 3 points",      "fo:font-size='3pt'",                                      true),
        ("of 1 per cent",    "style:text-scale='1%'",                                   false),
        ("over each other",  "fo:font-size='12pt' fo:letter-spacing='-0.2in'",          false),
        ("clear",            "loext:opacity='0%'",                                      false),
        ("half",             "loext:opacity='50%'",                                     true),
        ("on its own colour", "fo:color='#000080' fo:background-color='#000080'",       false),
        ("with a shadow",    "fo:color='#ffffff' fo:text-shadow='1pt 1pt'",             true),
        ("without",          "fo:color='#ffffff' fo:text-shadow='none'",                false),
        ("outlined",         "fo:color='#ffffff' style:text-outline='true'",            true),
        ("embossed",         "fo:color='#ffffff' style:font-relief='embossed'",         true),
        ("of 0.3 mm",        "fo:font-size='0.3mm'",                                    false),
        ("of a centimetre",  "fo:font-size='1cm'",                                      true),
        ("of an inch",       "fo:font-size='1in'",                                      true),
        ("relative",         "fo:font-size='1%'",                                       true),
    ];
    for (why, said, want) in table {
        let styles = style("text", "T", &format!("><style:text-properties {said}/>"));
        assert_eq!(is_visible(&styled(&styles, SECRET)), want, "{why}");
    }
}

#[test]
fn styles_have_parents_and_defaults() {
    let white = "><style:text-properties fo:color='#ffffff'/>";
    let dark = |family: &str, properties: &str| {
        style(family, "D", &format!("><style:{properties} fo:background-color='#000000'/>"))
    };
    let hidden = "><style:text-properties text:display='none'/>";
    let span = style("text", "T", white);
    let cell = "<text:p>seen</text:p><table:table table:style-name='D'>\
                <table:table-row table:style-name='D'><table:table-cell table:style-name='D'>\
                <text:p><text:span text:style-name='T'>secret</text:span></text:p>\
                </table:table-cell></table:table-row></table:table>";
    let in_paragraph =
        SECRET.replace("<text:p><text:span", "<text:p text:style-name='D'><text:span");
    #[rustfmt::skip]
    let table = [
        ("a parent",       style("text", "T", "style:parent-style-name='P'>") + &style("text", "P", hidden), SECRET, false),
        ("its own parent", style("text", "T", "style:parent-style-name='T'>"),           SECRET,        true),
        ("another family", style("paragraph", "T", hidden),                              SECRET,        true),
        ("a paragraph's",  style("paragraph", "D", hidden),                              &in_paragraph, false),
        ("dark paragraph", span.clone() + &dark("paragraph", "paragraph-properties"),    &in_paragraph, true),
        ("dark cell",      span.clone() + &dark("table-cell", "table-cell-properties"),  cell,          true),
        ("dark row",       span.clone() + &dark("table-row", "table-row-properties"),    cell,          true),
        ("dark table",     span.clone() + &dark("table", "table-properties"),            cell,          true),
        ("plain table",    span.clone(),                                                 cell,          false),
        (
            "in a box",
            span.clone(),
            "<text:p>seen<draw:text-box><text:p><text:span text:style-name='T'>secret</text:span></text:p></draw:text-box></text:p>",
            true,
        ),
    ];
    for (why, styles, body, want) in table {
        assert_eq!(is_visible(&styled(&styles, body)), want, "{why}");
    }
    let common = |inner: &str| {
        let common = format!("<office:document-styles>{inner}</office:document-styles>");
        let content = document("", "<text:p text:style-name='x'>tea</text:p>");
        read(&[("styles.xml", &common), ("content.xml", &content)]).unwrap().hidden.len()
    };
    let white = "<style:default-style style:family='paragraph'><style:text-properties fo:color='#ffffff'/></style:default-style>";
    let page = "<style:page-layout><style:page-layout-properties fo:background-color='#000000'/></style:page-layout>";
    assert_eq!(common(white), 1);
    assert_eq!(common(&format!("{white}{page}")), 0);
}

#[test]
fn fields_sections_and_covered_cells_hide() {
    #[rustfmt::skip]
    let table = [
        ("a section",           "<text:section text:display='none'><text:p>secret</text:p></text:section>", false),
        ("by a condition",      "<text:section text:display='condition' text:is-hidden='true'><text:p>secret</text:p></text:section>", false),
        ("by one that holds",   "<text:section text:display='condition' text:condition='ooow:1'><text:p>secret</text:p></text:section>", false),
        ("by one that does not", "<text:section text:display='condition' text:condition='ooow:0'><text:p>secret</text:p></text:section>", true),
        ("one of two texts",    "<text:p><text:conditional-text text:condition='ooow:TRUE' text:string-value-if-true='secret'>no</text:conditional-text></text:p>", true),
        ("the other",           "<text:p><text:conditional-text text:condition='ooow:0' text:string-value-if-false='secret'>no</text:conditional-text></text:p>", true),
        ("the one stored",      "<text:p><text:conditional-text text:condition='ooow:page==1'>secret</text:conditional-text></text:p>", true),
        ("one that is shown",   "<text:section><text:p>secret</text:p></text:section>",                     true),
        ("a text",              "<text:p><text:hidden-text text:is-hidden='true' text:string-value='secret'/></text:p>", false),
        ("a text that is not",  "<text:p><text:hidden-text text:string-value='no'>secret</text:hidden-text></text:p>", true),
        ("a paragraph",         "<text:p><text:hidden-paragraph text:is-hidden='true'/><text:hidden-paragraph text:is-hidden='true'/>secret</text:p>", false),
        ("one that is not",     "<text:p><text:hidden-paragraph/>secret</text:p>",                           true),
        ("a covered cell",      "<table:covered-table-cell><text:p>secret</text:p></table:covered-table-cell>", false),
    ];
    for (why, body, want) in table {
        // An element hides only what is within it: the words after it are visible.
        let read = styled("", &format!("{body}<text:p>seen</text:p>"));
        let want: (&str, &[&str]) = if want { ("secretseen", &[]) } else { ("seen", &["secret"]) };
        let hidden: Vec<&str> = read.hidden.iter().map(String::as_str).collect();
        assert_eq!((&*read.content.replace('\n', ""), &*hidden), want, "{why}");
    }
}
