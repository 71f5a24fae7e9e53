//! `put_object` and `copy_object`.

use super::answers::Fields;
use super::call::Call;
use super::errors::Trouble;
use super::params::Params;
use super::table::{answered, checksums, encryption, filled, request, sent};
use crate::domain::Map;

/// The attributes of a new object, whether its content is sent or copied.
macro_rules! about {
    ($p:expr, $builder:expr) => {
        filled!($p, $builder;
            choice {
                set_acl "ACL",
                set_checksum_algorithm "ChecksumAlgorithm",
                set_server_side_encryption "ServerSideEncryption",
                set_storage_class "StorageClass",
                set_request_payer "RequestPayer",
                set_object_lock_mode "ObjectLockMode",
                set_object_lock_legal_hold_status "ObjectLockLegalHoldStatus",
                set_object_lock_event_hold "ObjectLockEventHold",
            }
            text {
                set_cache_control "CacheControl",
                set_content_disposition "ContentDisposition",
                set_content_encoding "ContentEncoding",
                set_content_language "ContentLanguage",
                set_content_type "ContentType",
                set_if_match "IfMatch",
                set_if_none_match "IfNoneMatch",
                set_grant_full_control "GrantFullControl",
                set_grant_read "GrantRead",
                set_grant_read_acp "GrantReadACP",
                set_grant_write_acp "GrantWriteACP",
                set_website_redirect_location "WebsiteRedirectLocation",
                set_sse_customer_algorithm "SSECustomerAlgorithm",
                set_ssekms_key_id "SSEKMSKeyId",
                set_ssekms_encryption_context "SSEKMSEncryptionContext",
                set_tagging "Tagging",
                set_expected_bucket_owner "ExpectedBucketOwner",
            }
            metadata { set_metadata "Metadata" }
            customer_key { set_sse_customer_key "SSECustomerKey" }
            customer_key_md5 { set_sse_customer_key_md5 "SSECustomerKeyMD5" }
            truth { set_bucket_key_enabled "BucketKeyEnabled" }
            time {
                set_expires "Expires",
                set_object_lock_retain_until_date "ObjectLockRetainUntilDate",
            }
            int {
                set_object_lock_event_hold_duration_days "ObjectLockEventHoldDurationDays",
                set_object_lock_event_hold_duration_years "ObjectLockEventHoldDurationYears",
            }
        )
    };
}

