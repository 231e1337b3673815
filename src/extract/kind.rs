//! Kinds of documents, and how they are told.

/// What a file is.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Kind {
    /// Plain text.
    #[default]
    Plain,
    /// A web page.
    Html,
    /// Markdown.
    Markdown,
    /// A document of Word, since 2007 (Office Open XML).
    Docx,
    /// A document of `LibreOffice` Writer (`OpenDocument`).
    Odt,
    /// An electronic book.
    Epub,
    /// A Jupyter notebook.
    Notebook,
    /// A PDF.
    Pdf,
    /// Rich Text Format.
    Rtf,
}

impl Kind {
    /// Whether places in the text are told by the file's bytes and lines; else they are
    /// those of the text that was taken out of it.
    pub fn is_shown_as_stored(self) -> bool {
        matches!(self, Self::Plain | Self::Markdown)
    }

    /// The name in JSON: `plain`, `html`, `markdown`, `docx`, `odt`, `epub`, `ipynb`, `pdf`, `rtf`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Html => "html",
            Self::Markdown => "markdown",
            Self::Docx => "docx",
            Self::Odt => "odt",
            Self::Epub => "epub",
            Self::Notebook => "ipynb",
            Self::Pdf => "pdf",
            Self::Rtf => "rtf",
        }
    }
}
