//! Secrets that are assigned to a name that says so: `password=…`, `"client_secret": "…"`.

use std::ops::Range;

/// The ends of names in small letters, and the length of the shortest value.
const NAMES: [(&str, usize); 12] = [
    ("password", 6),
    ("passwd", 6),
    ("client_secret", 16),
    ("clientsecret", 16),
    ("api_key", 16),
    ("api-key", 16),
    ("apikey", 16),
    ("access_token", 16),
    ("refresh_token", 16),
    ("auth_token", 16),
    ("accountkey", 40),
    ("sharedaccesskey", 40),
];
/// The longest value that is read.
const LONGEST: usize = 4096;

/// Values that are assigned to such names.
pub(super) fn assigned_secrets(text: &str, found: &mut Vec<Range<usize>>) {
    let lower = text.to_ascii_lowercase();
    for (name, shortest) in NAMES {
        let mut after = 0;
        for (at, _) in lower.match_indices(name) {
            let Some(start) = value_start(&lower, at + name.len()).filter(|it| *it >= after) else {
                continue;
            };
            let value = value(text, start);
            after = start + value.len();
            let digits = value.bytes().filter(u8::is_ascii_digit).count();
            // A call may need a password, which belongs to the dialogue then; a shell does not.
            let of_shell = || {
                let name = text.get(at..at + name.len()).unwrap_or_default();
                name.bytes().all(|byte| byte.is_ascii_uppercase())
                    && text
                        .get(at + name.len()..)
                        .is_some_and(|rest| rest.starts_with('='))
            };
            if name.starts_with("pass") && !of_shell() {
                continue;
            }
            // Words are what people write of passwords, and code is what programs get them from.
            let is_secret = value.len() >= shortest && (1..LONGEST).contains(&digits);
            if is_secret && !follows_call(text, after) {
                found.push(start..after);
            }
        }
    }
}

/// Where the value of a name begins that ends here, if one is assigned to it.
fn value_start(lower: &str, end: usize) -> Option<usize> {
    let rest = lower.get(end..)?;
    let trimmed = rest
        .trim_start_matches(['"', '\'', '\\'])
        .trim_start_matches([' ', '\t']);
    let assigned = trimmed.strip_prefix(['=', ':']);
    let value = assigned?
        .trim_start_matches([' ', '\t'])
        .trim_start_matches(['\\', '"', '\'']);
    Some(lower.len() - value.len())
}

fn value(text: &str, start: usize) -> &str {
    let rest = text.get(start..).unwrap_or_default();
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.~+/=%!@#*^&?".contains(c);
    let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let length = length.min(LONGEST);
    let value = rest.get(..length).unwrap_or_default();
    value.trim_end_matches(['.', '?', '!', '&'])
}

/// Whether the value is the name of something in a program, which is called or looked up.
fn follows_call(text: &str, end: usize) -> bool {
    let rest = text.get(end..).unwrap_or_default();
    rest.starts_with(['(', '[', '{', '$'])
}
