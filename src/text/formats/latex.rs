//! LaTeX → the text that its reader sees.
//!
//! Goes in: a document in LaTeX, or a part of one that another includes. Comes out: its words
//! without its commands, formulas and comments, and for each byte where it comes from. Nothing is
//! typeset: commands are known by their names, and of one that is not known what stands in its
//! braces is text. Of what comes before the document's beginning its title and its authors count. Program
//! code that is shown is text, pictures that are drawn are not; files that are named are not read.

mod scan;

use std::collections::HashMap;
use std::ops::Range;

use unicode_normalization::char::compose;

use super::Refusal;
use crate::text::source_map::{Draft, Excerpt, Gap};
use scan::{Braces, Scanner, Token};

pub(super) use scan::{declared_encoding, is_latex};

/// The most bytes of a definition that stands for words; a longer one is left out where it is
/// used.
const LONGEST_DEFINITION: usize = 200;

/// The most bytes of the parameters of a definition in TeX: `#1#2`.
const LONGEST_PARAMETERS: usize = 100;

/// Reads a document in LaTeX, of which definitions may unpack to `most` bytes: its text, and where
/// that holds block quotations, in bytes. Linear in its length, but for the definitions' bytes.
///
/// # Errors
///
/// [`Refusal::TooLarge`] where it unpacks to more.
pub(crate) fn read(
    source: &str,
    most: Option<u64>,
) -> Result<(Excerpt, Vec<Range<usize>>), Refusal> {
    let mut reader = Reader::new(source, most);
    reader.read()?;
    Ok((reader.draft.finish(), reader.quotes))
}

/// What a command stands for that the document defines.
#[derive(Debug, Default)]
struct Definition {
    text: String,
    /// How many arguments it has, of which it shows none.
    arguments: usize,
}

/// What is done where a group ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum End {
    Part(Gap),
    Write(&'static str),
    Quote,
}

/// A document that is being read.
struct Reader<'s> {
    scanner: Scanner<'s>,
    braces: Braces,
    draft: Draft<'s>,
    most: Option<u64>,
    /// What is done where groups end, with their places, innermost last.
    ends: Vec<(usize, End)>,
    definitions: HashMap<&'s str, Definition>,
    quotes: Vec<Range<usize>>,
    /// How many quotations are open, and where in the text the outermost began.
    open_quotes: usize,
    quote: usize,
    /// Whether `"a` is ä.
    is_german: bool,
}

impl<'s> Reader<'s> {
    fn new(source: &'s str, most: Option<u64>) -> Self {
        let braces = Braces::new(source);
        let preamble = &source[..braces.document.start];
        Self {
            scanner: Scanner::new(source),
            is_german: preamble.contains("german"),
            braces,
            draft: Draft::new(source),
            most,
            ends: Vec::new(),
            definitions: HashMap::new(),
            quotes: Vec::new(),
            open_quotes: 0,
            quote: 0,
        }
    }

