use super::*;
use crate::text::formats::is_html;

/// Returns the text of the body of a page, and its hidden texts.
fn all(page: &str) -> (String, Vec<String>) {
    let read = read(page, Html::All).unwrap();
    (read.content, read.hidden)
}

#[test]
fn words_are_parted_as_they_are_on_the_page() {
    #[rustfmt::skip]
    let table = [
        ("nothing",                "",                                              ""),
        ("prose",                  "A page.",                                       "A page.\n"),
        ("white space",            " A \n  page. ",                                 "A page.\n"),
        ("paragraphs",             "<p>one<p>two",                                  "one\n\ntwo\n"),
        ("blocks in a row",        "<div>one</div><div>two</div>",                  "one\n\ntwo\n"),
        ("a block after prose",    "one<h2>two</h2>three",                          "one\n\ntwo\n\nthree\n"),
        ("a part of a word",       "<b>wo</b>rd<i></i>s",                           "words\n"),
        ("where a word may break", "wo<wbr>rd s&shy;o",                             "word s\u{ad}o\n"),
        ("a comment in a word",    "wo<!-- x -->rd",                                "word\n"),
        ("a break",                "one<br>two<br/>three",                          "one\ntwo\nthree\n"),
        ("a broken word",          "hy-<br>phen",                                   "hy-\nphen\n"),
        ("a hyphen in the source", "hy-\nphen",                                     "hy- phen\n"),
        ("two broken paragraphs",  "<p>hy-</p><p>phen</p>",                         "hy-\n\nphen\n"),
        ("items",                  "<ul><li>one<li>two</ul>three",                  "one\ntwo\n\nthree\n"),
        ("terms",                  "<dl><dt>one<dd>two</dl>",                       "one\ntwo\n"),
        ("a table",                "<table><tr><td>a<td>b<tr><th>c<td>d</table>e",  "a\tb\nc\td\n\ne\n"),
        ("lines that are kept",    "<pre>\na  b\n c</pre>d",                        "a  b\n c\n\nd\n"),
        ("an inline block",        "a<span style='display:block'>b</span>c",        "a\n\nb\n\nc\n"),
        ("a picture",              "one<img alt=x>two",                             "one two\n"),
        ("entities",               "a&amp;b caf&eacute; &#x41;&#66; &nbsp;c &x;",   "a&b caf\u{e9} AB \u{a0}c &x;\n"),
        ("small notes over words", "<ruby>\u{6f22}<rp>(<rt>kan<rp>)</ruby>\u{5b57}", "\u{6f22}\u{5b57}\n"),
        ("a power",                "x<sup>2</sup>",                                 "x2\n"),
        ("the mark of a note",     "word<sup><a href='#f'>1</a></sup> on",          "word on\n"),
        ("as pandoc marks it",     "word<a role=doc-noteref><sup>1</sup></a> on",   "word on\n"),
        ("the other way round",    "word<a href='#f'> <sup>1</sup></a> on",         "word on\n"),
        ("as books mark it",       "word<a epub:type=noteref href='b#f'>1</a> on",  "word on\n"),
        ("a term with a note",     "a <a epub:type=noteref href='b#f'>windlass</a>", "a windlass\n"),
        ("the way back",           "<p epub:type=a>1<a epub:type='x backlink'>2</a>", "1\n"),
        ("a link with a power",    "<a href='#f'>x<sup>2</sup></a> on",             "x2 on\n"),
        ("a power that is a link", "x<a href='b'><sup>2</sup></a> on",              "x2 on\n"),
        ("an open question",       "<details><summary>One</summary>two</details>",  "One\ntwo\n"),
        ("for eyes only",          "<p aria-hidden=true>One</p>",                   "One\n"),
        ("deleted, but there",     "<del>one</del> <ins>two</ins>",                 "one two\n"),
        ("hidden until found",     "<p hidden=until-found>One</p>",                 "One\n"),
        ("a drawing",              "one <svg><g><text>two <tspan>three</tspan></text></g></svg> four", "one two three four\n"),
        ("a label",                "<form><label>One <input value=x></label></form>", "One\n"),
    ];
    for (why, page, want) in table {
        assert_eq!(all(page), (want.to_owned(), vec![]), "{why}");
    }
}

