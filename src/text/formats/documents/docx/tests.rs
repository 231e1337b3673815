use super::super::archive::tests::pack;
use super::*;

mod damage;
mod hiding;

const RELATIONS: &str = r#"<Relationships>
<Relationship Id="1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/styles" Target="styles.xml"/>
<Relationship Id="2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes" Target="/word/footnotes.xml"/>
<Relationship Id="3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/endnotes" Target="endnotes.xml"/>
<Relationship Id="4" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/header" Target="header.xml"/>
</Relationships>"#;

/// Returns a document with this body, in the usual prefixes.
fn document(body: &str) -> String {
    format!("<w:document xmlns:w='w'><w:body>{body}</w:body></w:document>")
}

fn read(parts: &[(&str, &str)]) -> Result<Extracted, ExtractError> {
    let parts: Vec<_> = parts.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    text(&pack(&parts), &Bounds::default())
}

/// Extracts the text of a body without styles and notes.
fn extract(body: &str) -> Extracted {
    read(&[("word/document.xml", &document(body))]).unwrap()
}

/// Extracts the text of a body with styles.
fn styled(styles: &str, body: &str) -> Extracted {
    let styles = format!("<w:styles>{styles}</w:styles>");
    let relations = ("word/_rels/document.xml.rels", RELATIONS);
    read(&[("word/document.xml", &document(body)), relations, ("word/styles.xml", &styles)])
        .unwrap()
}

/// Returns a paragraph with one run.
fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

#[test]
fn documents_of_real_programs_are_read() {
    let body = "The café at the harbour
Zoë opens the café at six, while the fishing boats still lie in the fog. She grinds the coffee, \
puts Süßgebäck and fresh croûtons on the counter, and chalks the soup of the day on a slate.
By noon the tables by the window are taken, and whoever comes later sits on the steps in the sun.
a pot of mint tea
two bowls of fish soup
bread, butter and olives
Dish
Price
Fish soup
seven
Apple cake
three
In the evening she counts the coins, sweeps the floor and locks the blue door.
 The harbour master says that the fog was thicker in his father’s days.
";
    let pandoc = include_bytes!("../../../../../tests/documents/pandoc.docx");
    let office = include_bytes!("../../../../../tests/documents/libreoffice.docx");
    for bytes in [&pandoc[..], office] {
        let read = text(bytes, &Bounds::default()).unwrap();
        let content = read.content.replace("\n\t", "\n "); // after the number of the note
        assert_eq!((content.as_str(), read.hidden), (body, Vec::new()));
    }
}

