//! The parts of a bucket that listings have shown.

use super::base::{list, text};
use super::kept::{Known, Told};
use crate::caller::size;
use crate::domain::Value;
use crate::markers::next_marker;
use crate::memory::state::DEFAULT_STORAGE_CLASS;
use jiff::Timestamp;
use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;

/// The keys that pages of listings had, and where they would have had others.
#[derive(Default)]
pub(super) struct Spans {
    keys: BTreeMap<Box<str>, Told>,
    /// Spans without gaps: from their first possible key to the end, which is not in it. Without
    /// an end, to the last key of the bucket.
    whole: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    /// Where a page began that a token asks for.
    tokens: HashMap<String, String>,
    /// Whether a page was not in the order of its keys, so that pages tell of no gaps.
    is_unordered: bool,
}

impl Spans {
    /// Forgets all pages, but not in which order they were.
    pub fn forget(&mut self) {
        *self = Spans {
            is_unordered: self.is_unordered,
            ..Spans::default()
        };
    }

    /// What is known of a key.
    pub fn known(&self, key: &str) -> Known {
        if let Some(told) = self.keys.get(key) {
            return Known::Is(told.clone());
        }
        let before = (Bound::Unbounded, Bound::Included(key.as_bytes().to_vec()));
        let span = self.whole.range(before).next_back();
        let is_within = |end: &Option<Vec<u8>>| match end {
            Some(end) => key.as_bytes() < end.as_slice(),
            None => true,
        };
        match span {
            Some((_, end)) if !self.is_unordered && is_within(end) => Known::IsNot,
            _ => Known::Unknown,
        }
    }

    /// Takes note of a page of `list_objects` or `list_objects_v2`.
    pub fn note(&mut self, params: &Value, page: &Value) {
        if text(params, "EncodingType").is_some() {
            return;
        }
        let entries = list(page, "Contents");
        let names: Vec<&str> = entries.iter().filter_map(|it| text(it, "Key")).collect();
        for entry in entries {
            if let Some((key, told)) = told(entry) {
                self.keys.insert(key.into(), told);
            }
        }
        let prefix = text(params, "Prefix").unwrap_or_default();
        let start = match (text(params, "ContinuationToken"), text(params, "Marker")) {
            (Some(token), _) => self.tokens.get(token).cloned(),
            (None, Some(marker)) => Some(marker.to_owned()),
            (None, None) => text(params, "StartAfter").map(str::to_owned),
        };
        let is_continued = text(params, "ContinuationToken").is_some();
        let after = start.as_deref().unwrap_or_default();
        let is_ordered = names.is_sorted()
            && names.iter().all(|key| key.starts_with(prefix))
            && names.first().is_none_or(|first| *first > after);
        self.is_unordered |= !is_ordered;
        let last = names.last().copied();
        if let (Some(token), Some(last)) = (next_marker(page, "NextContinuationToken"), last) {
            self.tokens.insert(token.to_owned(), last.to_owned());
        }
        let has_groups = text(params, "Delimiter").is_some_and(|it| !it.is_empty());
        // Nobody asked for keys.
        let has_none = params.get("MaxKeys").and_then(Value::as_int) == Some(0);
        if has_groups || has_none || (is_continued && start.is_none() && last.is_none()) {
            return;
        }
        let begin = match (start.as_deref(), names.first()) {
            (None, Some(first)) if is_continued => first.as_bytes().to_vec(),
            (Some(after), _) if after >= prefix => [after.as_bytes(), b"\0"].concat(),
            _ => prefix.as_bytes().to_vec(),
        };
        let is_truncated = page.get("IsTruncated").and_then(Value::as_bool) == Some(true);
        let end = match (is_truncated, last) {
            (true, None) => return,
            (true, Some(last)) => Some([last.as_bytes(), b"\0"].concat()),
            (false, _) => after_prefix(prefix),
        };
        self.add(begin, end);
    }

