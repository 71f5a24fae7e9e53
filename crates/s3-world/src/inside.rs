//! The bytes that calls write and do not bring: those of copies, and of the parts of uploads.

use super::caller::{Caller, list, size, text};
use super::params::{CopySource, Params};
use super::planning::{known_mark, object};
use super::refusal::Trouble;
use super::upload_list;
use crate::domain::{Inside, Value, World};
use crate::error::Result;
use std::collections::HashSet;

/// The parameters that a source needs which is encrypted with a key of the caller's, as its own
/// read has them.
const KEY: [(&str, &str); 3] = [
    ("CopySourceSSECustomerAlgorithm", "SSECustomerAlgorithm"),
    ("CopySourceSSECustomerKey", "SSECustomerKey"),
    ("CopySourceSSECustomerKeyMD5", "SSECustomerKeyMD5"),
];

/// The bytes of a call. What cannot be looked at has none: the call itself is refused then.
pub(super) async fn of(world: &dyn World, operation: &str, params: &Value) -> Result<Inside> {
    match operation {
        "copy_object" | "upload_part_copy" => {
            let source = Params::new(params).and_then(|params| params.copy_source());
            let Ok(source) = source else {
                return Ok(Inside::default());
            };
            let all = size_of(world, &source, params).await?;
            let range = text(params, "CopySourceRange").and_then(range);
            Ok(Inside {
                copied: range.map_or(all, |(from, to)| (to - from).min(all)),
                parts: 0,
            })
        }
        "complete_multipart_upload" => Ok(Inside {
            copied: 0,
            parts: parts(world, params).await?,
        }),
        _ => Ok(Inside::default()),
    }
}

async fn size_of(world: &dyn World, source: &CopySource, params: &Value) -> Result<u64> {
    if source.version.is_none()
        && let Some(known) = known_mark(world, &source.bucket, &source.key).await?
    {
        return Ok(known.map_or(0, |mark| mark.size));
    }
    let mut named = object(&source.bucket, &source.key);
    named.extend((source.version.as_deref()).map(|id| ("VersionId".into(), id.into())));
    let key = KEY.iter();
    named.extend(key.filter_map(|(of, name)| Some(((*name).into(), params.get(of)?.clone()))));
    match Caller(world).ask("head_object", &Value::Map(named)).await {
        Ok(head) => Ok(size(&head, "ContentLength")),
        Err(Trouble::Refused(_)) => Ok(0),
        Err(Trouble::Failed(error)) => Err(error),
    }
}

/// `bytes=0-9` from its first byte to before the one behind its last.
pub(super) fn range(text: &str) -> Option<(u64, u64)> {
    let (first, last) = text.strip_prefix("bytes=")?.split_once('-')?;
    let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
    let end = last.checked_add(1)?;
    (first < end).then_some((first, end))
}

/// The bytes of the parts that a completion names.
async fn parts(world: &dyn World, params: &Value) -> Result<u64> {
    let names = ["Bucket", "Key", "UploadId"].map(|name| Some((name, text(params, name)?)));
    let [Some(bucket), Some(key), Some(id)] = names else {
        return Ok(0);
    };
    let upload = params.get("MultipartUpload");
    let numbers = upload
        .map(|upload| list(upload, "Parts"))
        .unwrap_or_default();
    let number = |part: &Value| part.get("PartNumber").and_then(Value::as_int);
    let numbers: HashSet<i64> = numbers.iter().filter_map(number).collect();
    let named = super::caller::params([bucket, key, id]);
    let all = match upload_list::parts(&Caller(world), named).await {
        Ok(all) => all,
        Err(Trouble::Refused(_)) => return Ok(0),
        Err(Trouble::Failed(error)) => return Err(error),
    };
    let is_named = |part: &&Value| number(part).is_some_and(|it| numbers.contains(&it));
    Ok(all
        .iter()
        .filter(is_named)
        .map(|part| size(part, "Size"))
        .sum())
}
