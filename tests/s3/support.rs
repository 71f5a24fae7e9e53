//! One call a line, `operation {JSON arguments}`; one answer a line.
//!
//! In the arguments `{"@bytes": "…"}`, `{"@zeros": N}`, `{"@time": "…"}` and
//! `{"@text": ["a", N]}` (repeated) stand for what JSON cannot say.

use dialog2api::domain::s3::Memory;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::{Answer, Value};
use expect_test::Expect;
use serde_json::Value as Json;

/// A store with two buckets and a few keys, its clock at the start of 2024.
pub const BUCKETS: &str = r#"
create_bucket {"Bucket":"alpha"}
create_bucket {"Bucket":"beta"}
put_object {"Bucket":"alpha","Key":"src","Body":"hello","ContentType":"text/plain","Metadata":{"M":"1"}}
"#;

/// An empty store whose clock starts in 2024.
pub fn empty() -> Memory {
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    Memory::new("test", Store::new(Clock::Steps(start)))
}

/// Makes the calls of `setup`, then those of `calls`, and compares the answers.
pub fn check(setup: &str, calls: &str, expected: Expect) {
    let world = empty();
    run(setup, |operation, params| world.perform(operation, params));
    let answers = run(calls, |operation, params| world.perform(operation, params));
    expected.assert_eq(&answers);
}

/// Makes calls, one a line, and gives the answers, one a line.
pub fn run(calls: &str, perform: impl Fn(&str, &Value) -> Answer) -> String {
    let lines = calls.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let (operation, params) = line.split_once(' ').unwrap_or((line, "{}"));
            let json = serde_json::from_str(params).unwrap_or_else(|e| panic!("{line}: {e}"));
            render(&perform(operation, &value(&json))) + "\n"
        })
        .collect()
}

/// The arguments that JSON text stands for.
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

/// An answer on one line: a Python-like literal, or `!` and the refusal.
pub fn render(answer: &Answer) -> String {
    match answer {
        Ok(value) => literal(value),
        Err(refusal) => {
            let details = match refusal.details.is_empty() {
                true => String::new(),
                false => format!(" {}", literal(&Value::Map(refusal.details.clone()))),
            };
            let message = &refusal.message;
            format!("! {} {}: {message}{details}", refusal.status, refusal.code)
        }
    }
}

fn literal(value: &Value) -> String {
    let joined = |items: Vec<String>| items.join(", ");
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(truth) => if *truth { "True" } else { "False" }.to_owned(),
        Value::Int(int) => int.to_string(),
        Value::Float(float) => format!("{float:?}"),
        Value::Str(text) if text.contains('"') => format!("'{text}'"),
        Value::Str(text) => format!("{text:?}"),
        Value::Bytes(bytes) => format!("b\"{}\"", bytes.escape_ascii()),
        Value::Time(time) => time.to_string(),
        Value::List(items) => format!("[{}]", joined(items.iter().map(literal).collect())),
        Value::Map(pairs) => {
            let pairs = pairs
                .iter()
                .map(|(key, item)| format!("{key}: {}", literal(item)));
            format!("{{{}}}", joined(pairs.collect()))
        }
    }
}
