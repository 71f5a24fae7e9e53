//! Rows that cost nothing: what the parties reach without a language model.
//!
//! A figure of a model means something only beside them.

use crate::kinds::Kinds;
use crate::points::Points;
use crate::recorded::Recorded;
use crate::rules::Rules;

/// One value of a row, of a game or of one seat of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name of the row, such as `silent`.
    pub name: &'static str,
    /// The scaled score.
    pub norm: f64,
}

impl Row {
    pub(crate) fn new(name: &'static str, norm: f64) -> Row {
        Row { name, norm }
    }
}

/// All rows of one recorded game.
///
/// # Errors
/// The world or the turns cannot be read.
pub fn rows(recorded: &Recorded) -> Result<Vec<Row>, String> {
    rows_among(&Kinds::default(), recorded)
}

/// As [`rows`], among these kinds of games.
///
/// # Errors
/// The world or the turns cannot be read.
pub fn rows_among(kinds: &Kinds, recorded: &Recorded) -> Result<Vec<Row>, String> {
    let mut rows = kinds.find(&recorded.game)?.rows(&recorded.world)?;
    let open = |rules| kinds.open(&recorded.game, &recorded.world, rules);
    let game = open(Rules::default())?;
    rows.push(Row::new("optimum", game.points(&game.best()).norm()));
    let proposes = |seat: &usize| game.seats()[*seat].may_propose;
    for seat in (0..game.seats().len()).filter(proposes) {
        rows.push(Row::new("silent", game.points(&game.silent(seat)).norm()));
    }
    let replayed = |rules| -> Result<_, String> {
        let replay = recorded.replay(open(rules)?);
        replay.map_err(|illegal| illegal.to_string())
    };
    let by_rule = replayed(Rules::default())?;
    // What people agreed on is scored as it was when they played.
    let as_recorded = replayed(Rules {
        legacy_categories: true,
        ..Rules::default()
    })?;
    let humans = [
        ("human first", by_rule.proposals.first()),
        ("human final", as_recorded.decision.as_ref()),
    ];
    rows.extend(
        humans
            .into_iter()
            .filter_map(|(name, points)| Some(Row::new(name, points?.norm()))),
    );
    Ok(rows)
}

/// A mean score on the scale of these points.
pub(crate) fn scaled(mean: f64, points: Points) -> f64 {
    (mean - points.worst as f64) / (points.best - points.worst).max(1) as f64
}
