//! Encryption with keys of callers and of a key service.

use crate::support::{BUCKETS, check};
use expect_test::expect;

/// Calls in which `{KEY}` stands for a key, `{OTHER}` for another one, and `{SOURCE}` for the key
/// of a source.
fn with_keys(calls: &str) -> String {
    let key =
        r#""SSECustomerAlgorithm":"AES256","SSECustomerKey":"0123456789abcdef0123456789abcdef""#;
    let other =
        r#""SSECustomerAlgorithm":"AES256","SSECustomerKey":"fedcba9876543210fedcba9876543210""#;
    let source = key.replace("SSECustomer", "CopySourceSSECustomer");
    calls
        .replace("{KEY}", key)
        .replace("{OTHER}", other)
        .replace("{SOURCE}", &source)
}

#[test]
fn an_object_with_a_callers_key_is_read_with_that_key() {
    check(
        BUCKETS,
        &with_keys(
            r#"
            put_object {"Bucket":"alpha","Key":"k","Body":"secret",{KEY}}
            get_object {"Bucket":"alpha","Key":"k",{KEY}}
            get_object {"Bucket":"alpha","Key":"k"}
            get_object {"Bucket":"alpha","Key":"k",{OTHER}}
            get_object {"Bucket":"alpha","Key":"src",{KEY}}
            head_object {"Bucket":"alpha","Key":"k"}
            head_object {"Bucket":"alpha","Key":"k",{KEY}}
            get_object_attributes {"Bucket":"alpha","Key":"k","ObjectAttributes":["ObjectSize"]}
            get_object_attributes {"Bucket":"alpha","Key":"k","ObjectAttributes":["ObjectSize"],{KEY}}
            "#,
        ),
        expect![[r#"
            {ETag: '"5ebe2294ecd0e0f08eab7690d2a6ee69"', ChecksumCRC32: "XKLo5Q==", ChecksumType: "FULL_OBJECT", SSECustomerAlgorithm: "AES256", SSECustomerKeyMD5: "hRasmdxgYDKV3nvbahU1MA=="}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:03Z, ContentLength: 6, ETag: '"5ebe2294ecd0e0f08eab7690d2a6ee69"', ChecksumCRC32: "XKLo5Q==", ChecksumType: "FULL_OBJECT", ContentType: "binary/octet-stream", SSECustomerAlgorithm: "AES256", SSECustomerKeyMD5: "hRasmdxgYDKV3nvbahU1MA==", Metadata: {}, Body: b"secret"}
            ! 400 InvalidRequest: The object was stored using a form of Server Side Encryption. The correct parameters must be provided to retrieve the object.
            ! 403 AccessDenied: Requests specifying Server Side Encryption with Customer provided keys must provide the correct secret key.
            ! 400 InvalidRequest: The encryption parameters are not applicable to this object.
            ! 400 400: Bad Request
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:03Z, ContentLength: 6, ETag: '"5ebe2294ecd0e0f08eab7690d2a6ee69"', ContentType: "binary/octet-stream", SSECustomerAlgorithm: "AES256", SSECustomerKeyMD5: "hRasmdxgYDKV3nvbahU1MA==", Metadata: {}}
            ! 400 InvalidRequest: The object was stored using a form of Server Side Encryption. The correct parameters must be provided to retrieve the object.
            {LastModified: 2024-01-01T00:00:03Z, ObjectSize: 6}
        "#]],
    );
}