#[test]
fn what_is_no_text_does_not_count() {
    #[rustfmt::skip]
    let table = [
        ("a script",           "<script>x</script>"),
        ("a sheet",            "<style>x{}</style>"),
        ("a template",         "<template><p>x</template>"),
        ("without scripts",    "<noscript><p>x</p></noscript>"),
        ("a drawing",          "<svg><title>x</title><desc>x</desc><defs><text>x</text></defs><path/><style>x</style></svg>"),
        ("its text",           "<img alt=x>"),
        ("a frame",            "<iframe>x</iframe>"),
        ("a film",             "<video>x</video>"),
        ("a drawing",          "<canvas>x</canvas>"),
        ("a choice",           "<select><option>x</select>"),
        ("a button",           "<button>x</button>"),
        ("a field",            "<textarea>x</textarea>"),
        ("suggestions",        "<datalist><option>x</datalist>"),
        ("navigation",         "<nav><p>x</nav>"),
        ("by its role",        "<ul role='navigation'><li>x</ul>"),
        ("a search",           "<search>x</search>"),
        ("the page's header",  "<header><h1>x</h1></header>"),
        ("by its role",        "<div role=banner>x</div>"),
        ("the page's footer",  "<footer>x</footer>"),
        ("by its role",        "<div role=contentinfo>x</div>"),
        ("beside the page",    "<aside>x</aside>"),
        ("a closed dialogue",  "<dialog>x</dialog>"),
        ("help to see less",   "<a class='skip-link' href='#main'>x</a>"),
        ("in another theme",   "<span class=screen-reader-text>x</span>"),
        ("contents",           "<nav id=TOC role=doc-toc>x</nav>"),
    ];
    for (why, page) in table {
        let page = format!("<title>x</title><p>one</p>{page}<p>two</p>");
        assert_eq!(all(&page), ("one\n\ntwo\n".to_owned(), vec![]), "{why}");
    }
}

#[test]
fn what_belongs_to_an_article_counts() {
    #[rustfmt::skip]
    let table = [
        ("its header",        "<article><header>one</header></article>"),
        ("its footer",        "<main><footer>one</footer></main>"),
        ("what is beside it", "<section><aside>one</aside></section>"),
        ("notes",             "<aside role=doc-endnotes>one</aside>"),
        ("a title block",     "<header id=title-block-header>one</header>"),
        ("an open dialogue",  "<dialog open>one</dialog>"),
        ("a class of others", "<p class=not-sr-only>one</p>"),
    ];
    for (why, page) in table {
        assert_eq!(all(page), ("one\n".to_owned(), vec![]), "{why}");
    }
    let help = "word ".repeat(21);
    let page = format!("<article class=tag-screen-reader>{help}</article>");
    assert_eq!(all(&page).0.split_whitespace().count(), 21, "a class that is no help");
}

/// On a page of a site, a header, a footer and an aside count only within an article.
#[test]
fn a_page_of_a_book_counts_as_a_whole() {
    let page = "<header><h1>one</h1></header><p>two</p><nav>x</nav>\
                <aside epub:type=footnote>three</aside><footer>four</footer>";
    assert_eq!(read_page_of_book(page).unwrap().content, "one\n\ntwo\n\nthree\n\nfour\n");
    assert_eq!(all(page).0, "two\n");
}

#[test]
fn a_page_without_text_has_its_title() {
    assert_eq!(all("<title> One &amp; two </title><nav>x</nav>").0, "One & two\n");
    assert_eq!(all("<title>One</title><p>two").0, "two\n");
    assert_eq!(all("<title></title><p>-"), (String::new(), vec![]), "no word at all");
    assert!(is_html("<p>") && declared_encoding(b"<p>").is_none());
}

#[test]
fn hidden_words_are_set_apart() {
    #[rustfmt::skip]
    let table = [
        ("by an attribute",       "<p hidden>x</p>"),
        ("none of it",            "<p style='display:none'>x</p>"),
        ("invisible",             "<p style='visibility:hidden'>x</p>"),
        ("clear",                 "<p style='opacity:0'>x</p>"),
        ("of no size",            "<p style='font-size:0'>x</p>"),
        ("of one pixel",          "<p style='font-size:1px'>x</p>"),
        ("white on white",        "<p style='color:#fff'>x</p>"),
        ("white on nothing",      "<p style='background:none;color:white'>x</p>"),
        ("in an old tag",         "<p><font color=white>x</font></p>"),
        ("white on a white cell", "<div style='background:#000'><p style='background:white;color:white'>x</p></div>"),
        ("black on black",        "<p style='background:#000;color:#000'>x</p>"),
        ("clear letters",         "<p style='color:transparent'>x</p>"),
        ("far off",               "<p style='position:absolute;left:-9999px'>x</p>"),
        ("indented away",         "<p style='text-indent:-9999px'>x</p>"),
        ("cut away",              "<p style='clip:rect(0,0,0,0)'>x</p>"),
        ("by a class",            "<style>.a{display:none}</style><p class='b a'>x</p>"),
        ("by an id",              "<style>#a{visibility:hidden}</style><p id=a>x</p>"),
        ("by a name",             "<style>b{font-size:0}</style><p><b>x</b></p>"),
        ("by name and class",     "<style>p.a{color:#fff}</style><p class=a>x</p>"),
        ("a sheet at the end",    "<p class=a>x</p><style>.a{display:none}</style>"),
        ("within another",        "<div hidden><p hidden>x</p></div>"),
        ("with marks",            "<p hidden><b>x</b></p>"),
        ("with a script",         "<p hidden>x<script>y</script></p>"),
    ];
    for (why, page) in table {
        let page = format!("<p>one</p>{page}<p>two</p>");
        assert_eq!(all(&page), ("one\n\ntwo\n".to_owned(), vec!["x\n".to_owned()]), "{why}");
    }
}

