//! Games that a user defines in a file: two people choose one option together.
//!
//! The definition is a `game.json` in a folder of the user's own. Each option has a value for each
//! attribute; each person has wishes, points for values, that the other does not see. The decision
//! is one option. Its score is the sum of both people's points.
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
mod forms;
mod library;
mod mind;
mod player;

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::board::{Board, Picks};
use crate::chance::Chance;
use crate::game::{Decision, Game, Order, Seat};
use crate::illegal::{Code, Illegal};
use crate::kinds::{self, Kinds, write};
use crate::mind::{Extractor, Solver};
use crate::names::{self, Miss};
use crate::player::{Manner, Player};
use crate::points::Points;
use crate::programs::Library;
use crate::reading::Forms;
use crate::rules::Rules;

const SEATS: [Seat; 2] = [
    Seat::new("first", "Partner").proposes().answers(),
    Seat::new("second", "Partner").proposes().answers(),
];

/// A game as its file defines it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    name: String,
    options: Vec<String>,
    /// Attributes with the values that options have.
    attributes: BTreeMap<String, Vec<String>>,
}

/// An option with its values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Choice {
    name: String,
    values: BTreeMap<String, String>,
}

/// Points that a person gains by an option with this value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    attribute: String,
    value: String,
    points: i64,
}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wish {
            attribute,
            value,
            points,
        } = self;
        write!(f, "{attribute}: {value} ({points})")
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct World {
    options: Vec<Choice>,
    wishes: [Vec<Wish>; 2],
}

/// What a seat sees: the options and its own wishes.
#[derive(Clone)]
struct View {
    options: Vec<Choice>,
    own: Vec<Wish>,
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

/// A name that was there before. Parties may write names in any case.
fn repeated<'n>(names: impl IntoIterator<Item = &'n String>) -> Option<&'n str> {
    let mut known = HashSet::new();
    let mut names = names.into_iter();
    names
        .find(|name| !known.insert(name.to_lowercase()))
        .map(String::as_str)
}

/// Names are read back from the talk, where lines and brackets have a meaning.
fn named(name: &String) -> Result<(), String> {
    let is_plain = name.trim() == name
        && !name.is_empty()
        && !name.chars().any(|c| c.is_control() || "[]|".contains(c));
    is_plain.then_some(()).ok_or_else(|| {
        format!(
            "the game: {name:?} is no name: names have something in them, no blanks around it, and \
             none of [, ], | and line breaks"
        )
    })
}

/// A game of a user's own from its world, which has all that the game needs.
pub(crate) fn open(name: &str, world: &Value) -> Result<Arc<dyn Game>, String> {
    let world: World = kinds::read(world).map_err(|error| {
        let known: Vec<String> = Kinds::default().names().map(str::to_owned).collect();
        format!(
            "{name:?} is none of {}, and no game of your own: {error}",
            known.join(", ")
        )
    })?;
    if world.options.is_empty() {
        return Err("the world has no options".to_owned());
    }
    for option in &world.options {
        let values = option.values.iter().flat_map(|(name, value)| [name, value]);
        std::iter::once(&option.name)
            .chain(values)
            .try_for_each(named)?;
    }
    for wish in world.wishes.iter().flatten() {
        [&wish.attribute, &wish.value]
            .into_iter()
            .try_for_each(named)?;
    }
    if world
        .wishes
        .iter()
        .flatten()
        .any(|wish| wish.points.abs() > 1_000_000)
    {
        return Err("a wish has more than 1,000,000 points".to_owned());
    }
    Ok(Arc::new(Chosen {
        name: name.to_owned(),
        world,
    }))
}

impl kinds::Kind for Definition {
    fn name(&self) -> &str {
        &self.name
    }

    fn seats(&self) -> &[Seat] {
        &SEATS
    }

    fn stub(&self, seat: usize) -> &'static str {
        library::stub(seat)
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
        write(&World { options, wishes })
    }
}

struct Chosen {
    name: String,
    world: World,
}

/// What an option gains by wishes.
fn gain(option: &Choice, wishes: &[Wish]) -> i64 {
    let met = |wish: &&Wish| option.values.get(&wish.attribute) == Some(&wish.value);
    wishes.iter().filter(met).map(|wish| wish.points).sum()
}

impl Chosen {
    fn view_of(&self, seat: usize) -> Option<View> {
        Some(View {
            own: self.world.wishes.get(seat)?.clone(),
            options: self.world.options.clone(),
        })
    }

    fn scores(&self) -> impl Iterator<Item = i64> + '_ {
        let both =
            |option| gain(option, &self.world.wishes[0]) + gain(option, &self.world.wishes[1]);
        self.world.options.iter().map(both)
    }

    fn find(&self, decision: &Decision) -> Option<usize> {
        let name = decision.as_str()?;
        self.world
            .options
            .iter()
            .position(|option| option.name == name)
    }

    /// The option with the greatest value, the first of equal ones.
    fn first_best(&self, value: impl Fn(usize) -> i64) -> Decision {
        let best = (0..self.world.options.len())
            .rev()
            .max_by_key(|option| value(*option));
        json!(best.map(|option| &self.world.options[option].name))
    }
}

