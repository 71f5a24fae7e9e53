//! Compares the recorded figures of a game with those of its replay.

use serde_json::{Value, json};

use crate::game::{Decision, Game};
use crate::points::Points;
use crate::recorded::{Recorded, Replay};
use crate::rules::Rules;

/// How far recorded and computed fractions may lie apart.
const NEAR: f64 = 1e-9;

/// How a game compares with its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Match {
    /// All that was recorded is as the rules have it.
    Same,
    /// It is as an older server counted, whose rule the world names.
    Older,
    /// A sentence names the first figure that differs.
    Differs(String),
}

impl Recorded {
    /// Replays the game, and compares the figures of every proposal and of the decision with those
    /// that were recorded.
    ///
    /// # Errors
    /// The world or a turn cannot be read.
    pub fn compare(&self, rules: Rules) -> Result<(Replay, Match), String> {
        let by = |rules| -> Result<_, String> {
            let game = self.open(rules)?;
            let replay = self
                .replay(game.clone())
                .map_err(|illegal| illegal.to_string())?;
            let difference = self.difference(game.as_ref(), &replay);
            Ok((replay, difference))
        };
        let (replay, difference) = by(rules)?;
        if difference.is_none() {
            return Ok((replay, Match::Same));
        }
        // In all other worlds this is the same rule.
        let (_, older) = by(Rules {
            legacy_categories: true,
            ..rules
        })?;
        Ok(match older {
            None => (replay, Match::Older),
            Some(difference) => (replay, Match::Differs(difference)),
        })
    }

    fn difference(&self, game: &dyn Game, replay: &Replay) -> Option<String> {
        let made = self.turns.iter();
        let made = made.filter(|turn| turn.decision(game).is_some()).count();
        if !self.proposals.is_empty() && self.proposals.len() != made {
            let recorded = self.proposals.len();
            return Some(format!(
                "the turns have {made} proposals, proposals has {recorded}"
            ));
        }
        let mut proposals = self.proposals.iter().enumerate();
        let proposal = proposals.find_map(|(place, proposal)| {
            let name = format!("proposals[{place}]");
            let turn = proposal["turn"].as_u64().and_then(|turn| {
                let turn = self.turns.get(usize::try_from(turn).ok()?)?;
                Some((turn.player(), turn.decision(game)?))
            });
            let Some((player, decision)) = turn else {
                return Some(format!("{name}.turn is no proposal among the turns"));
            };
            let mut ours = parts(game, decision);
            ours[game.field()] = decision.clone();
            ours["player"] = player.into();
            differs(&name, &ours, proposal)
        });
        proposal.or_else(|| {
            let figures = json!(self.recorded.as_ref()?);
            let Some((decision, points)) = replay.accepted.as_ref().zip(replay.decision) else {
                return Some("nothing was accepted".to_owned());
            };
            let mut ours = parts(game, decision);
            let Points { score, best, worst } = points;
            for (name, value) in [("score", score), ("best", best), ("worst", worst)] {
                ours[name] = value.into();
            }
            ours["norm"] = points.norm().into();
            differs("recorded", &ours, &figures)
        })
    }
}

/// The parts of a score, without those that a turn cannot have.
fn parts(game: &dyn Game, decision: &Decision) -> Value {
    let decision = game.recorded(decision);
    decision.map_or_else(|_| json!({}), |decision| game.parts(&game.sent(&decision)))
}

/// The first difference between figures, by the place in the record. A figure counts that both have.
fn differs(name: &str, ours: &Value, recorded: &Value) -> Option<String> {
    match (ours, recorded) {
        (Value::Object(ours), Value::Object(recorded)) => {
            let both = recorded
                .iter()
                .filter_map(|(key, value)| Some((key, ours.get(key)?, value)));
            both.into_iter()
                .find_map(|(key, ours, value)| differs(&format!("{name}.{key}"), ours, value))
        }
        (Value::Array(ours), Value::Array(recorded)) if ours.len() == recorded.len() => {
            let both = ours.iter().zip(recorded).enumerate();
            both.into_iter()
                .find_map(|(at, (ours, value))| differs(&format!("{name}[{at}]"), ours, value))
        }
        _ => {
            let near = ours
                .as_f64()
                .zip(recorded.as_f64())
                .is_some_and(|(a, b)| (a - b).abs() < NEAR);
            (!near && ours != recorded)
                .then(|| format!("{name} is {recorded}, by the rules {ours}"))
        }
    }
}
