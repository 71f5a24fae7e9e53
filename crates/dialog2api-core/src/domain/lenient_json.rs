//! JSON as others write it, which is not always JSON (RFC 8259): with a byte order mark, raw tabs
//! in texts, half letters, `NaN`, and integers of any size.

use super::Value;
use serde_json::{Value as Json, json};
use std::borrow::Cow;
use std::fmt::Write as _;

/// The key of an object that stands for a number which JSON or 64 bits do not hold. The number is
/// its only value, as a text.
pub const NUMBER: &str = "\0number";

/// Half of a letter beyond the first 65,536 that ended a text, for streams that cut letters in
/// two: its other half begins the next text.
#[derive(Debug, Default)]
pub struct Half(Option<u16>);

/// The JSON that a text of others means. Half letters become U+FFFD; numbers that JSON or 64 bits
/// do not hold become objects with the key [`NUMBER`], which [`Value::from_json`] reads.
///
/// # Errors
/// The text is no JSON.
///
/// ```
/// use dialog2api_core::domain::{Value, lenient_json};
///
/// let json = lenient_json("\u{feff}[\"a\tb\\ud83d\", 18446744073709551616]").expect("JSON");
/// let items = vec!["a\tb\u{fffd}".into(), Value::BigInt("18446744073709551616".into())];
/// assert_eq!(Value::from_json(json), Value::List(items));
/// ```
pub fn lenient_json(text: &str) -> Result<Json, serde_json::Error> {
    serde_json::from_str(&strict_json(text, None))
}

/// A text of others as JSON, as far as it is meant as JSON. The events of a stream share a
/// [`Half`]: a half letter at the end of a text is joined with the one that begins a text of the
/// next event.
pub fn strict_json<'t>(text: &'t str, mut half: Option<&mut Half>) -> Cow<'t, str> {
    let text = text.trim_start_matches('\u{feff}');
    // Gerrit and others begin with this line, so that no browser runs their JSON.
    let text = text
        .strip_prefix(")]}'")
        .map_or(text, |rest| rest.trim_start_matches(','));
    let mut out = Strict {
        out: String::new(),
        copied: 0,
        text,
    };
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b'"' => out.string(at + 1, half.as_deref_mut()),
            b'-' | b'0'..=b'9' | b'N' | b'I' => out.number(at),
            _ => at + 1,
        };
    }
    match out.out.is_empty() && out.copied == 0 {
        true => Cow::Borrowed(text),
        false => {
            out.replace(text.len(), text.len(), "");
            Cow::Owned(out.out)
        }
    }
}

/// The strict text so far.
struct Strict<'t> {
    text: &'t str,
    out: String,
    /// The bytes of the text that are in `out`.
    copied: usize,
}

impl Strict<'_> {
    /// Writes the text up to `from`, and `instead` in place of what lies between.
    fn replace(&mut self, from: usize, to: usize, instead: &str) {
        self.out
            .push_str(self.text.get(self.copied..from).unwrap_or_default());
        self.out.push_str(instead);
        self.copied = to;
    }

    /// Passes over a string whose first byte is at `at`; returns where it is over.
    fn string(&mut self, start: usize, mut half: Option<&mut Half>) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = start;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'"' => return at + 1,
                b'\\' if bytes.get(at + 1) == Some(&b'u') => {
                    at = self.letter(at, start, half.as_deref_mut());
                }
                b'\\' => at += 2,
                ..0x20 => {
                    self.replace(at, at + 1, &format!("\\u{byte:04x}"));
                    at += 1;
                }
                _ => at += 1,
            }
        }
        at
    }

    /// Passes over `\uXXXX`.
    fn letter(&mut self, at: usize, start: usize, half: Option<&mut Half>) -> usize {
        let text = self.text;
        let unit = |at: usize| {
            let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
            u16::from_str_radix(digits, 16).ok()
        };
        let is_low = |unit: u16| (0xdc00..0xe000).contains(&unit);
        match unit(at) {
            Some(high @ 0xd800..0xdc00) => match unit(at + 6) {
                Some(low) if is_low(low) => at + 12,
                _ => {
                    let is_last = text.as_bytes().get(at + 6) == Some(&b'"');
                    let instead = match half.filter(|_| is_last) {
                        Some(half) => {
                            half.0 = Some(high);
                            ""
                        }
                        None => "\\ufffd",
                    };
                    self.replace(at, at + 6, instead);
                    at + 6
                }
            },
            Some(low) if is_low(low) => {
                let first = half.filter(|_| at == start);
                let whole = first.and_then(|half| half.0.take());
                let whole = whole.map(|high| format!("\\u{high:04x}\\u{low:04x}"));
                self.replace(at, at + 6, whole.as_deref().unwrap_or("\\ufffd"));
                at + 6
            }
            _ => at + 2,
        }
    }

    /// Passes over a number, or a word that JavaScript and Python write for one.
    fn number(&mut self, at: usize) -> usize {
        let text = self.text;
        let rest = text.get(at..).unwrap_or_default();
        for word in ["NaN", "Infinity", "-Infinity"] {
            if rest.starts_with(word) {
                self.stand_in(at, word, word);
                return at + word.len();
            }
        }
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let number = rest.get(..end).unwrap_or_default();
        let digits = number.strip_prefix('-').unwrap_or(number);
        let is_int = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if number == "-0" {
            // An integer, of which Rust makes a float.
            self.replace(at, at + end, "0");
        } else if is_int {
            let fits = number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok();
            if !fits && !digits.starts_with('0') {
                self.stand_in(at, number, number);
            }
        } else if number.parse::<f64>().is_ok_and(f64::is_infinite) {
            let word = if number.starts_with('-') {
                "-Infinity"
            } else {
                "Infinity"
            };
            self.stand_in(at, number, word);
        }
        at + end.max(1)
    }

    fn stand_in(&mut self, at: usize, written: &str, meant: &str) {
        let mut object = String::new();
        let _ = write!(object, "{}", json!({ NUMBER: meant }));
        self.replace(at, at + written.len(), &object);
    }
}

