//! The unfinished multipart uploads of a described bucket.

use super::objects::{filled, given};
use super::{Mistake, Theme, Time, perform};
use crate::domain::Value;
use crate::memory::Store;
use crate::names;
use crate::world::tree;
use jiff::Timestamp;
use serde::Deserialize;
use toml::Spanned;

/// A multipart upload that was begun and never completed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UploadEntry {
    key: Spanned<String>,
    started: Option<Time>,
    content_type: Option<String>,
    storage_class: Option<String>,
    /// The sizes of the parts that arrived, from number 1 on.
    #[serde(default)]
    parts: Vec<usize>,
}

impl UploadEntry {
    /// Begins the upload and sends its parts.
    pub fn begin(
        self,
        store: &mut Store,
        bucket: &str,
        created: Timestamp,
        theme: Theme,
    ) -> Result<(), Mistake> {
        let key = self.key.get_ref();
        let started = self.started.map_or(created, |Time(time)| time);
        self.begin_at(key, store, bucket, started, theme)
            .map_err(|problem| {
                Mistake::at(&self.key, problem).inside(&format!("upload of \"{key}\""))
            })
    }

    fn begin_at(
        &self,
        key: &str,
        store: &mut Store,
        bucket: &str,
        started: Timestamp,
        theme: Theme,
    ) -> Result<(), String> {
        names::check_key(key).map_err(|refusal| refusal.message)?;
        let content_type = self.content_type.as_deref();
        let params = vec![
            ("Key".into(), key.into()),
            (
                "ContentType".into(),
                content_type.unwrap_or(tree::content_type(key)).into(),
            ),
            ("StorageClass".into(), given(self.storage_class.as_deref())),
        ];
        let upload = perform(store, started, "create_multipart_upload", bucket, params)?;
        let id = upload.get("UploadId").cloned().unwrap_or(Value::Null);
        for (number, size) in (1_i64..).zip(&self.parts) {
            let params = vec![
                ("Key".into(), key.into()),
                ("UploadId".into(), id.clone()),
                ("PartNumber".into(), number.into()),
                ("Body".into(), filled(theme, key, *size)?.into()),
            ];
            perform(store, started, "upload_part", bucket, params)?;
        }
        Ok(())
    }
}
