//! The blocks of a text → how it is cut, for the script of a page that has the text once.
//!
//! It is JSON: of each block its pieces, of each piece `[passage, begins + 2 · edited +
//! 4 · reworded, …]`, the
//! passage 0 where it is of none, then its stretches. A stretch is its length, or `[length,
//! state, part, written]`: the state 1 where it is changed, 2 where it is left out, or the reason
//! where that begins with it; the part 0 where none does; what was written where that is in
//! disguise. Lengths are in UTF-16, as scripts count.

use std::fmt::Write;

use serde_json::json;

use super::pieces::{Piece, State, Stretch};

/// How a text is cut.
pub(super) fn render(blocks: &[Vec<Piece>]) -> String {
    list(blocks.iter().map(|block| list(block.iter().map(piece))))
}

fn piece(piece: &Piece) -> String {
    let head = match &piece.mark {
        Some(mark) => {
            let kind = match mark.kind {
                "edited" => 2,
                "reworded" => 4,
                _ => 0,
            };
            [mark.number, usize::from(mark.begins) + kind]
        }
        None => [0, 0],
    };
    list(
        head.map(|number| number.to_string())
            .into_iter()
            .chain(piece.stretches.iter().map(stretch)),
    )
}

fn stretch(stretch: &Stretch) -> String {
    let length = stretch.text.encode_utf16().count();
    let state = match stretch.state {
        State::Plain if (stretch.part, stretch.written) == (None, None) => {
            return length.to_string();
        }
        State::Plain => json!(0),
        State::Changed => json!(1),
        State::Out { begins: false, .. } => json!(2),
        State::Out { why, begins: true } => json!(why),
    };
    let part = stretch.part.unwrap_or_default();
    match stretch.written {
        None => json!([length, state, part]).to_string(),
        Some(written) => json!([length, state, part, written]).to_string(),
    }
}

fn list(parts: impl Iterator<Item = String>) -> String {
    let mut list = "[".to_owned();
    for (before, part) in parts.enumerate() {
        let comma = if before == 0 { "" } else { "," };
        let _ = write!(list, "{comma}{part}");
    }
    list + "]"
}

#[cfg(test)]
mod tests {
    use super::super::pieces::Mark;
    use super::*;

    #[test]
    fn a_text_can_be_put_together_again() {
        let stretch = |text, state, part| Stretch { text, state, part, written: None };
        let disguised =
            |text, written| Stretch { written: Some(written), ..stretch(text, State::Plain, None) };
        let mark = |number, kind, begins| Some(Mark { number, tint: "", kind, begins });
        let out = |begins| State::Out { why: "quotes", begins };
        #[rustfmt::skip]
        let table = [
            ("nothing",          vec![],                                            "[]"),
            ("an empty block",   vec![vec![]],                                      "[[]]"),
            ("no passage",       vec![vec![Piece { mark: None, stretches: vec![stretch("plain", State::Plain, None)] }]],
                                 "[[[0,0,5]]]"),
            ("one in UTF-16 is no byte and no letter",
                                 vec![vec![Piece { mark: mark(7, "exact", true), stretches: vec![stretch("é🦊", State::Plain, None)] }]],
                                 "[[[7,1,3]]]"),
            ("one that goes on", vec![vec![], vec![Piece { mark: mark(1, "edited", false), stretches: vec![
                                     stretch("ab", State::Changed, None), stretch("c", State::Plain, Some(2)) ] }]],
                                 "[[],[[1,2,[2,1,0],[1,0,2]]]]"),
            ("left out",         vec![vec![Piece { mark: mark(1, "edited", true), stretches: vec![
                                     stretch("a", out(true), None), stretch("bc", out(false), Some(1)) ] }]],
                                 "[[[1,3,[1,\"quotes\",0],[2,2,1]]]]"),
            ("in disguise",      vec![vec![Piece { mark: None, stretches: vec![disguised("a\"", "<U+0430>\"")] }]],
                                 "[[[0,0,[2,0,0,\"<U+0430>\\\"\"]]]]"),
        ];
        for (why, blocks, want) in table {
            assert_eq!(render(&blocks), want, "{why}");
        }
    }
}