#[test]
fn text_is_read_in_its_order() {
    #[rustfmt::skip]
    let table = [
        ("nothing",           "", ""),
        ("no text",           "<w:p/><w:p></w:p>", "\n\n"),
        ("a word in runs",    "<w:p><w:r><w:t>har</w:t></w:r><w:r><w:t>bour</w:t></w:r></w:p>", "harbour\n"),
        ("spaces",            "<w:p><w:r><w:t xml:space='preserve'>a </w:t></w:r><w:r><w:t>b</w:t></w:r></w:p>", "a b\n"),
        ("letters by number", "<w:p><w:r><w:t>caf&#233; &amp; tea</w:t></w:r></w:p>", "café & tea\n"),
        ("marks",             "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:cr/><w:t>d</w:t></w:r></w:p>", "a\tb\nc\nd\n"),
        (
            "a drop cap",
            "<w:p><w:pPr><w:framePr w:dropCap='drop' w:lines='3'/></w:pPr><w:r><w:t>N</w:t></w:r></w:p>\
             <w:p><w:r><w:t>obody</w:t></w:r></w:p>",
            "Nobody\n",
        ),
        (
            "in the margin",
            "<w:p><w:pPr><w:framePr w:dropCap='margin'/></w:pPr><w:r><w:t>N</w:t></w:r></w:p>\
             <w:p><w:r><w:t>obody</w:t></w:r></w:p>",
            "Nobody\n",
        ),
        ("a frame",           "<w:p><w:pPr><w:framePr w:dropCap='none'/></w:pPr><w:r><w:t>a</w:t></w:r></w:p><w:p><w:r><w:t>b</w:t></w:r></w:p>", "a\nb\n"),
        ("hyphens",           "<w:p><w:r><w:t>ice</w:t><w:noBreakHyphen/><w:t>cream</w:t><w:softHyphen/><w:t>s</w:t></w:r></w:p>", "ice\u{2011}cream\u{ad}s\n"),
        (
            "symbols",
            "<w:p><w:r><w:sym w:font='Symbol' w:char='F061'/><w:sym w:char='263A'/><w:sym w:char='0000'/>\
             <w:sym w:char='D800'/><w:sym/></w:r></w:p>",
            "α☺\n",
        ),
        (
            "letters of a font",
            "<w:p><w:r><w:rPr><w:rFonts w:ascii='Symbol'/></w:rPr><w:t>\u{f062}</w:t></w:r><w:r><w:t>\u{f062}</w:t></w:r></w:p>",
            "β\u{f062}\n",
        ),
        (
            "a list in a form",
            "<w:p><w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:ddList><w:result w:val='1'/><w:listEntry w:val='a'/>\
             <w:listEntry w:val='b'/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMDROPDOWN </w:instrText></w:r>\
             <w:r><w:fldChar w:fldCharType='end'/></w:r></w:p>",
            "b\n",
        ),
        ("word art",          "<w:p><w:r><w:t>a</w:t><w:pict><v:shape><v:textpath string='b c'/></v:shape></w:pict></w:r></w:p>", "a\nb c\n"),
        ("tab stops",         "<w:p><w:pPr><w:tabs><w:tab w:val='left'/></w:tabs></w:pPr><w:r><w:t>a</w:t></w:r></w:p>", "a\n"),
        (
            "a table",
            "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>\
             <w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
            "a\nb\n",
        ),
        (
            "links and fields",
            "<w:p><w:hyperlink><w:r><w:t>a</w:t></w:r></w:hyperlink>\
             <w:fldSimple w:instr='DATE'><w:r><w:t>b</w:t></w:r></w:fldSimple></w:p>",
            "ab\n",
        ),
        (
            "filled in",
            "<w:sdt><w:sdtPr><w:placeholder><w:t>no</w:t></w:placeholder></w:sdtPr>\
             <w:sdtContent><w:p><w:r><w:t>a</w:t></w:r></w:p></w:sdtContent></w:sdt>",
            "a\n",
        ),
        ("a formula",         "<w:p><m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath></w:p>", "x=1\n"),
        (
            "read aloud",
            "<w:p><w:r><w:ruby><w:rt><w:r><w:t>かん</w:t></w:r></w:rt>\
             <w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>",
            "漢\n",
        ),
        ("text elsewhere",    "tea<w:p>tea<w:r>tea<w:t>a</w:t></w:r></w:p>", "a\n"),
        ("other prefixes",    "<x:p><x:r><x:t>a</x:t></x:r></x:p><p><r><t>b</t></r></p>", "a\nb\n"),
    ];
    for (why, body, want) in table {
        let want = Extracted { content: want.to_owned(), ..Extracted::default() };
        assert_eq!(extract(body), want, "{why}");
    }
}

