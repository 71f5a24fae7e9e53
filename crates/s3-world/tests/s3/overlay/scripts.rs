//! Calls in; answers and the list of changes out.

use super::{call, over, signed};
use crate::support::{BUCKETS, empty, run};
use expect_test::{Expect, expect};

/// Makes the calls of `setup` on a store and those of `calls` on an overlay over it.
/// Shows the answers and the changes; the store must be as it was.
fn check(setup: &str, calls: &str, expected: Expect) {
    let store = empty();
    run(setup, |operation, params| store.perform(operation, params));
    let (base, overlay) = over(&store);
    let before = signed(&*base);
    let mut shown = run(calls, |operation, params| call(&overlay, operation, params));
    shown += "changes:\n";
    for change in overlay.changes() {
        shown += &format!("{}\n", serde_json::to_string(&change).expect("JSON"));
    }
    expected.assert_eq(&shown);
    assert_eq!(signed(&*base), before, "the base was written to");
}

#[test]
fn writes_are_kept_apart() {
    check(
        BUCKETS,
        r#"
        put_object {"Bucket":"alpha","Key":"new","Body":"12345"}
        put_object {"Bucket":"alpha","Key":"src","Body":"other"}
        get_object {"Bucket":"alpha","Key":"src"}
        list_objects_v2 {"Bucket":"alpha","MaxKeys":1}
        "#,
        expect![[r#"
            {ETag: '"827ccb0eea8a706c4c34a16891f84e7b"', ChecksumCRC32: "y/U6HA==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            {ETag: '"795f3202b17cb6bc3d4b771d8c6c9eaf"', ChecksumCRC32: "2Vg1IA==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:04Z, ContentLength: 5, ETag: '"795f3202b17cb6bc3d4b771d8c6c9eaf"', ChecksumCRC32: "2Vg1IA==", ChecksumType: "FULL_OBJECT", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, Body: b"other"}
            {IsTruncated: True, Contents: [{Key: "new", LastModified: 2024-01-01T00:00:03Z, ETag: '"827ccb0eea8a706c4c34a16891f84e7b"', ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 5, StorageClass: "STANDARD"}], Name: "alpha", Prefix: "", MaxKeys: 1, EncodingType: "url", KeyCount: 1, NextContinuationToken: "2luiLwpuZXc"}
            changes:
            {"change":"created","bucket":"alpha","key":"new","now":{"size":5,"etag":"\"827ccb0eea8a706c4c34a16891f84e7b\"","modified":"2024-01-01T00:00:03Z"}}
            {"change":"overwritten","bucket":"alpha","key":"src","before":{"size":5,"etag":"\"5d41402abc4b2a76b9719d911017c592\"","modified":"2024-01-01T00:00:02Z"},"now":{"size":5,"etag":"\"795f3202b17cb6bc3d4b771d8c6c9eaf\"","modified":"2024-01-01T00:00:04Z"}}
        "#]],
    );
}

#[test]
fn what_is_taken_back_is_no_change() {
    check(
        BUCKETS,
        r#"
        put_object {"Bucket":"alpha","Key":"new","Body":"1"}
        delete_object {"Bucket":"alpha","Key":"new"}
        delete_object {"Bucket":"alpha","Key":"never"}
        put_object {"Bucket":"alpha","Key":"src","Body":"1","IfNoneMatch":"*"}
        create_bucket {"Bucket":"gamma"}
        delete_bucket {"Bucket":"gamma"}
        create_bucket {"Bucket":"beta"}
        "#,
        expect![[r#"
            {ETag: '"c4ca4238a0b923820dcc509a6f75849b"', ChecksumCRC32: "g9zvtw==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            {}
            {}
            ! 412 PreconditionFailed: At least one of the pre-conditions you specified did not hold {Condition: "If-None-Match"}
            {Location: "/gamma"}
            {}
            {Location: "/beta"}
            changes:
        "#]],
    );
}

#[test]
fn a_copy_says_where_it_comes_from() {
    check(
        BUCKETS,
        r#"
        copy_object {"Bucket":"beta","Key":"copy","CopySource":"alpha/src"}
        copy_object {"Bucket":"beta","Key":"again","CopySource":"beta/copy","MetadataDirective":"REPLACE"}
        delete_object {"Bucket":"alpha","Key":"src"}
        get_object {"Bucket":"beta","Key":"copy","Range":"bytes=1-3"}
        head_object {"Bucket":"beta","Key":"again","ChecksumMode":"ENABLED"}
        copy_object {"Bucket":"beta","Key":"gone","CopySource":"alpha/src"}
        copy_object {"Bucket":"beta","Key":"gone","CopySource":"nowhere/src"}
        "#,
        expect![[r#"
            {ServerSideEncryption: "AES256", CopyObjectResult: {ETag: '"5d41402abc4b2a76b9719d911017c592"', LastModified: 2024-01-01T00:00:03Z, ChecksumType: "FULL_OBJECT", ChecksumCRC32: "NhCmhg=="}}
            {ServerSideEncryption: "AES256", CopyObjectResult: {ETag: '"5d41402abc4b2a76b9719d911017c592"', LastModified: 2024-01-01T00:00:04Z, ChecksumType: "FULL_OBJECT", ChecksumCRC32: "NhCmhg=="}}
            {}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:03Z, ContentLength: 3, ETag: '"5d41402abc4b2a76b9719d911017c592"', ContentRange: "bytes 1-3/5", ContentType: "text/plain", ServerSideEncryption: "AES256", Metadata: {m: "1"}, Body: b"ell"}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:04Z, ContentLength: 5, ChecksumCRC32: "NhCmhg==", ChecksumType: "FULL_OBJECT", ETag: '"5d41402abc4b2a76b9719d911017c592"', ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}}
            ! 404 NoSuchKey: The specified key does not exist. {Key: "src"}
            ! 404 NoSuchBucket: The specified bucket does not exist {BucketName: "nowhere"}
            changes:
            {"change":"deleted","bucket":"alpha","key":"src","before":{"size":5,"etag":"\"5d41402abc4b2a76b9719d911017c592\"","modified":"2024-01-01T00:00:02Z"}}
            {"change":"created","bucket":"beta","key":"again","now":{"size":5,"etag":"\"5d41402abc4b2a76b9719d911017c592\"","modified":"2024-01-01T00:00:04Z","copied_from":{"bucket":"alpha","key":"src","etag":"\"5d41402abc4b2a76b9719d911017c592\""}}}
            {"change":"created","bucket":"beta","key":"copy","now":{"size":5,"etag":"\"5d41402abc4b2a76b9719d911017c592\"","modified":"2024-01-01T00:00:03Z","copied_from":{"bucket":"alpha","key":"src","etag":"\"5d41402abc4b2a76b9719d911017c592\""}}}
        "#]],
    );
}

#[test]
fn buckets() {
    check(
        BUCKETS,
        r#"
        delete_bucket {"Bucket":"alpha"}
        delete_bucket {"Bucket":"beta"}
        put_object {"Bucket":"beta","Key":"k"}
        create_bucket {"Bucket":"gamma","CreateBucketConfiguration":{"LocationConstraint":"eu-west-1"}}
        create_bucket {"Bucket":"alpha","CreateBucketConfiguration":{"LocationConstraint":"eu-west-1"}}
        create_bucket {"Bucket":"Bad_Name"}
        list_buckets
        delete_object {"Bucket":"alpha","Key":"src"}
        delete_bucket {"Bucket":"alpha"}
        create_bucket {"Bucket":"alpha"}
        put_object {"Bucket":"alpha","Key":"src","Body":"x"}
        list_objects {"Bucket":"alpha"}
        head_bucket {"Bucket":"beta"}
        "#,
        expect![[r#"
            ! 409 BucketNotEmpty: The bucket you tried to delete is not empty {BucketName: "alpha"}
            {}
            ! 404 NoSuchBucket: The specified bucket does not exist {BucketName: "beta"}
            {Location: "http://gamma.s3.amazonaws.com/"}
            ! 409 BucketAlreadyOwnedByYou: Your previous request to create the named bucket succeeded and you already own it. {BucketName: "alpha"}
            ! 400 InvalidBucketName: The specified bucket is not valid. {BucketName: "Bad_Name"}
            {Buckets: [{Name: "alpha", CreationDate: 2024-01-01T00:00:00Z}, {Name: "gamma", CreationDate: 2024-01-01T00:00:03Z}], Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}
            {}
            {}
            {Location: "/alpha"}
            {ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumCRC32: "jNwWgw==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            {IsTruncated: False, Marker: "", Contents: [{Key: "src", LastModified: 2024-01-01T00:00:05Z, ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 1, StorageClass: "STANDARD", Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}], Name: "alpha", Prefix: "", MaxKeys: 1000, EncodingType: "url"}
            ! 404 404: Not Found
            changes:
            {"change":"deleted","bucket":"alpha","key":"src","before":{"size":5,"etag":"\"5d41402abc4b2a76b9719d911017c592\"","modified":"2024-01-01T00:00:02Z"}}
            {"change":"bucket_deleted","bucket":"alpha"}
            {"change":"bucket_created","bucket":"alpha","region":"us-east-1"}
            {"change":"created","bucket":"alpha","key":"src","now":{"size":1,"etag":"\"9dd4e461268c8034f5c8564e155c67a6\"","modified":"2024-01-01T00:00:05Z"}}
            {"change":"bucket_deleted","bucket":"beta"}
            {"change":"bucket_created","bucket":"gamma","region":"eu-west-1"}
        "#]],
    );
}

#[test]
fn groups_of_which_nothing_shows_are_gone() {
    check(
        r#"
        create_bucket {"Bucket":"alpha"}
        put_object {"Bucket":"alpha","Key":"a/1"}
        put_object {"Bucket":"alpha","Key":"a/2"}
        put_object {"Bucket":"alpha","Key":"b/1"}
        put_object {"Bucket":"alpha","Key":"b/2"}
        "#,
        r#"
        delete_objects {"Bucket":"alpha","Delete":{"Objects":[{"Key":"a/1"},{"Key":"b/1"},{"Key":"b/2"}],"Quiet":true}}
        put_object {"Bucket":"alpha","Key":"c/1"}
        list_objects {"Bucket":"alpha","Delimiter":"/"}
        list_objects {"Bucket":"alpha","Delimiter":"/","Marker":"a/1","MaxKeys":1}
        list_objects {"Bucket":"alpha","Delimiter":"/","Marker":"a/2"}
        list_objects_v2 {"Bucket":"alpha","Prefix":"b"}
        list_objects_v2 {"Bucket":"alpha","MaxKeys":0}
        list_objects_v2 {"Bucket":"alpha","MaxKeys":-1}
        list_objects_v2 {"Bucket":"alpha","ContinuationToken":"made up"}
        "#,
        expect![[r#"
            {}
            {ETag: '"d41d8cd98f00b204e9800998ecf8427e"', ChecksumCRC32: "AAAAAA==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            {IsTruncated: False, Marker: "", Name: "alpha", Prefix: "", Delimiter: "/", MaxKeys: 1000, CommonPrefixes: [{Prefix: "a/"}, {Prefix: "c/"}], EncodingType: "url"}
            {IsTruncated: False, Marker: "a/1", Name: "alpha", Prefix: "", Delimiter: "/", MaxKeys: 1, CommonPrefixes: [{Prefix: "c/"}], EncodingType: "url"}
            {IsTruncated: False, Marker: "a/2", Name: "alpha", Prefix: "", Delimiter: "/", MaxKeys: 1000, CommonPrefixes: [{Prefix: "c/"}], EncodingType: "url"}
            {IsTruncated: False, Name: "alpha", Prefix: "b", MaxKeys: 1000, EncodingType: "url", KeyCount: 0}
            {IsTruncated: False, Name: "alpha", Prefix: "", MaxKeys: 0, EncodingType: "url", KeyCount: 0}
            ! 400 InvalidArgument: Argument maxKeys must be an integer between 0 and 2147483647 {ArgumentName: "maxKeys", ArgumentValue: "-1"}
            ! 400 InvalidArgument: The continuation token provided is incorrect {ArgumentName: "continuation-token", ArgumentValue: "made up"}
            changes:
            {"change":"deleted","bucket":"alpha","key":"a/1","before":{"size":0,"etag":"\"d41d8cd98f00b204e9800998ecf8427e\"","modified":"2024-01-01T00:00:01Z"}}
            {"change":"deleted","bucket":"alpha","key":"b/1","before":{"size":0,"etag":"\"d41d8cd98f00b204e9800998ecf8427e\"","modified":"2024-01-01T00:00:03Z"}}
            {"change":"deleted","bucket":"alpha","key":"b/2","before":{"size":0,"etag":"\"d41d8cd98f00b204e9800998ecf8427e\"","modified":"2024-01-01T00:00:04Z"}}
            {"change":"created","bucket":"alpha","key":"c/1","now":{"size":0,"etag":"\"d41d8cd98f00b204e9800998ecf8427e\"","modified":"2024-01-01T00:00:05Z"}}
        "#]],
    );
}

#[test]
fn what_no_world_takes_is_refused_and_changes_nothing() {
    check(
        BUCKETS,
        r#"
        put_object {"Bucket":"alpha"}
        put_object {"Bucket":7,"Key":"k"}
        put_object {"Bucket":"alpha","Key":{"@text":["k",1025]}}
        put_object {"Bucket":"nowhere","Key":"k"}
        put_object {"Bucket":"Bad Name","Key":"k"}
        put_object {"Bucket":"alpha","Key":"k","ExpectedBucketOwner":"000000000000"}
        delete_objects {"Bucket":"alpha","Delete":{"Objects":[]}}
        delete_objects {"Bucket":"alpha","Delete":{"Objects":["src"]}}
        delete_object {"Bucket":"alpha","Key":"src","IfMatch":"other"}
        delete_bucket {}
        delete_bucket {"Bucket":"nowhere"}
        create_bucket {"Bucket":"alpha","ObjectLockEnabledForBucket":true}
        get_object {"Bucket":"nowhere","Key":"k"}
        list_objects {"Bucket":[]}
        format_disk {}
        "#,
        expect![[r#"
            ! 400 InvalidArgument: Parameter Key must be given {ArgumentName: "Key"}
            ! 400 InvalidArgument: Parameter Bucket must be text {ArgumentName: "Bucket"}
            ! 400 KeyTooLongError: Your key is too long {Size: "1025", MaxSizeAllowed: "1024"}
            ! 404 NoSuchBucket: The specified bucket does not exist {BucketName: "nowhere"}
            ! 400 InvalidBucketName: The specified bucket is not valid. {BucketName: "Bad Name"}
            ! 403 AccessDenied: Access Denied
            ! 400 MalformedXML: The XML you provided was not well-formed or did not validate against our published schema
            ! 400 InvalidArgument: Parameter params must be a map {ArgumentName: "params"}
            ! 412 PreconditionFailed: At least one of the pre-conditions you specified did not hold {Condition: "If-Match"}
            ! 400 InvalidArgument: Parameter Bucket must be given {ArgumentName: "Bucket"}
            ! 404 NoSuchBucket: The specified bucket does not exist {BucketName: "nowhere"}
            {Location: "/alpha"}
            ! 404 NoSuchBucket: The specified bucket does not exist {BucketName: "nowhere"}
            ! 400 InvalidArgument: Parameter Bucket must be text {ArgumentName: "Bucket"}
            ! 400 InvalidArgument: Parameter operation must be one of this domain's {ArgumentName: "operation"}
            changes:
        "#]],
    );
}
