//! The figures of a run of games.

use super::journal::RUNS;
use super::log::{GameLine, GameOutcome, GameRun, UnitKey};
use crate::domain::{counted, plural};
use crate::error::{Error, Result};
use crate::eval::folder::LOG;
use crate::eval::kinds::read_lines;
use crate::llm::{Prices, Usage};
use decision_games::measure::{self, Summary};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A run as it was read from a folder.
#[derive(Debug, Clone)]
pub struct RecordedGames {
    /// The folder.
    pub folder: PathBuf,
    /// What ran.
    pub run: GameRun,
    /// The ends of its units, and how many lines each has.
    pub units: BTreeMap<UnitKey, GameOutcome>,
    /// The turns, in the order of the log.
    pub turns: Vec<GameLine>,
}

/// What was reached in games of one kind, at one cut.
#[derive(Debug, Clone, Serialize)]
pub struct GameRow {
    /// The kind of game.
    pub game: String,
    /// How it was played: `forced 50`, `scripted`.
    pub way: String,
    /// The scores, beside people and silence.
    #[serde(flatten)]
    pub figures: Summary,
    /// How games ended.
    pub ended: BTreeMap<String, u32>,
    /// Refused turns, by code.
    pub refused: BTreeMap<String, u32>,
    /// Requests to the model.
    pub requests: u32,
    /// Requests that asked again.
    pub repairs: u32,
    /// Tokens, of all games together.
    pub usage: Usage,
    /// What they cost, if the model's price is known.
    pub cost: Option<String>,
}

/// The figures of a run.
#[derive(Debug, Clone, Serialize)]
pub struct GameScore {
    /// What ran.
    pub run: GameRun,
    /// Units with a sample.
    pub done: usize,
    /// The units of the run, or of its shard.
    pub units: usize,
    /// Units that have none because we or the provider failed. They are left out of the rows.
    pub ours: usize,
    /// The rows.
    pub rows: Vec<GameRow>,
}

/// Reads the folder of a run of games.
///
/// # Errors
/// It is none, has another version, or is damaged.
pub fn read(folder: &Path) -> Result<RecordedGames> {
    let run: GameRun = RUNS.read(folder)?;
    let path = folder.join(LOG);
    let (mut units, mut turns) = (BTreeMap::new(), Vec::new());
    for line in read_lines::<GameLine>(&path)? {
        match line.end {
            Some(end) => {
                if units.insert(line.unit.clone(), end).is_some() {
                    return Err(Error::Content {
                        path,
                        problem: format!("has two ends of {}", line.unit),
                    });
                }
            }
            None => turns.push(line),
        }
    }
    Ok(RecordedGames {
        folder: folder.to_owned(),
        run,
        units,
        turns,
    })
}

/// The figures of a run. Without `partial`, all its units have to be there.
///
/// # Errors
/// A sentence says what is missing.
pub fn score(recorded: &RecordedGames, prices: &Prices, partial: bool) -> Result<GameScore> {
    let samples = || recorded.units.iter().filter(|(_, end)| end.ours.is_none());
    let done = samples().count();
    let run = &recorded.run;
    let whole = run.shard.is_none();
    if whole && done < run.games.units && !partial {
        return Err(Error::Content {
            path: recorded.folder.clone(),
            problem: format!(
                "{done} of {} {} done: go on with `dialog2api game eval … --resume`, or take what \
                 is there with --partial",
                counted(run.games.units, "unit"),
                plural(run.games.units, "is", "are")
            ),
        });
    }
    let mut rows: BTreeMap<(String, String), (measure::MeasuredRow, GameRow)> = BTreeMap::new();
    for (place, end) in samples() {
        let way = way(run, place);
        let key = (place.game.clone(), way.clone());
        let (measured, row) = rows.entry(key).or_insert_with(|| {
            let measured = measure::MeasuredRow::default();
            let row = GameRow {
                game: place.game.clone(),
                way,
                figures: measured.summary(),
                ended: BTreeMap::new(),
                refused: BTreeMap::new(),
                requests: 0,
                repairs: 0,
                usage: Usage::default(),
                cost: None,
            };
            (measured, row)
        });
        measured.0.push(end.measured());
        *row.ended.entry(end.ended.clone()).or_default() += 1;
        for (code, count) in &end.refused {
            *row.refused.entry(code.clone()).or_default() += count;
        }
        row.requests += end.requests;
        row.repairs += end.repairs;
        row.usage += end.usage;
    }
    let rows = rows.into_values().map(|(measured, mut row)| {
        row.figures = measured.summary();
        row.cost = prices
            .cost(&run.model, row.usage)
            .map(|cost| cost.to_string());
        row
    });
    Ok(GameScore {
        run: run.clone(),
        done,
        units: if whole {
            run.games.units
        } else {
            recorded.units.len()
        },
        ours: recorded.units.len() - done,
        rows: rows.collect(),
    })
}

/// How a unit was played, in words.
pub(super) fn way(run: &GameRun, place: &UnitKey) -> String {
    match &place.cut {
        Some(cut) => format!("{} {}", run.mode, cut.strip_prefix('0').unwrap_or(cut)),
        None => run.mode.to_string(),
    }
}
