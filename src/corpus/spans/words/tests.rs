use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::corpus::spans::WordPlace;
use crate::parallel::Advance;

fn text(content: &str) -> Text {
    Text::from_bytes(Path::new("a"), content.as_bytes().to_vec()).unwrap()
}

fn read(contents: &[&str], spelling: Spelling) -> (Texts, Vec<Part>) {
    let mut words = Words::new(spelling);
    for content in contents {
        words.add(&text(content)).unwrap();
    }
    words.into_parts()
}

/// Returns what is kept of texts.
fn cleaned(contents: &[&str], min_words: usize, borders: Borders) -> Vec<String> {
    cleaned_by(contents, min_words, borders, Spelling::Folded)
}

fn cleaned_by(
    contents: &[&str],
    min_words: usize,
    borders: Borders,
    spelling: Spelling,
) -> Vec<String> {
    let (texts, parts) = read(contents, spelling);
    let removable = texts.repeats(min_words, &Advance::default()).removable();
    let clean = |((content, part), runs): ((&&str, &Part), &Vec<Range<usize>>)| {
        let mut kept = (*content).to_owned();
        for (cut, _) in part.cuts(content, runs, borders).into_iter().rev() {
            kept.replace_range(cut, "");
        }
        kept
    };
    contents.iter().zip(&parts).zip(&removable).map(clean).collect()
}

#[test]
fn words_are_cut_out_up_to_the_next_one_that_stays() {
    #[rustfmt::skip]
    let table: &[(&str, &[&str], usize, &[&str])] = &[
        ("nothing twice",        &["an old jug", "is so far"],          2, &["an old jug", "is so far"]),
        ("in the midst",         &["an old jug", "It, an old jug. So"], 3, &["an old jug", "It, So"]),
        ("at the end",           &["an old jug", "It an old jug.\n"],   3, &["an old jug", "It \n"]),
        ("a whole text",         &["an old jug\n", "an old jug!\n"],    3, &["an old jug\n", "\n"]),
        ("other case and lines", &["An, old", "AN\nOld jug"],           2, &["An, old", "jug"]),
        ("over itself",          &["so so so so."],                     2, &["so "]),
        ("Chinese",              &["水火山", "川水火山風"],                3, &["水火山", "川風"]),
        ("a shared character",   &["\u{fdfa} by", "it \u{fdfa} so"],    4, &["\u{fdfa} by", "it so"]),
        ("a part of one",        &["صلى الله by", "it \u{fdfa} so"],    2, &["صلى الله by", "it \u{fdfa} so"]),
        ("it would be glued",    &["水 an", "kettle水 so"],              1, &["水 an", "kettle水 so"]),
        ("a mark would join",    &["火山", "x \u{fffd}火山 \u{1ddd}x"],    2, &["火山", "x \u{fffd}火山 \u{1ddd}x"]),
        ("at the beginning",     &["火山", "\u{fffd}火山 \u{1ddd}x"],      2, &["火山", "\u{fffd}火山 \u{1ddd}x"]),
    ];
    for (why, contents, min_words, want) in table {
        assert_eq!(cleaned(contents, *min_words, Borders::Words), *want, "{why}");
    }
}

#[test]
fn whole_sentences_are_cut_out_and_no_parts_of_them() {
    #[rustfmt::skip]
    let table: &[(&str, &[&str], &[&str])] = &[
        ("a part",   &["an old jug is. So", "It an old jug. So"],      &["an old jug is. So", "It an old jug. So"]),
        ("one",      &["An old jug. So", "It. An old jug. Now."],      &["An old jug. So", "It. Now."]),
        ("and more", &["if An old jug. So", "It if. An old jug. So on."], &["if An old jug. So", "It if. So on."]),
        ("the last", &["An old jug.", "It. An old jug."],              &["An old jug.", "It. "]),
    ];
    for (why, contents, want) in table {
        assert_eq!(cleaned(contents, 3, Borders::Sentences), *want, "{why}");
    }
}

#[test]
fn runs_as_they_are_written_have_the_same_bytes() {
    #[rustfmt::skip]
    let table: &[(&str, &[&str], usize, &[&str])] = &[
        ("the same bytes",       &["an old jug", "It, an old jug. So"],   3, &["an old jug", "It, So"]),
        ("other case",           &["an old jug", "It, An old jug. So"],   3, &["an old jug", "It, An old jug. So"]),
        ("a part of it",         &["an old jug", "It, An old jug. So"],   2, &["an old jug", "It, An So"]),
        ("other spacing",        &["an old jug", "an  old jug"],          3, &["an old jug", "an  old jug"]),
        ("other punctuation",    &["an old jug", "an old, jug"],          3, &["an old jug", "an old, jug"]),
        ("what is behind it",    &["an old jug. No", "an old jug, so"],   3, &["an old jug. No", "so"]),
        ("what is before it",    &["\u{201c}an old jug", "(an old jug)"], 3, &["\u{201c}an old jug", "("]),
        ("broken over a line",   &["an old-\ner jug", "an older jug"],    3, &["an old-\ner jug", "an older jug"]),
        ("the last word of one", &["an old", "an old jug"],               2, &["an old", "jug"]),
        ("Chinese",              &["水火山", "川水火山風"],                  3, &["水火山", "川風"]),
        ("a shared character",   &["\u{fdfa} by", "it \u{fdfa} so"],      4, &["\u{fdfa} by", "it so"]),
        ("by another character", &["صلى الله عليه وسلم", "it \u{fdfa}"],  4, &["صلى الله عليه وسلم", "it \u{fdfa}"]),
    ];
    for (why, contents, min_words, want) in table {
        assert_eq!(
            cleaned_by(contents, *min_words, Borders::Words, Spelling::Exact),
            *want,
            "{why}"
        );
    }
}

