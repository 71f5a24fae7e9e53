//! Results that come in pages, and the call for the next page.
//!
//! How an operation pages is found in its document ([`Paging`]). What an answer says about its
//! pages is in `said.rs`, and which list of it is meant in `items.rs`. `walk.rs` reads all
//! pages, and refuses to give a part of them for the whole. `watched.rs` tells the user of a
//! page that is not the last.

mod items;
mod names;
mod said;
mod walk;
mod watched;

pub(super) use items::{Path, prefer};
pub(super) use walk::{Step, Walk};
pub use watched::ApiPages;

use super::answer::Response;
use super::model::{HttpOperation, Method, Parameter, ParameterLocation, PythonType};
use crate::domain::{Map, Value};
use names::{CURSOR, LINK, MARK, MORE, NEXT, OFFSET, PAGE, SIZE, is};
use percent_encoding::percent_decode_str;
use serde_json::Value as Json;

/// The way to ask for the next page of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Paging {
    /// The answer has the URL of the next page: in its header `Link` (RFC 5988), or in itself.
    Link,
    /// A parameter counts the pages.
    Page {
        /// The parameter that counts them.
        page: String,
        /// The parameter for the size of a page.
        size: Option<String>,
        /// The number of the first page, as far as the document says it.
        first: Option<i64>,
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
        /// Its value for the first page, as far as the document says it.
        first: Option<i64>,
    },
}

/// The argument of a call that asks for the items of all pages. It is added by this program,
/// unless the document has a parameter of this name.
pub(super) const ALL_PAGES: &str = "all_pages";

/// The most pages that one call reads.
pub(super) const MOST_PAGES: usize = 100;

impl Paging {
    /// Finds out from its parameters and its answer how an operation pages. `first` is the
    /// number with which a parameter begins, if the document says it.
    pub(super) fn of(
        method: Method,
        parameters: &[Parameter],
        result: &PythonType,
        has_links: bool,
        first: &dyn Fn(&Parameter) -> Option<i64>,
    ) -> Option<Self> {
        if method != Method::Get {
            return None;
        }
        let find = |known: &[&str]| {
            let mut query = parameters
                .iter()
                .filter(|it| it.place == ParameterLocation::Query);
            query.find(|it| is(&it.wire, known))
        };
        let size = find(SIZE).map(|it| it.name.clone());
        if has_links {
            return Some(Paging::Link);
        }
        if !matches!(result.text.as_str(), "dict" | "Any") && !result.text.starts_with("list") {
            return None;
        }
        let has = |known: &[&str]| result.fields.iter().any(|it| is(it, known));
        let sure = MARK.get(..names::SURE_MARKS).unwrap_or_default();
        let cursor = find(CURSOR).map(|it| it.name.clone());
        if let Some(page) = find(PAGE).filter(|_| cursor.is_none() || !has(sure)) {
            return Some(Paging::Page {
                page: page.name.clone(),
                size,
                first: first(page),
            });
        }
        // `after` and `start` may be dates; with a size, or a mark in the answer, they are not.
        let tells = has(MARK) || has(MORE) || has(LINK);
        if let Some(cursor) = cursor.filter(|_| size.is_some() || tells) {
            return Some(Paging::Cursor { cursor });
        }
        if let Some(offset) = find(OFFSET).filter(|_| size.is_some() || tells) {
            return Some(Paging::Offset {
                offset: offset.name.clone(),
                size,
                first: first(offset),
            });
        }
        let has_next = has(&["links", "link"]) && has(NEXT);
        (has(LINK) || has_next).then_some(Paging::Link)
    }

    /// The parameters for the next page. `None` after the last one, or if the answer does not
    /// show that there is one.
    pub(super) fn next(
        &self,
        operation: &HttpOperation,
        params: &Value,
        response: &Response,
    ) -> Option<Value> {
        let mut walk = Walk::new(operation, params);
        let step = walk.take(&response.value, response.next.as_deref());
        // What a page that is not full leaves open is for a walk to find out.
        let is_open = walk.is_open() && walk.is_short();
        match step {
            Step::Call(next) => (!is_open).then_some(next),
            // Most servers count pages from 1.
            Step::Probe(_) if !is_open => match self {
                Paging::Page { page, .. } => Some(with(params, page, Value::Int(2))),
                _ => None,
            },
            Step::Probe(_) => None,
            Step::Follow(url) => by_url(operation, params, &url, None),
            Step::Done(_) | Step::Refused(_) => None,
        }
    }
}

