//! From an input to a policy and what is left for requests.
//!
//! The first byte says how. Even: the text of a policy up to a line `---`. Odd: a policy
//! built from likely parts, one byte a choice, so that a small change of the input is a
//! small change of the policy.

use dialog2api::domain::s3::OPERATIONS;
use std::fmt::Write;

/// The text of a policy, and the rest.
pub fn split(input: &[u8]) -> (String, &[u8]) {
    let Some((kind, rest)) = input.split_first() else {
        return (String::new(), input);
    };
    if kind % 2 == 0 {
        let mark = b"\n---\n";
        let end = rest.windows(mark.len()).position(|window| window == mark);
        let (text, rest) = match end {
            Some(end) => (&rest[..end], &rest[end + mark.len()..]),
            None => (rest, &rest[rest.len()..]),
        };
        return (String::from_utf8_lossy(text).into_owned(), rest);
    }
    let mut choices = Choices(rest);
    let text = built(&mut choices).expect("a text takes everything");
    (text, choices.0)
}

struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn next(&mut self) -> usize {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                usize::from(*first)
            }
            None => 0,
        }
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.next() % list.len()]
    }

    fn globs(&mut self, parts: &[&str]) -> String {
        let glob = |choices: &mut Self| {
            let parts = (0..1 + choices.next() % 6).map(|_| choices.of(parts));
            format!("'{}'", parts.collect::<String>())
        };
        let globs: Vec<String> = (0..1 + self.next() % 2).map(|_| glob(self)).collect();
        format!("[{}]", globs.join(", "))
    }
}

const BUCKETS: &[&str] = &[
    "alpha", "beta", "*", "a*", "?", "**", "missing", "/", "e", "\\a", "arn:b",
];
const PATHS: &[&str] = &[
    "alpha/", "beta/", "alpha", "*", "**/", "**", "/", "a", "k", "b", "?", "arn:b/", "new",
];
const KEYS: &[&str] = &[
    "*", "**", "/", "**/", "?", "a", "b", "k", ".txt", "a/b", "ä", "\\*", "😀", "new", "..",
];

fn built(choices: &mut Choices) -> Result<String, std::fmt::Error> {
    let mut text = "version = 1\n".to_owned();
    let mode = choices.of(&["auto", "confirm", "read-only", "auto"]);
    writeln!(text, "mode = \"{mode}\"")?;
    let protected = choices.next() % 8;
    if protected % 4 == 3 {
        writeln!(text, "protected_buckets = {}", choices.globs(BUCKETS))?;
    }
    if protected > 3 {
        writeln!(text, "protected_paths = {}", choices.globs(PATHS))?;
    }
    for number in 0..choices.next() % 5 {
        let effect = choices.of(&["deny", "allow"]);
        writeln!(
            text,
            "[[rule]]\nname = \"r{number}\"\neffect = \"{effect}\""
        )?;
        let parts = choices.next();
        if parts & 1 != 0 {
            let operation = choices.of(&OPERATIONS);
            let glob = choices.of(&["delete_*", "*_object", "*", "list_**"]);
            writeln!(text, "operations = [\"{operation}\", \"{glob}\"]")?;
        }
        if parts & 2 != 0 {
            writeln!(
                text,
                "access = [\"{}\"]",
                choices.of(&["read", "write", "delete", "share"])
            )?;
        }
        if parts & 4 != 0 {
            writeln!(text, "buckets = {}", choices.globs(BUCKETS))?;
        }
        if parts & 8 != 0 {
            writeln!(text, "keys = {}", choices.globs(KEYS))?;
        }
        if parts & 16 != 0 {
            writeln!(text, "paths = {}", choices.globs(PATHS))?;
        }
    }
    text.push_str("[ceilings]\n");
    for name in [
        "objects_written",
        "objects_deleted",
        "buckets_created",
        "bytes_written",
    ] {
        let most = choices.of(&["1000", "\"unlimited\"", "0", "1", "2", "9"]);
        writeln!(text, "{name} = {most}")?;
    }
    Ok(text)
}
