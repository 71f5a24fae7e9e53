//! The kinds of games: the one list of them, and lists with games of others.

use std::sync::Arc;

use serde_json::Value;

use crate::chance::Chance;
use crate::game::{Game, Order, Seat};
use crate::rows::Row;
use crate::rules::Rules;
use crate::{mediation, optimization, planning};

/// A kind of game: how its worlds are drawn and opened.
pub trait Kind: Send + Sync {
    /// The name, such as `planning`.
    fn name(&self) -> &str;

    /// The parties, which are the same in all worlds.
    fn seats(&self) -> &[Seat];

    /// Who speaks after whom.
    fn order(&self) -> Order {
        Order::Turns
    }

    /// Python stubs of what programs of a seat can call beside what all games have.
    fn stub(&self, _seat: usize) -> &'static str {
        ""
    }

    /// Prepares a game from its world in JSON.
    ///
    /// # Errors
    /// A sentence says what is wrong with the world.
    fn open(&self, world: &Value, rules: Rules) -> Result<Arc<dyn Game>, String>;

    /// Draws a world, in JSON.
    ///
    /// # Errors
    /// A sentence says why no draw fits.
    fn draw(&self, chance: &mut Chance, rules: Rules) -> Result<Value, String>;

    /// The rows of this world by these rules that need no language model, beside `optimum` and
    /// `silent`.
    ///
    /// # Errors
    /// A sentence says what is wrong with the world.
    fn rows(&self, _world: &Value, _rules: Rules) -> Result<Vec<Row>, String> {
        Ok(Vec::new())
    }
}

/// Kinds of games by name.
#[derive(Clone)]
pub struct Kinds(Vec<Arc<dyn Kind>>);

impl Default for Kinds {
    /// The games of this crate.
    fn default() -> Kinds {
        Kinds(vec![
            Arc::new(optimization::OptimizationKind),
            Arc::new(planning::PlanningKind),
            Arc::new(mediation::MediationKind),
        ])
    }
}

impl Kinds {
    /// Adds a kind.
    ///
    /// # Errors
    /// Another kind has its name.
    pub fn with(mut self, kind: Arc<dyn Kind>) -> Result<Kinds, String> {
        if self.names().any(|name| name == kind.name()) {
            return Err(format!("there are two games {:?}", kind.name()));
        }
        self.0.push(kind);
        Ok(self)
    }

    /// The names, in the order of the list.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|kind| kind.name())
    }

    /// The kind of this name.
    ///
    /// # Errors
    /// There is none.
    pub fn find(&self, name: &str) -> Result<&dyn Kind, String> {
        let found = self.0.iter().find(|kind| kind.name() == name);
        found.map(Arc::as_ref).ok_or_else(|| {
            let names: Vec<&str> = self.names().collect();
            format!(
                "there is no game {name:?}; the games are {}",
                names.join(", ")
            )
        })
    }

    /// Prepares a game from its world in JSON.
    ///
    /// # Errors
    /// A sentence says what is wrong with the name or the world.
    pub fn open(&self, game: &str, world: &Value, rules: Rules) -> Result<Arc<dyn Game>, String> {
        self.find(game)?.open(world, rules)
    }

    /// Draws a world from a seed, in JSON. The same seed gives the same world for ever.
    ///
    /// # Errors
    /// No game has this name, or no draw fits.
    pub fn generate(&self, game: &str, seed: u64, rules: Rules) -> Result<Value, String> {
        let mut world = self.find(game)?.draw(&mut Chance::new(seed), rules)?;
        world["generator"] = "dialog2api".into();
        world["version"] = 1.into();
        world["seed"] = seed.into();
        Ok(world)
    }
}

/// [`Kinds::open`] among the games of this crate.
///
/// # Errors
/// As there.
pub fn open(game: &str, world: &Value, rules: Rules) -> Result<Arc<dyn Game>, String> {
    Kinds::default().open(game, world, rules)
}

/// [`Kinds::generate`] among the games of this crate, by our rules.
///
/// # Errors
/// As there.
pub fn generate(game: &str, seed: u64) -> Result<Value, String> {
    Kinds::default().generate(game, seed, Rules::default())
}

/// Reads a world of the type that a kind has for them.
pub(crate) fn read<W: serde::de::DeserializeOwned>(world: &Value) -> Result<W, String> {
    serde_json::from_value(world.clone()).map_err(|error| format!("the world: {error}"))
}

/// Writes a world.
pub(crate) fn write<W: serde::Serialize>(world: &W) -> Result<Value, String> {
    serde_json::to_value(world).map_err(|error| error.to_string())
}
