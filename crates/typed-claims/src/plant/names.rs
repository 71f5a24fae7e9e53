//! Another name: `name_new` of nobody, `name_swap` of a row that breaks what is said.

use super::edit::{central, related, replace, title};
use super::{Label, Planted, Site};
use crate::Row;
use crate::chance::Chance;

/// Names of restaurants that are nowhere.
const NAMES: [&str; 20] = [
    "The Jade Lantern",
    "Bella Vista",
    "Casa Verde",
    "The Old Mill Kitchen",
    "Riverside Tandoori",
    "Blue Orchid",
    "The Copper Spoon",
    "Maple House",
    "Little Lisbon",
    "The Green Fig",
    "Taste of Porto",
    "Saffron Tree",
    "Harbour Grill",
    "The Willow Room",
    "Nonna Rosa",
    "The Velvet Fork",
    "Lotus Garden",
    "Olive and Thyme",
    "The Brick Oven",
    "Pearl River House",
];

/// Names that mean more than one row.
const AMBIGUOUS: [&str; 2] = ["pizza express", "nandos"];

pub(super) fn plant(site: &Site<'_>, chance: &mut Chance) -> Vec<Planted> {
    let Some((row, name)) = site.row.and_then(|row| Some((row, row.get("name")?))) else {
        return Vec::new();
    };
    let mut planted = Vec::new();
    let text = &site.turn.text;
    let mut add = |operator, aligned, reply: Option<String>| {
        planted.extend(reply.map(|reply| Planted {
            operator,
            reply,
            label: Label::of(aligned, Some(!aligned)),
            results: None,
        }));
    };
    let new = chance.pick(&NAMES);
    add(
        "name_new",
        true,
        new.and_then(|new| replace(text, name, new)),
    );
    if !site.counts() {
        let others = site.rows.iter().filter(|other| breaks(site, row, other));
        let others = others.collect::<Vec<_>>();
        let other = chance.pick(&others).and_then(|other| other.get("name"));
        let reply = other.and_then(|other| replace(text, name, &title(other)));
        add("name_swap", false, reply);
    }
    planted
}

/// Whether another row breaks a value that the text says of the row.
fn breaks(site: &Site<'_>, row: &Row, other: &Row) -> bool {
    let ambiguous = other.get("name").is_none_or(|name| {
        AMBIGUOUS.iter().any(|known| name.starts_with(known))
            || site.rows.iter().any(|third| {
                let third = third.get("name").map(String::as_str).unwrap_or_default();
                third != name && (third.starts_with(name.as_str()) || name.starts_with(third))
            })
    });
    let differs = |slot: &str| {
        let (Some(value), Some(theirs)) = (row.get(slot), other.get(slot)) else {
            return false;
        };
        let centre = slot == "area" && value == "centre" && central(other);
        let said = !site.said(slot).is_empty();
        said && !centre
            && replace(&site.turn.text, value, value).is_some()
            && !related(&value.to_lowercase(), &theirs.to_lowercase())
    };
    !ambiguous && ["area", "pricerange", "food"].into_iter().any(differs)
}