impl Value {
    /// The integer with these decimal digits, whatever its size. `None` if they are none.
    pub fn integer(digits: &str) -> Option<Value> {
        if let Ok(int) = digits.parse::<i64>() {
            return Some(Value::Int(int));
        }
        let (sign, bare) = match digits.strip_prefix('-') {
            Some(bare) => ("-", bare),
            None => ("", digits),
        };
        let is_int = !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit());
        let bare = bare.trim_start_matches('0');
        is_int.then(|| match format!("{sign}{bare}").parse::<i64>() {
            Ok(int) => Value::Int(int),
            Err(_) if bare.is_empty() => Value::Int(0),
            Err(_) => Value::BigInt(format!("{sign}{bare}")),
        })
    }

    /// JSON as a value. Integers keep their digits.
    pub fn from_json(json: Json) -> Value {
        match json {
            Json::Null => Value::Null,
            Json::Bool(truth) => Value::Bool(truth),
            Json::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(int), _) => Value::Int(int),
                (None, Some(large)) => Value::BigInt(large.to_string()),
                (None, None) => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            Json::String(text) => Value::Str(text),
            Json::Array(items) => Value::List(items.into_iter().map(Value::from_json).collect()),
            Json::Object(pairs) => {
                if let (1, Some(Json::String(number))) = (pairs.len(), pairs.get(NUMBER))
                    && let Some(number) = stood_for(number)
                {
                    return number;
                }
                let pairs = pairs.into_iter();
                Value::Map(
                    pairs
                        .map(|(key, it)| (key.into(), Value::from_json(it)))
                        .collect(),
                )
            }
        }
    }

    /// Whether the value is or contains an integer that 64 bits do not hold.
    pub fn has_big_integer(&self) -> bool {
        match self {
            Value::BigInt(_) => true,
            Value::List(items) => items.iter().any(Value::has_big_integer),
            Value::Map(pairs) => pairs.iter().any(|(_, value)| value.has_big_integer()),
            _ => false,
        }
    }
}

/// The number that an object with the key [`NUMBER`] stands for.
fn stood_for(number: &str) -> Option<Value> {
    match number {
        "NaN" => Some(Value::Float(f64::NAN)),
        "Infinity" => Some(Value::Float(f64::INFINITY)),
        "-Infinity" => Some(Value::Float(f64::NEG_INFINITY)),
        digits => Value::integer(digits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        match lenient_json(text) {
            Ok(json) => format!("{:?}", Value::from_json(json)),
            Err(error) => format!("error: {error}"),
        }
    }

    #[test]
    fn what_others_write_is_read_as_they_mean_it() {
        for (text, value) in [
            (
                r#"[1, -0, 1.0, 9223372036854775807]"#,
                "List([Int(1), Int(0), Float(1.0), Int(9223372036854775807)])",
            ),
            ("18446744073709551615", "BigInt(\"18446744073709551615\")"),
            ("-9223372036854775809", "BigInt(\"-9223372036854775809\")"),
            ("-9223372036854775808", "Int(-9223372036854775808)"),
            (
                "123456789012345678901234567890",
                "BigInt(\"123456789012345678901234567890\")",
            ),
            (
                "[NaN,Infinity,-Infinity,1e400]",
                "List([Float(NaN), Float(inf), Float(-inf), Float(inf)])",
            ),
            ("\"a\tb\u{1}\"", "Str(\"a\\tb\\u{1}\")"),
            (r#""\ud83d""#, "Str(\"\u{fffd}\")"),
            (r#""\ud83d!\ude00""#, "Str(\"\u{fffd}!\u{fffd}\")"),
            (
                r#""\ud83d\ude00 \\ud83d \"NaN 18446744073709551616""#,
                "Str(\"😀 \\\\ud83d \\\"NaN 18446744073709551616\")",
            ),
            ("\u{feff}{}", "Map([])"),
            (")]}'\n[1]", "List([Int(1)])"),
            (
                "{\"a\": 1",
                "error: EOF while parsing an object at line 1 column 7",
            ),
            ("<html>", "error: expected value at line 1 column 1"),
            ("[-]", "error: invalid number at line 1 column 3"),
            ("[01]", "error: invalid number at line 1 column 3"),
        ] {
            assert_eq!(read(text), value, "{text}");
        }
    }

    #[test]
    fn halves_of_two_events_are_joined() {
        let mut half = Half::default();
        let first = strict_json(r#"{"t": "a\ud83d"}"#, Some(&mut half)).into_owned();
        let second = strict_json(r#"{"t": "\ude00b"}"#, Some(&mut half)).into_owned();
        assert_eq!(first, r#"{"t": "a"}"#);
        assert_eq!(second, r#"{"t": "\ud83d\ude00b"}"#);
    }

    #[test]
    fn integers_have_one_form() {
        let form = |digits| format!("{:?}", Value::integer(digits));
        assert_eq!(form("007"), "Some(Int(7))");
        assert_eq!(
            form("00018446744073709551616"),
            "Some(BigInt(\"18446744073709551616\"))"
        );
        assert_eq!(form("-0"), "Some(Int(0))");
        assert_eq!(form("1.5"), "None");
        assert_eq!(form("-"), "None");
    }
}
