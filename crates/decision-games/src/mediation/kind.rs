//! Mediation among the kinds of games.

use std::sync::Arc;

use serde_json::Value;

use super::{Mediation, SEATS, calendars, generate, library, mean};
use crate::chance::Chance;
use crate::game::{Game, Order, Seat};
use crate::kinds::{self, read, write};
use crate::rows::{Row, scaled};
use crate::rules::Rules;

/// The kind of game.
pub struct MediationKind;

impl kinds::Kind for MediationKind {
    fn name(&self) -> &str {
        "mediation"
    }

    fn seats(&self) -> &[Seat] {
        &SEATS
    }

    fn order(&self) -> Order {
        Order::Rooms
    }

    fn stub(&self, seat: usize) -> &'static str {
        library::stub(seat)
    }

    fn open(&self, world: &Value, rules: Rules) -> Result<Arc<dyn Game>, String> {
        Ok(Arc::new(Mediation::new(read(world)?, rules)?))
    }

    fn draw(&self, chance: &mut Chance, _rules: Rules) -> Result<Value, String> {
        write(&generate(chance))
    }

    fn rows(&self, world: &Value, rules: Rules) -> Result<Vec<Row>, String> {
        let game = Mediation::new(read(world)?, rules)?;
        let best = game.points(&game.best());
        let known = Mediation::decision(calendars(game.world()).0);
        Ok(vec![
            Row::new("random", scaled(mean(game.world()), best)),
            Row::new("worst", 0.0),
            Row::new("calendars", game.points(&known).norm()),
        ])
    }
}
