//! Why the text of a document cannot be had.

use std::io;

/// What files hold of a kind that is not read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Foreign {
    /// Text, or other files: a spreadsheet, an old Office document, an archive.
    Document,
    /// A picture.
    Picture,
    /// Sound or a film.
    Recording,
    /// A program, or a font.
    Program,
}

/// Why the text of a document cannot be had. The messages follow on the file's name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The document is cut, or not what its kind allows.
    #[error("damaged {kind}: {found}")]
    Damaged {
        /// The kind it is of: `docx`, `PDF`.
        kind: &'static str,
        /// What is wrong with it, for people.
        found: String,
    },

    /// It is of a kind that is not read.
    #[error("not a text: {found}, expected a text or a document of text")]
    Foreign {
        /// What files of the kind hold.
        holds: Foreign,
        /// The kind, with its article: "a ZIP archive".
        found: String,
    },

    /// It unpacks to more than is allowed.
    #[error("unpacks to more than the limit of {most} bytes")]
    TooLarge {
        /// The most bytes it may unpack to.
        most: u64,
    },

    /// Its elements stand inside one another too deeply.
    #[error("more than {most} elements inside one another, expected fewer")]
    TooDeep {
        /// The most there may be.
        most: usize,
    },

    /// It opens with a password only.
    #[error("{kind} locked by a password, expected one that opens without")]
    Locked {
        /// The kind it is of.
        kind: &'static str,
    },

    /// It holds pictures of pages and not one word.
    #[error("a {kind} without text: its pages are pictures")]
    OnlyPictures {
        /// The kind it is of.
        kind: &'static str,
    },

    /// The program that reads its kind is not installed.
    #[error("a {kind}, which {program} reads: not found")]
    NoProgram {
        /// The kind it is of.
        kind: &'static str,
        /// The program's name.
        program: &'static str,
    },

    /// The program that reads its kind could not be run.
    #[error("a {kind}, which {program} reads: could not be run")]
    ProgramFailed {
        /// The kind it is of.
        kind: &'static str,
        /// The program's name.
        program: &'static str,
        /// What the system said.
        source: io::Error,
    },

    /// The program that reads its kind took too long.
    #[error("{program} did not finish in {seconds} s, expected it sooner")]
    TooSlow {
        /// The program's name.
        program: &'static str,
        /// The longest it may take.
        seconds: u64,
    },
}
