//! Two records → the record of a pair.

use anyhow::Context;
use dedup_text::corpus::{DocumentAnalyzer, of_corpus};
use dedup_text::language::Known;
use dedup_text::pair::recipe::Recipe;
use dedup_text::pair::{self, Judgement};
use dedup_text::text::Text;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::counts::Counted;
use super::{filter, opener, singles};
use crate::args::PartFlags;
use crate::io::inputs::record::BadLine;
use crate::io::inputs::source::Line;
use crate::io::inputs::source::Opener;
use crate::model::names::Names;
use crate::model::pair::Pair;
use crate::render;

/// A line: the records of two texts.
#[derive(Deserialize)]
struct Two<'l> {
    #[serde(borrow)]
    a: &'l RawValue,
    #[serde(borrow)]
    b: &'l RawValue,
}

/// Answers each pair of records of standard input with the record of the pair.
pub(super) fn judge(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<()> {
    let counted = Counted::named(flags, recipe)?;
    let main = counted.map(|counted| of_corpus(counted.languages.main()));
    let judge = Judge { flags, recipe, opener: opener(flags)?, main };
    filter::answer(flags, &mut singles(flags, recipe), |single, line| judge.answer(single, line))
}

struct Judge<'j> {
    flags: &'j PartFlags,
    recipe: &'j Recipe,
    opener: Opener,
    /// The language of texts in doubt, where the corpus was counted.
    main: Option<Known>,
}

impl Judge<'_> {
    fn answer(&self, single: &mut DocumentAnalyzer, line: &Line) -> anyhow::Result<String> {
        let two: Two = serde_json::from_slice(line.bytes()).map_err(|error| {
            let found = error.to_string().split(" at line ").next().unwrap_or_default().to_owned();
            BadLine::NoPair { found }
        })?;
        let text = |side: &str, record: &RawValue| {
            self.opener.text(record.get().as_bytes()).with_context(|| side.to_owned())
        };
        let (left, right) = (text("a", two.a)?, text("b", two.b)?);
        let judgement = self.judged(single, &left, &right)?;
        let pair = Pair {
            left: &left,
            right: &right,
            recipe: self.recipe,
            judgement: &judgement,
            level: dedup_text::verdict::Verdict::NearDuplicate,
            is_accepted: None,
        };
        let told = render::json::ReportOptions {
            names: &Names::Ids,
            stopwords: self.flags.comparing.stopwords_as_given(),
            settings: None,
        };
        render::json::render(&pair, false, told)
    }

    /// As their corpus would where it was counted, else as two texts alone.
    fn judged(
        &self,
        single: &mut DocumentAnalyzer,
        left: &Text,
        right: &Text,
    ) -> anyhow::Result<Judgement> {
        Ok(match self.main {
            Some(main) => single.judge(left.clone(), right.clone(), main)?,
            None => pair::judge(left, right, self.recipe)?,
        })
    }
}
