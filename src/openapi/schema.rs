//! Questions about a single schema, without following its references.

use super::document::{pairs, text};
use crate::stubs::Type;
use serde_json::Value;

/// Whether the schema describes bytes.
pub(super) fn is_binary(schema: &Value) -> bool {
    let is = |key, known: &[&str]| text(schema, key).is_some_and(|it| known.contains(&it));
    text(schema, "type") == Some("file")
        || is("format", &["binary"])
        || is("contentEncoding", &["binary"])
        || is("contentMediaType", &["application/octet-stream"])
}

/// Whether the schema names properties.
pub(super) fn has_properties(schema: &Value) -> bool {
    pairs(schema, "properties").next().is_some()
}

/// Whether the schema describes an object, whatever its type says.
pub(super) fn is_object(schema: &Value) -> bool {
    has_properties(schema)
        || schema
            .get("additionalProperties")
            .is_some_and(Value::is_object)
}

/// The type of a schema that is too deep to be read. A reference to itself ends here.
pub(super) fn wide(schema: &Value) -> Type {
    Type::one(match text(schema, "type") {
        Some("string") => "str",
        Some("integer") => "int",
        Some("number") => "float",
        Some("boolean") => "bool",
        Some("array") => "list",
        _ => "dict",
    })
}
