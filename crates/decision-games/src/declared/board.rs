//! The view for a page: options and wishes.

use serde_json::Value;

use super::world::{Choice, View, Wish};
use crate::board::{Board, Part, Picks, Thing};

pub(super) fn of(view: &View, text: Option<&str>, proposes: bool) -> Board {
    let mut columns: Vec<String> = Vec::new();
    for name in view.options.iter().flat_map(|option| option.values.keys()) {
        if !columns.contains(name) {
            columns.push(name.clone());
        }
    }
    let thing = |(place, option): (usize, &Choice)| Thing {
        name: option.name.clone(),
        cells: columns
            .iter()
            .map(|name| option.values.get(name).cloned().unwrap_or_default())
            .chain(view.points.as_ref().map(|points| points[place].to_string()))
            .collect(),
        ..Thing::default()
    };
    let things = view.options.iter().enumerate().map(thing).collect();
    if view.points.is_some() {
        columns.push("Your points".to_owned());
    }
    let mut parts = text.map_or_else(Vec::new, |text| Board::of_text(text).parts);
    let items: Vec<String> = view.told().map(Wish::to_string).collect();
    if !items.is_empty() {
        let title = "Your wishes, with their points".to_owned();
        parts.push(Part::List { title, items });
    }
    parts.push(Part::Things {
        title: "Options".to_owned(),
        slots: proposes.then_some(0).into_iter().collect(),
        things,
        columns,
    });
    Board {
        parts,
        slots: proposes.then(|| "Choice".to_owned()).into_iter().collect(),
        distinct: true,
    }
}

pub(super) fn picked(options: &[Choice], picks: &Picks) -> Value {
    let pick = picks.first().copied().flatten();
    pick.and_then(|pick| options.get(pick))
        .map_or(Value::Null, |option| option.name.as_str().into())
}
