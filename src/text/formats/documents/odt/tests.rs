use super::super::archive::tests::pack;
use super::*;

mod damage;
mod hiding;

/// Returns a document with automatic styles and a body.
fn document(styles: &str, body: &str) -> String {
    format!(
        "<office:document-content><office:automatic-styles>{styles}</office:automatic-styles>\
         <office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
}

fn read(parts: &[(&str, &str)]) -> Result<Extracted, ExtractError> {
    let parts: Vec<_> = parts.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    text("odt", &pack(&parts), &Bounds::default())
}

/// Extracts the text of a body with automatic styles.
fn styled(styles: &str, body: &str) -> Extracted {
    read(&[("content.xml", &document(styles, body))]).unwrap()
}

/// The slides of Impress are pages of frames, which contain their notes, too.
#[test]
fn slides_are_read_as_paragraphs() {
    let page = "<draw:page><draw:frame><draw:text-box><text:p>The <text:span>kettle</text:span></text:p>\
                <text:list><text:list-item><text:p>first point</text:p></text:list-item></text:list>\
                </draw:text-box></draw:frame></draw:page>\
                <draw:page><draw:frame><draw:text-box><text:p>second slide</text:p></draw:text-box>\
                </draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>said aloud</text:p>\
                </draw:text-box></draw:frame></presentation:notes></draw:page>";
    let content = format!(
        "<o><office:body><office:presentation>{page}</office:presentation></office:body></o>"
    );
    let read =
        text("odp", &pack(&[("content.xml", content.as_bytes())]), &Bounds::default()).unwrap();
    let lines: Vec<&str> = read.content.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines, ["The kettle", "first point", "second slide", "said aloud"]);
    let second = read.content.find("second").unwrap();
    assert_eq!(read.pages, [0, second]);
}

#[test]
fn the_words_of_a_label_stand_before_its_paragraph() {
    let styles = "<text:outline-style><text:outline-level-style text:level='1' style:num-prefix='Part '/></text:outline-style>\
        <text:list-style style:name='L'><text:list-level-style-number text:level='1' style:num-prefix='Article ' style:num-suffix='.'/>\
        <text:list-level-style-number text:level='2' style:num-prefix='(' style:num-suffix=') point'/></text:list-style>";
    let list = |inside: &str| format!("<text:list text:style-name='L'>{inside}</text:list>");
    let item = |inside: &str| format!("<text:list-item>{inside}</text:list-item>");
    let inner = format!("<text:list>{}</text:list>", item("<text:p>b</text:p>"));
    #[rustfmt::skip]
    let table = [
        ("a paragraph",      "<text:p>a</text:p>".to_owned(),                        "a\n"),
        ("an item",          list(&item("<text:p>a</text:p><text:p>b</text:p>")),    "Article  . a\nb\n"),
        ("an inner list",    list(&item(&("<text:p>a</text:p>".to_owned() + &inner))), "Article  . a\n( ) point b\n"),
        ("another list",     list("").replace("'L'", "'M'") + "<text:p>a</text:p>",  "a\n"),
        ("an empty item",    list(&item("")) + "<text:p>a</text:p>",                 "a\n"),
        ("a heading",        "<text:h text:outline-level='1'>a</text:h>".to_owned(), "Part a\n"),
        ("of another level", "<text:h text:outline-level='2'>a</text:h>".to_owned(), "a\n"),
    ];
    for (why, body, want) in table {
        assert_eq!(styled(styles, &body).content, want, "{why}");
    }
}

/// On a slide, a table is part of the text and frames are boxes; all of them belong to that slide.
#[test]
fn slides_end_where_the_next_one_begins() {
    let frame = |text: &str| {
        format!("<draw:frame><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>")
    };
    let page = |body: &str| format!("<draw:page>{body}</draw:page>");
    let pages = [
        page(&(frame("one") + "<text:p>cell</text:p>" + &frame("two"))),
        page(""),
        page(&("<text:p>three</text:p>".to_owned() + &frame("four"))),
    ];
    let read = |kind| {
        let content = format!("<o><office:body>{}</office:body></o>", pages.concat());
        text(kind, &pack(&[("content.xml", content.as_bytes())]), &Bounds::default()).unwrap()
    };
    let slides = read("odp");
    assert_eq!(
        (&*slides.content, slides.pages),
        ("cell\none\ntwo\nthree\nfour\n", vec![0, 13, 13])
    );
    assert!(read("odt").pages.is_empty());
}