#[test]
fn a_copy_needs_the_key_of_its_source_and_gets_one_of_its_own() {
    check(
        BUCKETS,
        &with_keys(
            r#"
            put_object {"Bucket":"alpha","Key":"k","Body":"secret",{KEY}}
            copy_object {"Bucket":"beta","Key":"plain","CopySource":"alpha/k"}
            copy_object {"Bucket":"beta","Key":"plain","CopySource":"alpha/k",{SOURCE}}
            copy_object {"Bucket":"beta","Key":"other","CopySource":"alpha/k",{SOURCE},{OTHER}}
            copy_object {"Bucket":"alpha","Key":"k","CopySource":"alpha/k",{SOURCE},{OTHER}}
            get_object {"Bucket":"beta","Key":"plain"}
            get_object {"Bucket":"alpha","Key":"k",{OTHER}}
            "#,
        ),
        expect![[r#"
            {ETag: '"5ebe2294ecd0e0f08eab7690d2a6ee69"', ChecksumCRC32: "XKLo5Q==", ChecksumType: "FULL_OBJECT", SSECustomerAlgorithm: "AES256", SSECustomerKeyMD5: "hRasmdxgYDKV3nvbahU1MA=="}
            ! 400 InvalidRequest: The object was stored using a form of Server Side Encryption. The correct parameters must be provided to retrieve the object.
            {ServerSideEncryption: "AES256", CopyObjectResult: {ETag: '"5ebe2294ecd0e0f08eab7690d2a6ee69"', LastModified: 2024-01-01T00:00:04Z, ChecksumType: "FULL_OBJECT", ChecksumCRC32: "XKLo5Q=="}}
            {SSECustomerAlgorithm: "AES256", SSECustomerKeyMD5: "dT1y7SEiqn6YCJ3QeqwoIw==", CopyObjectResult: {ETag: '"5ebe2294ecd0e0f08eab7690d2a6ee69"', LastModified: 2024-01-01T00:00:05Z, ChecksumType: "FULL_OBJECT", ChecksumCRC32: "XKLo5Q=="}}
            {SSECustomerAlgorithm: "AES256", SSECustomerKeyMD5: "dT1y7SEiqn6YCJ3QeqwoIw==", CopyObjectResult: {ETag: '"5ebe2294ecd0e0f08eab7690d2a6ee69"', LastModified: 2024-01-01T00:00:06Z, ChecksumType: "FULL_OBJECT", ChecksumCRC32: "XKLo5Q=="}}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:04Z, ContentLength: 6, ETag: '"5ebe2294ecd0e0f08eab7690d2a6ee69"', ChecksumCRC32: "XKLo5Q==", ChecksumType: "FULL_OBJECT", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, Body: b"secret"}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:06Z, ContentLength: 6, ETag: '"5ebe2294ecd0e0f08eab7690d2a6ee69"', ChecksumCRC32: "XKLo5Q==", ChecksumType: "FULL_OBJECT", ContentType: "binary/octet-stream", SSECustomerAlgorithm: "AES256", SSECustomerKeyMD5: "dT1y7SEiqn6YCJ3QeqwoIw==", Metadata: {}, Body: b"secret"}
        "#]],
    );
}

