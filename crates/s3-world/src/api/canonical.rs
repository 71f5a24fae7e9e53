//! The form of a value that its shape gives it.

use super::Shape;
use crate::domain::{Map, Refusal, Value};
use crate::refusal;

/// The value as S3 returns it when it was sent: members in the model's order, absent ones
/// left out, and lists that XML cannot tell from absent ones left out if they are empty.
///
/// # Errors
/// `MalformedXML`, which S3 says of a required member that is missing, and of a text that is
/// none of those that its shape lists.
pub fn canonical(shape: &Shape, value: &Value) -> Result<Value, Refusal> {
    match (shape, value) {
        (Shape::Structure(structure), Value::Map(_)) => {
            let mut pairs = Map::new();
            for member in &structure.members {
                // An empty list that is flattened leaves nothing in XML.
                let is_there = |given: &&Value| match given {
                    Value::Null => false,
                    Value::List(items) => !(items.is_empty() && member.flattened),
                    _ => true,
                };
                let given = value.get(member.name).filter(is_there);
                match given {
                    None if structure.required.contains(&member.name) => {
                        return Err(refusal::malformed_xml());
                    }
                    None => {}
                    Some(given) => {
                        pairs.push((member.name.into(), canonical(member.shape, given)?));
                    }
                }
            }
            Ok(Value::Map(pairs))
        }
        (Shape::List(item), Value::List(items)) => {
            let items = items.iter().map(|one| canonical(item.shape, one));
            Ok(Value::List(items.collect::<Result<_, _>>()?))
        }
        (Shape::Choice(known), Value::Str(text)) => match known.contains(&text.as_str()) {
            true => Ok(value.clone()),
            false => Err(refusal::malformed_xml()),
        },
        _ => Ok(value.clone()),
    }
}

/// As [`canonical`], for a parameter of an operation.
///
/// # Errors
/// As [`canonical`].
pub fn canonical_parameter(
    operation: &str,
    parameter: &str,
    value: &Value,
) -> Result<Value, Refusal> {
    match super::operation(operation).and_then(|known| known.input.member(parameter)) {
        Some(member) => canonical(member.shape, value),
        None => Ok(value.clone()),
    }
}
