//! JSON as Python's `json.dumps(value, sort_keys=True)` writes it, for hashes that other
//! projects compute with it.

use crate::domain::{StateValue, Value};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// The SHA-256, in hex, of what Python writes for a state.
pub fn sha256(state: &StateValue) -> String {
    let mut text = String::new();
    write(&mut text, state);
    hex(&text)
}

/// The SHA-256, in hex, of what Python writes for the result of a call. `None` for a result
/// that has no JSON.
pub fn sha256_of_value(value: &Value) -> Option<String> {
    Some(sha256(&StateValue::from_value(value.clone())?))
}

fn hex(text: &str) -> String {
    let hash: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    const_hex::encode(hash)
}

fn write(out: &mut String, value: &StateValue) {
    match value {
        StateValue::Null => out.push_str("null"),
        StateValue::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        StateValue::Int(int) => {
            let _ = write!(out, "{int}");
        }
        StateValue::Float(float) => out.push_str(&number(*float)),
        StateValue::Text(text) => string(out, text),
        StateValue::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                write(out, item);
            }
            out.push(']');
        }
        StateValue::Map(pairs) => {
            let mut sorted: Vec<_> = pairs.iter().collect();
            // Python compares code points, and the bytes of UTF-8 have the same order.
            sorted.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (index, (key, item)) in sorted.into_iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                string(out, key);
                out.push_str(": ");
                write(out, item);
            }
            out.push('}');
        }
    }
}

/// A float as Python's `repr` writes it: the shortest digits, with an exponent below 1e-4
/// and from 1e16 on.
pub fn number(float: f64) -> String {
    let size = float.abs();
    if float != 0.0 && !(1e-4..1e16).contains(&size) {
        let text = format!("{float:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) = match exponent.strip_prefix('-') {
            Some(exponent) => ('-', exponent),
            None => ('+', exponent),
        };
        return format!("{digits}e{sign}{exponent:0>2}");
    }
    format!("{float:?}")
}

fn string(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(character),
            other => {
                for unit in other.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn it_is_written_as_python_writes_it() {
        let value = json!({
            "b": [1, 1.0, -0.0, 1e16, 1.5e-7, 123456789.125, 0.0001, 1e22, true, null],
            "a": "é \u{1f600} \"\\\n\u{7f}\u{1}",
        });
        let mut text = String::new();
        write(&mut text, &StateValue::from_json(&value));
        assert_eq!(
            text,
            r#"{"a": "\u00e9 \ud83d\ude00 \"\\\n\u007f\u0001", "b": [1, 1.0, -0.0, 1e+16, 1.5e-07, 123456789.125, 0.0001, 1e+22, true, null]}"#
        );
    }
}