    /// Adds a span, and joins it with those that it touches.
    fn add(&mut self, mut begin: Vec<u8>, mut end: Option<Vec<u8>>) {
        if end.as_ref().is_some_and(|end| *end <= begin) {
            return;
        }
        let touches =
            |one: &Option<Vec<u8>>, other: &Vec<u8>| one.as_ref().is_none_or(|one| one >= other);
        let near: Vec<Vec<u8>> = (self.whole.iter())
            .filter(|(start, its_end)| touches(its_end, &begin) && touches(&end, start))
            .map(|(start, _)| start.clone())
            .collect();
        for start in near {
            let its_end = self.whole.remove(&start).flatten();
            end = match (end, its_end) {
                (Some(one), Some(other)) => Some(one.max(other)),
                _ => None,
            };
            begin = begin.min(start);
        }
        self.whole.insert(begin, end);
    }
}

fn told(entry: &Value) -> Option<(&str, Told)> {
    let modified = match entry.get("LastModified") {
        Some(Value::Time(time)) => *time,
        _ => Timestamp::UNIX_EPOCH,
    };
    let class = text(entry, "StorageClass").filter(|class| *class != DEFAULT_STORAGE_CLASS);
    let told = Told {
        etag: text(entry, "ETag")?.into(),
        size: size(entry, "Size"),
        modified,
        class: class.map(Into::into),
    };
    Some((text(entry, "Key")?, told))
}

/// The first text after all that begin with a prefix.
fn after_prefix(prefix: &str) -> Option<Vec<u8>> {
    let mut bytes = prefix.as_bytes().to_vec();
    while let Some(last) = bytes.pop() {
        if last < u8::MAX {
            bytes.push(last + 1);
            return Some(bytes);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    /// A page from `asked: keys`, where `…` at the end says that more follow.
    fn note(spans: &mut Spans, line: &str) {
        let (asked, keys) = line.split_once(':').expect("asked: keys");
        let params = asked
            .split_whitespace()
            .map(|it| it.split_once('=').expect("a pair"));
        let params = params.map(|(name, value)| (name.to_owned().into(), value.into()));
        let more = keys.trim_end().ends_with('…');
        let entry = |key: &str| {
            Value::Map(vec![
                ("Key".into(), key.into()),
                ("ETag".into(), "\"e\"".into()),
            ])
        };
        let keys = keys.split_whitespace().filter(|key| *key != "…").map(entry);
        let page = vec![
            ("Contents".into(), Value::List(keys.collect())),
            ("IsTruncated".into(), more.into()),
            ("NextContinuationToken".into(), "next".into()),
        ];
        spans.note(&Value::Map(params.collect()), &Value::Map(page));
    }

    #[test]
    fn what_a_page_would_have_had_is_not_there() {
        let pages = "\
            Prefix=a/: a/1 a/3
            Prefix=b/: b/2 b/4 …
            Prefix=b/ ContinuationToken=next: b/6 …
            Prefix=c/ StartAfter=c/3: c/5
            Prefix=d/ Delimiter=/: d/1
            Prefix=e/ ContinuationToken=foreign: e/3 e/5 …";
        let mut spans = Spans::default();
        pages.lines().for_each(|line| note(&mut spans, line.trim()));
        let asked = "a/1 a/2 a/9 a0 b/1 b/3 b/5 b/6 b/7 c/2 c/3 c/4 c/9 d/1 d/2 e/2 e/4 e/6";
        let known = asked.split(' ').map(|key| match spans.known(key) {
            Known::Is(_) => format!("{key} is\n"),
            Known::IsNot => format!("{key} is not\n"),
            Known::Unknown => format!("{key} ?\n"),
        });
        expect![[r#"
            a/1 is
            a/2 is not
            a/9 is not
            a0 ?
            b/1 is not
            b/3 is not
            b/5 is not
            b/6 is
            b/7 ?
            c/2 ?
            c/3 ?
            c/4 is not
            c/9 is not
            d/1 is
            d/2 ?
            e/2 ?
            e/4 is not
            e/6 ?
        "#]]
        .assert_eq(&known.collect::<String>());
        assert_eq!(spans.whole.len(), 4);
        // A server whose pages are in another order tells of no gaps.
        note(&mut spans, "Prefix=f/: f/2 f/1");
        assert_eq!(spans.known("a/2"), Known::Unknown);
    }
}
