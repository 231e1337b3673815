//! Why two texts have no verdict.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::text::display_path;

/// What a text without a word is.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Wordless {
    /// It has no bytes, or a byte order mark alone.
    Empty,
    /// It has white space only.
    WhiteSpace,
    /// It has something, but no letter and no digit.
    NoWord,
    /// It has words, but all of them are left out.
    AllLeftOut,
}

/// Why two texts have no verdict.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize, thiserror::Error)]
#[non_exhaustive]
pub enum Undecided {
    /// A text has no word.
    #[error("{}: {}, expected a text with words", display_path(path), match found {
        Wordless::Empty => "empty",
        Wordless::WhiteSpace => "white space only",
        Wordless::NoWord => "no word in it",
        Wordless::AllLeftOut => "all its words are left out",
    })]
    Wordless {
        /// The text, as the user named it.
        path: PathBuf,
        /// What it has.
        found: Wordless,
    },

    /// All words of a text are stop words.
    #[error(
        "{}: only stop words ({words} in all), expected at least {least} other{}",
        display_path(path), if *least == 1 { "" } else { "s" }
    )]
    OnlyStopWords {
        /// The text, as the user named it.
        path: PathBuf,
        /// Its words.
        words: usize,
        /// The smallest n-gram.
        least: usize,
    },

    /// A text has fewer stems than the smallest n-gram.
    #[error(
        "{}: too short: {stems} of {words} words left after stop words{}, expected at least {least}",
        display_path(path), match left_out {
            0 => String::new(),
            left_out => format!(" ({left_out} left out)"),
        }
    )]
    TooShort {
        /// The text, as the user named it.
        path: PathBuf,
        /// Its words.
        words: usize,
        /// Those left after the stop words.
        stems: usize,
        /// Words that do not count.
        left_out: usize,
        /// The smallest n-gram.
        least: usize,
    },
}

impl Undecided {
    /// The text, as the user named it.
    pub fn path(&self) -> &Path {
        match self {
            Self::Wordless { path, .. }
            | Self::OnlyStopWords { path, .. }
            | Self::TooShort { path, .. } => path,
        }
    }

    /// An error for a text whose content has no word.
    pub(crate) fn wordless(path: &Path, content: &str) -> Self {
        let found = match content {
            "" => Wordless::Empty,
            blank if blank.trim().is_empty() => Wordless::WhiteSpace,
            _ => Wordless::NoWord,
        };
        Self::Wordless { path: path.to_owned(), found }
    }
}
