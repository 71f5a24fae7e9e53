//! Errors planted into replies that are true of the rows: what a checker has to find.

use std::collections::BTreeSet;

use crate::Row;

/// A copy of a reply with one error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planted {
    /// The kind of error, as `area_swap`.
    pub operator: &'static str,
    /// The reply with the error.
    pub reply: String,
}

/// Names of restaurants that are nowhere.
const NAMES: [&str; 5] = [
    "The Jade Lantern",
    "Bella Vista",
    "Casa Verde",
    "Maple House",
    "The Copper Spoon",
];

/// Sentences on properties that no slot has.
const OPEN: [&str; 4] = [
    "It has outdoor seating.",
    "It is rated 4.5 stars.",
    "It has free parking.",
    "It is open until 11 pm every day.",
];

/// Plants every error that fits a reply about a row. `draw` chooses among the ways to do so.
///
/// An edit is made where the row's value stands once in the text; other values are those of
/// other rows. `drop-row` needs a whole list, for which see [`lists`].
pub fn plant(reply: &str, row: &Row, rows: &[Row], draw: usize) -> Vec<Planted> {
    let mut planted = Vec::new();
    let mut add = |operator, reply: Option<String>| {
        planted.extend(reply.map(|reply| Planted { operator, reply }));
    };
    for (operator, slot) in [
        ("phone_swap", "phone"),
        ("postcode_swap", "postcode"),
        ("address_swap", "address"),
        ("area_swap", "area"),
        ("pricerange_swap", "pricerange"),
        ("food_swap", "food"),
    ] {
        let Some(value) = row.get(slot) else { continue };
        let related = |other: &str| other.contains(value.as_str()) || value.contains(other);
        let central = |other: &str| {
            other == "centre"
                && row
                    .get("address")
                    .is_some_and(|address| address.to_lowercase().contains("city centre"))
        };
        let others = rows.iter().filter_map(|row| row.get(slot));
        let others = others.filter(|other| !related(other) && !central(other));
        let other = pick(&others.cloned().collect(), draw);
        add(
            operator,
            other.and_then(|other| replace(reply, value, &other)),
        );
    }
    if let Some(food) = row.get("food") {
        add("food_out", replace(reply, food, "peruvian"));
    }
    if let Some(name) = row.get("name") {
        let new = NAMES.get(draw % NAMES.len());
        add("name_new", new.and_then(|new| replace(reply, name, new)));
        if replace(reply, name, name).is_some() {
            let open = OPEN.get(draw % OPEN.len());
            add(
                "open_add",
                open.map(|open| format!("{} {open}", reply.trim_end())),
            );
        }
    }
    planted
}

/// True replies that list all rows with some value of two slots, and copies that leave one out
/// (`drop-row`).
pub fn lists(rows: &[Row], first: &str, second: &str) -> Vec<(String, Planted)> {
    let pairs = rows
        .iter()
        .filter_map(|row| Some((row.get(first)?.clone(), row.get(second)?.clone())));
    let mut found = Vec::new();
    for (one, two) in pairs.collect::<BTreeSet<_>>() {
        let fits = |row: &&Row| row.get(first) == Some(&one) && row.get(second) == Some(&two);
        let names = rows.iter().filter(fits).filter_map(|row| row.get("name"));
        let names = names.cloned().collect::<Vec<_>>();
        let Some((last, kept)) = names
            .split_last()
            .filter(|_| (3..=8).contains(&names.len()))
        else {
            continue;
        };
        let say = |names: &[String], last: &str| {
            format!(
                "The {one} restaurants in the {two} are {} and {last}.",
                names.join(", ")
            )
        };
        let Some((end, rest)) = kept.split_last() else {
            continue;
        };
        let planted = Planted {
            operator: "drop-row",
            reply: say(rest, end),
        };
        found.push((say(kept, last), planted));
    }
    found
}

fn pick(values: &BTreeSet<String>, draw: usize) -> Option<String> {
    values.iter().nth(draw.checked_rem(values.len())?).cloned()
}

/// The text with the only place of a value replaced; none if it stands there not once, or within
/// a word.
fn replace(text: &str, value: &str, other: &str) -> Option<String> {
    let low = text.to_ascii_lowercase();
    let value = value.to_ascii_lowercase();
    let mut places = low.match_indices(&value);
    let (at, _) = places.next().filter(|_| !value.is_empty())?;
    let (before, after) = (text.get(..at)?, text.get(at + value.len()..)?);
    let inside = |next: Option<char>| next.is_some_and(char::is_alphanumeric);
    let whole = !inside(before.chars().next_back()) && !inside(after.chars().next());
    (whole && places.next().is_none()).then(|| format!("{before}{other}{after}"))
}
