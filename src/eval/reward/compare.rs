//! Two runs of the same games, in pairs.

use super::log::UnitKey;
use super::score::{RecordedGames, way};
use crate::error::{Error, Result};
use crate::llm::{Prices, Usage};
use decision_games::FactRates;
use decision_games::figures::{interval, mean};
use decision_games::measure::MeasuredRow;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// The difference of two runs in games of one kind, at one cut.
#[derive(Debug, Clone, Serialize)]
pub struct GameDifference {
    /// The kind of game.
    pub game: String,
    /// How it was played in both: `forced 50`; or in each, where that differs.
    pub way: String,
    /// Units that both have.
    pub count: usize,
    /// The mean score of A, silence where there is no decision.
    pub a: f64,
    /// The mean score of B.
    pub b: f64,
    /// B minus A.
    pub difference: f64,
    /// The 95 % interval of that, over the pairs.
    pub interval: Option<(f64, f64)>,
    /// What silence reaches there.
    pub silent: f64,
    /// The dialogue gain over silence in A and B.
    pub gain: (f64, f64),
    /// Units without a decision in A and B.
    pub failed: (usize, usize),
    /// Tokens a unit in A and B, read and generated.
    pub tokens: (f64, f64),
    /// Words a unit in A and B.
    pub words: (f64, f64),
    /// Moves a unit in A and B.
    pub moves: (f64, f64),
    /// How well facts were taken from the talk in A and B, by sort.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub extraction: BTreeMap<String, (FactRates, FactRates)>,
    /// What these units cost in A and B, if the models' prices are known.
    pub cost: (Option<String>, Option<String>),
}

/// Two runs. `Display` is a table.
#[derive(Debug, Clone, Serialize)]
pub struct GameComparison {
    /// Who read in A, and how it was played.
    pub a: String,
    /// The same of B.
    pub b: String,
    /// Units that only one of them has.
    pub left_out: usize,
    /// The differences.
    pub rows: Vec<GameDifference>,
}

/// What one of two runs has of the units that both have.
struct Side {
    row: MeasuredRow,
    tokens: f64,
    cost: Option<String>,
}

impl Side {
    fn of(run: &RecordedGames, places: &[&UnitKey], prices: &Prices) -> Side {
        let (mut row, mut usage) = (MeasuredRow::default(), Usage::default());
        for end in places.iter().filter_map(|place| run.units.get(*place)) {
            row.0.push(end.measured());
            usage += end.usage;
        }
        let tokens = (usage.prompt_tokens + usage.completion_tokens) as f64;
        let cost = prices.cost(&run.run.model, usage);
        Side {
            row,
            tokens: tokens / places.len().max(1) as f64,
            cost: cost.map(|cost| cost.to_string()),
        }
    }
}

