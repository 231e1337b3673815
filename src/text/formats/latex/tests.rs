use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

fn text(source: &str) -> String {
    read(source, None).unwrap().0.content().to_owned()
}

#[test]
fn words_are_read_and_commands_are_not() {
    #[rustfmt::skip]
    let table = [
        ("nothing",              "",                                               ""),
        ("prose",                "One two\nthree.",                                "One two\nthree.\n"),
        ("paragraphs",           "One\n\n\ntwo\\par three",                        "One\n\ntwo\n\nthree\n"),
        ("other line ends",      "one\r\ntwo\r\n\r\nthree",                        "one\ntwo\n\nthree\n"),
        ("indented",             "  one\n\ttwo",                                   "one\ntwo\n"),
        ("a part of a word",     "\\textbf{bold}ly {\\em un}do",                   "boldly undo\n"),
        ("a heading",            "\\section*[s]{One}\ntwo",                        "One\n\ntwo\n"),
        ("a note",               "one\\footnote{two \\emph{three}} four",          "one\ntwo three\nfour\n"),
        ("a caption",            "\\begin{figure}[ht]\\includegraphics[width=2cm]{a}\\caption[x]{One}\\label{a}\\end{figure}", "One\n"),
        ("items",                "\\begin{itemize}[noitemsep]\n\\item one\n\\item[two] three\\end{itemize}", "one\ntwo three\n"),
        ("a table",              "\\begin{tabular}{l|r}\\hline a & b \\\\[2pt]\nc & \\multicolumn{2}{c}{d}\\end{tabular}", "a\tb\nc\td\n"),
        ("a slide",              "\\begin{frame}<1->[fragile]{One}\\item<2-> two\\only<3>{three}\\end{frame}", "One\ntwothree\n"),
        ("a theorem",            "\\begin{theorem}[One]two\\end{theorem}",         "One two\n"),
        ("a list of references", "\\begin{thebibliography}{99}\\bibitem[A]{a} One\\end{thebibliography}", "One\n"),
        ("references",           "see~\\ref{a}, \\cite[p.~2][x]{b} and \\parencite{c}", "see , and\n"),
        ("links",                "\\href{http://a.b/%20}{one} \\url{http://a.b/%7e}", "one http://a.b/%7e\n"),
        ("no text",              "\\vspace{2cm}one\\setlength{\\parindent}{0pt}\\index{two}three", "onethree\n"),
        ("lengths",              "\\parindent=0pt \\vskip 2em plus 1fil one",      "one\n"),
        ("a name without braces", "\\setlength\\parindent{0pt}one",                "one\n"),
        ("an unknown command",   "\\unknown[a]{one}{two}",                         "onetwo\n"),
        ("switches",             "{\\bf one}\\noindent two",                       "onetwo\n"),
        ("comments",             "one % two\n% three\nfour%\n  five\n%\n\nsix",    "one fourfive\n\nsix\n"),
        ("no comment",           "10\\,\\% and \\# \\& \\$ \\_ \\{\\}",            "10 % and # & $ _ {}\n"),
        ("left out",             "one\\iffalse two \\fi{} three\\begin{comment}\nx\n\\end{comment}", "one three\n"),
        ("at the end",           "one\\\\two\\",                                    "one\ntwo\n"),
        ("brackets",             "[one] two [three",                               "[one] two [three\n"),
        ("options with braces",  "\\foo[a={]}]{one}",                              "one\n"),
        ("a broken word",        "hy\\-phen hy-\nphen",                            "hyphen hy-\nphen\n"),
    ];
    for (why, source, want) in table {
        assert_eq!(text(source), want, "{why}");
    }
}

#[test]
fn formulas_are_left_out_and_code_stands_as_it_is() {
    #[rustfmt::skip]
    let table = [
        ("in the text",          "a $x^2$-axis and \\(y\\)",                       "a -axis and\n"),
        ("with a dollar",        "a $\\$ \\text{b}$ c",                            "a b c\n"),
        ("displayed",            "a $$x\ny$$ b \\[z\\] c",                         "a b c\n"),
        ("in lines",             "a\n\\begin{align*}x&=y\\\\\n\\end{align*}\nb",   "a\nb\n"),
        ("never closed",         "pay $5 now\n\nthen $x$ \\(y\n\n\\)",             "pay $5 now\n\nthen y\n"),
        ("an environment, too",  "\\begin{equation}one",                           "one\n"),
        ("of another name",      "\\begin{align}\\end{align*}one\\end{align}two",  "two\n"),
        ("a name that ends so",  "\\begin{math}\\xend{math}\\end{math}one",        "one\n"),
        ("code",                 "\\begin{verbatim}\n  a  % b\n\\c\n\\end{verbatim}\nd", "  a  % b\n\\c\n\nd\n"),
        ("with settings",        "\\begin{lstlisting}[language=C]\nint a;\n\\end{lstlisting}", "int a;\n"),
        ("within a line",        "\\verb|a % {b| c \\lstinline[x=y]{d} \\mintinline{c}{e}", "a % {b c d e\n"),
        ("never closed",         "\\verb|a\nb|",                                   "|a\nb|\n"),
        ("words in a formula",   "a $x \\mbox{b \\emph{c}} \\textcolor{red}{y}\\textbf{d}$", "a b c d\n"),
        ("never closed in it",   "a $\\text{b$ c",                                 "a c\n"),
        ("a picture",            "a\\begin{picture}{b}\\end{picture} c",           "a c\n"),
        ("labels of a drawing",  "a\\begin{tikzpicture}\\node[red] (n) at (0,0) {b c};\\draw (n) -- node {d} (0,1);\\end{tikzpicture}", "a b c d\n"),
    ];
    for (why, source, want) in table {
        assert_eq!(text(source), want, "{why}");
    }
}

