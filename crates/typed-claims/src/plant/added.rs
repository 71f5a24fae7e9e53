//! One more sentence: `open_add`, `none_false`, `exists_false`, `cross_turn`.

use super::edit::{append, central, related, replace, title, values};
use super::values::FOREIGN;
use super::{Label, Planted, STATE, Site, subject};
use crate::chance::Chance;
use crate::dialogues::Speaker;

/// Properties that no slot has.
const OPEN: [&str; 8] = [
    "It has outdoor seating.",
    "It is rated 4.5 stars.",
    "It is open until 11 pm every day.",
    "It has free parking.",
    "It is a 5 minute walk from the station.",
    "It is known for its seafood specials.",
    "They have live music on Fridays.",
    "A main course costs about £15.",
];

/// Denials of a food in the whole city.
const NONE: [&str; 4] = [
    "There are no {} restaurants anywhere in Cambridge.",
    "I am sorry, there is no {} place in the whole city.",
    "We do not have any {} restaurants anywhere in town.",
    "Unfortunately I couldn't find any {} restaurant in all of Cambridge.",
];

/// Assertions of a food.
const EXISTS: [&str; 4] = [
    "There is also a {} restaurant.",
    "We also have a {} place.",
    "I have some {} restaurants as well.",
    "There are {} restaurants, too.",
];

/// A value of a row, said again.
const AGAIN: [&str; 4] = [
    "As I said, {name} is {value}.",
    "Remember that {name} is {value}.",
    "{name} is {value}, by the way.",
    "And {name} is {value}.",
];

pub(super) fn plant(site: &Site<'_>, chance: &mut Chance) -> Vec<Planted> {
    let mut planted = Vec::new();
    let text = &site.turn.text;
    let mut add = |operator, label, sentence: Option<String>| {
        planted.extend(sentence.map(|sentence| Planted {
            operator,
            reply: append(text, &sentence),
            label,
            results: None,
        }));
    };
    let named = site.row.and_then(|row| Some((row, row.get("name")?)));
    if let Some((row, _)) = named.filter(|(_, name)| replace(text, name, name).is_some()) {
        let texts = ["introduction", "signature"].map(|slot| row.get(slot));
        let texts = texts
            .into_iter()
            .flatten()
            .cloned()
            .collect::<String>()
            .to_lowercase();
        let supported = |open: &&str| {
            let words = open.split(|c: char| !c.is_alphanumeric());
            let mut words = words.filter(|word| word.len() >= 5);
            words.any(|word| texts.contains(&word.to_lowercase()))
        };
        let open = OPEN.iter().copied().filter(|open| !supported(open));
        let open = open.collect::<Vec<_>>();
        let sentence = chance.pick(&open).map(|open| (*open).to_owned());
        add("open_add", Label::of(true, Some(false)), sentence);
    }
    let informs = site
        .turn
        .acts
        .keys()
        .any(|act| act.starts_with("Restaurant"));
    if informs {
        let foods = everywhere(site);
        let food = chance.pick(&foods).cloned().unwrap_or_default();
        let none = chance.pick(&NONE).filter(|_| !food.is_empty());
        let sentence = none.map(|none| none.replace("{}", &title(&food)));
        add("none_false", Label::of(false, Some(true)), sentence);
        let food = chance.pick(&FOREIGN).copied().unwrap_or_default();
        let exists = chance.pick(&EXISTS);
        let sentence = exists.map(|exists| exists.replace("{}", &title(food)));
        add("exists_false", Label::of(false, Some(false)), sentence);
    }
    let mut label = Label::of(false, Some(true));
    label.consistent = false;
    add("cross_turn", label, again(site, chance));
    planted
}

/// The foods that rows of every price have, so that no wish makes their denial true.
fn everywhere(site: &Site<'_>) -> Vec<String> {
    let prices = values(site.rows, "pricerange");
    let mut foods = values(site.rows, "food");
    foods.retain(|food| {
        let has = |row: &crate::Row, price: &String| {
            row.get("food") == Some(food) && row.get("pricerange") == Some(price)
        };
        let mut prices = prices.iter();
        prices.all(|price| site.rows.iter().any(|row| has(row, price)))
    });
    foods
}

/// A sentence that gives another value to what an earlier turn said of its row.
fn again(site: &Site<'_>, chance: &mut Chance) -> Option<String> {
    let mut said = Vec::new();
    for turn in site
        .before
        .iter()
        .filter(|turn| turn.speaker == Speaker::System)
    {
        let Some(row) = subject(turn, site.rows) else {
            continue;
        };
        let counts = !turn.values(&STATE, "choice").is_empty();
        for (act, slot) in [("area", "area"), ("price", "pricerange"), ("food", "food")] {
            let value = row.get(slot).map(String::as_str).unwrap_or_default();
            let stated = turn.values(&STATE, act).iter().any(|said| said == value);
            if stated && !counts && replace(&turn.text, value, value).is_some() {
                said.push((row, slot, value));
            }
        }
    }
    let (row, slot, value) = *chance.pick(&said)?;
    let mut others = values(site.rows, slot);
    let centre = |other: &String| slot == "area" && other == "centre" && central(row);
    others.retain(|other| !related(other, value) && !centre(other));
    let other = chance.pick(&others)?;
    let words = match slot {
        "area" => format!("in the {other}"),
        "pricerange" => format!("in the {other} price range"),
        _ => format!("a {} restaurant", title(other)),
    };
    let sentence = chance.pick(&AGAIN)?;
    let name = title(row.get("name")?);
    Some(sentence.replace("{name}", &name).replace("{value}", &words))
}
