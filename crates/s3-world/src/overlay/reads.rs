//! `get_object`, `head_object`, and the reads of a bucket.

use super::Overlay;
use super::base::{BaseResult, Trouble, crc32, text};
use super::glimpse::{Glimpse, is_plain};
use super::layer::View;
use super::versions::{Route, route};
use crate::domain::{Map, Value, counted};
use crate::error::Error;
use crate::memory::range::Selection;
use crate::memory::{Content, Elsewhere, perform, read};
use crate::params::Params;
use crate::refusal;
use bytes::Bytes;
use std::ops::Range;
use std::sync::Arc;

impl Overlay {
    pub(super) async fn read_bucket(&self, operation: &str, params: &Value) -> BaseResult<Value> {
        let mut layer = self.snapshot();
        match text(params, "Bucket").map(|bucket| layer.view(bucket)) {
            Some(View::Layer) => {
                let params = self.own(&layer, params).await?;
                Ok(perform(&mut layer.store, operation, &params)?)
            }
            _ => self.base.pass(operation, params).await,
        }
    }

    pub(super) async fn read_object(&self, operation: &str, params: &Value) -> BaseResult<Value> {
        let mut layer = self.snapshot();
        let is_layers = self.mirror_for_read(&mut layer, params).await?;
        if !is_layers && let Route::Base(params) = route(&layer, params) {
            if let (true, Some(bucket), Some(key)) = (
                operation == "head_object" && is_plain(&params),
                text(&params, "Bucket"),
                text(&params, "Key"),
            ) && let Some(Glimpse::Nothing) = self.glimpse(bucket, key).await?
            {
                return Err(refusal::no_such_key(key).without_body().into());
            }
            return self.base.pass(operation, &params).await;
        }
        let params = self.own(&layer, params).await?;
        if operation == "head_object" {
            return Ok(perform(&mut layer.store, operation, &params)?);
        }
        let read = Params::new(&params)?;
        let mut wanted = read::wanted(&layer.store, read)?;
        let Content::Elsewhere(place) = wanted.object.content.clone() else {
            return Ok(perform(&mut layer.store, operation, &params)?);
        };
        let range = match &wanted.selection {
            Selection::Part(part) => Some(part.clone()),
            _ => None,
        };
        let (body, told) = self.load_told(&place, range).await?;
        if place.crc32.is_none()
            && let Some(crc32) = crc32(&told)
        {
            // Listings of versions do not say it.
            let place = Elsewhere {
                crc32: Some(crc32),
                ..Elsewhere::clone(&place)
            };
            let object = Arc::make_mut(&mut wanted.object);
            object.content = Content::Elsewhere(Arc::new(place));
        }
        Ok(read::answer(&wanted, body, read)?)
    }

    /// Reads a content in the base, or a part of it, with all that the base says of it.
    pub(super) async fn load_told(
        &self,
        place: &Elsewhere,
        part: Option<Range<usize>>,
    ) -> BaseResult<(Bytes, Value)> {
        let mut params: Map = vec![
            ("Bucket".into(), place.bucket.as_str().into()),
            ("Key".into(), place.key.as_str().into()),
        ];
        let mut add = |name: &'static str, text: &str| params.push((name.into(), text.into()));
        if !place.etag.is_empty() {
            add("IfMatch", &place.etag);
        }
        if let Some(version) = &place.version {
            add("VersionId", version);
        }
        let size = part.as_ref().map_or(place.size, Range::len);
        if let Some(part) = part {
            add("Range", &format!("bytes={}-{}", part.start, part.end - 1));
        }
        let drifted = |what: String| self.drifted(place, &what);
        match self.base.pass("get_object", &Value::Map(params)).await {
            Ok(answer) => match answer.get("Body") {
                Some(Value::Bytes(body)) if body.len() == size => Ok((body.clone(), answer)),
                Some(Value::Bytes(body)) => Err(drifted(format!(
                    "has {} instead of {size}",
                    counted(body.len(), "byte")
                ))),
                _ => Err(drifted("came without a content".to_owned())),
            },
            Err(Trouble::Refused(refused)) if matches!(refused.status, 404 | 412) => {
                Err(drifted("has changed since".to_owned()))
            }
            Err(trouble) => Err(trouble),
        }
    }

    /// The failure to read an object that is not as it was.
    pub(super) fn drifted(&self, place: &Elsewhere, what: &str) -> Trouble {
        Trouble::Failed(Error::world(format!(
            "{}: {}/{}, which was copied or listed here before, {what}; start again from what is \
             there now",
            self.base.0.describe(),
            place.bucket,
            place.key
        )))
    }
}
