//! What people look for in a world: parts and patterns of names, types and sizes.

use crate::domain::content_type;
use crate::policy::{Glob, read_size};
use web_desk::Entry;

/// What an entry must be to be found: all of it.
pub(super) struct Find(Vec<Condition>);

enum Condition {
    /// Its name has this part, in any case.
    Part(String),
    /// Its name, or the end of it after a `/`, is of this pattern, in any case.
    Pattern(Glob),
    /// Its type by the ending of its name, since a listing has none: `text/csv`, `image` or `csv`.
    Type(String),
    /// It has more bytes.
    Larger(u64),
    /// It has fewer bytes.
    Smaller(u64),
}

impl Find {
    /// Reads what was typed: `otter *.csv type:image >1 MiB <10 kB`. A word of no other form is a part of
    /// a name, so that nothing is a mistake.
    pub fn new(text: &str) -> Find {
        let text = text.to_lowercase();
        let mut words = text.split_whitespace().peekable();
        let mut all = Vec::new();
        while let Some(word) = words.next() {
            let size = word.strip_prefix(['<', '>']).and_then(|number| {
                let parted = words.peek().and_then(|unit| {
                    read_size(number)?;
                    read_size(&format!("{number} {unit}"))
                });
                // The unit of `>1 MiB` is a word of its own, unless `>1` has one.
                if parted.is_some() {
                    words.next();
                }
                parted.or_else(|| read_size(number))
            });
            all.push(match (size, word.strip_prefix("type:")) {
                (Some(bytes), _) if word.starts_with('>') => Condition::Larger(bytes),
                (Some(bytes), _) => Condition::Smaller(bytes),
                (None, Some(kind)) => Condition::Type(kind.to_owned()),
                (None, None) => pattern(word).unwrap_or_else(|| Condition::Part(word.to_owned())),
            });
        }
        Find(all)
    }

    /// Whether this is what people look for. A folder has no type and no size.
    pub fn has(&self, entry: &Entry) -> bool {
        let name = entry.name.to_lowercase();
        self.0.iter().all(|condition| match condition {
            Condition::Part(part) => name.contains(part),
            Condition::Pattern(glob) => glob.matches(name.trim_end_matches('/')),
            Condition::Type(kind) => !entry.folder && is_of(&name, kind),
            Condition::Larger(bytes) => entry.size.is_some_and(|size| size > *bytes),
            Condition::Smaller(bytes) => entry.size.is_some_and(|size| size < *bytes),
        })
    }
}

/// A pattern below any folders; `None` for a word without `*` and `?`.
fn pattern(word: &str) -> Option<Condition> {
    if !word.contains(['*', '?']) {
        return None;
    }
    let mut glob = "**/".to_owned();
    for c in word.chars() {
        if "\\[]{}".contains(c) {
            glob.push('\\');
        }
        glob.push(c);
    }
    Glob::new(glob).ok().map(Condition::Pattern)
}

fn is_of(name: &str, kind: &str) -> bool {
    let known = content_type(name);
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    let is_kind = known
        .split_once('/')
        .is_some_and(|(first, _)| first == kind);
    known == kind || is_kind || ending == Some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_found_by_name_type_and_size() {
        let entry = |name: &str, size: Option<u64>| Entry {
            name: name.to_owned(),
            folder: name.ends_with('/'),
            size,
            ..Entry::default()
        };
        let entries = [
            entry("photos/", None),
            entry("photos/Otter.JPG", Some(2 << 20)),
            entry("photos/otter.txt", Some(12)),
            entry("my sales.csv", Some(9_999)),
            entry("old/sales[1].csv", Some(20_000)),
        ];
        for (text, found) in [
            (
                "",
                "photos/ photos/Otter.JPG photos/otter.txt my sales.csv old/sales[1].csv",
            ),
            ("OTTER", "photos/Otter.JPG photos/otter.txt"),
            ("my sales", "my sales.csv"),
            ("*.csv", "my sales.csv old/sales[1].csv"),
            ("old/*[1].csv", "old/sales[1].csv"),
            ("photo?", "photos/"),
            ("type:text/csv", "my sales.csv old/sales[1].csv"),
            ("type:image", "photos/Otter.JPG"),
            ("type:txt", "photos/otter.txt"),
            (">1 MiB", "photos/Otter.JPG"),
            (">1MiB", "photos/Otter.JPG"),
            ("<10 kB", "photos/otter.txt my sales.csv"),
            ("*.csv <10 kB", "my sales.csv"),
            ("<10kb sales", "my sales.csv"),
            (">12 <10000 type:csv", "my sales.csv"),
            (">x", ""),
        ] {
            let find = Find::new(text);
            let names = entries.iter().filter(|it| find.has(it));
            let names: Vec<&str> = names.map(|it| &*it.name).collect();
            assert_eq!(names.join(" "), found, "{text}");
        }
    }
}
