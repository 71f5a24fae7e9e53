//! The pages of S3's listings, by the table of the API.

use super::api;
use crate::domain::{Page, Pages, Value};

/// See [`Pages`].
pub struct S3Pages;

impl Pages for S3Pages {
    fn page(&self, operation: &str, params: &Value, answer: &Value) -> Option<Page> {
        let pages = api::operation(operation)?.pages.as_ref()?;
        if pages.size.is_some_and(|size| params.get(size).is_some()) {
            return None;
        }
        let listed = pages.results.iter().filter_map(|field| answer.get(field));
        let items = listed.map(|items| items.as_list().map_or(0, <[Value]>::len));
        let has_more = match pages.more {
            Some(more) => answer.get(more) == Some(&Value::Bool(true)),
            None => pages.output.iter().any(|token| answer.get(token).is_some()),
        };
        let what = match *pages.results.first()? {
            "Contents" => "objects".to_owned(),
            field => field.to_lowercase(),
        };
        let bucket = params.get("Bucket").and_then(Value::as_str);
        let Value::Map(named) = params else {
            return None;
        };
        let selection = named
            .iter()
            .filter(|(name, _)| !pages.input.contains(&&**name));
        Some(Page {
            listing: format!("{operation} {:?}", selection.collect::<Vec<_>>()),
            title: match bucket {
                Some(bucket) => format!("{what} of \"{bucket}\""),
                None => what,
            },
            items: items.sum(),
            has_more,
        })
    }
}