impl Game for Chosen {
    fn name(&self) -> &str {
        &self.name
    }

    fn seats(&self) -> &[Seat] {
        &SEATS
    }

    fn order(&self) -> Order {
        Order::Turns
    }

    fn view(&self, seat: usize) -> String {
        let mut lines = vec!["Options:".to_owned()];
        lines.extend(self.world.options.iter().map(|option| {
            let values: Vec<String> = option
                .values
                .iter()
                .map(|(name, value)| format!("{name}: {value}"))
                .collect();
            format!("{} | {}", option.name, values.join(", "))
        }));
        lines.push("Your wishes:".to_owned());
        let own = self.world.wishes.get(seat).into_iter().flatten();
        lines.extend(own.map(Wish::to_string));
        lines.join("\n")
    }

    fn read(&self, text: &str) -> Result<Decision, Illegal> {
        let names: Vec<&str> = self
            .world
            .options
            .iter()
            .map(|option| option.name.as_str())
            .collect();
        match names::find(&names, text) {
            Ok(option) => Ok(json!(names[option])),
            Err(Miss::Ambiguous) => {
                Err(Code::AmbiguousName.because(format!("{text:?} could be several options.")))
            }
            Err(Miss::Unknown) => {
                Err(Code::BadProposal.because(format!("Propose one of {}.", names.join(", "))))
            }
        }
    }

    fn write(&self, decision: &Decision) -> String {
        decision.as_str().unwrap_or_default().to_owned()
    }

    fn check(&self, decision: &Decision) -> Result<Decision, Illegal> {
        let wrong = || Code::BadProposal.because("A proposal is the name of an option.");
        self.read(decision.as_str().ok_or_else(wrong)?)
    }

    fn complete(&self, _: &Decision) -> bool {
        true
    }

    fn show(&self, decision: &Decision, to: usize, _by: usize) -> String {
        let name = decision.as_str().unwrap_or_default();
        let own = self.find(decision).zip(self.world.wishes.get(to));
        own.map_or_else(
            || name.to_owned(),
            |(option, wishes)| {
                format!(
                    "{name}\nYour points: {}",
                    gain(&self.world.options[option], wishes)
                )
            },
        )
    }

    fn points(&self, decision: &Decision) -> Points {
        let (best, worst) = (
            self.scores().max().unwrap_or(0),
            self.scores().min().unwrap_or(0),
        );
        let score = self
            .find(decision)
            .and_then(|option| self.scores().nth(option));
        Points {
            score: score.unwrap_or(worst),
            best,
            worst,
        }
    }

    fn best(&self) -> Decision {
        let scores: Vec<i64> = self.scores().collect();
        self.first_best(|option| scores[option])
    }

    fn silent(&self, seat: usize) -> Decision {
        let own = self.world.wishes.get(seat).cloned().unwrap_or_default();
        self.first_best(|option| gain(&self.world.options[option], &own))
    }

    fn solver(&self, seat: usize) -> Option<Box<dyn Solver>> {
        Some(Box::new(mind::Solver(self.view_of(seat)?)))
    }

    fn extractor(&self, seat: usize) -> Option<Box<dyn Extractor>> {
        Some(Box::new(mind::Words(self.view_of(seat)?)))
    }

    fn agent_by(&self, seat: usize, reader: Box<dyn Extractor>) -> Option<Box<dyn Player>> {
        let view = self.view_of(seat)?;
        let party = player::Party::new(view, Manner::Scripted, Some(self.view(seat)), reader);
        Some(Box::new(party))
    }

    fn forms(&self, seat: usize) -> Option<Box<dyn Forms>> {
        forms::of(self.view_of(seat)?)
    }

    fn stub(&self, seat: usize) -> &'static str {
        library::stub(seat)
    }

    fn library(&self, seat: usize) -> Option<Box<dyn Library>> {
        Some(Box::new(library::Options(self.view_of(seat)?)))
    }

    fn partner(&self, seat: usize, manner: Manner, _seed: u64) -> Option<Box<dyn Player>> {
        let reader = self.extractor(seat)?;
        let party = player::Party::new(self.view_of(seat)?, manner, None, reader);
        Some(Box::new(party))
    }

    fn board(&self, seat: usize) -> Board {
        let view = self.view_of(seat);
        view.map_or_else(Board::default, |view| board::of(&view))
    }

    fn picked(&self, picks: &Picks) -> Decision {
        board::picked(&self.world.options, picks)
    }

    fn picks(&self, decision: &Decision) -> Picks {
        vec![self.find(decision)]
    }
}
