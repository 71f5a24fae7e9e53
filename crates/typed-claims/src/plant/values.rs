//! Another value of a slot: `…_swap`, `…_digit`, `…_number`, `food_out`.

use super::edit::{central, related, replace, values};
use super::{Label, Planted, Site};
use crate::chance::Chance;

/// Foods that no row has.
pub(super) const FOREIGN: [&str; 5] = ["peruvian", "ethiopian", "greek", "polish", "hungarian"];

const SWAPS: [(&str, &str); 6] = [
    ("phone_swap", "phone"),
    ("postcode_swap", "postcode"),
    ("address_swap", "address"),
    ("area_swap", "area"),
    ("pricerange_swap", "pricerange"),
    ("food_swap", "food"),
];

/// What is added to the number of a house.
const STEPS: [usize; 4] = [1, 2, 10, 100];

pub(super) fn plant(site: &Site<'_>, chance: &mut Chance) -> Vec<Planted> {
    let Some(row) = site.row else {
        return Vec::new();
    };
    let mut planted = Vec::new();
    let mut add = |operator, grounded, reply: Option<String>| {
        planted.extend(reply.map(|reply| Planted {
            operator,
            reply,
            label: Label::of(false, grounded),
            results: None,
        }));
    };
    let text = &site.turn.text;
    for (operator, slot) in SWAPS {
        let Some(value) = row.get(slot) else { continue };
        let word = matches!(slot, "area" | "pricerange" | "food");
        if word && (site.counts() || site.said(slot).is_empty()) {
            continue;
        }
        let mut others = values(site.rows, slot);
        others.retain(|other| {
            let centre = slot == "area" && other == "centre" && central(row);
            !related(other, &value.to_lowercase()) && !centre
        });
        let other = chance.pick(&others).cloned();
        let reply = other.and_then(|other| replace(text, value, &other));
        add(operator, Some(true), reply);
        if slot == "food" {
            let other = chance.pick(&FOREIGN);
            let reply = other.and_then(|other| replace(text, value, other));
            add("food_out", Some(false), reply);
        }
    }
    if let Some(phone) = row.get("phone") {
        let other = digit(phone, &values(site.rows, "phone"), chance);
        add(
            "phone_digit",
            Some(false),
            other.and_then(|other| replace(text, phone, &other)),
        );
    }
    if let Some(address) = row.get("address") {
        let other = number(address, chance);
        add(
            "address_number",
            None,
            other.and_then(|other| replace(text, address, &other)),
        );
    }
    planted
}

/// A phone number with another digit, which no row has.
fn digit(phone: &str, known: &[String], chance: &mut Chance) -> Option<String> {
    let at = chance.below(phone.len());
    let more = 1 + chance.below(9);
    let mut others = (0..phone.len()).flat_map(|offset| {
        let at = (at + offset) % phone.len();
        (0..9).filter_map(move |next| {
            let digit = phone.get(at..=at)?.parse::<usize>().ok()?;
            let digit = (digit + 1 + (more + next) % 9) % 10;
            Some(format!(
                "{}{digit}{}",
                phone.get(..at)?,
                phone.get(at + 1..)?
            ))
        })
    });
    others.find(|other| !known.contains(other))
}

/// An address with another number of the house.
fn number(address: &str, chance: &mut Chance) -> Option<String> {
    let step = *chance.pick(&STEPS)?;
    let start = address.find(|c: char| c.is_ascii_digit())?;
    let rest = address.get(start..)?;
    let length = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let number = rest.get(..length)?.parse::<usize>().ok()?;
    let (before, after) = (address.get(..start)?, rest.get(length..)?);
    // Of "40210 Millers Yard" no number is another house.
    (length <= 3).then(|| format!("{before}{}{after}", number + step))
}
