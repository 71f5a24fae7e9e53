//! Values as Python source.

use super::docstring::is_unseen;
use serde_json::Value as Json;
use std::fmt::Write as _;

/// A value that can stand in a `Literal`. `None` for others.
pub fn literal(value: &Json) -> Option<String> {
    match value {
        Json::String(_) | Json::Bool(_) => Some(python(value)),
        Json::Number(number) if !number.is_f64() => Some(python(value)),
        _ => None,
    }
}

/// A value as a Python expression.
pub fn python(value: &Json) -> String {
    let mut text = String::new();
    write(&mut text, value);
    text
}

fn write(out: &mut String, value: &Json) {
    match value {
        Json::Null => out.push_str("None"),
        Json::Bool(true) => out.push_str("True"),
        Json::Bool(false) => out.push_str("False"),
        Json::Number(number) => {
            let _ = write!(out, "{number}");
        }
        Json::String(text) => string(out, text),
        Json::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                write(out, item);
            }
            out.push(']');
        }
        Json::Object(pairs) => {
            out.push('{');
            for (index, (key, item)) in pairs.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                string(out, key);
                out.push_str(": ");
                write(out, item);
            }
            out.push('}');
        }
    }
}

fn string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if is_unseen(c) => {
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