#[test]
fn documents_of_real_programs_are_read() {
    let before = "Zoë opens the café at six, while the fishing boats still lie in the fog. \
She grinds the coffee, puts Süßgebäck and fresh croûtons on the counter, and chalks the soup of \
the day on a slate.
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
";
    let note = "The harbour master says that the fog was thicker in his father’s days.\n";
    let want = format!("The café at the harbour\n{before}{note}");
    let pandoc = include_bytes!("../../../../../tests/documents/pandoc.odt");
    let office = include_bytes!("../../../../../tests/documents/libreoffice.odt");
    for bytes in [&pandoc[..], office] {
        let read = text("odt", bytes, &Bounds::default()).unwrap();
        let content = read.content.replace("\n\t", "\n").replace("\n ", "\n");
        assert_eq!((content.as_str(), read.hidden), (&*want, Vec::new()));
    }
}

#[test]
fn text_is_read_in_its_order() {
    #[rustfmt::skip]
    let table = [
        ("nothing",         "", ""),
        ("no text",         "<text:p/><text:h></text:h>", "\n\n"),
        ("a word in spans", "<text:p>har<text:span>bo<text:span>u</text:span></text:span>r</text:p>", "harbour\n"),
        ("spaces",          "<text:p>a<text:s text:c='1000000000'/>b<text:s/>c</text:p>", "a b c\n"),
        ("marks",           "<text:p>a<text:tab/>b<text:line-break/>c<text:soft-page-break/>d</text:p>", "a\tb\ncd\n"),
        ("laid out",        "\n <text:p>a\n\tb</text:p>\n ", "a  b\n"),
        ("a list",          "<text:list><text:list-item><text:number>1.</text:number><text:p>a</text:p></text:list-item></text:list>", "a\n"),
        (
            "a table",
            "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>\
             <table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>",
            "a\nb\n",
        ),
        ("links, fields",   "<text:p><text:a>a</text:a> <text:page-number>7</text:page-number><text:title>b</text:title></text:p>", "a 7b\n"),
        ("a comment",       "<text:p>har<office:annotation><dc:creator>x</dc:creator><text:p>nice</text:p></office:annotation>bour</text:p>", "harbour\n"),
        (
            "deleted",
            "<text:tracked-changes><text:changed-region><text:deletion>\
             <text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>\
             <text:p>har<text:change/>bour</text:p>",
            "harbour\n",
        ),
        ("inserted",        "<text:p>a<text:change-start/>b<text:change-end/></text:p>", "ab\n"),
        ("read aloud",      "<text:p><text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>かん</text:ruby-text></text:ruby></text:p>", "漢\n"),
        (
            "an index",
            "<text:table-of-content><text:table-of-content-source>\
             <text:index-title-template>no</text:index-title-template></text:table-of-content-source>\
             <text:index-body><text:p>a</text:p></text:index-body></text:table-of-content>",
            "a\n",
        ),
        (
            "a box",
            "<text:p>har<draw:frame> <draw:text-box> <text:p>menu</text:p> </draw:text-box>\
             <svg:title>no</svg:title></draw:frame>bour</text:p>",
            "harbour\nmenu\n",
        ),
        ("a shape",         "<text:p>har<draw:custom-shape><text:p>menu</text:p><draw:enhanced-geometry/></draw:custom-shape>bour</text:p>", "harbour\nmenu\n"),
        ("a box by itself", "<draw:frame><draw:text-box><text:p>menu</text:p></draw:text-box></draw:frame><text:p>tea</text:p>", "tea\nmenu\n"),
        ("text elsewhere",  "tea<office:forms>tea</office:forms><text:p>a</text:p>tea", "a\n"),
    ];
    for (why, body, want) in table {
        let want = Extracted { content: want.to_owned(), ..Extracted::default() };
        assert_eq!(styled("", body), want, "{why}");
    }
}

#[test]
fn notes_follow_footnotes_first() {
    let note = |class: &str, text: &str| {
        format!(
            "<text:note text:note-class='{class}'><text:note-citation>9</text:note-citation>\
             <text:note-body><text:p>{text}</text:p></text:note-body></text:note>"
        )
    };
    let (end, first, second) =
        (note("endnote", "last"), note("footnote", "first"), note("footnote", "second"));
    let body = format!("<text:p>har{end}bour{first}</text:p><text:p>tea{second}</text:p>");
    let want = "harbour\ntea\nfirst\nsecond\nlast\n".to_owned();
    assert_eq!(styled("", &body), Extracted { content: want, ..Extracted::default() });
}
