//! The form of a value that its shape gives it.

use super::{Shape, TABLE};
use crate::domain::s3::refusal;
use crate::domain::{Map, Refusal, Value};

/// The value as S3 returns it when it was sent: members in the model's order, absent ones
/// left out, and lists that XML cannot tell from absent ones left out if they are empty.
///
/// # Errors
/// `MalformedXML`, which S3 says of a required member that is missing, and of a text that is
/// none of those that its shape lists.
pub fn canonical(shape: &str, value: &Value) -> Result<Value, Refusal> {
    let (Some(known), value) = (TABLE.shape(shape), value) else {
        return Ok(value.clone());
    };
    match (known, value) {
        (Shape::Structure(structure), Value::Map(_)) => {
            let mut pairs = Map::new();
            for (name, member) in structure.members() {
                let given = value.get(name).filter(|given| **given != Value::Null);
                match given {
                    None if structure.required.iter().any(|it| it == name) => {
                        return Err(refusal::malformed_xml());
                    }
                    Some(Value::List(items)) if items.is_empty() && is_flat(member) => {}
                    None => {}
                    Some(given) => {
                        let given = canonical(&member.shape, given)?;
                        pairs.push((name.to_owned().into(), given));
                    }
                }
            }
            Ok(Value::Map(pairs))
        }
        (Shape::List { member, .. }, Value::List(items)) => {
            let items = items.iter().map(|item| canonical(&member.shape, item));
            Ok(Value::List(items.collect::<Result<_, _>>()?))
        }
        (Shape::String { values }, Value::Str(text)) if !values.is_empty() => {
            match values.iter().any(|known| known == text) {
                true => Ok(value.clone()),
                false => Err(refusal::malformed_xml()),
            }
        }
        _ => Ok(value.clone()),
    }
}

fn is_flat(member: &super::Member) -> bool {
    let of_shape = matches!(
        TABLE.shape(&member.shape),
        Some(Shape::List {
            flattened: true,
            ..
        })
    );
    member.flattened || of_shape
}
