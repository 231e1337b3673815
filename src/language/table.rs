//! What is known of each language that can be detected.

use std::sync::LazyLock;

/// A language, and what the stages know of it.
#[derive(Debug)]
pub struct Row {
    /// ISO 639-3.
    pub code: &'static str,
    /// ISO 639-1.
    pub short: &'static str,
    /// The English name.
    pub name: &'static str,
    /// The code of its list in the `stop-words` crate.
    pub stop_words: Option<&'static str>,
    /// The crate and the algorithm that stem it: `frostem catalan`.
    pub stemmer: Option<(&'static str, &'static str)>,
    /// Words that lean on the next one with an apostrophe, without the apostrophe.
    pub elided: Vec<&'static str>,
}

/// All languages, by code. They are those of `whatlang`.
pub fn rows() -> &'static [Row] {
    static ROWS: LazyLock<Vec<Row>> =
        LazyLock::new(|| include_str!("languages.tsv").lines().skip(1).map(parse).collect());
    &ROWS
}

fn parse(line: &'static str) -> Row {
    let mut cells = line.split('\t');
    let mut cell = || cells.next().expect("languages.tsv has six cells in each line");
    let known = |cell: &'static str| (cell != "-").then_some(cell);
    Row {
        code: cell(),
        short: cell(),
        name: cell(),
        stop_words: known(cell()),
        stemmer: known(cell()).and_then(|stemmer| stemmer.split_once(' ')),
        elided: known(cell()).unwrap_or_default().split_whitespace().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_the_languages_of_the_detector() {
        let mut detected: Vec<_> = whatlang::Lang::all().iter().map(whatlang::Lang::code).collect();
        detected.sort_unstable();
        let codes: Vec<_> = rows().iter().map(|row| row.code).collect();
        assert_eq!(codes, detected);
    }

    #[test]
    fn a_list_is_named_wherever_there_is_one() {
        for row in rows() {
            assert_eq!(
                row.stop_words.is_some(),
                stop_words::lookup(row.short).is_some(),
                "{row:?}"
            );
        }
    }

    #[test]
    fn cells_are_what_they_say() {
        let row = |code| rows().iter().find(|row| row.code == code).unwrap();
        assert_eq!(row("cat").stemmer, Some(("frostem", "catalan")));
        assert_eq!(row("cat").elided, ["d", "l", "m", "n", "s", "t"]);
        assert_eq!(row("nob").stop_words, Some("no"));
        assert_eq!(row("cmn").stemmer, None);
        assert!(row("cmn").elided.is_empty());
    }
}
