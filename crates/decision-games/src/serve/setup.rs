//! What `reset`, or a state, says of a game that begins.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::text;
use crate::game::{Game, seat_named};
use crate::kinds::Kinds;
use crate::language::{Language, speaking};
use crate::player::{Manner, Player};
use crate::rules::Rules;
use crate::table::Play;

/// What a state keeps of the request that began its game.
const KEPT: [&str; 6] = ["game", "rules", "order", "limits", "partners", "language"];

/// What else the request has, or the state.
const FURTHER: [&str; 5] = ["op", "seed", "world", "state", "turns"];

/// A game that is to begin.
pub(super) struct Setup {
    pub game: Arc<dyn Game>,
    pub rules: Rules,
    pub play: Play,
    pub limited: bool,
    /// Who plays the seats that are not played from outside.
    pub partners: Vec<Option<Box<dyn Player>>>,
    /// Turns to begin with: seat and text.
    pub turns: Vec<(String, String)>,
    /// The request as a state keeps it, with the world.
    pub kept: Value,
}

impl Setup {
    /// Reads a request, or the state in it.
    pub fn read(kinds: &Kinds, request: &Value) -> Result<Setup, String> {
        known(request, "reset", &[&KEPT[..], &FURTHER].concat())?;
        match given(request, "state") {
            Some(state) if state.is_object() => {
                agrees(request, state)?;
                known(state, "a state", &[&KEPT[..], &["world", "turns"]].concat())?;
                Setup::begin(kinds, state)
            }
            Some(_) => Err("state is the object that the op state gives".to_owned()),
            None => Setup::begin(kinds, request),
        }
    }

    fn begin(kinds: &Kinds, asked: &Value) -> Result<Setup, String> {
        let name = text(asked, "game")?;
        let released = [("released", Rules::released())];
        let rules = chosen(asked, "rules", &released)?.unwrap_or_default();
        let orders = [("strict", Play::Strict), ("free", Play::Free)];
        let play = chosen(asked, "order", &orders)?.unwrap_or(Play::Strict);
        let limited = match given(asked, "limits") {
            None => true,
            Some(Value::Bool(limited)) => *limited,
            Some(other) => return Err(format!("limits is true, false or left out, not {other}")),
        };
        let world = match (given(asked, "world"), given(asked, "seed")) {
            (Some(world), None) => world.clone(),
            (None, Some(seed)) => {
                let whole = || format!("seed is a whole number from 0 to {}, not {seed}", u64::MAX);
                kinds.generate(name, seed.as_u64().ok_or_else(whole)?, rules)?
            }
            (Some(_), Some(_)) => return Err("reset takes a seed or a world, not both".to_owned()),
            (None, None) => return Err("reset needs a seed, a world or a state".to_owned()),
        };
        let game = kinds.open(name, &world, rules)?;
        let language = language(given(asked, "language"))?;
        let seed = world["seed"].as_u64().unwrap_or(0);
        let partners = partners(game.as_ref(), given(asked, "partners"), seed, language)?;
        if play == Play::Free && partners.iter().any(Option::is_some) {
            return Err("partners wait for their turn: leave out \"order\": \"free\"".to_owned());
        }
        let kept = |name: &str| Some((name.to_owned(), given(asked, name)?.clone()));
        let mut kept: Map<String, Value> = KEPT.into_iter().filter_map(kept).collect();
        kept.insert("world".to_owned(), world);
        Ok(Setup {
            game,
            rules,
            play,
            limited,
            partners,
            turns: turns(given(asked, "turns"))?,
            kept: Value::Object(kept),
        })
    }
}

/// A field; null, as Python writes `None`, is none.
pub(super) fn given<'a>(object: &'a Value, name: &str) -> Option<&'a Value> {
    object.get(name).filter(|value| !value.is_null())
}

/// Checks that an object has no other fields, such as misspelt ones.
pub(super) fn known(object: &Value, what: &str, names: &[&str]) -> Result<(), String> {
    let mut fields = object.as_object().into_iter().flatten();
    match fields.find(|(name, _)| !names.contains(&name.as_str())) {
        Some((name, _)) => Err(format!("{what} has no {name:?}, only {}", names.join(", "))),
        None => Ok(()),
    }
}

/// Checks that what stands beside a state is not another game.
fn agrees(request: &Value, state: &Value) -> Result<(), String> {
    let mut beside = request.as_object().into_iter().flatten();
    let differs = |(name, value): &(&String, &Value)| {
        !["op", "state"].contains(&name.as_str())
            && !value.is_null()
            && state.get(name) != Some(value)
    };
    match beside.find(differs) {
        Some((name, _)) => Err(format!("a state has all of its game: leave {name} out")),
        None => Ok(()),
    }
}

/// What a word stands for.
fn chosen<T: Copy>(asked: &Value, name: &str, words: &[(&str, T)]) -> Result<Option<T>, String> {
    let Some(value) = given(asked, name) else {
        return Ok(None);
    };
    let found = words.iter().find(|(word, _)| value == *word);
    found.map(|(_, meant)| Some(*meant)).ok_or_else(|| {
        let words: Vec<String> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
        format!("{name} is {} or left out, not {value}", words.join(", "))
    })
}

fn language(asked: Option<&Value>) -> Result<Language, String> {
    match asked {
        None => Ok(Language::default()),
        Some(Value::String(code)) => code.parse(),
        Some(other) => Err(format!("{other} is no language: name it as \"de\"")),
    }
}

/// The players of seats that are not played from outside.
fn partners(
    game: &dyn Game,
    asked: Option<&Value>,
    seed: u64,
    language: Language,
) -> Result<Vec<Option<Box<dyn Player>>>, String> {
    let mut partners: Vec<_> = game.seats().iter().map(|_| None).collect();
    let named = match asked {
        None => return Ok(partners),
        Some(Value::Object(named)) => named,
        Some(other) => {
            let seat = game.seats()[0].name;
            return Err(format!(
                "partners says who plays a seat, as {{{seat:?}: \"shy\"}}, not {other}"
            ));
        }
    };
    for (seat, who) in named {
        let place = seat_named(game.seats(), seat)?;
        let player = match who.as_str() {
            Some("agent") => game.agent(place),
            Some(name) => {
                let manner = Manner::named(name);
                let manner = manner.ok_or_else(|| {
                    let known = Manner::ALL.map(|(name, _)| name).join(", ");
                    format!("there is no partner {name:?}; partners are agent, {known}")
                })?;
                let player = game.partner(place, manner, seed);
                player.map(|player| speaking(player, language))
            }
            None => None,
        };
        partners[place] = Some(player.ok_or_else(|| format!("{who} cannot be {seat}"))?);
    }
    Ok(partners)
}

fn turns(asked: Option<&Value>) -> Result<Vec<(String, String)>, String> {
    let turns = asked.map_or(Ok(Vec::new()), |turns| {
        serde_json::from_value(turns.clone())
    });
    turns.map_err(|_| "turns is a list of turns, each a list of a seat and a text".to_owned())
}
