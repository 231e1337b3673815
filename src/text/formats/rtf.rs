//! Rich Text Format → its text.
//!
//! Goes in: an RTF document (version 1.9.1 and older). Comes out: its paragraphs and cells in
//! their order, each on a line, then its notes. A document is a line of control words, letters
//! and groups; what a group is for is said by its first word. Headers, comments, codes of
//! fields, numbers of lists, pictures and all groups that a reader may ignore are left out.

mod reader;

use super::{Extracted, Refusal};
use reader::Reader;
use reader::{Token, Tokens};

const KIND: &str = "RTF";

/// The most groups that may stand inside one another; real documents have some dozens.
const DEEPEST: usize = 1_000;

/// Reads the text of a document.
///
/// # Errors
///
/// [`Refusal::Damaged`] where it is none, is cut or has letters of a code page that is not
/// known, [`Refusal::TooDeep`].
pub(crate) fn text(bytes: &[u8]) -> Result<Extracted, Refusal> {
    if !bytes.starts_with(b"{\\rtf") {
        return Err(damaged("it does not begin with {\\rtf".to_owned()));
    }
    let mut reader = Reader::default();
    for token in Tokens::of(bytes) {
        match token {
            Token::Open => reader.open()?,
            Token::Close => {
                reader.close()?;
                if reader.depth() == 0 {
                    return Ok(reader.finish()); // whatever follows is no part of it
                }
            }
            Token::Word(name, number) => reader.word(name, number)?,
            Token::Symbol(symbol) => reader.symbol(symbol)?,
            Token::Byte(byte) => reader.bytes(&[byte]),
            Token::Text(bytes) => reader.bytes(bytes),
        }
    }
    Err(damaged(format!("cut: {} groups are still open", reader.depth())))
}

fn damaged(found: String) -> Refusal {
    Refusal::Damaged { kind: KIND, found }
}

#[cfg(test)]
mod tests;
