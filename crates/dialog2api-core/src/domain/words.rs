//! The nouns of a domain for its containers and records, and numbers with their nouns.

use super::Text;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The nouns of a domain for its containers and for the records in them. Plans and policies
/// are shown in these words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Words {
    /// One outermost container: for S3 `bucket`.
    pub container: Text,
    /// Several of them: `buckets`.
    pub containers: Text,
    /// One thing in a container: for S3 `object`.
    pub record: Text,
    /// Several of them: `objects`.
    pub records: Text,
}

impl Default for Words {
    fn default() -> Self {
        Words {
            container: "container".into(),
            containers: "containers".into(),
            record: "record".into(),
            records: "records".into(),
        }
    }
}

/// A number with its noun: `1 turn`, `2 turns`, `2 entries`.
///
/// ```
/// use dialog2api_core::domain::counted;
///
/// assert_eq!(counted(1, "key"), "1 key");
/// assert_eq!(counted(0, "key"), "0 keys");
/// assert_eq!(counted(2, "planned copy"), "2 planned copies");
/// ```
pub fn counted<N: fmt::Display + PartialEq + From<u8>>(count: N, one: &str) -> String {
    let is_consonant = |c: char| !"aeiou".contains(c);
    match one.strip_suffix('y') {
        _ if count == N::from(1) => format!("{count} {one}"),
        Some(stem) if stem.ends_with(is_consonant) => format!("{count} {stem}ies"),
        _ => format!("{count} {one}s"),
    }
}

/// The word that goes with a number: `is` with one, `are` with none and with several.
pub fn plural<'w, N: PartialEq + From<u8>>(count: N, one: &'w str, more: &'w str) -> &'w str {
    match count == N::from(1) {
        true => one,
        false => more,
    }
}

/// How many names are listed. The others are only counted.
const LISTED: usize = 12;

/// Names in their order, with repetitions counted. Of a long list, each name stands once, with all
/// of its times.
///
/// ```
/// use dialog2api_core::domain::tallied;
///
/// assert_eq!(tallied(&["look", "add", "add"]), "look, add × 2");
/// assert_eq!(tallied(&["look", "add"].repeat(450)), "look × 450, add × 450");
/// ```
pub fn tallied<S: AsRef<str>>(names: &[S]) -> String {
    let groups = names.chunk_by(|one, next| one.as_ref() == next.as_ref());
    let groups = groups.filter_map(|group| Some((group.first()?.as_ref(), group.len())));
    let mut groups: Vec<(&str, usize)> = groups.collect();
    if groups.len() > LISTED {
        let mut sums: Vec<(&str, usize)> = Vec::new();
        for (name, times) in groups {
            match sums.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => *sum += times,
                None => sums.push((name, times)),
            }
        }
        groups = sums;
    }
    let named = groups.iter().take(LISTED).map(|(name, times)| match times {
        1 => (*name).to_owned(),
        times => format!("{name} × {times}"),
    });
    let mut named: Vec<String> = named.collect();
    if groups.len() > LISTED {
        named.push(format!("… ({} in all)", names.len()));
    }
    named.join(", ")
}