/// The parameters of a call, with those in the query of a URL. `None` if the operation does not
/// know one of them that moves to another page. With `hidden`, it must know all but these.
pub(super) fn by_url(
    operation: &HttpOperation,
    params: &Value,
    url: &str,
    hidden: Option<&[&str]>,
) -> Option<Value> {
    let (_, query) = url.split_once('?')?;
    let query = query.split('#').next().unwrap_or_default();
    let mut next = params.clone();
    for part in query.split('&').filter(|part| !part.is_empty()).take(100) {
        let (wire, value) = part.split_once('=').unwrap_or((part, ""));
        let text = |it: &str| {
            let it = it.replace('+', " ");
            percent_decode_str(&it).decode_utf8_lossy().into_owned()
        };
        let (wire, value) = (text(wire), text(value));
        let moves = [PAGE, CURSOR, OFFSET].iter().any(|known| is(&wire, known));
        let mut parameters = operation.parameters.iter();
        let known = parameters.find(|it| it.place == ParameterLocation::Query && it.wire == wire);
        let Some(parameter) = known else {
            // The call did not pass it either: it is a default or a secret.
            if moves || hidden.is_some_and(|hidden| !hidden.contains(&wire.as_str())) {
                return None;
            }
            continue;
        };
        let is_int = parameter.shape.text.contains("int");
        let value = match value.parse::<i64>() {
            Ok(int) if is_int => Value::Int(int),
            _ => Value::Str(value),
        };
        if moves || is(&wire, SIZE) {
            next = with(&next, &parameter.name, value);
        }
    }
    (next != *params).then_some(next)
}

fn with(params: &Value, name: &str, value: Value) -> Value {
    let mut pairs = match params {
        Value::Map(pairs) => pairs.clone(),
        _ => Map::new(),
    };
    match pairs.iter_mut().find(|(known, _)| known == name) {
        Some(known) => known.1 = value,
        None => pairs.push((name.to_owned().into(), value)),
    }
    Value::Map(pairs)
}

/// The number with which a parameter that counts pages or items begins, if its schema or its
/// description says it.
pub(super) fn first(wire: &str, schema: &Json, words: &str) -> Option<i64> {
    if !is(wire, PAGE) && !is(wire, OFFSET) {
        return None;
    }
    let number = |key| match schema.get(key)? {
        Json::String(text) => text.parse().ok(),
        other => other.as_i64(),
    };
    let least = || number("minimum").filter(|least| *least == 1);
    number("default")
        .or_else(|| first_in_words(words))
        .or_else(least)
}

/// The number with which a parameter begins, in the words of its description.
fn first_in_words(words: &str) -> Option<i64> {
    let words = words.to_ascii_lowercase();
    let has = |known: &[&str]| known.iter().any(|it| words.contains(it));
    let zero = [
        "zero-based",
        "zero based",
        "0-based",
        "0 based",
        "zero-indexed",
        "0-indexed",
        "(0..n)",
        "starts at 0",
        "starts from 0",
        "start at 0",
        "starting at 0",
        "starting from 0",
        "starting with 0",
        "starts with 0",
        "first page is 0",
        "begins at 0",
    ];
    let one = [
        "one-based",
        "one based",
        "1-based",
        "1 based",
        "one-indexed",
        "1-indexed",
        "(1..n)",
        "starts at 1",
        "starts from 1",
        "start at 1",
        "starting at 1",
        "starting from 1",
        "starting with 1",
        "starts with 1",
        "first page is 1",
        "begins at 1",
    ];
    match (has(&zero), has(&one)) {
        (true, false) => Some(0),
        (false, true) => Some(1),
        _ => None,
    }
}
