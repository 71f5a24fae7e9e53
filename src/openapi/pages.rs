//! Results that come in pages, and the call for the next page.

use super::answer::Response;
use super::model::{Method, Operation, Parameter, Place, Shape};
use crate::domain::{Map, Value};
use percent_encoding::percent_decode_str;

/// The way to ask for the next page of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pages {
    /// The header `Link` of the answer has the URL of the next page (RFC 5988).
    Link,
    /// A parameter counts the pages.
    Page {
        /// The parameter that counts them.
        page: String,
        /// The parameter for the size of a page.
        size: Option<String>,
    },
    /// The answer has a mark, which the next call passes on.
    Cursor {
        /// The parameter that takes the mark.
        cursor: String,
    },
    /// A parameter counts the items that come before the page.
    Offset {
        /// The parameter that counts them.
        offset: String,
        /// The parameter for the size of a page.
        size: Option<String>,
    },
}

/// The argument of a call that asks for the items of all pages. It is added by this program,
/// unless the document has a parameter of this name.
pub(super) const ALL_PAGES: &str = "all_pages";

/// The most pages that one call reads.
pub(super) const MOST_PAGES: usize = 100;

const PAGE: [&str; 5] = ["page", "pagenumber", "pageno", "pagenum", "pageindex"];
const OFFSET: [&str; 5] = ["offset", "skip", "startat", "startindex", "start"];
const CURSOR: [&str; 13] = [
    "cursor",
    "nextcursor",
    "pagetoken",
    "nexttoken",
    "nextpagetoken",
    "continuationtoken",
    "continuation",
    "startingafter",
    "after",
    "marker",
    "startcursor",
    "pagecursor",
    "nextpage",
];
const SIZE: [&str; 12] = [
    "perpage",
    "pagesize",
    "limit",
    "size",
    "count",
    "maxresults",
    "maxitems",
    "pagelimit",
    "take",
    "top",
    "first",
    "n",
];
/// The fields of answers that hold a mark for the next page.
const MARKS: [&str; 12] = [
    "nextcursor",
    "nextpagetoken",
    "nexttoken",
    "nextpage",
    "continuationtoken",
    "endcursor",
    "nextmarker",
    "cursor",
    "next",
    "after",
    "pagetoken",
    "marker",
];
/// The fields of answers that count the pages, and the items.
const LAST_PAGE: [&str; 5] = ["totalpages", "pagecount", "lastpage", "pages", "numpages"];
const TOTAL: [&str; 4] = ["totalcount", "total", "totalitems", "totalresults"];

/// A name in lower case and without separators.
fn key(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

impl Pages {
    /// Finds out from its parameters and its answer how an operation pages.
    pub(super) fn of(
        method: Method,
        parameters: &[Parameter],
        result: &Shape,
        has_links: bool,
    ) -> Option<Self> {
        if method != Method::Get {
            return None;
        }
        let find = |known: &[&str]| {
            let mut query = parameters.iter().filter(|it| it.place == Place::Query);
            let found = query.find(|it| known.contains(&key(&it.wire).as_str()));
            found.map(|it| it.name.clone())
        };
        let size = find(&SIZE);
        if has_links {
            return Some(Pages::Link);
        }
        if !matches!(result.text.as_str(), "dict" | "Any") && !result.text.starts_with("list") {
            return None;
        }
        if let Some(page) = find(&PAGE) {
            return Some(Pages::Page { page, size });
        }
        // `after` and `start` may be dates; with a size, or a mark in the answer, they are not.
        let has_mark = result
            .fields
            .iter()
            .any(|it| MARKS.contains(&key(it).as_str()));
        if let Some(cursor) = find(&CURSOR).filter(|_| size.is_some() || has_mark) {
            return Some(Pages::Cursor { cursor });
        }
        let offset = find(&OFFSET).filter(|_| size.is_some())?;
        Some(Pages::Offset { offset, size })
    }

    /// The parameters for the next page. `None` after the last one, or if the answer does not
    /// show that there is one.
    pub(super) fn next(
        &self,
        operation: &Operation,
        params: &Value,
        response: &Response,
    ) -> Option<Value> {
        let none = Map::new();
        let pairs = match params {
            Value::Map(pairs) => pairs,
            Value::Null => &none,
            _ => return None,
        };
        let number = |name: &Option<String>| name.as_ref().and_then(|it| params.get(it)?.as_int());
        let value = &response.value;
        let count = items(value).map(<[Value]>::len);
        if let Some(url) = link(response) {
            return of_url(operation, pairs, url);
        }
        match self {
            Pages::Link => None,
            Pages::Page { page, size } => {
                let at = params.get(page).and_then(Value::as_int);
                let at = at.unwrap_or(i64::from(key(page) != "pageindex"));
                let is_last = field(value, &LAST_PAGE).and_then(Value::as_int) == Some(at);
                let short = is_short(count, number(size));
                (!is_last && !short).then(|| with(pairs, page, Value::Int(at + 1)))
            }
            Pages::Cursor { cursor } => {
                let mark = field(value, &MARKS)?;
                let is_mark = match mark {
                    Value::Str(text) => !text.is_empty(),
                    other => matches!(other, Value::Int(_)),
                };
                let is_new = params.get(cursor) != Some(mark);
                (is_mark && is_new).then(|| with(pairs, cursor, mark.clone()))
            }
            Pages::Offset { offset, size } => {
                let at = params.get(offset).and_then(Value::as_int).unwrap_or(0);
                let next = at.checked_add(i64::try_from(count?).ok()?)?;
                let total = field(value, &TOTAL).and_then(Value::as_int);
                let is_last = total.is_some_and(|total| next >= total);
                let short = is_short(count, number(size));
                (!is_last && !short).then(|| with(pairs, offset, Value::Int(next)))
            }
        }
    }
}

/// The items of a page: the answer itself, the only list in it, or a list with a common name.
pub(super) fn items(value: &Value) -> Option<&[Value]> {
    let Value::Map(pairs) = value else {
        return value.as_list();
    };
    let lists: Vec<_> = (pairs.iter())
        .filter_map(|(name, value)| Some((name, value.as_list()?)))
        .collect();
    if let [(_, only)] = lists[..] {
        return Some(only);
    }
    let usual = ["items", "results", "data", "values", "records", "entries"];
    let found = lists
        .iter()
        .find(|(name, _)| usual.contains(&name.as_ref()));
    found.map(|(_, list)| *list)
}

/// Whether a page is the last one, because it is not full. A page whose items are not known
/// counts as the last, so that paging ends.
fn is_short(count: Option<usize>, size: Option<i64>) -> bool {
    match (count, size.map(usize::try_from)) {
        (None | Some(0), _) => true,
        (Some(count), Some(Ok(size))) => count < size,
        _ => false,
    }
}

/// A field of the answer, or of a dict in it.
fn field<'v>(value: &'v Value, known: &[&str]) -> Option<&'v Value> {
    let Value::Map(pairs) = value else {
        return None;
    };
    let is = |name: &str| known.contains(&key(name).as_str());
    let own = pairs
        .iter()
        .find(|(name, value)| is(name) && matches!(value, Value::Str(_) | Value::Int(_)));
    let within = || pairs.iter().filter(|(_, it)| matches!(it, Value::Map(_)));
    let inner = || within().find_map(|(_, value)| field_at(value, &is, 0));
    own.map(|(_, value)| value).or_else(inner)
}

