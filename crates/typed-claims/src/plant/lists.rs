//! Whole lists, and copies that leave a row out: `drop-row`.

use std::collections::BTreeSet;

use super::edit::title;
use super::{Label, Planted};
use crate::Row;

/// True replies that list all rows with some value of two slots, each with a copy that leaves
/// one out.
pub fn lists(rows: &[Row], first: &str, second: &str) -> Vec<(String, Planted)> {
    let pairs = rows
        .iter()
        .filter_map(|row| Some((row.get(first)?.clone(), row.get(second)?.clone())));
    let mut found = Vec::new();
    for (one, two) in pairs.collect::<BTreeSet<_>>() {
        let fits = |row: &&Row| row.get(first) == Some(&one) && row.get(second) == Some(&two);
        let names = rows.iter().filter(fits).filter_map(|row| row.get("name"));
        let names = names.map(|name| title(name)).collect::<Vec<_>>();
        let few = (3..=8).contains(&names.len());
        let Some((last, kept)) = names.split_last().filter(|_| few) else {
            continue;
        };
        let Some((end, rest)) = kept.split_last() else {
            continue;
        };
        let say = |names: &[String], last: &str| {
            let names = names.join(", ");
            format!("The {one} restaurants in the {two} are {names} and {last}.")
        };
        let mut label = Label::of(true, Some(true));
        label.complete = false;
        let planted = Planted {
            operator: "drop-row",
            reply: say(rest, end),
            label,
            results: None,
        };
        found.push((say(kept, last), planted));
    }
    found
}
