//! Leaves out what recurs at the edges of pages: running heads and page numbers.
//!
//! Input: the lines of each page. Output: the lines without these, and the number of their
//! words. They would stand in the middle of a sentence that goes on over a page, and make passages of texts
//! that share nothing but the name of a course.

use std::collections::{BTreeSet, HashMap};

use unicode_segmentation::UnicodeSegmentation;

use super::lines::Line;

/// The number of lines at each edge that may be one.
const EDGE: usize = 2;

/// The smallest number of pages on which a line recurs, and the smallest share of all pages, in
/// per cent: heads of left and right pages may differ.
const MIN_PAGES: usize = 3;
const MIN_SHARE: usize = 40;

/// The largest share of all words that heads may have, in per cent: where pages consist of what
/// recurs, as copies of a form, it is the text.
const MAX_SHARE_OF_WORDS: usize = 25;

/// Removes the lines that recur at the edge of most pages, unless that leaves too little. Returns
/// the number of their words.
pub(super) fn remove_heads(pages: &mut [Vec<Line>]) -> usize {
    let mut counts: HashMap<(bool, String), usize> = HashMap::new();
    for page in &*pages {
        for (is_top, at) in edges(page) {
            *counts.entry((is_top, pattern(&page[at].text))).or_default() += 1;
        }
    }
    let least = MIN_PAGES.max((pages.len() * MIN_SHARE).div_ceil(100));
    let heads = pages.iter().map(|page| {
        let is_head = |(is_top, at): &(bool, usize)| {
            counts.get(&(*is_top, pattern(&page[*at].text))).is_some_and(|count| *count >= least)
        };
        let heads = edges(page).into_iter().filter(is_head);
        heads.map(|(_, at)| at).collect::<BTreeSet<usize>>()
    });
    let heads: Vec<BTreeSet<usize>> = heads.collect();
    let words = |line: &Line| line.text.unicode_words().count();
    let all: usize = pages.iter().flatten().map(words).sum();
    let removed: usize = pages
        .iter()
        .zip(&heads)
        .flat_map(|(page, heads)| heads.iter().map(|at| words(&page[*at])))
        .sum();
    if 100 * removed > MAX_SHARE_OF_WORDS * all {
        return 0;
    }
    for (page, heads) in pages.iter_mut().zip(heads) {
        let mut at = 0..;
        page.retain(|_| !at.next().is_some_and(|at| heads.contains(&at)));
    }
    removed
}

/// Returns the indices of the lines at the edges of a page, each with whether it is at the top.
fn edges(page: &[Line]) -> Vec<(bool, usize)> {
    let mut by_height: Vec<usize> = (0..page.len()).collect();
    by_height.sort_by(|one, other| page[*one].baseline.total_cmp(&page[*other].baseline));
    let top = by_height.iter().take(EDGE).map(|at| (true, *at));
    let bottom = by_height.iter().rev().take(EDGE).map(|at| (false, *at));
    top.chain(bottom).collect()
}

/// Returns a line with a sign in place of each number, so that page numbers are the same.
fn pattern(line: &str) -> String {
    let mut pattern = String::with_capacity(line.len());
    for letter in line.chars() {
        match letter {
            _ if !letter.is_numeric() => pattern.push(letter),
            _ if !pattern.ends_with('#') => pattern.push('#'),
            _ => {}
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(lines: &[&str]) -> Vec<Line> {
        let line = |(text, baseline): (&&str, u32)| Line {
            text: (*text).to_owned(),
            left: 0.0,
            right: 100.0,
            baseline: f64::from(baseline),
            size: 10.0,
            drawn: 0,
        };
        lines.iter().zip(1..).map(line).collect()
    }

    #[test]
    fn lines_that_recur_at_the_edges_of_pages_are_removed() {
        let body = [
            "tea with a little milk in it",
            "no sugar at all for the guests",
            "bread that was baked in the night",
            "butter from the farm by the lake",
            "and a pot of jam for all",
        ];
        let heads = |top: &[&'static str], bottom: &[&'static str]| [top, &body, bottom].concat();
        let [left, right] = ["Left", "Right"].map(|head| heads(&[head], &[]));
        #[rustfmt::skip]
        let table: [(&str, Vec<Vec<&str>>, [usize; 2]); 7] = [
            ("numbers",             vec![heads(&[], &["1"]), heads(&[], &["2"]), heads(&[], &["13"])], [3, 3]),
            ("a name and a number", vec![heads(&["Essay", "Olga"], &["Page 9 of 9"]); 3],          [9, 18]),
            ("two pages",           vec![heads(&["Essay"], &["1"]); 2],                            [0, 0]),
            ("left and right",      [left.clone(), right.clone(), left.clone(), right.clone(), left, right].to_vec(), [6, 6]),
            ("on few pages",        vec![heads(&["Rare"], &[]), heads(&["Rare"], &[]), body.to_vec()],             [0, 0]),
            ("forms",               vec![vec!["Name", "Form 5"]; 4],                               [0, 0]),
            ("none",                vec![vec![], vec![], vec![]],                                  [0, 0]),
        ];
        for (why, pages, [removed, words]) in table {
            let mut pages: Vec<Vec<Line>> = pages.iter().map(|lines| page(lines)).collect();
            // What differs from page to page.
            for (at, page) in pages.iter_mut().enumerate() {
                for line in page.iter_mut().filter(|line| body.contains(&&*line.text)) {
                    line.text = format!("{} {}", line.text, "x".repeat(at));
                }
            }
            let all: usize = pages.iter().map(Vec::len).sum();
            assert_eq!(remove_heads(&mut pages), words, "{why}");
            assert_eq!(pages.iter().map(Vec::len).sum::<usize>(), all - removed, "{why}");
        }
    }
}
