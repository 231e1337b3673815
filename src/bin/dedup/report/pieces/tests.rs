use super::*;
use crate::report::page::{Disguised, Out};

/// Returns a passage in which the given spans are changed.
fn passage(span: Range<usize>, changed: &[(usize, usize)]) -> Passage {
    let changed = changed.iter().map(|&(from, to)| from..to).collect();
    let stretches = vec![(span.clone(), Some("edited"))];
    let place = PagePlace { span, stretches, changed, ..PagePlace::default() };
    Passage {
        words: 0,
        extent: String::new(),
        places: [place.clone(), place],
        repeats: Default::default(),
    }
}

fn cut_left<'t>(
    content: &'t str,
    passages: &[Passage],
    left_out: &[(usize, usize)],
) -> Vec<Vec<TextPiece<'t>>> {
    let left_out = left_out.iter().map(|&(from, to)| Out { why: "", span: from..to }).collect();
    let side = PageSide { content: content.into(), left_out, ..PageSide::default() };
    blocks(Box::leak(Box::new(side)), passages, Which::Left)
}

/// Formats pieces, for example as
/// `plain [1 part of the first passage] [+1 more of it, <changed>] (left out)(+more)`.
fn drawn(blocks: &[Vec<TextPiece>]) -> String {
    let drawn_stretch = |stretch: &Stretch| match stretch.state {
        State::Plain => {
            let part = stretch.part.map(|part| format!("{part}:")).unwrap_or_default();
            part + stretch.text
        }
        State::Changed => format!("<{}>", stretch.text),
        State::Own => format!("{{{}}}", stretch.text),
        State::Out { begins: true, .. } => format!("({})", stretch.text),
        State::Out { begins: false, .. } => format!("(+{})", stretch.text),
    };
    let drawn_piece = |piece: &TextPiece| {
        let stretches: String = piece.stretches.iter().map(drawn_stretch).collect();
        match &piece.mark {
            None => stretches,
            Some(mark) if mark.says_how => {
                let goes_on = if mark.begins { "" } else { "+" };
                format!("[{goes_on}{} {}: {stretches}]", mark.number, mark.how())
            }
            Some(mark) if mark.begins => format!("[{} {stretches}]", mark.number),
            Some(mark) => format!("[+{} {stretches}]", mark.number),
        }
    };
    let drawn_block = |block: &Vec<TextPiece>| block.iter().map(drawn_piece).collect::<String>();
    blocks.iter().map(drawn_block).collect::<Vec<_>>().join("|")
}

/// Returns a passage that is repeated in the left text.
fn repeated(span: Range<usize>, repeats: &[(usize, usize)]) -> Passage {
    let repeats = repeats.iter().map(|&(from, to)| from..to).collect();
    Passage { repeats: [repeats, Vec::new()], ..passage(span, &[]) }
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
        ("one that is repeated",  "ab ab c ab", &[repeated(3..5, &[(0, 2), (8, 10)]), passage(6..7, &[])], "[+1 ab] [1 ab] [2 c] [+1 ab]"),
    ];
    for (why, content, passages, want) in table {
        assert_eq!(drawn(&cut_left(content, passages, &[])), *want, "{why}");
    }
}

