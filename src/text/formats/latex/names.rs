//! The commands and environments that are known by their names, and what each does to the text.

use super::super::html::Gap;

/// What a command does to the text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Role {
    /// It stands for characters.
    Text(&'static str),
    /// It puts an accent, reported by the character of its command, on the next letter.
    Accent(char),
    Begin,
    End,
    /// It defines a command: `\newcommand`.
    Definition,
    /// It defines a command as TeX itself does: `\def`.
    Def,
    Let,
    /// Its argument is a paragraph of its own.
    Heading,
    /// Its argument stands elsewhere on the page.
    Note,
    /// Its argument stands in quotation marks.
    Quoted,
    BlockQuote,
    Item,
    /// It parts the text.
    Part(Gap),
    /// It changes how the text looks that follows.
    Switch,
    /// A length follows on it.
    Length,
    /// So many arguments of it are no text.
    LeftOut(usize),
    /// The same, and it parts the text.
    LeftOutSpace(usize),
    /// Its arguments are text.
    Unknown,
}

/// What a command does.
pub(super) fn role(name: &str) -> Role {
    if let Some(text) = character(name) {
        return Role::Text(text);
    }
    if let [accent @ (b'c' | b'v' | b'u' | b'H' | b'r' | b'k' | b'd' | b'b')] = name.as_bytes() {
        return Role::Accent(char::from(*accent));
    }
    let is_citation =
        name.ends_with("cite") || name.starts_with("cite") || name.starts_with("Cite");
    match name {
        "begin" => Role::Begin,
        "end" => Role::End,
        "newcommand" | "renewcommand" | "providecommand" | "DeclareRobustCommand" => {
            Role::Definition
        }
        "def" | "gdef" | "edef" | "xdef" => Role::Def,
        "let" | "futurelet" => Role::Let,
        "part" | "chapter" | "section" | "subsection" | "subsubsection" | "paragraph"
        | "subparagraph" | "addchap" | "addsec" | "minisec" | "caption" | "subcaption"
        | "frametitle" | "framesubtitle" | "title" | "subtitle" | "author" => Role::Heading,
        "footnote" | "footnotetext" | "thanks" | "endnote" | "marginpar" | "sidenote"
        | "marginnote" => Role::Note,
        "enquote" | "textquote" => Role::Quoted,
        "blockquote" => Role::BlockQuote,
        "item" => Role::Item,
        "bibitem" => Role::LeftOutSpace(1),
        "par" | "newpage" | "clearpage" | "cleardoublepage" | "pagebreak" | "bigskip"
        | "medskip" | "smallskip" | "maketitle" => Role::Part(Gap::Paragraph),
        "newline" | "linebreak" | "tabularnewline" | "hline" | "toprule" | "midrule"
        | "bottomrule" | "endhead" | "endfirsthead" | "endfoot" => Role::Part(Gap::Line),
        "and" | "quad" | "qquad" | "hfill" | "enspace" | "thinspace" | "space" | "xspace"
        | "nobreakspace" | "hfil" | "dotfill" => Role::Part(Gap::Space),
        "bf" | "it" | "sc" | "sl" | "tt" | "rm" | "sf" | "em" | "bfseries" | "mdseries"
        | "itshape" | "slshape" | "scshape" | "upshape" | "ttfamily" | "sffamily" | "rmfamily"
        | "normalfont" | "tiny" | "scriptsize" | "footnotesize" | "small" | "normalsize"
        | "large" | "Large" | "LARGE" | "huge" | "Huge" | "centering" | "raggedright"
        | "raggedleft" | "noindent" | "protect" | "relax" => Role::Switch,
        "vskip" | "hskip" | "kern" | "parindent" | "parskip" | "baselineskip" | "textwidth"
        | "textheight" | "oddsidemargin" | "evensidemargin" | "topmargin" | "hsize" | "vsize"
        | "leftskip" | "rightskip" | "tabcolsep" => Role::Length,
        "hspace" | "vspace" | "ensuremath" | "includegraphics" | "includepdf" => {
            Role::LeftOutSpace(1)
        }
        _ if is_citation => Role::LeftOut(1),
        _ => match left_out(name) {
            0 => Role::Unknown,
            arguments => Role::LeftOut(arguments),
        },
    }
}

/// Whether a command says what the title page has.
pub(super) fn is_title(name: &str) -> bool {
    matches!(name, "title" | "subtitle" | "author")
}

