//! Single values as text: in headers, queries, attributes and elements.

use super::{Member, Shape, TimeFormat};
use crate::domain::{Refusal, Value};
use crate::refusal;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// The text of a value.
///
/// # Errors
/// A refusal if the value is not of the member's type.
pub(super) fn write(member: &Member, value: &Value) -> Result<String, Refusal> {
    let malformed = |expected| Err(refusal::malformed(member.name, expected));
    match (member.shape, value) {
        (Shape::Text | Shape::Choice(_), Value::Str(text)) => Ok(text.clone()),
        (Shape::Text | Shape::Choice(_), _) => malformed("text"),
        (Shape::Int, Value::Int(int)) => Ok(int.to_string()),
        // To Python a boolean is an integer, and botocore sends its name.
        (Shape::Int, Value::Bool(truth)) => Ok(if *truth { "True" } else { "False" }.to_owned()),
        (Shape::Int, _) => malformed("an integer"),
        (Shape::Bool, Value::Bool(truth)) => Ok(truth.to_string()),
        (Shape::Bool, _) => malformed("True or False"),
        (Shape::Time, value) => match instant(value) {
            Some(time) => Ok(write_time(member.format, time)),
            None => malformed("a time"),
        },
        (Shape::Bytes | Shape::Map | Shape::List(_) | Shape::Structure(_), _) => malformed("text"),
    }
}

/// The point in time of a value: a time, seconds since 1970, or text.
fn instant(value: &Value) -> Option<Timestamp> {
    match value {
        Value::Time(time) => Some(*time),
        Value::Int(seconds) => Timestamp::from_second(*seconds).ok(),
        Value::Str(text) => read_time(text),
        _ => None,
    }
}

/// The value of a text; `None` if the text is not of the member's type.
pub(super) fn read(shape: &Shape, text: &str) -> Option<Value> {
    match shape {
        Shape::Int => text.trim().parse().ok().map(Value::Int),
        Shape::Bool => match text.trim().to_ascii_lowercase().as_str() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Shape::Time => read_time(text.trim()).map(Value::Time),
        _ => Some(text.into()),
    }
}

fn write_time(format: TimeFormat, time: Timestamp) -> String {
    match format {
        TimeFormat::Rfc822 => http_date(time),
        TimeFormat::Iso8601 if time.subsec_nanosecond() == 0 => {
            time.strftime("%Y-%m-%dT%H:%M:%S.000Z").to_string()
        }
        TimeFormat::Iso8601 => time.strftime("%Y-%m-%dT%H:%M:%S%.fZ").to_string(),
    }
}

/// A time as HTTP writes it: `Mon, 01 Jan 2024 00:00:00 GMT`.
pub fn http_date(time: Timestamp) -> String {
    time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

/// Reads a time in any form that S3 or its clients write, whatever the API says about it.
/// A time without an offset is in UTC. The AWS SDK for Rust adds fractions of a second to
/// HTTP dates.
pub fn read_time(text: &str) -> Option<Timestamp> {
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time);
    }
    if let Ok(time) = text.parse::<DateTime>() {
        return time
            .to_zoned(TimeZone::UTC)
            .ok()
            .map(|time| time.timestamp());
    }
    let whole = match text.split_once('.') {
        Some((time, rest)) => format!("{time}{}", rest.trim_start_matches(char::is_numeric)),
        None => text.to_owned(),
    };
    let parsed = jiff::fmt::rfc2822::parse(whole.trim()).ok()?;
    Some(parsed.timestamp())
}

#[cfg(test)]
mod tests {
    use super::read_time;

    #[test]
    fn all_forms_of_times_are_read() {
        for text in [
            "2024-01-01T00:00:00.000Z",
            "2024-01-01T00:00:00Z",
            "2024-01-01T01:00:00+01:00",
            "2024-01-01T00:00:00",
            "2024-01-01",
            "Mon, 01 Jan 2024 00:00:00 GMT",
            "Mon, 01 Jan 2024 00:00:00.250 GMT",
        ] {
            let seconds = read_time(text).map(|time| time.as_second());
            assert_eq!(seconds, Some(1_704_067_200), "{text}");
        }
        assert_eq!(read_time("soon"), None);
    }
}
