//! Uploads in progress. The layer holds the uploads that it began, and remembers which uploads
//! of the base it aborted.

use super::Overlay;
use super::base::{BaseResult, text};
use super::glimpse::Glimpse;
use super::layer::{Layer, View};
use super::versions::{Route, route};
use crate::blocking;
use crate::caller;
use crate::domain::{Map, Value};
use crate::memory::multipart::{can_refer, refer};
use crate::memory::pieces::Pieces;
use crate::memory::put::Prepared;
use crate::memory::{Content, Elsewhere, Object, copied_range};
use crate::params::Params;
use crate::refusal::{self, Trouble};
use std::sync::Arc;

/// The refusal of a copy whose source cannot be read.
fn as_of_copy(trouble: Trouble, range: Option<&str>) -> Trouble {
    let Trouble::Refused(refusal) = trouble else {
        return trouble;
    };
    let detail = |wanted: &str| {
        let mut details = refusal.details.iter();
        details.find_map(|(name, value)| (name == wanted).then(|| value.as_str())?)
    };
    match (refusal.status, range) {
        (304, _) => refusal::precondition_failed("x-amz-copy-source-If-None-Match").into(),
        (412, _) => {
            let condition = detail("Condition").unwrap_or("If-Match");
            refusal::precondition_failed(&format!("x-amz-copy-source-{condition}")).into()
        }
        (416, Some(range)) => {
            let size = detail("ActualObjectSize").and_then(|size| size.parse().ok());
            match copied_range(range, size.unwrap_or_default()) {
                Err(refusal) => refusal.into(),
                Ok(_) => Trouble::Refused(refusal),
            }
        }
        _ => Trouble::Refused(refusal),
    }
}

/// The size of the object that a read gave all or a part of.
fn whole(content: &Value) -> usize {
    let of_range = text(content, "ContentRange").and_then(|range| range.rsplit_once('/'));
    let of_range = of_range.and_then(|(_, size)| size.parse().ok());
    let length = content.get("ContentLength").and_then(Value::as_int);
    let length = length.and_then(|length| usize::try_from(length).ok());
    of_range.or(length).unwrap_or_default()
}

impl Overlay {
    /// Whether the layer has the upload that a call names.
    pub(super) fn has_upload(&self, layer: &Layer, params: &Value) -> bool {
        let (Some(bucket), Some(key), Some(id)) = (
            text(params, "Bucket"),
            text(params, "Key"),
            text(params, "UploadId"),
        ) else {
            return false;
        };
        let bucket = layer.store.state.bucket(bucket);
        bucket.is_some_and(|bucket| bucket.uploads.find(key, id).is_some())
    }

    /// Aborts an upload of the layer, or notes that one of the base is aborted.
    pub(super) async fn abort(&self, params: &Value) -> BaseResult<Value> {
        let layer = self.snapshot();
        let is_bases = !self.has_upload(&layer, params);
        let bucket = text(params, "Bucket").unwrap_or_default();
        if !is_bases || matches!(layer.view(bucket), View::Layer) {
            drop(layer);
            return self.write_objects("abort_multipart_upload", params).await;
        }
        self.base.pass("list_parts", params).await?;
        drop(layer);
        let id = text(params, "UploadId").unwrap_or_default().to_owned();
        let mut layer = self.lock();
        layer.touch(bucket);
        let cover = layer.cover_mut(bucket);
        cover.continued.remove(&id);
        cover.aborted.insert(id);
        Ok(Value::Map(Map::new()))
    }

    /// Writes a part of an upload of the layer or of the base.
    pub(super) async fn write_part(&self, params: &Value) -> BaseResult<Value> {
        match self.parts_of_base(params).await? {
            Some(_) => self.keep_part(params),
            None => self.write_objects("upload_part", params).await,
        }
    }