#[test]
fn white_letters_are_hidden() {
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &[&str])] = &[
        ("in a word",            "wo\\textcolor{white}{x}rd",                       "word\n",     &["x"]),
        ("of a model",           "wo\\textcolor[rgb]{1,1,1}{x}rd",                  "word\n",     &["x"]),
        ("with a space",         "one\\textcolor[HTML]{FFFFFF}{ x }two",            "one two\n",  &["x"]),
        ("another colour",       "wo\\textcolor{red}{r}d",                          "word\n",     &[]),
        ("up to a brace",        "a {\\color{white} x {y}} b",                      "a b\n",      &["xy"]),
        ("up to another",        "\\color{white}x \\color{black}a",                "a\n",        &["x"]),
        ("up to an end",         "\\begin{center}\\color{white}x\\end{center}a",   "a\n",        &["x"]),
        ("black in it",          "\\textcolor{white}{x \\textcolor{black}{a}}b",   "ab\n",       &["x"]),
        ("on black",             "\\colorbox{black}{\\textcolor{white}{a}}",       "a\n",        &[]),
        ("in a frame",           "\\fcolorbox{red}{blue}{\\color{white}a}",        "a\n",        &[]),
        ("on white",             "\\colorbox{white}{\\textcolor{white}{x}}a",      "a\n",        &["x"]),
        ("on a black page",      "\\documentclass{a}\\pagecolor{black}\\begin{document}\\color{white}a", "a\n", &[]),
        ("on a coloured row",    "\\begin{tabular}{l}\\rowcolor{blue}\\color{white}a\\end{tabular}", "a\n", &[]),
        ("in a coloured box",    "\\begin{tcolorbox}\\color{white}a\\end{tcolorbox}", "a\n",     &[]),
    ];
    for (why, source, want, hidden) in table {
        let (excerpt, read) = read(source, None).unwrap();
        assert_eq!(
            (excerpt.content(), read.hidden.iter().map(String::as_str).collect()),
            (*want, hidden.to_vec()),
            "{why}"
        );
    }
}

#[test]
fn words_stay_whole_and_are_read_where_they_are_kept() {
    #[rustfmt::skip]
    let table = [
        ("no space",             "wo\\hspace{0pt}rd",                               "word\n"),
        ("a space",              "one\\hspace{1em}two",                             "one two\n"),
        ("a kern",               "wo\\kern0ptrd",                                   "word\n"),
        ("nothing",              "wo\\relax{}rd",                                   "word\n"),
        ("a box",                "\\savebox{\\b}{one}\\sbox\\b{two}",             "onetwo\n"),
        ("at the end",           "\\documentclass{a}\\AtEndDocument{two}\\begin{document}one", "two\n\none\n"),
    ];
    for (why, source, want) in table {
        assert_eq!(text(source), want, "{why}");
    }
    assert_eq!(text("\\newcommand{\\a}[1]{one #1}\\a{two}"), "one two\n");
}

