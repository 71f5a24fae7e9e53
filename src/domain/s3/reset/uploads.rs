//! The uploads in progress of a bucket: begun again, and given up.

use super::{Copying, Refused};
use crate::domain::s3::caller::{Caller, list, params, size, text};
use crate::domain::{Map, Value, World};
use crate::error::Result;
use bytes::Bytes;

/// The most bytes of a part that stand for those that nobody can read.
const MOST_BYTES: u64 = 64 << 20;

/// The parameters that name each upload, in the order in which they are listed.
async fn all(world: &dyn World, bucket: &str) -> Result<Vec<Map>> {
    let mut all = Vec::new();
    let mut asked = params([("Bucket", bucket)]);
    loop {
        let page = Caller(world).find("list_multipart_uploads", asked).await?;
        let Some(page) = page else {
            return Ok(all);
        };
        for upload in list(&page, "Uploads") {
            if let (Some(key), Some(id)) = (text(upload, "Key"), text(upload, "UploadId")) {
                all.push(params([("Bucket", bucket), ("Key", key), ("UploadId", id)]));
            }
        }
        let is_truncated = page.get("IsTruncated").and_then(Value::as_bool) == Some(true);
        let (key, id) = (
            text(&page, "NextKeyMarker"),
            text(&page, "NextUploadIdMarker"),
        );
        let (true, Some(key), Some(id)) = (is_truncated, key, id) else {
            return Ok(all);
        };
        asked = params([
            ("Bucket", bucket),
            ("KeyMarker", key),
            ("UploadIdMarker", id),
        ]);
    }
}

/// Gives up all uploads of a bucket.
pub async fn abort(world: &dyn World, bucket: &str) -> Result<()> {
    for upload in all(world, bucket).await? {
        // It may have been completed or given up since it was listed.
        Caller(world).find("abort_multipart_upload", upload).await?;
    }
    Ok(())
}

impl Copying<'_> {
    /// Begins the uploads of a bucket again, with parts of the same numbers and sizes.
    pub(super) async fn begin_uploads(&self, bucket: &str) -> Result<Refused> {
        let mut refused = Refused::new();
        for upload in all(self.from, bucket).await? {
            let object: Map = (upload.iter())
                .filter(|(name, _)| name != "UploadId")
                .cloned()
                .collect();
            let begun = Caller(self.into);
            let begun = begun.get("create_multipart_upload", object.clone()).await?;
            let Some(id) = text(&begun, "UploadId") else {
                continue;
            };
            let mut asked = upload.clone();
            loop {
                let page = Caller(self.from).get("list_parts", asked).await?;
                for part in list(&page, "Parts") {
                    let bytes = size(part, "Size").min(MOST_BYTES);
                    let zeros = vec![0; usize::try_from(bytes).unwrap_or_default()];
                    let mut call = object.clone();
                    call.push(("UploadId".into(), id.into()));
                    let number = part.get("PartNumber").cloned().unwrap_or(Value::Null);
                    call.push(("PartNumber".into(), number));
                    call.push(("Body".into(), Value::Bytes(Bytes::from(zeros))));
                    let call = ("upload_part".to_owned(), Value::Map(call));
                    refused.extend(self.make(&call).await?);
                }
                let is_truncated = page.get("IsTruncated").and_then(Value::as_bool);
                let Some(next) = page.get("NextPartNumberMarker") else {
                    break;
                };
                if is_truncated != Some(true) {
                    break;
                }
                asked = upload.clone();
                asked.push(("PartNumberMarker".into(), next.clone()));
            }
        }
        Ok(refused)
    }
}
