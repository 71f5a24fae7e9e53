//! The listings that a program has read, in their order.

use crate::caller::{list, size, text};
use crate::domain::Value;

/// The most keys that are known. A program works on what it has listed last.
const MOST_KEYS: usize = 200_000;

/// How far the next key of an ending is looked for.
const FARTHEST: usize = 1_000;

/// The listings that a program has.
#[derive(Default)]
pub(super) struct Listed {
    /// The newest at the end.
    runs: Vec<Run>,
    numbered: u64,
    keys: usize,
}

/// Pages of a listing that follow each other.
struct Run {
    number: u64,
    bucket: String,
    /// What was asked for: the prefix and the delimiter.
    of: (String, String),
    /// Keys and sizes, in byte order.
    keys: Vec<(Box<str>, u64)>,
}

/// A key in a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct At {
    pub run: u64,
    pub index: usize,
}

impl Listed {
    /// Takes note of a page of `list_objects` or `list_objects_v2`. A page that is not in the
    /// order of its keys tells nothing.
    pub fn note(&mut self, params: &Value, page: &Value) {
        let Some(bucket) = text(params, "Bucket") else {
            return;
        };
        let entries = list(page, "Contents").iter();
        let keys = entries.filter_map(|it| Some((Box::from(text(it, "Key")?), size(it, "Size"))));
        let keys: Vec<(Box<str>, u64)> = keys.collect();
        let is_encoded = text(params, "EncodingType").is_some();
        let is_ordered = keys.is_sorted_by(|(one, _), (other, _)| one < other);
        let Some((first, _)) = keys.first().filter(|_| is_ordered && !is_encoded) else {
            return;
        };
        let named = |name| text(params, name).unwrap_or_default().to_owned();
        let of = (named("Prefix"), named("Delimiter"));
        let continues = ["ContinuationToken", "Marker", "StartAfter"].iter();
        let is_continued = continues
            .into_iter()
            .any(|name| text(params, name).is_some());
        self.keys += keys.len();
        let same = (self.runs.iter()).position(|run| run.bucket == bucket && run.of == of);
        let same = same.map(|index| self.runs.remove(index));
        match same {
            Some(mut run)
                if is_continued && run.keys.last().is_none_or(|(last, _)| last < first) =>
            {
                run.keys.extend(keys);
                self.runs.push(run);
            }
            other => {
                self.keys -= other.map_or(0, |run| run.keys.len());
                self.numbered += 1;
                self.runs.push(Run {
                    number: self.numbered,
                    bucket: bucket.to_owned(),
                    of,
                    keys,
                });
            }
        }
        while self.keys > MOST_KEYS && !self.runs.is_empty() {
            self.keys -= self.runs.remove(0).keys.len();
        }
    }

    /// Where a key is, in the newest listing that has it.
    pub fn find(&self, bucket: &str, key: &str) -> Option<At> {
        let runs = self.runs.iter().rev().filter(|run| run.bucket == bucket);
        runs.into_iter().find_map(|run| {
            let index = run.keys.binary_search_by(|(it, _)| (**it).cmp(key)).ok()?;
            Some(At {
                run: run.number,
                index,
            })
        })
    }

    /// A key and its size.
    pub fn get(&self, at: At) -> Option<(&str, u64)> {
        let run = self.runs.iter().find(|run| run.number == at.run)?;
        run.keys.get(at.index).map(|(key, size)| (&**key, *size))
    }

    /// The next key from here on, or the next with this ending.
    pub fn next(&self, from: At, ending: Option<&str>) -> Option<At> {
        let run = self.runs.iter().find(|run| run.number == from.run)?;
        let keys = run.keys.iter().enumerate().skip(from.index).take(FARTHEST);
        let mut fitting =
            keys.filter(|(_, (key, _))| ending.is_none_or(|it| it == self::ending(key)));
        let (index, _) = fitting.next()?;
        Some(At { index, ..from })
    }
}

impl At {
    /// The place after this one.
    pub fn after(self) -> At {
        At {
            index: self.index + 1,
            ..self
        }
    }
}

/// The ending of a key, by which a program may choose it: `.txt`, or the `/` of a folder.
pub(super) fn ending(key: &str) -> &str {
    let name = key.rfind('/').map_or(0, |at| at + 1);
    match key.get(name..).unwrap_or_default() {
        "" => "/",
        name => name
            .rfind('.')
            .and_then(|at| name.get(at..))
            .unwrap_or_default(),
    }
}
