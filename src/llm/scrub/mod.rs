//! Secrets in recorded text: passwords in URLs, access keys, tokens and private keys,
//! recognised by their form.
//!
//! The program's own keys never get this far (see `secret.rs`). The secrets meant here
//! belong to others: a user may paste one into a dialogue, and a server may put one into
//! an error. Recordings are written without them. Requests are compared without them as
//! well, so that a recording still answers the request that it was made from.

mod patterns;

use super::Request;
use std::borrow::Cow;
use std::ops::Range;

/// The replacement of a secret.
const HIDDEN: &str = "[key]";

/// A text without its secrets. Scrubbing a text twice changes nothing more.
pub(super) fn scrub(text: &str) -> Cow<'_, str> {
    let mut secrets: Vec<Range<usize>> = Vec::new();
    for find in patterns::PATTERNS {
        find(text, &mut secrets);
    }
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    secrets.sort_by_key(|secret| secret.start);
    let mut clean = String::with_capacity(text.len());
    let mut end = 0;
    for secret in secrets {
        // A secret that begins within another one is already hidden.
        if let Some(before) = text.get(end..secret.start) {
            clean.push_str(before);
            clean.push_str(HIDDEN);
        }
        end = end.max(secret.end);
    }
    clean.push_str(text.get(end..).unwrap_or_default());
    Cow::Owned(clean)
}

/// A request without the secrets in its messages.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts with secrets, and the same texts after scrubbing.
    const SECRETS: &[(&str, &str)] = &[
        (
            "copy from https://me:hunter2@x.test/a?b, please",
            "copy from https://[key]@x.test/a?b, please",
        ),
        ("key sk-ant-api03-0123456789abcdefghij.", "key [key]."),
        (
            "Authorization: Bearer eyJ0eXAi0123456789.abc-def and on",
            "Authorization: Bearer [key] and on",
        ),
        (
            "hf_abcdefghij0123456789, ghp_abcdefghij0123456789",
            "[key], [key]",
        ),
        (
            "my keys are AKIAIOSFODNN7EXAMPLE and ASIAIOSFODNN7EXAMPLE.",
            "my keys are [key] and [key].",
        ),
        (
            "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\nregion=x",
            "aws_secret_access_key=[key]\nregion=x",
        ),
        (
            "export AWS_SECRET_ACCESS_KEY='wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'",
            "export AWS_SECRET_ACCESS_KEY='[key]'",
        ),
        (
            r#"{"SecretAccessKey": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "Expiration": "2024"}"#,
            r#"{"SecretAccessKey": "[key]", "Expiration": "2024"}"#,
        ),
        (
            "aws_session_token = IQoJb3JpZ2luX2VjEHAaCXVzLWVhc3QtMSJHMEUCIQ==",
            "aws_session_token = [key]",
        ),
        (
            "keep -----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY----- safe",
            "keep [key] safe",
        ),
        (
            "cut off: -----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA",
            "cut off: [key]",
        ),
        (
            "the token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P is mine",
            "the token [key] is mine",
        ),
        (
            "https://a:b@x?token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
            "https://[key]@x?token=[key]",
        ),
    ];

    /// Texts that only look like secrets.
    const HARMLESS: &[&str] = &[
        "",
        "https://x.test/a@b:c",
        "s3://me@bucket/key",
        "the bucket sk-photos-of-the-whole-family",
        "task-0123456789-0123456789-0123456789",
        "sk-short1",
        "Bearer of bad news",
        "the bucket akiaiosfodnn7example",
        "AKIA is how access keys begin",
        "AKIAIOSFODNN7EXAMPLEANDMORE",
        "NOTAKIAIOSFODNN7EXAMPLE",
        "aws_secret_access_key is not set",
        "aws_secret_access_key=${SECRET}",
        "set AWS_SECRET_ACCESS_KEY=<your key>",
        "put(Key=\"secret_access_key.txt\")",
        "-----BEGIN CERTIFICATE-----\nMIIEowIBAAKCAQEA\n-----END CERTIFICATE-----",
        "eyJ is how a JSON object begins in base64",
        "eyJhbGciOiJIUzI1NiJ9 alone is no token",
        "photos/eyJhbGci.jpg.eyJ",
    ];

    #[test]
    fn secrets_are_hidden() {
        for (text, expected) in SECRETS {
            assert_eq!(scrub(text), *expected);
        }
    }

    #[test]
    fn what_only_looks_like_a_secret_stays() {
        for text in HARMLESS {
            assert!(matches!(scrub(text), Cow::Borrowed(_)), "{text}");
        }
    }

    #[test]
    fn scrubbing_twice_is_scrubbing_once() {
        for (_, clean) in SECRETS {
            assert_eq!(scrub(clean), *clean);
        }
    }

    #[test]
    fn secrets_in_a_row_are_hidden_one_by_one() {
        let text = "https://a:b@x https://c:d@y sk-0123456789abcdefghij";
        assert_eq!(scrub(text), "https://[key]@x https://[key]@y [key]");
    }
}