#[test]
fn what_is_changed_counts_as_it_is_after_the_change() {
    let run = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let deleted_end = "<w:pPr><w:rPr><w:del w:id='1'/></w:rPr></w:pPr>";
    #[rustfmt::skip]
    let table = [
        ("inserted",     format!("<w:p>{}<w:ins>{}</w:ins></w:p>", run("a"), run("b")), "ab\n"),
        ("deleted",      format!("<w:p>{}<w:del><w:r><w:delText>b</w:delText></w:r></w:del></w:p>", run("a")), "a\n"),
        ("as text",      format!("<w:p><w:del>{}<w:ins>{}</w:ins></w:del>{}</w:p>", run("a"), run("b"), run("c")), "c\n"),
        ("moved",        format!("<w:p><w:moveFrom>{0}</w:moveFrom></w:p><w:p><w:moveTo>{0}</w:moveTo></w:p>", run("a")), "\na\n"),
        ("a joint",      format!("<w:p>{deleted_end}{}</w:p><w:p>{}</w:p>", run("har"), run("bour")), "harbour\n"),
        (
            "end of a cell",
            format!(
                "<w:tbl><w:tr><w:tc><w:p>{deleted_end}{}</w:p></w:tc>\
                 <w:tc><w:p>{deleted_end}{}</w:p></w:tc></w:tr></w:tbl><w:p>{}</w:p>",
                run("a"), run("b"), run("c"),
            ),
            "a\nb\nc\n",
        ),
        ("before a table", format!("<w:p>{deleted_end}{}</w:p><w:tbl><w:tr><w:tc><w:p>{}</w:p></w:tc></w:tr></w:tbl>", run("a"), run("b")), "a\nb\n"),
        ("another look", "<w:p><w:r><w:rPr><w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange></w:rPr><w:t>a</w:t></w:r></w:p>".into(), "a\n"),
    ];
    for (why, body, want) in table {
        let want = Extracted { content: want.to_owned(), ..Extracted::default() };
        assert_eq!(extract(&body), want, "{why}");
    }
}

#[test]
fn fields_count_by_what_they_show() {
    let turn = |turn: &str| format!("<w:r><w:fldChar w:fldCharType='{turn}'/></w:r>");
    let (begin, separate, end) = (turn("begin"), turn("separate"), turn("end"));
    let code = "<w:r><w:instrText>PAGEREF x</w:instrText></w:r>";
    let run = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    #[rustfmt::skip]
    let table: [(&str, String, &str, &[&str]); 8] = [
        ("a field",        format!("{begin}{code}{separate}{}{end}{}", run("7"), run(" a")), "7 a\n", &[]),
        ("without result", format!("{begin}{code}{end}{}", run("a")), "a\n", &[]),
        ("in a result",    format!("{begin}{code}{separate}{}{begin}{code}{separate}{}{end}{}{end}", run("a"), run("b"), run("c")), "abc\n", &[]),
        ("in a code",      format!("{begin}{code}{begin}{separate}{}{end}{separate}{}{end}", run("b"), run("c")), "c\n", &["b"]),
        ("never ended",    format!("{begin}{code}{}", run(" shown")), "PAGEREF x shown\n", &[]),
        ("around a field", format!("{begin}{}{begin}{code}{separate}{}{end}", run("a"), run("7")), "a7\n", &[]),
        ("separated twice", format!("{begin}{separate}{separate}{}{end}{}", run("b"), run("c")), "bc\n", &[]),
        ("never begun",    format!("{separate}{end}{end}{}", run("a")), "a\n", &[]),
    ];
    for (why, runs, content, hidden) in table {
        let read = extract(&format!("<w:p>{runs}</w:p>"));
        assert_eq!((read.content.as_str(), read.hidden), (content, owned(hidden)), "{why}");
    }
}

/// Extracts the text of a body with a part that it refers to.
fn with_part(body: &str, kind: &str, part: &str, xml: &str) -> Extracted {
    let relations = format!(
        "<Relationships><Relationship Id='c' Type='x/{kind}' Target='{part}'/>\
         <Relationship Id='s' Type='x/styles' Target='styles.xml'/></Relationships>"
    );
    let styles = "<w:styles><w:style w:type='paragraph' w:styleId='H'><w:pPr><w:numPr><w:numId w:val='1'/></w:numPr></w:pPr></w:style>\
         <w:style w:type='paragraph' w:styleId='I'><w:basedOn w:val='H'/></w:style></w:styles>";
    read(&[
        ("word/document.xml", &document(body)),
        ("word/_rels/document.xml.rels", &relations),
        ("word/styles.xml", styles),
        (&format!("word/{part}"), xml),
    ])
    .unwrap()
}

