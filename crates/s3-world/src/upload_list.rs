//! The uploads in progress of a bucket and their parts, from all pages.

use super::caller::{Caller, list};
use super::markers::{Markers, next_marker};
use super::refusal::Trouble;
use crate::domain::{Map, Value};

/// The uploads in the order in which they are listed. `params` names the bucket, and a prefix
/// where only some are wanted.
pub(super) async fn uploads(caller: &Caller<'_>, params: Map) -> Result<Vec<Value>, Trouble> {
    let mut all = Vec::new();
    let mut asked = params.clone();
    let mut markers = Markers::new();
    loop {
        let page = caller
            .ask("list_multipart_uploads", &Value::Map(asked))
            .await?;
        all.extend_from_slice(list(&page, "Uploads"));
        let (key, id) = (
            next_marker(&page, "NextKeyMarker"),
            next_marker(&page, "NextUploadIdMarker"),
        );
        let (true, Some(key)) = (is_truncated(&page), key) else {
            return Ok(all);
        };
        if !markers.is_new((key.to_owned(), id.map(str::to_owned))) {
            return Ok(all);
        }
        asked = params.clone();
        asked.push(("KeyMarker".into(), key.into()));
        asked.extend(id.map(|id| ("UploadIdMarker".into(), id.into())));
    }
}

/// The parts of the upload that `params` name, in their order.
pub(super) async fn parts(caller: &Caller<'_>, params: Map) -> Result<Vec<Value>, Trouble> {
    let mut all = Vec::new();
    let mut asked = params.clone();
    let mut after = 0;
    loop {
        let page = caller.ask("list_parts", &Value::Map(asked)).await?;
        all.extend_from_slice(list(&page, "Parts"));
        let next = page.get("NextPartNumberMarker").and_then(Value::as_int);
        // Stops at a server that repeats a page, which would otherwise be asked forever.
        let Some(next) = next.filter(|next| is_truncated(&page) && *next > after) else {
            return Ok(all);
        };
        after = next;
        asked = params.clone();
        asked.push(("PartNumberMarker".into(), Value::Int(next)));
    }
}

fn is_truncated(page: &Value) -> bool {
    page.get("IsTruncated").and_then(Value::as_bool) == Some(true)
}