#[test]
fn a_page_that_hides_itself_shows_nothing() {
    #[rustfmt::skip]
    let table = [
        ("its body",              "<body hidden><p>x</p>"),
        ("all of it",             "<html hidden><p>x</p>"),
        ("by its style",          "<body style='display: none'><p>x</p>"),
        ("all of it so",          "<html style='display:none!important'><p>x</p>"),
        ("whatever is in it",     "<body hidden><p style='display:block'>x</p>"),
        ("and has a title",       "<title>one</title><body hidden><p>x</p>"),
    ];
    for (why, page) in table {
        assert_eq!(all(page), (String::new(), vec!["x\n".to_owned()]), "{why}");
    }
    for page in [
        "<body hidden style='display:block'><p>x",
        "<style>body{display:block}</style><body hidden><p>x",
    ] {
        assert_eq!(all(page), ("x\n".to_owned(), vec![]), "{page}");
    }
}

#[test]
fn what_may_be_seen_is_not_hidden() {
    #[rustfmt::skip]
    let table = [
        ("nothing",                    "<p>x</p>"),
        ("shown after all",            "<p hidden style='display:block'>x</p>"),
        ("shown in what is not",       "<div style='visibility:hidden'><p style='visibility:visible'>x</p></div>"),
        ("of a size in none",          "<div style='font-size:0'><p style='font-size:12px'>x</p></div>"),
        ("white on black",             "<div style='background:#000'><p style='color:#fff'>x</p></div>"),
        ("white on a black cell",      "<table bgcolor=black><tr><td><font color=white>x</font></table>"),
        ("white on a picture",         "<div style='background:url(a.png)'><p style='color:#fff'>x</p></div>"),
        ("white, with another sheet",  "<link rel=stylesheet href=a.css><p style='color:#fff'>x</p>"),
        ("clear letters on a picture", "<p style='background:linear-gradient(red,blue);color:transparent'>x</p>"),
        ("fading in",                  "<p style='opacity:0;transition:opacity 1s'>x</p>"),
        ("the page until it is ready", "<style>body{visibility:hidden;opacity:0;color:#fff}</style><p>x</p>"),
        ("shown at times",             "<style>.a{display:none}.b .a{display:block}</style><p class=a>x</p>"),
        ("on paper",                   "<style media=print>p{display:none}</style><p>x</p>"),
    ];
    for (why, page) in table {
        assert_eq!(all(page), ("x\n".to_owned(), vec![]), "{why}");
    }
}

#[test]
fn what_a_script_shows_is_not_reported() {
    #[rustfmt::skip]
    let table = [
        ("a dialogue",           "<div style='display:none'><p>Cookies?</p><button>Yes</button></div>"),
        ("navigation",           "<nav><ul hidden><li>x</ul></nav>"),
        ("navigation, hidden",   "<div hidden><nav>x</nav></div>"),
        ("no word",              "<p hidden>&times;</p>"),
        ("help",                 "<span class=sr-only style='clip:rect(0 0 0 0)'>opens a window</span>"),
    ];
    for (why, page) in table {
        assert_eq!(all(&format!("<p>one</p>{page}")), ("one\n".to_owned(), vec![]), "{why}");
    }
}

#[test]
fn hidden_letters_leave_a_word_whole() {
    let (content, hidden) =
        all("wo<span style='display:none'>x</span>rd <i style='font-size:0'>y</i>s");
    assert_eq!(content, "word s\n");
    assert_eq!(hidden, ["x\n", "y\n"]);
    let long = format!("<p>a</p><p class=sr-only hidden>{}</p>", "x ".repeat(21));
    assert_eq!(all(&long).1.len(), 1, "too long to be help");
}