#[test]
fn every_part_is_sent_with_the_key_of_the_upload() {
    check(
        BUCKETS,
        &with_keys(
            r#"
            create_multipart_upload {"Bucket":"alpha","Key":"k",{KEY}}
            list_multipart_uploads {"Bucket":"alpha"}
            upload_part {"Bucket":"alpha","Key":"k","UploadId":"APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux","PartNumber":1,"Body":"x"}
            upload_part {"Bucket":"alpha","Key":"k","UploadId":"APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux","PartNumber":1,"Body":"x",{OTHER}}
            upload_part {"Bucket":"alpha","Key":"k","UploadId":"APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux","PartNumber":1,"Body":"x",{KEY}}
            upload_part_copy {"Bucket":"alpha","Key":"k","UploadId":"APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux","PartNumber":2,"CopySource":"alpha/src"}
            upload_part_copy {"Bucket":"alpha","Key":"k","UploadId":"APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux","PartNumber":2,"CopySource":"alpha/src",{KEY}}
            create_multipart_upload {"Bucket":"alpha","Key":"plain"}
            "#,
        ),
        expect![[r#"
            {Bucket: "alpha", Key: "k", UploadId: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux", SSECustomerAlgorithm: "AES256", SSECustomerKeyMD5: "hRasmdxgYDKV3nvbahU1MA=="}
            {Bucket: "alpha", KeyMarker: "", UploadIdMarker: "", NextKeyMarker: "k", NextUploadIdMarker: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux", MaxUploads: 1000, IsTruncated: False, Uploads: [{UploadId: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux", Key: "k", Initiated: 2024-01-01T00:00:03Z, StorageClass: "STANDARD", Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, Initiator: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}]}
            ! 400 InvalidRequest: The multipart upload initiate requested encryption. Subsequent part requests must include the appropriate encryption parameters.
            ! 400 InvalidRequest: The provided encryption parameters did not match the ones used originally.
            {ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumCRC32: "jNwWgw==", SSECustomerAlgorithm: "AES256", SSECustomerKeyMD5: "hRasmdxgYDKV3nvbahU1MA=="}
            ! 400 InvalidRequest: The multipart upload initiate requested encryption. Subsequent part requests must include the appropriate encryption parameters.
            {CopyPartResult: {ETag: '"5d41402abc4b2a76b9719d911017c592"', LastModified: 2024-01-01T00:00:06Z}, SSECustomerAlgorithm: "AES256", SSECustomerKeyMD5: "hRasmdxgYDKV3nvbahU1MA=="}
            {Bucket: "alpha", Key: "plain", UploadId: "pWjURR6mGKj3CpavVE68a1FcZ9oCdkW3YAEEr8Z-nlAz4S51G2sKIc9DrH7dJFXl", ServerSideEncryption: "AES256"}
        "#]],
    );
}

#[test]
fn keys_that_cannot_be_are_refused() {
    check(
        BUCKETS,
        &with_keys(
            r#"
            put_object {"Bucket":"alpha","Key":"k","SSECustomerAlgorithm":"AES256"}
            put_object {"Bucket":"alpha","Key":"k","SSECustomerKey":"0123456789abcdef0123456789abcdef"}
            put_object {"Bucket":"alpha","Key":"k","SSECustomerAlgorithm":"AES128","SSECustomerKey":"0123456789abcdef0123456789abcdef"}
            put_object {"Bucket":"alpha","Key":"k","SSECustomerAlgorithm":"AES256","SSECustomerKey":"short"}
            put_object {"Bucket":"alpha","Key":"k",{KEY},"SSECustomerKeyMD5":"AAAAAAAAAAAAAAAAAAAAAA=="}
            put_object {"Bucket":"alpha","Key":"k","SSECustomerAlgorithm":"AES256","SSECustomerKey":"MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=","SSECustomerKeyMD5":"AAAAAAAAAAAAAAAAAAAAAA=="}
            put_object {"Bucket":"alpha","Key":"k",{KEY},"ServerSideEncryption":"AES256"}
            put_object {"Bucket":"alpha","Key":"k","ServerSideEncryption":"AES256","SSEKMSKeyId":"one"}
            put_object {"Bucket":"alpha","Key":"k","ServerSideEncryption":"aws:kms","SSEKMSKeyId":"one"}
            list_objects_v2 {"Bucket":"alpha"}
            "#,
        ),
        expect![[r#"
            ! 400 InvalidArgument: Requests specifying Server Side Encryption with Customer provided keys must provide an appropriate secret key. {ArgumentName: "x-amz-server-side-encryption", ArgumentValue: "null"}
            ! 400 InvalidArgument: Requests specifying Server Side Encryption with Customer provided keys must provide a valid encryption algorithm. {ArgumentName: "x-amz-server-side-encryption", ArgumentValue: "null"}
            ! 400 InvalidEncryptionAlgorithmError: The Encryption request you specified is not valid. Supported value: AES256. {ArgumentName: "x-amz-server-side-encryption", ArgumentValue: "AES128"}
            ! 400 InvalidArgument: The secret key was invalid for the specified algorithm. {ArgumentName: "x-amz-server-side-encryption"}
            ! 400 InvalidArgument: The secret key was invalid for the specified algorithm. {ArgumentName: "x-amz-server-side-encryption"}
            ! 400 InvalidArgument: The calculated MD5 hash of the key did not match the hash that was provided. {ArgumentName: "x-amz-server-side-encryption"}
            ! 400 InvalidArgument: Server Side Encryption with Customer provided key is incompatible with the encryption method specified {ArgumentName: "x-amz-server-side-encryption", ArgumentValue: "AES256"}
            ! 400 InvalidArgument: Server Side Encryption with AWS KMS managed key requires HTTP header x-amz-server-side-encryption : aws:kms or aws:kms:dsse {ArgumentName: "x-amz-server-side-encryption-aws-kms-key-id", ArgumentValue: "one"}
            {ETag: '"d41d8cd98f00b204e9800998ecf8427e"', ChecksumCRC32: "AAAAAA==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "aws:kms", SSEKMSKeyId: "one"}
            {IsTruncated: False, Contents: [{Key: "k", LastModified: 2024-01-01T00:00:03Z, ETag: '"d41d8cd98f00b204e9800998ecf8427e"', ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 0, StorageClass: "STANDARD"}, {Key: "src", LastModified: 2024-01-01T00:00:02Z, ETag: '"5d41402abc4b2a76b9719d911017c592"', ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 5, StorageClass: "STANDARD"}], Name: "alpha", Prefix: "", MaxKeys: 1000, EncodingType: "url", KeyCount: 2}
        "#]],
    );
}
