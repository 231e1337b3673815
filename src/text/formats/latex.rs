//! Extracts the text of a LaTeX document, as its reader sees it.
//!
//! Input: a LaTeX document, or a part of one that another document includes. Output: its words
//! without commands, formulas and comments, and for each byte its position in the source. Nothing
//! is typeset: commands are recognized by name, and the braced arguments of an unknown command are
//! text. Of the preamble only the title and the authors count as text. Program listings are text,
//! drawings are not, and referenced files are not read.

mod scan;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use foldhash::quality::RandomState;
use unicode_normalization::char::compose;

use super::{ExtractError, Extracted};
use crate::text::source_map::{Excerpt, ExcerptBuilder, Separator};
use scan::{Braces, Scanner, Token};

pub(crate) use scan::{declared_encoding, is_latex};

/// The largest number of bytes of the body of a definition that is expanded wherever it is used; one
/// that is longer is expanded once.
const MAX_DEFINITION_LENGTH: usize = 200;

/// The largest number of bytes of the parameter text of a `\def`: `#1#2`.
const MAX_PARAMETERS_LENGTH: usize = 100;

/// Extracts the text of a LaTeX document, and what else the document says about it: the pieces that it
/// hides, white letters, its quotations and its lists of references. The expansion of definitions may make the text at most
/// `max_bytes` bytes long, any length if `None`. Linear in the length of the source and of the
/// expansions.
///
/// # Errors
///
/// Returns [`ExtractError::TooLarge`] if the text gets longer than that.
pub(crate) fn read(
    source: &str,
    max_bytes: Option<u64>,
) -> Result<(Excerpt, Extracted), ExtractError> {
    let mut reader = LatexReader::new(source, max_bytes);
    reader.read()?;
    let LatexReader { draft, quotes, references, .. } = reader;
    let (excerpt, hidden) = draft.finish();
    Ok((excerpt, Extracted { hidden, quotes, references, ..Extracted::default() }))
}

/// The expansion of a command that the document defines.
#[derive(Debug, Default)]
struct Definition {
    text: String,
    /// The number of its arguments, none of which appears in the expansion.
    arguments: usize,
}

/// The action to take at the end of a group.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum End {
    Separate(Separator),
    Write(&'static str),
    Quote,
    /// Ends what is hidden, or has a background of its own.
    Color,
}

/// The commands of the preamble whose argument is shown.
const SHOWN_IN_PREAMBLE: [&str; 5] =
    ["title", "subtitle", "author", "AtBeginDocument", "AtEndDocument"];

/// What puts a colour or a picture behind a whole page.
const BACKGROUNDS: &[&str] =
    &["background canvas", "backgroundtemplate", "ShipoutPicture", "overlay"];

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct LetterPaint {
    is_white: bool,
    /// Whether they are on a colour, on which white letters are visible.
    is_on_color: bool,
}

/// The state of reading one document.
struct LatexReader<'s> {
    scanner: Scanner<'s>,
    braces: Braces,
    draft: ExcerptBuilder<'s>,
    max_bytes: Option<u64>,
    /// The actions at the ends of open groups, with the byte offset of each end, innermost last.
    ends: Vec<(usize, End)>,
    definitions: HashMap<&'s str, Definition>,
    quotes: Vec<Range<usize>>,
    /// The number of open block quotations; `quote` is the offset in the text at which the
    /// outermost of them began.
    open_quotes: usize,
    quote: usize,
    references: Vec<Range<usize>>,
    /// The offset in the text at which the open list of references began.
    open_references: Option<usize>,
    /// Whether `"a` means `ä`, as in babel's German.
    is_german: bool,
    /// Whether a formula or a drawing is being read.
    is_label: bool,
    paint: LetterPaint,
    /// The paint around each open group and environment that is read token by token, or as an
    /// argument.
    paints: Vec<LetterPaint>,
}

