//! Turns answers of servers into values, and their errors into refusals.

use crate::domain::{Map, Refusal, Value, lenient_json};
use bytes::Bytes;
use reqwest::StatusCode;

/// The longest message of an error, in characters.
const MAX_MESSAGE: usize = 500;
/// The most characters of a broken answer that a program can see.
const MAX_BODY: usize = 10_000;
/// The code of the refusal of an answer that is not what it says it is.
pub(super) const BROKEN_ANSWER: &str = "BrokenAnswer";

/// The answer to a request that was carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The body: JSON as values, text as text, all else as bytes; `None` if it is empty.
    pub value: Value,
    /// The URL of the next page, by the header `Link`.
    pub next: Option<String>,
}

/// The raw response.
pub(super) struct Raw {
    pub status: u16,
    pub media_type: String,
    pub links: Vec<String>,
    pub body: Bytes,
}

impl Raw {
    /// The answer, or the refusal. A server may repeat the secrets that it was sent, so neither
    /// may leave the world as it is.
    pub(super) fn read(self) -> Result<Response, Refusal> {
        let next = self.links.iter().find_map(|header| next_link(header));
        let (value, problem) = value(&self.media_type, self.body);
        match (self.status, problem) {
            (status @ ..400, Some(problem)) => Err(broken(status, &value, &problem)),
            (status @ ..400, None) => Ok(Response {
                status,
                value,
                next,
            }),
            (status, _) => Err(refusal(status, &value)),
        }
    }
}

/// A value, and what is wrong with it if it is not what the server says it is.
fn value(media_type: &str, body: Bytes) -> (Value, Option<String>) {
    if body.is_empty() {
        return (Value::Null, None);
    }
    let kind = media_type.split(';').next().unwrap_or_default().trim();
    let kind = kind.to_ascii_lowercase();
    let is_json = kind.ends_with("/json") || kind.ends_with("+json") || kind.is_empty();
    let is_text = kind.starts_with("text/")
        || ["xml", "yaml", "javascript", "json", "x-www-form-urlencoded"]
            .iter()
            .any(|it| kind.ends_with(it) || kind.contains("ndjson"));
    if !is_json && !is_text {
        return (Value::Bytes(body), None);
    }
    let is_said = is_json && !kind.is_empty();
    let text = match std::str::from_utf8(&body) {
        Ok(text) => text.to_owned(),
        Err(_) if is_said => utf16(&body).unwrap_or_else(|| latin(media_type, &body)),
        Err(_) if kind.starts_with("text/") => latin(media_type, &body),
        Err(_) => return (Value::Bytes(body), None),
    };
    if !is_json || text.trim().is_empty() {
        return (Value::Str(text), None);
    }
    match lenient_json(&text) {
        Ok(json) => (Value::from_json(json), None),
        // Some servers write one object a line and call it JSON.
        Err(_) if !is_said || is_lines(&text) => (Value::Str(text), None),
        Err(error) => (Value::Str(text), Some(error.to_string())),
    }
}

/// Text in UTF-16 with its mark.
fn utf16(body: &[u8]) -> Option<String> {
    let (is_little, rest) = match body {
        [0xff, 0xfe, rest @ ..] => (true, rest),
        [0xfe, 0xff, rest @ ..] => (false, rest),
        _ => return None,
    };
    let units = rest.chunks(2).map(|two| match (two, is_little) {
        ([first, second], true) => u16::from_le_bytes([*first, *second]),
        ([first, second], false) => u16::from_be_bytes([*first, *second]),
        _ => 0xfffd,
    });
    let units: Vec<u16> = units.collect();
    Some(String::from_utf16_lossy(&units))
}

/// Whether each of several lines is JSON.
fn is_lines(text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<&str> = lines.collect();
    lines.len() > 1 && lines.iter().all(|line| lenient_json(line).is_ok())
}

/// The refusal of an answer that is not JSON though it says so. The request was carried out.
fn broken(status: u16, body: &Value, problem: &str) -> Refusal {
    let text = body.as_str().unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().collect();
    let begin: String = words.join(" ").chars().take(120).collect();
    let body: String = text.chars().take(MAX_BODY).collect();
    Refusal {
        code: BROKEN_ANSWER.to_owned(),
        message: format!(
            "the server answered with the status {status}, so the request was carried out, but the \
             answer is no JSON, though it says so: {problem}. It begins with {begin:?}"
        ),
        status,
        details: vec![("body".into(), Value::Str(body))],
    }
}

