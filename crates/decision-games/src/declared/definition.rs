//! The kind of game that a `game.json` defines.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::world::{Choice, Wish, World, named, repeated};
use super::{library, open, seats};
use crate::chance::Chance;
use crate::game::{Game, Seat};
use crate::kinds::{self, write};
use crate::rules::Rules;

/// A game as its file defines it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    name: String,
    options: Vec<String>,
    /// Attributes with the values that options have.
    attributes: BTreeMap<String, Vec<String>>,
}

/// Reads the definition of a kind of game, in JSON.
///
/// # Errors
/// A sentence says what is wrong with it.
pub fn read(definition: &str) -> Result<Arc<dyn kinds::Kind>, String> {
    let definition: Definition =
        serde_json::from_str(definition).map_err(|error| format!("the game: {error}"))?;
    let empty = definition.attributes.values().any(Vec::is_empty);
    if definition.options.is_empty() || empty {
        return Err("the game: it needs a name, options, and values for each attribute".to_owned());
    }
    let attributes = definition.attributes.iter();
    let attributes = attributes.flat_map(|(name, values)| std::iter::once(name).chain(values));
    let names = std::iter::once(&definition.name).chain(&definition.options);
    names.chain(attributes).try_for_each(named)?;
    let twice = |what: &str, name: &str| format!("the game: two {what} are called {name:?}");
    if let Some(name) = repeated(&definition.options) {
        return Err(twice("options", name));
    }
    if let Some(name) = repeated(definition.attributes.keys()) {
        return Err(twice("attributes", name));
    }
    if definition.attributes.contains_key("option") {
        let why = "that stands for an option itself";
        return Err(format!(
            "the game: no attribute is called \"option\": {why}"
        ));
    }
    for (attribute, values) in &definition.attributes {
        if let Some(name) = repeated(values) {
            return Err(twice(&format!("values of {attribute}"), name));
        }
    }
    if definition.options.len() < 2 || definition.attributes.is_empty() {
        return Err(
            "the game: it needs two options or more, and an attribute by which they differ"
                .to_owned(),
        );
    }
    Ok(Arc::new(definition))
}

impl kinds::Kind for Definition {
    fn name(&self) -> &str {
        &self.name
    }

    fn seats(&self) -> &[Seat] {
        &seats::USUAL
    }

    fn stub(&self, _seat: usize) -> &'static str {
        library::stub(true)
    }

    fn open(&self, world: &Value, _rules: Rules) -> Result<Arc<dyn Game>, String> {
        open(&self.name, world)
    }

    /// Each option has a random value for each attribute; each person wishes one value of each,
    /// for 1 to 10 points.
    fn draw(&self, chance: &mut Chance, _rules: Rules) -> Result<Value, String> {
        let mut values = || -> BTreeMap<String, String> {
            let drawn = |(name, values): (&String, &Vec<String>)| {
                (name.clone(), chance.pick(values).clone())
            };
            self.attributes.iter().map(drawn).collect()
        };
        let options: Vec<Choice> = self
            .options
            .iter()
            .map(|name| Choice {
                name: name.clone(),
                values: values(),
            })
            .collect();
        let mut wishes = || -> Vec<Wish> {
            let wish = |(attribute, value): (String, String)| Wish {
                attribute,
                value,
                points: 0,
            };
            values().into_iter().map(wish).collect()
        };
        let mut wishes = [wishes(), wishes()];
        for wish in wishes.iter_mut().flatten() {
            wish.points = chance.between(1, 10);
        }
        write(&World {
            options,
            wishes,
            ..World::default()
        })
    }
}
