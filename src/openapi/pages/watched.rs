//! Pages that a program took for the whole.

use super::items::{self, Items};
use super::names::{CURSOR, OFFSET, PAGE, SIZE, is};
use super::said::Said;
use super::{ALL_PAGES, Paging};
use crate::domain::{Page, Value};
use crate::openapi::Api;
use crate::openapi::model::ParameterLocation;
use std::sync::Arc;

/// The pages of an API's results, by what its answers say.
#[derive(Debug)]
pub struct ApiPages(Arc<Api>);

impl ApiPages {
    /// The pages of this API's results.
    pub fn new(api: Arc<Api>) -> Self {
        ApiPages(api)
    }
}

impl crate::domain::Pages for ApiPages {
    fn page(&self, operation: &str, params: &Value, answer: &Value) -> Option<Page> {
        let known = self.0.operation(operation)?;
        let sent = match params {
            Value::Map(pairs) => pairs.as_slice(),
            _ => &[],
        };
        let is_named = |name: &str, known_names: &[&str]| {
            let parameter = known.parameter(name);
            parameter
                .is_some_and(|it| it.place == ParameterLocation::Query && is(&it.wire, known_names))
        };
        let is_all = known.has_all_pages() && params.get(ALL_PAGES) == Some(&Value::Bool(true));
        // A program that asks for so many items means to read only these.
        let is_sized = sent.iter().any(|(name, _)| is_named(name, SIZE));
        if !known.method.is_safe() || is_all || is_sized {
            return None;
        }
        let said = Said::of(answer, None);
        let items = match items::of(answer, &known.result.lists, &known.path) {
            Items::Here(items, _) => items.len(),
            _ => return None,
        };
        let cursor = match &known.pages {
            Some(Paging::Cursor { cursor }) => params.get(cursor),
            _ => None,
        };
        let moves = [PAGE, OFFSET, CURSOR].concat();
        let is_first = !sent.iter().any(|(name, _)| is_named(name, &moves));
        let by_total = said.total.filter(|_| is_first);
        let by_total =
            by_total.is_some_and(|total| i64::try_from(items).is_ok_and(|it| it < total));
        let is_told = said.link.is_some() || said.mark(cursor).is_some() || by_total;
        let selection = sent.iter().filter(|(name, _)| !is_named(name, &moves));
        Some(Page {
            listing: format!("{operation} {:?}", selection.collect::<Vec<_>>()),
            title: format!("items of {operation}"),
            items,
            has_more: said.more.unwrap_or(is_told),
        })
    }
}
