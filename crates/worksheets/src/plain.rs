//! Values as the owner's functions get them: plain JSON (section 1.6).

use serde_json::{Map, Value as Json};

use crate::predicate::View;
use crate::sheets::{Sheets, Type};
use crate::state::{State, Value};

/// A record as a dict of its fields that are active and have a value or `"NA"`, without
/// confirm fields.
pub fn record(sheets: &Sheets, state: &State, var: &str) -> Json {
    let view = View::new(sheets, state);
    match view.place(var) {
        Some(at) => of_record(&view, at, 0),
        None => Json::Null,
    }
}

/// One field of a record; `null` if it is inactive or empty.
pub fn field(sheets: &Sheets, state: &State, var: &str, name: &str) -> Json {
    let view = View::new(sheets, state);
    let found = view
        .place(var)
        .and_then(|at| Some((at, view.sheet(at)?.field(name)?)));
    match found {
        Some((at, field)) => of_field(&view, at, field, 0).unwrap_or_default(),
        None => Json::Null,
    }
}

/// A value of a slot.
pub(crate) fn value(sheets: &Sheets, state: &State, value: &Value) -> Json {
    of_value(&View::new(sheets, state), value, 0)
}

fn of_record(view: &View<'_>, at: usize, depth: usize) -> Json {
    let mut out = Map::new();
    let fields = view.sheet(at).map_or(&[][..], |sheet| &sheet.fields);
    for (place, field) in fields.iter().enumerate() {
        if field.ty != Type::Confirm
            && let Some(value) = of_field(view, at, place, depth)
        {
            out.insert(field.name.clone(), value);
        }
    }
    Json::Object(out)
}

fn of_field(view: &View<'_>, at: usize, field: usize, depth: usize) -> Option<Json> {
    let slot = view.stored(at, field)?;
    if !view.active(at, field) || depth > view.state.records.len() {
        return None;
    }
    match &slot.value {
        Some(value) => Some(of_value(view, value, depth)),
        None => slot.declined.then(|| "NA".into()),
    }
}

fn of_value(view: &View<'_>, value: &Value, depth: usize) -> Json {
    match value {
        Value::Plain(json) => json.clone(),
        Value::List(items) => items.iter().map(|v| of_value(view, v, depth)).collect(),
        Value::Record(var) => view
            .place(var)
            .map_or(Json::Null, |at| of_record(view, at, depth + 1)),
        Value::Row(var, at) => view
            .state
            .row(var, *at)
            .map_or(Json::Null, |row| Json::Object(row.clone())),
        Value::Result(var) => match view.state.query(var) {
            Some(query) if query.total.is_some() => {
                query.rows.iter().cloned().map(Json::Object).collect()
            }
            _ => Json::Null,
        },
    }
}
