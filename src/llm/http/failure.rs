//! Failures of one try, explained in sentences that say what to do.

use super::wait::{duration, in_words};
use crate::domain::lenient_json;
use crate::llm::secret::without;
use serde_json::Value as Json;
use std::time::Duration;

/// How many characters of a server's own words are quoted.
const LONGEST_QUOTE: usize = 300;

/// How one try failed.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::llm) enum Failure {
    /// A retry would fail in the same way.
    Final(String),
    /// The prompt is longer than the model can read.
    PromptTooLong(String),
    /// A retry may succeed.
    Passing {
        /// A clause about the failure.
        reason: String,
        /// The wait that the server asked for.
        asked: Option<Duration>,
        /// The way out if the retries fail as well.
        hint: Option<String>,
    },
    /// The server refused this parameter; the next try leaves it out.
    Dialect(Refused),
}

/// Whether a server's words say that the prompt is longer than the model can read.
pub(in crate::llm) fn is_about_length(message: &str) -> bool {
    const TOO_LONG: [&str; 3] = ["context", "too long", "too large"];
    TOO_LONG.iter().any(|words| message.contains(words))
}

/// Whether a server's words say that nothing of the user is left in the prompt, because it was
/// cut to the context before.
pub(in crate::llm) fn has_lost_the_user(message: &str) -> bool {
    message.to_lowercase().contains("no user query found")
}

impl Failure {
    /// A failure that a retry may overcome, without further details.
    pub(in crate::llm) fn passing(reason: String) -> Self {
        Failure::Passing {
            reason,
            asked: None,
            hint: None,
        }
    }
}

/// A parameter that some servers refuse and that requests can do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::llm) enum Refused {
    /// Newer models of OpenAI call it `max_completion_tokens`.
    MaxTokens,
    /// Older servers count no tokens while streaming.
    StreamOptions,
    /// Reasoning models accept no stop sequences; the text is cut here as well.
    Stop,
    /// Some servers know no seed, or call it otherwise. Answers then differ from run to run.
    Seed,
}

impl Refused {
    pub(in crate::llm) fn name(self) -> &'static str {
        match self {
            Refused::MaxTokens => "max_completion_tokens",
            Refused::StreamOptions => "stream_options",
            Refused::Stop => "stop",
            Refused::Seed => "seed",
        }
    }
}

/// The failure that a server described in an answer.
#[derive(Debug, Default)]
pub(in crate::llm) struct ServerError {
    pub message: String,
    kind: String,
    pub param: String,
    status: Option<u16>,
    /// How long the server asks to wait.
    pub wait: Option<Duration>,
}

impl ServerError {
    /// Reads the body of a failed request. It may be OpenAI's error object, an object in
    /// another server's form, plain text, or a web page.
    pub(in crate::llm) fn read(body: &[u8]) -> Self {
        let text = String::from_utf8_lossy(body);
        if let Ok(json) = lenient_json(&text) {
            return Self::from_json(&json).unwrap_or_default();
        }
        let message = if text.trim_start().starts_with('<') {
            page_title(&text).unwrap_or("a web page").to_owned()
        } else {
            text.into_owned()
        };
        ServerError {
            wait: in_words(&message),
            message,
            ..Self::default()
        }
    }

    /// The error in a JSON answer, if it is one. Gemini wraps it in a list.
    pub(in crate::llm) fn from_json(json: &Json) -> Option<Self> {
        let json = match json {
            Json::Array(items) => items.iter().find(|item| item.is_object())?,
            json => json,
        };
        let error = json.get("error").filter(|error| !error.is_null());
        let text = |value: Option<&Json>| value.and_then(Json::as_str).unwrap_or("").to_owned();
        let detail = || json.get("detail").or_else(|| json.get("message"));
        let invalid = json.get("detail").and_then(|detail| detail.get(0));
        let message = match error {
            Some(Json::String(message)) => message.clone(),
            Some(error) => match error.get("message").and_then(Json::as_str) {
                Some(message) => message.to_owned(),
                None => error.to_string(),
            },
            None => match detail()? {
                Json::String(message) => message.clone(),
                detail => detail.to_string(),
            },
        };
        // Google's `RetryInfo`.
        let details = error.and_then(|error| error.get("details")?.as_array());
        let mut delays = details.into_iter().flatten();
        let delay = delays.find_map(|detail| duration(detail.get("retryDelay")?.as_str()?));
        // FastAPI, and so Mistral, names the field by its path: `["body", "seed"]`.
        let place = invalid.and_then(|invalid| invalid.get("loc")?.as_array()?.last());
        let param = error.and_then(|error| error.get("param"));
        let param = param.filter(|param| param.is_string()).or(place);
        let code = error.and_then(|error| error.get("code"));
        Some(ServerError {
            wait: delay.or_else(|| in_words(&message)),
            message,
            kind: format!(
                "{} {}",
                text(error.and_then(|error| error.get("type"))),
                text(code)
            ),
            param: text(param),
            status: code
                .and_then(Json::as_u64)
                .and_then(|code| u16::try_from(code).ok()),
        })
    }

