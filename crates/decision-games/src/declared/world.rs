//! The world of a game of a user's own: options, and what they are worth to whom.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::seats::Role;

/// The attribute under which a wish names an option itself.
pub(super) const OPTION: &str = "option";

/// The most points, for and against.
pub(super) const MOST: i64 = 1_000_000;

/// The most options of a world with points.
const OPTIONS: usize = 1_000;

/// An option with its values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Choice {
    pub name: String,
    pub values: BTreeMap<String, String>,
}

impl Choice {
    /// What it has as this attribute.
    pub fn value(&self, attribute: &str) -> Option<&String> {
        let own = (attribute == OPTION).then_some(&self.name);
        self.values.get(attribute).or(own)
    }
}

/// Points that a person gains by an option with this value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    pub attribute: String,
    pub value: String,
    pub points: i64,
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

/// All that a game needs. Where it has points, they count, and wishes are what parties say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct World {
    pub options: Vec<Choice>,
    pub wishes: [Vec<Wish>; 2],
    /// What each option is worth to each seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<[Vec<i64>; 2]>,
    /// The joint score of each option; without them the points of both seats count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<i64>>,
    /// The text that each seat reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub views: Option<[String; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<[Role; 2]>,
}

/// What a seat sees.
#[derive(Clone)]
pub(super) struct View {
    pub options: Vec<Choice>,
    pub own: Vec<Wish>,
    /// The points of each option for the seat; none where wishes give them.
    pub points: Option<Vec<i64>>,
}

impl View {
    /// The points of the option with this number for the seat.
    pub fn worth(&self, option: usize) -> i64 {
        match &self.points {
            Some(points) => points[option],
            None => gain(&self.options[option], &self.own),
        }
    }

    /// The wishes that its points do not say already.
    pub fn told(&self) -> impl Iterator<Item = &Wish> {
        let said = |wish: &&Wish| self.points.is_some() && wish.attribute == OPTION;
        self.own.iter().filter(move |wish| !said(wish))
    }
}

/// What an option gains by wishes.
pub(super) fn gain(option: &Choice, wishes: &[Wish]) -> i64 {
    let met = |wish: &&Wish| option.value(&wish.attribute) == Some(&wish.value);
    wishes.iter().filter(met).map(|wish| wish.points).sum()
}

impl World {
    /// Whether a game can be made of it; else a sentence says what is wrong.
    pub fn check(&self) -> Result<(), String> {
        if self.options.is_empty() {
            return Err("the world has no options".to_owned());
        }
        if let Some(name) = repeated(self.options.iter().map(|option| &option.name)) {
            return Err(format!("two options are called {name:?}"));
        }
        for option in &self.options {
            let values = option.values.iter().flat_map(|(name, value)| [name, value]);
            std::iter::once(&option.name)
                .chain(values)
                .try_for_each(named)?;
        }
        for wish in self.wishes.iter().flatten() {
            [&wish.attribute, &wish.value]
                .into_iter()
                .try_for_each(named)?;
            if !fits(wish.points) {
                return Err("a wish has more than 1,000,000 points".to_owned());
            }
        }
        match &self.points {
            Some(points) => self.check_points(points),
            None if self.scores.is_some() || self.views.is_some() || self.seats.is_some() => {
                Err("the world has scores, views or seats and no points: add them".to_owned())
            }
            None => Ok(()),
        }
    }

    fn check_points(&self, points: &[Vec<i64>; 2]) -> Result<(), String> {
        let count = self.options.len();
        if !(2..=OPTIONS).contains(&count) {
            return Err(format!(
                "the world has {count} options: with points it has 2 to 1,000"
            ));
        }
        for numbers in points.iter().chain(&self.scores) {
            if numbers.len() != count || !numbers.iter().all(|number| fits(*number)) {
                return Err(format!(
                    "points and scores are a number for each of the {count} options, from -1,000,000 \
                     to 1,000,000"
                ));
            }
        }
        let unseen = |c: char| c.is_control() && c != '\n';
        match self
            .views
            .iter()
            .flatten()
            .any(|view| view.contains(unseen))
        {
            true => Err("a view has characters that nobody sees: leave them out".to_owned()),
            false => Ok(()),
        }
    }

    /// The view of the seat with this number; none if there is no such seat.
    pub fn view(&self, seat: usize) -> Option<View> {
        Some(View {
            own: self.wishes.get(seat)?.clone(),
            options: self.options.clone(),
            points: self.points.as_ref().map(|points| points[seat].clone()),
        })
    }

    /// The joint score of each option.
    pub fn scores(&self) -> Vec<i64> {
        let both = |option: usize| -> i64 {
            match &self.points {
                Some(points) => points.iter().map(|of_seat| of_seat[option]).sum(),
                None => {
                    let gained = |wishes: &Vec<Wish>| gain(&self.options[option], wishes);
                    self.wishes.iter().map(gained).sum()
                }
            }
        };
        let sums = || (0..self.options.len()).map(both).collect();
        self.scores.clone().unwrap_or_else(sums)
    }
}

fn fits(points: i64) -> bool {
    (-MOST..=MOST).contains(&points)
}

/// A name that was there before. Parties may write names in any case.
pub(super) fn repeated<'n>(names: impl IntoIterator<Item = &'n String>) -> Option<&'n str> {
    let mut known = HashSet::new();
    let mut names = names.into_iter();
    names
        .find(|name| !known.insert(name.to_lowercase()))
        .map(String::as_str)
}

/// Names are read back from the talk, where lines and brackets have a meaning.
pub(super) fn named(name: &String) -> Result<(), String> {
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
