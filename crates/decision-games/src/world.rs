//! Worlds of any game.

use std::sync::Arc;

use serde_json::Value;

use crate::chance::Chance;
use crate::game::Game;
use crate::mediation::{self, Mediation};
use crate::optimization::{self, Optimization};
use crate::planning::{self, Planning};
use crate::rules::Rules;

/// The games, by name.
pub const GAMES: [&str; 3] = ["optimization", "planning", "mediation"];

/// Prepares a game from its world in JSON.
///
/// # Errors
/// A sentence says what is wrong with the name or the world.
pub fn open(game: &str, world: &Value, rules: Rules) -> Result<Arc<dyn Game>, String> {
    fn read<W: serde::de::DeserializeOwned>(world: &Value) -> Result<W, String> {
        serde_json::from_value(world.clone()).map_err(|error| format!("the world: {error}"))
    }
    Ok(match game {
        "optimization" => Arc::new(Optimization::new(read(world)?, rules)?),
        "planning" => Arc::new(Planning::new(read(world)?, rules)?),
        "mediation" => Arc::new(Mediation::new(read(world)?, rules)?),
        _ => return Err(unknown(game)),
    })
}

/// Draws a world from a seed, in JSON. The same seed gives the same world for ever.
///
/// # Errors
/// No game has this name, or no draw fits.
pub fn generate(game: &str, seed: u64) -> Result<Value, String> {
    let chance = &mut Chance::new(seed);
    let json = |world: Result<Value, serde_json::Error>| world.map_err(|error| error.to_string());
    let mut world = match game {
        "optimization" => {
            let world = optimization::generate(chance).ok_or("no draw of this seed fits")?;
            let views = serde_json::json!([world.seen(0), world.seen(1)]);
            let mut world = json(serde_json::to_value(world))?;
            world["views"] = views;
            world
        }
        "planning" => json(serde_json::to_value(planning::generate(chance)))?,
        "mediation" => json(serde_json::to_value(mediation::generate(chance)))?,
        _ => return Err(unknown(game)),
    };
    world["generator"] = "dialog2api".into();
    world["version"] = 1.into();
    world["seed"] = seed.into();
    Ok(world)
}

fn unknown(game: &str) -> String {
    format!(
        "there is no game {game:?}; the games are {}",
        GAMES.join(", ")
    )
}
