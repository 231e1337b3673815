//! Generates a large document that is an archive: docx, odt or epub.

use super::super::documents::{CONTAINER, DOCX, RELATIONS, archive};
use super::{Document, MOST, html, text_or};
use crate::choices::Choices;

/// The largest number of pages of a book.
const PAGES: usize = 1 << 8;

/// The approximate number of bytes that it takes to list a page and to refer to it.
const LISTED: usize = 100;

/// Properties of a run in a docx. Some change its appearance, others have no effect here.
const PROPERTIES: [&str; 9] = [
    "",
    "<w:vanish/>",
    "<w:color w:val=\"FFFFFF\"/>",
    "<w:rStyle w:val=\"s1\"/>",
    "<w:sz w:val=\"0\"/>",
    "<w:webHidden/>",
    "<w:b/>",
    "<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>",
    "<w:shd w:fill=\"000000\"/>",
];

/// Elements that may be around runs or paragraphs of a docx, which are nested here.
const AROUND: [&str; 12] = [
    "w:ins",
    "w:del",
    "w:hyperlink",
    "w:sdt",
    "w:sdtContent",
    "w:p",
    "w:r",
    "w:smartTag",
    "w:txbxContent",
    "mc:AlternateContent",
    "mc:Choice",
    "w:tbl",
];

/// Elements that may be around text of an odt, which are nested here.
const AROUND_TEXT: [&str; 12] = [
    "text:p",
    "text:span",
    "text:list",
    "text:list-item",
    "text:section",
    "draw:frame",
    "draw:text-box",
    "text:note",
    "text:note-body",
    "table:table",
    "table:table-cell",
    "office:annotation",
];

/// Returns the bytes of a document. The input chooses its kind and content.
pub(super) fn document(choices: &mut Choices) -> Vec<u8> {
    let body = Document::new(choices);
    match choices.below(3) {
        0 => docx(body, choices),
        1 => odt(body, choices),
        _ => epub(body, choices),
    }
}