impl<'s> LatexReader<'s> {
    fn new(source: &'s str, max_bytes: Option<u64>) -> Self {
        let braces = Braces::new(source);
        let preamble = &source[..braces.document.start];
        Self {
            scanner: Scanner::new(source),
            is_german: preamble.contains("german"),
            braces,
            draft: ExcerptBuilder::new(source),
            max_bytes,
            ends: Vec::new(),
            definitions: HashMap::new(),
            quotes: Vec::new(),
            open_quotes: 0,
            quote: 0,
            references: Vec::new(),
            open_references: None,
            is_label: false,
            paint: LetterPaint {
                is_white: false,
                is_on_color: BACKGROUNDS.iter().any(|background| source.contains(background)),
            },
            paints: Vec::new(),
        }
    }

    fn read(&mut self) -> Result<(), ExtractError> {
        // The end of the heading argument in the preamble that counts as text.
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
                    role @ (CommandRole::Definition | CommandRole::Def) => self.define(role),
                    _ if SHOWN_IN_PREAMBLE.contains(&name) => {
                        self.heading();
                        shown = self.ends.last().map_or(0, |(end, _)| end + 1);
                    }
                    CommandRole::Background if name == "pagecolor" => {
                        let color = self.argument();
                        self.paint.is_on_color = !color.is_some_and(is_white);
                    }
                    _ => {}
                },
                Token::Open => {
                    if let Some(group) = self.braces.group(range.start) {
                        self.scanner.skip_to(group.end + 1);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads a token of the body of the document.
    fn token(&mut self, token: Token<'s>, range: Range<usize>) -> Result<(), ExtractError> {
        match token {
            Token::Text => self.text(range),
            Token::Verbatim(inner) => self.verbatim(inner),
            Token::Blank(gap) => self.draft.part(gap),
            Token::Formula => {
                self.draft.part(Separator::Space);
                self.labels(range)?;
                self.draft.part(Separator::Space);
            }
            Token::Mark => self.mark(range),
            Token::Cell => self.draft.part(Separator::Cell),
            Token::Open if self.draft.source[range.clone()] == *"[" => self.text(range),
            Token::Open => self.paints.push(self.paint),
            Token::Comment => {}
            Token::Close => self.close(range),
            Token::Symbol(symbol) => self.symbol(symbol, range),
            Token::Command(name) => self.command(name, range)?,
        }
        Ok(())
    }

    fn text(&mut self, range: Range<usize>) {
        let text = &self.draft.source[range.clone()];
        let bare = text.trim_start_matches(' ');
        if bare.len() < text.len() {
            self.draft.part(Separator::Space);
        }
        let start = range.end - bare.len();
        let bare = bare.trim_end_matches(' ');
        self.draft.read(bare, start..start + bare.len());
        if start + bare.len() < range.end {
            self.draft.part(Separator::Space);
        }
    }

    /// Reads verbatim text, in which commands are text as well.
    fn verbatim(&mut self, range: Range<usize>) {
        let source = self.draft.source;
        let text = &source[range.clone()];
        if !text.contains('\n') {
            self.draft.read(text, range);
            return;
        }
        self.draft.part(Separator::Paragraph);
        // The rest of the line of `\begin` is not part of the text.
        let begun = text.find('\n').map_or(text.len(), |end| end + 1);
        let end = begun + text[begun..].trim_end().len();
        self.draft.read(&text[begun..end], range.start + begun..range.start + end);
        self.draft.part(Separator::Paragraph);
    }

    /// Reads characters that may stand for others.
    fn mark(&mut self, range: Range<usize>) {
        let source = self.draft.source;
        let written = &source[range.clone()];
        if written == "~" {
            return self.draft.part(Separator::Space);
        }
        let letter =
            source[range.end..].chars().next().filter(|_| self.is_german && written == "\"");
        let end = range.end + letter.map_or(0, char::len_utf8);
        match mark(&source[range.start..end]) {
            Some(shown) => {
                self.draft.read(shown, range.start..end);
                self.scanner.skip_to(end);
            }
            None => self.draft.read(written, range),
        }
    }

    /// Ends the group that closes at `range`, and takes the action that was registered for its end.
    fn close(&mut self, range: Range<usize>) {
        while let Some((at, _)) = self.ends.last()
            && *at < range.start
        {
            // A skipped argument reached past this end.
            self.ends.pop();
        }
        if self.draft.source[range.clone()] == *"}" {
            self.restore_paint();
        }
        let end = self.ends.pop_if(|(at, _)| *at == range.start);
        match end {
            Some((_, End::Separate(gap))) => self.draft.part(gap),
            Some((_, End::Write(text))) => self.draft.read(text, range),
            Some((_, End::Quote)) => self.end_quote(),
            None if self.draft.source[range.clone()] == *"]" => self.text(range),
            Some((_, End::Color)) | None => {}
        }
    }

    /// Reads the labels in a formula or a drawing: what is between braces after `\text` and the like,
    /// and after `node`.
    fn labels(&mut self, range: Range<usize>) -> Result<(), ExtractError> {
        if std::mem::replace(&mut self.is_label, true) {
            return Ok(()); // a formula in a label
        }
        let source = self.draft.source;
        let mut at = range.start;
        while let Some(label) = label(&source[..range.end], at) {
            at = label.end + 1;
            let mut scanner = Scanner::new(&source[..label.end]);
            scanner.skip_to(label.start);
            let rest = std::mem::replace(&mut self.scanner, scanner);
            self.draft.part(Separator::Space);
            while let Some((token, range)) = self.scanner.next() {
                self.token(token, range)?;
            }
            self.draft.part(Separator::Space);
            self.scanner = rest;
        }
        self.is_label = false;
        Ok(())
    }

    /// Hides what is read from here on if it is white on white.
    fn set_paint(&mut self, paint: LetterPaint) {
        self.paint = paint;
        self.draft.hide(paint.is_white && !paint.is_on_color);
    }

    /// Ends a group, and the paint that was set in it.
    fn restore_paint(&mut self) {
        if let Some(paint) = self.paints.pop() {
            self.set_paint(paint);
        }
    }

    fn begin_quote(&mut self) {
        self.draft.part(Separator::Paragraph);
        if self.open_quotes == 0 {
            self.quote = self.draft.content().len();
        }
        self.open_quotes += 1;
    }

    /// Ends a block quotation. Only ends the paragraph if none is open.
    fn end_quote(&mut self) {
        self.draft.part(Separator::Paragraph);
        if self.open_quotes == 1 {
            self.quotes.extend(self.written_since(self.quote));
        }
        self.open_quotes = self.open_quotes.saturating_sub(1);
    }

    /// Returns the range of the text since an offset, without white space before it; `None` if it
    /// is empty.
    fn written_since(&self, offset: usize) -> Option<Range<usize>> {
        let end = self.draft.content().len();
        let start = end - self.draft.content()[offset..].trim_start().len();
        (start < end).then_some(start..end)
    }
}

// Commands and environments.

impl<'s> LatexReader<'s> {
    /// Reads a control symbol: a command whose name is one character other than a letter.
    fn symbol(&mut self, symbol: char, range: Range<usize>) {
        match symbol {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                self.draft.read(symbol.encode_utf8(&mut [0; 4]), range);
            }
            '\\' => {
                self.scanner.skip_byte(b'*');
                self.skip_options();
                self.draft.part(Separator::Line);
            }
            ' ' | '\n' | '\t' | ',' | ';' | ':' => self.draft.part(Separator::Space),
            _ => {
                if let Some(mark) = combining(symbol) {
                    self.accent(mark, range.start);
                }
            }
        }
    }

    fn command(&mut self, name: &'s str, range: Range<usize>) -> Result<(), ExtractError> {
        if let Some(definition) = self.definitions.get_mut(name) {
            let arguments = definition.arguments;
            self.draft.read(&definition.text, range);
            if definition.text.len() > MAX_DEFINITION_LENGTH {
                definition.text.clear();
            }
            self.skip_arguments(arguments);
            let length = self.draft.content().len() as u64;
            return match self.max_bytes {
                Some(max_bytes) if length > max_bytes => Err(ExtractError::TooLarge { max_bytes }),
                _ => Ok(()),
            };
        }
        match role(name) {
            CommandRole::Text(text) => {
                self.draft.read(text, range);
                // A space ends the name of a command: `\ss e` is "ße".
                self.scanner.skip_blanks();
            }
            CommandRole::Accent(mark) => self.accent(mark, range.start),
            CommandRole::Begin => self.begin(),
            CommandRole::End => self.end(),
            role @ (CommandRole::Definition | CommandRole::Def) => self.define(role),
            CommandRole::Let => self.skip_let(),
            CommandRole::Heading => self.heading(),
            CommandRole::Note => {
                self.skip_options();
                self.group(End::Separate(Separator::Line));
                self.draft.part(Separator::Line);
            }
            CommandRole::Quoted => {
                if let Some(open) = self.group(End::Write("\u{201d}")) {
                    self.draft.read("\u{201c}", range.start..open);
                }
            }
            CommandRole::BlockQuote => {
                self.skip_options();
                if self.group(End::Quote).is_some() {
                    self.begin_quote();
                }
            }
            CommandRole::Item => {
                self.draft.part(Separator::Line);
                self.scanner.skip_overlay();
                self.option();
            }
            CommandRole::Separate(gap) => {
                self.skip_options();
                self.draft.part(gap);
            }
            CommandRole::Switch => self.scanner.skip_blanks(),
            CommandRole::Length => self.scanner.skip_length(),
            CommandRole::LeftOut(arguments) => self.skip_arguments(arguments),
            CommandRole::Color | CommandRole::ColorSwitch => {
                self.skip_options();
                let is_white = self.argument().is_some_and(is_white);
                if role(name) == CommandRole::ColorSwitch || self.group(End::Color).is_some() {
                    self.set_paint(LetterPaint { is_white, ..self.paint });
                }
            }
            CommandRole::Background => {
                self.skip_options();
                let frame = if name == "fcolorbox" { self.argument() } else { None };
                let is_on_color = !self.argument().or(frame).is_some_and(is_white);
                if !name.ends_with("box") || self.group(End::Color).is_some() {
                    self.set_paint(LetterPaint { is_on_color, ..self.paint });
                }
            }
            CommandRole::LeftOutSpace(arguments) => {
                let at = self.scanner.at;
                self.skip_arguments(arguments);
                let space = self.draft.source[at..self.scanner.at].trim_start_matches('{');
                if name != "hspace" || !space.trim_start_matches('-').starts_with('0') {
                    self.draft.part(Separator::Space);
                }
            }
            CommandRole::Unknown => self.skip_options(),
        }
        Ok(())
    }

    /// Reads a heading, which is a paragraph of its own.
    fn heading(&mut self) {
        self.skip_options();
        self.draft.part(Separator::Paragraph);
        self.group(End::Separate(Separator::Paragraph));
    }

    fn begin(&mut self) {
        let Some(name) = self.argument() else { return };
        let environment = environment(name);
        if environment == Some(Environment::Quote) {
            self.begin_quote();
        }
        self.draft.part(Separator::Paragraph);
        self.paints.push(self.paint);
        if ["color", "box", "shade"].into_iter().any(|part| name.contains(part)) {
            self.set_paint(LetterPaint { is_on_color: true, ..self.paint });
        }
        if name == REFERENCES {
            self.open_references = Some(self.draft.content().len());
        }
        self.scanner.skip_overlay();
        match environment {
            Some(Environment::Titled) => self.option(),
            Some(Environment::Arguments(count)) => self.skip_arguments(count),
            _ => {}
        }
        self.skip_options();
    }

    fn end(&mut self) {
        let Some(name) = self.argument() else { return };
        if environment(name) == Some(Environment::Quote) {
            self.end_quote();
        }
        if name == REFERENCES
            && let Some(start) = self.open_references.take()
        {
            self.references.extend(self.written_since(start));
        }
        self.draft.part(Separator::Paragraph);
        self.restore_paint();
    }

    /// Writes the next letter with a combining mark, whose command began at the byte `start`. Writes
    /// nothing if no letter follows.
    fn accent(&mut self, mark: char, start: usize) {
        let source = self.draft.source;
        self.scanner.skip_blanks();
        self.scanner.skip_byte(b'{');
        let rest = &source[self.scanner.at..];
        let dotless = ["\\i", "\\j"].into_iter().find(|dotless| {
            let behind = rest.strip_prefix(dotless);
            behind.is_some_and(|it| !it.starts_with(|next: char| next.is_ascii_alphabetic()))
        });
        let (base, length) = match (dotless, rest.chars().next()) {
            (Some(dotless), _) => (if dotless == "\\i" { 'i' } else { 'j' }, dotless.len()),
            (None, Some(next)) if next.is_alphabetic() => (next, next.len_utf8()),
            (None, _) => return,
        };
        let end = self.scanner.at + length;
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

    /// Reads the definition of a command and remembers its expansion.
    fn define(&mut self, role: CommandRole) {
        let source = self.draft.source;
        self.scanner.skip_blanks();
        let is_in_braces = self.scanner.skip_byte(b'{');
        let Some((Token::Command(name), _)) = self.scanner.peek() else { return };
        self.scanner.next();
        if is_in_braces && !self.scanner.skip_byte(b'}') {
            return;
        }
        let arguments = if role == CommandRole::Def {
            let parameters = &source.as_bytes()[self.scanner.at..];
            let end = parameters.iter().take(MAX_PARAMETERS_LENGTH).position(|it| *it == b'{');
            let Some(length) = end else { return };
            self.scanner.skip_to(self.scanner.at + length);
            memchr::memchr_iter(b'#', &parameters[..length]).count()
        } else {
            let declared = self.bracketed().and_then(|it| source[it].trim().parse().ok());
            self.skip_options();
            declared.unwrap_or(0)
        };
        self.scanner.skip_blanks();
        let Some(body) = self.braces.group(self.scanner.at) else { return };
        self.scanner.skip_to(body.end + 1);
        let body = &source[body];
        // Of a definition that uses its arguments, the words come before them. Without words of its
        // own, the command is read by its name, as if it had not been defined.
        self.definitions.remove(name);
        if arguments > 9 {
            return;
        }
        let is_number = |letter: char| letter.is_ascii_digit();
        let own: String = body.split('#').map(|it| it.trim_start_matches(is_number)).collect();
        let mut text = words(&own);
        let uses_arguments = body.contains('#');
        if uses_arguments && !text.contains(char::is_alphanumeric) {
            return;
        }
        let arguments = if uses_arguments { 0 } else { arguments };
        text.extend(uses_arguments.then_some(' '));
        self.definitions.insert(name, Definition { text, arguments });
    }

    /// Skips the operands of `\let`: two commands, or a command and a character.
    fn skip_let(&mut self) {
        for is_first in [true, false] {
            self.scanner.skip_blanks();
            if !is_first && self.scanner.skip_byte(b'=') {
                self.scanner.skip_blanks();
            }
            if !matches!(self.scanner.peek(), Some((Token::Command(_) | Token::Symbol(_), _))) {
                return;
            }
            self.scanner.next();
        }
    }
}

/// Returns the text of the body of a definition; empty if the body contains a definition itself.
fn words(body: &str) -> String {
    let mut reader = LatexReader::new(body, None);
    while let Some((token, range)) = reader.scanner.next() {
        let is_definition = matches!(token, Token::Command(name)
            if matches!(role(name), CommandRole::Definition | CommandRole::Def));
        if is_definition || reader.token(token, range).is_err() {
            return String::new();
        }
    }
    reader.draft.content().to_owned()
}

// Arguments.

impl<'s> LatexReader<'s> {
    /// Enters the group that comes next and registers the action at its end. Returns the offset of
    /// its content, or `None` if no group comes next.
    fn group(&mut self, end: End) -> Option<usize> {
        self.scanner.skip_overlay();
        self.scanner.skip_blanks_before(b'{');
        let group = self.braces.group(self.scanner.at)?;
        self.scanner.skip_to(group.start);
        self.ends.push((group.end, end));
        self.paints.push(self.paint);
        Some(group.start)
    }

    /// Enters the bracketed argument that comes next, if any.
    fn option(&mut self) {
        if self.draft.source[self.scanner.at..].starts_with('[')
            && let Some(option) = self.braces.group(self.scanner.at)
        {
            self.scanner.skip_to(option.start);
            self.ends.push((option.end, End::Separate(Separator::Space)));
        }
    }

    /// Skips the bracketed argument that comes next, and returns its range; `None` if there is
    /// none.
    fn bracketed(&mut self) -> Option<Range<usize>> {
        let at = self.scanner.at;
        let option = self.draft.source[at..].starts_with('[').then(|| self.braces.group(at))??;
        self.scanner.skip_to(option.end + 1);
        Some(option)
    }

    /// Skips all bracketed arguments and beamer overlay specifications that come next.
    fn skip_options(&mut self) {
        self.scanner.skip_overlay();
        while self.bracketed().is_some() {}
    }

    /// Skips the braced argument that comes next and returns its text; `None` if there is none.
    fn argument(&mut self) -> Option<&'s str> {
        let group = self.braces.group(self.scanner.at)?;
        self.scanner.skip_to(group.end + 1);
        Some(&self.draft.source[group])
    }

    /// Skips `count` arguments, and the bracketed arguments before each.
    fn skip_arguments(&mut self, count: usize) {
        for _ in 0..count {
            self.skip_options();
            self.scanner.skip_blanks_before(b'{');
            match self.scanner.peek() {
                Some((Token::Open, _)) if self.argument().is_some() => {}
                Some((Token::Command(_), _)) => drop(self.scanner.next()),
                _ => return,
            }
        }
    }
}

// The commands and environments that are recognized by name, and the effect of each on the text.

/// The effect of a command on the text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum CommandRole {
    /// It stands for these characters.
    Text(&'static str),
    /// It puts this combining mark on the next letter.
    Accent(char),
    Begin,
    End,
    /// It defines a command in the way of LaTeX: `\newcommand`.
    Definition,
    /// It defines a command in the way of TeX: `\def`.
    Def,
    Let,
    /// Its argument is a paragraph of its own.
    Heading,
    /// Its argument is shown elsewhere on the page: a footnote.
    Note,
    /// Its argument is shown in quotation marks.
    Quoted,
    BlockQuote,
    Item,
    /// It separates the text before it from the text after it.
    Separate(Separator),
    /// It changes the appearance of the text that follows.
    Switch,
    /// It sets the colour of its last argument.
    Color,
    /// It sets the colour of what follows.
    ColorSwitch,
    /// It puts a colour behind its last argument, or behind the rest of a group.
    Background,
    /// A length follows it.
    Length,
    /// The number of its leading arguments that are not text.
    LeftOut(usize),
    /// Same as [`CommandRole::LeftOut`], but it also separates the text with a space.
    LeftOutSpace(usize),
    /// Its arguments are text.
    Unknown,
}

/// The commands that are known by name, each row with those of one effect.
const COMMANDS: &[(CommandRole, &str)] = &[
    (CommandRole::Begin, "begin"),
    (CommandRole::End, "end"),
    (CommandRole::Definition, "newcommand renewcommand providecommand DeclareRobustCommand"),
    (CommandRole::Def, "def gdef edef xdef"),
    (CommandRole::Let, "let futurelet"),
    (
        CommandRole::Heading,
        "part chapter section subsection subsubsection paragraph subparagraph addchap addsec \
         minisec caption subcaption frametitle framesubtitle title subtitle author",
    ),
    (CommandRole::Note, "footnote footnotetext thanks endnote marginpar sidenote marginnote"),
    (CommandRole::Quoted, "enquote textquote"),
    (CommandRole::BlockQuote, "blockquote"),
    (CommandRole::Item, "item"),
    (
        CommandRole::Separate(Separator::Paragraph),
        "par newpage clearpage cleardoublepage pagebreak bigskip medskip smallskip maketitle",
    ),
    (
        CommandRole::Separate(Separator::Line),
        "newline linebreak tabularnewline hline toprule midrule bottomrule endhead endfirsthead \
         endfoot",
    ),
    (
        CommandRole::Separate(Separator::Space),
        "and quad qquad hfill enspace thinspace space xspace nobreakspace hfil dotfill",
    ),
    (
        CommandRole::Switch,
        "bf it sc sl tt rm sf em bfseries mdseries itshape slshape scshape upshape ttfamily \
         sffamily rmfamily normalfont tiny scriptsize footnotesize small normalsize large Large \
         LARGE huge Huge centering raggedright raggedleft noindent protect relax",
    ),
    (
        CommandRole::Length,
        "vskip hskip kern parindent parskip baselineskip textwidth textheight oddsidemargin \
         evensidemargin topmargin hsize vsize leftskip rightskip tabcolsep",
    ),
    (CommandRole::Color, "textcolor"),
    (CommandRole::ColorSwitch, "color"),
    (CommandRole::Background, "colorbox fcolorbox pagecolor rowcolor cellcolor columncolor"),
    (CommandRole::LeftOutSpace(1), "bibitem hspace vspace ensuremath includegraphics includepdf"),
    // References, files, layout, running headers and footers, and arguments that are not shown at
    // all. Of the last row, the last argument is text.
    (
        CommandRole::LeftOut(1),
        "label ref eqref pageref autoref nameref cref Cref vref Vref labelcref fref tag index \
         glossary hypertarget hyperlink bibliography bibliographystyle addbibresource \
         input include includeonly subfile import usepackage RequirePackage documentclass \
         documentstyle includesvg graphicspath lstinputlisting verbatiminput usetheme \
         usecolortheme usetikzlibrary \
         pagestyle thispagestyle pagenumbering hypersetup geometry hyphenation selectlanguage \
         newcounter stepcounter refstepcounter newlength captionsetup setstretch linespread \
         tikzset pgfplotsset lstset theoremstyle setmainfont setsansfont setmonofont \
         setmainlanguage setotherlanguage fontfamily fontseries fontshape cline cmidrule date \
         ding symbol PassOptionsToPackage \
         markright lhead chead rhead lfoot cfoot rfoot fancyhead fancyfoot fancyhf phantom \
         hphantom vphantom write special \
         href sbox savebox parbox raisebox scalebox rotatebox foreignlanguage captionof",
    ),
    (
        CommandRole::LeftOut(2),
        "crefrange Crefrange inputminted setlength addtolength setcounter addtocounter settowidth \
         fontsize rule numberwithin setbeamertemplate setbeamercolor setbeamerfont addtocontents \
         colorlet markboth DeclareMathOperator newtheorem newglossaryentry \
         resizebox multicolumn multirow",
    ),
    (
        CommandRole::LeftOut(3),
        "definecolor addcontentsline newenvironment renewenvironment NewDocumentCommand \
         RenewDocumentCommand newacronym",
    ),
];

/// Returns the effect of a command, by its name.
fn role(name: &str) -> CommandRole {
    static ROLES: LazyLock<HashMap<&str, CommandRole, RandomState>> = LazyLock::new(|| {
        let rows = include_str!("latex/characters.tsv").lines();
        let rows = rows.filter_map(|row| row.split_once('\t'));
        let characters = rows.map(|(names, text)| (CommandRole::Text(text), names));
        let rows = COMMANDS.iter().copied().chain(characters);
        rows.flat_map(|(role, names)| names.split(' ').map(move |name| (name, role))).collect()
    });
    let accent = || name.parse().ok().and_then(combining).map(CommandRole::Accent);
    let is_citation = ["cite", "Cite"].iter().any(|it| name.starts_with(it));
    match ROLES.get(name).copied().or_else(accent) {
        Some(role) => role,
        None if is_citation || name.ends_with("cite") => CommandRole::LeftOut(1),
        None => CommandRole::Unknown,
    }
}

/// Reports whether a colour is white: `white`, `1` of grey, `1,1,1` of red, green and blue, `FFFFFF`.
fn is_white(color: &str) -> bool {
    let color = color.trim();
    let is_most = |part: &str| ["1", "1.0", "255"].contains(&part.trim());
    color.eq_ignore_ascii_case("white")
        || color.eq_ignore_ascii_case("ffffff")
        || color.split(',').all(is_most)
}

/// The commands in a formula whose argument is text.
const TEXT_IN_FORMULAS: &[&str] =
    &["text", "textrm", "textnormal", "textbf", "textit", "textsf", "mbox", "intertext"];

/// Returns the range of the next label from a byte on; `None` if there is none.
fn label(source: &str, mut at: usize) -> Option<Range<usize>> {
    loop {
        at += source[at..].find(|letter: char| letter.is_ascii_alphabetic())?;
        let rest = &source[at..];
        let name = &rest[..rest.bytes().take_while(u8::is_ascii_alphabetic).count()];
        at += name.len();
        let is_node = name == "node";
        if !is_node && !TEXT_IN_FORMULAS.contains(&name) {
            continue;
        }
        // What comes before the text of a node: its options, name and place.
        loop {
            let rest = &source[at..];
            match rest.bytes().next()? {
                b'{' => {
                    let mut depth = 0;
                    let length = rest.find(|letter| {
                        depth += i32::from(letter == '{') - i32::from(letter == '}');
                        depth == 0
                    })?;
                    return Some(at + 1..at + length);
                }
                open @ (b'[' | b'(') if is_node => {
                    at += rest.find(if open == b'[' { ']' } else { ')' })? + 1;
                }
                byte if is_node && (byte.is_ascii_alphabetic() || byte.is_ascii_whitespace()) => {
                    at += 1;
                }
                _ => break,
            }
        }
    }
}

/// The names of the commands for accents, and the combining mark of each.
const ACCENTS: [char; 15] =
    ['`', '\'', '^', '~', '=', 'u', '.', '"', 'r', 'H', 'v', 'd', 'c', 'k', 'b'];
const MARKS: [char; 15] = [
    '\u{300}', '\u{301}', '\u{302}', '\u{303}', '\u{304}', '\u{306}', '\u{307}', '\u{308}',
    '\u{30a}', '\u{30b}', '\u{30c}', '\u{323}', '\u{327}', '\u{328}', '\u{331}',
];

/// Returns the combining mark of an accent command; `None` if it is not one.
fn combining(accent: char) -> Option<char> {
    ACCENTS.iter().position(|name| *name == accent).map(|at| MARKS[at])
}

/// Returns the replacement of a TeX ligature, or of `"` and a letter in babel's German shorthands;
/// `None` if the characters stand for themselves.
fn mark(written: &str) -> Option<&'static str> {
    Some(match written {
        "--" => "–",
        "---" => "—",
        "`" => "‘",
        "``" | "\"'" => "“",
        "''" => "”",
        "<<" | "\"<" => "«",
        ">>" | "\">" => "»",
        "?`" => "¿",
        "!`" => "¡",
        "\"a" => "ä",
        "\"o" => "ö",
        "\"u" => "ü",
        "\"A" => "Ä",
        "\"O" => "Ö",
        "\"U" => "Ü",
        "\"s" | "\"z" => "ß",
        "\"`" => "„",
        "\"=" | "\"~" => "-",
        // Marks a point at which a word may be hyphenated.
        "\"-" | "\"|" | "\"\"" => "",
        _ => return None,
    })
}

