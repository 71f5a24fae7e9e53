//! Games of a user's own: two people choose one option together.
//!
//! A `game.json` in a folder of the user's own defines one. Each option has a value for each
//! attribute; each person has wishes, points for values, that the other does not see. The decision
//! is one option. Its score is the sum of both people's points. Where a program of the user draws
//! the worlds ([`drawn_by`]), they have the points of each option.
//!
//! ```
//! use decision_games::{Kinds, Rules, declared};
//!
//! let definition = r#"{"name": "restaurant", "options": ["Luigi", "Saigon", "Zur Post"],
//!     "attributes": {"food": ["pasta", "noodles"], "price": ["cheap", "dear"]}}"#;
//! let kinds = Kinds::default().with(declared::read(definition).unwrap()).unwrap();
//! let world = kinds.generate("restaurant", 7, Rules::default()).unwrap();
//! let game = kinds.open("restaurant", &world, Rules::default()).unwrap();
//! assert!(game.view(0).contains("Luigi"));
//! ```

mod board;
mod definition;
mod drawn;
mod forms;
mod game;
mod library;
mod mind;
mod player;
mod seats;
mod words;
mod world;

pub use definition::read;
pub use drawn::drawn_by;

use std::sync::Arc;

use serde_json::Value;

use crate::game::Game;
use crate::kinds::{self, Kinds};

/// A game of a user's own from its world, which has all that the game needs.
pub(crate) fn open(name: &str, world: &Value) -> Result<Arc<dyn Game>, String> {
    let world: world::World = kinds::read(world).map_err(|error| {
        let known: Vec<String> = Kinds::default().names().map(str::to_owned).collect();
        format!(
            "{name:?} is none of {}, and no game of your own: {error}",
            known.join(", ")
        )
    })?;
    world.check()?;
    let seats = match &world.seats {
        Some(roles) => seats::of(roles)?,
        None => seats::USUAL,
    };
    Ok(Arc::new(game::Chosen {
        name: name.to_owned(),
        world,
        seats,
    }))
}
