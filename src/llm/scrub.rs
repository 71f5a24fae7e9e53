//! Secrets that stand in what is recorded: passwords in URLs, keys by their usual looks.
//!
//! A key of our own never gets this far (see `secret.rs`). These are others': a user may
//! paste one into a dialogue, and a server may put one into an error. What is recorded is
//! written without them, and what is asked is compared without them, so that a recording
//! answers all the same.

use super::Request;
use std::borrow::Cow;

/// What stands where a secret stood.
const HIDDEN: &str = "[key]";

/// How keys begin, as providers hand them out.
const BEGINNINGS: [&str; 9] = [
    "sk-",
    "hf_",
    "ghp_",
    "gho_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "AIza",
    "Bearer ",
];

/// What follows a beginning is a key if it is that long and has a digit.
const SHORTEST: usize = 20;

/// A text without what looks like a secret.
pub(super) fn scrub(text: &str) -> Cow<'_, str> {
    let suspicious = text.contains("://") || BEGINNINGS.iter().any(|start| text.contains(start));
    let mut clean = String::new();
    let mut rest = text;
    while let Some((start, length)) = first_secret(rest).filter(|_| suspicious) {
        let (before, secret) = rest.split_at(start);
        clean.push_str(before);
        clean.push_str(HIDDEN);
        rest = secret.get(length..).unwrap_or_default();
    }
    match clean.is_empty() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(clean + rest),
    }
}

/// A request without what looks like a secret.
pub(super) fn scrub_request(request: &Request) -> Cow<'_, Request> {
    let mut clean = Cow::Borrowed(request);
    for (index, message) in request.messages.iter().enumerate() {
        if let Cow::Owned(text) = scrub(&message.content)
            && let Some(message) = clean.to_mut().messages.get_mut(index)
        {
            message.content = text;
        }
    }
    clean
}

/// Where the first secret is, and how many bytes it has.
fn first_secret(text: &str) -> Option<(usize, usize)> {
    let keys = BEGINNINGS.iter().filter_map(|start| first_key(text, start));
    keys.chain(first_password(text)).min()
}

/// The first word that begins so and looks like a key.
fn first_key(text: &str, beginning: &str) -> Option<(usize, usize)> {
    text.match_indices(beginning).find_map(|(at, found)| {
        let (before, word) = text.split_at(at);
        let inside = before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-');
        let key = word.get(found.len()..)?;
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_-.~+/=".contains(c);
        let length = key.find(|c| !is_part(c)).unwrap_or(key.len());
        let key = key.get(..length)?.trim_end_matches(['.', '/']);
        let is_key = key.len() >= SHORTEST && key.contains(|c: char| c.is_ascii_digit());
        // The word before a token is no secret.
        let hidden = match found.strip_suffix(' ') {
            Some(_) => (at + found.len(), key.len()),
            None => (at, found.len() + key.len()),
        };
        (is_key && !inside).then_some(hidden)
    })
}

/// The first name and password before the host of a URL.
fn first_password(text: &str) -> Option<(usize, usize)> {
    text.match_indices("://").find_map(|(at, found)| {
        let start = at + found.len();
        let authority = text.get(start..)?;
        let ends = |c: char| c.is_whitespace() || "/?#\"'`<>()".contains(c);
        let authority = authority.get(..authority.find(ends).unwrap_or(authority.len()))?;
        let (user, _) = authority.rsplit_once('@')?;
        user.contains(':').then_some((start, user.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_secret_goes_and_the_rest_stays() {
        let check = |text: &str, expected: &str| assert_eq!(scrub(text), expected);
        check(
            "copy from https://me:hunter2@x.test/a?b, please",
            "copy from https://[key]@x.test/a?b, please",
        );
        check("key sk-ant-api03-0123456789abcdefghij.", "key [key].");
        check(
            "Authorization: Bearer eyJ0eXAi0123456789.abc-def and on",
            "Authorization: Bearer [key] and on",
        );
        check(
            "hf_abcdefghij0123456789, ghp_abcdefghij0123456789",
            "[key], [key]",
        );
        for text in [
            "",
            "https://x.test/a@b:c",
            "s3://me@bucket/key",
            "the bucket sk-photos-of-the-whole-family",
            "task-0123456789-0123456789-0123456789",
            "sk-short1",
            "Bearer of bad news",
        ] {
            assert!(matches!(scrub(text), Cow::Borrowed(_)), "{text}");
        }
    }

    #[test]
    fn scrubbing_twice_is_scrubbing_once() {
        let once = scrub("https://a:b@x https://c:d@y sk-0123456789abcdefghij").into_owned();
        assert_eq!(scrub(&once), once.as_str());
        assert_eq!(once, "https://[key]@x https://[key]@y [key]");
    }
}