#[test]
fn words_that_styles_may_hide_are_reported() {
    let unread = |page: &str| read(page, Html::All).unwrap().unread;
    let said =
        |count: usize, tag: &str| format!("{count} words that styles may hide or part: {tag}");
    let word = "wo<span class=s>x y</span>rd";
    #[rustfmt::skip]
    let sheets = [
        ("a condition",              "@supports (gap:0){.s{display:none}}",        true),
        ("of a wide screen",         "@media (min-width:1px){.s{display:none}}",   true),
        ("of a narrow one, or not",  "@media not print{.s{opacity:0}}",            true),
        ("in another",               "p .s{font-size:0}",                          true),
        ("white in another",         "p .s{color:#fff}",                           true),
        ("by its attribute",         "[class]{visibility:hidden}",                 true),
        ("by its place",             "p>:nth-child(1){display:none}",              true),
        ("by what is in it",         "p:has(b),span:not(.t){display:none}",        true),
        ("by its language",          ".s:lang(en){display:none}",                  true),
        ("a rule in a rule",         "p{color:red;& .s{display:none}}",            true),
        ("made small",               ".s{transform:scale(0)}",                     true),
        ("by a mask",                ".s{mask:url(a)}",                            true),
        ("by a filter",              ".s{filter:opacity(0)}",                      true),
        ("out of the screen",        ".s{position:absolute;left:-500px}",          true),
        ("nearly clear",             ".s{opacity:.05}",                            true),
        ("by an animation",          ".s{opacity:0;animation:a}",                  true),
        ("shown at times",           ".s{display:none} .s:hover{display:inline}",  true),
        ("by a variable",            ":root{--d:none} .s{display:var(--d)}",       true),
        ("of a variable size",       ".s{font-size:calc(1px*var(--d))}",           true),
        ("of a small share",         ".s{font-size:10%}",                          true),
        ("in a layer",               "@layer a{.s{display:none}}",                 true),
        ("of three parts",           "span.s.s{display:none}",                     true),
        ("under the pointer",        ".s:hover{display:none}",                     false),
        ("on paper",                 "@media print{.s{display:none}}",             false),
        ("on paper or so",           "@media print and (color){.s{display:none}}", false),
        ("in the dark",              "@media (prefers-color-scheme:dark){.s{color:#fff}}", false),
        ("in what is not there",     "ul .s{display:none}",                        false),
        ("before it",                ".s::before{display:none}",                   false),
        ("turned",                   ".s{transform:rotate(270deg)}",               false),
        ("moved a little",           ".s{transform:translateY(-1px)}",             false),
        ("of a colour elsewhere",    ".s{background:var(--d)}",                    false),
    ];
    for (why, sheet, is_said) in sheets {
        let page = format!("<style>{sheet}</style><p>{word}</p>");
        assert_eq!(unread(&page), is_said.then(|| said(2, "<span class=\"s\">")), "{why}");
        let page = format!("<style>{sheet}</style><p>{word} {}</p>", "one ".repeat(50));
        assert_eq!(unread(&page), None, "{why}, but few words");
        let page = format!("<style>{sheet}</style><p>one</p><div class=s><p>x y</div>");
        assert_eq!(unread(&page), None, "{why}, but a block");
    }
    let inline = "<p>wo<span style='display:inline-block;transform:scale(0)'>x</span>rd";
    assert_eq!(
        unread(inline),
        Some(said(1, "<span style=\"display:inline-block;transform:scale(0)\">"))
    );
    let external = "<link rel=stylesheet href=a.css><p>wo<span style='color:#fff'>x</span>rd";
    assert_eq!(unread(external), Some(said(1, "<span style=\"color:#fff\">")));
}

#[test]
fn hidden_spaces_part_words() {
    let read = |page: &str| {
        let read = read(page, Html::All).unwrap();
        (read.content, read.hidden.len(), read.unread.is_some())
    };
    #[rustfmt::skip]
    let table = [
        ("white",                  "one<i style='color:#fff'> </i>two",            ("one two\n", 0, false)),
        ("of one pixel",           "one<i style='font-size:1px'> </i>two",         ("one two\n", 0, true)),
        ("not there",              "one<i style='display:none'> </i>two",          ("one two\n", 0, true)),
        ("white, with letters",    "one<i style='color:#fff'> x</i>two",           ("one two\n", 1, false)),
        ("small, with letters",    "one<i style='font-size:1px'> x</i>two",        ("onetwo\n", 1, false)),
        ("before a space",         "one<i style='display:none'> </i> two",         ("one two\n", 0, true)),
        ("between paragraphs",     "<p>one</p><div hidden> </div><p>two",          ("one\n\ntwo\n", 0, false)),
    ];
    for (why, page, (content, hidden, is_said)) in table {
        assert_eq!(read(page), (content.to_owned(), hidden, is_said), "{why}");
    }
}

