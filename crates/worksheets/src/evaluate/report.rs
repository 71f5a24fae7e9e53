use serde::Serialize;

use super::tally::ratio;
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
    /// The 95 % interval of `all`, from samples of dialogues: see [`parts`].
    pub interval: Option<(f64, f64)>,
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
    /// Its 95 % interval.
    pub completed_interval: Option<(f64, f64)>,
    /// What was wrong.
    pub errors: Errors,
}

/// How many elements of a turn are right, of how many.
type Part = fn(&TurnScore) -> (u64, u64);

const FIGURES: [(&str, Part); 14] = [
    ("parse precision", |t| (t.parse.common, t.parse.predicted)),
    ("parse recall", |t| (t.parse.common, t.parse.gold)),
    ("parse F1", |t| f1(&t.parse)),
    ("parse recall without values", |t| {
        (t.slots.common, t.slots.gold)
    }),
    ("act recall", |t| (t.acts.common, t.acts.gold)),
    ("act F1", |t| f1(&t.acts)),
    ("execution precision", |t| {
        (t.execution.common, t.execution.predicted)
    }),
    ("execution recall", |t| {
        (t.execution.common, t.execution.gold)
    }),
    ("parse exact", |t| share([t.parse.is_exact()])),
    ("acts-only EMR", |t| share([t.acts.is_exact()])),
    ("state-only EMR", |t| share([t.same_state])),
    ("EMR (state and acts)", |t| {
        share([t.same_state && t.acts.is_exact()])
    }),
    ("texts alike (token F1 ≥ 0.5)", |t| {
        share(t.texts.iter().map(|f1| *f1 >= 0.5))
    }),
    ("grounded replies", |t| share(t.grounded)),
];

fn f1(tally: &Tally) -> (u64, u64) {
    (2 * tally.common, tally.gold + tally.predicted)
}

/// How many hold, of how many.
fn share(all: impl IntoIterator<Item = bool>) -> (u64, u64) {
    sum(all.into_iter().map(|holds| (u64::from(holds), 1)))
}

fn sum(parts: impl Iterator<Item = (u64, u64)>) -> (u64, u64) {
    parts.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
}

/// What a dialogue gives to each figure, then to goal completion: how much is right, of how much.
/// `all` of a figure is the sum of the first numbers over that of the second, also of a sample of
/// dialogues: intervals are made of it.
pub fn parts(score: &DialogueScore) -> Vec<(u64, u64)> {
    let of_turns = FIGURES.iter();
    let of_turns = of_turns.map(|(_, part)| sum(score.turns.iter().map(part)));
    of_turns.chain([share(score.completed)]).collect()
}

impl Report {
    /// Brings the scores of dialogues together, without intervals.
    pub fn of(scores: &[DialogueScore]) -> Self {
        let turns = || scores.iter().flat_map(|score| &score.turns);
        let figures = FIGURES.iter().map(|(name, part)| {
            let of = |score: &DialogueScore| ratio(sum(score.turns.iter().map(part)));
            let figure = Figures {
                all: ratio(sum(turns().map(part))),
                turns: mean(turns().filter_map(|turn| ratio(part(turn)))),
                dialogues: mean(scores.iter().filter_map(of)),
                interval: None,
            };
            (*name, figure)
        });
        let mut errors = Errors::default();
        for score in scores {
            errors.merge(&score.errors);
        }
        Self {
            size: (scores.len(), turns().count()),
            figures: figures.collect(),
            completed: mean(scores.iter().filter_map(|s| s.completed.map(of_bool))),
            completed_interval: None,
            errors,
        }
    }

    /// The same with intervals, in the order of [`parts`].
    #[must_use]
    pub fn with_intervals(mut self, intervals: Vec<Option<(f64, f64)>>) -> Self {
        let mut intervals = intervals.into_iter();
        for ((_, figure), interval) in self.figures.iter_mut().zip(&mut intervals) {
            figure.interval = interval;
        }
        self.completed_interval = intervals.next().flatten();
        self
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
            "{}, {}\n{:30}{:>10}{:>16}{:>10}{:>10}\n",
            counted(dialogues, "dialogue"),
            counted(turns, "turn"),
            "",
            "all",
            "95 %",
            "turns",
            "dialogues"
        );
        let shown = |figure: Option<f64>| match figure {
            Some(figure) => format!("{:.1}", 100.0 * figure),
            None => "-".to_owned(),
        };
        let within = |interval: Option<(f64, f64)>| match interval {
            Some((low, high)) => format!("{:.1} to {:.1}", 100.0 * low, 100.0 * high),
            None => "-".to_owned(),
        };
        for (name, figure) in &self.figures {
            let [all, turns, dialogues] = [figure.all, figure.turns, figure.dialogues].map(shown);
            let interval = within(figure.interval);
            out.push_str(&format!(
                "{name:30}{all:>10}{interval:>16}{turns:>10}{dialogues:>10}\n"
            ));
        }
        if self.completed.is_some() {
            let completed = shown(self.completed);
            let interval = within(self.completed_interval);
            out.push_str(&format!(
                "{:30}{:>10}{interval:>16}{:>10}{completed:>10}\n",
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
