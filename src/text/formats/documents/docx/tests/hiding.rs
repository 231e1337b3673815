//! Tests of text that is hidden, and of text that only seems to be.

use super::super::super::{odt, rtf};
use super::*;
use crate::text::formats::documents::document_tests::is_visible;

#[test]
fn a_document_hides_the_same_words_in_every_form() {
    let want = Extracted {
        content: "The café serves fish soup and apple cake by the harbour.\n\
                  Tea is free on Sundays.\nWhite on blue\n"
            .to_owned(),
        hidden: owned(&[" hidden words here white words here tiny words here"]),
        ..Extracted::default()
    };
    let bounds = Bounds::default();
    let docx = text(include_bytes!("../../../../../../tests/documents/hidden.docx"), &bounds);
    let without = |read: Result<Extracted, _>| Extracted {
        properties: crate::text::Properties::default(),
        ..read.unwrap()
    };
    assert_eq!(without(docx), want);
    let odt =
        odt::text("odt", include_bytes!("../../../../../../tests/documents/hidden.odt"), &bounds);
    assert_eq!(without(odt), want);
    let rtf = rtf::text(include_bytes!("../../../../../../tests/documents/hidden.rtf"));
    assert_eq!(without(rtf), want);
}

/// Returns a paragraph whose second and third run have these properties.
fn with_run(properties: &str) -> String {
    with_both("", properties)
}

fn with_both(paragraph: &str, run: &str) -> String {
    format!(
        "<w:p><w:pPr>{paragraph}</w:pPr><w:r><w:t>seen</w:t></w:r>\
         <w:r><w:rPr>{run}</w:rPr><w:t>sec</w:t></w:r><w:r><w:rPr>{run}</w:rPr><w:t>ret</w:t></w:r></w:p>"
    )
}

const WHITE: &str = "<w:color w:val='FFFFFF'/>";

#[test]
fn a_run_is_hidden_by_its_own_properties() {
    #[rustfmt::skip]
    let table = [
        ("none",               "",                                       true),
        ("hidden",             "<w:vanish/>",                            false),
        ("hidden, said",       "<w:vanish w:val='true'/>",               false),
        ("not, a number",      "<w:vanish w:val='0'/>",                  true),
        ("not, a word",        "<w:vanish w:val='false'/>",              true),
        ("not, off",           "<w:vanish w:val='off'/>",                true),
        ("on the web only",    "<w:webHidden/>",                         true),
        ("white",              WHITE,                                    false),
        ("nearly white",       "<w:color w:val='F0F8FF'/>",              false),
        ("grey",               "<w:color w:val='EFEFEF'/>",              true),
        ("any",                "<w:color w:val='auto'/>",                true),
        ("of 1 point",         "<w:sz w:val='2'/>",                      false),
        ("of 2.5 points",      "<w:sz w:val='5'/>",                      false),
        ("of 3 points",        "<w:sz w:val='6'/>",                      true),
        ("of 1 per cent",      "<w:w w:val='1'/>",                       false),
        ("of 90 per cent",     "<w:w w:val='90%'/>",                     true),
        ("over each other",    "<w:spacing w:val='-240'/>",              false),
        ("close",              "<w:spacing w:val='-20'/>",               true),
        ("of no size",         "<w:sz w:val='small'/>",                  true),
        ("white on blue",      "<w:color w:val='FFFFFF'/><w:shd w:val='clear' w:fill='4472C4'/>", true),
        ("white on white",     "<w:color w:val='FFFFFF'/><w:shd w:val='clear' w:fill='FFFFFF'/>", false),
        ("white on any",       "<w:color w:val='FFFFFF'/><w:shd w:val='clear' w:color='auto' w:fill='auto'/>", false),
        ("white on solid",     "<w:color w:val='FFFFFF'/><w:shd w:val='solid' w:color='auto' w:fill='FFFFFF'/>", true),
        ("white, no pattern",  "<w:color w:val='FFFFFF'/><w:shd w:val='nil' w:fill='000000'/>", false),
        ("highlighted",        "<w:color w:val='FFFFFF'/><w:highlight w:val='black'/>", true),
        ("highlighted white",  "<w:color w:val='FFFFFF'/><w:highlight w:val='white'/><w:shd w:fill='000000'/>", false),
        ("as highlighted",     "<w:color w:val='FFFF00'/><w:highlight w:val='yellow'/>", false),
        ("as shaded",          "<w:color w:val='1F3864'/><w:shd w:val='clear' w:fill='1F3864'/>", false),
        ("on a theme's",       "<w:color w:val='FFFFFF'/><w:shd w:val='clear' w:fill='auto' w:themeFill='accent1'/>", true),
        ("outlined",           "<w:color w:val='FFFFFF'/><w:outline/>",  true),
        ("not outlined",       "<w:color w:val='FFFFFF'/><w:outline w:val='0'/>", false),
        ("engraved",           "<w:color w:val='FFFFFF'/><w:imprint/>",  true),
        ("an outline of 2010", "<w:color w:val='FFFFFF'/><w14:textOutline><w14:solidFill><w14:srgbClr w14:val='000000'/></w14:solidFill><w14:bevel/></w14:textOutline>", true),
        ("a white outline",    "<w:color w:val='FFFFFF'/><w14:textOutline><w14:solidFill><w14:srgbClr w14:val='FFFFFF'/></w14:solidFill><w14:bevel/></w14:textOutline>", false),
        ("no outline",         "<w:color w:val='FFFFFF'/><w14:textOutline><w14:noFill/><w14:prstDash/></w14:textOutline>", false),
        ("a shadow of 2010",   "<w:color w:val='FFFFFF'/><w14:shadow w14:blurRad='0'><w14:srgbClr w14:val='000000'/></w14:shadow>", true),
        ("a white shadow",     "<w:color w:val='FFFFFF'/><w14:shadow w14:blurRad='0'><w14:srgbClr w14:val='FFFFFF'/></w14:shadow>", false),
        ("filled",             "<w:color w:val='FFFFFF'/><w14:textFill><w14:solidFill><w14:srgbClr w14:val='0070C0'/></w14:solidFill></w14:textFill>", true),
        ("filled with white",  "<w:color w:val='000000'/><w14:textFill><w14:solidFill><w14:schemeClr w14:val='bg1'/></w14:solidFill></w14:textFill>", false),
        ("with grey",          "<w14:textFill><w14:solidFill><w14:schemeClr w14:val='bg1'><w14:lumMod w14:val='50000'/></w14:schemeClr></w14:solidFill></w14:textFill>", true),
        ("with a gradient",    "<w14:textFill><w14:gradFill><w14:gs><w14:srgbClr w14:val='FFFFFF'/></w14:gs></w14:gradFill></w14:textFill>", true),
        ("not filled",         "<w14:textFill><w14:noFill/></w14:textFill>", false),
        ("transparent",        "<w14:textFill><w14:solidFill><w14:srgbClr w14:val='000000'><w14:alpha w14:val='100000'/></w14:srgbClr></w14:solidFill></w14:textFill>", false),
        ("not highlighted",    "<w:color w:val='FFFFFF'/><w:highlight w:val='none'/>", false),
    ];
    for (why, properties, want) in table {
        assert_eq!(is_visible(&extract(&with_run(properties))), want, "{why}");
    }
}

