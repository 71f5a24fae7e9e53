//! The steps of a multipart upload (S3 API reference, `CreateMultipartUpload` and the
//! operations that follow it).

use super::errors::{Trouble, map};
use super::parts::{self, Part};
use super::request::{self, Incoming};
use super::uploads::Upload;
use super::{Shared, answers, calls, checksums};
use crate::domain::s3::api::request::Received;
use crate::domain::s3::api::{self, ApiOperation};
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

impl Step {
    /// The step that an operation is.
    pub fn of(operation: &ApiOperation) -> Option<Step> {
        Some(match operation.name {
            "create_multipart_upload" => Step::Create,
            "upload_part" => Step::Part,
            "upload_part_copy" => Step::CopyPart,
            "complete_multipart_upload" => Step::Complete,
            "abort_multipart_upload" => Step::Abort,
            "list_parts" => Step::ListParts,
            "list_multipart_uploads" => Step::ListUploads,
            _ => return None,
        })
    }
}

/// Carries out one step.
pub async fn carry_out(
    shared: &Shared,
    step: Step,
    operation: &ApiOperation,
    request: &mut Incoming,
) -> Result<Response<Bytes>, Trouble> {
    let answer = match step {
        Step::Create => create(shared, operation, request).await,
        Step::Part => part(shared, request).await,
        Step::CopyPart => copy_part(shared, operation, request).await,
        Step::Complete => complete(shared, operation, request).await,
        Step::Abort => {
            let (id, _) = find(shared, request)?;
            shared.uploads.forget(&id);
            Ok(Map::new())
        }
        Step::ListParts => list_parts(shared, request).await,
        Step::ListUploads => list_uploads(shared, request).await,
    };
    answers::of(operation, &answer?)
}

type Answered = Result<Map, Trouble>;

async fn create(shared: &Shared, operation: &ApiOperation, request: &Incoming) -> Answered {
    require_bucket(shared, request).await?;
    names::check_key(&request.key)?;
    let mut arguments = api::request::read(operation, request, Bytes::new())?;
    // The checksums are those of the whole object, and the store computes its own.
    arguments.retain(|(name, _)| !name.starts_with("Checksum"));
    let id = shared.uploads.create(Upload {
        bucket: request.bucket.clone(),
        key: request.key.clone(),
        arguments,
        initiated: shared.uploads.now(),
    })?;
    Ok(map([
        ("ServerSideEncryption", "AES256".into()),
        ("Bucket", request.bucket.as_str().into()),
        ("Key", request.key.as_str().into()),
        ("UploadId", id.into()),
    ]))
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
    Ok(answer)
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
async fn copy_part(shared: &Shared, operation: &ApiOperation, request: &Incoming) -> Answered {
    let number = parts::part_number(request.query("partNumber").unwrap_or_default())?;
    let (id, _) = find(shared, request)?;
    let arguments = Value::Map(api::request::read(operation, request, Bytes::new())?);
    let mut read = match arguments.get("CopySource") {
        Some(Value::Map(source)) => source.clone(),
        _ => Map::new(),
    };
    for (name, value) in pairs(&arguments) {
        let condition = name
            .strip_prefix("CopySource")
            .filter(|name| name.starts_with("If"));
        read.extend(condition.map(|name| (name.to_owned().into(), value.clone())));
    }
    let range = arguments.get("CopySourceRange");
    read.extend(range.map(|range| ("Range".into(), range.clone())));
    let answer = shared.world.call("get_object", &Value::Map(read)).await??;
    let content = match answer.get("Body") {
        Some(Value::Bytes(content)) => content.clone(),
        Some(Value::Str(text)) => Bytes::copy_from_slice(text.as_bytes()),
        _ => Bytes::new(),
    };
    let (etag, modified) = keep(shared, &id, number, content).await?;
    let result = map([("LastModified", modified.into()), ("ETag", etag)]);
    Ok(map([("CopyPartResult", Value::Map(result))]))
}

async fn complete(shared: &Shared, operation: &ApiOperation, request: &mut Incoming) -> Answered {
    let (id, upload) = find(shared, request)?;
    let too_large = request::document_too_large;
    let limit = request::MAX_DOCUMENT_BYTES;
    // Checksums in the headers of this request belong to the whole object.
    let document = request.content(shared, limit, too_large).await?;
    let given = Value::Map(api::request::read(operation, request, document)?);
    let wanted = wanted(&given).ok_or_else(refusal::malformed_xml)?;
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
    let more = pairs(&given).filter(|(name, _)| name.starts_with("If"));
    arguments.extend(more.cloned());
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
    Ok(elements)
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
    let owner = owner(shared).await?;
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
    Ok(elements)
}

async fn list_uploads(shared: &Shared, request: &Incoming) -> Answered {
    require_bucket(shared, request).await?;
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
    let owner = owner(shared).await?;
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
    calls::encode_names(request, &mut elements)?;
    Ok(elements)
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

/// The pairs of a map.
fn pairs(value: &Value) -> impl Iterator<Item = &(crate::domain::Name, Value)> {
    match value {
        Value::Map(pairs) => pairs.iter(),
        _ => [].iter(),
    }
}

/// The parts that a completion names: number and ETag without quotes.
fn wanted(given: &Value) -> Option<Vec<(i32, String)>> {
    let parts = given.get("MultipartUpload")?.get("Parts")?.as_list()?;
    let part = |part: &Value| {
        let number = i32::try_from(part.get("PartNumber")?.as_int()?).ok()?;
        let etag = part.get("ETag")?.as_str()?;
        Some((number, etag.trim_matches('"').to_owned()))
    };
    let parts: Option<Vec<_>> = parts.iter().map(part).collect();
    parts.filter(|parts| !parts.is_empty())
}

/// Refuses a request for a bucket that does not exist.
async fn require_bucket(shared: &Shared, request: &Incoming) -> Result<(), Trouble> {
    let mut arguments = map([("Bucket", request.bucket.as_str().into())]);
    let owner = request.header("x-amz-expected-bucket-owner");
    arguments.extend(owner.map(|owner| ("ExpectedBucketOwner".into(), owner.into())));
    let arguments = Value::Map(arguments);
    // head_bucket is not used, because its refusals have no code.
    shared
        .world
        .call("get_bucket_location", &arguments)
        .await??;
    Ok(())
}

/// The owner of all buckets.
async fn owner(shared: &Shared) -> Result<Value, Trouble> {
    let answer = shared
        .world
        .call("list_buckets", &Value::Map(Map::new()))
        .await??;
    Ok(answer
        .get("Owner")
        .cloned()
        .unwrap_or(Value::Map(Map::new())))
}
