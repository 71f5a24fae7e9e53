//! Values of settings in JSON. A time is `{"$time": "2024-01-01T00:00:00Z"}`.

use crate::domain::Value;
use serde_json::{Value as Json, json};

/// The JSON form of a value. Settings have no contents and no floats.
pub fn to_json(value: &Value) -> Json {
    match value {
        Value::Null | Value::Bytes(_) | Value::File(_) => Json::Null,
        Value::Float(_) | Value::BigInt(_) => Json::Null,
        Value::Bool(truth) => Json::from(*truth),
        Value::Int(int) => Json::from(*int),
        Value::Str(text) => Json::from(text.as_str()),
        Value::Time(time) => json!({ "$time": time.to_string() }),
        Value::List(items) => items.iter().map(to_json).collect(),
        Value::Map(pairs) => {
            let pairs = pairs
                .iter()
                .map(|(name, it)| (name.to_string(), to_json(it)));
            Json::Object(pairs.collect())
        }
    }
}

/// The value with this JSON form.
pub fn from_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => number.as_i64().map_or(Value::Null, Value::Int),
        Json::String(text) => Value::Str(text.clone()),
        Json::Array(items) => Value::List(items.iter().map(from_json).collect()),
        Json::Object(pairs) => {
            let time = pairs.get("$time").and_then(Json::as_str);
            if let Some(time) = time.and_then(|text| text.parse().ok()) {
                return Value::Time(time);
            }
            let pairs = pairs
                .iter()
                .map(|(name, it)| (name.clone().into(), from_json(it)));
            Value::Map(pairs.collect())
        }
    }
}
