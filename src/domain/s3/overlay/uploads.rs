//! Uploads in progress. The layer has those that it began, and knows which of the base it
//! aborted.

use super::Overlay;
use super::base::{BaseResult, text};
use super::layer::{Layer, View};
use crate::domain::s3::params::Params;
use crate::domain::{Map, Value};

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
        layer.cover_mut(bucket).aborted.insert(id);
        Ok(Value::Map(Map::new()))
    }

    /// Copies an object into a part. Its content is loaded, because it may be in the base.
    pub(super) async fn copy_part(&self, params: &Value) -> BaseResult<Value> {
        let source = Params::new(params)?.copy_source()?;
        let mut read: Map = vec![
            ("Bucket".into(), source.bucket.into()),
            ("Key".into(), source.key.into()),
        ];
        let others = [
            ("VersionId", source.version.map(Value::Str)),
            ("Range", params.get("CopySourceRange").cloned()),
        ];
        let others = others
            .into_iter()
            .filter_map(|(name, it)| Some((name.into(), it?)));
        read.extend(others);
        let content = self.read_object("get_object", &Value::Map(read)).await?;
        let kept = ["Bucket", "Key", "UploadId", "PartNumber"];
        let kept = kept.iter().chain(&["ExpectedBucketOwner"]);
        let mut part: Map = kept
            .filter_map(|name| Some(((*name).into(), params.get(name)?.clone())))
            .collect();
        part.push((
            "Body".into(),
            content.get("Body").cloned().unwrap_or(Value::Null),
        ));
        let uploaded = self.write_objects("upload_part", &Value::Map(part)).await?;
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
}
