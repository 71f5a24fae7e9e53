//! The arguments of calls whose effects are not known: all that people can judge them by.

use crate::domain::{Name, Value, Write, counted};
use crate::plan::is_call;
use serde_json::Value as Json;

/// The arguments of such calls, one per line: `text: "Buy milk"`.
pub(super) fn of(writes: &[Write]) -> Vec<String> {
    let calls = writes.iter().filter(|write| is_call(write));
    let pairs = calls.flat_map(|write| match &write.params {
        Value::Map(pairs) => pairs.as_slice(),
        _ => &[],
    });
    pairs
        .map(|(name, value)| format!("{name}: {}", written(value)))
        .collect()
}

/// A value as JSON. Bytes are text if they can be, else only their number is said.
fn written(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Int(number) => number.to_string(),
        Value::BigInt(digits) => digits.clone(),
        Value::Float(number) => number.to_string(),
        Value::Str(text) => Json::from(text.as_str()).to_string(),
        Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Json::from(text).to_string(),
            Err(_) => counted(bytes.len(), "byte"),
        },
        Value::File(file) => counted(file.size, "byte"),
        Value::Time(time) => time.to_string(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(written).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(pairs) => {
            let pair = |(name, value): &(Name, Value)| {
                format!("{}: {}", Json::from(&**name), written(value))
            };
            let pairs: Vec<String> = pairs.iter().map(pair).collect();
            format!("{{{}}}", pairs.join(", "))
        }
    }
}