fn docx(mut body: Document, choices: &mut Choices) -> Vec<u8> {
    body.content.push_str("<w:document><w:body>");
    let (mut notes, mut styles) = (String::new(), String::new());
    while !choices.is_empty() && !body.is_full() {
        match choices.below(10) {
            0 => body.repeat(&paragraph(choices), choices.count(MOST)),
            1 => {
                body.content.push_str("<w:p>");
                body.repeat(&run(choices), choices.count(MOST));
                body.content.push_str("</w:p>");
            }
            2 => {
                let cell = format!("<w:tc>{}</w:tc>", paragraph(choices));
                let row = format!("<w:tr>{}</w:tr>", cell.repeat(choices.count(1 << 8)));
                body.content.push_str("<w:tbl>");
                body.repeat(&row, choices.count(MOST));
                body.content.push_str("</w:tbl>");
            }
            3 => {
                let inner = paragraph(choices);
                let open = "<w:tbl><w:tr><w:tc>";
                body.nest([open, &inner, "</w:tc></w:tr></w:tbl>"], choices.count(MOST));
            }
            4 => {
                let name = choices.pick(&AROUND);
                let (open, close) = (format!("<{name}>"), format!("</{name}>"));
                body.nest([&open, &paragraph(choices), &close], choices.count(MOST));
            }
            5 => {
                let (count, distinct) = (choices.count(MOST), 1 + choices.count(MOST));
                let kind = choices.pick(&["footnote", "endnote"]);
                body.content.push_str("<w:p>");
                body.each(count, |number| {
                    format!("<w:r><w:{kind}Reference w:id=\"{}\"/></w:r>", number * 7 % distinct)
                });
                body.content.push_str("</w:p>");
                let mut more = Document { content: notes, size: body.size };
                let note = paragraph(choices);
                more.each(count, |id| format!("<w:footnote w:id=\"{id}\">{note}</w:footnote>"));
                notes = more.content;
            }
            6 => {
                let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
                let code = "<w:r><w:instrText>HYPERLINK</w:instrText></w:r>";
                let separate = choices.pick(&["separate", "end"]);
                let open = [&mark("begin"), code, &mark(separate), &run(choices)].concat();
                body.content.push_str("<w:p>");
                body.nest([&open, &run(choices), &mark("end")], choices.count(MOST));
                body.content.push_str("</w:p>");
            }
            // Styles each of which is based on the next; the last one may be based on the first.
            7 => {
                let (count, look) = (choices.count(MOST), choices.pick(&PROPERTIES));
                let last = 1 + choices.below(2) * count;
                let mut more = Document { content: styles, size: body.size };
                more.each(count, |id| {
                    let next = (id + 1) % last;
                    format!("<w:style w:styleId=\"s{id}\"><w:basedOn w:val=\"s{next}\"/><w:rPr>{look}</w:rPr></w:style>")
                });
                styles = more.content;
                let runs = |id| {
                    format!(
                        "<w:p><w:pPr><w:pStyle w:val=\"s{id}\"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>"
                    )
                };
                body.each(count, runs);
            }
            8 => {
                let part =
                    choices.pick(&["<w:tab/>", "<w:br/>", "<w:t> </w:t>", "<w:noBreakHyphen/>"]);
                body.content.push_str("<w:p><w:r>");
                body.repeat(part, choices.count(MOST));
                body.content.push_str("</w:r></w:p>");
            }
            _ => {
                let part = choices.text();
                body.repeat(&part, choices.count(MOST));
            }
        }
    }
    body.content.push_str("</w:body></w:document>");
    written(&[
        ("[Content_Types].xml", DOCX),
        ("word/_rels/document.xml.rels", RELATIONS),
        ("word/document.xml", &body.content),
        ("word/footnotes.xml", &format!("<w:footnotes>{notes}</w:footnotes>")),
        (
            "word/endnotes.xml",
            &format!("<w:endnotes>{}</w:endnotes>", notes.replace("footnote", "endnote")),
        ),
        ("word/styles.xml", &format!("<w:styles>{styles}</w:styles>")),
    ])
}

fn paragraph(choices: &mut Choices) -> String {
    format!("<w:p>{}</w:p>", run(choices))
}

fn run(choices: &mut Choices) -> String {
    let look = choices.pick(&PROPERTIES);
    format!("<w:r><w:rPr>{look}</w:rPr><w:t>{}</w:t></w:r>", text(choices))
}

