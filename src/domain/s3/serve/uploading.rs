//! The steps of a multipart upload (S3 API reference, `CreateMultipartUpload` and the
//! operations that follow it).

use super::errors::{Trouble, map};
use super::fields::{CALLER, COPY_IF, CUSTOMER_KEY, DESCRIPTION, GRANTS, IF};
use super::parts::{self, Part};
use super::request::{self, Incoming};
use super::uploads::Upload;
use super::{Shared, answers, calls, checksums, params, subresources, xml};
use crate::domain::s3::memory::blocking;
use crate::domain::s3::names::{self, MAX_OBJECT_BYTES};
use crate::domain::s3::refusal;
use crate::domain::{Map, Refusal, Value};
use bytes::Bytes;
use http::Response;
use jiff::Timestamp;
use std::sync::Arc;

/// One of the operations of a multipart upload.
#[derive(Clone, Copy)]
pub enum Step {
    Create,
    Part,
    CopyPart,
    Complete,
    Abort,
    ListParts,
    ListUploads,
}

type Answered = Result<Response<Bytes>, Trouble>;

/// Carries out one step.
pub async fn carry_out(shared: &Shared, step: Step, request: &mut Incoming) -> Answered {
    match step {
        Step::Create => create(shared, request).await,
        Step::Part => part(shared, request).await,
        Step::CopyPart => copy_part(shared, request).await,
        Step::Complete => complete(shared, request).await,
        Step::Abort => {
            let (id, _) = find(shared, request)?;
            shared.uploads.forget(&id);
            Ok(answers::headers(204, Map::new()))
        }
        Step::ListParts => list_parts(shared, request).await,
        Step::ListUploads => list_uploads(shared, request).await,
    }
}

async fn create(shared: &Shared, request: &Incoming) -> Answered {
    subresources::require_bucket(shared, request).await?;
    names::check_key(&request.key)?;
    let mut arguments = params::arguments(request, &[DESCRIPTION, GRANTS, CUSTOMER_KEY, CALLER])?;
    arguments.extend(params::metadata(request));
    let id = shared.uploads.create(Upload {
        bucket: request.bucket.clone(),
        key: request.key.clone(),
        arguments,
        initiated: shared.uploads.now(),
    })?;
    Ok(answers::document(
        "InitiateMultipartUploadResult",
        map([
            ("ServerSideEncryption", "AES256".into()),
            ("Bucket", request.bucket.as_str().into()),
            ("Key", request.key.as_str().into()),
            ("UploadId", id.into()),
        ]),
    ))
}

/// The upload that a request names.
fn find(shared: &Shared, request: &Incoming) -> Result<(String, Arc<Upload>), Refusal> {
    let id = request.query("uploadId").unwrap_or_default();
    let upload = shared.uploads.find(id, &request.bucket, &request.key)?;
    Ok((id.to_owned(), upload))
}

async fn part(shared: &Shared, request: &mut Incoming) -> Answered {
    let number = parts::part_number(request.query("partNumber").unwrap_or_default())?;
    let (id, _) = find(shared, request)?;
    let too_large = refusal::too_large;
    let content = request.content(shared, MAX_OBJECT_BYTES, too_large).await?;
    let mut answer = checksums::check(request, &content).await?;
    let (etag, _) = keep(shared, &id, number, content).await?;
    answer.push(("ETag".into(), etag));
    answer.push(("ServerSideEncryption".into(), "AES256".into()));
    Ok(answers::headers(200, answer))
}

/// Keeps a part. Returns its ETag and time.
async fn keep(
    shared: &Shared,
    id: &str,
    number: i32,
    content: Bytes,
) -> Result<(Value, Timestamp), Trouble> {
    let hashed = content.clone();
    let etag = blocking::over(content.len(), move || checksums::md5_hex(&hashed)).await?;
    let quoted = format!("\"{etag}\"").into();
    let modified = shared.uploads.now();
    let part = Part {
        content,
        etag,
        modified,
    };
    shared.uploads.keep(id, number, part)?;
    Ok((quoted, modified))
}

