use serde::Serialize;

use super::{DialogueScore, Errors, Tally, TurnScore};
use crate::text::counted;

/// One figure in its three averages; none where there is nothing to measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Over all elements of all turns; of yes and no, over all turns.
    pub all: Option<f64>,
    /// The mean of the turns that have it.
    pub turns: Option<f64>,
    /// The mean of the dialogues, each over its elements.
    pub dialogues: Option<f64>,
}

/// The figures of many dialogues.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// How many dialogues, and how many turns.
    pub size: (usize, usize),
    /// Each figure by its name, in the order in which they are shown.
    pub figures: Vec<(&'static str, Figures)>,
    /// The share of dialogues whose goal was reached; only end to end.
    pub completed: Option<f64>,
    /// What was wrong.
    pub errors: Errors,
}

type Part = fn(&TurnScore) -> Tally;
type Ratio = fn(&Tally) -> Option<f64>;
type Holds = fn(&TurnScore) -> bool;

const RATIOS: [(&str, Part, Ratio); 8] = [
    ("parse precision", |t| t.parse, Tally::precision),
    ("parse recall", |t| t.parse, Tally::recall),
    ("parse F1", |t| t.parse, Tally::f1),
    ("parse recall without values", |t| t.slots, Tally::recall),
    ("act recall", |t| t.acts, Tally::recall),
    ("act F1", |t| t.acts, Tally::f1),
    ("execution precision", |t| t.execution, Tally::precision),
    ("execution recall", |t| t.execution, Tally::recall),
];

const SHARES: [(&str, Holds); 4] = [
    ("parse exact", |t| t.parse.is_exact()),
    ("same acts", |t| t.acts.is_exact()),
    ("same state", |t| t.same_state),
    ("EMR (state and acts)", |t| {
        t.same_state && t.acts.is_exact()
    }),
];

impl Report {
    /// Brings the scores of dialogues together.
    pub fn of(scores: &[DialogueScore]) -> Self {
        let all = || scores.iter().flat_map(|score| &score.turns);
        let mut figures = Vec::new();
        for (name, part, ratio) in RATIOS {
            let sum = |turns: &mut dyn Iterator<Item = &TurnScore>| {
                let mut tally = Tally::default();
                turns.for_each(|turn| tally += part(turn));
                ratio(&tally)
            };
            let figure = Figures {
                all: sum(&mut all()),
                turns: mean(all().filter_map(|turn| ratio(&part(turn)))),
                dialogues: mean(scores.iter().filter_map(|s| sum(&mut s.turns.iter()))),
            };
            figures.push((name, figure));
        }
        for (name, holds) in SHARES {
            let share = |turns: &[TurnScore]| mean(turns.iter().map(|t| of_bool(holds(t))));
            let over = mean(all().map(|turn| of_bool(holds(turn))));
            let figure = Figures {
                all: over,
                turns: over,
                dialogues: mean(scores.iter().filter_map(|s| share(&s.turns))),
            };
            figures.push((name, figure));
        }
        let texts = |turn: &TurnScore| mean(turn.texts.iter().map(|f1| of_bool(*f1 >= 0.5)));
        let near = Figures {
            all: mean(all().flat_map(|t| &t.texts).map(|f1| of_bool(*f1 >= 0.5))),
            turns: mean(all().filter_map(texts)),
            dialogues: mean(
                scores
                    .iter()
                    .filter_map(|score| mean(score.turns.iter().filter_map(texts))),
            ),
        };
        figures.push(("texts alike (token F1 ≥ 0.5)", near));
        let mut errors = Errors::default();
        for score in scores {
            errors.merge(&score.errors);
        }
        Self {
            size: (scores.len(), all().count()),
            figures,
            completed: mean(scores.iter().filter_map(|s| s.completed.map(of_bool))),
            errors,
        }
    }

    /// A figure by its name.
    pub fn figure(&self, name: &str) -> Option<Figures> {
        let found = self.figures.iter().find(|(known, _)| *known == name);
        found.map(|(_, figure)| *figure)
    }

    /// The report as text: the figures in percent, then the table of errors.
    pub fn text(&self) -> String {
        let (dialogues, turns) = self.size;
        let mut out = format!(
            "{}, {}\n{:30}{:>10}{:>10}{:>10}\n",
            counted(dialogues, "dialogue"),
            counted(turns, "turn"),
            "",
            "all",
            "turns",
            "dialogues"
        );
        let shown = |figure: Option<f64>| match figure {
            Some(figure) => format!("{:.1}", 100.0 * figure),
            None => "-".to_owned(),
        };
        for (name, figure) in &self.figures {
            let [all, turns, dialogues] = [figure.all, figure.turns, figure.dialogues].map(shown);
            out.push_str(&format!("{name:30}{all:>10}{turns:>10}{dialogues:>10}\n"));
        }
        if self.completed.is_some() {
            let completed = shown(self.completed);
            out.push_str(&format!(
                "{:30}{:>10}{:>10}{completed:>10}\n",
                "goal completion", "", ""
            ));
        }
        if !self.errors.0.is_empty() {
            out.push_str(&self.errors.text());
        }
        out
    }
}

fn of_bool(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

#[allow(clippy::cast_precision_loss, reason = "counts are small")]
fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0_u64);
    for value in values {
        sum += value;
        count += 1;
    }
    (count > 0).then(|| sum / count as f64)
}
