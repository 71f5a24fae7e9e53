//! Calls of S3 that this program makes itself, without a program of the model: for
//! summaries, plans, copies of accounts and overlays.

use super::markers::Markers;
use super::refusal::Trouble;
use crate::domain::{Map, Value, World};
use crate::error::{Error, Result};

/// Calls a world on behalf of this program.
#[derive(Clone, Copy)]
pub(super) struct Caller<'a>(pub &'a dyn World);

impl Caller<'_> {
    /// Makes a call and returns its result or its failure.
    pub async fn ask(&self, operation: &str, params: &Value) -> Result<Value, Trouble> {
        Ok(self.0.call(operation, params).await??)
    }

    /// Makes a call that must succeed. No program of the model asked for it, so a refusal
    /// is an error of this program.
    pub async fn get(&self, operation: &str, params: Map) -> Result<Value> {
        let params = Value::Map(params);
        match self.ask(operation, &params).await {
            Ok(answer) => Ok(answer),
            Err(Trouble::Failed(error)) => Err(error),
            Err(Trouble::Refused(refusal)) => Err(Error::world(format!(
                "{}: {operation} {}: {} ({})",
                self.0.describe(),
                place(&params),
                refusal.message,
                refusal.code
            ))),
        }
    }

    /// Makes a call about something that may be missing. If it is, there is no answer.
    pub async fn find(&self, operation: &str, params: Map) -> Result<Option<Value>> {
        let params = Value::Map(params);
        match self.ask(operation, &params).await {
            Ok(answer) => Ok(Some(answer)),
            Err(Trouble::Refused(refusal)) if refusal.status == 404 => Ok(None),
            Err(trouble) => Err(self.cannot_look(&params, trouble)),
        }
    }

    /// The error for a failure to read what these parameters name.
    pub fn cannot_look(&self, params: &Value, trouble: Trouble) -> Error {
        match trouble {
            Trouble::Failed(error) => error,
            Trouble::Refused(refusal) => Error::world(format!(
                "{}: cannot look at {}: {}",
                self.0.describe(),
                place(params),
                refusal.message
            )),
        }
    }

    /// All buckets, from all pages.
    pub async fn buckets(&self) -> Result<Vec<Value>> {
        self.entries("list_buckets", Map::new(), "Buckets", "ContinuationToken")
            .await
    }

    /// All objects of a bucket, from all pages.
    pub async fn objects(&self, bucket: &str) -> Result<Vec<Value>> {
        let params = params([("Bucket", bucket)]);
        self.entries(
            "list_objects_v2",
            params,
            "Contents",
            "NextContinuationToken",
        )
        .await
    }

    /// The items of the list `name` on all pages. `next` is the field with the token of
    /// the next page.
    async fn entries(
        &self,
        operation: &str,
        params: Map,
        name: &str,
        next: &str,
    ) -> Result<Vec<Value>> {
        let mut entries = Vec::new();
        let mut asked = params.clone();
        let mut markers = Markers::new();
        loop {
            let page = self.get(operation, asked).await?;
            entries.extend_from_slice(list(&page, name));
            let Some(token) = markers.next(&page, next) else {
                return Ok(entries);
            };
            asked = params.clone();
            asked.push(("ContinuationToken".into(), token.into()));
        }
    }
}

/// The bucket, or the bucket and key, in the parameters.
fn place(params: &Value) -> String {
    let named = ["Bucket", "Key"].iter();
    let named: Vec<&str> = named.filter_map(|name| text(params, name)).collect();
    named.join("/")
}

/// Parameters with text values.
pub(super) fn params<'a>(pairs: impl IntoIterator<Item = (&'static str, &'a str)>) -> Map {
    let pairs = pairs.into_iter();
    pairs
        .map(|(name, value)| (name.into(), value.into()))
        .collect()
}

/// The items of a list; empty if there is no such list.
pub(super) fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_list).unwrap_or_default()
}

/// A field with a text.
pub(super) fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

/// A field with a size in bytes; 0 if it is missing or negative.
pub(super) fn size(value: &Value, name: &str) -> u64 {
    let size = value.get(name).and_then(Value::as_int);
    size.and_then(|size| u64::try_from(size).ok())
        .unwrap_or_default()
}
