//! Answers of the operations on objects.

use crate::support::{BUCKETS, check};
use expect_test::expect;

#[test]
fn put_get_head() {
    check(
        BUCKETS,
        r#"
        put_object {"Bucket":"alpha","Key":"k","Body":{"@bytes":"hello"}}
        get_object {"Bucket":"alpha","Key":"k"}
        head_object {"Bucket":"alpha","Key":"k"}
        head_object {"Bucket":"alpha","Key":"k","ChecksumMode":"ENABLED"}
        get_object {"Bucket":"alpha","Key":"src"}
        put_object {"Bucket":"alpha","Key":"k"}
        get_object {"Bucket":"alpha","Key":"k"}
        put_object {"Bucket":"alpha","Key":"sum","Body":"x","ChecksumAlgorithm":"SHA256"}
        "#,
        expect![[r#"
            {ETag: '"5d41402abc4b2a76b9719d911017c592"', ChecksumCRC32: "NhCmhg==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:03Z, ContentLength: 5, ETag: '"5d41402abc4b2a76b9719d911017c592"', ChecksumCRC32: "NhCmhg==", ChecksumType: "FULL_OBJECT", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, Body: b"hello"}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:03Z, ContentLength: 5, ETag: '"5d41402abc4b2a76b9719d911017c592"', ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:03Z, ContentLength: 5, ChecksumCRC32: "NhCmhg==", ChecksumType: "FULL_OBJECT", ETag: '"5d41402abc4b2a76b9719d911017c592"', ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:02Z, ContentLength: 5, ETag: '"5d41402abc4b2a76b9719d911017c592"', ChecksumCRC32: "NhCmhg==", ChecksumType: "FULL_OBJECT", ContentType: "text/plain", ServerSideEncryption: "AES256", Metadata: {m: "1"}, Body: b"hello"}
            {ETag: '"d41d8cd98f00b204e9800998ecf8427e"', ChecksumCRC32: "AAAAAA==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:04Z, ContentLength: 0, ETag: '"d41d8cd98f00b204e9800998ecf8427e"', ChecksumCRC32: "AAAAAA==", ChecksumType: "FULL_OBJECT", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, Body: b""}
            {ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumSHA256: "LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
        "#]],
    );
}

#[test]
fn what_is_missing() {
    check(
        BUCKETS,
        r#"
        get_object {"Bucket":"alpha","Key":"nope"}
        head_object {"Bucket":"alpha","Key":"nope"}
        get_object {"Bucket":"nope-bucket","Key":"k"}
        head_object {"Bucket":"nope-bucket","Key":"k"}
        put_object {"Bucket":"nope-bucket","Key":"k","Body":"x"}
        delete_object {"Bucket":"nope-bucket","Key":"k"}
        delete_objects {"Bucket":"nope-bucket","Delete":{"Objects":[{"Key":"k"}]}}
        list_objects {"Bucket":"nope-bucket"}
        list_objects_v2 {"Bucket":"nope-bucket"}
        copy_object {"Bucket":"beta","Key":"k","CopySource":"nope-bucket/src"}
        copy_object {"Bucket":"nope-bucket","Key":"k","CopySource":"alpha/src"}
        copy_object {"Bucket":"beta","Key":"k","CopySource":"alpha/nope"}
        get_object {"Bucket":"alpha","Key":"src","VersionId":"abc"}
        "#,
        expect![[r#"
            ! 404 NoSuchKey: The specified key does not exist. {Key: "nope"}
            ! 404 404: Not Found
            ! 404 NoSuchBucket: The specified bucket does not exist {BucketName: "nope-bucket"}
            ! 404 404: Not Found
            ! 404 NoSuchBucket: The specified bucket does not exist {BucketName: "nope-bucket"}
            ! 404 NoSuchBucket: The specified bucket does not exist {BucketName: "nope-bucket"}
            ! 404 NoSuchBucket: The specified bucket does not exist {BucketName: "nope-bucket"}
            ! 404 NoSuchBucket: The specified bucket does not exist {BucketName: "nope-bucket"}
            ! 404 NoSuchBucket: The specified bucket does not exist {BucketName: "nope-bucket"}
            ! 404 NoSuchBucket: The specified bucket does not exist {BucketName: "nope-bucket"}
            ! 404 NoSuchBucket: The specified bucket does not exist {BucketName: "nope-bucket"}
            ! 404 NoSuchKey: The specified key does not exist. {Key: "nope"}
            ! 400 InvalidArgument: Invalid version id specified {ArgumentName: "versionId", ArgumentValue: "abc"}
        "#]],
    );
}

#[test]
fn headers_are_kept() {
    check(
        BUCKETS,
        r#"
        put_object {"Bucket":"beta","Key":"k","Body":"x","CacheControl":"no-cache","ContentDisposition":"inline","Expires":{"@time":"2030-01-02T03:04:05Z"},"StorageClass":"STANDARD_IA"}
        head_object {"Bucket":"beta","Key":"k"}
        get_object {"Bucket":"beta","Key":"k","ResponseContentType":"text/html","ResponseCacheControl":"private"}
        put_object {"Bucket":"beta","Key":"cold","Body":"x","StorageClass":"GLACIER"}
        get_object {"Bucket":"beta","Key":"cold"}
        put_object {"Bucket":"beta","Key":"k","StorageClass":"WARM"}
        put_object {"Bucket":"beta","Key":"k","ACL":"public-read"}
        put_object {"Bucket":"beta","Key":"k","Tagging":"a=b"}
        put_object {"Bucket":"beta","Key":"k","Metadata":{"a":{"@text":["x",2048]}}}
        "#,
        expect![[r#"
            {ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumCRC32: "jNwWgw==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:03Z, ContentLength: 1, ETag: '"9dd4e461268c8034f5c8564e155c67a6"', CacheControl: "no-cache", ContentDisposition: "inline", ContentType: "binary/octet-stream", Expires: 2030-01-02T03:04:05Z, ServerSideEncryption: "AES256", Metadata: {}, StorageClass: "STANDARD_IA", ExpiresString: "Wed, 02 Jan 2030 03:04:05 GMT"}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:03Z, ContentLength: 1, ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumCRC32: "jNwWgw==", ChecksumType: "FULL_OBJECT", CacheControl: "private", ContentDisposition: "inline", ContentType: "text/html", Expires: 2030-01-02T03:04:05Z, ServerSideEncryption: "AES256", Metadata: {}, StorageClass: "STANDARD_IA", ExpiresString: "Wed, 02 Jan 2030 03:04:05 GMT", Body: b"x"}
            {ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumCRC32: "jNwWgw==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            ! 403 InvalidObjectState: The operation is not valid for the object's storage class {StorageClass: "GLACIER"}
            ! 400 InvalidStorageClass: The storage class you specified is not valid {StorageClassRequested: "WARM"}
            ! 400 AccessControlListNotSupported: The bucket does not allow ACLs
            {ETag: '"d41d8cd98f00b204e9800998ecf8427e"', ChecksumCRC32: "AAAAAA==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            ! 400 MetadataTooLarge: Your metadata headers exceed the maximum allowed metadata size {Size: "2049", MaxSizeAllowed: "2048"}
        "#]],
    );
}

#[test]
fn limits() {
    check(
        BUCKETS,
        r#"
        put_object {"Bucket":"beta","Key":{"@text":["é",512]},"Body":"x"}
        put_object {"Bucket":"beta","Key":{"@text":["é",513]},"Body":"x"}
        head_object {"Bucket":"beta","Key":{"@text":["k",1025]}}
        put_object {"Bucket":"beta","Key":"k","Body":{"@zeros":67108865}}
        "#,
        expect![[r#"
            {ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumCRC32: "jNwWgw==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            ! 400 KeyTooLongError: Your key is too long {Size: "1026", MaxSizeAllowed: "1024"}
            ! 400 400: Bad Request
            ! 400 EntityTooLarge: Your proposed upload exceeds the maximum allowed size {ProposedSize: "67108865", MaxSizeAllowed: "67108864"}
        "#]],
    );
}

#[test]
fn digests_are_checked() {
    check(
        BUCKETS,
        r#"
        put_object {"Bucket":"beta","Key":"k","Body":"hello","ContentMD5":"XUFAKrxLKna5cZ2REBfFkg=="}
        put_object {"Bucket":"beta","Key":"k","Body":"hullo","ContentMD5":"XUFAKrxLKna5cZ2REBfFkg=="}
        put_object {"Bucket":"beta","Key":"k","Body":"hello","ContentMD5":"?"}
        put_object {"Bucket":"beta","Key":"k","Body":"hello","ChecksumCRC32":"NhCmhg=="}
        put_object {"Bucket":"beta","Key":"k","Body":"hullo","ChecksumCRC32":"NhCmhg=="}
        "#,
        expect![[r#"
            {ETag: '"5d41402abc4b2a76b9719d911017c592"', ChecksumCRC32: "NhCmhg==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            ! 400 BadDigest: The Content-MD5 you specified did not match what we received. {ExpectedDigest: "XUFAKrxLKna5cZ2REBfFkg==", CalculatedDigest: "VL9Dll4ruqIMIsIsp7Tpxw=="}
            ! 400 InvalidDigest: The Content-MD5 you specified was invalid. {Content-MD5: "?"}
            {ETag: '"5d41402abc4b2a76b9719d911017c592"', ChecksumCRC32: "NhCmhg==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            ! 400 BadDigest: The CRC32 you specified did not match the calculated checksum.
        "#]],
    );
}

#[test]
fn ranges() {
    check(
        BUCKETS,
        r#"
        get_object {"Bucket":"alpha","Key":"src","Range":"bytes=1-3"}
        get_object {"Bucket":"alpha","Key":"src","Range":"bytes=-2"}
        head_object {"Bucket":"alpha","Key":"src","Range":"bytes=3-"}
        get_object {"Bucket":"alpha","Key":"src","Range":"bytes=5-"}
        head_object {"Bucket":"alpha","Key":"src","Range":"bytes=5-"}
        "#,
        expect![[r#"
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:02Z, ContentLength: 3, ETag: '"5d41402abc4b2a76b9719d911017c592"', ContentRange: "bytes 1-3/5", ContentType: "text/plain", ServerSideEncryption: "AES256", Metadata: {m: "1"}, Body: b"ell"}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:02Z, ContentLength: 2, ETag: '"5d41402abc4b2a76b9719d911017c592"', ContentRange: "bytes 3-4/5", ContentType: "text/plain", ServerSideEncryption: "AES256", Metadata: {m: "1"}, Body: b"lo"}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:02Z, ContentLength: 2, ETag: '"5d41402abc4b2a76b9719d911017c592"', ContentType: "text/plain", ContentRange: "bytes 3-4/5", ServerSideEncryption: "AES256", Metadata: {m: "1"}}
            ! 416 InvalidRange: The requested range is not satisfiable {RangeRequested: "bytes=5-", ActualObjectSize: "5"}
            ! 416 416: Requested Range Not Satisfiable
        "#]],
    );
}

#[test]
fn conditional_reads() {
    check(
        BUCKETS,
        r#"
        get_object {"Bucket":"alpha","Key":"src","IfMatch":"nope"}
        head_object {"Bucket":"alpha","Key":"src","IfMatch":"nope"}
        head_object {"Bucket":"alpha","Key":"src","IfMatch":"\"5d41402abc4b2a76b9719d911017c592\""}
        get_object {"Bucket":"alpha","Key":"src","IfNoneMatch":"5d41402abc4b2a76b9719d911017c592"}
        head_object {"Bucket":"alpha","Key":"src","IfNoneMatch":"*"}
        get_object {"Bucket":"alpha","Key":"src","IfModifiedSince":{"@time":"2024-01-01T00:00:02Z"}}
        head_object {"Bucket":"alpha","Key":"src","IfModifiedSince":{"@time":"2024-01-01T00:00:01Z"}}
        get_object {"Bucket":"alpha","Key":"src","IfUnmodifiedSince":{"@time":"2024-01-01T00:00:01Z"}}
        head_object {"Bucket":"alpha","Key":"src","IfMatch":"*","IfUnmodifiedSince":{"@time":"2024-01-01T00:00:01Z"}}
        "#,
        expect![[r#"
            ! 412 PreconditionFailed: At least one of the pre-conditions you specified did not hold {Condition: "If-Match"}
            ! 412 412: Precondition Failed
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:02Z, ContentLength: 5, ETag: '"5d41402abc4b2a76b9719d911017c592"', ContentType: "text/plain", ServerSideEncryption: "AES256", Metadata: {m: "1"}}
            ! 304 304: Not Modified
            ! 304 304: Not Modified
            ! 304 304: Not Modified
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:02Z, ContentLength: 5, ETag: '"5d41402abc4b2a76b9719d911017c592"', ContentType: "text/plain", ServerSideEncryption: "AES256", Metadata: {m: "1"}}
            ! 412 PreconditionFailed: At least one of the pre-conditions you specified did not hold {Condition: "If-Unmodified-Since"}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:02Z, ContentLength: 5, ETag: '"5d41402abc4b2a76b9719d911017c592"', ContentType: "text/plain", ServerSideEncryption: "AES256", Metadata: {m: "1"}}
        "#]],
    );
}

#[test]
fn conditional_writes() {
    check(
        BUCKETS,
        r#"
        put_object {"Bucket":"alpha","Key":"src","Body":"x","IfNoneMatch":"*"}
        put_object {"Bucket":"alpha","Key":"new","Body":"x","IfNoneMatch":"*"}
        put_object {"Bucket":"alpha","Key":"src","Body":"x","IfMatch":"nope"}
        put_object {"Bucket":"alpha","Key":"none","Body":"x","IfMatch":"nope"}
        put_object {"Bucket":"alpha","Key":"src","Body":"y","IfMatch":"5d41402abc4b2a76b9719d911017c592"}
        delete_object {"Bucket":"alpha","Key":"src","IfMatch":"5d41402abc4b2a76b9719d911017c592"}
        copy_object {"Bucket":"beta","Key":"k","CopySource":"alpha/src","CopySourceIfMatch":"nope"}
        copy_object {"Bucket":"beta","Key":"k","CopySource":"alpha/src","CopySourceIfNoneMatch":"*"}
        delete_object {"Bucket":"alpha","Key":"src","IfMatch":"415290769594460e2e485922904f345d"}
        "#,
        expect![[r#"
            ! 412 PreconditionFailed: At least one of the pre-conditions you specified did not hold {Condition: "If-None-Match"}
            {ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumCRC32: "jNwWgw==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            ! 412 PreconditionFailed: At least one of the pre-conditions you specified did not hold {Condition: "If-Match"}
            ! 404 NoSuchKey: The specified key does not exist. {Key: "none"}
            {ETag: '"415290769594460e2e485922904f345d"', ChecksumCRC32: "+9smFQ==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            ! 412 PreconditionFailed: At least one of the pre-conditions you specified did not hold {Condition: "If-Match"}
            ! 412 PreconditionFailed: At least one of the pre-conditions you specified did not hold {Condition: "x-amz-copy-source-If-Match"}
            ! 412 PreconditionFailed: At least one of the pre-conditions you specified did not hold {Condition: "x-amz-copy-source-If-None-Match"}
            {}
        "#]],
    );
}

#[test]
fn copying() {
    check(
        BUCKETS,
        r#"
        copy_object {"Bucket":"beta","Key":"dst","CopySource":"alpha/src"}
        head_object {"Bucket":"beta","Key":"dst"}
        copy_object {"Bucket":"beta","Key":"ü +.txt","CopySource":{"Bucket":"alpha","Key":"src"}}
        copy_object {"Bucket":"beta","Key":"dst2","CopySource":"/beta/ü +.txt"}
        copy_object {"Bucket":"alpha","Key":"src","CopySource":"alpha/src"}
        copy_object {"Bucket":"alpha","Key":"src","CopySource":"alpha/src?versionId=null","MetadataDirective":"REPLACE","Metadata":{"n":"2"}}
        head_object {"Bucket":"alpha","Key":"src"}
        copy_object {"Bucket":"alpha","Key":"src","CopySource":"alpha/src","MetadataDirective":"MOVE"}
        copy_object {"Bucket":"alpha","Key":"x","CopySource":"alpha"}
        "#,
        expect![[r#"
            {ServerSideEncryption: "AES256", CopyObjectResult: {ETag: '"5d41402abc4b2a76b9719d911017c592"', LastModified: 2024-01-01T00:00:03Z, ChecksumType: "FULL_OBJECT", ChecksumCRC32: "NhCmhg=="}}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:03Z, ContentLength: 5, ETag: '"5d41402abc4b2a76b9719d911017c592"', ContentType: "text/plain", ServerSideEncryption: "AES256", Metadata: {m: "1"}}
            {ServerSideEncryption: "AES256", CopyObjectResult: {ETag: '"5d41402abc4b2a76b9719d911017c592"', LastModified: 2024-01-01T00:00:04Z, ChecksumType: "FULL_OBJECT", ChecksumCRC32: "NhCmhg=="}}
            {ServerSideEncryption: "AES256", CopyObjectResult: {ETag: '"5d41402abc4b2a76b9719d911017c592"', LastModified: 2024-01-01T00:00:05Z, ChecksumType: "FULL_OBJECT", ChecksumCRC32: "NhCmhg=="}}
            ! 400 InvalidRequest: This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.
            {ServerSideEncryption: "AES256", CopyObjectResult: {ETag: '"5d41402abc4b2a76b9719d911017c592"', LastModified: 2024-01-01T00:00:06Z, ChecksumType: "FULL_OBJECT", ChecksumCRC32: "NhCmhg=="}}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:06Z, ContentLength: 5, ETag: '"5d41402abc4b2a76b9719d911017c592"', ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {n: "2"}}
            ! 400 InvalidArgument: Unknown metadata directive. {ArgumentName: "x-amz-metadata-directive", ArgumentValue: "MOVE"}
            ! 400 InvalidArgument: Invalid copy source object key {ArgumentName: "x-amz-copy-source", ArgumentValue: "alpha"}
        "#]],
    );
}

#[test]
fn deleting() {
    check(
        BUCKETS,
        r#"
        delete_object {"Bucket":"alpha","Key":"nope"}
        put_object {"Bucket":"alpha","Key":"a","Body":"x"}
        delete_objects {"Bucket":"alpha","Delete":{"Objects":[{"Key":"nope"},{"Key":"a"}]}}
        delete_objects {"Bucket":"alpha","Delete":{"Objects":[{"Key":"src","VersionId":"v1"},{"Key":"src","ETag":"nope"}]}}
        delete_objects {"Bucket":"alpha","Delete":{"Objects":[{"Key":"src"}],"Quiet":true}}
        delete_objects {"Bucket":"alpha","Delete":{"Objects":[]}}
        list_objects_v2 {"Bucket":"alpha"}
        "#,
        expect![[r#"
            {}
            {ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumCRC32: "jNwWgw==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            {Deleted: [{Key: "nope"}, {Key: "a"}]}
            {Errors: [{Key: "src", VersionId: "v1", Code: "NoSuchVersion", Message: "The specified version does not exist."}, {Key: "src", Code: "PreconditionFailed", Message: "At least one of the pre-conditions you specified did not hold"}]}
            {}
            ! 400 MalformedXML: The XML you provided was not well-formed or did not validate against our published schema
            {IsTruncated: False, Name: "alpha", Prefix: "", MaxKeys: 1000, EncodingType: "url", KeyCount: 0}
        "#]],
    );
}

#[test]
fn at_most_a_thousand_keys_are_deleted_at_once() {
    let objects = |count: usize| vec![r#"{"Key":"k"}"#; count].join(",");
    let call = |count| {
        let objects = objects(count);
        format!(
            r#"delete_objects {{"Bucket":"alpha","Delete":{{"Quiet":true,"Objects":[{objects}]}}}}"#
        )
    };
    check(
        BUCKETS,
        &format!("{}\n{}", call(1000), call(1001)),
        expect![[r#"
            {}
            ! 400 MalformedXML: The XML you provided was not well-formed or did not validate against our published schema
        "#]],
    );
}
