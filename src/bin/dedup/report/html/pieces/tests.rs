use super::*;

/// A passage, and where in it changed words begin and end.
fn passage(span: Range<usize>, changed: &[(usize, usize)]) -> Passage {
    let kind = if changed.is_empty() { Kind::Exact } else { Kind::Edited };
    let place = Place { span, changed: changed.iter().map(|&(from, to)| from..to).collect() };
    Passage { kind, words: 0, changed_words: 0, left: place.clone(), right: place }
}

fn cut_left<'t>(content: &'t str, passages: &[Passage]) -> Vec<Vec<Piece<'t>>> {
    blocks(content, passages, |passage| &passage.left)
}

/// Pieces as `plain [1 part of the first passage] [+1 more of it, <changed>]`.
fn drawn(blocks: &[Vec<Piece>]) -> String {
    let drawn_mark = |mark: &Mark| {
        let more = if mark.begins { "" } else { "+" };
        let parts = mark.stretches.iter().map(|stretch| {
            if stretch.changed { format!("<{}>", stretch.text) } else { stretch.text.to_owned() }
        });
        format!("[{more}{} {}]", mark.number, parts.collect::<String>())
    };
    let drawn_block = |block: &Vec<Piece>| -> String {
        let pieces = block.iter();
        pieces.map(|piece| piece.mark.as_ref().map_or(piece.text.to_owned(), drawn_mark)).collect()
    };
    blocks.iter().map(drawn_block).collect::<Vec<_>>().join("|")
}

#[test]
fn a_text_is_cut_at_the_borders_of_its_passages() {
    #[rustfmt::skip]
    let table: &[(&str, &str, &[Passage], &str)] = &[
        ("no text",               "",        &[], ""),
        ("no passage",            "ab cd",   &[], "ab cd"),
        ("in the middle",         "ab cd e", &[passage(3..5, &[])], "ab [1 cd] e"),
        ("all of it",             "ab cd",   &[passage(0..5, &[])], "[1 ab cd]"),
        ("side by side",          "ab cd",   &[passage(0..3, &[]), passage(3..5, &[])], "[1 ab ][2 cd]"),
        ("not in the text's order", "ab cd e", &[passage(3..5, &[]), passage(0..2, &[])], "[2 ab] [1 cd] e"),
        ("letters of several bytes", "é水 ü", &[passage(2..5, &[])], "é[1 水] ü"),
        ("a changed word",        "ab cd e", &[passage(0..7, &[(3, 5)])], "[1 ab <cd> e]"),
        ("changed at its ends",   "ab cd e", &[passage(0..7, &[(0, 2), (6, 7)])], "[1 <ab> cd <e>]"),
        ("over a line's end",     "ab\ncd",  &[passage(1..4, &[])], "a[1 b\nc]d"),
        ("an empty one",          "ab",      &[passage(1..1, &[])], "ab"),
    ];
    for (why, content, passages, want) in table {
        assert_eq!(drawn(&cut_left(content, passages)), *want, "{why}");
    }
}

#[test]
fn a_passage_goes_on_in_the_next_block() {
    let line = "x".repeat(BLOCK - 1) + "\n";
    let content = line.repeat(3);
    let passages = [passage(10..2 * BLOCK + 5, &[(BLOCK - 3, BLOCK + 2)])];
    let blocks = cut_left(&content, &passages);
    let marks: Vec<_> = blocks
        .iter()
        .map(|block| {
            let mark = block.iter().find_map(|piece| piece.mark.as_ref()).unwrap();
            let lengths: Vec<_> =
                mark.stretches.iter().map(|s| (s.text.len(), s.changed)).collect();
            (mark.begins, lengths)
        })
        .collect();
    let want = [
        (true, vec![(BLOCK - 13, false), (3, true)]),
        (false, vec![(2, true), (BLOCK - 2, false)]),
        (false, vec![(5, false)]),
    ];
    assert_eq!(marks, want);
}

#[test]
fn blocks_end_with_their_lines() {
    let short = "word\n".repeat(1000);
    let endless = "ab ".repeat(10_000);
    let one_word = "水".repeat(10_000);
    let old_mac = "x".repeat(LINE - 1) + "\r\n" + &"y".repeat(9);
    #[rustfmt::skip]
    let table: &[(&str, &str, &[usize])] = &[
        // 820 lines of 5 bytes are the first to reach 4,096.
        ("at the first line's end", &short,  &[4100, 900]),
        // 16,383 is the last multiple of three that fits.
        ("behind a space",        &endless,  &[16_383, 13_617]),
        ("between letters",       &one_word, &[16_383, 13_617]),
        ("not before a line feed", &old_mac, &[LINE + 1, 9]),
        ("a last line without an end", "a\nb", &[3]),
        ("nothing",               "",        &[]),
    ];
    for (why, content, want) in table {
        let lengths: Vec<_> = spans(content).iter().map(ExactSizeIterator::len).collect();
        assert_eq!(lengths, *want, "{why}");
    }
}

#[test]
fn pieces_put_together_are_the_text() {
    let content = "Über den Wolken, 水水水. ".repeat(3000);
    let ends: Vec<usize> = content.char_indices().map(|(at, _)| at).step_by(97).collect();
    let passages: Vec<Passage> = ends
        .chunks_exact(2)
        .map(|ends| passage(ends[0]..ends[1], &[(ends[0], ends[0] + 2)]))
        .filter(|passage| content.is_char_boundary(passage.left.changed[0].end))
        .collect();
    let pieces = cut_left(&content, &passages).concat();
    assert_eq!(pieces.iter().map(|piece| piece.text).collect::<String>(), content);
    for mark in pieces.iter().filter_map(|piece| piece.mark.as_ref()) {
        assert!(!mark.stretches.is_empty());
    }
    let joined: String = pieces
        .iter()
        .flat_map(|piece| match &piece.mark {
            Some(mark) => mark.stretches.iter().map(|stretch| stretch.text).collect(),
            None => vec![piece.text],
        })
        .collect();
    assert_eq!(joined, content);
}
