//! A kind of game whose worlds somebody else draws.

use std::sync::Arc;

use serde_json::Value;

use super::seats::{self, Role};
use super::world::named;
use super::{library, open};
use crate::chance::Chance;
use crate::game::{Game, Seat};
use crate::kinds::{self, Kind};
use crate::rules::Rules;

struct Drawn<D> {
    name: String,
    roles: Value,
    seats: [Seat; 2],
    draw: D,
}

/// A kind of game whose worlds come from a function of the seed, which gives the same one for the
/// same seed: `options` (each with `name` and `values`), `points` of each seat for each option,
/// `wishes` of each seat, and, if it likes, `scores` and `views`.
///
/// Seats are two of `{"name": "host", "proposes": true, "answers": true}`; null stands for two that
/// do both.
///
/// ```
/// use decision_games::{Kinds, Rules, declared};
/// use serde_json::{Value, json};
///
/// let draw = |_seed| Ok(json!({
///     "options": [{"name": "Luigi", "values": {}}, {"name": "Saigon", "values": {}}],
///     "points": [[3, 1], [0, 9]], "wishes": [[], []],
/// }));
/// let kind = declared::drawn_by("restaurant", &Value::Null, draw).unwrap();
/// let kinds = Kinds::default().with(kind).unwrap();
/// let world = kinds.generate("restaurant", 7, Rules::default()).unwrap();
/// let game = kinds.open("restaurant", &world, Rules::default()).unwrap();
/// assert_eq!(game.best(), "Saigon");
/// ```
///
/// # Errors
/// A sentence says what is wrong with the name or the seats.
pub fn drawn_by<D>(name: &str, seats: &Value, draw: D) -> Result<Arc<dyn Kind>, String>
where
    D: Fn(u64) -> Result<Value, String> + Send + Sync + 'static,
{
    let name = name.to_owned();
    named(&name)?;
    let found = match seats {
        Value::Null => seats::USUAL,
        given => {
            let roles: [Role; 2] = serde_json::from_value(given.clone()).map_err(|error| {
                format!(
                    "the seats are two of {{\"name\": \"host\", \"proposes\": true, \"answers\": \
                     true}}: {error}"
                )
            })?;
            seats::of(&roles)?
        }
    };
    Ok(Arc::new(Drawn {
        name,
        roles: seats.clone(),
        seats: found,
        draw,
    }))
}

impl<D> Kind for Drawn<D>
where
    D: Fn(u64) -> Result<Value, String> + Send + Sync,
{
    fn name(&self) -> &str {
        &self.name
    }

    fn seats(&self) -> &[Seat] {
        &self.seats
    }

    fn stub(&self, seat: usize) -> &'static str {
        let proposes = self.seats.get(seat).is_some_and(|seat| seat.may_propose);
        library::stub(proposes)
    }

    fn open(&self, world: &Value, _rules: Rules) -> Result<Arc<dyn Game>, String> {
        open(&self.name, world)
    }

    fn draw(&self, chance: &mut Chance, _rules: Rules) -> Result<Value, String> {
        let mut world = (self.draw)(chance.seed())?;
        if !world.is_object() {
            return Err("the world that was drawn is no object".to_owned());
        }
        if !self.roles.is_null() {
            world["seats"] = self.roles.clone();
        }
        // A faulty world is refused here, before somebody plays in it.
        kinds::read::<super::world::World>(&world)?.check()?;
        Ok(world)
    }
}
