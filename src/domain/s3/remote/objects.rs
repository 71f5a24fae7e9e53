//! The operations on objects.

use super::Remote;
use super::answers::Fields;
use super::errors::Trouble;
use super::params::{Params, refusal};
use crate::domain::{Map, Value};
use aws_sdk_s3::primitives::ByteStream;
use aws_sdk_s3::types::{Delete, ObjectIdentifier};
use bytes::{Bytes, BytesMut};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The largest content that get_object reads, in bytes.
const LARGEST_BODY: u64 = 64 * 1024 * 1024;

/// What stays as it is in the header that names the source of a copy.
const SOURCE: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

/// What get_object and head_object say about an object alike.
macro_rules! about {
    ($output:expr) => {
        Fields::default()
            .put("DeleteMarker", $output.delete_marker())
            .put("AcceptRanges", $output.accept_ranges())
            .put("Expiration", $output.expiration())
            .put("Restore", $output.restore())
            .time("LastModified", $output.last_modified())
            .int("ContentLength", $output.content_length())
            .put("ETag", $output.e_tag())
            .int("MissingMeta", $output.missing_meta())
            .put("VersionId", $output.version_id())
            .put("CacheControl", $output.cache_control())
            .put("ContentDisposition", $output.content_disposition())
            .put("ContentEncoding", $output.content_encoding())
            .put("ContentLanguage", $output.content_language())
            .put("ContentRange", $output.content_range())
            .put("ContentType", $output.content_type())
            .expires($output.expires_string())
            .put(
                "WebsiteRedirectLocation",
                $output.website_redirect_location(),
            )
            .put(
                "ServerSideEncryption",
                $output.server_side_encryption().map(|e| e.as_str()),
            )
            .put("Metadata", Some(metadata($output.metadata())))
            .put("StorageClass", $output.storage_class().map(|c| c.as_str()))
            .int("PartsCount", $output.parts_count())
            .int("TagCount", $output.tag_count())
            .charged($output.request_charged())
    };
}

fn metadata(pairs: Option<&std::collections::HashMap<String, String>>) -> Value {
    let mut pairs: Map = pairs
        .into_iter()
        .flatten()
        .map(|(key, value)| (key.clone().into(), Value::from(value.as_str())))
        .collect();
    pairs.sort_by(|(one, _), (other, _)| one.cmp(other));
    Value::Map(pairs)
}

/// The whole of a body that is small enough.
async fn content(mut body: ByteStream, announced: Option<i64>) -> Result<Bytes, Trouble> {
    let too_large = |size: u64| {
        Trouble::Refused(refusal(
            "EntityTooLarge",
            400,
            format!(
                "The object has {size} bytes or more, and at most {LARGEST_BODY} can be read at once: ask for a part of it with Range"
            ),
        ))
    };
    let announced = announced.and_then(|length| u64::try_from(length).ok());
    if let Some(size) = announced.filter(|size| *size > LARGEST_BODY) {
        return Err(too_large(size));
    }
    let mut read = BytesMut::new();
    while let Some(chunk) = body.next().await {
        let chunk = chunk.map_err(|problem| {
            crate::Error::World(format!(
                "S3 broke off in the middle of an object: {problem}"
            ))
        })?;
        let size = read.len() as u64 + chunk.len() as u64;
        if size > LARGEST_BODY {
            return Err(too_large(size));
        }
        read.extend_from_slice(&chunk);
    }
    Ok(read.freeze())
}

impl Remote {
    pub(super) async fn get_object(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let request = self
            .client
            .get_object()
            .set_bucket(p.text("Bucket"))
            .set_key(p.text("Key"))
            .set_range(p.text("Range"))
            .set_version_id(p.text("VersionId"))
            .set_part_number(p.int("PartNumber"))
            .set_if_match(p.text("IfMatch"))
            .set_if_none_match(p.text("IfNoneMatch"))
            .set_if_modified_since(p.time("IfModifiedSince"))
            .set_if_unmodified_since(p.time("IfUnmodifiedSince"))
            .set_response_content_type(p.text("ResponseContentType"))
            .set_response_content_disposition(p.text("ResponseContentDisposition"))
            .set_response_content_encoding(p.text("ResponseContentEncoding"))
            .set_response_content_language(p.text("ResponseContentLanguage"))
            .set_response_cache_control(p.text("ResponseCacheControl"))
            .set_response_expires(p.time("ResponseExpires"))
            .set_request_payer(p.choice("RequestPayer"))
            .set_expected_bucket_owner(p.text("ExpectedBucketOwner"));
        p.finish()?;
        let mut output = request.send().await.map_err(|e| self.trouble(e))?;
        let body = std::mem::take(&mut output.body);
        let content = content(body, output.content_length()).await?;
        Ok(about!(output).put("Body", Some(content)).done())
    }