#[test]
fn the_words_of_a_label_stand_before_its_paragraph() {
    let lists = "<w:numbering><w:abstractNum w:abstractNumId='5'>\
         <w:lvl w:ilvl='0'><w:lvlText w:val='Chapter %1'/></w:lvl>\
         <w:lvl w:ilvl='1'><w:pStyle w:val='I'/><w:lvlText w:val='Article %1.%2'/></w:lvl>\
         <w:lvl w:ilvl='2'><w:lvlText w:val='%3)'/></w:lvl></w:abstractNum>\
         <w:num w:numId='1'><w:abstractNumId w:val='5'/></w:num>\
         <w:num w:numId='2'><w:abstractNumId w:val='5'/><w:lvlOverride w:ilvl='0'><w:lvl w:ilvl='0'>\
         <w:lvlText w:val='Part'/></w:lvl></w:lvlOverride></w:num></w:numbering>";
    let paragraph =
        |properties: &str| format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>a</w:t></w:r></w:p>");
    let listed = |list: u32, level: u32| {
        paragraph(&format!("<w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='{list}'/></w:numPr>"))
    };
    #[rustfmt::skip]
    let table = [
        ("the first level",       listed(1, 0),                          "Chapter a\n"),
        ("the second one",        listed(1, 1),                          "Article . a\n"),
        ("only a number",         listed(1, 2),                          "a\n"),
        ("no such level",         listed(1, 8),                          "a\n"),
        ("a list of its own",     listed(2, 0),                          "Part a\n"),
        ("no such list",          listed(3, 0),                          "a\n"),
        ("the list of a style",   paragraph("<w:pStyle w:val='H'/>"),    "Chapter a\n"),
        ("that of its parent",    paragraph("<w:pStyle w:val='I'/>"),    "Article . a\n"),
        ("none in a style",       paragraph("<w:pStyle w:val='H'/><w:numPr><w:numId w:val='0'/></w:numPr>"), "a\n"),
    ];
    for (why, body, want) in table {
        let read = with_part(&body, "numbering", "numbering.xml", lists);
        assert_eq!(read.content, want, "{why}");
    }
}