#[test]
fn runs_in_one_direction_are_marked() {
    let run = |direction: &str| {
        extract(&format!("<w:p><w:bdo w:val='{direction}'><w:r><w:t>eat</w:t></w:r></w:bdo></w:p>"))
    };
    assert_eq!(run("rtl").content, "\u{202e}eat\u{202c}\n");
    assert_eq!(run("ltr").content, "\u{202d}eat\u{202c}\n");
}

#[test]
fn hidden_text_counts_as_one_of_two_versions() {
    let hidden = |text: &str| paragraph(text).replace("<w:t>", "<w:rPr><w:vanish/></w:rPr><w:t>");
    let (first, choice, fallback) = (hidden("longer than it"), hidden("it"), paragraph("it"));
    let read = extract(&format!(
        "{first}<mc:AlternateContent><mc:Choice>{choice}</mc:Choice>\
         <mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
    ));
    assert_eq!((read.content.trim(), read.hidden), ("", owned(&["longer than it", "it"])));
}

#[test]
fn white_is_seen_on_what_is_dark_around_it() {
    let white = with_run(WHITE);
    let cell = |table: &str, cell: &str| {
        format!(
            "<w:tbl><w:tblPr>{table}</w:tblPr><w:tr><w:tc><w:tcPr>{cell}</w:tcPr>{white}</w:tc></w:tr></w:tbl>"
        )
    };
    let (dark, light) = ("<w:shd w:val='clear' w:fill='1F3864'/>", "<w:shd w:fill='FFFFFF'/>");
    let boxed = format!("<w:p><w:r><w:txbxContent>{white}</w:txbxContent></w:r></w:p>");
    #[rustfmt::skip]
    let table = [
        ("a dark paragraph",          with_both(dark, WHITE),              true),
        ("a light paragraph",         with_both(light, WHITE),             false),
        ("a light run on dark",       with_both(dark, &format!("{WHITE}{light}")), false),
        ("a dark cell",               cell("", dark),                      true),
        ("a dark table",              cell(dark, ""),                      true),
        ("a light cell in it",        cell(dark, light),                   false),
        ("a light one around a dark", cell(light, dark),                   true),
        ("a plain cell",              cell("", ""),                        false),
        ("behind a dark cell",        format!("<w:tbl><w:tc><w:tcPr>{dark}</w:tcPr></w:tc></w:tbl>{white}"), false),
        ("a box, filled or not",      boxed,                               true),
    ];
    for (why, body, want) in table {
        assert_eq!(is_visible(&extract(&body)), want, "{why}");
    }
    let page = |colour: &str| {
        let body = document(&white)
            .replace("<w:body>", &format!("<w:background w:color='{colour}'/><w:body>"));
        is_visible(&read(&[("word/document.xml", &body)]).unwrap())
    };
    assert_eq!([page("000000"), page("FFFFFF"), page("auto")], [true, false, false]);
}