    pub(super) async fn head_object(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let request = self
            .client
            .head_object()
            .set_bucket(p.text("Bucket"))
            .set_key(p.text("Key"))
            .set_range(p.text("Range"))
            .set_version_id(p.text("VersionId"))
            .set_part_number(p.int("PartNumber"))
            .set_if_match(p.text("IfMatch"))
            .set_if_none_match(p.text("IfNoneMatch"))
            .set_if_modified_since(p.time("IfModifiedSince"))
            .set_if_unmodified_since(p.time("IfUnmodifiedSince"))
            .set_request_payer(p.choice("RequestPayer"))
            .set_expected_bucket_owner(p.text("ExpectedBucketOwner"));
        p.finish()?;
        let output = request.send().await.map_err(|e| self.trouble(e))?;
        Ok(about!(output).done())
    }

    pub(super) async fn put_object(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let request = self
            .client
            .put_object()
            .set_bucket(p.text("Bucket"))
            .set_key(p.text("Key"))
            .set_body(p.body("Body"))
            .set_acl(p.choice("ACL"))
            .set_content_type(p.text("ContentType"))
            .set_content_length(p.int("ContentLength"))
            .set_content_md5(p.text("ContentMD5"))
            .set_content_disposition(p.text("ContentDisposition"))
            .set_content_encoding(p.text("ContentEncoding"))
            .set_content_language(p.text("ContentLanguage"))
            .set_cache_control(p.text("CacheControl"))
            .set_expires(p.time("Expires"))
            .set_if_match(p.text("IfMatch"))
            .set_if_none_match(p.text("IfNoneMatch"))
            .set_metadata(p.texts("Metadata"))
            .set_server_side_encryption(p.choice("ServerSideEncryption"))
            .set_storage_class(p.choice("StorageClass"))
            .set_tagging(p.text("Tagging"))
            .set_website_redirect_location(p.text("WebsiteRedirectLocation"))
            .set_checksum_algorithm(p.choice("ChecksumAlgorithm"))
            .set_request_payer(p.choice("RequestPayer"))
            .set_expected_bucket_owner(p.text("ExpectedBucketOwner"));
        p.finish()?;
        let output = request.send().await.map_err(|e| self.trouble(e))?;
        Ok(Fields::default()
            .put("Expiration", output.expiration())
            .put("ETag", output.e_tag())
            .put("ChecksumCRC32", output.checksum_crc32())
            .put("ChecksumSHA1", output.checksum_sha1())
            .put("ChecksumSHA256", output.checksum_sha256())
            .put(
                "ServerSideEncryption",
                output.server_side_encryption().map(|e| e.as_str()),
            )
            .put("VersionId", output.version_id())
            .charged(output.request_charged())
            .done())
    }

    pub(super) async fn copy_object(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let source = p.take("CopySource").and_then(copy_source);
        if source.is_none() {
            p.refuse("CopySource");
        }
        let request = self
            .client
            .copy_object()
            .set_copy_source(source)
            .set_bucket(p.text("Bucket"))
            .set_key(p.text("Key"))
            .set_acl(p.choice("ACL"))
            .set_cache_control(p.text("CacheControl"))
            .set_content_disposition(p.text("ContentDisposition"))
            .set_content_encoding(p.text("ContentEncoding"))
            .set_content_language(p.text("ContentLanguage"))
            .set_content_type(p.text("ContentType"))
            .set_copy_source_if_match(p.text("CopySourceIfMatch"))
            .set_copy_source_if_none_match(p.text("CopySourceIfNoneMatch"))
            .set_copy_source_if_modified_since(p.time("CopySourceIfModifiedSince"))
            .set_copy_source_if_unmodified_since(p.time("CopySourceIfUnmodifiedSince"))
            .set_expires(p.time("Expires"))
            .set_if_match(p.text("IfMatch"))
            .set_if_none_match(p.text("IfNoneMatch"))
            .set_metadata(p.texts("Metadata"))
            .set_metadata_directive(p.choice("MetadataDirective"))
            .set_server_side_encryption(p.choice("ServerSideEncryption"))
            .set_storage_class(p.choice("StorageClass"))
            .set_tagging(p.text("Tagging"))
            .set_tagging_directive(p.choice("TaggingDirective"))
            .set_website_redirect_location(p.text("WebsiteRedirectLocation"))
            .set_request_payer(p.choice("RequestPayer"))
            .set_expected_bucket_owner(p.text("ExpectedBucketOwner"))
            .set_expected_source_bucket_owner(p.text("ExpectedSourceBucketOwner"));
        p.finish()?;
        let output = request.send().await.map_err(|e| self.trouble(e))?;
        let result = output.copy_object_result().map(|result| {
            let fields = Fields::default()
                .put("ETag", result.e_tag())
                .time("LastModified", result.last_modified());
            Value::Map(fields.done())
        });
        Ok(Fields::default()
            .put("CopyObjectResult", result)
            .put("CopySourceVersionId", output.copy_source_version_id())
            .put("VersionId", output.version_id())
            .put(
                "ServerSideEncryption",
                output.server_side_encryption().map(|e| e.as_str()),
            )
            .charged(output.request_charged())
            .done())
    }

