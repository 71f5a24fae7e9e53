//! What is known of a key without looking at it: what listings have said.

use super::Overlay;
use super::base::{BaseResult, Trouble, text};
use super::kept::{Known, Told};
use super::layer::{Found, View};
use crate::ahead::question;
use crate::caller::params;
use crate::domain::{Answer, Map, Value};
use crate::memory::settings::VERSIONING;
use crate::memory::state::{DEFAULT_STORAGE_CLASS, is_archive};
use crate::memory::{Attributes, Content, Elsewhere, Object, perform};
use crate::{names, refusal};
use std::borrow::Cow;
use std::sync::Arc;

/// A key of the base as listings have told of it.
pub(super) enum Glimpse {
    /// There is nothing.
    Nothing,
    /// There is this object. Its attributes and tags are not known.
    Object(Found),
}

impl Overlay {
    /// What listings have told of a key of the base; `None` if it has to be looked at. Where
    /// several such keys were asked for, their like are listed.
    pub(super) async fn glimpse(&self, bucket: &str, key: &str) -> BaseResult<Option<Glimpse>> {
        let Some(kept) = &self.kept else {
            return Ok(None);
        };
        if names::check_key(key).is_err() || !names::is_legacy_bucket_name(bucket) {
            return Ok(None);
        }
        let named = Value::Map(params([("Bucket", bucket), ("Key", key)]));
        if kept.has_asked(&question("head_object", &named)) {
            return Ok(None);
        }
        let known = || kept.of_bucket(bucket, |it| it.spans.known(key));
        let mut now = known();
        if now == Known::Unknown {
            let prefix = kept.of_bucket(bucket, |it| it.looks.note(key));
            let Some(prefix) = prefix else {
                return Ok(None);
            };
            self.list_near(bucket, key, &prefix).await?;
            now = known();
        }
        let told = match now {
            Known::Unknown => return Ok(None),
            Known::IsNot => None,
            Known::Is(told) => Some(told),
        };
        kept.of_bucket(bucket, |it| it.looks.served += 1);
        match told {
            None => Ok(Some(Glimpse::Nothing)),
            Some(told) => Ok((self.is_brief_enough(bucket, &told).await?)
                .then(|| Glimpse::Object(brief(bucket, key, &told)))),
        }
    }

    /// Lists from a key on. Its failure matters to nobody: then the key is looked at.
    async fn list_near(&self, bucket: &str, key: &str, prefix: &str) -> BaseResult<()> {
        let mut asked: Map = params([("Bucket", bucket)]);
        if !prefix.is_empty() {
            asked.push(("Prefix".into(), prefix.into()));
        }
        // Whatever comes right before the key.
        let last = key.char_indices().next_back().map_or(0, |(at, _)| at);
        match key.get(..last) {
            Some(before) if before > prefix => asked.push(("StartAfter".into(), before.into())),
            _ => {}
        }
        let page = self.base.pass("list_objects_v2", &Value::Map(asked)).await;
        match page {
            Ok(_) | Err(Trouble::Refused(_)) => Ok(()),
            Err(trouble) => Err(trouble),
        }
    }

    /// Whether what a listing tells of an object is all that most calls need: it is no version,
    /// and it can be read.
    async fn is_brief_enough(&self, bucket: &str, told: &Told) -> BaseResult<bool> {
        if told.class.as_deref().is_some_and(is_archive) {
            return Ok(false);
        }
        if let View::Both(cover) = self.snapshot().view(bucket)
            && (cover.keeps == Some(true) || cover.settings.contains(VERSIONING))
        {
            return Ok(false);
        }
        match self.setting(bucket, VERSIONING).await {
            Ok(status) => Ok(status.is_none()),
            // Who may not ask this is told by a look at the object.
            Err(Trouble::Refused(_)) => Ok(false),
            Err(trouble) => Err(trouble),
        }
    }

    /// The answer to a read, where it is known without asking for it alone.
    pub(super) async fn known_answer(
        &self,
        operation: &str,
        params: &Value,
    ) -> BaseResult<Option<Answer>> {
        let (Some(bucket), Some(key), true) = (
            text(params, "Bucket"),
            text(params, "Key"),
            self.kept.is_some() && operation == "head_object" && is_plain(params),
        ) else {
            return Ok(None);
        };
        let mut layer = self.snapshot();
        let is_layers = match layer.view(bucket) {
            View::Base => false,
            View::Layer => true,
            // A bucket with versions answers by itself.
            View::Both(cover) if cover.keeps == Some(true) => return Ok(None),
            View::Both(cover) if cover.settings.contains(VERSIONING) => return Ok(None),
            View::Both(cover) => cover.touches(key),
        };
        if is_layers {
            return Ok(Some(perform(&mut layer.store, operation, params)));
        }
        Ok(match self.glimpse(bucket, key).await? {
            None => None,
            Some(Glimpse::Nothing) => Some(Err(refusal::no_such_key(key).without_body())),
            Some(Glimpse::Object(found)) => Some(Ok(head(&found.object))),
        })
    }
}

/// Whether a read asks for nothing but the object.
pub(super) fn is_plain(params: &Value) -> bool {
    match params {
        Value::Map(pairs) => pairs
            .iter()
            .all(|(name, _)| name == "Bucket" || name == "Key"),
        _ => false,
    }
}

/// An object of which only a listing has told.
fn brief(bucket: &str, key: &str, told: &Told) -> Found {
    let place = Elsewhere {
        bucket: bucket.to_owned(),
        key: key.to_owned(),
        version: None,
        etag: told.etag.to_string(),
        size: usize::try_from(told.size).unwrap_or(usize::MAX),
        crc32: None,
        is_brief: true,
    };
    let class = told.class.as_deref();
    let object = Object {
        content: Content::Elsewhere(Arc::new(place)),
        modified: told.modified,
        attributes: Attributes {
            storage_class: class.map_or(Cow::Borrowed(DEFAULT_STORAGE_CLASS), |class| {
                Cow::Owned(class.to_owned())
            }),
            ..Attributes::default()
        },
        version: None,
        extras: None,
    };
    Found {
        object: Arc::new(object),
        version: None,
    }
}

/// What plans need to know of an object.
fn head(object: &Object) -> Value {
    let mut fields: Map = vec![
        ("LastModified".into(), Value::Time(object.modified)),
        (
            "ContentLength".into(),
            Value::Int(i64::try_from(object.size()).unwrap_or(i64::MAX)),
        ),
        ("ETag".into(), object.etag().into()),
    ];
    if object.attributes.storage_class != DEFAULT_STORAGE_CLASS {
        let class = object.attributes.storage_class.clone().into_owned();
        fields.push(("StorageClass".into(), class.into()));
    }
    Value::Map(fields)
}