/// Copies a part from an object or a range of it.
async fn copy_part(shared: &Shared, request: &Incoming) -> Answered {
    let number = parts::part_number(request.query("partNumber").unwrap_or_default())?;
    let (id, _) = find(shared, request)?;
    let (_, source) = params::copy_source(request)?;
    let conditions = params::arguments(request, &[COPY_IF])?.into_iter();
    let conditions = conditions.filter_map(|(name, value)| {
        let name = name.strip_prefix("CopySource")?;
        Some((name.to_owned().into(), value))
    });
    let mut read: Map = conditions.collect();
    let range = request.header("x-amz-copy-source-range");
    read.extend(range.map(|range| ("Range".into(), range.into())));
    for name in ["Bucket", "Key", "VersionId"] {
        read.extend(source.get(name).map(|value| (name.into(), value.clone())));
    }
    let answer = shared.world.call("get_object", &Value::Map(read)).await??;
    let content = match answer.get("Body") {
        Some(Value::Bytes(content)) => content.clone(),
        Some(Value::Str(text)) => Bytes::copy_from_slice(text.as_bytes()),
        _ => Bytes::new(),
    };
    let (etag, modified) = keep(shared, &id, number, content).await?;
    let elements = map([("LastModified", modified.into()), ("ETag", etag)]);
    Ok(answers::elements("CopyPartResult", &elements))
}

async fn complete(shared: &Shared, request: &mut Incoming) -> Answered {
    let (id, upload) = find(shared, request)?;
    let too_large = request::document_too_large;
    let limit = request::MAX_DOCUMENT_BYTES;
    // Checksums in the headers of this request belong to the whole object.
    let document = request.content(shared, limit, too_large).await?;
    let wanted = xml::completion(&document)?;
    let parts = shared.uploads.parts(&id)?;
    let named = id.clone();
    let object = blocking::waiting(move || parts::assemble(&named, &parts, &wanted)).await??;
    if let Some(size) = request.header("x-amz-mp-object-size")
        && size != object.len().to_string()
    {
        return Err(Refusal::new(
            400,
            "InvalidRequest",
            format!(
                "The provided 'x-amz-mp-object-size' header value {size} does not match what was computed: {}",
                object.len()
            ),
        )
        .into());
    }
    let is_of_whole = request
        .header("x-amz-checksum-type")
        .is_some_and(|kind| kind == "FULL_OBJECT");
    if is_of_whole {
        checksums::check_unkept(request, &object).await?;
    }
    let mut arguments = upload.arguments.clone();
    let more = params::arguments(request, &[IF])?;
    arguments.extend(more.into_iter().filter(|(name, _)| name.starts_with("If")));
    arguments.push(("Body".into(), object.into()));
    let answer = shared
        .world
        .call("put_object", &Value::Map(arguments))
        .await??;
    shared.uploads.forget(&id);
    let mut elements = map([
        (
            "Location",
            format!("/{}/{}", request.bucket, request.key).into(),
        ),
        ("Bucket", request.bucket.as_str().into()),
        ("Key", request.key.as_str().into()),
    ]);
    for name in ["ETag", "ChecksumCRC32", "ChecksumSHA256", "ChecksumType"] {
        elements.extend(answer.get(name).map(|value| (name.into(), value.clone())));
    }
    Ok(answers::elements(
        "CompleteMultipartUploadResult",
        &elements,
    ))
}

