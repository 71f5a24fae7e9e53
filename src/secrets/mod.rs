//! Secrets, and how they are kept out of what is shown, recorded and given to programs.
//!
//! [`Secrets`] are those that this program knows: the keys of model servers, the credentials
//! of an API, the tokens of an MCP server. A server may repeat them in any spelling, so they are
//! looked for in all of them (`spelling.rs`), in values after parsing, and on every way out.
//! [`scrub`] takes out the secrets of others, which only their form tells (`pasted/`).

mod pasted;
mod spelling;

pub(crate) use pasted::{has_secret, scrub};

use crate::domain::{Answer, Refusal, Value};
use crate::error::Error;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use serde_json::Value as Json;
use spelling::Needle;
use std::borrow::Cow;
use std::ops::Range;

/// The replacement of a secret.
const HIDDEN: &str = "[key]";
/// A secret that is at least so long is hidden wherever it occurs. A shorter one may be a part
/// of ordinary words, and is hidden where it is a whole word.
const LONG: usize = 8;
/// So many characters at the beginning or the end of a long secret are hidden, too, or its half where
/// that is less: servers repeat a part of what they refuse.
const PART: usize = 20;
/// A secret of which parts are hidden is at least so long.
const IN_PARTS: usize = 32;
/// A secret that is shorter than this is not hidden: too much else looks like it.
const SHORTEST: usize = 4;

/// Secrets that this program knows. `Debug` output does not have them.
#[derive(Clone, Default)]
pub(crate) struct Secrets {
    /// The longest first, so that no part of one is left.
    needles: Vec<Needle>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Secrets({})", self.needles.len())
    }
}

impl Secrets {
    /// These secrets, in all spellings.
    pub(crate) fn of<T: AsRef<str>>(secrets: impl IntoIterator<Item = T>) -> Self {
        let secrets = secrets.into_iter();
        let long_enough = secrets.filter(|it| it.as_ref().trim().chars().count() >= SHORTEST);
        Secrets::spelt(long_enough, |secret| secret.chars().count() < LONG)
    }

    /// These secrets, as parts of words even where they are short. For texts that are about
    /// nothing else, such as the error of a server that refuses a key.
    pub(crate) fn whatever_length<T: AsRef<str>>(secrets: impl IntoIterator<Item = T>) -> Self {
        Secrets::spelt(secrets.into_iter(), |_| false)
    }

    fn spelt<T: AsRef<str>>(
        secrets: impl Iterator<Item = T>,
        is_word: impl Fn(&str) -> bool,
    ) -> Self {
        let mut needles = Vec::new();
        for secret in secrets {
            let secret = secret.as_ref().trim();
            if secret.is_empty() {
                continue;
            }
            let is_word = is_word(secret);
            let length = secret.chars().count();
            let part = PART.min(length / 2);
            if length < IN_PARTS {
                needles.push(Needle::plain(secret, is_word));
            } else {
                needles.push(Needle::begun(secret, part));
                let end: String = secret.chars().skip(length - part).collect();
                needles.push(Needle::plain(&end, false));
            }
            if secret.len() < SHORTEST {
                continue;
            }
            needles.push(Needle::hexadecimal(&const_hex::encode(secret), is_word));
            for whole in [
                STANDARD.encode(secret),
                STANDARD_NO_PAD.encode(secret),
                URL_SAFE.encode(secret),
                URL_SAFE_NO_PAD.encode(secret),
            ] {
                needles.push(Needle::base64(&whole, is_word));
            }
            // Within a longer text in Base64 a secret begins at any of three places of a group.
            if !is_word && secret.len() >= LONG {
                for before in 0..3 {
                    needles.push(Needle::base64(&within(&STANDARD, secret, before), false));
                    needles.push(Needle::base64(&within(&URL_SAFE, secret, before), false));
                }
            }
        }
        needles.sort_by_key(|needle| std::cmp::Reverse(needle.len()));
        needles.dedup();
        Secrets { needles }
    }

