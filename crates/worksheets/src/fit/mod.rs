//! How values are fitted to the types of fields (section 1.3).

mod scalar;
mod time;

pub(crate) use scalar::{bool as boolean, python_text};

use serde_json::Value as Json;

use crate::predicate::{Predicate, Scope, View};
use crate::sheets::{Field, Sheet, Sheets, Type};
use crate::state::{State, Status, Value};

/// The refusal of a number that is too large for every field for numbers.
pub(crate) const TOO_LARGE: &str = "too large a number";

/// What comes of a value that is given to a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fitted {
    /// It is stored like this.
    Value(Value),
    /// There is no value, such as the row of an answer without rows.
    Empty,
    /// It does not fit; why, for the user.
    Refused(String),
}

/// Fits a value to a field's type. A query or a record whose result is not there yet stays.
pub(crate) fn fit(sheets: &Sheets, state: &State, field: &Field, value: &Value) -> Fitted {
    match (&field.ty, value) {
        (Type::List(item), Value::List(items)) => list(sheets, state, field, item, items),
        (Type::List(item), Value::Result(var)) => match state.get(var) {
            Some(query) if query.is_closed() => {
                let rows = query.query().map_or(0, |query| query.rows.len());
                let rows: Vec<Value> = (0..rows).map(|at| Value::Row(var.clone(), at)).collect();
                if rows.is_empty() {
                    return Fitted::Empty;
                }
                list(sheets, state, field, item, &rows)
            }
            _ => Fitted::Value(value.clone()),
        },
        (Type::List(item), one) => match self::item(sheets, state, field, item, one) {
            // A record that stands for its result becomes a list when that is there.
            Fitted::Value(Value::Record(var)) => Fitted::Value(Value::Record(var)),
            Fitted::Value(Value::List(items)) => Fitted::Value(Value::List(items)),
            Fitted::Value(value) => Fitted::Value(Value::List(vec![value])),
            other => other,
        },
        (ty, value) => item(sheets, state, field, ty, value),
    }
}

fn list(sheets: &Sheets, state: &State, field: &Field, ty: &Type, items: &[Value]) -> Fitted {
    let mut out = Vec::new();
    for value in items {
        match item(sheets, state, field, ty, value) {
            Fitted::Value(Value::Record(_)) => return Fitted::Refused(refusal(field, ty)),
            Fitted::Value(value) => out.push(value),
            Fitted::Empty => {}
            refused => return refused,
        }
    }
    Fitted::Value(Value::List(out))
}

fn item(sheets: &Sheets, state: &State, field: &Field, ty: &Type, value: &Value) -> Fitted {
    let refused = || Fitted::Refused(refusal(field, ty));
    match value {
        Value::Record(var) => {
            let Some((record, task)) = state.task(var) else {
                return refused();
            };
            if matches!(ty, Type::Named(name) if *name == task.sheet) {
                return Fitted::Value(value.clone());
            }
            if !sheets.get(&task.sheet).is_some_and(Sheet::acts) {
                return refused();
            }
            if record.status != Status::Done {
                return Fitted::Value(value.clone());
            }
            match &task.result {
                None | Some(Json::Null) => Fitted::Empty,
                Some(result) => {
                    let entry = result.get(&field.name).unwrap_or(result);
                    fit_result(sheets, state, field, entry)
                }
            }
        }
        Value::Row(var, at) => match ty {
            Type::Named(name) => match sheets.task(name) {
                None => Fitted::Value(value.clone()),
                Some(_) => refused(),
            },
            _ => {
                let row = state.row(var, *at);
                let column =
                    row.and_then(|row| row.get(&field.name).or_else(|| row.values().next()));
                match column {
                    None | Some(Json::Null) => Fitted::Empty,
                    Some(column) => plain(field, ty, column),
                }
            }
        },
        Value::Result(var) => match state.get(var) {
            Some(query) if query.is_closed() => {
                match query.query().map_or(0, |query| query.rows.len()) {
                    0 => Fitted::Empty,
                    1 => item(sheets, state, field, ty, &Value::Row(var.clone(), 0)),
                    _ => Fitted::Value(value.clone()),
                }
            }
            _ => Fitted::Value(value.clone()),
        },
        Value::Plain(json) => plain(field, ty, json),
        Value::List(_) => plain(field, ty, &value.json()),
    }
}

/// A result is plain: what looks like a reference in it is none.
fn fit_result(sheets: &Sheets, state: &State, field: &Field, entry: &Json) -> Fitted {
    match (&field.ty, entry) {
        (Type::List(ty), Json::Array(items)) => {
            let items: Vec<Value> = items.iter().cloned().map(Value::Plain).collect();
            list(sheets, state, field, ty, &items)
        }
        (Type::List(ty), one) => match plain(field, ty, one) {
            Fitted::Value(value) => Fitted::Value(Value::List(vec![value])),
            other => other,
        },
        (ty, one) => plain(field, ty, one),
    }
}

fn plain(field: &Field, ty: &Type, json: &Json) -> Fitted {
    let fitted = match ty {
        Type::Str | Type::Text => Some(Json::from(python_text(json).trim())),
        Type::Int => scalar::int(json),
        Type::Float => scalar::float(json),
        Type::Bool | Type::Confirm => boolean(json).map(Json::from),
        Type::Date => time::date(json).map(Json::from),
        Type::Time => time::time(json).map(Json::from),
        Type::Enum => scalar::option(&field.options, json).map(Json::from),
        Type::Named(_) | Type::List(_) => None,
    };
    match fitted {
        Some(Json::String(text)) if text.is_empty() => Fitted::Empty,
        Some(json) => Fitted::Value(Value::Plain(json)),
        None if matches!(ty, Type::Int | Type::Float) && scalar::is_too_large(json) => {
            Fitted::Refused(TOO_LARGE.to_owned())
        }
        None => Fitted::Refused(refusal(field, ty)),
    }
}

/// What the user is told of a value that does not fit.
fn refusal(field: &Field, ty: &Type) -> String {
    match ty {
        Type::Str | Type::Text => "not a text".to_owned(),
        Type::Int => "not an integer".to_owned(),
        Type::Float => "not a number".to_owned(),
        Type::Bool | Type::Confirm => "not yes or no".to_owned(),
        Type::Date => "not a date".to_owned(),
        Type::Time => "not a time".to_owned(),
        Type::Enum => format!("not one of: {}", field.options.join(", ")),
        Type::Named(name) => format!("not a {name}"),
        Type::List(item) => refusal(field, item),
    }
}

/// Why a fitted value is not valid, if it is not. A value that is not there yet is.
pub(crate) fn validate(
    view: &View<'_>,
    record: Option<usize>,
    field: &Field,
    validation: &Result<Predicate, crate::predicate::Unreadable>,
    value: &Value,
) -> Option<String> {
    if field.validation.is_empty() || waits(view.state, field, value) {
        return None;
    }
    let scope = Scope {
        me: record,
        value: Some(value),
    };
    if view.holds(validation, scope) {
        return None;
    }
    Some(match field.message.as_str() {
        "" => "not valid".to_owned(),
        message => message.to_owned(),
    })
}

/// Whether a value stands for one that is not there yet.
pub(crate) fn waits(state: &State, field: &Field, value: &Value) -> bool {
    match value {
        Value::Result(_) => true,
        Value::Record(var) => match state.task(var) {
            Some((_, task)) => !matches!(&field.ty, Type::Named(name) if *name == task.sheet),
            None => false,
        },
        _ => false,
    }
}