async fn list_parts(shared: &Shared, request: &Incoming) -> Answered {
    let (id, upload) = find(shared, request)?;
    let limit = limit(request, "max-parts")?;
    let marker = request.query("part-number-marker").unwrap_or_default();
    let after = marker.parse().unwrap_or(0);
    let parts = shared.uploads.parts(&id)?;
    let mut rest = parts.iter().filter(|(number, _)| **number > after);
    let page: Vec<_> = rest.by_ref().take(limit).collect();
    let truncated = rest.next().is_some();
    let last = page.last().map_or(0, |(number, _)| **number);
    let parts = page.into_iter().map(|(number, part)| {
        Value::Map(map([
            ("PartNumber", i64::from(*number).into()),
            ("LastModified", part.modified.into()),
            ("ETag", format!("\"{}\"", part.etag).into()),
            ("Size", count(part.content.len())),
        ]))
    });
    let owner = subresources::owner(shared).await?;
    let elements = map([
        ("Bucket", request.bucket.as_str().into()),
        ("Key", request.key.as_str().into()),
        ("UploadId", id.into()),
        ("Initiator", owner.clone()),
        ("Owner", owner),
        ("StorageClass", storage_class(&upload)),
        ("PartNumberMarker", i64::from(after).into()),
        ("NextPartNumberMarker", i64::from(last).into()),
        ("MaxParts", count(limit)),
        ("IsTruncated", truncated.into()),
        ("Parts", Value::List(parts.collect())),
    ]);
    Ok(answers::elements("ListPartsResult", &elements))
}

async fn list_uploads(shared: &Shared, request: &Incoming) -> Answered {
    subresources::require_bucket(shared, request).await?;
    let limit = limit(request, "max-uploads")?;
    let prefix = request.query("prefix").unwrap_or_default();
    let key_marker = request.query("key-marker").unwrap_or_default();
    let id_marker = request.query("upload-id-marker").unwrap_or_default();
    let all = shared.uploads.of_bucket(&request.bucket);
    let mut rest = all.into_iter().filter(|(id, upload)| {
        let is_after = match id_marker {
            "" => upload.key.as_str() > key_marker,
            marker => (upload.key.as_str(), id.as_str()) > (key_marker, marker),
        };
        upload.key.starts_with(prefix) && (key_marker.is_empty() || is_after)
    });
    let page: Vec<_> = rest.by_ref().take(limit).collect();
    let truncated = rest.next().is_some();
    let mut elements = map([
        ("Bucket", request.bucket.as_str().into()),
        ("KeyMarker", key_marker.into()),
        ("UploadIdMarker", id_marker.into()),
        ("Prefix", prefix.into()),
        ("MaxUploads", count(limit)),
        ("IsTruncated", truncated.into()),
    ]);
    if let Some((id, upload)) = page.last().filter(|_| truncated) {
        elements.extend(map([
            ("NextKeyMarker", upload.key.as_str().into()),
            ("NextUploadIdMarker", id.as_str().into()),
        ]));
    }
    let owner = subresources::owner(shared).await?;
    let uploads = page.into_iter().map(|(id, upload)| {
        Value::Map(map([
            ("Key", upload.key.as_str().into()),
            ("UploadId", id.into()),
            ("Initiator", owner.clone()),
            ("Owner", owner.clone()),
            ("StorageClass", storage_class(&upload)),
            ("Initiated", upload.initiated.into()),
        ]))
    });
    elements.push(("Uploads".into(), Value::List(uploads.collect())));
    if request.query("encoding-type") == Some("url") {
        calls::encode_names(&mut elements);
    }
    Ok(answers::elements("ListMultipartUploadsResult", &elements))
}

fn limit(request: &Incoming, name: &str) -> Result<usize, Refusal> {
    let Some(text) = request.query(name) else {
        return Ok(1000);
    };
    let limit = text
        .parse::<i32>()
        .ok()
        .and_then(|n| usize::try_from(n).ok());
    limit.map(|limit| limit.min(1000)).ok_or_else(|| {
        let message = format!("Argument {name} must be an integer between 0 and 2147483647");
        refusal::invalid_argument(name, text, &message)
    })
}

fn storage_class(upload: &Upload) -> Value {
    let mut arguments = upload.arguments.iter();
    let found = arguments.find(|(name, _)| name == "StorageClass");
    found.map_or("STANDARD".into(), |(_, class)| class.clone())
}

fn count(number: usize) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}