#[test]
fn a_control_shows_what_it_is_bound_to() {
    let data = "<b:book xmlns:b='x'><b:title>The Old Harbour Café</b:title><b:date>2020-01-01</b:date>\
         <b:title>On the Quay Again</b:title></b:book>";
    let control = |xpath: &str, text: &str| {
        format!(
            "<w:p><w:sdt><w:sdtPr><w:dataBinding w:xpath='{xpath}'/></w:sdtPr>\
             <w:sdtContent><w:r><w:t>{text}</w:t></w:r></w:sdtContent></w:sdt></w:p>"
        )
    };
    #[rustfmt::skip]
    let table = [
        ("the same",         control("/b:book[1]/b:title[1]", "The Old  Harbour Café"), "The Old  Harbour Café\n"),
        ("another text",     control("/b:book/b:title", "nothing"),          "nothing\nThe Old Harbour Café\n"),
        ("the second",       control("/b:book[1]/b:title[2]", "nothing"),    "nothing\nOn the Quay Again\n"),
        ("a date",           control("/b:book[1]/b:date[1]", "1 January"),   "1 January\n"),
        ("no such element",  control("/b:book[1]/b:name[1]", "nothing"),     "nothing\n"),
        (
            "without a content",
            control("/b:book/b:title", "nothing").replace("sdtContent", "sdt")
                + "<w:p><w:sdt><w:sdtPr/><w:sdtContent><w:r><w:t>a</w:t></w:r></w:sdtContent></w:sdt></w:p>",
            "nothing\na\n",
        ),
        ("another path",     control("//b:title[@a]", "nothing"),            "nothing\n"),
    ];
    for (why, body, want) in table {
        let read = with_part(&body, "customXml", "item1.xml", data);
        assert_eq!(read.content, want, "{why}");
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn a_text_box_counts_once_and_parts_no_word() {
    let boxed = |text: &str| {
        format!(
            "<w:drawing><wps:txbx><w:txbxContent>{}</w:txbxContent></wps:txbx></w:drawing>",
            paragraph(text)
        )
    };
    let around = |inner: &str| {
        format!("<w:p><w:r><w:t>har</w:t></w:r><w:r>{inner}</w:r><w:r><w:t>bour</w:t></w:r></w:p>")
    };
    let twice = |choice: &str, fallback: &str| {
        format!(
            "<mc:AlternateContent><mc:Choice Requires='wps'>{choice}</mc:Choice><mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
        )
    };
    let (one, two) = (boxed("menu"), boxed("soup"));
    #[rustfmt::skip]
    let table = [
        ("alone",            around(&one),                       "harbour\nmenu\n"),
        ("given twice",      around(&twice(&one, &one)),         "harbour\nmenu\n"),
        ("only for old",     around(&twice("<w:pict/>", &one)),  "harbour\nmenu\n"),
        ("two of them",      around(&format!("{}{}", twice(&one, &one), twice(&two, &two))), "harbour\nmenu\nsoup\n"),
        ("in another",       around(&boxed(&format!("menu{}", "</w:t>").replace("</w:t>", ""))), "harbour\nmenu\n"),
        ("outside",          twice(&paragraph("a"), &paragraph("b")), "a\n"),
    ];
    for (why, body, want) in table {
        let want = Extracted { content: want.to_owned(), ..Extracted::default() };
        assert_eq!(extract(&body), want, "{why}");
    }
}

#[test]
fn notes_follow_in_the_order_of_their_references() {
    let note = |kind: &str, id: &str, text: &str| {
        format!("<w:{kind} w:id='{id}'>{}</w:{kind}>", paragraph(text))
    };
    let feet = [
        note("footnote", "1", "first"),
        note("footnote", "2", "second"),
        note("footnote", "9", "lost"),
    ];
    let ends =
        [note("endnote", "1", "last"), "<w:endnote w:type='separator' w:id='0'/>".to_owned()];
    let refer = |kind: &str, id: &str| format!("<w:r><w:{kind}Reference w:id='{id}'/></w:r>");
    let body = format!(
        "<w:p><w:r><w:t>tea</w:t></w:r>{}{}{}</w:p><w:p>{}{}<w:del>{}</w:del></w:p>",
        refer("endnote", "1"),
        refer("footnote", "2"),
        refer("footnote", "2"),
        refer("footnote", "1"),
        refer("footnote", "7"),
        refer("footnote", "9"),
    );
    let read = read(&[
        ("word/document.xml", &document(&body)),
        ("word/_rels/document.xml.rels", RELATIONS),
        ("word/footnotes.xml", &format!("<w:footnotes>{}</w:footnotes>", feet.concat())),
        ("word/endnotes.xml", &format!("<w:endnotes>{}</w:endnotes>", ends.concat())),
        ("word/header.xml", &paragraph("on each page")),
        ("word/comments.xml", &paragraph("nice")),
    ]);
    let read = read.unwrap();
    assert_eq!(read.content, "tea\n\nsecond\nfirst\nlast\n");
    assert_eq!(read.hidden, ["lost\n"]);
}

/// Returns a document that refers to an embedded one between two paragraphs.
fn with_chunk(part: &str, chunk: &[u8]) -> Vec<u8> {
    let body = format!("{}<w:altChunk r:id='c'/>{}", paragraph("one"), paragraph("two"));
    let relations = format!(
        "<Relationships><Relationship Id='c' Type='x/aFChunk' Target='{part}'/></Relationships>"
    );
    pack(&[
        ("word/document.xml", document(&body).as_bytes()),
        ("word/_rels/document.xml.rels", relations.as_bytes()),
        (&format!("word/{part}"), chunk),
    ])
}

#[test]
fn an_embedded_document_is_read_in_its_place_or_reported() {
    let word = pack(&[("word/document.xml", document(&paragraph("tea")).as_bytes())]);
    let hides = "<html><p>tea<p hidden>milk</html>";
    let unread = Some("an embedded document in it was not read, or only once");
    let latin = b"<html><meta charset=windows-1252><p>caf\xe9</html>";
    #[rustfmt::skip]
    let table: [(&str, &str, &[u8], &str, Option<&str>); 12] = [
        ("a web page",         "a.htm",  b"<html><p>tea<p>milk</html>",  "one\ntea\n\nmilk\ntwo\n", None),
        ("a part of one",      "a.HTML", b"tea",                         "one\ntea\ntwo\n",          None),
        ("with hidden text",   "a.html", hides.as_bytes(),               "one\ntea\ntwo\n",          None),
        ("in another encoding", "a.htm", latin,                          "one\ncaf\u{e9}\ntwo\n",    None),
        ("plain text",         "a.txt",  b"tea\n",                       "one\ntea\ntwo\n",          None),
        ("RTF",                "a.rtf",  b"{\\rtf1 tea}",                "one\ntea\ntwo\n",          None),
        ("a Word document",    "a.docx", &word,                          "one\ntea\ntwo\n",          None),
        ("one in that",        "a.docx", &with_chunk("a.txt", b"tea"),   "one\none\ntwo\ntwo\n",     unread),
        ("an archive page",    "a.mht",  b"MIME-Version: 1.0",           "one\ntwo\n",               unread),
        ("a PDF",              "a.txt",  b"%PDF-1.7",                    "one\ntwo\n",               unread),
        ("an unknown encoding", "a.txt", b"caf\xe9",                     "one\ntwo\n",               unread),
        ("damaged",            "a.rtf",  b"{\\rtf1 tea",                 "one\ntwo\n",               unread),
    ];
    for (why, part, chunk, want, unread) in table {
        let read = text(&with_chunk(part, chunk), &Bounds::default()).unwrap();
        assert_eq!((&*read.content, read.unread.as_deref()), (want, unread), "{why}");
        let hidden: &[&str] = if why == "with hidden text" { &["milk"] } else { &[] };
        assert_eq!(read.hidden.iter().map(|it| it.trim()).collect::<Vec<_>>(), hidden, "{why}");
    }
    let missing = extract(&format!("{}<w:altChunk r:id='c'/>", paragraph("one")));
    assert_eq!((&*missing.content, missing.unread.as_deref()), ("one\n", unread));
    // A note refers to documents by the relations of its own part.
    let note = "<w:footnote w:id='2'><w:p><w:r><w:t>see</w:t></w:r></w:p><w:altChunk r:id='c'/></w:footnote>";
    let mark = "<w:p><w:r><w:t>one</w:t><w:footnoteReference w:id='2'/></w:r></w:p>";
    let relations = "<Relationships><Relationship Id='c' Type='x/aFChunk' Target='a.txt'/>\
        <Relationship Id='f' Type='x/footnotes' Target='footnotes.xml'/></Relationships>";
    let noted = pack(&[
        ("word/document.xml", document(mark).as_bytes()),
        ("word/_rels/document.xml.rels", relations.as_bytes()),
        ("word/footnotes.xml", format!("<w:footnotes xmlns:w='x'>{note}</w:footnotes>").as_bytes()),
        ("word/a.txt", b"tea"),
    ]);
    let noted = text(&noted, &Bounds::default()).unwrap();
    assert_eq!(noted.unread.as_deref(), unread);
    assert!(!noted.content.contains("tea"), "{}", noted.content);
}

#[test]
fn embedded_documents_are_unpacked_within_the_limit_of_the_whole() {
    let word = pack(&[("word/document.xml", document(&paragraph(&"tea ".repeat(400))).as_bytes())]);
    let bytes = with_chunk("a.docx", &word);
    let read = |max_bytes| text(&bytes, &Bounds { unpacked: Some(max_bytes), ..Bounds::default() });
    assert!(read(10_000).is_ok());
    assert_eq!(read(2000).unwrap_err().to_string(), "unpacks to more than the limit of 2000 bytes");
}
