//! Values of TOML in the form that S3's model gives them.

use super::{Mistake, Time};
use crate::api::{Shape, Structure};
use crate::domain::{Map, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The value of this shape that a file says. Unlike S3, which ignores what it does not know
/// and calls all the rest malformed, a mistake names the field.
pub fn shaped(shape: &Shape, given: &Spanned<DeValue<'_>>) -> Result<Value, Mistake> {
    let wrong = |problem: String| Err(Mistake::at(given, problem));
    match (shape, given.get_ref()) {
        (Shape::Structure(structure), DeValue::Table(table)) => {
            let missing = |name: &&&str| !table.contains_key(**name);
            if let Some(name) = structure.required.iter().find(missing) {
                return wrong(format!("missing field `{name}`"));
            }
            fields(structure, table).map(Value::Map)
        }
        (Shape::List(item), DeValue::Array(items)) => {
            let items = items.iter().map(|one| shaped(item.shape, one));
            items.collect::<Result<_, _>>().map(Value::List)
        }
        (Shape::Choice(known), DeValue::String(text)) if !known.contains(&&**text) => {
            wrong(format!("unknown value `{text}`, {}", one_of(known)))
        }
        (Shape::Text | Shape::Choice(_), DeValue::String(text)) => Ok(Value::from(&**text)),
        (Shape::Bool, DeValue::Boolean(truth)) => Ok(Value::Bool(*truth)),
        (Shape::Int, DeValue::Integer(digits)) => {
            match i64::from_str_radix(digits.as_str(), digits.radix()) {
                Ok(int) => Ok(Value::Int(int)),
                Err(_) => wrong(format!("{digits} has more than 64 bits")),
            }
        }
        (Shape::Time, DeValue::Datetime(time)) => match Time::try_from(*time) {
            Ok(Time(time)) => Ok(Value::Time(time)),
            Err(problem) => wrong(problem),
        },
        _ => wrong(format!("expected {}", kind(shape))),
    }
}

fn fields(structure: &Structure, table: &DeTable<'_>) -> Result<Map, Mistake> {
    let mut pairs = Map::new();
    for (name, given) in table {
        let Some(member) = structure.member(name.get_ref()) else {
            let known: Vec<&str> = structure.members.iter().map(|it| it.name).collect();
            let problem = format!("unknown field `{}`, {}", name.get_ref(), one_of(&known));
            return Err(Mistake::at(name, problem));
        };
        pairs.push((member.name.into(), shaped(member.shape, given)?));
    }
    Ok(pairs)
}

/// The values that would be right, in the words of the other mistakes.
pub fn one_of(known: &[&str]) -> String {
    match known {
        [one] => format!("expected `{one}`"),
        _ => format!("expected one of `{}`", known.join("`, `")),
    }
}

fn kind(shape: &Shape) -> &'static str {
    match shape {
        Shape::Text | Shape::Choice(_) | Shape::Bytes => "text",
        Shape::Int => "an integer",
        Shape::Bool => "true or false",
        Shape::Time => "a time",
        Shape::List(_) => "a list",
        Shape::Map | Shape::Structure(_) => "a table",
    }
}
