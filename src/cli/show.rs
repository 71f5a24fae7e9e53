//! Outcomes as text for people. The text may contain control characters: see
//! [`terminal::clean`](super::terminal::clean).

use super::terminal::clean_json;
use crate::dialogue::ProgramError;
use crate::domain::tallied;
use crate::exec::CallRecord;
use serde_json::Value as Json;
use std::time::Duration;

/// Up to this length, a value is printed on one line.
const SHORT: usize = 76;

/// A value as JSON. Safe for a terminal.
pub fn json(value: &Json) -> String {
    let compact = spaced(value);
    let text = match compact.chars().count() <= SHORT {
        true => compact,
        // Writing a `Value` as JSON cannot fail.
        false => serde_json::to_string_pretty(value).unwrap_or(compact),
    };
    clean_json(&text)
}

/// One line of JSON with a blank after each comma and colon, as in Python.
fn spaced(value: &Json) -> String {
    match value {
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(spaced).collect();
            format!("[{}]", items.join(", "))
        }
        Json::Object(fields) => {
            let field = |(name, value)| format!("{}: {}", Json::String(name), spaced(value));
            let fields: Vec<String> = (fields.iter())
                .map(|(name, value)| field((name.clone(), value)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        plain => plain.to_string(),
    }
}

/// An error with its line in the program, if it has one.
pub fn error(error: &ProgramError) -> String {
    let place = match error.line() {
        Some(line) => format!(" (line {line})"),
        None => String::new(),
    };
    match error.message.is_empty() {
        true => format!("{}{place}", error.error),
        false => format!("{}{place}: {}", error.error, error.message),
    }
}

/// The frames of a traceback, without its heading and without the error, which is shown
/// elsewhere.
pub fn frames(error: &ProgramError) -> String {
    let traceback = error.traceback.as_deref().unwrap_or_default();
    let frames = (traceback.lines().skip_while(|line| !line.starts_with(' ')))
        .take_while(|line| line.starts_with(' '));
    let frames: Vec<&str> = frames.map(|line| line.get(2..).unwrap_or(line)).collect();
    frames.join("\n")
}

/// The calls in order, with repetitions counted: `list_objects, head_object × 37`.
pub fn calls(calls: &[CallRecord]) -> String {
    let named = calls.iter().map(|call| match &call.error {
        Some(code) => format!("{} → {code}", call.operation),
        None => call.operation.clone(),
    });
    tallied(&named.collect::<Vec<_>>())
}

/// A time in the unit that leaves one to three digits before the point.
pub fn elapsed(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 0.01 => format!("{:.1} ms", seconds * 1e3),
        seconds if seconds < 1.0 => format!("{:.0} ms", seconds * 1e3),
        seconds if seconds < 10.0 && seconds.fract() != 0.0 => format!("{seconds:.1} s"),
        seconds => format!("{seconds:.0} s"),
    }
}

/// How fast something goes, and how long it will take: behind what was done and is to do. Empty
/// while nobody can say.
pub fn rate(done: usize, left: usize, took: Duration) -> String {
    let seconds = took.as_secs_f64();
    if done == 0 || left == 0 || seconds < 1.0 {
        return String::new();
    }
    let rate = done as f64 / seconds;
    let each = match rate {
        rate if rate < 10.0 => format!("{rate:.1}"),
        rate => format!("{rate:.0}"),
    };
    let left = (left as f64 / rate).round() as u64;
    let left = match left {
        seconds if seconds < 100 => format!("{seconds} s"),
        seconds if seconds < 6_000 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3_600.0),
    };
    format!(", {each} a second, about {left} to go")
}

/// A number of bytes in a convenient unit.
pub fn bytes(size: u64) -> String {
    indicatif::BinaryBytes(size).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_says_how_long_it_will_take() {
        let cases = [
            (0, 10, 5_000, ""),
            (10, 90, 500, ""),
            (10, 0, 5_000, ""),
            (10, 90, 5_000, ", 2.0 a second, about 45 s to go"),
            (2_400, 7_600, 60_000, ", 40 a second, about 3 min to go"),
            (10, 90_000, 10_000, ", 1.0 a second, about 25.0 h to go"),
        ];
        for (done, left, millis, said) in cases {
            assert_eq!(rate(done, left, Duration::from_millis(millis)), said);
        }
    }

    fn call(operation: &str, error: Option<&str>) -> CallRecord {
        CallRecord {
            operation: operation.to_owned(),
            error: error.map(str::to_owned),
        }
    }

    #[test]
    fn calls_in_a_row_are_counted_and_many_by_their_names() {
        assert_eq!(calls(&[]), "");
        let few = [
            call("list_objects", None),
            call("head_object", None),
            call("head_object", None),
            call("head_object", Some("404")),
        ];
        assert_eq!(
            calls(&few),
            "list_objects, head_object × 2, head_object → 404"
        );
        let many: Vec<CallRecord> = (0..40)
            .map(|n| {
                call(
                    if n % 2 == 0 {
                        "get_object"
                    } else {
                        "put_object"
                    },
                    None,
                )
            })
            .collect();
        assert_eq!(calls(&many), "get_object × 20, put_object × 20");
        let each = (0..13).map(|n| call("get_object", Some(&n.to_string())));
        let each: Vec<CallRecord> = each.collect();
        assert!(calls(&each).ends_with(", get_object → 11, … (13 in all)"));
    }

    #[test]
    fn an_error_names_the_innermost_line_of_the_program() {
        let traceback = "Traceback (most recent call last):\n  \
                         File \"program.py\", line 4, in program\n  \
                         File \"program.py\", line 2, in inner\n  \
                         File \"<s3>\", line 99, in call\nKeyError: 'x'\n";
        let mut failure = ProgramError {
            error: "KeyError".into(),
            message: "'x'".into(),
            traceback: Some(traceback.into()),
        };
        assert_eq!(error(&failure), "KeyError (line 2): 'x'");
        failure.traceback = None;
        failure.message.clear();
        assert_eq!(error(&failure), "KeyError");
    }

    #[test]
    fn short_values_stand_on_one_line() {
        assert_eq!(
            json(&serde_json::json!({"a": [1, "x\u{9b}"]})),
            r#"{"a": [1, "x\u009b"]}"#
        );
        let long = serde_json::json!(vec!["a key of some length"; 5]);
        assert_eq!(json(&long).lines().count(), 7);
    }
}
