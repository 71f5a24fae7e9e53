//! The buckets and objects that replies are checked by.

use super::caller::{Caller, list, params, text};
use crate::domain::{Facts, Map, Row, Value, World};
use crate::error::{Error, Result};
use crate::markers::next_marker;
use async_trait::async_trait;

/// The most buckets whose objects are listed for one reply.
const BUCKETS: usize = 4;

/// The most pages that are listed of one: what has more objects is not judged by them.
const PAGES: usize = 5;

/// Buckets, and the objects of those that a reply and its question name.
pub(super) struct S3Facts;

#[async_trait]
impl Facts for S3Facts {
    fn schema(&self) -> &str {
        include_str!("facts.toml")
    }

    async fn rows(&self, world: &dyn World, words: &str) -> Result<Vec<Row>> {
        let caller = Caller(world);
        // Buckets that may not be listed, and those beyond a page, are none to compare with.
        let Some(page) = answer(&caller, "list_buckets", Map::new()).await? else {
            return Ok(Vec::new());
        };
        if next_marker(&page, "ContinuationToken").is_some() {
            return Ok(Vec::new());
        }
        let mut rows = Vec::new();
        let mut listed = 0;
        for bucket in list(&page, "Buckets") {
            let Some(name) = text(bucket, "Name") else {
                continue;
            };
            let mut row = row([
                ("name", Some(name.to_owned())),
                ("created", time(bucket, "CreationDate")),
            ]);
            if listed < BUCKETS && names(words, name) {
                listed += 1;
                if let Some(objects) = objects(&caller, name).await? {
                    let bytes: i64 = objects.iter().filter_map(size).sum();
                    row.insert("objects".to_owned(), objects.len().to_string());
                    row.insert("size".to_owned(), bytes.to_string());
                    rows.extend(objects.iter().map(|object| of_object(object, name)));
                }
            }
            rows.push(row);
        }
        Ok(rows)
    }
}

/// All objects of a bucket; none if they may not be listed or are too many.
async fn objects(caller: &Caller<'_>, bucket: &str) -> Result<Option<Vec<Value>>> {
    let mut objects = Vec::new();
    let mut token: Option<String> = None;
    for _ in 0..PAGES {
        let mut asked = params([("Bucket", bucket)]);
        asked.extend(token.map(|token| ("ContinuationToken".into(), token.into())));
        let Some(page) = answer(caller, "list_objects_v2", asked).await? else {
            return Ok(None);
        };
        objects.extend_from_slice(list(&page, "Contents"));
        match next_marker(&page, "NextContinuationToken") {
            Some(next) => token = Some(next.to_owned()),
            None => return Ok(Some(objects)),
        }
    }
    Ok(None)
}

/// The answer to a call; none if it is refused.
async fn answer(caller: &Caller<'_>, operation: &str, params: Map) -> Result<Option<Value>, Error> {
    Ok(caller.0.call(operation, &Value::Map(params)).await?.ok())
}

fn of_object(object: &Value, bucket: &str) -> Row {
    row([
        ("name", text(object, "Key").map(str::to_owned)),
        ("bucket", Some(bucket.to_owned())),
        ("size", size(object).map(|size| size.to_string())),
        ("modified", time(object, "LastModified")),
    ])
}

fn row<const N: usize>(slots: [(&str, Option<String>); N]) -> Row {
    let known = slots
        .into_iter()
        .filter_map(|(slot, value)| Some((slot.to_owned(), value?)));
    known.collect()
}

fn size(object: &Value) -> Option<i64> {
    object.get("Size").and_then(Value::as_int)
}

fn time(value: &Value, field: &str) -> Option<String> {
    match value.get(field)? {
        Value::Time(time) => Some(time.to_string()),
        _ => None,
    }
}

/// Whether words name a bucket: not only as a part of another name.
fn names(words: &str, bucket: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '_');
    words.match_indices(bucket).any(|(at, _)| {
        let before = words.get(..at).unwrap_or_default();
        let after = words.get(at + bucket.len()..).unwrap_or_default();
        let goes_on = after.starts_with(|c| is_part(c) && c != '.')
            || after
                .strip_prefix('.')
                .is_some_and(|rest| rest.starts_with(is_part));
        !before.ends_with(is_part) && !goes_on
    })
}
