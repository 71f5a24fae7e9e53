//! One page of keys: what prefix, delimiter, start and limit select.

use super::state::Object;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

/// What to list.
pub struct Query<'a> {
    /// Only keys that begin with this.
    pub prefix: &'a str,
    /// Keys that share the part up to its next occurrence are rolled up.
    pub delimiter: Option<&'a str>,
    /// Only what comes after this key or common prefix.
    pub after: &'a str,
    /// At most so many keys and common prefixes together.
    pub limit: usize,
}

/// What was selected.
#[derive(Default)]
pub struct Page<'a> {
    /// The keys and their objects.
    pub objects: Vec<(&'a str, &'a Object)>,
    /// The common prefixes; each counts towards the limit as one key does.
    pub prefixes: Vec<&'a str>,
    /// Where the next page starts, when there is one: the last key or common prefix here.
    pub next: Option<&'a str>,
}

impl Query<'_> {
    /// Selects one page.
    pub fn run<'a>(&self, objects: &'a BTreeMap<Arc<str>, Arc<Object>>) -> Page<'a> {
        let mut page = Page::default();
        let mut last = None;
        if self.limit == 0 {
            return page;
        }
        let Some(mut start) = self.start() else {
            return page;
        };
        'group: loop {
            let range = (as_ref(&start), Bound::Unbounded);
            for (key, object) in objects.range::<str, _>(range) {
                if !key.starts_with(self.prefix) {
                    break 'group;
                }
                if page.objects.len() + page.prefixes.len() == self.limit {
                    page.next = last;
                    break 'group;
                }
                match self.common_prefix(key) {
                    None => {
                        page.objects.push((key, object));
                        last = Some(&**key);
                    }
                    Some(common) => {
                        page.prefixes.push(common);
                        last = Some(common);
                        // The rest of the group is skipped, not walked.
                        match successor(common) {
                            Some(next) => start = Bound::Included(next),
                            None => break 'group,
                        }
                        continue 'group;
                    }
                }
            }
            break;
        }
        page
    }

    /// Where to begin; `None` when nothing can come after.
    fn start(&self) -> Option<Bound<String>> {
        // A marker that is itself a common prefix stands for the whole group.
        if self.common_prefix(self.after) == Some(self.after) {
            return successor(self.after).map(Bound::Included);
        }
        Some(if self.after.is_empty() || self.after < self.prefix {
            Bound::Included(self.prefix.to_owned())
        } else {
            Bound::Excluded(self.after.to_owned())
        })
    }

    /// What `key` is rolled up to.
    fn common_prefix<'k>(&self, key: &'k str) -> Option<&'k str> {
        let delimiter = self.delimiter?;
        let rest = key.strip_prefix(self.prefix)?;
        let end = self.prefix.len() + rest.find(delimiter)? + delimiter.len();
        key.get(..end)
    }
}

fn as_ref(bound: &Bound<String>) -> Bound<&str> {
    match bound {
        Bound::Included(text) => Bound::Included(text),
        Bound::Excluded(text) => Bound::Excluded(text),
        Bound::Unbounded => Bound::Unbounded,
    }
}

/// The least text above every text that begins with `prefix`. UTF-8 keeps the
/// order of code points, so the last character's successor does it.
fn successor(prefix: &str) -> Option<String> {
    let mut text = prefix.to_owned();
    while let Some(last) = text.pop() {
        // The range of a char steps over the surrogates.
        if let Some(next) = (last..=char::MAX).nth(1) {
            text.push(next);
            return Some(text);
        }
    }
    None
}