    fn read(&mut self) -> Result<(), Refusal> {
        // Where the argument ends that counts though the document has not begun.
        let mut shown = 0;
        while let Some((token, range)) = self.scanner.next() {
            if range.start >= self.braces.document.end {
                break;
            }
            if range.start >= self.braces.document.start || range.start < shown {
                self.token(token, range)?;
                continue;
            }
            match token {
                Token::Command(name) => match role(name) {
                    Role::Heading if is_title(name) => {
                        self.heading();
                        shown = self.ends.last().map_or(0, |(end, _)| end + 1);
                    }
                    role @ (Role::Definition | Role::Def) => self.define(role),
                    _ => {}
                },
                Token::Open => self.skip_group(range.start),
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads what stands in the document.
    fn token(&mut self, token: Token<'s>, range: Range<usize>) -> Result<(), Refusal> {
        match token {
            Token::Text => self.text(range),
            Token::Verbatim(inner) => self.verbatim(inner),
            Token::Blank(gap) => self.draft.part(gap),
            Token::Formula => self.draft.part(Gap::Space),
            Token::Mark => self.mark(range),
            Token::Cell => self.draft.part(Gap::Cell),
            Token::Open if self.draft.source()[range.clone()] == *"[" => self.text(range),
            Token::Open | Token::Comment => {}
            Token::Close => self.close(range),
            Token::Symbol(symbol) => self.symbol(symbol, range),
            Token::Command(name) => self.command(name, range)?,
        }
        Ok(())
    }

    /// Reads text in which nothing is special.
    fn text(&mut self, range: Range<usize>) {
        let text = &self.draft.source()[range.clone()];
        let bare = text.trim_start_matches(' ');
        if bare.len() < text.len() {
            self.draft.part(Gap::Space);
        }
        let start = range.end - bare.len();
        let bare = bare.trim_end_matches(' ');
        self.draft.read(bare, start..start + bare.len());
        if start + bare.len() < range.end {
            self.draft.part(Gap::Space);
        }
    }

    /// Reads text that stands as it is, in which even commands are.
    fn verbatim(&mut self, range: Range<usize>) {
        let source = self.draft.source();
        let text = &source[range.clone()];
        if !text.contains('\n') {
            self.draft.read(text, range);
            return;
        }
        self.draft.part(Gap::Paragraph);
        // The rest of the line of \begin is none of it.
        let begun = text.find('\n').map_or(text.len(), |end| end + 1);
        let end = begun + text[begun..].trim_end().len();
        self.draft.read(&text[begun..end], range.start + begun..range.start + end);
        self.draft.part(Gap::Paragraph);
    }

    /// Reads characters that stand for others.
    fn mark(&mut self, range: Range<usize>) {
        let source = self.draft.source();
        let written = &source[range.clone()];
        if written == "~" {
            self.draft.part(Gap::Space);
        } else if written != "\"" {
            self.draft.read(mark(written).unwrap_or(written), range);
        } else {
            let next = source[range.end..].chars().next().filter(|_| self.is_german);
            match next.and_then(german) {
                Some(text) => {
                    let end = range.end + next.map_or(0, char::len_utf8);
                    self.draft.read(text, range.start..end);
                    self.scanner.skip_to(end);
                }
                None => self.draft.read(written, range),
            }
        }
    }

    /// Ends a group.
    fn close(&mut self, range: Range<usize>) {
        while let Some((at, _)) = self.ends.last()
            && *at < range.start
        {
            // An argument was left out that reached behind it.
            self.ends.pop();
        }
        let end = self.ends.pop_if(|(at, _)| *at == range.start);
        match end {
            Some((_, End::Part(gap))) => self.draft.part(gap),
            Some((_, End::Write(text))) => self.draft.read(text, range),
            Some((_, End::Quote)) => self.end_quote(),
            None if self.draft.source()[range.clone()] == *"]" => self.text(range),
            None => {}
        }
    }

    /// Begins a block quotation.
    fn begin_quote(&mut self) {
        self.draft.part(Gap::Paragraph);
        if self.open_quotes == 0 {
            self.quote = self.draft.content().len();
        }
        self.open_quotes += 1;
    }

    /// Ends one; nothing where none is open.
    fn end_quote(&mut self) {
        self.draft.part(Gap::Paragraph);
        if self.open_quotes == 1 {
            let quoted = &self.draft.content()[self.quote..];
            let start = self.quote + (quoted.len() - quoted.trim_start().len());
            if start < self.draft.content().len() {
                self.quotes.push(start..self.draft.content().len());
            }
        }
        self.open_quotes = self.open_quotes.saturating_sub(1);
    }
}

// Commands and environments.

impl<'s> Reader<'s> {
    /// Reads a command whose name is one character that is no letter.
    fn symbol(&mut self, symbol: char, range: Range<usize>) {
        match symbol {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                self.draft.read(symbol.encode_utf8(&mut [0; 4]), range);
            }
            '\\' => {
                self.scanner.skip_byte(b'*');
                self.skip_options();
                self.draft.part(Gap::Line);
            }
            '\'' | '`' | '"' | '^' | '~' | '=' | '.' => self.accent(symbol, range.start),
            ' ' | '\n' | '\t' | ',' | ';' | ':' => self.draft.part(Gap::Space),
            _ => {}
        }
    }

    /// Reads a command.
    fn command(&mut self, name: &'s str, range: Range<usize>) -> Result<(), Refusal> {
        if let Some(definition) = self.definitions.get(name) {
            let arguments = definition.arguments;
            self.draft.read(&definition.text, range);
            self.skip_arguments(arguments);
            let length = self.draft.content().len() as u64;
            return match self.most {
                Some(most) if length > most => Err(Refusal::TooLarge { most }),
                _ => Ok(()),
            };
        }
        match role(name) {
            Role::Text(text) => {
                self.draft.read(text, range);
                // A blank ends the name; "\ss e" is "ße".
                self.scanner.skip_blanks();
            }
            Role::Accent(accent) => self.accent(accent, range.start),
            Role::Begin => self.begin(),
            Role::End => self.end(),
            role @ (Role::Definition | Role::Def) => self.define(role),
            Role::Let => self.skip_let(),
            Role::Heading => self.heading(),
            Role::Note => {
                self.skip_options();
                self.group(End::Part(Gap::Line));
                self.draft.part(Gap::Line);
            }
            Role::Quoted => {
                if let Some(open) = self.group(End::Write("\u{201d}")) {
                    self.draft.read("\u{201c}", range.start..open);
                }
            }
            Role::BlockQuote => {
                self.skip_options();
                if self.group(End::Quote).is_some() {
                    self.begin_quote();
                }
            }
            Role::Item => {
                self.draft.part(Gap::Line);
                self.skip_overlay();
                self.option();
            }
            Role::Part(gap) => {
                self.skip_options();
                self.draft.part(gap);
            }
            Role::Switch => self.scanner.skip_blanks(),
            Role::Length => self.scanner.skip_length(),
            Role::LeftOut(arguments) => self.skip_arguments(arguments),
            Role::LeftOutSpace(arguments) => {
                self.skip_arguments(arguments);
                self.draft.part(Gap::Space);
            }
            Role::Unknown => self.skip_options(),
        }
        Ok(())
    }

    /// Begins a heading: a paragraph of its own.
    fn heading(&mut self) {
        self.skip_options();
        self.draft.part(Gap::Paragraph);
        self.group(End::Part(Gap::Paragraph));
    }

    /// Begins an environment.
    fn begin(&mut self) {
        let Some(name) = self.argument() else { return };
        let environment = environment(name);
        if environment.is_quote {
            self.begin_quote();
        }
        self.draft.part(Gap::Paragraph);
        self.skip_overlay();
        if environment.is_titled {
            self.option();
        }
        self.skip_arguments(environment.arguments);
        self.skip_options();
    }

    /// Ends an environment.
    fn end(&mut self) {
        let Some(name) = self.argument() else { return };
        if environment(name).is_quote {
            self.end_quote();
        }
        self.draft.part(Gap::Paragraph);
    }

    /// Writes the letter that comes next with an accent, which has begun at a byte.
    fn accent(&mut self, accent: char, start: usize) {
        let source = self.draft.source();
        let Some(mark) = combining(accent) else { return };
        self.scanner.skip_blanks();
        self.scanner.skip_byte(b'{');
        let rest = &source[self.scanner.at()..];
        let dotless = ["\\i", "\\j"].into_iter().find(|dotless| {
            let behind = rest.strip_prefix(dotless);
            behind.is_some_and(|it| !it.starts_with(|next: char| next.is_ascii_alphabetic()))
        });
        let (base, length) = match (dotless, rest.chars().next()) {
            (Some(dotless), _) => (if dotless == "\\i" { 'i' } else { 'j' }, dotless.len()),
            (None, Some(next)) if next.is_alphabetic() => (next, next.len_utf8()),
            (None, _) => return,
        };
        let end = self.scanner.at() + length;
        let mut letter = String::new();
        match compose(base, mark) {
            Some(composed) => letter.push(composed),
            None => letter.extend([base, mark]),
        }
        self.draft.read(&letter, start..end);
        self.scanner.skip_to(end);
        if dotless.is_some() {
            self.scanner.skip_blanks();
        }
    }

    /// Takes note of what a command is to stand for.
    fn define(&mut self, role: Role) {
        let source = self.draft.source();
        self.scanner.skip_blanks();
        let is_in_braces = self.scanner.skip_byte(b'{');
        let Some((Token::Command(name), _)) = self.scanner.peek() else { return };
        self.scanner.next();
        if is_in_braces && !self.scanner.skip_byte(b'}') {
            return;
        }
        let arguments = if role == Role::Def {
            let parameters = &source.as_bytes()[self.scanner.at()..];
            let end = parameters.iter().take(LONGEST_PARAMETERS).position(|it| *it == b'{');
            let Some(length) = end else { return };
            self.scanner.skip_to(self.scanner.at() + length);
            memchr::memchr_iter(b'#', &parameters[..length]).count()
        } else {
            let declared = self.bracketed().and_then(|it| source[it].trim().parse().ok());
            self.skip_options();
            declared.unwrap_or(0)
        };
        self.scanner.skip_blanks();
        let Some(body) = self.braces.group(self.scanner.at()) else { return };
        self.scanner.skip_to(body.end + 1);
        let body = &source[body];
        // What shows its arguments is left out without them.
        self.definitions.remove(name);
        if arguments > 9 || body.contains('#') {
            return;
        }
        let text = if body.len() <= LONGEST_DEFINITION { words(body) } else { String::new() };
        self.definitions.insert(name, Definition { text, arguments });
    }

    /// Leaves out what `\let` has: two commands, or a command and a character.
    fn skip_let(&mut self) {
        self.scanner.skip_blanks();
        if !matches!(self.scanner.peek(), Some((Token::Command(_) | Token::Symbol(_), _))) {
            return;
        }
        self.scanner.next();
        self.scanner.skip_blanks();
        self.scanner.skip_byte(b'=');
        self.scanner.skip_blanks();
        if let Some((Token::Command(_) | Token::Symbol(_), _)) = self.scanner.peek() {
            self.scanner.next();
        }
    }
}

/// The words of a definition, which has none of its own.
fn words(body: &str) -> String {
    let mut reader = Reader::new(body, None);
    while let Some((token, range)) = reader.scanner.next() {
        let is_definition = matches!(token, Token::Command(name)
            if matches!(role(name), Role::Definition | Role::Def));
        if is_definition || reader.token(token, range).is_err() {
            return String::new();
        }
    }
    reader.draft.content().to_owned()
}

// Arguments.

impl<'s> Reader<'s> {
    /// Goes into the group that comes next, at whose end something is done; its beginning, or
    /// none where there is no group.
    fn group(&mut self, end: End) -> Option<usize> {
        self.scanner.skip_overlay();
        self.scanner.skip_blanks_before(b'{');
        let group = self.braces.group(self.scanner.at())?;
        self.scanner.skip_to(group.start);
        self.ends.push((group.end, end));
        Some(group.start)
    }

    /// Goes into the text in brackets that comes next, if any does.
    fn option(&mut self) {
        if self.draft.source()[self.scanner.at()..].starts_with('[')
            && let Some(option) = self.braces.group(self.scanner.at())
        {
            self.scanner.skip_to(option.start);
            self.ends.push((option.end, End::Part(Gap::Space)));
        }
    }

    /// Leaves the text in brackets out that comes next; its place, or none where there is none.
    fn bracketed(&mut self) -> Option<Range<usize>> {
        let at = self.scanner.at();
        let option =
            self.draft.source()[at..].starts_with('[').then(|| self.braces.group(at))??;
        self.scanner.skip_to(option.end + 1);
        Some(option)
    }

    /// Leaves out all texts in brackets that come next, and slides that beamer names.
    fn skip_options(&mut self) {
        self.skip_overlay();
        while self.bracketed().is_some() {}
    }

    fn skip_overlay(&mut self) {
        self.scanner.skip_overlay();
    }

    /// The name in braces that comes next, which is left out.
    fn argument(&mut self) -> Option<&'s str> {
        let group = self.braces.group(self.scanner.at())?;
        self.scanner.skip_to(group.end + 1);
        Some(&self.draft.source()[group])
    }

    /// Leaves a group out that begins at a byte.
    fn skip_group(&mut self, at: usize) {
        if let Some(group) = self.braces.group(at) {
            self.scanner.skip_to(group.end + 1);
        }
    }

    /// Skips `count` arguments, and what stands in brackets before each.
    fn skip_arguments(&mut self, count: usize) {
        for _ in 0..count {
            self.skip_options();
            self.scanner.skip_blanks_before(b'{');
            let at = self.scanner.at();
            match self.scanner.peek() {
                Some((Token::Open, _)) if self.braces.group(at).is_some() => self.skip_group(at),
                Some((Token::Command(_), _)) => drop(self.scanner.next()),
                _ => return,
            }
        }
    }
}

// The commands and environments that are known by their names, and what each does to the text.

/// What a command does to the text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Role {
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
    /// How many arguments of it are no text.
    LeftOut(usize),
    /// The same, and it parts the text.
    LeftOutSpace(usize),
    /// Its arguments are text.
    Unknown,
}

/// What a command does.
fn role(name: &str) -> Role {
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
fn is_title(name: &str) -> bool {
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
fn combining(accent: char) -> Option<char> {
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
fn mark(written: &str) -> Option<&'static str> {
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
fn german(letter: char) -> Option<&'static str> {
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
struct Environment {
    /// How many of its arguments are no text, from the first.
    arguments: usize,
    /// Whether what stands in brackets is text.
    is_titled: bool,
    is_quote: bool,
}

/// What an environment is that is read command by command.
fn environment(name: &str) -> Environment {
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
enum Whole {
    Formula,
    /// It is shown as it is written.
    Code,
    /// It is no text.
    LeftOut,
}

/// Of an environment that is read in one piece, without its star, what it is.
fn whole(name: &str) -> Option<Whole> {
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
enum Argument {
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
fn argument(name: &str) -> Argument {
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
fn is_unit(letters: &[u8]) -> bool {
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

#[cfg(test)]
mod tests;