fn odt(mut body: Document, choices: &mut Choices) -> Vec<u8> {
    let mut styles = String::new();
    while !choices.is_empty() && !body.is_full() {
        match choices.below(8) {
            0 => body.repeat(&format!("<text:p>{}</text:p>", text(choices)), choices.count(MOST)),
            1 => {
                body.content.push_str("<text:p>");
                let span =
                    format!("<text:span text:style-name=\"s1\">{}</text:span>", text(choices));
                body.repeat(&span, choices.count(MOST));
                body.content.push_str("</text:p>");
            }
            2 => {
                let repeated = choices.pick(&["1", "1000", "4294967295", "-1"]);
                let attribute =
                    choices.pick(&["number-columns-repeated", "number-columns-spanned"]);
                let cell = format!(
                    "<table:table-cell table:{attribute}=\"{repeated}\"><text:p>{}</text:p></table:table-cell>",
                    text(choices)
                );
                let row = format!(
                    "<table:table-row table:number-rows-repeated=\"{repeated}\">{}</table:table-row>",
                    cell.repeat(choices.count(1 << 8))
                );
                body.content.push_str("<table:table>");
                body.repeat(&row, choices.count(MOST));
                body.content.push_str("</table:table>");
            }
            3 => {
                let name = choices.pick(&AROUND_TEXT);
                let (open, close) = (format!("<{name}>"), format!("</{name}>"));
                let inner = format!("<text:p>{}</text:p>", text(choices));
                body.nest([&open, &inner, &close], choices.count(MOST));
            }
            4 => {
                let space = choices.pick(&[
                    "<text:s text:c=\"4294967295\"/>",
                    "<text:s/>",
                    "<text:tab/>",
                    "<text:line-break/>",
                ]);
                body.content.push_str("<text:p>");
                body.repeat(space, choices.count(MOST));
                body.content.push_str("</text:p>");
            }
            5 => {
                let class = choices.pick(&["footnote", "endnote"]);
                let note = format!(
                    "<text:note text:note-class=\"{class}\"><text:note-citation>1</text:note-citation><text:note-body><text:p>{}</text:p></text:note-body></text:note>",
                    text(choices)
                );
                body.content.push_str("<text:p>");
                body.repeat(&note, choices.count(MOST));
                body.content.push_str("</text:p>");
            }
            // Styles each of which is based on the next; the last one may be based on the first.
            6 => {
                let count = choices.count(MOST);
                let last = 1 + choices.below(2) * count;
                let look = choices.pick(&["text:display=\"none\"", "fo:color=\"#ffffff\"", ""]);
                let mut more = Document { content: styles, size: body.size };
                more.each(count, |id| {
                    let next = (id + 1) % last;
                    format!("<style:style style:name=\"s{id}\" style:family=\"text\" style:parent-style-name=\"s{next}\"><style:text-properties {look}/></style:style>")
                });
                styles = more.content;
                body.content.push_str("<text:p>");
                body.each(count, |id| {
                    format!("<text:span text:style-name=\"s{id}\">a</text:span>")
                });
                body.content.push_str("</text:p>");
            }
            _ => {
                let part = choices.text();
                body.repeat(&part, choices.count(MOST));
            }
        }
    }
    let content = format!(
        "<office:document-content><office:automatic-styles>{styles}</office:automatic-styles><office:body><office:text>{}</office:text></office:body></office:document-content>",
        body.content
    );
    let styles = format!(
        "<office:document-styles><office:styles>{styles}</office:styles></office:document-styles>"
    );
    written(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", &content),
        ("styles.xml", &styles),
    ])
}

/// Returns a book of many equal pages. Its spine may list more pages than the book has.
fn epub(mut page: Document, choices: &mut Choices) -> Vec<u8> {
    let (pages, listed) = (1 + choices.count(PAGES), 1 + choices.count(MOST));
    let named = choices.below(3);
    let listed = listed.min(page.size / LISTED);
    page.size /= pages;
    html::content(&mut page, choices);
    let item = |page: usize| match named {
        0 => format!(
            "<item id=\"i{page}\" href=\"{page}.xhtml\" media-type=\"application/xhtml+xml\"/>"
        ),
        1 => format!("<item id=\"i{page}\" href=\"%2e/{page}.xhtml#a\" media-type=\"text/html\"/>"),
        _ => {
            format!("<item id=\"i{page}\" href=\"0.xhtml\" media-type=\"application/xhtml+xml\"/>")
        }
    };
    let items: String = (0..listed.max(pages)).map(item).collect();
    let refer = |number: usize| format!("<itemref idref=\"i{}\"/>", number % pages);
    let spine: String = (0..listed).map(refer).collect();
    let package = format!("<package><manifest>{items}</manifest><spine>{spine}</spine></package>");
    let names: Vec<String> = (0..pages).map(|page| format!("{page}.xhtml")).collect();
    let mut parts = vec![
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", CONTAINER),
        ("p.opf", &*package),
    ];
    parts.extend(names.iter().map(|name| (&**name, &*page.content)));
    written(&parts)
}

fn written(parts: &[(&str, &str)]) -> Vec<u8> {
    archive(parts.iter().map(|(name, content)| (*name, content.as_bytes())))
}

/// Returns the text of a run or a paragraph, which is mostly well-formed.
fn text(choices: &mut Choices) -> String {
    text_or(&["é\u{301}\u{fdfa}ß&#x20;&amp;", "<![CDATA[a<b]]>", "a<!-- b -->c"], choices)
}
