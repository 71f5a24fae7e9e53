//! Copies of objects of which only a listing has told. Their attributes and tags are those of
//! their sources, and are read when somebody asks for them.

use super::Overlay;
use super::base::{BaseResult, Trouble, text};
use super::lookup::AT_ONCE;
use crate::domain::Value;
use crate::memory::put::REDIRECT;
use crate::memory::{Attributes, Content, Elsewhere, Object};
use crate::params::Params;
use crate::setting_kind;
use futures_util::{StreamExt, TryStreamExt, stream};
use std::sync::Arc;

/// A key of the layer with a copy.
type Copied = (String, String, Arc<Object>);

impl Overlay {
    /// Reads what a call needs of the copies that it names.
    pub(super) async fn fill_in(&self, operation: &str, params: &Value) -> BaseResult<()> {
        if self.kept.is_none() {
            return Ok(());
        }
        let bucket = text(params, "Bucket");
        if operation == "put_bucket_versioning" {
            // They may become older versions.
            return self.fill_in_all(bucket).await;
        }
        let is_of_key = match operation {
            _ if operation.starts_with("get_object") || operation == "head_object" => true,
            _ => setting_kind::written_by(operation).is_some_and(|kind| kind.of_object),
        };
        let mut named = Vec::new();
        if let (true, Some(bucket), Some(key)) = (is_of_key, bucket, text(params, "Key")) {
            named.push((bucket.to_owned(), key.to_owned()));
        }
        if !is_plain_copy(operation, params)
            && let Ok(source) = Params::new(params).and_then(|params| params.copy_source())
        {
            named.push((source.bucket, source.key));
        }
        let layer = self.snapshot();
        let copies = named.into_iter().filter_map(|(bucket, key)| {
            let object = layer.store.state.bucket(&bucket)?.object(&key)?.clone();
            Some((bucket, key, object))
        });
        let copies: Vec<Copied> = copies.collect();
        drop(layer);
        self.fill_in_these(copies).await
    }

    /// Reads what is not known of all copies, or of those in one bucket.
    pub(super) async fn fill_in_all(&self, only: Option<&str>) -> BaseResult<()> {
        if self.kept.is_none() {
            return Ok(());
        }
        let layer = self.snapshot();
        let buckets = layer.store.state.buckets();
        let buckets = buckets.filter(|(name, _)| only.is_none_or(|only| only == *name));
        let copies = buckets.flat_map(|(name, bucket)| {
            let objects = bucket.objects.iter();
            objects.map(|(key, object)| (name.to_owned(), key.to_string(), object.clone()))
        });
        let copies: Vec<Copied> = copies.collect();
        drop(layer);
        self.fill_in_these(copies).await
    }

    async fn fill_in_these(&self, copies: Vec<Copied>) -> BaseResult<()> {
        let filled = copies.into_iter().filter_map(|(bucket, key, object)| {
            let place = brief_place(&object)?;
            Some(async move {
                let whole = self.filled(&object, &place).await?;
                Ok::<_, Trouble>((bucket, key, object, whole))
            })
        });
        let filled: Vec<_> = filled.collect();
        let mut filled = stream::iter(filled).buffered(AT_ONCE);
        while let Some((bucket, key, before, whole)) = filled.try_next().await? {
            let mut layer = self.lock();
            let Some(bucket) = layer.store.state.bucket_mut(&bucket) else {
                continue;
            };
            // It may have been written meanwhile.
            if bucket
                .object(&key)
                .is_some_and(|now| Arc::ptr_eq(now, &before))
            {
                bucket.objects.insert(key.into(), Arc::new(whole));
            }
        }
        Ok(())
    }

    /// A copy with all that it has of its source.
    async fn filled(&self, copy: &Object, place: &Elsewhere) -> BaseResult<Object> {
        let (bucket, key) = (place.bucket.as_str(), place.key.as_str());
        let changed = || self.drifted(place, "has changed since");
        let source = self.base.head(bucket, key, None, true).await?;
        let source = source.ok_or_else(changed)?.object;
        let known = match &source.content {
            Content::Elsewhere(known) if known.etag == place.etag => known.clone(),
            _ => return Err(changed()),
        };
        let mut extras = copy.extras().clone();
        let named = [("Bucket", bucket), ("Key", key)];
        match self.base.ask("get_object_tagging", &named).await {
            Ok(answer) => extras.take_over(&answer),
            Err(Trouble::Refused(_)) => {}
            Err(trouble) => return Err(trouble),
        }
        let mut attributes = Attributes {
            storage_class: copy.attributes.storage_class.clone(),
            ..source.attributes.clone()
        };
        attributes.headers.remove(REDIRECT);
        let own = copy
            .attributes
            .headers
            .iter()
            .filter(|(name, _)| *name == REDIRECT);
        (attributes.headers).extend(own.map(|(name, value)| (name.clone(), value.clone())));
        Ok(Object {
            content: Content::Elsewhere(known),
            attributes,
            extras: extras.kept(),
            ..copy.clone()
        })
    }
}

/// The place of the content of an object of which only a listing has told.
pub(super) fn brief_place(object: &Object) -> Option<Arc<Elsewhere>> {
    match &object.content {
        Content::Elsewhere(place) if place.is_brief => Some(place.clone()),
        _ => None,
    }
}

/// Whether a call copies an object with all that it has, so that nothing need be known of it
/// but its size and its ETag.
pub(super) fn is_plain_copy(operation: &str, params: &Value) -> bool {
    let names = [
        "Bucket",
        "Key",
        "CopySource",
        "CopySourceIfMatch",
        "CopySourceIfNoneMatch",
        "ExpectedBucketOwner",
        "IfMatch",
        "IfNoneMatch",
        "StorageClass",
    ];
    let is_usual = |name: &str, value: &Value| match name {
        "MetadataDirective" | "TaggingDirective" => value.as_str() == Some("COPY"),
        name => names.contains(&name),
    };
    match params {
        Value::Map(pairs) if operation == "copy_object" => {
            pairs.iter().all(|(name, value)| is_usual(name, value))
        }
        _ => false,
    }
}