/// Compares two runs in the units that both have.
///
/// # Errors
/// They are not about the same games.
pub fn compare(a: &RecordedGames, b: &RecordedGames, prices: &Prices) -> Result<GameComparison> {
    if a.run.games.digest != b.run.games.digest {
        return Err(Error::usage(format!(
            "{} and {} are not about the same games",
            a.folder.display(),
            b.folder.display()
        )));
    }
    let name = |run: &RecordedGames| match &run.run.users {
        Some(users) => format!("{} ({}, users: {users})", run.run.who(), run.run.mode),
        None => format!("{} ({})", run.run.who(), run.run.mode),
    };
    let samples = |run: &RecordedGames| -> usize {
        run.units.values().filter(|end| end.ours.is_none()).count()
    };
    let mut pairs: BTreeMap<(String, String), Vec<&UnitKey>> = BTreeMap::new();
    let mut both = 0;
    for place in a.units.keys() {
        let ended =
            |run: &RecordedGames| run.units.get(place).is_some_and(|end| end.ours.is_none());
        if ended(a) && ended(b) {
            both += 1;
            let (one, other) = (way(&a.run, place), way(&b.run, place));
            let way = match one == other {
                true => one,
                false => format!("{one} / {other}"),
            };
            let key = (place.game.clone(), way);
            pairs.entry(key).or_default().push(place);
        }
    }
    let rows = pairs.into_iter().map(|((game, way), places)| {
        let (left, right) = (Side::of(a, &places, prices), Side::of(b, &places, prices));
        let norms = left.row.0.iter().zip(&right.row.0);
        let differences: Vec<f64> = norms.map(|(a, b)| b.counted() - a.counted()).collect();
        let (one, other) = (left.row.summary(), right.row.summary());
        let mut theirs = other.extraction;
        let both = one.extraction.into_iter();
        let both = both.filter_map(|(sort, rates)| {
            let pair = (rates, theirs.remove(&sort)?);
            Some((sort, pair))
        });
        GameDifference {
            extraction: both.collect(),
            game,
            way,
            count: places.len(),
            a: one.norm,
            b: other.norm,
            difference: mean(&differences).mean,
            interval: interval(&differences),
            silent: one.silent,
            gain: (one.gain, other.gain),
            failed: (one.failed, other.failed),
            tokens: (left.tokens, right.tokens),
            words: (one.words, other.words),
            moves: (one.moves, other.moves),
            cost: (left.cost, right.cost),
        }
    });
    Ok(GameComparison {
        a: name(a),
        b: name(b),
        left_out: samples(a) + samples(b) - 2 * both,
        rows: rows.collect(),
    })
}

impl fmt::Display for GameComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "A {}\nB {}", self.a, self.b)?;
        if self.left_out > 0 {
            writeln!(f, "left out, as in one alone: {}", self.left_out)?;
        }
        let cells = |title: &str, norms: [&str; 3], pairs: [&str; 7]| {
            let [a, b, difference] = norms;
            let [interval, silent, gain, failed, tokens, words, moves] = pairs;
            format!(
                "{title:32} {a:>7} {b:>7} {difference:>8}  {interval:18}  {silent:>7}  {gain:12}  \
                 {failed:11}  {tokens:14}  {words:11}  {moves:11}"
            )
        };
        let pairs = [
            "95 % interval",
            "silent",
            "gain A, B",
            "failed A, B",
            "tokens A, B",
            "words A, B",
            "moves A, B",
        ];
        let heading = cells("games", ["A", "B", "B - A"], pairs);
        let priced = self.rows.iter().any(GameDifference::is_priced);
        let cost = if priced { "  cost A, B" } else { "" };
        writeln!(f, "{}", (heading + cost).trim_end())?;
        for row in &self.rows {
            let title = format!("{} {} ({})", row.game, row.way, row.count);
            let interval = row.interval.map_or_else(String::new, |(low, high)| {
                format!("{low:+.4} to {high:+.4}")
            });
            let pair = |(a, b): (f64, f64), digits: usize| format!("{a:.digits$}, {b:.digits$}");
            let (failed, other) = row.failed;
            let line = cells(
                &title,
                [
                    &format!("{:.4}", row.a),
                    &format!("{:.4}", row.b),
                    &format!("{:+.4}", row.difference),
                ],
                [
                    &interval,
                    &format!("{:.4}", row.silent),
                    &pair(row.gain, 2),
                    &format!("{failed}, {other}"),
                    &pair(row.tokens, 0),
                    &pair(row.words, 0),
                    &pair(row.moves, 1),
                ],
            );
            let or_dash = |cost: &Option<String>| cost.clone().unwrap_or_else(|| "-".to_owned());
            let cost = match row.is_priced() {
                true => format!("  {}, {}", or_dash(&row.cost.0), or_dash(&row.cost.1)),
                false => String::new(),
            };
            writeln!(f, "{}", (line + &cost).trim_end())?;
            for (sort, (a, b)) in &row.extraction {
                writeln!(f, "  {sort} in A: {a}; in B: {b}")?;
            }
        }
        Ok(())
    }
}

impl GameDifference {
    fn is_priced(&self) -> bool {
        self.cost.0.is_some() || self.cost.1.is_some()
    }
}