#[test]
fn letters_are_those_that_are_seen() {
    #[rustfmt::skip]
    let table = [
        ("accents",              "na\\\"ive caf\\'e \\^{o}\\~n \\v{s}\\c cb",       "naïve café ôñ šçb\n"),
        ("without a dot",        "\\'{\\i}\\\"\\j a",                               "íj\u{308}a\n"),
        ("on no letter",         "\\'{} \\'",                                       ""),
        ("letters",              "Stra\\ss e \\AE{}s \\O re",                       "Straße Æs Øre\n"),
        ("a longer name",        "\\index{a}\\sslash b",                            "b\n"),
        ("quotation marks",      "``one'' `two' don't \\enquote{three}",            "“one” ‘two' don't “three”\n"),
        ("dashes",               "a--b --- c-d",                                    "a–b — c-d\n"),
        ("two in one",           "?`one? !`two! <<three>>",                         "¿one? ¡two! «three»\n"),
        ("in German",            "\\documentclass[german]{a}\\begin{document}F\"u\"se \"`a\"' Haus\"-t\"ur \"w\"\\end{document}", "Füße „a“ Haustür \"w\"\n"),
        ("in English",           "F\"use",                                          "F\"use\n"),
        ("dots",                 "one\\ldots{} \\dots two",                         "one… …two\n"),
        ("a name",               "\\LaTeX{} is \\TeX",                              "LaTeX is TeX\n"),
    ];
    for (why, source, want) in table {
        assert_eq!(text(source), want, "{why}");
    }
}

#[test]
fn a_document_is_its_title_and_what_it_holds() {
    let source = "% \\begin{document}\n\\documentclass{article}\n\\newcommand{\\x}{\\title{no}}\n\
        \\title[s]{One \\thanks{to all}}\n\\author{A \\and B}\\date{May}\nno\n\
        \\begin{document}\n\\maketitle\ntwo\n\\end{document}\nno";
    assert_eq!(text(source), "One\nto all\n\nA B\n\ntwo\n");
    assert_eq!(text("\\documentclass{a}\none"), "one\n");
    assert_eq!(text("\\end{document}one\\begin{document}two"), "two\n");
}

#[test]
fn a_definition_of_words_is_read_where_it_is_used() {
    #[rustfmt::skip]
    let table = [
        ("words",             "\\newcommand{\\firm}{Acme \\textit{Ltd}}\\firm{} of \\firm.", "Acme Ltd of Acme Ltd.\n"),
        ("anew",              "\\newcommand\\a{one}\\renewcommand*{\\a}{two}\\a",            "two\n"),
        ("of TeX",            "\\def\\a#1{}\\a{one}two\\let\\b=\\a\\let\\c x three",         "twox three\n"),
        ("without arguments", "\\newcommand{\\todo}[1]{}one\\todo{two}three",                "onethree\n"),
        ("with arguments",    "\\newcommand{\\key}[2][x]{\\textbf{#2}}\\key[y]{one}",        "one\n"),
        ("of itself",         "\\newcommand{\\a}{\\a\\a}one\\a",                             "one\n"),
        ("in itself",         "\\newcommand{\\a}{\\newcommand{\\b}{c}}one\\a\\b",            "one\n"),
        ("of an environment", "\\newenvironment{a}[1]{one}{two}three",                       "three\n"),
        ("cut",               "\\newcommand{\\a}{one",                                       "one\n"),
        ("of nothing",        "\\newcommand one",                                            "one\n"),
    ];
    for (why, source, want) in table {
        assert_eq!(text(source), want, "{why}");
    }
    let source = format!("\\def\\a{{{}}}{}", "b".repeat(100), "\\a".repeat(100));
    assert!(matches!(read(&source, Some(9_000)), Err(ExtractError::TooLarge { max_bytes: 9_000 })));
    assert_eq!(text(&source).len(), 10_001);
    let long = "b".repeat(201);
    assert_eq!(text(&format!("\\def\\a{{{long}}}one\\a\\a")), format!("one{long}\n"), "once");
}

#[test]
fn quotations_are_where_they_stand() {
    let source = "one\\begin{quote}\ntwo \\begin{quotation}three\\end{quotation}\\end{quote}\n\
        \\blockquote[a]{four}\\end{quote}\\begin{quote}\\end{quote}five";
    let (excerpt, Extracted { quotes, .. }) = read(source, None).unwrap();
    let texts: Vec<&str> = quotes.iter().map(|quote| &excerpt.content()[quote.clone()]).collect();
    assert_eq!(texts, ["two\n\nthree", "four"]);
    assert_eq!(excerpt.content(), "one\n\ntwo\n\nthree\n\nfour\n\nfive\n");
}

#[test]
fn lists_of_references_are_where_they_stand() {
    let source = "one\\begin{thebibliography}{9}\n\\bibitem{a} Two.\n\\bibitem{b} Three.\n\
        \\end{thebibliography}four\\end{thebibliography}\\begin{thebibliography}{}\
        \\end{thebibliography}\\begin{thebibliography}five";
    let (excerpt, Extracted { references, quotes, .. }) = read(source, None).unwrap();
    let texts: Vec<&str> = references.iter().map(|it| &excerpt.content()[it.clone()]).collect();
    assert_eq!(texts, ["Two.\nThree."]);
    assert_eq!(excerpt.content(), "one\n\nTwo.\nThree.\n\nfour\n\nfive\n");
    assert!(quotes.is_empty());
}

