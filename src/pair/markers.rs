//! Finds the marked stretches of a text that hide something that another text shares.

use super::judge;
use super::{Recipe, Search};
use crate::text::Text;
use crate::verdict::Verdict;

/// Returns for each marked stretch of a text whether it hides something.
///
/// It does if, without its markers and those of the other text, a part of it would be in a passage
/// that both texts share, or, if they share no passage, their verdict would be closer.
pub fn used(text: &Text, other: &Text, recipe: &Recipe) -> Vec<bool> {
    let recipe = Recipe { search: Search::Always, short: None, ..recipe.clone() };
    let verdict =
        |text: &Text, other: &Text| judge(text, other, &recipe).map(|it| it.decision.verdict);
    let marked = verdict(text, other).unwrap_or(Verdict::Different);
    let other = other.with_stretches(Vec::new());
    let stretches = &text.marked().stretches;
    let is_used = |number: usize| {
        let (mut others, inner) = (stretches.clone(), &stretches[number].inner);
        others.remove(number);
        let Ok(judgement) = judge(&text.with_stretches(others), &other, &recipe) else {
            return false;
        };
        let mut passages = judgement.matches.iter().flat_map(|matches| &matches.all).peekable();
        if passages.peek().is_none() {
            return judgement.decision.verdict > marked;
        }
        passages.any(|it| it.left.content.start < inner.end && inner.start < it.left.content.end)
    };
    (0..stretches.len()).map(is_used).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::language::{Choice, Given, Language};
    use crate::tokens::exclusions::Why;

    fn text(content: &str) -> Text {
        Text::from_bytes(Path::new("a.txt"), content.into()).unwrap()
    }

    fn recipe() -> Recipe {
        let english = Given::As(Language::from_code("en"));
        let languages = Choice { left: english, right: english };
        Recipe { languages, ignored: vec![Why::Marked], ..Recipe::default() }
    }

    /// Returns the lines that are left after exclusions, in parts: a start, its end and the lines
    /// between them are excluded.
    fn left_of(lines: &[String]) -> Vec<Vec<&str>> {
        let mut out = vec![false; lines.len()];
        for (end, _) in lines.iter().enumerate().filter(|(_, line)| *line == "E") {
            let starts = (0..end).rev().take_while(|at| lines[*at] != "E");
            let start = starts.into_iter().find(|at| lines[*at] == "S");
            if let Some(start) = start {
                out[start..=end].fill(true);
            }
        }
        let mut parts = vec![Vec::new()];
        for (line, is_out) in lines.iter().zip(out) {
            match parts.last_mut() {
                Some(part) if !is_out => part.push(line.as_str()),
                _ => parts.push(Vec::new()),
            }
        }
        parts
    }

    fn written(line: &str) -> String {
        match line {
            "S" => "# dedup: ignore-start\n".to_owned(),
            "E" => "# dedup: ignore-end\n".to_owned(),
            line => line.to_owned() + "\n",
        }
    }

    proptest! {
        /// The twin consists of the parts that are left, each in a file of its own, whose ends
        /// nothing spans.
        #[test]
        fn what_is_left_of_a_marked_text_is_judged_as_files_of_it_are(
            lines in proptest::collection::vec("(S|E|([a-z](a|o)t(le)?){1,2}( [a-d](a|o)t(le)?){0,9})", 0..16),
            other in proptest::collection::vec(0_usize..16, 0..8),
        ) {
            let content: String = lines.iter().map(|line| written(line)).collect();
            let marked = text(&content);
            let parts = left_of(&lines).into_iter().map(|part| {
                text(&part.into_iter().map(written).collect::<String>())
            });
            let twin = Text::joined(Path::new("a.txt"), parts.collect());
            let other: Vec<&str> = (other.iter().filter_map(|at| lines.get(*at)))
                .map(String::as_str)
                .filter(|line| !matches!(*line, "S" | "E"))
                .collect();
            let right = text(&format!("boats left\n{}", other.join("\n")));
            let judged = [&marked, &twin].map(|left| judge(left, &right, &recipe()).ok());
            let [marked, twin] = judged.map(|judged| judged.map(|it| {
                let passages: Vec<usize> = (it.matches.iter().flat_map(|found| &found.all))
                    .map(|found| found.passage.words())
                    .collect();
                (it.comparison, it.decision, it.left, it.right, passages)
            }));
            prop_assert_eq!(marked, twin);
        }
    }
}