/// The environment of a list of references. LaTeX prints its heading, which is not in the source.
const REFERENCES: &str = "thebibliography";

/// How an environment is read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Environment {
    /// Command by command; the number of its leading arguments that are not text.
    Arguments(usize),
    /// The same, with a title in brackets.
    Titled,
    /// The same, as a block quotation.
    Quote,
    /// As one token, and so are the following. Of a formula or a drawing, only labels are text.
    Formula,
    /// Code, shown as written.
    Code,
    /// Not text.
    LeftOut,
}

const ENVIRONMENTS: &[(Environment, &str)] = &[
    (
        Environment::Arguments(1),
        "tabular longtable supertabular tabu minipage multicols thebibliography spacing \
         otherlanguage subfigure subtable adjustbox column textblock varwidth",
    ),
    (
        Environment::Arguments(2),
        "tabular* tabularx tabulary wrapfigure wraptable adjustwidth changemargin list",
    ),
    (Environment::Titled, "theorem lemma proof definition corollary proposition remark example"),
    (Environment::Quote, "quote quotation displayquote displaycquote blockquote"),
    (
        Environment::Formula,
        "equation align alignat flalign gather multline eqnarray displaymath math dmath \
         IEEEeqnarray array tikzpicture circuitikz axis",
    ),
    (Environment::Code, "verbatim Verbatim lstlisting minted alltt"),
    (Environment::LeftOut, "comment filecontents picture pgfpicture pspicture forest asy CCSXML"),
];

/// Returns how an environment is read, by its name; `None` for an unknown one. Those that are
/// titled or read as one token may have a star behind their name.
fn environment(name: &str) -> Option<Environment> {
    let find = |name: &str| {
        let row = ENVIRONMENTS.iter().find(|(_, names)| names.split(' ').any(|it| it == name));
        row.map(|(environment, _)| *environment)
    };
    let may_have_star =
        |it: &Environment| !matches!(it, Environment::Arguments(_) | Environment::Quote);
    find(name).or_else(|| find(name.trim_end_matches('*')).filter(may_have_star))
}

#[cfg(test)]
mod tests;
