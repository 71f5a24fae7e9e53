//! Lists of uploads in progress, and of their parts.

use super::answer::{Dict, OWNER_ID, count, owner};
use super::list::Request;
use super::multipart::Place;
use super::{Store, buckets};
use crate::domain::{Answer, Refusal, Value};
use crate::params::Params;
use crate::refusal;

/// The most entries on a page.
const PAGE: i64 = 1000;

fn limit(params: Params<'_>, name: &str) -> Result<i64, Refusal> {
    match params.int(name)? {
        Some(wrong) if wrong < 0 => Err(refusal::invalid_argument(
            name,
            &wrong.to_string(),
            "Argument must be an integer between 0 and 2147483647",
        )),
        given => Ok(given.unwrap_or(PAGE).min(PAGE)),
    }
}

fn initiator() -> Value {
    Dict::with_capacity(1).field("ID", OWNER_ID).into()
}

pub fn list_parts(store: &Store, params: Params<'_>) -> Answer {
    let place = Place::find(store, params)?;
    let upload = place.upload(store)?;
    let (most, after) = (limit(params, "MaxParts")?, params.int("PartNumberMarker")?);
    let after = after.unwrap_or_default();
    let mut left = upload.parts.after(after);
    let page: Vec<_> = left
        .by_ref()
        .take(usize::try_from(most).unwrap_or_default())
        .collect();
    let parts = page.iter().map(|(number, part)| {
        let entry = Dict::with_capacity(5)
            .field("PartNumber", *number)
            .field("LastModified", part.modified)
            .field("ETag", part.blob.checksums.etag())
            .field("Size", count(part.blob.bytes.len()));
        match &part.checksum {
            Some(checksum) => entry.field(checksum.field, checksum.value.as_str()).into(),
            None => entry.into(),
        }
    });
    Ok(Dict::with_capacity(11)
        .field("Bucket", place.bucket)
        .field("Key", place.key)
        .field("UploadId", &*place.at.2)
        .field("PartNumberMarker", after)
        .field(
            "NextPartNumberMarker",
            page.last().map_or(0, |(number, _)| *number),
        )
        .field("MaxParts", most)
        .field("IsTruncated", left.next().is_some())
        .list("Parts", parts.collect())
        .field("Initiator", initiator())
        .field("Owner", Value::from(owner()))
        .field("StorageClass", &*upload.attributes.storage_class)
        .maybe(
            "ChecksumAlgorithm",
            upload.checksum.map(|it| it.algorithm()),
        )
        .maybe("ChecksumType", upload.checksum.map(|it| it.kind()))
        .into())
}

pub fn list(store: &Store, params: Params<'_>) -> Answer {
    let request = Request::read(params)?;
    let most = limit(params, "MaxUploads")?;
    let (key_marker, id_marker) = (
        params.filled("KeyMarker")?,
        params.filled("UploadIdMarker")?,
    );
    // Without a key it says nothing.
    let id_marker = id_marker.filter(|_| key_marker.is_some());
    let bucket = buckets::find(&store.state, params, request.bucket)?;
    if let (Some(key), Some(id)) = (key_marker, id_marker)
        && bucket.uploads.find(key, id).is_none()
    {
        return Err(refusal::invalid_argument(
            "upload-id-marker",
            id,
            "Invalid uploadId marker",
        ));
    }
    let (mut uploads, mut prefixes): (Vec<Value>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut last: Option<(&str, &str)> = None;
    let mut is_truncated = false;
    let mut past_marker = id_marker.is_none();
    for ((key, begun, id), upload) in bucket.uploads.iter() {
        if !key.starts_with(request.prefix) || key_marker.is_some_and(|marker| **key < *marker) {
            continue;
        }
        if key_marker == Some(key) {
            let was_past = past_marker;
            past_marker |= id_marker == Some(id);
            if id_marker.is_none() || !was_past {
                continue;
            }
        }
        let common = request.common_prefix(key);
        if common.is_some_and(|common| {
            prefixes.last() == Some(&common) || key_marker.is_some_and(|it| it.starts_with(common))
        }) {
            continue;
        }
        if i64::try_from(uploads.len() + prefixes.len()).unwrap_or(i64::MAX) >= most {
            is_truncated = most > 0;
            break;
        }
        if let Some(common) = common {
            prefixes.push(common);
            continue;
        }
        last = Some((key, id));
        let entry = Dict::with_capacity(6)
            .field("UploadId", &**id)
            .field("Key", request.spell(key))
            .field("Initiated", *begun)
            .field("StorageClass", &*upload.attributes.storage_class)
            .field("Owner", Value::from(owner()))
            .field("Initiator", initiator())
            .maybe(
                "ChecksumAlgorithm",
                upload.checksum.map(|it| it.algorithm()),
            )
            .maybe("ChecksumType", upload.checksum.map(|it| it.kind()));
        uploads.push(entry.into());
    }
    let (next_key, next_id) = last.unwrap_or_default();
    let prefixes = prefixes.iter().map(|prefix| {
        Dict::with_capacity(1)
            .field("Prefix", request.spell(prefix))
            .into()
    });
    Ok(Dict::with_capacity(12)
        .field("Bucket", request.bucket)
        .field("KeyMarker", request.spell(key_marker.unwrap_or_default()))
        .field("UploadIdMarker", id_marker.unwrap_or_default())
        .field("NextKeyMarker", request.spell(next_key))
        .maybe(
            "Prefix",
            params.filled("Prefix")?.map(|text| request.spell(text)),
        )
        .maybe(
            "Delimiter",
            request.delimiter.map(|text| request.spell(text)),
        )
        .field("NextUploadIdMarker", next_id)
        .field("MaxUploads", most)
        .field("IsTruncated", is_truncated)
        .list("Uploads", uploads)
        .list("CommonPrefixes", prefixes.collect())
        .maybe("EncodingType", params.optional("EncodingType")?)
        .into())
}
