//! Two runs of the same games, in pairs.

use super::log::UnitKey;
use super::score::{RecordedGames, way};
use crate::error::{Error, Result};
use decision_games::figures::{interval, mean};
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
    /// Tokens a unit in A and B, read and generated.
    pub tokens: (f64, f64),
    /// Words a unit in A and B.
    pub words: (f64, f64),
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

/// Compares two runs in the units that both have.
///
/// # Errors
/// They are not about the same games.
pub fn compare(a: &RecordedGames, b: &RecordedGames) -> Result<GameComparison> {
    if a.run.games.digest != b.run.games.digest {
        return Err(Error::Usage(format!(
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
    let mut pairs: BTreeMap<(String, String), Vec<(&UnitKey, &UnitKey)>> = BTreeMap::new();
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
            pairs.entry(key).or_default().push((place, place));
        }
    }
    let rows = pairs.into_iter().map(|((game, way), places)| {
        let of = |run: &RecordedGames, value: &dyn Fn(&super::GameOutcome) -> f64| -> Vec<f64> {
            let ends = places.iter().filter_map(|(place, _)| run.units.get(*place));
            ends.map(value).collect()
        };
        let norm = |end: &super::GameOutcome| end.norm.unwrap_or(end.silent);
        let tokens = |end: &super::GameOutcome| {
            (end.usage.prompt_tokens + end.usage.completion_tokens) as f64
        };
        let words = |end: &super::GameOutcome| end.words as f64;
        let (left, right) = (of(a, &norm), of(b, &norm));
        let differences: Vec<f64> = right.iter().zip(&left).map(|(b, a)| b - a).collect();
        let each = |value: &dyn Fn(&super::GameOutcome) -> f64| {
            (mean(&of(a, value)).mean, mean(&of(b, value)).mean)
        };
        GameDifference {
            game,
            way,
            count: left.len(),
            a: mean(&left).mean,
            b: mean(&right).mean,
            difference: mean(&differences).mean,
            interval: interval(&differences),
            tokens: each(&tokens),
            words: each(&words),
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
        let heading = [
            "games",
            "A",
            "B",
            "B - A",
            "95 % interval",
            "tokens A, B",
            "words A, B",
        ];
        let [games, a, b, difference, interval, tokens, words] = heading;
        writeln!(
            f,
            "{games:32} {a:>7} {b:>7} {difference:>8}  {interval:18}  {tokens:14}  {words}"
        )?;
        for row in &self.rows {
            let title = format!("{} {} ({})", row.game, row.way, row.count);
            let interval = row.interval.map_or_else(String::new, |(low, high)| {
                format!("{low:+.4} to {high:+.4}")
            });
            let pair = |(a, b): (f64, f64)| format!("{a:.0}, {b:.0}");
            writeln!(
                f,
                "{title:32} {:7.4} {:7.4} {:+8.4}  {interval:18}  {:14}  {}",
                row.a,
                row.b,
                row.difference,
                pair(row.tokens),
                pair(row.words)
            )?;
        }
        Ok(())
    }
}
