//! Planning among the kinds of games.

use std::sync::Arc;

use serde_json::Value;

use super::{Planning, PlanningWorld, Preference, SEATS, Wish, generate, library, mean, suggest};
use crate::chance::Chance;
use crate::game::{Game, Seat};
use crate::kinds::{self, read, write};
use crate::rows::{Row, scaled};
use crate::rules::Rules;

/// The kind of game.
pub struct PlanningKind;

impl kinds::Kind for PlanningKind {
    fn name(&self) -> &str {
        "planning"
    }

    fn seats(&self) -> &[Seat] {
        &SEATS
    }

    fn stub(&self, seat: usize) -> &'static str {
        library::stub(seat)
    }

    fn open(&self, world: &Value, rules: Rules) -> Result<Arc<dyn Game>, String> {
        Ok(Arc::new(Planning::new(read(world)?, rules)?))
    }

    fn draw(&self, chance: &mut Chance, rules: Rules) -> Result<Value, String> {
        write(&generate(chance, rules))
    }

    fn rows(&self, world: &Value, rules: Rules) -> Result<Vec<Row>, String> {
        let game = Planning::new(read(world)?, rules)?;
        let best = game.points(&game.best());
        let wishes: Vec<Wish> = game.world().preferences.iter().map(wish).collect();
        let known = suggest(&game.world().sites, &wishes, false);
        let known = game.decision(&known.stops.map(Some));
        Ok(vec![
            Row::new("random", scaled(mean(&scored(game.world(), rules)), best)),
            Row::new("worst", 0.0),
            Row::new("all wishes", game.points(&known).norm()),
        ])
    }
}

/// The world as these rules score it.
fn scored(world: &PlanningWorld, rules: Rules) -> PlanningWorld {
    let mut world = world.clone();
    if rules.legacy_categories && world.legacy_at_least_one {
        for preference in &mut world.preferences {
            if let Preference::Category { penalize, .. } = preference {
                *penalize = false;
            }
        }
    }
    world
}

/// The wish of a preference, which has everything but its weight.
pub fn wish(preference: &Preference) -> Wish {
    match preference {
        Preference::Feature {
            name,
            value_sets: [dislike, like],
            ..
        } => Wish::Feature {
            feature: name.clone(),
            like: like.clone(),
            dislike: dislike.clone(),
            weight: None,
        },
        Preference::Budget { budget, .. } => Wish::Budget {
            budget: *budget,
            weight: None,
        },
        Preference::Visit {
            event_set,
            penalize,
            ..
        } => Wish::Visit {
            visit: event_set.clone(),
            must: Some(*penalize),
            weight: None,
        },
        // Whether a category is a must is not in the text.
        Preference::Category { etype, .. } => Wish::Category {
            category: etype.clone(),
            must: None,
            weight: None,
        },
        Preference::Travel { .. } => Wish::Travel { travel: 5.5 },
    }
}