#[test]
fn a_word_knows_its_place() {
    let source = "\\section{One}\n% no\ntwo\\footnote{caf\\'e}";
    let (excerpt, _) = read(source, None).unwrap();
    for (word, want) in [("One", "One"), ("two", "two"), ("caf", "caf"), ("é", "\\'e")] {
        let at = excerpt.content().find(word).unwrap();
        assert_eq!(&source[excerpt.source(at..at + word.len())], want);
    }
}

#[test]
fn a_document_says_what_it_is() {
    #[rustfmt::skip]
    let table = [
        ("a class",           "\\documentclass[a4paper]{article}",         true),
        ("behind comments",   "\u{feff}% a\n\n%b\n \\documentclass {a}",   true),
        ("the old way",       "\\documentstyle{article}",                  true),
        ("in a sentence",     "Write \\documentclass{article} first.",     false),
        ("a longer name",     "\\documentclasses{a}",                      false),
        ("only a comment",    "% a",                                       false),
        ("nothing",           "",                                          false),
    ];
    for (why, source, want) in table {
        assert_eq!(is_latex(source), want, "{why}");
    }
    #[rustfmt::skip]
    let table: &[(&str, &[u8], Option<&str>)] = &[
        ("named",     b"\\documentclass{a}\n\\usepackage[latin1]{inputenc}", Some("latin1")),
        ("otherwise", b"\\documentclass{a}\\usepackage[ latin9 ]{inputenc}", Some("iso-8859-15")),
        ("no class",  b"\\usepackage[latin1]{inputenc}",                     None),
        ("no name",   b"\\documentclass{a}\n]{inputenc}",                    None),
    ];
    for (why, source, want) in table {
        assert_eq!(declared_encoding(source), *want, "{why}");
    }
}

/// Fragments that open or close something, or look as if they do; arbitrary documents are composed
/// of them.
const PARTS: [&str; 44] = [
    "{",
    "}",
    "[",
    "]",
    "$",
    "$$",
    "\\(",
    "\\)",
    "\\[",
    "\\]",
    "%",
    "\n",
    "\n\n",
    " ",
    "a",
    "é",
    "\\",
    "\\\\",
    "\\begin",
    "\\end",
    "{equation}",
    "{verbatim}",
    "{quote}",
    "{document}",
    "{itemize}",
    "\\item",
    "\\verb",
    "|",
    "\\url",
    "\\href",
    "\\iffalse",
    "\\fi",
    "\\footnote",
    "\\label",
    "\\newcommand",
    "\\def",
    "#1",
    "\\x",
    "\\'",
    "\\i",
    "\\let",
    "\\enquote",
    "<1>",
    "\\title",
];

/// Checks that reading takes linear time, whichever two fragments are repeated, by a bound that
/// only a quadratic reader exceeds.
#[test]
fn what_is_never_closed_takes_no_longer() {
    let open = |part: &&&str| part.contains(['\\', '{', '[', '$', '%', '#']);
    let parts: Vec<&str> = PARTS.iter().filter(open).step_by(2).copied().collect();
    let pairs = parts.iter().flat_map(|first| PARTS.iter().map(move |second| [*first, *second]));
    let (mut worst, mut which) = (Duration::ZERO, String::new());
    for pair in pairs {
        let part = format!("{}{}", pair[0], pair[1]);
        let source = part.repeat(20_000 / part.len());
        let begun = Instant::now();
        let (excerpt, Extracted { quotes, .. }) = read(&source, None).unwrap();
        assert!(quotes.iter().all(|quote| quote.end <= excerpt.content().len()));
        if begun.elapsed() > worst {
            (worst, which) = (begun.elapsed(), part);
        }
    }
    // For 20 kB, a quadratic reader takes tens of seconds without optimisation, a linear one some
    // milliseconds.
    assert!(worst < Duration::from_secs(2), "{which:?}: {worst:?}");
}

proptest! {
    #[test]
    fn letters_stay_in_their_places(
        parts in proptest::collection::vec(proptest::sample::select(PARTS.to_vec()), 0..60),
    ) {
        let source = parts.concat();
        let (excerpt, Extracted { quotes, .. }) = read(&source, None).unwrap();
        let content = excerpt.content();
        prop_assert!(content.is_empty() || content.ends_with('\n'));
        prop_assert!(quotes.windows(2).all(|pair| pair[0].end <= pair[1].start));
        let mut behind = 0;
        for (at, letter) in content.char_indices().filter(|(_, letter)| letter.is_alphabetic()) {
            let place = excerpt.source(at..at + letter.len_utf8());
            prop_assert!(place.start >= behind, "{:?} of {:?}", letter, source);
            behind = place.start;
        }
    }
}