#[test]
fn no_run_goes_from_one_file_of_a_text_into_the_next() {
    let joined = Text::joined(Path::new("all"), vec![text("an old"), text("jug is")]);
    let mut words = Words::new(Spelling::Folded);
    words.add(&text("an old jug is")).unwrap();
    words.add(&joined).unwrap();
    let (texts, parts) = words.into_parts();
    assert_eq!(parts.iter().map(|part| part.text).collect::<Vec<_>>(), [0, 1, 1]);
    let repeats = texts.repeats(2, &Advance::default());
    let places =
        repeats.list().iter().map(|it| repeats.places(it, 3).collect()).collect::<Vec<Vec<_>>>();
    let at = |text, word| WordPlace { text, word };
    assert_eq!(places, [[at(0, 0), at(1, 0)], [at(0, 2), at(2, 0)]]);
    let spans = parts[2].spans(joined.content(), std::slice::from_ref(&(0..2)));
    assert_eq!(joined.content()[spans[0].clone()], *"jug is");
}

proptest! {
    /// The definition, in quadratic time: what is kept of a text is everything before its first
    /// word, each kept word with everything up to the next word, and the white space at the end.
    #[test]
    fn what_stays_is_what_a_plain_twin_keeps(
        contents in proptest::collection::vec("[ .]{0,2}((ab|AB|cc|dd)[ ,.\n]{0,1}[ ]){0,30}[.\n]{0,2}", 1..4),
        min_words in 1_usize..5, is_exact: bool,
    ) {
        let spelling = if is_exact { Spelling::Exact } else { Spelling::Folded };
        let texts: Vec<Text> = contents.iter().map(|content| text(content)).collect();
        let contents: Vec<&str> = texts.iter().map(Text::content).collect();
        let words: Vec<Vec<String>> = contents.iter().map(|content| {
            tokens::split(content).0.into_iter().map(|token| token.word.into_owned()).collect()
        }).collect();
        let windows: Vec<(usize, usize)> = (0..words.len())
            .flat_map(|text| (0..(words[text].len() + 1).saturating_sub(min_words)).map(move |at| (text, at)))
            .collect();
        let spans: Vec<Vec<Range<usize>>> = contents.iter().map(|content| {
            tokens::split(content).0.into_iter().map(|token| token.span).collect()
        }).collect();
        let bytes = |(text, at): (usize, usize)| {
            &contents[text][spans[text][at].start..spans[text][at + min_words - 1].end]
        };
        let window = |(text, at): (usize, usize)| &words[text][at..at + min_words];
        let are_equal = |one, other| {
            if is_exact { bytes(one) == bytes(other) } else { window(one) == window(other) }
        };
        let mut is_kept: Vec<Vec<bool>> = words.iter().map(|words| vec![true; words.len()]).collect();
        for (number, own) in windows.iter().enumerate() {
            if windows[..number].iter().any(|other| are_equal(*other, *own)) {
                is_kept[own.0][own.1..own.1 + min_words].fill(false);
            }
        }
        let want: Vec<String> = contents.iter().zip(&is_kept).map(|(content, is_kept)| {
            let spans: Vec<Range<usize>> = tokens::split(content).0.into_iter().map(|token| token.span).collect();
            let Some(first) = spans.first() else { return (*content).to_owned() };
            let end = content.trim_end().len();
            let mut kept = content[..first.start].to_owned();
            for (at, _) in is_kept.iter().enumerate().filter(|(_, is_kept)| **is_kept) {
                kept += &content[spans[at].start..spans.get(at + 1).map_or(end, |next| next.start)];
            }
            kept + &content[end..]
        }).collect();
        prop_assert_eq!(cleaned_by(&contents, min_words, Borders::Words, spelling), want);
    }

    /// Whatever is cut out, the kept words are read as before.
    #[test]
    fn no_word_is_cut_and_none_is_made(
        contents in proptest::collection::vec("((ab|水|火|ﷺ|b\u{37a}c|3|l'home|a\u{b8}|'|é|exam-\n|\u{1ddd}|\u{fffd})[ ,.\n]{0,1}){0,30}", 1..4),
        min_words in 1_usize..4, is_by_sentences: bool, is_exact: bool,
    ) {
        let spelling = if is_exact { Spelling::Exact } else { Spelling::Folded };
        let borders = if is_by_sentences { Borders::Sentences } else { Borders::Words };
        let texts: Vec<Text> = contents.iter().map(|content| text(content)).collect();
        let contents: Vec<&str> = texts.iter().map(Text::content).collect();
        let (all, parts) = read(&contents, spelling);
        let removable = all.repeats(min_words, &Advance::default()).removable();
        for ((content, part), runs) in contents.iter().zip(&parts).zip(&removable) {
            let cuts = part.cuts(content, runs, borders);
            let mut kept = (*content).to_owned();
            for (cut, _) in cuts.iter().rev() {
                kept.replace_range(cut.clone(), "");
            }
            let words = |text: &str| -> Vec<String> {
                tokens::split(text).0.into_iter().map(|token| token.word.into_owned()).collect()
            };
            let is_cut = |span: &Range<usize>| cuts.iter().any(|(cut, _)| cut.start <= span.start && span.end <= cut.end);
            let want: Vec<String> = tokens::split(content).0.into_iter().filter(|token| !is_cut(&token.span)).map(|token| token.word.into_owned()).collect();
            prop_assert_eq!(words(&kept), want, "{:?} {:?}", content, cuts);
            let count: usize = cuts.iter().map(|(_, words)| words).sum();
            prop_assert_eq!(count, part.words - words(&kept).len());
        }
    }
}