    /// A text without the secrets.
    pub(crate) fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.without(text.as_bytes()) {
            None => Cow::Borrowed(text),
            Some(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }

    /// A value without the secrets: in texts, bytes, numbers and the keys of dicts.
    pub(crate) fn hide_value(&self, value: Value) -> Value {
        if self.needles.is_empty() {
            return value;
        }
        let hidden = |digits: String| match self.hide(&digits) {
            Cow::Owned(hidden) => Some(Value::Str(hidden)),
            Cow::Borrowed(_) => None,
        };
        match value {
            Value::Str(text) => Value::Str(self.hide(&text).into_owned()),
            Value::Bytes(bytes) => match self.without(&bytes) {
                Some(clean) => Value::Bytes(clean.into()),
                None => Value::Bytes(bytes),
            },
            Value::Int(int) => hidden(int.to_string()).unwrap_or(Value::Int(int)),
            Value::BigInt(digits) => hidden(digits.clone()).unwrap_or(Value::BigInt(digits)),
            Value::Float(float) => hidden(float.to_string()).unwrap_or(Value::Float(float)),
            Value::List(items) => {
                Value::List(items.into_iter().map(|it| self.hide_value(it)).collect())
            }
            Value::Map(pairs) => {
                let pairs = pairs.into_iter();
                let pairs = pairs.map(|(name, value)| {
                    let name = self.hide(&name).into_owned();
                    (name.into(), self.hide_value(value))
                });
                Value::Map(pairs.collect())
            }
            other => other,
        }
    }

    /// JSON without the secrets.
    pub(crate) fn hide_json(&self, json: Json) -> Json {
        match json {
            Json::String(text) => Json::String(self.hide(&text).into_owned()),
            Json::Array(items) => items.into_iter().map(|it| self.hide_json(it)).collect(),
            Json::Object(pairs) => {
                let pairs = pairs.into_iter();
                let pairs = pairs
                    .map(|(name, value)| (self.hide(&name).into_owned(), self.hide_json(value)));
                Json::Object(pairs.collect())
            }
            Json::Number(number) => match self.hide(&number.to_string()) {
                Cow::Owned(hidden) => Json::String(hidden),
                Cow::Borrowed(_) => Json::Number(number),
            },
            other => other,
        }
    }

    /// A refusal without the secrets.
    pub(crate) fn hide_refusal(&self, refusal: Refusal) -> Refusal {
        let details = self.hide_value(Value::Map(refusal.details));
        Refusal {
            code: self.hide(&refusal.code).into_owned(),
            message: self.hide(&refusal.message).into_owned(),
            status: refusal.status,
            details: match details {
                Value::Map(details) => details,
                _ => Vec::new(),
            },
        }
    }

    /// An answer without the secrets.
    pub(crate) fn hide_answer(&self, answer: Answer) -> Answer {
        match answer {
            Ok(value) => Ok(self.hide_value(value)),
            Err(refusal) => Err(self.hide_refusal(refusal)),
        }
    }

    /// A failure of ours without the secrets.
    pub(crate) fn hide_error(&self, error: Error) -> Error {
        error.map_text(|text| self.hide(&text).into_owned())
    }

    /// The bytes without the secrets; `None` if there are none in them.
    fn without(&self, text: &[u8]) -> Option<Vec<u8>> {
        let found = self.found(text);
        if found.is_empty() {
            return None;
        }
        let mut clean = Vec::with_capacity(text.len());
        let mut end = 0;
        for secret in found {
            clean.extend_from_slice(text.get(end..secret.start).unwrap_or_default());
            clean.extend_from_slice(HIDDEN.as_bytes());
            end = secret.end;
        }
        clean.extend_from_slice(text.get(end..).unwrap_or_default());
        Some(clean)
    }

    /// Where the secrets are, in order and apart.
    fn found(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut begins = [false; 256];
        for needle in &self.needles {
            needle.mark_beginnings(&mut begins);
        }
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(byte) = text.get(at) {
            let ends = match begins.get(usize::from(*byte)) {
                Some(true) => self.needles.iter().filter_map(|it| it.end(text, at)).max(),
                _ => None,
            };
            match ends {
                Some(end) => {
                    found.push(at..end);
                    at = end;
                }
                None => at += 1,
            }
        }
        found
    }
}

/// The digits of Base64 that a secret has for itself when this many bytes stand before it in
/// its group of three, whatever stands around it.
fn within(engine: &impl base64::Engine, secret: &str, before: usize) -> String {
    let mut bytes = vec![0; before];
    bytes.extend_from_slice(secret.as_bytes());
    let whole = engine.encode(&bytes);
    let first = (before * 8).div_ceil(6);
    let last = bytes.len() * 8 / 6;
    whole.get(first..last).unwrap_or_default().to_owned()
}

/// A URL without the parts that may hold a secret: a password, the query, the fragment.
pub(crate) fn shown_url(url: &str) -> String {
    let address = url.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = address.split_once("://") else {
        return address.to_owned();
    };
    let (authority, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "bt/Tok/en+x12=é";

    fn hidden(text: &str) -> String {
        Secrets::of([SECRET]).hide(text).into_owned()
    }

    #[test]
    fn every_spelling_of_a_secret_is_hidden() {
        for (text, clean) in [
            ("Bearer bt/Tok/en+x12=é.", "Bearer [key]."),
            (r"a bt\/Tok\/en+x12=\u00e9 b", "a [key] b"),
            (r"bt\u002FTok\u002fen\u002bx12\u003D\u00E9", "[key]"),
            (r"\u0062t\\\/Tok\\/en+x12=é", "[key]"),
            ("?k=bt%2FTok%2fen%2Bx12%3D%C3%A9&n=2", "?k=[key]&n=2"),
            ("bt%252FTok%252Fen%252Bx12%253D%25C3%25A9", "[key]"),
            ("bt%5Cu002FTok/en", "bt%5Cu002FTok/en"),
            ("bt&#47;Tok&#x2f;en+x12=&#233;", "[key]"),
            ("YnQvVG9rL2VuK3gxMj3DqQ==", "[key]"),
            ("YnQvVG9rL2VuK3gxMj3DqQ%3D%3D", "[key]"),
            ("YnQvVG9rL2VuK3gxMj3DqQ", "[key]"),
            ("YnQvVG9rL2Vu\r\nK3gxMj3DqQ==", "[key]"),
            ("62742f546f6b2f656e2b7831323dc3a9", "[key]"),
            ("62742F546F6B2F656E2B7831323DC3A9", "[key]"),
            ("another bt/Tok", "another bt/Tok"),
        ] {
            assert_eq!(hidden(text), clean, "{text}");
        }
    }

    #[test]
    fn a_secret_within_base64_is_hidden_wherever_its_group_begins() {
        for before in ["", "a", "ab", "abc", "Bearer ", "user:"] {
            for after in ["", "!", "!!", " and more"] {
                for engine in [&STANDARD, &URL_SAFE] {
                    let text = engine.encode(format!("{before}{SECRET}{after}"));
                    let clean = hidden(&text);
                    assert!(clean.contains(HIDDEN), "{before} {after} {clean}");
                    assert!(clean.len() < text.len() / 2 + 20, "{clean}");
                }
            }
        }
    }

    #[test]
    fn short_secrets_are_hidden_as_words() {
        let hide = |text| Secrets::of(["cat7"]).hide(text).into_owned();
        assert_eq!(hide("user cat7, concat7enate"), "user [key], concat7enate");
        assert_eq!(hide("p=cat7&q"), "p=[key]&q");
        assert_eq!(hide("%3Acat7%22"), "%3A[key]%22");
        let hide = |text| Secrets::of(["abc", ""]).hide(text).into_owned();
        assert_eq!(hide("abc"), "abc");
        let all = Secrets::whatever_length(["sk-1"]);
        assert_eq!(all.hide("key sk-1!"), "key [key]!");
    }

    #[test]
    fn a_half_of_a_long_secret_is_hidden() {
        let secrets = Secrets::of(["sk-proj-0123456789abcdefghijklmnopqrstuvwxyz"]);
        for (text, clean) in [
            ("key sk-proj-0123456789ab…", "key [key]…"),
            ("key sk-proj-0123456789abcdefgh***", "key [key]***"),
            ("ends with ghijklmnopqrstuvwxyz.", "ends with [key]."),
            ("sk%2Dproj-0123456789ab", "[key]"),
            ("sk-proj-0123…wxyz", "sk-proj-0123…wxyz"),
            ("sk-proj-is-a-prefix", "sk-proj-is-a-prefix"),
        ] {
            assert_eq!(secrets.hide(text), clean, "{text}");
        }
        assert_eq!(
            Secrets::of(["my company and its word"]).hide("my company"),
            "my company"
        );
    }

    #[test]
    fn the_longest_secret_wins() {
        let both = Secrets::of(["password1", "user:password1"]);
        assert_eq!(both.hide("user:password1 password1"), "[key] [key]");
        // As a header has it, however short the password is.
        for pair in ["user:password1", "me:pw12", "a:b"] {
            let told = format!("Basic {}", STANDARD.encode(pair));
            let hidden = Secrets::of([pair, "password1"]).hide(&told).into_owned();
            let is_hidden = hidden.starts_with("Basic [key]");
            assert_eq!(is_hidden, pair.len() >= SHORTEST, "{pair}: {hidden}");
        }
    }

    #[test]
    fn values_are_searched_everywhere() {
        let secrets = Secrets::of([SECRET, "12345678901"]);
        let value = Value::Map(vec![
            (
                SECRET.into(),
                Value::List(vec![SECRET.into(), Value::Int(7)]),
            ),
            ("n".into(), Value::Int(12_345_678_901)),
            ("b".into(), Value::Bytes(SECRET.into())),
        ]);
        let hidden = Value::Map(vec![
            (
                HIDDEN.into(),
                Value::List(vec![HIDDEN.into(), Value::Int(7)]),
            ),
            ("n".into(), HIDDEN.into()),
            ("b".into(), Value::Bytes(HIDDEN.into())),
        ]);
        assert_eq!(secrets.hide_value(value), hidden);
    }

    /// If the time grew with the square of the length, this would take minutes.
    #[test]
    fn long_rows_of_escapes_take_little_time() {
        let secrets = Secrets::of(["%\\%\\%\\%\\%\\%\\%\\"]);
        for beginning in ["%25", "\\\\", "%5C", "\\u0025", "&#37;", "%"] {
            secrets.hide(&beginning.repeat(100_000));
        }
    }
}