#[test]
fn styles_hide_and_show() {
    let style = |kind: &str, id: &str, inner: &str| {
        format!("<w:style w:type='{kind}' w:styleId='{id}'>{inner}</w:style>")
    };
    let vanish = "<w:rPr><w:vanish/></w:rPr>";
    let styles = [
        style("character", "Hid", vanish),
        style("character", "Son", "<w:basedOn w:val='Hid'/>"),
        style("character", "Shown", "<w:basedOn w:val='Hid'/><w:rPr><w:vanish w:val='0'/></w:rPr>"),
        style("character", "Loop", "<w:basedOn w:val='Loop'/>"),
        style("character", "White", &format!("<w:rPr>{WHITE}</w:rPr>")),
        style("paragraph", "HidP", vanish),
        style("paragraph", "DarkP", "<w:pPr><w:shd w:fill='000000'/></w:pPr>"),
        style(
            "table",
            "Dark",
            "<w:tblStylePr w:type='firstRow'><w:tcPr><w:shd w:fill='4472C4'/></w:tcPr></w:tblStylePr>\
             <w:tcPr><w:shd w:fill='FFFFFF'/></w:tcPr>",
        ),
        style("table", "Plain", "<w:tblStylePr><w:rPr><w:vanish/></w:rPr></w:tblStylePr>"),
    ].concat();
    let run = |id: &str| with_run(&format!("<w:rStyle w:val='{id}'/>"));
    let table_of = |id: &str| {
        format!(
            "<w:tbl><w:tblPr><w:tblStyle w:val='{id}'/></w:tblPr><w:tc>{}</w:tc></w:tbl>",
            with_run(WHITE)
        )
    };
    #[rustfmt::skip]
    let table = [
        ("a style",            run("Hid"),                                      false),
        ("based on it",        run("Son"),                                      false),
        ("shown again",        run("Shown"),                                    true),
        ("based on itself",    run("Loop"),                                     true),
        ("no such style",      run("None"),                                     true),
        ("the run says not",   with_run("<w:rStyle w:val='Hid'/><w:vanish w:val='0'/>"), true),
        ("white",              run("White"),                                    false),
        ("on a dark one",      with_both("<w:pStyle w:val='DarkP'/>", "<w:rStyle w:val='White'/>"), true),
        ("lightened again",    with_both("<w:pStyle w:val='DarkP'/><w:shd w:fill='FFFFFF'/>", WHITE), false),
        ("a table's head",     table_of("Dark"),                                true),
        ("a plain table",      table_of("Plain"),                               false),
    ];
    for (why, body, want) in table {
        assert_eq!(is_visible(&styled(&styles, &body)), want, "{why}");
    }
    // The property is a toggle, so two styles that hide cancel out.
    let twice = styled(&styles, &with_both("<w:pStyle w:val='HidP'/>", "<w:rStyle w:val='Hid'/>"));
    assert_eq!((twice.content.as_str(), twice.hidden), ("secret\n", owned(&["seen"])));
}

#[test]
fn what_holds_of_every_run_holds() {
    let shown = "<w:p><w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>shown</w:t></w:r></w:p>";
    let named =
        paragraph("hidden").replace("<w:p>", "<w:p><w:pPr><w:pStyle w:val='Shown'/></w:pPr>");
    let body = |hidden: &str| format!("{shown}{hidden}");
    let style = "<w:style w:type='paragraph' w:styleId='Shown'><w:rPr><w:vanish w:val='0'/></w:rPr></w:style>";
    let vanish = "<w:rPr><w:vanish/></w:rPr>";
    #[rustfmt::skip]
    let table = [
        ("defaults of the document",   format!("<w:docDefaults><w:rPrDefault>{vanish}</w:rPrDefault></w:docDefaults>"), paragraph("hidden")),
        ("a style does not show again", format!("<w:docDefaults><w:rPrDefault>{vanish}</w:rPrDefault></w:docDefaults>{style}"), named),
        ("the style of all paragraphs", format!("<w:style w:type='paragraph' w:default='1' w:styleId='Normal'>{vanish}</w:style>"), paragraph("hidden")),
    ];
    for (why, styles, hidden) in table {
        let read = styled(&styles, &body(&hidden));
        assert_eq!(
            (read.content.as_str(), read.hidden),
            ("shown\n\n", owned(&["hidden"])),
            "{why}"
        );
    }
}

#[test]
fn the_mark_of_a_paragraph_hides_none_of_its_words() {
    let mark = "<w:pPr><w:rPr><w:vanish/><w:specVanish/></w:rPr></w:pPr>";
    let read = extract(&format!("<w:p>{mark}<w:r><w:t>heading</w:t></w:r></w:p>"));
    assert_eq!(read, Extracted { content: "heading\n".into(), ..Extracted::default() });
}

#[test]
fn a_long_line_of_styles_ends() {
    let style = |number: usize| {
        format!("<w:style w:styleId='{number}'><w:basedOn w:val='{}'/></w:style>", number + 1)
    };
    let styles: String = (0..2_000).map(style).collect();
    let body: String = with_run("<w:rStyle w:val='0'/>").repeat(2_000);
    assert!(styled(&styles, &body).hidden.is_empty());
}
