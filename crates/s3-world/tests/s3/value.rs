//! Values of calls: written as JSON in tests, shown as text in expectations.
//!
//! In the JSON `{"@bytes": "…"}`, `{"@zeros": N}`, `{"@time": "…"}` and
//! `{"@text": ["a", N]}` (repeated) stand for what JSON cannot say.

use dialog2api_core::domain::Value;
use serde_json::Value as Json;

/// The value that JSON stands for.
pub fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => match number.as_i64() {
            Some(int) => Value::Int(int),
            None => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::Str(text.clone()),
        Json::Array(items) => Value::List(items.iter().map(value).collect()),
        Json::Object(pairs) => {
            if let Some(text) = pairs.get("@bytes").and_then(Json::as_str) {
                return Value::Bytes(text.to_owned().into());
            }
            if let Some(size) = pairs.get("@zeros").and_then(Json::as_u64) {
                return Value::Bytes(vec![0; size as usize].into());
            }
            if let Some(time) = pairs.get("@time").and_then(Json::as_str) {
                return Value::Time(time.parse().expect("a time"));
            }
            if let Some(repeated) = pairs.get("@text").and_then(Json::as_array) {
                let count = repeated[1].as_u64().expect("a count") as usize;
                return Value::Str(repeated[0].as_str().expect("text").repeat(count));
            }
            let pairs = pairs
                .iter()
                .map(|(key, item)| (key.clone().into(), value(item)));
            Value::Map(pairs.collect())
        }
    }
}

/// A value on one line. `instead` says what stands for an entry of a map that is another
/// every time.
pub fn show(value: &Value, instead: fn(&str, &Value) -> Option<&'static str>) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Time(time) => time.to_string(),
        Value::Int(int) => int.to_string(),
        Value::BigInt(digits) => digits.clone(),
        Value::Bool(truth) => truth.to_string(),
        Value::Float(float) => float.to_string(),
        Value::Str(text) => format!("{text:?}"),
        Value::Bytes(bytes) => format!("b{:?}", String::from_utf8_lossy(bytes)),
        Value::File(file) => format!("<{} bytes of a file>", file.size),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|item| show(item, instead)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(pairs) => {
            let pairs = pairs.iter().map(|(key, item)| match instead(key, item) {
                Some(other) => format!("{key}: {other}"),
                None => format!("{key}: {}", show(item, instead)),
            });
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}