/// How many arguments of a command are no text, from the first; 0 of one that is not known.
fn left_out(name: &str) -> usize {
    match name {
        // References.
        "label" | "ref" | "eqref" | "pageref" | "autoref" | "nameref" | "cref" | "Cref"
        | "vref" | "Vref" | "labelcref" | "fref" | "tag" | "index" | "glossary"
        | "hypertarget" | "hyperlink" | "bibliography" | "bibliographystyle"
        | "addbibresource"
        // Files.
        | "input" | "include" | "includeonly" | "subfile" | "import" | "usepackage"
        | "RequirePackage" | "documentclass" | "documentstyle" | "includesvg"
        | "graphicspath" | "lstinputlisting" | "verbatiminput" | "usetheme"
        | "usecolortheme" | "usetikzlibrary"
        // Layout.
        | "pagestyle" | "thispagestyle" | "pagenumbering" | "hypersetup" | "geometry"
        | "color" | "pagecolor" | "hyphenation" | "selectlanguage" | "newcounter"
        | "stepcounter" | "refstepcounter" | "newlength" | "captionsetup" | "setstretch"
        | "linespread" | "tikzset" | "pgfplotsset" | "lstset" | "theoremstyle"
        | "setmainfont" | "setsansfont" | "setmonofont" | "setmainlanguage"
        | "setotherlanguage" | "fontfamily" | "fontseries" | "fontshape" | "cline"
        | "cmidrule" | "date" | "ding" | "symbol" | "PassOptionsToPackage"
        // Headers and footers, which stand on every page, and what is not shown at all.
        | "markright" | "lhead" | "chead" | "rhead" | "lfoot" | "cfoot" | "rfoot"
        | "fancyhead" | "fancyfoot" | "fancyhf" | "phantom" | "hphantom" | "vphantom"
        | "AtBeginDocument" | "AtEndDocument" | "write" | "special"
        // The last argument is text.
        | "href" | "textcolor" | "colorbox" | "parbox" | "raisebox" | "scalebox"
        | "rotatebox" | "foreignlanguage" | "captionof" => 1,
        // References.
        "crefrange" | "Crefrange"
        // Files.
        | "inputminted"
        // Layout.
        | "setlength" | "addtolength" | "setcounter" | "addtocounter" | "settowidth"
        | "fontsize" | "rule" | "numberwithin" | "setbeamertemplate" | "setbeamercolor"
        | "setbeamerfont" | "addtocontents" | "colorlet"
        // Headers and footers, which stand on every page, and what is not shown at all.
        | "markboth"
        // The last argument is text.
        | "fcolorbox" | "resizebox" | "multicolumn" | "multirow"
        // Definitions.
        | "DeclareMathOperator" | "newtheorem" | "sbox" | "savebox" | "newglossaryentry" => 2,
        // Layout.
        "definecolor" | "addcontentsline"
        // Definitions.
        | "newenvironment" | "renewenvironment" | "NewDocumentCommand"
        | "RenewDocumentCommand" | "newacronym" => 3,
        _ => 0,
    }
}

/// What the characters are that a command stands for.
fn character(name: &str) -> Option<&'static str> {
    Some(match name {
        "ss" => "ß",
        "SS" => "ẞ",
        "ae" => "æ",
        "AE" => "Æ",
        "oe" => "œ",
        "OE" => "Œ",
        "o" => "ø",
        "O" => "Ø",
        "aa" => "å",
        "AA" => "Å",
        "l" => "ł",
        "L" => "Ł",
        "i" => "ı",
        "j" => "ȷ",
        "dh" => "ð",
        "DH" => "Ð",
        "th" => "þ",
        "TH" => "Þ",
        "dj" => "đ",
        "DJ" => "Đ",
        "ng" => "ŋ",
        "NG" => "Ŋ",
        "ldots" | "dots" | "textellipsis" => "…",
        "textendash" => "–",
        "textemdash" => "—",
        "lq" | "textquoteleft" => "‘",
        "rq" | "textquoteright" => "’",
        "textquotedblleft" | "grqq" => "“",
        "textquotedblright" => "”",
        "glqq" | "quotedblbase" => "„",
        "flqq" | "guillemotleft" | "og" => "«",
        "frqq" | "guillemotright" | "fg" => "»",
        "S" | "textsection" => "§",
        "P" => "¶",
        "copyright" | "textcopyright" => "©",
        "textregistered" => "®",
        "texttrademark" => "™",
        "pounds" | "textsterling" => "£",
        "euro" | "texteuro" => "€",
        "textdegree" => "°",
        "textbullet" => "•",
        "textbar" => "|",
        "textless" => "<",
        "textgreater" => ">",
        "textbackslash" => "\\",
        "textunderscore" => "_",
        "slash" => "/",
        "TeX" => "TeX",
        "LaTeX" => "LaTeX",
        "LaTeXe" => "LaTeX2e",
        "BibTeX" => "BibTeX",
        "XeTeX" => "XeTeX",
        _ => return None,
    })
}

