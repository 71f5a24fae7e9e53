use serde_json::{Number, Value as Json};

/// From here on not every integer is a float.
const LARGE: f64 = 9.0e15;

/// Integers, floats without fraction, texts of digits.
pub(super) fn int(json: &Json) -> Option<Json> {
    match json {
        Json::Number(number) if number.is_i64() => Some(json.clone()),
        Json::Number(number) => integral(number.as_f64()?).map(Json::from),
        Json::String(text) => {
            let text = text.trim();
            let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            text.parse::<i64>().ok().map(Json::from)
        }
        _ => None,
    }
}

/// Numbers and texts of numbers; integral ones as integers.
pub(super) fn float(json: &Json) -> Option<Json> {
    let number = match json {
        Json::Number(number) if number.is_i64() || number.is_u64() => return Some(json.clone()),
        Json::Number(number) => number.as_f64()?,
        Json::String(text) => {
            let text = text.trim();
            if let Some(int) = int(json) {
                return Some(int);
            }
            // `inf` and `nan` are no numbers of a user.
            if !text.bytes().any(|b| b.is_ascii_digit()) {
                return None;
            }
            text.parse().ok()?
        }
        _ => return None,
    };
    match integral(number) {
        Some(int) => Some(Json::from(int)),
        None => Number::from_f64(number).map(Json::Number),
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "the value is integral and within the range"
)]
fn integral(number: f64) -> Option<i64> {
    let exact = number.fract() == 0.0 && number.abs() < LARGE;
    exact.then_some(number as i64)
}

/// Whether a value that does not fit is a number, and too large a one.
pub(super) fn is_too_large(json: &Json) -> bool {
    let number = match json {
        Json::Number(number) => number.as_f64(),
        Json::String(text) if text.bytes().any(|b| b.is_ascii_digit()) => text.trim().parse().ok(),
        _ => None,
    };
    number.is_some_and(|number: f64| {
        number.is_infinite() || number.abs() >= LARGE && number.fract() == 0.0
    })
}

/// Booleans, and yes or no in any case.
pub(crate) fn bool(json: &Json) -> Option<bool> {
    match json {
        Json::Bool(value) => Some(*value),
        Json::String(text) => match text.trim().to_lowercase().as_str() {
            "true" | "yes" => Some(true),
            "false" | "no" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// An option; else the first that is equal when only letters and digits count.
pub(super) fn option(options: &[String], json: &Json) -> Option<String> {
    let text = python_text(json);
    if let Some(option) = options.iter().find(|option| **option == text) {
        return Some(option.clone());
    }
    let wanted = letters(&text);
    if wanted.is_empty() {
        return None;
    }
    options
        .iter()
        .find(|option| letters(option) == wanted)
        .cloned()
}

fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// The text of a value as Python's `str` gives it.
pub(crate) fn python_text(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        Json::Null => "None".to_owned(),
        Json::Bool(true) => "True".to_owned(),
        Json::Bool(false) => "False".to_owned(),
        other => other.to_string(),
    }
}