/// Decodes text: as Latin-1 if the server says so.
fn latin(media_type: &str, body: &[u8]) -> String {
    let media_type = media_type.to_ascii_lowercase();
    match media_type.contains("8859-1") || media_type.contains("1252") {
        true => body.iter().map(|byte| char::from(*byte)).collect(),
        false => String::from_utf8_lossy(body).into_owned(),
    }
}

/// An error of the server: its code follows from the status (`NotFound`), its message is that
/// of the body.
fn refusal(status: u16, body: &Value) -> Refusal {
    let reason = StatusCode::from_u16(status).ok();
    let reason = reason.and_then(|status| status.canonical_reason());
    let message = match message(body, 0) {
        Some(message) => message,
        None => match reason {
            Some(reason) => format!("the server answered {status} {reason}"),
            None => format!("the server answered with status {status}"),
        },
    };
    let is_flat = |value: &Value| {
        matches!(
            value,
            Value::Bool(_) | Value::Int(_) | Value::BigInt(_) | Value::Float(_)
        ) || value.as_str().is_some_and(|text| text.len() <= MAX_MESSAGE)
    };
    let details: Map = match body {
        Value::Map(pairs) => {
            let flat = pairs.iter().filter(|(_, value)| is_flat(value)).take(20);
            flat.cloned().collect()
        }
        _ => Map::new(),
    };
    Refusal {
        code: reason.map_or_else(|| "HTTPError".to_owned(), code),
        message,
        status,
        details,
    }
}

/// The names of the errors that calls of every API can end with: those of all statuses, and
/// those of this program.
pub fn error_names() -> Vec<String> {
    const OWN: [&str; 10] = [
        "HTTPError",
        BROKEN_ANSWER,
        "CredentialsElsewhere",
        "InvalidCall",
        "PageElsewhere",
        "RedirectElsewhere",
        "RepeatedPage",
        "TooManyPages",
        "UnknownOperation",
        "UnknownPages",
    ];
    let known = (400..600).filter_map(|status| StatusCode::from_u16(status).ok());
    let known = known
        .filter_map(|status| status.canonical_reason())
        .map(code);
    known.chain(OWN.map(str::to_owned)).collect()
}

/// The reason of a status as the name of an error: `NotFound`.
fn code(reason: &str) -> String {
    let words = reason.split(|c: char| !c.is_ascii_alphanumeric() && c != '\'');
    let words = words.map(|word| {
        let word = word.replace('\'', "");
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    words.collect()
}

/// The message in the body of an error, under one of the usual names.
fn message(body: &Value, depth: usize) -> Option<String> {
    const USUAL: [&str; 11] = [
        "message",
        "error_description",
        "detail",
        "error",
        "error_message",
        "status_message",
        "description",
        "msg",
        "title",
        "reason",
        "errors",
    ];
    let short = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let text: String = words.join(" ").chars().take(MAX_MESSAGE).collect();
        (!text.is_empty()).then_some(text)
    };
    match body {
        Value::Str(text) if text.trim_start().starts_with('<') => None,
        Value::Str(text) => short(text),
        Value::List(items) if depth < 3 => {
            let messages = items.iter().take(3).filter_map(|it| message(it, depth + 1));
            short(&messages.collect::<Vec<_>>().join("; "))
        }
        Value::Map(_) if depth < 3 => {
            let mut usual = USUAL.iter().filter_map(|name| body.get(name));
            usual.find_map(|value| message(value, depth + 1))
        }
        _ => None,
    }
}

/// The URL of the next page in a header `Link`: `<https://…>; rel="next"`.
fn next_link(header: &str) -> Option<String> {
    let mut rest = header;
    while let Some((_, after)) = rest.split_once('<') {
        let (url, after) = after.split_once('>')?;
        let end = after.find('<').unwrap_or(after.len());
        let (about, next) = after.split_at(end);
        let is_next = about.split(';').any(|part| {
            let Some((name, value)) = part.split_once('=') else {
                return false;
            };
            let value = value.trim().trim_end_matches(',').trim();
            let mut kinds = value.trim_matches('"').split_whitespace();
            name.trim().eq_ignore_ascii_case("rel")
                && kinds.any(|it| it.eq_ignore_ascii_case("next"))
        });
        if is_next {
            return Some(url.to_owned());
        }
        rest = next;
    }
    None
}