/// The combining mark of an accent.
pub(super) fn combining(accent: char) -> Option<char> {
    Some(match accent {
        '`' => '\u{300}',
        '\'' => '\u{301}',
        '^' => '\u{302}',
        '~' => '\u{303}',
        '=' => '\u{304}',
        'u' => '\u{306}',
        '.' => '\u{307}',
        '"' => '\u{308}',
        'r' => '\u{30a}',
        'H' => '\u{30b}',
        'v' => '\u{30c}',
        'd' => '\u{323}',
        'c' => '\u{327}',
        'k' => '\u{328}',
        'b' => '\u{331}',
        _ => return None,
    })
}

/// What characters stand for that TeX joins; none for themselves.
pub(super) fn mark(written: &str) -> Option<&'static str> {
    Some(match written {
        "--" => "–",
        "---" => "—",
        "`" => "‘",
        "``" => "“",
        "''" => "”",
        "<<" => "«",
        ">>" => "»",
        "?`" => "¿",
        "!`" => "¡",
        _ => return None,
    })
}

/// What a quotation mark and a letter stand for in German (babel).
pub(super) fn german(letter: char) -> Option<&'static str> {
    Some(match letter {
        'a' => "ä",
        'o' => "ö",
        'u' => "ü",
        'A' => "Ä",
        'O' => "Ö",
        'U' => "Ü",
        's' | 'z' => "ß",
        '`' => "„",
        '\'' => "“",
        '<' => "«",
        '>' => "»",
        '=' | '~' => "-",
        // Where a word may be broken.
        '-' | '|' | '"' => "",
        _ => return None,
    })
}

/// An environment.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Environment {
    /// How many of its arguments are no text, from the first.
    pub(super) arguments: usize,
    /// Whether what stands in brackets is text.
    pub(super) is_titled: bool,
    pub(super) is_quote: bool,
}

/// What an environment is that is read command by command.
pub(super) fn environment(name: &str) -> Environment {
    let arguments = match name {
        "tabular" | "longtable" | "supertabular" | "tabu" | "minipage" | "multicols"
        | "thebibliography" | "spacing" | "otherlanguage" | "subfigure" | "subtable"
        | "adjustbox" | "column" | "textblock" | "varwidth" => 1,
        "tabular*" | "tabularx" | "tabulary" | "wrapfigure" | "wraptable" | "adjustwidth"
        | "changemargin" | "list" => 2,
        _ => 0,
    };
    let is_titled = matches!(
        name.trim_end_matches('*'),
        "theorem"
            | "lemma"
            | "proof"
            | "definition"
            | "corollary"
            | "proposition"
            | "remark"
            | "example"
    );
    let is_quote =
        matches!(name, "quote" | "quotation" | "displayquote" | "displaycquote" | "blockquote");
    Environment { arguments, is_titled, is_quote }
}

/// What an environment is in one piece.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Whole {
    Formula,
    /// It is shown as it is written.
    Code,
    /// It is no text.
    LeftOut,
}

/// Of an environment that is read in one piece, without its star, what it is.
pub(super) fn whole(name: &str) -> Option<Whole> {
    Some(match name {
        "equation" | "align" | "alignat" | "flalign" | "gather" | "multline" | "eqnarray"
        | "displaymath" | "math" | "dmath" | "IEEEeqnarray" | "array" => Whole::Formula,
        "verbatim" | "Verbatim" | "lstlisting" | "minted" | "alltt" => Whole::Code,
        "comment" | "filecontents" | "tikzpicture" | "picture" | "pgfpicture" | "pspicture"
        | "circuitikz" | "forest" | "axis" | "asy" | "CCSXML" => Whole::LeftOut,
        _ => return None,
    })
}

/// The argument of a command that is not read as LaTeX.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Argument {
    /// Nothing.
    Nothing,
    /// Code between two of a character.
    Inline,
    /// An address, which is text.
    Address,
    /// An address that is none.
    AddressOnly,
    /// All up to an end.
    UpTo(&'static str),
    /// An environment, perhaps one in one piece.
    Environment,
}

/// The kind of argument that a command has.
pub(super) fn argument(name: &str) -> Argument {
    match name {
        "verb" | "lstinline" | "mintinline" => Argument::Inline,
        "url" | "path" | "nolinkurl" => Argument::Address,
        "href" => Argument::AddressOnly,
        "iffalse" => Argument::UpTo("\\fi"),
        "makeatletter" => Argument::UpTo("\\makeatother"),
        "begin" => Argument::Environment,
        _ => Argument::Nothing,
    }
}

/// Whether these letters are a unit of a length, or begin one.
pub(super) fn is_unit(letters: &[u8]) -> bool {
    matches!(
        letters,
        b"pt"
            | b"pc"
            | b"in"
            | b"bp"
            | b"cm"
            | b"mm"
            | b"dd"
            | b"cc"
            | b"sp"
            | b"ex"
            | b"em"
            | b"fil"
            | b"fill"
            | b"filll"
    )
}
