//! `get_object` and `head_object`.

use super::answers::Fields;
use super::call::Call;
use super::errors::{Trouble, innermost};
use super::params::Params;
use super::table::{answered, checksums, encryption, request, sent};
use crate::domain::{Map, Value};
use crate::error::Error;
use crate::refusal;
use aws_sdk_s3::Config;
use aws_sdk_s3::config::ResponseChecksumValidation;
use aws_sdk_s3::primitives::ByteStream;
use bytes::{Bytes, BytesMut};
use std::collections::HashMap;

/// The parameters of both operations: the object, conditions, and headers of the answer.
macro_rules! asked {
    ($p:expr, $builder:expr) => {
        request!($p, $builder;
            needed { set_bucket "Bucket" }
            key { set_key "Key" }
            text {
                set_if_match "IfMatch",
                set_if_none_match "IfNoneMatch",
                set_range "Range",
                set_response_cache_control "ResponseCacheControl",
                set_response_content_disposition "ResponseContentDisposition",
                set_response_content_encoding "ResponseContentEncoding",
                set_response_content_language "ResponseContentLanguage",
                set_response_content_type "ResponseContentType",
                set_version_id "VersionId",
                set_sse_customer_algorithm "SSECustomerAlgorithm",
                set_expected_bucket_owner "ExpectedBucketOwner",
            }
            time {
                set_if_modified_since "IfModifiedSince",
                set_if_unmodified_since "IfUnmodifiedSince",
                set_response_expires "ResponseExpires",
            }
            part_number { set_part_number "PartNumber" }
            customer_key { set_sse_customer_key "SSECustomerKey" }
            customer_key_md5 { set_sse_customer_key_md5 "SSECustomerKeyMD5" }
            choice { set_request_payer "RequestPayer", set_checksum_mode "ChecksumMode" }
        )
    };
}

/// The fields of both answers that follow the type and range of the content.
macro_rules! described {
    ($fields:expr, $output:expr) => {{
        let fields = answered!($fields, $output;
            "Expires" expires expires_string,
            "WebsiteRedirectLocation" put website_redirect_location,
            "ServerSideEncryption" choice server_side_encryption,
        )
        .put("Metadata", Some(metadata($output.metadata())));
        answered!(encryption!(fields, $output), $output;
            "BucketKeyEnabled" put bucket_key_enabled,
            "StorageClass" choice storage_class,
            "RequestCharged" choice request_charged,
            "ReplicationStatus" choice replication_status,
            "PartsCount" int parts_count,
            "TagCount" int tag_count,
            "ObjectLockMode" choice object_lock_mode,
            "ObjectLockRetainUntilDate" time object_lock_retain_until_date,
            "ObjectLockLegalHoldStatus" choice object_lock_legal_hold_status,
            "ObjectLockEventHold" choice object_lock_event_hold,
            "ObjectLockEventHoldDurationDays" int object_lock_event_hold_duration_days,
            "ObjectLockEventHoldDurationYears" int object_lock_event_hold_duration_years,
            "ExpiresString" put expires_string,
        )
    }};
}

impl Call<'_> {
    pub async fn get_object(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        // Amazon sends no checksum with a part. Some servers (rclone) send the checksum
        // of the whole, and the part would seem to be damaged.
        let verified = match p.is_part("Range") {
            true => Config::builder()
                .response_checksum_validation(ResponseChecksumValidation::WhenRequired),
            false => Config::builder(),
        };
        let request = asked!(p, self.client.get_object());
        let sent = request
            .customize()
            .mutate_request(p.unmark())
            .config_override(verified)
            .send();
        let mut output = sent.await.map_err(|e| self.trouble(e))?;
        let body = std::mem::take(&mut output.body);
        let content = self.content(body, output.content_length()).await?;
        let fields = answered!(Fields::default(), output;
            "DeleteMarker" put delete_marker,
            "AcceptRanges" put accept_ranges,
            "Expiration" put expiration,
            "Restore" put restore,
            "LastModified" time last_modified,
            "ContentLength" int content_length,
            "ETag" put e_tag,
        );
        let fields = answered!(checksums!(fields, output), output;
            "ChecksumType" choice checksum_type,
            "MissingMeta" int missing_meta,
            "VersionId" put version_id,
            "CacheControl" put cache_control,
            "ContentDisposition" put content_disposition,
            "ContentEncoding" put content_encoding,
            "ContentLanguage" put content_language,
            "ContentRange" put content_range,
            "ContentType" put content_type,
        );
        Ok(described!(fields, output).put("Body", Some(content)).done())
    }

    pub async fn head_object(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let request = asked!(p, self.client.head_object());
        let output = sent!(self, p, request);
        let fields = answered!(Fields::default(), output;
            "DeleteMarker" put delete_marker,
            "AcceptRanges" put accept_ranges,
            "Expiration" put expiration,
            "Restore" put restore,
            "ArchiveStatus" choice archive_status,
            "LastModified" time last_modified,
            "ContentLength" int content_length,
        );
        let fields = answered!(checksums!(fields, output), output;
            "ChecksumType" choice checksum_type,
            "ETag" put e_tag,
            "MissingMeta" int missing_meta,
            "VersionId" put version_id,
            "CacheControl" put cache_control,
            "ContentDisposition" put content_disposition,
            "ContentEncoding" put content_encoding,
            "ContentLanguage" put content_language,
            "ContentType" put content_type,
            "ContentRange" put content_range,
        );
        Ok(described!(fields, output).done())
    }

    /// Reads a body, unless it is too large.
    async fn content(
        &self,
        mut body: ByteStream,
        announced: Option<i64>,
    ) -> Result<Bytes, Trouble> {
        let most = self.remote.limits().body;
        let too_large = |size: u64| Trouble::from(refusal::too_large_to_read(size, most));
        let announced = announced.and_then(|length| u64::try_from(length).ok());
        if let Some(size) = announced.filter(|size| *size > most) {
            return Err(too_large(size));
        }
        let mut read = BytesMut::new();
        while let Some(chunk) = body.next().await {
            let chunk = chunk.map_err(|problem| {
                Error::world(format!(
                    "{}: broke off in the middle of an object: {}",
                    self.remote.place(),
                    innermost(&problem)
                ))
            })?;
            let size = read.len() as u64 + chunk.len() as u64;
            if size > most {
                return Err(too_large(size));
            }
            read.extend_from_slice(&chunk);
        }
        Ok(read.freeze())
    }
}

fn metadata(pairs: Option<&HashMap<String, String>>) -> Value {
    let mut pairs: Map = pairs
        .into_iter()
        .flatten()
        .map(|(key, value)| (key.clone().into(), Value::from(value.as_str())))
        .collect();
    pairs.sort_by(|(one, _), (other, _)| one.cmp(other));
    Value::Map(pairs)
}
