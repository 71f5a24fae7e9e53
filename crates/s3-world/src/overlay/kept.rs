//! What a base has said, so that it is asked each question once.

use super::spans::Spans;
use crate::domain::{Answer, Map, Value};
use jiff::Timestamp;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most bytes of answers that are kept. The oldest go first.
const MOST_BYTES: usize = 64 << 20;

/// A content that is larger is not kept.
const MOST_CONTENT: usize = 1 << 20;

/// The most keys of listings that are kept. Then all are forgotten: a program works on what it
/// has listed last.
const MOST_KEYS: usize = 200_000;

/// What a base has said while one program runs. Within it, the base stays as it was when it was
/// first asked.
#[derive(Default)]
pub(super) struct Kept(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    answers: HashMap<String, (Answer, usize)>,
    /// The questions in the order in which they were asked.
    asked: VecDeque<String>,
    bytes: usize,
    buckets: HashMap<String, OfBucket>,
    keys: usize,
}

/// What is known of one bucket.
#[derive(Default)]
pub(super) struct OfBucket {
    pub spans: Spans,
    pub looks: Looks,
}

/// A key that a listing has told of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Told {
    pub etag: Box<str>,
    pub size: u64,
    pub modified: Timestamp,
    /// The storage class, unless it is the usual one.
    pub class: Option<Box<str>>,
}

/// What listings have told of a key.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Known {
    /// It is there.
    Is(Told),
    /// It is not: its listing would have had it.
    IsNot,
    /// No listing was where it would be.
    Unknown,
}

/// The looks at keys of a bucket that no listing had told of.
#[derive(Default)]
pub(super) struct Looks {
    /// The last keys, the newest at the end.
    recent: VecDeque<String>,
    /// The looks since the last listing.
    since: usize,
    /// The looks that were answered from listings since the last one.
    pub served: usize,
    /// How many looks are to come before the next listing.
    wait: usize,
}

impl Looks {
    /// Notes a look at a key that is not known. Returns the prefix to list, if its like were
    /// asked for before, and if listings have been of use.
    pub fn note(&mut self, key: &str) -> Option<String> {
        if self.recent.back().is_some_and(|last| last == key) {
            return None;
        }
        self.recent.push_back(key.to_owned());
        if self.recent.len() > 4 {
            self.recent.pop_front();
        }
        self.since += 1;
        // The keys of two folders may take turns, as those of a move do.
        let mut others = self.recent.iter().rev().skip(1);
        let prefix = match others.any(|other| folder(other) == folder(key)) {
            true => folder(key).to_owned(),
            false if self.recent.len() == 4 => {
                let others = self.recent.iter();
                others.fold(key.to_owned(), |prefix, other| common(&prefix, other))
            }
            false => return None,
        };
        if self.since < self.wait {
            return None;
        }
        // A listing that answered one look was no better than the look itself.
        self.wait = match self.served {
            _ if self.wait == 0 => 1,
            0 | 1 => (self.wait * 2).min(256),
            _ => 1,
        };
        (self.since, self.served) = (0, 0);
        Some(prefix)
    }
}

fn folder(key: &str) -> &str {
    let end = key.rfind('/').map_or(0, |at| at + 1);
    key.get(..end).unwrap_or_default()
}

fn common(one: &str, other: &str) -> String {
    let same = one.chars().zip(other.chars());
    let same = same.take_while(|(a, b)| a == b).map(|(a, _)| a);
    same.collect()
}

impl Kept {
    /// The answer to a question that was asked before.
    pub fn answer(&self, question: &str) -> Option<Answer> {
        let inner = self.lock();
        inner
            .answers
            .get(question)
            .map(|(answer, _)| answer.clone())
    }

    /// Whether a question was asked before.
    pub fn has_asked(&self, question: &str) -> bool {
        self.lock().answers.contains_key(question)
    }

    /// Keeps an answer, unless it is large.
    pub fn keep(&self, question: String, answer: &Answer) {
        let size = match answer {
            Ok(value) => weight(value),
            Err(_) => 200,
        };
        let content = answer.as_ref().ok().and_then(|value| value.get("Body"));
        if matches!(content, Some(Value::Bytes(bytes)) if bytes.len() > MOST_CONTENT) {
            return;
        }
        let size = size + question.len() * 2;
        let mut inner = self.lock();
        let before = inner
            .answers
            .insert(question.clone(), (answer.clone(), size));
        match before {
            Some((_, before)) => inner.bytes -= before,
            None => inner.asked.push_back(question),
        }
        inner.bytes += size;
        while inner.bytes > MOST_BYTES {
            let Some(oldest) = inner.asked.pop_front() else {
                return;
            };
            if let Some((_, size)) = inner.answers.remove(&oldest) {
                inner.bytes -= size;
            }
        }
    }

    /// Works with what is known of a bucket.
    pub fn of_bucket<T>(&self, bucket: &str, work: impl FnOnce(&mut OfBucket) -> T) -> T {
        let mut inner = self.lock();
        work(inner.buckets.entry(bucket.to_owned()).or_default())
    }

    /// Makes room for more keys of listings, and counts them.
    pub fn expect_keys(&self, more: usize) {
        let mut inner = self.lock();
        inner.keys += more;
        if inner.keys > MOST_KEYS {
            inner.keys = more;
            for known in inner.buckets.values_mut() {
                known.spans.forget();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// About how many bytes a value takes.
fn weight(value: &Value) -> usize {
    let own = size_of::<Value>();
    let of_map = |pairs: &Map| -> usize {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| name.len() + 24 + weight(value))
            .sum()
    };
    own + match value {
        Value::Str(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(items) => items.iter().map(weight).sum(),
        Value::Map(pairs) => of_map(pairs),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_alike_is_listed_while_that_helps() {
        let mut looks = Looks::default();
        let mut note = |key: &str, served| {
            looks.served += served;
            looks.note(key)
        };
        assert_eq!(note("out/1", 0), None);
        assert_eq!(note("out/2", 0).as_deref(), Some("out/"));
        assert_eq!(note("out/3", 9).as_deref(), Some("out/"));
        // The last listing was of no use, so two looks are waited for.
        assert_eq!(note("out/4", 0).as_deref(), Some("out/"));
        assert_eq!(note("out/5", 0), None);
        assert_eq!(note("out/6", 0).as_deref(), Some("out/"));
        // Keys in different folders have a listing in common, too.
        let mut looks = Looks::default();
        let prefixes = ["a/1/x", "a/2/x", "a/3/x", "a/4/x"].map(|key| looks.note(key));
        assert_eq!(prefixes, [None, None, None, Some("a/".to_owned())]);
    }

    #[test]
    fn the_oldest_answers_go() {
        let kept = Kept::default();
        let body = |byte: u8| {
            let body = Value::Bytes(vec![byte; MOST_CONTENT].into());
            Ok(Value::Map(vec![("Body".into(), body)]))
        };
        for number in 0..100 {
            kept.keep(number.to_string(), &body(number));
        }
        let known = (0..100).filter(|number| kept.has_asked(&number.to_string()));
        assert_eq!(known.collect::<Vec<i32>>(), (37..100).collect::<Vec<_>>());
        let large = Value::Bytes(vec![0; MOST_CONTENT + 1].into());
        kept.keep(
            "large".to_owned(),
            &Ok(Value::Map(vec![("Body".into(), large)])),
        );
        assert!(!kept.has_asked("large"));
    }
}