#[test]
fn a_passage_is_cut_into_its_stretches() {
    let stretches = |stretches: &[(Range<usize>, Option<&'static str>)],
                     changed: &[(usize, usize)]| {
        let mut passage = passage(3..14, changed);
        passage.places[0].stretches = stretches.to_vec();
        [passage]
    };
    let [exact, reworded] = [Some("exact"), Some("reworded")];
    #[rustfmt::skip]
    let table = [
        ("of one kind",         stretches(&[(3..14, reworded)], &[(6, 8)]),                  "ab [1 cd <ef> gh ij] kl"),
        ("of two kinds",        stretches(&[(3..9, exact), (9..14, reworded)], &[(9, 11)]),  "ab [1 word for word: cd ef ][+1 reworded: <gh> ij] kl"),
        ("its own between",     stretches(&[(3..6, exact), (6..9, None), (9..14, exact)], &[]),
                                "ab [1 word for word: cd ]{ef }[+1 word for word: gh ij] kl"),
    ];
    for (why, passages, want) in table {
        assert_eq!(drawn(&cut_left("ab cd ef gh ij kl", &passages, &[])), want, "{why}");
    }
    let out =
        cut_left("ab cd ef gh ij kl", &stretches(&[(3..6, exact), (6..14, None)], &[]), &[(6, 8)]);
    assert_eq!(drawn(&out), "ab [1 word for word: cd ](ef){ gh ij} kl");
}

#[test]
fn what_does_not_count_is_cut_out_of_passages_too() {
    let content = "ab cd ef gh";
    #[rustfmt::skip]
    let table: &[(&str, &[Passage], &[(usize, usize)], &str)] = &[
        ("without a passage",   &[],                         &[(3, 5)],         "ab (cd) ef gh"),
        ("all of it",           &[],                         &[(0, 11)],        "(ab cd ef gh)"),
        ("side by side",        &[],                         &[(0, 3), (3, 5)], "(ab )(cd) ef gh"),
        ("beside a passage",    &[passage(6..11, &[])],      &[(0, 5)],         "(ab cd) [1 ef gh]"),
        ("within a passage",    &[passage(0..8, &[])],       &[(3, 5)],         "[1 ab (cd) ef] gh"),
        ("among changed words", &[passage(0..11, &[(0, 8)])], &[(3, 5)],        "[1 <ab >(cd)< ef> gh]"),
        ("over a passage's end", &[passage(0..5, &[])],      &[(3, 8)],         "[1 ab (cd)](+ ef) gh"),
        ("nothing of it",       &[],                         &[(4, 4)],         "ab cd ef gh"),
    ];
    for (why, passages, left_out, want) in table {
        assert_eq!(drawn(&cut_left(content, passages, left_out)), *want, "{why}");
    }
}

#[test]
fn a_passage_is_cut_where_its_parts_begin() {
    let parts = |changed: &[(usize, usize)], parts: &[(usize, usize)]| {
        let mut passage = passage(3..11, changed);
        passage.places[0].parts = parts.to_vec();
        [passage]
    };
    #[rustfmt::skip]
    let table = [
        ("at its start",         parts(&[], &[(3, 2), (6, 1)]),       "ab [1 2:cd 1:ef gh]"),
        ("behind changed words", parts(&[(3, 5)], &[(6, 2), (9, 1)]), "ab [1 <cd> 2:ef 1:gh]"),
        ("before changed words", parts(&[(6, 8)], &[(3, 2), (9, 1)]), "ab [1 2:cd <ef> 1:gh]"),
    ];
    for (why, passages, want) in table {
        assert_eq!(drawn(&cut_left("ab cd ef gh", &passages, &[])), want, "{why}");
    }
    let content = ("x".repeat(BLOCK_BYTES - 1) + "\n").repeat(2);
    let mut long = [passage(0..2 * BLOCK_BYTES, &[])];
    long[0].places[0].parts = vec![(2, 2), (BLOCK_BYTES, 1)];
    let x = "x".repeat(BLOCK_BYTES - 3);
    assert_eq!(drawn(&cut_left(&content, &long, &[])), format!("[1 xx2:{x}\n]|[+1 1:xx{x}\n]"));
}

#[test]
fn words_in_disguise_are_cut_out_of_all_else() {
    let word = |span: Range<usize>| Disguised { span, written: "x".to_owned() };
    let mut side = PageSide { content: "ab cd ef gh".into(), ..PageSide::default() };
    side.disguised = vec![word(3..5), word(6..8), word(9..11)];
    side.left_out = vec![Out { why: "", span: 6..11 }];
    let blocks = blocks(&side, &[passage(0..5, &[(0, 5)])], Which::Left);
    assert_eq!(drawn(&blocks), "[1 <ab ><cd>] (ef)(+ )(+gh)");
    let stretches = blocks[0].iter().flat_map(|piece| &piece.stretches);
    let words: Vec<_> = stretches.filter(|it| it.written.is_some()).map(|it| it.text).collect();
    assert_eq!(words, ["cd", "ef", "gh"]);
}

#[test]
fn a_border_within_a_soft_hyphen_is_before_it() {
    let side = PageSide { content: "ket\u{ad}tle".into(), ..PageSide::default() };
    assert_eq!([side.text(0..4), side.text(4..8)], ["ket", "\u{ad}tle"]);
}

#[test]
fn what_does_not_count_goes_on_in_the_next_block() {
    let content = ("x".repeat(BLOCK_BYTES - 1) + "\n").repeat(2);
    let blocks = cut_left(&content, &[], &[(BLOCK_BYTES - 3, BLOCK_BYTES + 2)]);
    let (x, y) = ("x".repeat(BLOCK_BYTES - 3), "x".repeat(BLOCK_BYTES - 3));
    assert_eq!(drawn(&blocks), format!("{x}(xx\n)|(+xx){y}\n"));
}

#[test]
fn a_passage_goes_on_in_the_next_block() {
    let line = "x".repeat(BLOCK_BYTES - 1) + "\n";
    let content = line.repeat(3);
    let passages = [passage(10..2 * BLOCK_BYTES + 5, &[(BLOCK_BYTES - 3, BLOCK_BYTES + 2)])];
    let blocks = cut_left(&content, &passages, &[]);
    let marks: Vec<_> = blocks
        .iter()
        .map(|block| {
            let piece = block.iter().find(|piece| piece.mark.is_some()).unwrap();
            let mark = piece.mark.as_ref().unwrap();
            let of = |it: &Stretch| (it.text.len(), it.state == State::Changed);
            let lengths: Vec<_> = piece.stretches.iter().map(of).collect();
            (mark.begins, lengths)
        })
        .collect();
    let want = [
        (true, vec![(BLOCK_BYTES - 13, false), (3, true)]),
        (false, vec![(2, true), (BLOCK_BYTES - 2, false)]),
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
        // The 820th line of 5 bytes is the first one whose end reaches 4,096 bytes.
        ("at the first line's end", &short,  &[4100, 900]),
        // 16,383 is the greatest multiple of three that fits.
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
        .filter(|passage| content.is_char_boundary(passage.places[0].changed[0].end))
        .collect();
    let out: Vec<(usize, usize)> =
        ends.chunks_exact(2).skip(3).step_by(5).map(|at| (at[0], at[1])).collect();
    let pieces = cut_left(&content, &passages, &out).concat();
    let stretches: Vec<&Stretch> = pieces.iter().flat_map(|piece| &piece.stretches).collect();
    assert_eq!(stretches.iter().map(|stretch| stretch.text).collect::<String>(), content);
    assert!(stretches.iter().all(|stretch| !stretch.text.is_empty()));
    assert!(pieces.iter().all(|piece| !piece.stretches.is_empty()));
}
