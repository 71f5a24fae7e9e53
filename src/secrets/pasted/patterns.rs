//! The forms of secrets. Each function adds the byte ranges that it finds in a text, in
//! time linear in its length.

use super::assigned::assigned_secrets;
use super::keys::{announced_keys, beside_ids, session_tokens};
use super::named::named_secrets;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::ops::Range;

type Found = Vec<Range<usize>>;

/// All forms.
pub(super) const PATTERNS: [fn(&str, &mut Found); 11] = [
    prefixed_keys,
    url_passwords,
    access_keys,
    announced_keys,
    session_tokens,
    assigned_secrets,
    basic_pairs,
    command_line_pairs,
    named_secrets,
    private_keys,
    web_tokens,
];

/// The prefixes that providers give to their keys.
const PREFIXES: [&str; 36] = [
    "sk-",
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "whsec_",
    "hf_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "xoxa-",
    "xoxe-",
    "xapp-",
    "AIza",
    "ya29.",
    "GOCSPX-",
    "npm_",
    "pypi-AgE",
    "dop_v1_",
    "hvs.",
    "shpat_",
    "gsk_",
    "nvapi-",
    "xai-",
    "pplx-",
    "lin_api_",
    "dapi",
    "SG.",
    "Bearer ",
    "bearer ",
    "Token ",
];

/// The characters after a prefix are taken as a key if there are at least this many, with
/// a digit among them.
const SHORTEST_KEY: usize = 20;
/// A password on a command line is longer than a port: `-u 1000:1000`.
const SHORTEST_PASSWORD: usize = 6;

fn prefixed_keys(text: &str, found: &mut Found) {
    for prefix in PREFIXES {
        let mut after = 0;
        let starts = text.match_indices(prefix);
        for (at, _) in starts.filter(|(at, _)| is_word_start(text, *at)) {
            // What begins within the last run ends with it, so it is hidden already or is not
            // a key either. Reading on from each of many prefixes would take too long.
            if at < after {
                continue;
            }
            let start = at + prefix.len();
            let key = run(text, start, |c| {
                c.is_ascii_alphanumeric() || "_-.~+/=".contains(c)
            });
            after = start + key.len();
            let key = key.trim_end_matches(['.', '/']);
            let is_key = key.len() >= SHORTEST_KEY && key.contains(|c: char| c.is_ascii_digit());
            if is_key {
                // The word before a bearer token is not part of the secret.
                let from = if prefix.ends_with(' ') { start } else { at };
                found.push(from..start + key.len());
            }
        }
    }
}

/// The name and the password before the host of a URL.
fn url_passwords(text: &str, found: &mut Found) {
    for (at, separator) in text.match_indices("://") {
        let start = at + separator.len();
        let authority = run(text, start, |c| {
            !c.is_whitespace() && !"/?#\"'`<>()".contains(c)
        });
        if let Some((user, _)) = authority.rsplit_once('@')
            && user.contains(':')
        {
            found.push(start..start + user.len());
        }
    }
}

/// The name and the password behind `Basic`, in base64.
fn basic_pairs(text: &str, found: &mut Found) {
    const BASIC: [&str; 2] = ["Basic ", "basic "];
    for basic in BASIC {
        for (at, _) in text.match_indices(basic) {
            let start = at + basic.len();
            let pair = run(text, start, |c| {
                c.is_ascii_alphanumeric() || "+/=".contains(c)
            });
            let bytes = STANDARD.decode(pair).unwrap_or_default();
            let is_pair = bytes.contains(&b':') && !bytes.iter().any(u8::is_ascii_control);
            if is_pair && is_word_start(text, at) {
                found.push(start..start + pair.len());
            }
        }
    }
}

/// The name and the password that `curl -u` takes.
fn command_line_pairs(text: &str, found: &mut Found) {
    const OPTIONS: [&str; 3] = [" -u ", " --user ", " --user="];
    for option in OPTIONS {
        for (at, _) in text.match_indices(option) {
            let start = at + option.len();
            let is_quote = |c: char| "\"'".contains(c);
            let quoted = run(text, start, is_quote).len();
            let pair = run(text, start + quoted, |c| {
                !c.is_whitespace() && !"\"'`<>()[]{}$\\".contains(c)
            });
            let password = pair.split_once(':').map(|(_, password)| password);
            if password.is_some_and(|it| it.len() >= SHORTEST_PASSWORD) {
                found.push(start + quoted..start + quoted + pair.len());
            }
        }
    }
}

