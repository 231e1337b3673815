//! The flags that say how texts are read.

use std::time::Duration;

use clap::{Args, ValueEnum};
use dedup_text::text::formats::Bounds;
use dedup_text::text::{Encoding, Html, Markdown, Reading, Side};

use super::values::{self, Limit, Sided, said_of};
use crate::diagnostics::Diagnostic;
use crate::io::inputs::open::Disguises;

/// How texts are read.
#[derive(Args, Debug)]
pub(crate) struct Opening {
    /// Encoding, such as latin1; left=latin1 for one side
    ///
    /// A name of the WHATWG's Encoding Standard. Without it a byte order mark is
    /// believed, then UTF-8 where the bytes are valid, else it is detected.
    #[arg(long, value_name = "NAME", value_parser = values::encoding)]
    encoding: Vec<Sided<Encoding>>,

    /// Replace bytes that the encoding does not allow
    ///
    /// By U+FFFD, with a warning that counts them. Without it they are trouble.
    #[arg(long, hide_short_help = true)]
    lossy: bool,

    /// Disguises of a text: warn or error [default warn]
    ///
    /// Look-alike letters of another script, invisible characters, letter-spacing, hidden text and the like are
    /// undone, and the text is compared as its reader sees it. error makes them trouble.
    #[arg(
        long,
        value_name = "HOW",
        default_value = "warn",
        hide_default_value = true,
        hide_possible_values = true,
        hide_short_help = true
    )]
    disguises: Disguises,

    /// What of a web page: main, all or off [default main]
    ///
    /// The main content, or all of the body but navigation, header and footer; off compares
    /// the page's source.
    #[arg(
        long,
        value_name = "PART",
        default_value = "main",
        hide_default_value = true,
        hide_possible_values = true,
        hide_short_help = true
    )]
    html: HtmlFlag,

    /// Read as Markdown: auto, on or off [default auto]
    ///
    /// Words count, marks and link targets do not. auto: what is named .md or .markdown.
    #[arg(
        long,
        value_name = "WHETHER",
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true,
        hide_short_help = true
    )]
    markdown: MarkdownFlag,

    /// Most bytes of a file [off; default 200000000]
    #[arg(
        long,
        value_name = "BYTES",
        default_value = "200000000",
        hide_default_value = true,
        hide_short_help = true,
        value_parser = values::bytes
    )]
    max_bytes: Limit<u64>,

    /// Most bytes that a document unpacks to [off; default 200000000]
    #[arg(
        long,
        value_name = "BYTES",
        default_value = "200000000",
        hide_default_value = true,
        hide_short_help = true,
        value_parser = values::bytes
    )]
    max_unpacked: Limit<u64>,

    /// Longest that pdftotext may take, in seconds [off; default 20]
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "20",
        hide_default_value = true,
        hide_short_help = true,
        value_parser = values::seconds
    )]
    max_pdf_time: Limit<Duration>,
}

/// What of a web page is read.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum HtmlFlag {
    Main,
    All,
    Off,
}

/// What is read as Markdown.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum MarkdownFlag {
    Auto,
    On,
    Off,
}

impl Opening {
    /// How a text is to be read that is the only one.
    pub(crate) fn reading_of_one(&self) -> Result<Reading, Diagnostic> {
        self.reading_without_sides("there is but one text")
    }

    /// How each of many texts is to be read.
    pub(crate) fn reading_of_all(&self) -> Result<Reading, Diagnostic> {
        self.reading_without_sides(values::MANY)
    }

    fn reading_without_sides(&self, why: &str) -> Result<Reading, Diagnostic> {
        let encoding = values::said_of_all(&self.encoding, "--encoding", why)?;
        Ok(Reading { encoding, ..self.of_others() })
    }

    /// How the text of a side is to be read.
    pub(crate) fn reading(&self, side: Side) -> Result<Reading, Diagnostic> {
        Ok(Reading {
            encoding: said_of(&self.encoding, side, "--encoding", ["latin1", "utf-8"])?,
            ..self.of_others()
        })
    }

    /// How a list is to be read that is no text to be compared.
    pub(super) fn list(&self) -> Reading {
        Reading { html: Html::Off, markdown: Markdown::Off, ..self.of_others() }
    }

    /// How a text is to be read that is neither side: in the encoding that is found.
    pub(super) fn of_others(&self) -> Reading {
        Reading {
            most: self.max_bytes.into(),
            encoding: None,
            lossy: self.lossy,
            html: match self.html {
                HtmlFlag::Main => Html::Main,
                HtmlFlag::All => Html::All,
                HtmlFlag::Off => Html::Off,
            },
            markdown: match self.markdown {
                MarkdownFlag::Auto => Markdown::Auto,
                MarkdownFlag::On => Markdown::On,
                MarkdownFlag::Off => Markdown::Off,
            },
            bounds: Bounds { unpacked: self.max_unpacked.into(), time: self.max_pdf_time.into() },
        }
    }

    pub(crate) fn disguises(&self) -> Disguises {
        self.disguises
    }
}
