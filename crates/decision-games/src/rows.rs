//! Rows that cost nothing: what the parties reach without a language model.
//!
//! A figure of a model means something only beside them.

use crate::game::{Decision, Game};
use crate::kinds::Kinds;
use crate::points::Points;
use crate::recorded::Recorded;
use crate::rules::Rules;

/// The row of what a seat reaches before anybody has spoken.
pub(crate) const SILENT: &str = "silent";

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

/// All rows of one recorded game, by our rules.
///
/// # Errors
/// The world or the turns cannot be read.
pub fn rows(recorded: &Recorded) -> Result<Vec<Row>, String> {
    rows_by(&Kinds::default(), recorded, Rules::default())
}

/// As [`rows`], among these kinds of games and by these rules.
///
/// With the released rules, proposals pass through their text form, as they did there.
///
/// # Errors
/// The world or the turns cannot be read.
pub fn rows_by(kinds: &Kinds, recorded: &Recorded, by: Rules) -> Result<Vec<Row>, String> {
    let known = kinds.names().any(|name| name == recorded.game);
    let mut rows = match known {
        true => kinds.find(&recorded.game)?.rows(&recorded.world)?,
        false => Vec::new(),
    };
    let open = |rules| match known {
        true => kinds.open(&recorded.game, &recorded.world, rules),
        false => recorded.open(rules),
    };
    let game = open(by)?;
    let norm = |decision: &Decision, seat: usize| {
        let text = game.show(decision, seat, seat);
        let read = (by != Rules::default())
            .then(|| game.read(&text).ok())
            .flatten();
        game.points(read.as_ref().unwrap_or(decision)).norm()
    };
    let proposers = proposers(game.as_ref());
    let first = proposers.first().copied().unwrap_or(0);
    // Behind the rows of chance.
    let mut own = vec![Row::new("optimum", norm(&game.best(), first))];
    own.extend(
        proposers
            .iter()
            .map(|seat| Row::new(SILENT, norm(&game.silent(*seat), *seat))),
    );
    let place = rows.len().min(2);
    rows.splice(place..place, own);
    if by != Rules::default() {
        let last = recorded
            .turns
            .iter()
            .rev()
            .find(|turn| turn.decision().is_some());
        let last = last.and_then(|turn| Some((turn.decision()?, turn.player())));
        rows.extend(last.map(|(decision, seat)| {
            Row::new(
                "human final",
                norm(decision, seat.min(game.seats().len() - 1)),
            )
        }));
        return Ok(rows);
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

/// The seats that may propose.
pub(crate) fn proposers(game: &dyn Game) -> Vec<usize> {
    let seats = game.seats().iter().enumerate();
    let proposing = seats.filter(|(_, seat)| seat.may_propose);
    proposing.map(|(place, _)| place).collect()
}

/// A sentence: the score of each seat that may propose, if nobody had said a word.
pub(crate) fn silence(game: &dyn Game) -> String {
    let seats = proposers(game).into_iter().map(|seat| {
        let norm = game.points(&game.silent(seat)).norm();
        (game.seats()[seat].name, norm)
    });
    let each: Vec<String> = (0..)
        .zip(seats)
        .map(|(place, (name, norm))| match place {
            0 => format!("{name} would have reached {norm:.3}"),
            _ => format!("{name} {norm:.3}"),
        })
        .collect();
    format!("Without a word, {}.", each.join(", "))
}

/// A mean score on the scale of these points.
pub(crate) fn scaled(mean: f64, points: Points) -> f64 {
    (mean - points.worst as f64) / (points.best - points.worst).max(1) as f64
}
