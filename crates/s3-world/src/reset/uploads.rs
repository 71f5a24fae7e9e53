//! The uploads in progress of a bucket: begun again, and given up.

use super::{Copying, Refused};
use crate::caller::{Caller, params, size, text};
use crate::domain::{Map, Value, World};
use crate::error::Result;
use crate::refusal::Trouble;
use crate::upload_list;
use bytes::Bytes;

/// The most bytes of a part that stand for those that nobody can read.
const MOST_BYTES: u64 = 64 << 20;

/// The key and the id of each upload. A server may have no uploads in parts.
async fn all(world: &dyn World, bucket: &str) -> Result<Vec<(String, String)>> {
    let uploads = upload_list::uploads(&Caller(world), params([("Bucket", bucket)])).await;
    let uploads = match uploads {
        Ok(uploads) => uploads,
        Err(Trouble::Refused(_)) => Vec::new(),
        Err(Trouble::Failed(error)) => return Err(error),
    };
    let named = uploads.iter().filter_map(|upload| {
        let (key, id) = (text(upload, "Key")?, text(upload, "UploadId")?);
        Some((key.to_owned(), id.to_owned()))
    });
    Ok(named.collect())
}

fn named(bucket: &str, key: &str, id: &str) -> Map {
    params([("Bucket", bucket), ("Key", key), ("UploadId", id)])
}

/// Gives up all uploads of a bucket.
pub async fn abort(world: &dyn World, bucket: &str) -> Result<()> {
    for (key, id) in all(world, bucket).await? {
        let upload = named(bucket, &key, &id);
        // It may have been completed or given up since it was listed.
        Caller(world).find("abort_multipart_upload", upload).await?;
    }
    Ok(())
}

impl Copying<'_> {
    /// Begins the uploads of a bucket again, with parts of the same numbers and sizes.
    pub(super) async fn begin_uploads(&self, bucket: &str) -> Result<Refused> {
        let mut refused = Refused::new();
        for (key, id) in all(self.from, bucket).await? {
            let caller = Caller(self.from);
            let asked = named(bucket, &key, &id);
            let parts = upload_list::parts(&caller, asked.clone()).await;
            let parts = parts.map_err(|it| caller.cannot_look(&Value::Map(asked), it))?;
            let begin = params([("Bucket", bucket), ("Key", &*key)]);
            let begun = Caller(self.into)
                .get("create_multipart_upload", begin)
                .await?;
            let id = text(&begun, "UploadId").unwrap_or_default();
            for part in &parts {
                let bytes = size(part, "Size").min(MOST_BYTES);
                let zeros = vec![0; usize::try_from(bytes).unwrap_or_default()];
                let number = part.get("PartNumber").cloned().unwrap_or(Value::Null);
                let mut call = named(bucket, &key, id);
                call.push(("PartNumber".into(), number));
                call.push(("Body".into(), Value::Bytes(Bytes::from(zeros))));
                let call = ("upload_part".to_owned(), Value::Map(call));
                refused.extend(self.make(&call).await?);
            }
        }
        Ok(refused)
    }
}
