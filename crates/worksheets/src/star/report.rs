//! The scores of a task, strict and lenient, beside the figures that papers report.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use serde_json::{Value as Json, json};

use super::{
    Interval, Prediction, Protocol, Score, Scores, StarDialogue, StarTask, after_label, commonest,
    predictions, scores,
};
use crate::text::counted;

/// System action F1 in percent that a paper reports for bank, trip and trivia (Genie, tables 1
/// and 2). They come from other annotations; those of Genie count leniently, those of the
/// zero-shot models strictly. They are facts to stand beside ours, and no targets.
pub const REPORTED: [(&str, [f64; 3]); 8] = [
    ("Genie, GPT-4 Turbo", [82.5, 83.4, 92.7]),
    ("Genie, Llama 3.1 70B", [82.1, 75.9, 82.22]),
    ("AnyTOD XXL", [54.3, 52.4, 73.8]),
    ("AnyTOD-SGD XXL", [53.1, 51.5, 81.1]),
    ("AnyTOD-PROG XXL", [61.0, 60.8, 73.7]),
    ("AnyTOD-PROG+SGD XXL", [65.0, 62.9, 86.3]),
    ("Llama 3.1 70B, zero-shot", [48.9, 41.7, 81.7]),
    ("GPT-4 Turbo, zero-shot", [55.1, 42.7, 82.5]),
];

/// How well one label is found, strictly.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelScore {
    /// The wizard's label.
    pub label: String,
    /// How often the wizard used it.
    pub support: usize,
    /// Its F1.
    pub f1: f64,
    /// The label that the agent gave most often where this one was right, and how often.
    pub instead: Option<(String, usize)>,
}

/// What came of a task.
#[derive(Clone, Debug)]
pub struct StarReport {
    /// The task.
    pub task: StarTask,
    /// How many dialogues were scored.
    pub dialogues: usize,
    /// Each way to act, with its scores: two baselines, then the sheets.
    pub rows: Vec<(&'static str, Scores)>,
    /// The labels of the wizard, commonest first, with the sheets' own state.
    pub labels: Vec<LabelScore>,
}

/// Scores the baselines and the sheets on the dialogues of a task.
pub fn report(task: StarTask, dialogues: &[StarDialogue]) -> StarReport {
    let own = predictions(task, dialogues, Protocol::Own);
    let gold = predictions(task, dialogues, Protocol::Gold);
    StarReport {
        task,
        dialogues: dialogues.len(),
        labels: labels(&own),
        rows: vec![
            ("commonest label", scores(&commonest(dialogues))),
            ("label after label", scores(&after_label(dialogues))),
            ("worksheets, own state", scores(&own)),
            ("worksheets, gold state (oracle)", scores(&gold)),
        ],
    }
}

impl fmt::Display for Scores {
    /// In percent, with 95 % intervals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "n {}  strict: accuracy {} F1 {}  lenient: accuracy {} F1 {}",
            self.turns,
            shown(self.strict.accuracy),
            shown(self.strict.f1),
            shown(self.lenient.accuracy),
            shown(self.lenient.f1),
        )
    }
}

impl StarReport {
    /// Both ways to count as text, with 95 % intervals, above the figures that are reported.
    pub fn text(&self) -> String {
        let name = self.task.name();
        let mut out = format!("{name}, {}\n", counted(self.dialogues, "dialogue"));
        for (name, scores) in &self.rows {
            let _ = writeln!(out, "  {name:32} {scores}");
        }
        for (agent, figures) in REPORTED {
            let f1 = figures[self.column()];
            let _ = writeln!(out, "  {agent:32} F1 {f1} (reported, other annotations)");
        }
        out
    }

    /// The labels of the wizard as text: how often, the strict F1, and what the sheets do instead.
    pub fn labels_text(&self) -> String {
        let mut out = format!("{}, own state, strict\n", self.task.name());
        for one in &self.labels {
            let _ = write!(
                out,
                "  {:36} n {:4}  F1 {:5.1}",
                one.label,
                one.support,
                100.0 * one.f1
            );
            let _ = match &one.instead {
                Some((label, count)) => writeln!(out, "  {} {label}", counted(*count, "time")),
                None => writeln!(out),
            };
        }
        out
    }

    /// The same as one JSON object; figures are shares of 1.
    pub fn json(&self) -> Json {
        let rows = self.rows.iter().map(|(name, scores)| {
            let (strict, lenient) = (score(&scores.strict), score(&scores.lenient));
            json!({ "agent": name, "turns": scores.turns, "strict": strict, "lenient": lenient })
        });
        let labels = self.labels.iter().map(|one| {
            let instead = one.instead.as_ref();
            let instead = instead.map(|(label, count)| json!({ "label": label, "count": count }));
            json!({ "label": one.label, "support": one.support, "f1": one.f1, "instead": instead })
        });
        let reported = REPORTED.iter().map(
            |(agent, figures)| json!({ "agent": agent, "f1_percent": figures[self.column()] }),
        );
        json!({
            "task": self.task.name(),
            "dialogues": self.dialogues,
            "rows": rows.collect::<Vec<Json>>(),
            "labels": labels.collect::<Vec<Json>>(),
            "reported": reported.collect::<Vec<Json>>(),
        })
    }

    fn column(&self) -> usize {
        match self.task {
            StarTask::Bank => 0,
            StarTask::Trip => 1,
            StarTask::Trivia => 2,
        }
    }
}

fn shown(of: Interval) -> String {
    let [value, low, high] = [of.value, of.low, of.high].map(|figure| 100.0 * figure);
    format!("{value:.2} [{low:.1}, {high:.1}]")
}

fn score(of: &Score) -> Json {
    let interval = |of: Interval| json!({ "value": of.value, "low": of.low, "high": of.high });
    json!({ "accuracy": interval(of.accuracy), "f1": interval(of.f1) })
}

fn labels(predictions: &[Prediction]) -> Vec<LabelScore> {
    let mut pairs: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for one in predictions {
        *pairs.entry((&one.gold, &one.strict)).or_default() += 1;
    }
    let gold: BTreeSet<&str> = pairs.keys().map(|(gold, _)| *gold).collect();
    let sum = |counts: &dyn Fn(&str, &str) -> bool| -> usize {
        let of = pairs
            .iter()
            .filter(|((gold, found), _)| counts(gold, found));
        of.map(|(_, count)| count).sum()
    };
    let mut out: Vec<LabelScore> = gold
        .into_iter()
        .map(|label| {
            let support = sum(&|gold, _| gold == label);
            let found = sum(&|_, found| found == label);
            let right = sum(&|gold, found| gold == label && found == label);
            let wrong = pairs
                .iter()
                .filter(|((gold, found), _)| *gold == label && *found != label);
            let instead = wrong.max_by_key(|(_, count)| **count);
            LabelScore {
                label: label.to_owned(),
                support,
                f1: 2.0 * as_float(right) / as_float(support + found),
                instead: instead.map(|((_, found), count)| ((*found).to_owned(), *count)),
            }
        })
        .collect();
    out.sort_by_key(|one| std::cmp::Reverse(one.support));
    out
}

/// Counts are small enough to be exact.
fn as_float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
