//! Reads of settings, of uploads in progress, and of what objects have: from the layer where it
//! changed them, or else from the base.

use super::Overlay;
use super::base::{BaseResult, list, text};
use super::layer::{Cover, View};
use super::settings::setting_of;
use super::versions::{Route, route};
use crate::domain::s3::memory::perform;
use crate::domain::{Map, Value};
use std::borrow::Cow;

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
            let own_upload = text(params, "UploadId").is_some_and(|id| !cover.aborted.contains(id));
            setting.is_some_and(|name| cover.settings.contains(&name))
                || (own_upload && self.has_upload(&layer, params))
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
        let answer = self.base.pass(operation, &named).await?;
        if let (Some(cover), Some(kind)) = (&cover, listed_kind(operation)) {
            let mut layers = layer.store.clone();
            let ours = perform(&mut layers, operation, params)?;
            return Ok(merged(answer, &ours, kind, cover));
        }
        let Some(cover) = cover.filter(|_| operation == "list_multipart_uploads") else {
            return Ok(answer);
        };
        let is_gone =
            |entry: &Value| text(entry, "UploadId").is_some_and(|id| cover.aborted.contains(id));
        let answer = without(answer, "Uploads", is_gone);
        let ours = perform(&mut layer.store, operation, params)?;
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
}

/// The kind of configurations with ids that an operation lists.
fn listed_kind(operation: &str) -> Option<&str> {
    let rest = operation.strip_prefix("list_bucket_")?;
    rest.strip_suffix("_configurations")
}

/// A listing of configurations: the base's that the layer does not answer for, and the
/// layer's.
fn merged(base: Value, layers: &Value, kind: &str, cover: &Cover) -> Value {
    let lists = [
        "InventoryConfigurationList",
        "MetricsConfigurationList",
        "AnalyticsConfigurationList",
        "IntelligentTieringConfigurationList",
    ];
    let Some(name) = lists.into_iter().find(|name| {
        let word = kind.replace('_', "");
        name.to_ascii_lowercase().starts_with(&word)
    }) else {
        return base;
    };
    let is_layers = |item: &&Value| {
        text(item, "Id").is_some_and(|id| cover.settings.contains(&format!("{kind}/{id}")))
    };
    let kept = list(&base, name).iter().filter(|item| !is_layers(item));
    let mut all: Vec<Value> = kept.chain(list(layers, name)).cloned().collect();
    all.sort_by(|one, other| text(one, "Id").cmp(&text(other, "Id")));
    let mut pairs: Map = match base {
        Value::Map(pairs) => pairs
            .into_iter()
            .filter(|(known, _)| known != name)
            .collect(),
        _ => Map::new(),
    };
    if !all.is_empty() {
        pairs.insert(0, (name.into(), Value::List(all)));
    }
    Value::Map(pairs)
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
