//! The view for a page: options and wishes.

use serde_json::Value;

use super::{Choice, View, Wish};
use crate::board::{Board, Part, Picks, Thing};

pub(super) fn of(view: &View) -> Board {
    let mut columns: Vec<String> = Vec::new();
    for name in view.options.iter().flat_map(|option| option.values.keys()) {
        if !columns.contains(name) {
            columns.push(name.clone());
        }
    }
    let cell = |option: &Choice, name: &String| option.values.get(name).cloned();
    let thing = |option: &Choice| Thing {
        name: option.name.clone(),
        cells: columns
            .iter()
            .map(|name| cell(option, name).unwrap_or_default())
            .collect(),
        ..Thing::default()
    };
    let wishes = Part::List {
        title: "Your wishes, with their points".to_owned(),
        items: view.own.iter().map(Wish::to_string).collect(),
    };
    let options = Part::Things {
        title: "Options".to_owned(),
        slots: vec![0],
        things: view.options.iter().map(thing).collect(),
        columns,
    };
    Board {
        parts: vec![wishes, options],
        slots: vec!["Choice".to_owned()],
        distinct: true,
    }
}

pub(super) fn picked(options: &[Choice], picks: &Picks) -> Value {
    let pick = picks.first().copied().flatten();
    pick.and_then(|pick| options.get(pick))
        .map_or(Value::Null, |option| option.name.as_str().into())
}
