//! Optimization among the kinds of games.

use std::sync::Arc;

use serde_json::{Value, json};

use super::rows::mean_scrambled;
use super::{Optimization, OptimizationWorld, SEATS, five_words, generate, library, pooled};
use crate::chance::Chance;
use crate::game::{Game, Seat};
use crate::kinds::{self, read, write};
use crate::rows::{Row, scaled};
use crate::rules::Rules;
use crate::solve::worst_assignment;

/// The kind of game.
pub struct OptimizationKind;

impl kinds::Kind for OptimizationKind {
    fn name(&self) -> &str {
        "optimization"
    }

    fn seats(&self) -> &[Seat] {
        &SEATS
    }

    fn stub(&self, seat: usize) -> &'static str {
        library::stub(seat)
    }

    fn open(&self, world: &Value, rules: Rules) -> Result<Arc<dyn Game>, String> {
        Ok(Arc::new(Optimization::new(read(world)?, rules)?))
    }

    fn draw(&self, chance: &mut Chance, rules: Rules) -> Result<Value, String> {
        let world: OptimizationWorld =
            generate(chance, rules).ok_or("no draw of this seed fits")?;
        let mut json = write(&world)?;
        json["views"] = json!([world.seen(0), world.seen(1)]);
        Ok(json)
    }

    fn rows(&self, world: &Value, rules: Rules) -> Result<Vec<Row>, String> {
        let game = Optimization::new(read(world)?, rules)?;
        let table = &game.world().table;
        let best = game.points(&game.best());
        let mean = match rules.scrambled_assignments {
            true => mean_scrambled(table),
            false => table.iter().flatten().sum::<i64>() as f64 / table.len() as f64,
        };
        let norm = |columns: &[usize]| {
            let sent = game.sent(&Optimization::decision(columns));
            game.points(&sent).norm()
        };
        let mut rows = vec![
            Row::new("random", scaled(mean, best)),
            Row::new("worst", norm(&worst_assignment(table).columns)),
        ];
        let seen = [game.world().seen(0), game.world().seen(1)];
        for (own, partner) in [(&seen[0], &seen[1]), (&seen[1], &seen[0])] {
            rows.push(Row::new("pooled", norm(&pooled(own, partner))));
            rows.push(Row::new("five words", norm(&five_words(own, partner, 5))));
        }
        Ok(rows)
    }
}
