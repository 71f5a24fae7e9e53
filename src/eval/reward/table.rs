//! Runs of games as tables.

use super::score::{GameRow, GameScore};
use crate::domain::counted;
use std::fmt;

/// The columns of all tables.
const COLUMNS: [&str; 20] = [
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
    "people",
    "difference",
    "low",
    "high",
    "silent",
    "gain",
    "words",
    "questions",
    "tokens",
    "cost",
];

/// The cells of a row, as the columns name them.
fn cells(score: &GameScore, row: &GameRow) -> [String; 20] {
    let s = &row.figures;
    let four = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.4}"));
    let (low, high) = s.interval.unzip();
    let tokens = row.usage.prompt_tokens + row.usage.completion_tokens;
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
        four(s.people),
        four(s.difference),
        four(low),
        four(high),
        four(Some(s.silent)),
        format!("{:.3}", s.gain),
        format!("{:.1}", s.words),
        format!("{:.1}", s.questions.abs()),
        tokens.to_string(),
        row.cost.clone().unwrap_or_default(),
    ]
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
pub(super) fn all(scores: &[GameScore]) -> (Vec<&'static str>, Vec<[String; 20]>) {
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
            write!(f, "  {:<12} {}", row.way, row.figures)?;
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
        }
        Ok(())
    }
}
