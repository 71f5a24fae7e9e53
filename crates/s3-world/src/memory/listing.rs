//! Selects one page of keys by prefix, delimiter, start and limit.

use super::object_map::ObjectMap;
use super::state::Object;
use std::ops::Bound;

/// Selects the keys of a page.
pub struct Query<'a> {
    /// Only keys with this prefix.
    pub prefix: &'a str,
    /// Keys that are equal up to the next delimiter after the prefix are grouped into a
    /// common prefix.
    pub delimiter: Option<&'a str>,
    /// Only keys and common prefixes after this one.
    pub after: &'a str,
    /// The most keys and common prefixes together.
    pub limit: usize,
}

/// The selected page.
#[derive(Default)]
pub struct Page<'a> {
    /// The keys and their objects.
    pub objects: Vec<(&'a str, &'a Object)>,
    /// The common prefixes; each counts as one key towards the limit.
    pub prefixes: Vec<&'a str>,
    /// The last key or common prefix of this page, if another page follows.
    pub next: Option<&'a str>,
}

impl Query<'_> {
    /// Selects one page.
    pub fn run<'a>(&self, objects: &'a ObjectMap) -> Page<'a> {
        let mut page = Page::default();
        let mut last = None;
        if self.limit == 0 {
            return page;
        }
        let Some(mut start) = self.start() else {
            return page;
        };
        'group: loop {
            for (key, object) in objects.from(as_ref(&start)) {
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
                        // The rest of the group is skipped without visiting its keys.
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

    /// Where the page begins; `None` if no key can follow.
    fn start(&self) -> Option<Bound<String>> {
        // A marker that is itself a common prefix means the whole group.
        if self.common_prefix(self.after) == Some(self.after) {
            return successor(self.after).map(Bound::Included);
        }
        Some(if self.after.is_empty() || self.after < self.prefix {
            Bound::Included(self.prefix.to_owned())
        } else {
            Bound::Excluded(self.after.to_owned())
        })
    }

    /// The common prefix into which `key` is grouped.
    pub fn common_prefix<'k>(&self, key: &'k str) -> Option<&'k str> {
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

/// The smallest text that is greater than every text with this prefix. UTF-8 sorts in the
/// order of code points, so the last character is replaced by its successor.
fn successor(prefix: &str) -> Option<String> {
    let mut text = prefix.to_owned();
    while let Some(last) = text.pop() {
        // The range of a char skips the surrogates.
        if let Some(next) = (last..=char::MAX).nth(1) {
            text.push(next);
            return Some(text);
        }
    }
    None
}
