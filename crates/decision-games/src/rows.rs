//! Rows that cost nothing: what the parties reach without a language model.
//!
//! A figure of a model means something only beside them.

use crate::game::Game;
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
        true => kinds.find(&recorded.game)?.rows(&recorded.world, by)?,
        false => Vec::new(),
    };
    let open = |rules| match known {
        true => kinds.open(&recorded.game, &recorded.world, rules),
        false => recorded.open(rules),
    };
    let game = open(by)?;
    // Behind the rows of chance.
    let best = game.points(&game.sent(&game.best()));
    let mut own = vec![Row::new("optimum", best.norm())];
    let silent = |seat: usize| Row::new(SILENT, game.silence(seat).norm());
    own.extend(proposers(game.as_ref()).into_iter().map(silent));
    let place = rows.len().min(2);
    rows.splice(place..place, own);
    let replayed = |game| -> Result<_, String> {
        let replay = recorded.replay(game);
        replay.map_err(|illegal| illegal.to_string())
    };
    // What people agreed on is scored as it was when they played.
    let as_recorded = Rules {
        legacy_categories: true,
        ..by
    };
    let first = replayed(game)?.proposals.first().copied();
    let humans = [
        ("human first", first),
        ("human final", replayed(open(as_recorded)?)?.decision),
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
    let seats = proposers(game)
        .into_iter()
        .map(|seat| (game.seats()[seat].name, game.silence(seat).norm()));
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