    pub(super) async fn delete_object(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let request = self
            .client
            .delete_object()
            .set_bucket(p.text("Bucket"))
            .set_key(p.text("Key"))
            .set_version_id(p.text("VersionId"))
            .set_if_match(p.text("IfMatch"))
            .set_mfa(p.text("MFA"))
            .set_bypass_governance_retention(p.truth("BypassGovernanceRetention"))
            .set_request_payer(p.choice("RequestPayer"))
            .set_expected_bucket_owner(p.text("ExpectedBucketOwner"));
        p.finish()?;
        let output = request.send().await.map_err(|e| self.trouble(e))?;
        Ok(Fields::default()
            .put("DeleteMarker", output.delete_marker())
            .put("VersionId", output.version_id())
            .charged(output.request_charged())
            .done())
    }

    pub(super) async fn delete_objects(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let delete = p.take("Delete").map(to_delete).transpose()?;
        if delete.is_none() {
            p.refuse("Delete");
        }
        let request = self
            .client
            .delete_objects()
            .set_bucket(p.text("Bucket"))
            .set_delete(delete)
            .set_mfa(p.text("MFA"))
            .set_bypass_governance_retention(p.truth("BypassGovernanceRetention"))
            .set_request_payer(p.choice("RequestPayer"))
            .set_expected_bucket_owner(p.text("ExpectedBucketOwner"));
        p.finish()?;
        let output = request.send().await.map_err(|e| self.trouble(e))?;
        let deleted = output.deleted().iter().map(|deleted| {
            Fields::default()
                .put("Key", deleted.key())
                .put("VersionId", deleted.version_id())
                .put("DeleteMarker", deleted.delete_marker())
                .put("DeleteMarkerVersionId", deleted.delete_marker_version_id())
                .done()
        });
        let errors = output.errors().iter().map(|error| {
            Fields::default()
                .put("Key", error.key())
                .put("VersionId", error.version_id())
                .put("Code", error.code())
                .put("Message", error.message())
                .done()
        });
        Ok(Fields::default()
            .list("Deleted", deleted)
            .charged(output.request_charged())
            .list("Errors", errors)
            .done())
    }
}

/// `{"Bucket", "Key"(, "VersionId")}` as the text of the header.
fn copy_source(source: &Value) -> Option<String> {
    let bucket = source.get("Bucket")?.as_str()?;
    let key = source.get("Key")?.as_str()?;
    let path = format!("{bucket}/{key}");
    let mut header = utf8_percent_encode(&path, SOURCE).to_string();
    if let Some(version) = source.get("VersionId").and_then(Value::as_str) {
        header.push_str("?versionId=");
        header.push_str(version);
    }
    Some(header)
}

fn to_delete(value: &Value) -> Result<Delete, Trouble> {
    let mut params = Params::new(value);
    let mut objects = Vec::new();
    for object in params
        .take("Objects")
        .and_then(Value::as_list)
        .unwrap_or(&[])
    {
        let mut object = Params::new(object);
        let built = ObjectIdentifier::builder()
            .key(object.text("Key").unwrap_or_default())
            .set_version_id(object.text("VersionId"))
            .set_e_tag(object.text("ETag"))
            .set_size(object.int("Size"))
            .set_last_modified_time(object.time("LastModifiedTime"))
            .build();
        object.finish()?;
        objects.extend(built.ok());
    }
    let quiet = params.truth("Quiet");
    params.finish()?;
    if objects.is_empty() {
        // The SDK and some servers let it pass; Amazon does not.
        return Err(Trouble::Refused(refusal(
            "MalformedXML",
            400,
            "The XML you provided was not well-formed or did not validate against our published schema",
        )));
    }
    Delete::builder()
        .set_objects(Some(objects))
        .set_quiet(quiet)
        .build()
        .map_err(|problem| Trouble::Refused(refusal("InvalidArgument", 400, problem.to_string())))
}