    /// The HTTP status that fits an error inside a successful answer. It is 400 (a retry
    /// is useless) if the error does not suggest one.
    pub(in crate::llm) fn implied_status(&self) -> u16 {
        let says = |words: &[&str]| words.iter().any(|word| self.kind.contains(word));
        match self.status {
            Some(status) if (400..600).contains(&status) => status,
            _ if says(&["rate_limit", "overloaded"]) => 429,
            _ if says(&["server_error", "unavailable", "timeout"]) => 500,
            _ if says(&["internal_error", "api_error"]) => 500,
            _ if says(&["authentication_error"]) => 401,
            _ if says(&["permission_error"]) => 403,
            _ if says(&["billing_error"]) => 402,
            _ => 400,
        }
    }

    /// Whether the message has this name as a word of its own.
    pub(in crate::llm) fn names(&self, field: &str) -> bool {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut words = self.message.split(|c: char| !is_part(c));
        words.any(|word| word == field)
    }

    /// Whether the message says that something is not taken.
    pub(in crate::llm) fn refuses(&self) -> bool {
        const REFUSING: [&str; 9] = [
            "support",
            "permit",
            "allow",
            "recogni",
            "unknown",
            "unexpected",
            "extra",
            "deprecat",
            "invalid",
        ];
        let message = self.message.to_ascii_lowercase();
        REFUSING.iter().any(|word| message.contains(word))
    }

    /// Whether the account has no money left: a 429 that waiting does not cure.
    pub(in crate::llm) fn is_out_of_quota(&self) -> bool {
        self.kind.contains("insufficient_quota")
    }
}

/// Prepares a server's words for use in a sentence: one line, no control characters, no
/// secrets, not too long.
pub(in crate::llm) fn quote(text: &str, secrets: &[&str]) -> String {
    let hidden = without(text, secrets);
    let clean: String = hidden
        .chars()
        .take(LONGEST_QUOTE * 8)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let mut line = String::new();
    for word in clean.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    match line.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn page_title(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("<title>")?;
    let (title, _) = rest.split_once("</title>")?;
    Some(title.trim()).filter(|title| !title.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_any_server_are_found() {
        let check = |body: &str, words: &str| {
            let error = ServerError::read(body.as_bytes());
            assert_eq!(quote(&error.message, &["sk-1"]), words, "{body:?}");
        };
        check(r#"{"error":{"message":"no","code":"x"}}"#, "no");
        check(r#"{"error":"no"}"#, "no");
        check(r#"{"error":{"why":1}}"#, r#"{"why":1}"#);
        check(r#"{"detail":[{"msg":"no"}]}"#, r#"[{"msg":"no"}]"#);
        check(r#"{"object":"error","message":"no"}"#, "no");
        check("<html><title> 502 Bad\nGateway </title>", "502 Bad Gateway");
        check("<html>", "a web page");
        check("line\r\n\u{1b}[31mline\u{7}", "line [31mline");
        check("bad key sk-1!", "bad key [key]!");
        check("{}", "");
        check("", "");
        check(&"é".repeat(1000), &format!("{}…", "é".repeat(300)));
    }

    #[test]
    fn an_error_inside_an_answer_stands_for_a_status() {
        let check = |body: &str, status: u16| {
            let error = ServerError::read(body.as_bytes());
            assert_eq!(error.implied_status(), status, "{body}");
        };
        check(r#"{"error":{"code":503,"message":"loading"}}"#, 503);
        check(r#"{"error":{"type":"server_error"}}"#, 500);
        check(
            r#"{"error":{"type":"x","code":"rate_limit_exceeded"}}"#,
            429,
        );
        check(r#"{"error":{"type":"invalid_request_error"}}"#, 400);
        check(r#"{"error":{"code":7}}"#, 400);
    }
}
