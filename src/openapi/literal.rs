//! The parts of which the texts of types are made.

use super::document::{pairs, text};
use super::types::MAX_MEMBERS;
use serde_json::Value;
use std::collections::BTreeSet;

/// The longest type.
const MAX_LENGTH: usize = 240;

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

/// The type of what is too deep to be read. A reference that comes back to itself ends here.
pub(super) fn wide(schema: &Value) -> &'static str {
    match text(schema, "type") {
        Some("string") => "str",
        Some("integer") => "int",
        Some("number") => "float",
        Some("boolean") => "bool",
        Some("array") => "list",
        _ => "dict",
    }
}

/// The members of an enum: one `Literal`, and `None` by itself.
pub(super) fn literals(values: &[Value]) -> Vec<String> {
    let mut wide = BTreeSet::new();
    let mut written = Vec::new();
    for value in values {
        match value {
            Value::Null => {}
            Value::Bool(true) => written.push("True".to_owned()),
            Value::Bool(false) => written.push("False".to_owned()),
            Value::Number(number) if number.is_f64() => drop(wide.insert("float")),
            Value::Number(number) => written.push(number.to_string()),
            Value::String(value) if value.chars().count() <= 40 => written.push(quoted(value)),
            Value::String(_) => drop(wide.insert("str")),
            Value::Array(_) => drop(wide.insert("list")),
            Value::Object(_) => drop(wide.insert("dict")),
        }
    }
    let mut members: Vec<String> = wide.into_iter().map(str::to_owned).collect();
    let length: usize = written.iter().map(|it| it.len() + 2).sum();
    if written.len() > 3 * MAX_MEMBERS || length > MAX_LENGTH {
        let all_text = values.iter().all(|it| it.is_string() || it.is_null());
        members.push(if all_text { "str" } else { "Any" }.to_owned());
    } else if !written.is_empty() {
        let mut seen = BTreeSet::new();
        written.retain(|it| seen.insert(it.clone()));
        members.insert(0, format!("Literal[{}]", written.join(", ")));
    }
    if values.iter().any(Value::is_null) {
        members.push("None".to_owned());
    }
    members
}

/// A text as Python writes it, on one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("'");
    for character in text.chars() {
        match character {
            '\'' => quoted.push_str("\\'"),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                quoted.push_str(&format!("\\u{:04x}", c as u32));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('\'');
    quoted
}

/// One type of several.
pub(super) fn join(mut members: Vec<String>, is_inner: bool) -> String {
    let mut seen = BTreeSet::new();
    members.retain(|member| seen.insert(member.clone()));
    if members.is_empty() || members.iter().any(|it| it == "Any") {
        return "Any".to_owned();
    }
    // `None` comes last, and a dict covers every other dict.
    for (whole, part) in [("dict", "dict["), ("list", "list["), ("str", "Literal['")] {
        if members.iter().any(|it| it == whole) {
            members.retain(|it| !it.starts_with(part));
        }
    }
    members.sort_by_key(|it| it == "None");
    let text = members.join(" | ");
    let too_long = text.len() > MAX_LENGTH || is_inner && text.len() > MAX_LENGTH / 2;
    match too_long || members.len() > MAX_MEMBERS {
        true => "Any".to_owned(),
        false => text,
    }
}