    /// Copies an object into a part. Where the base is a server, the content stays there, unless
    /// the layer has it or a checksum of it is asked for.
    pub(super) async fn copy_part(&self, params: &Value) -> BaseResult<Value> {
        if let Some(answer) = self.refer_part(params).await? {
            return Ok(answer);
        }
        let source = Params::new(params)?.copy_source()?;
        let mut read: Map = vec![
            ("Bucket".into(), source.bucket.into()),
            ("Key".into(), source.key.into()),
        ];
        let others = [
            ("VersionId", source.version.map(Value::Str)),
            ("IfMatch", params.get("CopySourceIfMatch").cloned()),
            ("IfNoneMatch", params.get("CopySourceIfNoneMatch").cloned()),
            (
                "IfModifiedSince",
                params.get("CopySourceIfModifiedSince").cloned(),
            ),
            (
                "IfUnmodifiedSince",
                params.get("CopySourceIfUnmodifiedSince").cloned(),
            ),
        ];
        let others = others
            .into_iter()
            .filter_map(|(name, it)| Some((name.into(), it?)));
        read.extend(others);
        let range = text(params, "CopySourceRange");
        read.extend(range.map(|range| ("Range".into(), range.into())));
        let content = self.read_object("get_object", &Value::Map(read)).await;
        let content = content.map_err(|trouble| as_of_copy(trouble, range))?;
        if let Some(range) = range {
            copied_range(range, whole(&content))?;
        }
        let kept = ["Bucket", "Key", "UploadId", "PartNumber"];
        let kept = kept.iter().chain(&["ExpectedBucketOwner"]);
        let mut part: Map = kept
            .filter_map(|name| Some(((*name).into(), params.get(name)?.clone())))
            .collect();
        part.push((
            "Body".into(),
            content.get("Body").cloned().unwrap_or(Value::Null),
        ));
        let uploaded = self.write_part(&Value::Map(part)).await?;
        let result = ["ETag"]
            .into_iter()
            .filter_map(|name| Some((name.into(), uploaded.get(name)?.clone())));
        let modified = Value::Time(self.snapshot().store.clock.now());
        let result = result.chain([("LastModified".into(), modified)]);
        Ok(Value::Map(vec![
            ("CopyPartResult".into(), Value::Map(result.collect())),
            ("ServerSideEncryption".into(), "AES256".into()),
        ]))
    }

    /// Copies an object of the base into a part of the layer's upload without loading it. `None`
    /// if that cannot be done, also where the call is to be refused.
    async fn refer_part(&self, params: &Value) -> BaseResult<Option<Value>> {
        const USUAL: [&str; 7] = [
            "Bucket",
            "Key",
            "UploadId",
            "PartNumber",
            "CopySource",
            "CopySourceRange",
            "RequestPayer",
        ];
        let layer = self.snapshot();
        let read = Params::new(params)?;
        // A base that costs nothing is read, so that the ETag is the one that it will give.
        if self.kept.is_none() || !read.has_only(&USUAL) || !can_refer(&layer.store, read) {
            return Ok(None);
        }
        let Some(place) = self.source_in_base(&layer, read).await? else {
            return Ok(None);
        };
        drop(layer);
        let range = match text(params, "CopySourceRange") {
            Some(range) => copied_range(range, place.size)?,
            None => 0..place.size,
        };
        Ok(Some(refer(&mut self.lock().store, read, &place, range)?))
    }

    /// The content in the base that a call copies, if it is there and can be read.
    async fn source_in_base(
        &self,
        layer: &Layer,
        params: Params<'_>,
    ) -> BaseResult<Option<Arc<Elsewhere>>> {
        let source = params.copy_source()?;
        let (bucket, key) = (source.bucket.as_str(), source.key.as_str());
        let mut named = caller::params([("Bucket", bucket), ("Key", key)]);
        let version = source.version.clone();
        named.extend(version.map(|version| ("VersionId".into(), version.into())));
        let named = Value::Map(named);
        let object = match route(layer, &named) {
            Route::Layer if source.version.is_none() => {
                let bucket = layer.store.state.bucket(bucket);
                bucket.and_then(|bucket| bucket.object(key).cloned())
            }
            Route::Layer => None,
            Route::Base(_) if source.version.is_none() => match self.glimpse(bucket, key).await? {
                Some(Glimpse::Object(found)) => Some(found.object),
                Some(Glimpse::Nothing) => None,
                None => self.look_at(bucket, key, None).await?,
            },
            Route::Base(named) => self.look_at(bucket, key, text(&named, "VersionId")).await?,
        };
        Ok(object.and_then(|object| match &object.content {
            Content::Elsewhere(place) if !object.is_archived() => Some(place.clone()),
            _ => None,
        }))
    }

    async fn look_at(
        &self,
        bucket: &str,
        key: &str,
        version: Option<&str>,
    ) -> BaseResult<Option<Arc<Object>>> {
        match self.base.head(bucket, key, version, false).await {
            Ok(found) => Ok(found.map(|found| found.object)),
            // The read that follows says why.
            Err(Trouble::Refused(_)) => Ok(None),
            Err(trouble) => Err(trouble),
        }
    }

    /// Joins pieces, and loads those of the base that cannot stay there.
    pub(super) async fn join(&self, pieces: Pieces) -> BaseResult<Prepared> {
        let mut loaded = pieces.clone();
        for (number, place, range) in pieces.to_load() {
            let (bytes, _) = self.load_told(&place, Some(range)).await?;
            loaded = loaded.loaded(number, bytes);
        }
        let joined = blocking::waiting(move || Prepared::join_loaded(pieces, &loaded)).await??;
        Ok(joined)
    }
}