impl Call<'_> {
    pub async fn put_object(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let is_typed = p.has("ContentType");
        let started = filled!(p, self.client.put_object();
            needed { set_bucket "Bucket" }
            key { set_key "Key" }
            body { set_body "Body" }
            content_length { set_content_length "ContentLength" }
        );
        let request = request!(p, about!(p, started);
            text {
                set_content_md5 "ContentMD5",
                set_checksum_crc32 "ChecksumCRC32",
                set_checksum_crc32_c "ChecksumCRC32C",
                set_checksum_crc64_nvme "ChecksumCRC64NVME",
                set_checksum_sha1 "ChecksumSHA1",
                set_checksum_sha256 "ChecksumSHA256",
                set_checksum_sha512 "ChecksumSHA512",
                set_checksum_md5 "ChecksumMD5",
                set_checksum_xxhash64 "ChecksumXXHASH64",
                set_checksum_xxhash3 "ChecksumXXHASH3",
                set_checksum_xxhash128 "ChecksumXXHASH128",
            }
            int { set_write_offset_bytes "WriteOffsetBytes" }
        );
        // If the caller gives no type, the SDK would send one of its own instead of
        // leaving S3's default.
        let request = request.customize().mutate_request(move |request| {
            if !is_typed {
                request.headers_mut().remove("content-type");
            }
        });
        let output = request
            .mutate_request(p.unmark())
            .send()
            .await
            .map_err(|e| self.trouble(e))?;
        let fields = answered!(Fields::default(), output;
            "Expiration" put expiration,
            "ETag" put e_tag,
        );
        let fields = answered!(checksums!(fields, output), output;
            "ChecksumType" choice checksum_type,
            "ServerSideEncryption" choice server_side_encryption,
            "VersionId" put version_id,
        );
        Ok(answered!(encryption!(fields, output), output;
            "SSEKMSEncryptionContext" put ssekms_encryption_context,
            "BucketKeyEnabled" put bucket_key_enabled,
            "Size" int size,
            "RequestCharged" choice request_charged,
        )
        .done())
    }

    pub async fn upload_part(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let request = request!(p, self.client.upload_part();
            needed { set_bucket "Bucket" }
            key { set_key "Key" }
            body { set_body "Body" }
            content_length { set_content_length "ContentLength" }
            part_number { set_part_number "PartNumber" }
            text {
                set_upload_id "UploadId",
                set_content_md5 "ContentMD5",
                set_checksum_crc32 "ChecksumCRC32",
                set_checksum_crc32_c "ChecksumCRC32C",
                set_checksum_crc64_nvme "ChecksumCRC64NVME",
                set_checksum_sha1 "ChecksumSHA1",
                set_checksum_sha256 "ChecksumSHA256",
                set_checksum_sha512 "ChecksumSHA512",
                set_checksum_md5 "ChecksumMD5",
                set_checksum_xxhash64 "ChecksumXXHASH64",
                set_checksum_xxhash3 "ChecksumXXHASH3",
                set_checksum_xxhash128 "ChecksumXXHASH128",
                set_sse_customer_algorithm "SSECustomerAlgorithm",
                set_expected_bucket_owner "ExpectedBucketOwner",
            }
            choice {
                set_checksum_algorithm "ChecksumAlgorithm",
                set_request_payer "RequestPayer",
            }
            customer_key { set_sse_customer_key "SSECustomerKey" }
            customer_key_md5 { set_sse_customer_key_md5 "SSECustomerKeyMD5" }
        );
        let output = sent!(self, p, request);
        let fields = answered!(Fields::default(), output;
            "ServerSideEncryption" choice server_side_encryption,
            "ETag" put e_tag,
        );
        Ok(
            answered!(encryption!(checksums!(fields, output), output), output;
                "BucketKeyEnabled" put bucket_key_enabled,
                "RequestCharged" choice request_charged,
            )
            .done(),
        )
    }

    pub async fn copy_object(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let started = filled!(p, self.client.copy_object();
            needed { set_bucket "Bucket" }
            key { set_key "Key" }
            copy_source { set_copy_source "CopySource" }
        );
        let request = request!(p, about!(p, started);
            text {
                set_copy_source_if_match "CopySourceIfMatch",
                set_copy_source_if_none_match "CopySourceIfNoneMatch",
                set_copy_source_sse_customer_algorithm "CopySourceSSECustomerAlgorithm",
                set_expected_source_bucket_owner "ExpectedSourceBucketOwner",
            }
            time {
                set_copy_source_if_modified_since "CopySourceIfModifiedSince",
                set_copy_source_if_unmodified_since "CopySourceIfUnmodifiedSince",
            }
            choice {
                set_metadata_directive "MetadataDirective",
                set_tagging_directive "TaggingDirective",
                set_annotation_directive "AnnotationDirective",
            }
            customer_key { set_copy_source_sse_customer_key "CopySourceSSECustomerKey" }
            customer_key_md5 {
                set_copy_source_sse_customer_key_md5 "CopySourceSSECustomerKeyMD5",
            }
        );
        let output = sent!(self, p, request);
        let result = output.copy_object_result().map(|result| {
            let fields = answered!(Fields::default(), result;
                "ETag" put e_tag,
                "LastModified" time last_modified,
                "ChecksumType" choice checksum_type,
            );
            checksums!(fields, result).done()
        });
        let fields = answered!(Fields::default(), output;
            "Expiration" put expiration,
            "CopySourceVersionId" put copy_source_version_id,
            "VersionId" put version_id,
            "ServerSideEncryption" choice server_side_encryption,
        );
        Ok(answered!(encryption!(fields, output), output;
            "SSEKMSEncryptionContext" put ssekms_encryption_context,
            "BucketKeyEnabled" put bucket_key_enabled,
            "RequestCharged" choice request_charged,
        )
        .map("CopyObjectResult", result)
        .done())
    }
}
