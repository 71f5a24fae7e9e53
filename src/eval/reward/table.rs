//! Runs of games as tables.

use super::score::{GameRow, GameScore};
use crate::domain::counted;
use decision_games::FactRates;
use std::collections::BTreeMap;
use std::fmt;

/// The columns of all tables.
const COLUMNS: [&str; 29] = [
    "model",
    "users",
    "game",
    "way",
    "count",
    "norm",
    "sem",
    "perfect",
    "finished",
    "failed",
    "failed_as_zero",
    "people",
    "difference",
    "low",
    "high",
    "silent",
    "gain",
    "gap",
    "words",
    "moves",
    "numbers",
    "questions",
    "limit",
    "stuck",
    "refused",
    "precision",
    "recall",
    "tokens",
    "cost",
];

/// The cells of a row, as the columns name them.
fn cells(score: &GameScore, row: &GameRow) -> [String; 29] {
    let s = &row.figures;
    let four = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.4}"));
    let (low, high) = s.interval.unzip();
    let tokens = row.usage.prompt_tokens + row.usage.completion_tokens;
    let facts = |rate: fn(&FactRates) -> Option<f64>| {
        let rates = s.extraction.iter();
        let rates = rates.filter_map(|(sort, it)| Some(format!("{sort} {:.4}", rate(it)?)));
        rates.collect::<Vec<_>>().join("; ")
    };
    let ended = |how: &str| row.ended.get(how).copied().unwrap_or(0).to_string();
    [
        score.run.who(),
        score.run.users.clone().unwrap_or_default(),
        row.game.clone(),
        row.way.clone(),
        s.count.to_string(),
        four(Some(s.norm)),
        four(Some(s.sem)),
        s.perfect.to_string(),
        four(s.finished),
        s.failed.to_string(),
        four(Some(s.failed_as_zero)),
        four(s.people),
        four(s.difference),
        four(low),
        four(high),
        four(Some(s.silent)),
        format!("{:.3}", s.gain),
        four(s.gap),
        format!("{:.1}", s.words),
        format!("{:.1}", s.moves),
        four(s.numbers),
        format!("{:.1}", s.questions.abs()),
        ended("limit"),
        ended("stuck"),
        each(&row.refused, "; "),
        facts(|rates| rates.precision),
        facts(|rates| rates.recall),
        tokens.to_string(),
        row.cost.clone().unwrap_or_default(),
    ]
}

/// Counts with what they count: `2 unknown-site, 1 empty`.
fn each(counts: &BTreeMap<String, u32>, between: &str) -> String {
    let counts = counts.iter().map(|(what, count)| format!("{count} {what}"));
    counts.collect::<Vec<_>>().join(between)
}

/// One line of commas for each row, as RFC 4180 has them.
pub fn csv(scores: &[GameScore]) -> String {
    let field = |text: &String| match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.clone(),
    };
    let lines = scores.iter().flat_map(|score| {
        let rows = score.rows.iter();
        rows.map(move |row| cells(score, row).each_ref().map(field).join(","))
    });
    let header = std::iter::once(COLUMNS.join(","));
    header
        .chain(lines)
        .fold(String::new(), |text, line| text + &line + "\n")
}

/// A table in Markdown.
pub fn markdown(scores: &[GameScore]) -> String {
    let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = row(&COLUMNS.map(str::to_owned));
    text += &row(&COLUMNS.map(|_| "---".to_owned()));
    for (score, line) in scores
        .iter()
        .flat_map(|score| score.rows.iter().map(move |row| (score, row)))
    {
        let cells = cells(score, line);
        text += &row(&cells.map(|cell| cell.replace('|', "\\|").replace('\n', " ")));
    }
    text
}

/// The header and the rows, for a page.
pub(super) fn all(scores: &[GameScore]) -> (Vec<&'static str>, Vec<[String; 29]>) {
    let rows = scores
        .iter()
        .flat_map(|score| score.rows.iter().map(move |row| cells(score, row)));
    (COLUMNS.to_vec(), rows.collect())
}

impl fmt::Display for GameScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}", self.run.who(), self.run.mode)?;
        if let Some(users) = self
            .run
            .users
            .as_ref()
            .filter(|users| **users != self.run.mode.to_string())
        {
            write!(f, ", users: {users}")?;
        }
        writeln!(f, "): {} of {}", self.done, counted(self.units, "unit"))?;
        if self.ours > 0 {
            writeln!(
                f,
                "without a sample, since the model could not be reached: {}",
                self.ours
            )?;
        }
        let mut last = "";
        for row in &self.rows {
            if row.game != last {
                writeln!(f, "{}", row.game)?;
                last = &row.game;
            }
            writeln!(f, "  {:<12} {}", row.way, row.figures)?;
            let mut more = row.figures.more().into_iter();
            write!(f, "{:15}{}", "", more.next().unwrap_or_default())?;
            // Whatever ends otherwise has its decision, or counts as failed.
            let mut ended = row.ended.clone();
            ended.retain(|how, _| how == "limit" || how == "stuck");
            if !ended.is_empty() {
                write!(f, "; {}", each(&ended, ", "))?;
            }
            if !row.refused.is_empty() {
                write!(f, "; refused: {}", each(&row.refused, ", "))?;
            }
            if row.requests > 0 {
                let each = |tokens: u64| tokens as f64 / row.figures.count.max(1) as f64;
                write!(
                    f,
                    "; {} ({} again), {:.0} + {:.0} tokens each",
                    counted(row.requests, "request"),
                    row.repairs,
                    each(row.usage.prompt_tokens),
                    each(row.usage.completion_tokens)
                )?;
            }
            if let Some(cost) = &row.cost {
                write!(f, ", {cost}")?;
            }
            writeln!(f)?;
            for line in more {
                writeln!(f, "{:15}{line}", "")?;
            }
        }
        Ok(())
    }
}
