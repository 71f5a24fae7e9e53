//! What an answer says about its pages.

use super::names::{self, key};
use crate::domain::{Map, Value};

/// What an answer says about its pages. Its fields are looked for in the answer itself and in
/// the dicts around and beside its items.
pub struct Said<'v> {
    scopes: Vec<&'v Map>,
    /// The URL of the next page.
    pub link: Option<&'v str>,
    /// Whether there are more items.
    pub more: Option<bool>,
    /// How many items all pages have.
    pub total: Option<i64>,
    /// How many items all pages have, or only this one.
    pub count: Option<i64>,
    /// How many pages there are.
    pub pages: Option<i64>,
    /// The number of the last page.
    pub last: Option<i64>,
    /// The number of this page.
    pub number: Option<i64>,
}

impl<'v> Said<'v> {
    /// What an answer says, and a header that has the URL of the next page.
    pub fn of(value: &'v Value, header: Option<&'v str>) -> Self {
        let mut scopes = Vec::new();
        collect(value, 0, &mut scopes);
        let mut said = Said {
            scopes,
            link: None,
            more: None,
            total: None,
            count: None,
            pages: None,
            last: None,
            number: None,
        };
        said.link = header.or_else(|| said.link());
        let truth = |names| said.find(names, truth);
        let is_last = truth(names::LAST).map(|it| !it);
        said.more = truth(names::MORE).or(is_last);
        said.total = said.find(names::TOTAL, number);
        said.count = said.find(names::COUNT, number);
        said.pages = said.find(names::PAGES, number);
        said.last = said.find(names::LAST_PAGE, number);
        said.number = said.find(names::NUMBER, number);
        said
    }

    /// The first field of these names, the first name first, of which `read` makes something.
    pub fn find<T>(&self, known: &[&str], read: impl Fn(&'v Value) -> Option<T>) -> Option<T> {
        known.iter().find_map(|wanted| {
            let fields = self.scopes.iter().flat_map(|scope| scope.iter());
            let mut of_name = fields.filter(|(name, _)| key(name) == *wanted);
            of_name.find_map(|(_, value)| read(value))
        })
    }

    /// Whether a field about the next page is there and has nothing: `next: null`.
    pub fn has_no_next(&self) -> bool {
        let sure = names::MARK.get(..names::SURE_MARKS).unwrap_or_default();
        let known = [sure, names::LINK, names::NEXT_OFFSET, names::NEXT_PAGE].concat();
        let nothing = |value: &Value| match value {
            Value::Null | Value::Bool(false) => Some(()),
            Value::Str(text) => text.is_empty().then_some(()),
            _ => None,
        };
        self.find(&known, nothing).is_some()
    }

    /// The mark for the next page. `sent` is the mark of the call, which some answers repeat.
    pub fn mark(&self, sent: Option<&Value>) -> Option<&'v Value> {
        let (sure, others) = names::MARK.split_at(names::SURE_MARKS);
        let is_mark = |value: &'v Value| match value {
            Value::Str(text) if !text.is_empty() && !is_url(text) => Some(value),
            Value::Int(_) | Value::BigInt(_) => Some(value),
            _ => None,
        };
        let of_next = self.find(sure, is_mark);
        let other = || {
            let mark = self.find(others, is_mark);
            mark.filter(|mark| !self.has_no_next() && sent != Some(*mark))
        };
        of_next.or_else(other)
    }

    fn link(&self) -> Option<&'v str> {
        let of_link = self.find(names::LINK, |value| url(value, true));
        let of_next = || self.find(names::NEXT, |value| url(value, false));
        // `links: {next: …}` and `links: [{rel: "next", href: …}]`
        let of_links = || {
            self.find(&["links", "link"], |value| {
                let mut links = value.as_list().unwrap_or_default().iter();
                let is_next = |link: &&Value| {
                    let rel = link.get("rel").and_then(Value::as_str);
                    rel.is_some_and(|rel| rel.eq_ignore_ascii_case("next"))
                };
                url(value.get("next").or_else(|| links.find(is_next))?, true)
            })
        };
        of_link.or_else(of_links).or_else(of_next)
    }
}

/// The dicts in which an answer may say something about its pages.
fn collect<'v>(value: &'v Value, depth: usize, scopes: &mut Vec<&'v Map>) {
    let Value::Map(pairs) = value else {
        return;
    };
    scopes.push(pairs);
    if depth == 3 {
        return;
    }
    for (name, value) in pairs {
        if pairs.len() == 1 || names::is(name, names::AROUND) {
            collect(value, depth + 1, scopes);
        }
    }
}

/// The URL in a field. `is_sure` says that the field has nothing else.
fn url(value: &Value, is_sure: bool) -> Option<&str> {
    match value {
        Value::Str(url) => (is_url(url) || is_sure && !url.is_empty()).then_some(url),
        Value::Map(_) => {
            let names = ["href", "url", "uri", "link"];
            let mut urls = names.iter().filter_map(|name| value.get(name)?.as_str());
            urls.find(|url| !url.is_empty())
        }
        _ => None,
    }
}

fn is_url(text: &str) -> bool {
    let is_whole = text.starts_with("http://") || text.starts_with("https://");
    is_whole || text.starts_with('?') || text.starts_with('/') && text.contains('?')
}

/// A number, also one that is written as text.
pub fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Str(text) => text.parse().ok(),
        other => other.as_int(),
    }
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::Str(text) if text.eq_ignore_ascii_case("true") => Some(true),
        Value::Str(text) if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}
