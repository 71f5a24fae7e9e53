//! Reads of settings, of uploads in progress, and of the extras of objects. The layer answers
//! if it changed them, and else the base.

use super::Overlay;
use super::base::{BaseResult, list, text};
use super::layer::{Cover, Layer, View};
use super::settings::setting_of;
use super::versions::{Route, route};
use crate::domain::{Map, Value};
use crate::markers::Markers;
use crate::memory::perform;
use crate::memory::settings::{identified_of, identified_page, identified_parameter};
use crate::params::Params;
use std::borrow::Cow;
use std::collections::BTreeMap;

impl Overlay {
    /// Reads that are neither of objects nor of listings.
    pub(super) async fn read_other(&self, operation: &str, params: &Value) -> BaseResult<Value> {
        let mut layer = self.snapshot();
        let (bucket, key) = (text(params, "Bucket"), text(params, "Key"));
        let cover = match bucket.map(|bucket| layer.view(bucket)) {
            None | Some(View::Base) => return self.base.pass(operation, params).await,
            Some(View::Both(cover)) => Some(cover),
            Some(View::Layer) => None,
        };
        let is_layers = cover.as_ref().is_none_or(|cover| {
            let setting = setting_of(operation, params);
            // The layer knows nothing of an upload that ended here, and says so.
            let has_ended = text(params, "UploadId").is_some_and(|id| cover.aborted.contains(id));
            setting.is_some_and(|name| cover.settings.contains(&name))
                || has_ended
                || self.has_upload(&layer, params)
        });
        let is_of_object = key.is_some() && text(params, "UploadId").is_none();
        let mut named = Cow::Borrowed(params);
        let is_layers = is_layers
            || is_of_object && self.mirror_for_read(&mut layer, params).await?
            || is_of_object
                && match route(&layer, params) {
                    Route::Layer => true,
                    Route::Base(theirs) => {
                        named = theirs;
                        false
                    }
                };
        if is_layers {
            let params = self.own(&layer, params).await?;
            return Ok(perform(&mut layer.store, operation, &params)?);
        }
        if let (Some(cover), Some(kind)) = (&cover, listed_kind(operation)) {
            return self.list_identified(&layer, cover, kind, params).await;
        }
        if operation == "list_multipart_uploads" && is_upload_of(&layer, params) {
            named = Cow::Owned(without_marker(params));
        }
        let answer = self.base.pass(operation, &named).await?;
        let is_continued = |cover: &Cover| {
            text(params, "UploadId").is_some_and(|id| cover.continued.contains_key(id))
        };
        if operation == "list_parts"
            && cover.as_deref().is_some_and(is_continued)
            && let Some(all) = self.parts_of_base(params).await?
        {
            return Ok(Overlay::list_of_base(answer, &all));
        }
        let Some(cover) = cover.filter(|_| operation == "list_multipart_uploads") else {
            return Ok(answer);
        };
        let is_gone =
            |entry: &Value| text(entry, "UploadId").is_some_and(|id| cover.aborted.contains(id));
        let answer = without(answer, "Uploads", is_gone);
        let asked = match is_upload_of(&layer, params) {
            true => Cow::Borrowed(params),
            false => Cow::Owned(without_marker(params)),
        };
        let ours = perform(&mut layer.store, operation, &asked)?;
        Ok(match (list(&answer, "Uploads"), list(&ours, "Uploads")) {
            (_, []) => answer,
            ([], _) => ours,
            (theirs, ours) => {
                let mut all = [theirs, ours].concat();
                all.sort_by(|one, other| text(one, "Key").cmp(&text(other, "Key")));
                replaced_list(answer, "Uploads", all)
            }
        })
    }

    /// The configurations of a kind: the base's that the layer does not answer for, and the
    /// layer's. All of the base are read, since its pages are not those of both.
    async fn list_identified(
        &self,
        layer: &Layer,
        cover: &Cover,
        kind: &str,
        params: &Value,
    ) -> BaseResult<Value> {
        let operation = format!("list_bucket_{kind}_configurations");
        let field = identified_parameter(kind).unwrap_or_default();
        let bucket = text(params, "Bucket").unwrap_or_default();
        let mut all = BTreeMap::new();
        let mut token: Option<String> = None;
        let mut markers = Markers::new();
        loop {
            let named = ["Bucket", "ExpectedBucketOwner"].into_iter();
            let named = named.filter_map(|name| Some((name.into(), params.get(name)?.clone())));
            let mut asked: Map = named.collect();
            asked.extend(token.map(|token| ("ContinuationToken".into(), token.into())));
            let page = self.base.pass(&operation, &Value::Map(asked)).await?;
            for item in list(&page, &format!("{field}List")) {
                let id = text(item, "Id").unwrap_or_default();
                if !cover.settings.contains(&format!("{kind}/{id}")) {
                    all.insert(id.to_owned(), item.clone());
                }
            }
            let next = markers.next(&page, "NextContinuationToken");
            token = next.map(str::to_owned);
            if token.is_none() {
                break;
            }
        }
        if let Some(bucket) = layer.store.state.bucket(bucket) {
            all.extend(identified_of(bucket, kind));
        }
        Ok(identified_page(Params::new(params)?, field, &all)?)
    }
}

/// Whether a listing of uploads goes on after one that is the layer's. No other world knows
/// its id.
fn is_upload_of(layer: &Layer, params: &Value) -> bool {
    let bucket = text(params, "Bucket").and_then(|name| layer.store.state.bucket(name));
    let marker = text(params, "UploadIdMarker");
    bucket.zip(marker).is_some_and(|(bucket, marker)| {
        let mut uploads = bucket.uploads.iter();
        uploads.any(|((_, _, id), _)| **id == *marker)
    })
}

/// A listing that goes on after all uploads of a key.
fn without_marker(params: &Value) -> Value {
    let Value::Map(pairs) = params else {
        return params.clone();
    };
    let pairs = pairs.iter().filter(|(name, _)| name != "UploadIdMarker");
    Value::Map(pairs.cloned().collect())
}

/// The kind of configurations with ids that an operation lists.
fn listed_kind(operation: &str) -> Option<&str> {
    let rest = operation.strip_prefix("list_bucket_")?;
    rest.strip_suffix("_configurations")
}

/// An answer with another list.
fn replaced_list(answer: Value, name: &str, items: Vec<Value>) -> Value {
    let Value::Map(mut pairs) = answer else {
        return answer;
    };
    for (known, value) in &mut pairs {
        if known == name {
            *value = Value::List(items.clone());
        }
    }
    Value::Map(pairs)
}

/// An answer without those items of a list that are gone.
fn without(answer: Value, name: &str, is_gone: impl Fn(&Value) -> bool) -> Value {
    let Value::Map(mut pairs) = answer else {
        return answer;
    };
    for (known, value) in &mut pairs {
        if let Value::List(items) = value
            && known == name
        {
            items.retain(|item| !is_gone(item));
        }
    }
    pairs.retain(|(known, value)| known != name || *value != Value::List(Vec::new()));
    Value::Map(pairs)
}
