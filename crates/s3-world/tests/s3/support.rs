//! One call a line, `operation {JSON arguments}`; one answer a line.

pub use crate::value::value;
use expect_test::Expect;
use s3_world::Memory;
use s3_world::clock::Clock;
use s3_world::domain::{Answer, Value};
use s3_world::memory::Store;

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
        Value::BigInt(digits) => digits.clone(),
        Value::Float(float) => format!("{float:?}"),
        Value::Str(text) if text.contains('"') => format!("'{text}'"),
        Value::Str(text) => format!("{text:?}"),
        Value::Bytes(bytes) => format!("b\"{}\"", bytes.escape_ascii()),
        Value::File(file) => format!("<{} bytes of a file>", file.size),
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

/// A call as text: the operation, and its parameters in JSON.
pub fn call(line: &str) -> (&str, Value) {
    let (operation, params) = line.split_once(' ').unwrap_or((line, "{}"));
    let params = serde_json::from_str(params).expect("parameters in JSON");
    (operation, value(&params))
}

pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap()
        .block_on(future)
}