fn field_at<'v>(value: &'v Value, is: &dyn Fn(&str) -> bool, depth: usize) -> Option<&'v Value> {
    let Value::Map(pairs) = value else {
        return None;
    };
    let mut own = pairs.iter();
    let own = own.find(|(name, value)| is(name) && matches!(value, Value::Str(_) | Value::Int(_)));
    let mut inner = pairs.iter().filter(|_| depth < 2);
    let inner = || inner.find_map(|(_, value)| field_at(value, is, depth + 1));
    own.map(|(_, value)| value).or_else(inner)
}

/// The URL of the next page, if its header or the answer has it.
pub(super) fn link(response: &Response) -> Option<&str> {
    let of_header = response.next.as_deref();
    of_header.or_else(|| link_within(&response.value))
}

/// The URL of the next page, if the answer has it.
fn link_within(value: &Value) -> Option<&str> {
    let url = match value
        .get("next")
        .or_else(|| value.get("links")?.get("next"))?
    {
        Value::Str(url) => url,
        link => link.get("href")?.as_str()?,
    };
    let is_url = url.starts_with("http") || url.starts_with('/');
    (is_url && url.contains('?')).then_some(url)
}

/// The parameters, with those in the query of a URL. If the operation does not know one of
/// their names, there is no next page.
fn of_url(operation: &Operation, pairs: &Map, url: &str) -> Option<Value> {
    let (_, query) = url.split_once('?')?;
    let query = query.split('#').next().unwrap_or_default();
    let mut next = Value::Map(pairs.clone());
    let mut changes = false;
    for part in query.split('&').filter(|part| !part.is_empty()).take(100) {
        let (wire, value) = part.split_once('=').unwrap_or((part, ""));
        let text = |it: &str| {
            percent_decode_str(&it.replace('+', " "))
                .decode_utf8_lossy()
                .into()
        };
        let (wire, value): (String, String) = (text(wire), text(value));
        let mut parameters = operation.parameters.iter();
        let known = parameters.find(|it| it.place == Place::Query && it.wire == wire);
        let Some(parameter) = known else {
            // The call did not pass it either: it is a default or a secret.
            let marks = PAGE.iter().chain(&CURSOR).chain(&OFFSET);
            if marks.clone().any(|mark| *mark == key(&wire)) {
                return None;
            }
            continue;
        };
        let is_int = parameter.shape.text.contains("int");
        let value = match value.parse::<i64>() {
            Ok(int) if is_int => Value::Int(int),
            _ => Value::Str(value),
        };
        let known = [&PAGE[..], &CURSOR[..], &OFFSET[..], &SIZE[..]].concat();
        let moves = known.contains(&key(&wire).as_str());
        if moves && next.get(&parameter.name) != Some(&value) {
            let Value::Map(pairs) = &next else {
                return None;
            };
            next = with(pairs, &parameter.name, value);
            changes = true;
        }
    }
    changes.then_some(next)
}

fn with(pairs: &Map, name: &str, value: Value) -> Value {
    let mut pairs = pairs.clone();
    match pairs.iter_mut().find(|(known, _)| known == name) {
        Some(known) => known.1 = value,
        None => pairs.push((name.to_owned().into(), value)),
    }
    Value::Map(pairs)
}