/// The IDs of AWS access keys, long-term ones and those of sessions, and the secrets beside them.
fn access_keys(text: &str, found: &mut Found) {
    let mut ids = Found::new();
    access_key_ids(text, &mut ids);
    ids.sort_by_key(|id| id.start);
    beside_ids(text, &ids, found);
    found.extend(ids);
}

fn access_key_ids(text: &str, found: &mut Found) {
    const LENGTH: usize = 20;
    for prefix in ["AKIA", "ASIA"] {
        let starts = text.match_indices(prefix);
        for (at, _) in starts.filter(|(at, _)| is_word_start(text, *at)) {
            let id = run(text, at, |c| c.is_ascii_alphanumeric() || c == '_');
            let is_id = id.len() == LENGTH
                && id
                    .chars()
                    .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
            if is_id {
                found.push(at..at + LENGTH);
            }
        }
    }
}

/// PEM blocks of private keys. The end of a block may be missing.
fn private_keys(text: &str, found: &mut Found) {
    const RULE: &str = "-----";
    const BEGIN: &str = "-----BEGIN ";
    const END: &str = "-----END ";
    let mut after = 0;
    for (at, _) in text.match_indices(BEGIN) {
        let label = run(text, at + BEGIN.len(), |c| {
            c.is_ascii_uppercase() || c.is_ascii_digit() || c == ' '
        });
        if at < after || !label.ends_with("PRIVATE KEY") {
            continue;
        }
        let body = at + BEGIN.len() + label.len();
        let rest = text.get(body..).unwrap_or_default();
        let end = format!("{END}{label}{RULE}");
        after = match rest.find(&end) {
            Some(length) => body + length + end.len(),
            None => text.len(),
        };
        found.push(at..after);
    }
}

/// JSON Web Tokens: two JSON objects and a signature in base64.
fn web_tokens(text: &str, found: &mut Found) {
    const OBJECT: &str = "eyJ";
    let starts = text.match_indices(OBJECT);
    let is_start = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        is_word_start(text, at) && !before.ends_with('.')
    };
    for (at, _) in starts.filter(|(at, _)| is_start(*at)) {
        let token = run(text, at, |c| c.is_ascii_alphanumeric() || "_-.".contains(c));
        let mut parts = token.splitn(4, '.');
        let parts: [Option<&str>; 3] = std::array::from_fn(|_| parts.next());
        if let [Some(header), Some(claims), Some(signature)] = parts
            && claims.starts_with(OBJECT)
            && [header, claims, signature]
                .iter()
                .all(|part| part.len() >= 16)
        {
            let length = header.len() + claims.len() + signature.len() + 2;
            found.push(at..at + length);
        }
    }
}

/// The run of characters of a kind that starts here.
fn run(text: &str, start: usize, is_part: impl Fn(char) -> bool) -> &str {
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}

/// Whether the character before does not belong to the same word.
pub(super) fn is_word_start(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    !before.chars().next_back().is_some_and(is_part_of_word) || ends_in_escape(before)
}

fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// Whether a text ends in the escape of a character between words: `\n` and `\u003d` in
/// JSON, `%3D` in a link. Prompts show outcomes as JSON, and the last letter of the escape is
/// not the first one of a word.
fn ends_in_escape(text: &str) -> bool {
    let letter = text.strip_suffix(['n', 'r', 't', 'b', 'f']);
    letter.is_some_and(|before| before.ends_with('\\'))
        || escaped_at_end(text).is_some_and(|c| !is_part_of_word(c))
}

/// The ASCII character whose code ends the text. In a link within a link, `%` is `%25`.
fn escaped_at_end(text: &str) -> Option<char> {
    let (before, code) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let is_code = before.ends_with(r"\u00") || before.trim_end_matches("25").ends_with('%');
    let code = u8::from_str_radix(code, 16).ok()?;
    (is_code && code.is_ascii()).then_some(char::from(code))
}
