//! Worlds of planning from a seed.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Feature, PlanningWorld, Preference, Site, TYPES};
use crate::chance::Chance;
use crate::rules::Rules;

/// The city of the recorded games: its places, sites, and what sites and users can have.
const CITY: &str = include_str!("../../data/city.json");

/// How many wishes a user has beside that for short ways.
const WISHES: usize = 10;

/// How many features a site has.
const FEATURES: usize = 5;

#[derive(Deserialize)]
struct City {
    points: Vec<[f64; 2]>,
    sites: Vec<Known>,
    features: BTreeMap<String, Vec<String>>,
    words: BTreeMap<String, Vec<String>>,
    wishes: Vec<KnownWish>,
}

#[derive(Deserialize)]
struct Known {
    name: String,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct KnownWish {
    name: String,
    text: String,
    value_sets: [Vec<Feature>; 2],
}

/// Draws a city and what its user wants.
///
/// As released, two wishes have names that no feature has, and never score.
pub fn generate(chance: &mut Chance, rules: Rules) -> PlanningWorld {
    let city: City = serde_json::from_str(CITY).expect("the city is part of the program");
    let sites = sites(&city, chance);
    let mut preferences = preferences(&city, &sites, chance);
    // Only these two were misnamed.
    let misnamed = |name: &str| matches!(name, "has parking" | "has takeout");
    for preference in &mut preferences {
        if let Preference::Feature { name, .. } = preference
            && rules.dead_wishes
            && misnamed(name)
        {
            *name = name.replace(' ', "_");
        }
    }
    PlanningWorld {
        sites,
        preferences,
        legacy_at_least_one: false,
    }
}

fn sites(city: &City, chance: &mut Chance) -> Vec<Site> {
    let mut points = city.points.clone();
    chance.shuffle(&mut points);
    let mut sites = Vec::new();
    for ((id, known), loc) in city.sites.iter().enumerate().zip(points) {
        let mut names = city.features.get(&known.kind).cloned().unwrap_or_default();
        chance.shuffle(&mut names);
        names.truncate(FEATURES);
        let features: BTreeMap<String, Feature> = names
            .into_iter()
            .map(|name| {
                let value = feature(city, &name, chance);
                (name, value)
            })
            .collect();
        sites.push(Site {
            id: Some(id as u32),
            name: known.name.clone(),
            kind: known.kind.clone(),
            price: price(&known.kind, chance),
            loc,
            features,
        });
    }
    chance.shuffle(&mut sites);
    sites
}

fn feature(city: &City, name: &str, chance: &mut Chance) -> Feature {
    match city.words.get(name) {
        Some(words) => Feature::Word(chance.pick(words).clone()),
        None if name == "rating" => Feature::Number(1.0 + chance.below(9) as f64 / 2.0),
        None => Feature::Flag(chance.below(2) == 1),
    }
}

/// Steps of ten dollars, from the first to the last of its type.
fn price(kind: &str, chance: &mut Chance) -> i64 {
    let (first, last) = match kind {
        "restaurant" => (10, 190),
        "cafe" => (5, 15),
        "museum" => (0, 40),
        "bar" => (10, 90),
        "landmark" => (0, 10),
        "shop" => (50, 490),
        _ => (0, 0),
    };
    first + 10 * chance.between(0, (last - first) / 10)
}

fn preferences(city: &City, sites: &[Site], chance: &mut Chance) -> Vec<Preference> {
    let mut wishes = Vec::new();
    let mut names: Vec<&str> = city.wishes.iter().map(|wish| wish.name.as_str()).collect();
    names.dedup();
    for name in names {
        if chance.with_probability(0.5) {
            let variants: Vec<_> = city
                .wishes
                .iter()
                .filter(|wish| wish.name == name)
                .collect();
            let drawn = chance.pick(&variants);
            wishes.push(Preference::Feature {
                text: drawn.text.clone(),
                weight: chance.between(1, 10),
                name: name.to_owned(),
                value_sets: drawn.value_sets.clone(),
            });
        }
    }
    for (name, words) in &city.words {
        if chance.with_probability(0.5) {
            wishes.push(words_wish(name, words, chance));
        }
    }
    let limit = 30 + 10 * chance.between(0, 6);
    wishes.push(Preference::Budget {
        text: format!("keep budget below ${limit}"),
        weight: -chance.between(1, 10),
        budget: limit,
    });
    wishes.push(visit(sites, chance));
    let etype = (*chance.pick(&TYPES)).to_owned();
    wishes.push(Preference::Category {
        text: format!("go to at least one {etype}"),
        weight: chance.between(1, 10),
        etype,
        penalize: chance.below(2) == 1,
    });
    chance.shuffle(&mut wishes);
    wishes.truncate(WISHES);
    wishes.push(Preference::Travel {
        text: "minimize travel distance".to_owned(),
        weight: -chance.between(1, 10),
    });
    wishes
}

/// Likes and dislikes among the words of a feature.
fn words_wish(name: &str, words: &[String], chance: &mut Chance) -> Preference {
    let (text, disliked, liked) = if name == "ambience" {
        let word = chance.pick(words).clone();
        match chance.below(2) {
            0 => (format!("don't like {word} places"), vec![word], Vec::new()),
            _ => (format!("like {word} places"), Vec::new(), vec![word]),
        }
    } else {
        let mut some = words.to_vec();
        chance.shuffle(&mut some);
        some.truncate(1 + chance.below(words.len()));
        let liked = some.split_off(chance.below(some.len()));
        let text = match some.is_empty() {
            true => format!("like: {}", liked.join(", ")),
            false => format!(
                "don't like: {}, like: {}",
                some.join(", "),
                liked.join(", ")
            ),
        };
        (text, some, liked)
    };
    let values = |words: Vec<String>| words.into_iter().map(Feature::Word).collect();
    Preference::Feature {
        text,
        weight: chance.between(1, 10),
        name: name.to_owned(),
        value_sets: [values(disliked), values(liked)],
    }
}

/// One site of all, or one or two of one type.
fn visit(sites: &[Site], chance: &mut Chance) -> Preference {
    let penalize = chance.below(2) == 1;
    let (text, names) = if chance.with_probability(0.25) {
        let name = chance.pick(sites).name.clone();
        let text = match penalize {
            true => format!("definitely want to go to {name}"),
            false => format!("heard good things about {name}"),
        };
        (text, vec![name])
    } else {
        let kind = *chance.pick(&TYPES);
        let mut names: Vec<String> = sites
            .iter()
            .filter(|site| site.kind == kind)
            .map(|site| site.name.clone())
            .collect();
        chance.shuffle(&mut names);
        names.truncate(1 + chance.below(2));
        let list = names.join(", ");
        let text = match penalize {
            true => format!("definitely want to check out Dan's recommendations: {list}"),
            false => format!("heard these {kind}s were good: {list}"),
        };
        (text, names)
    };
    Preference::Visit {
        text,
        weight: chance.between(1, 10),
        event_set: names,
        penalize,
    }
}
