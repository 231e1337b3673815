//! The pairs on which the best rule and the labels disagree: they are worth a look, for it may
//! be the label that is wrong.

use dedup_text::calibration::{Label, Labelled, Measure, Rung};
use dedup_text::jaccard::Share;

use crate::model::calibration::Answer;
use crate::render::calibration::shown::figure;
use crate::words::{thousands, visible};

/// The most pairs of a sort that are listed.
const MOST: usize = 25;

/// The pairs of a sort.
pub(crate) struct Wrong {
    pub(crate) title: String,
    pub(crate) rows: Vec<Row>,
    /// What is told of those that are not listed.
    pub(crate) more: Option<String>,
}

/// A pair.
pub(crate) struct Row {
    pub(crate) left: String,
    pub(crate) right: String,
    /// By the measures of the rung.
    pub(crate) figures: [String; 2],
}

/// Those labelled no that are called yes, the closest first, and the others, the farthest first.
pub(crate) fn wrong(answer: &Answer) -> [Wrong; 2] {
    let rule = answer.best().rule;
    let of = |label: Label, title: &str| {
        let is_wrong = |pair: &&Labelled| {
            pair.label == label && rule.holds(&pair.comparison) == (label == Label::No)
        };
        let mut pairs: Vec<&Labelled> = answer.gathered.pairs.iter().filter(is_wrong).collect();
        pairs.sort_by(|one, other| {
            let [one, other] = [one, other].map(|pair| closeness(rule.rung, pair));
            if label == Label::No { other.total_cmp(&one) } else { one.total_cmp(&other) }
        });
        let more = pairs.len().saturating_sub(MOST);
        Wrong {
            title: format!("{title}: {}", thousands(pairs.len())),
            rows: pairs.iter().take(MOST).map(|pair| row(answer, pair)).collect(),
            more: (more > 0).then(|| format!("And {} more.", thousands(more))),
        }
    };
    [
        of(Label::No, "Called a yes, but labelled a no"),
        of(Label::Yes, "Called a no, but labelled a yes"),
    ]
}

fn closeness(rung: Rung, pair: &Labelled) -> f64 {
    let shares = rung.measures().into_iter().filter_map(|it| it.share(&pair.comparison));
    shares.map(Share::ratio).fold(0.0, f64::max)
}

fn row(answer: &Answer, pair: &Labelled) -> Row {
    let [left, right] = pair.texts.map(|text| visible(answer.name(text)));
    let figure = |measure| match measure {
        Measure::Hamming => {
            pair.comparison.hamming.map_or("none".to_owned(), |bits| bits.to_string())
        }
        _ => figure(measure.share(&pair.comparison)),
    };
    Row { left, right, figures: answer.calibration.rung.measures().map(figure) }
}
