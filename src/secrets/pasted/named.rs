//! Secrets that only the names before them tell from other text: those of AWS settings, and
//! the signatures of links.

use std::ops::Range;

/// The length of a secret access key.
const SECRET_KEY: usize = 40;
/// Tokens of sessions are longer than this.
const LONG_TOKEN: usize = 100;

/// The names in small letters, and the length of the shortest value. For the names in links it is
/// longer than any error code (`InvalidSecurityTokenException`).
const NAMES: [(&str, usize); 6] = [
    ("secret_access_key", SECRET_KEY),
    ("secretaccesskey", SECRET_KEY),
    ("session_token", 20),
    ("sessiontoken", 20),
    ("x-amz-security-token", 32),
    ("x-amz-signature", 32),
];

/// The separators before a value in a profile, a shell, JSON or a link. A link within a link is
/// percent-encoded, once more at each level.
const EQUALS: [&str; 5] = ["=", ":", "%3d", "%253d", r"\u003d"];
/// The separators that may also stand before ordinary text: the end of an XML tag, and the
/// blanks of a command line.
const WEAK: [&str; 5] = [">", r"\u003e", " ", "\t", r"\t"];
const QUOTES: [&str; 4] = ["\"", "'", r#"\""#, r"\'"];

/// Values after their names.
pub(super) fn named_secrets(text: &str, found: &mut Vec<Range<usize>>) {
    // Lowering ASCII letters keeps their length, so byte offsets are the same in both
    // texts.
    let lower = text.to_ascii_lowercase();
    for (name, shortest) in NAMES {
        let mut after = 0;
        for (at, _) in lower.match_indices(name) {
            let gap = gap(&lower, at + name.len());
            let start = at + name.len() + gap.len();
            let is_assigned = has(gap, &EQUALS);
            // A value that begins within the last one ends with it, so it is hidden already or
            // too short as well. Reading on from each of many names would take too long.
            if start < after || !(is_assigned || has(gap, &WEAK)) {
                continue;
            }
            let end = start + value(&lower, start).len();
            let is_secret = match is_assigned {
                true => {
                    after = end;
                    end - start >= shortest
                }
                false => text.get(start..end).is_some_and(looks_random),
            };
            if is_secret {
                found.push(start..end);
            }
        }
    }
}

/// What stands between a name that ends here and its value.
fn gap(lower: &str, start: usize) -> &str {
    let all = lower.get(start..).unwrap_or_default();
    let mut rest = all;
    while let Some(after) = without_mark(rest) {
        rest = after;
    }
    all.get(..all.len() - rest.len()).unwrap_or_default()
}

/// The text after the mark that it begins with.
fn without_mark(text: &str) -> Option<&str> {
    // JSON within JSON has several backslashes for one.
    let slashes = text.len() - text.trim_start_matches('\\').len();
    let text = text.get(slashes.saturating_sub(1)..)?;
    let marks = EQUALS.iter().chain(&WEAK).chain(&QUOTES);
    marks.copied().find_map(|mark| text.strip_prefix(mark))
}

fn has(gap: &str, marks: &[&str]) -> bool {
    marks.iter().any(|mark| gap.contains(*mark))
}

/// The value that starts here: base64 or hexadecimal digits, percent-encoded or not.
fn value(lower: &str, start: usize) -> &str {
    let all = lower.get(start..).unwrap_or_default();
    let mut rest = all;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "+/=".contains(c));
        match without_escape(rest) {
            Some(after) => rest = after,
            None => return all.get(..all.len() - rest.len()).unwrap_or_default(),
        }
    }
}

/// The text after the escape of `+`, `/` or `=` that it begins with.
fn without_escape(lower: &str) -> Option<&str> {
    // A slash in JSON may be escaped.
    if let Some(rest) = lower.strip_prefix(r"\/") {
        return Some(rest);
    }
    let code = lower.strip_prefix('%')?.trim_start_matches("25");
    ["2b", "2f", "3d"]
        .into_iter()
        .find_map(|known| code.strip_prefix(known))
}

/// Whether a value is a key by its looks alone. A digest has no capitals, and neither has a
/// word within a sentence.
fn looks_random(value: &str) -> bool {
    let has_length = value.len() == SECRET_KEY || value.len() >= LONG_TOKEN;
    has_length
        && value.contains(|c: char| c.is_ascii_uppercase())
        && value.contains(|c: char| c.is_ascii_lowercase())
}