#[test]
fn white_letters_with_a_shadow_are_seen() {
    #[rustfmt::skip]
    let table = [
        ("a shadow",            "text-shadow: 1px 1px 2px #000",     true),
        ("an outline",          "-webkit-text-stroke: 1px black",    true),
        ("half dark",           "text-shadow: 0 0 3px rgba(0,0,0,.5)", true),
        ("none",                "text-shadow: none",                 false),
        ("behind the letters",  "text-shadow: 0 0 0 #000",           false),
        ("white as well",       "text-shadow: 0 0 2px white",        false),
        ("of their colour",     "text-shadow: 0 0 2px",              false),
    ];
    for (why, style, is_seen) in table {
        let (content, hidden) = all(&format!("<p style='color:#fff;{style}'>x"));
        assert_eq!((content.is_empty(), hidden.len()), (!is_seen, usize::from(!is_seen)), "{why}");
    }
}

#[test]
fn letters_in_reverse_are_marked() {
    let reversed = "one \u{202e}dna owt\u{202c} three\n";
    #[rustfmt::skip]
    let table = [
        ("an element",        "one <bdo dir=rtl>dna <b>owt</b></bdo> three",        reversed),
        ("a style",           "one <i style='unicode-bidi:bidi-override;direction:rtl'>dna owt</i> three", reversed),
        ("an isolated one",   "<style>i{direction:rtl;unicode-bidi:isolate-override}</style>one <i>dna owt</i> three", reversed),
        ("the other way",     "one <bdo dir=ltr>and</bdo> two",                     "one and two\n"),
        ("no override",       "one <i dir=rtl>and</i> two",                         "one and two\n"),
        ("hidden",            "one <bdo dir=rtl hidden>x</bdo> two",                "one two\n"),
        ("Hebrew",            "<bdo dir=rtl>\u{5d0}\u{5d1}</bdo>",                  "\u{5d0}\u{5d1}\n"),
    ];
    for (why, page, want) in table {
        assert_eq!(all(page).0, want, "{why}");
    }
}

/// Returns the block quotations of a page.
fn quotes(page: &str, part: Html) -> Vec<String> {
    let read = read(page, part).unwrap();
    read.quotes.into_iter().map(|quote| read.content[quote].to_owned()).collect()
}

#[test]
fn block_quotations_are_known() {
    #[rustfmt::skip]
    let table: &[(&str, &str, &[&str])] = &[
        ("none",                 "<p>one<p>two",                                          &[]),
        ("in the middle",        "<p>one<blockquote>two <b>three</b></blockquote>four",  &["two three"]),
        ("of two paragraphs",    "one<blockquote><p>two<p>three</blockquote>four",       &["two\n\nthree"]),
        ("two",                  "<blockquote>1</blockquote>2<blockquote>3</blockquote>", &["1", "3"]),
        ("one after the other",  "<blockquote>1</blockquote><blockquote>2</blockquote>", &["1", "2"]),
        ("one in another",       "<blockquote><blockquote>1</blockquote>2<blockquote>3</blockquote></blockquote>4", &["1\n\n2\n\n3"]),
        ("by its role",          "<div role=blockquote>one</div>two",                    &["one"]),
        ("without a word",       "one<blockquote> <img></blockquote>two",                &[]),
        ("hidden",               "one<blockquote hidden>two</blockquote>three",          &[]),
        ("not closed",           "one<blockquote>two",                                   &["two"]),
        ("in quotation marks",   "one <q>two</q>",                                       &[]),
    ];
    for (why, page, want) in table {
        assert_eq!(quotes(page, Html::All), *want, "{why}");
    }
}

#[test]
fn block_quotations_are_those_of_the_main_part() {
    let words = "kettle lid ".repeat(60);
    let page = format!(
        "<div>{words}</div><blockquote>other</blockquote>\
         <main><p>{words}</p><blockquote> said </blockquote><p>{words}</p></main>"
    );
    assert_eq!(quotes(&page, Html::Main), ["said"]);
    assert_eq!(quotes(&page, Html::All), ["other", "said"]);
    let page = page.replace("main>", "div>");
    assert!(quotes(&page, Html::Main).contains(&"said".to_owned()));
}

#[test]
fn many_block_quotations_take_no_longer() {
    let page = "<blockquote>1</blockquote>".repeat(50_000);
    assert_eq!(quotes(&page, Html::All).len(), 50_000);
}
