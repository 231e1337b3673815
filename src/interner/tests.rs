use super::*;
use crate::rabin;

/// Returns the numbers below `count`, separated by spaces, twice in a row.
fn numbers(count: usize) -> String {
    let numbers: Vec<String> = (0..2 * count).map(|number| (number % count).to_string()).collect();
    numbers.join(" ")
}

#[test]
fn words_beyond_those_that_are_remembered_are_analysed_each_time() {
    let own = |words: Tokens, _: &str| words.0.iter().map(|token| &*token.word).collect::<Stems>();
    #[rustfmt::skip]
    let table = [
        ("as many as are remembered", MIN_ENTRIES,      MIN_ENTRIES),
        ("ten more",                  MIN_ENTRIES + 10, MIN_ENTRIES + 20),
    ];
    for (why, count, distinct) in table {
        let mut interner = Interner::new(0, own);
        let StemSequence { words, stems, breaks } = interner.read(&numbers(count));
        assert_eq!((words, breaks), (2 * count, Vec::new()), "{why}");
        let known = &interner.stems().stems;
        assert_eq!(known.len(), distinct, "{why}");
        let residues: Vec<u64> = stems.iter().map(|stem| known[*stem as usize].residue()).collect();
        let (first, again) = residues.split_at(count);
        assert_eq!(first, again, "{why}");
        assert_eq!(first[count - 1], rabin::residue((count - 1).to_string().as_bytes()), "{why}");
    }
}

/// ﷺ is four words, and the last word of one is joined to the first word of the next.
#[test]
fn ligatures_without_an_end_come_to_few_distinct_words() {
    let own = |words: Tokens, _: &str| words.0.iter().map(|token| &*token.word).collect::<Stems>();
    let text = "\u{fdfa}".repeat(40);
    let mut interner = Interner::new(0, own);
    let StemSequence { words, stems, .. } = interner.read(&text);
    let known = &interner.stems().stems;
    assert_eq!((words, stems.len(), known.len()), (121, 121, 5));
    let got: Vec<u64> = stems.iter().map(|stem| known[*stem as usize].residue()).collect();
    let plain = tokens::split(&text).0;
    let want: Vec<u64> = plain.iter().map(|it| rabin::residue(it.word.as_bytes())).collect();
    assert_eq!(got, want);
}
