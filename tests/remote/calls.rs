//! Answers and refusals of a real server, in boto3's shape.

use crate::remote::support::{check, connect};
use crate::support::tools::needs;
use crate::support::weed::Weed;
use expect_test::expect;

#[tokio::test]
async fn every_operation_answers_as_boto3_does() {
    needs!(WEED);
    let weed = Weed::start();
    let world = connect(&weed).await;
    check(
        &world,
        r#"
        list_buckets {}
        create_bucket {"Bucket": "alpha"}
        create_bucket {"Bucket": "alpha"}
        head_bucket {"Bucket": "alpha"}
        get_bucket_location {"Bucket": "alpha"}
        list_buckets {}
        put_object {"Bucket": "alpha", "Key": "a b+c.txt", "Body": "hello", "ContentType": "text/plain", "Metadata": {"who": "me"}}
        put_object {"Bucket": "alpha", "Key": "photos/1.jpg", "Body": ""}
        put_object {"Bucket": "alpha", "Key": "photos/é%41&<.jpg", "Body": "x"}
        get_object {"Bucket": "alpha", "Key": "a b+c.txt"}
        get_object {"Bucket": "alpha", "Key": "a b+c.txt", "Range": "bytes=1-2"}
        head_object {"Bucket": "alpha", "Key": "a b+c.txt"}
        list_objects {"Bucket": "alpha"}
        list_objects {"Bucket": "alpha", "Delimiter": "/"}
        list_objects {"Bucket": "alpha", "MaxKeys": 1}
        list_objects_v2 {"Bucket": "alpha", "Prefix": "photos/"}
        list_objects_v2 {"Bucket": "alpha", "StartAfter": "b", "MaxKeys": 1}
        copy_object {"Bucket": "alpha", "Key": "copy é", "CopySource": {"Bucket": "alpha", "Key": "a b+c.txt"}}
        get_object {"Bucket": "alpha", "Key": "copy é"}
        delete_bucket {"Bucket": "alpha"}
        delete_object {"Bucket": "alpha", "Key": "a b+c.txt"}
        delete_object {"Bucket": "alpha", "Key": "a b+c.txt"}
        delete_objects {"Bucket": "alpha", "Delete": {"Objects": [{"Key": "photos/1.jpg"}, {"Key": "photos/é%41&<.jpg"}, {"Key": "copy é"}]}}
        list_objects_v2 {"Bucket": "alpha"}
        delete_bucket {"Bucket": "alpha"}
        list_buckets {}
        "#,
        expect![[r#"
            list_buckets {}
                {Buckets: [], Owner: {DisplayName: "admin", ID: "admin"}}
            create_bucket {"Bucket": "alpha"}
                {Location: "/alpha"}
            create_bucket {"Bucket": "alpha"}
                409 BucketAlreadyOwnedByYou: Your previous request to create the named bucket succeeded and you already own it. {Resource: …, BucketName: "alpha"}
            head_bucket {"Bucket": "alpha"}
                {}
            get_bucket_location {"Bucket": "alpha"}
                {LocationConstraint: None}
            list_buckets {}
                {Buckets: [{Name: "alpha", CreationDate: TIME}], Owner: {DisplayName: "admin", ID: "admin"}}
            put_object {"Bucket": "alpha", "Key": "a b+c.txt", "Body": "hello", "ContentType": "text/plain", "Metadata": {"who": "me"}}
                {ETag: "\"5d41402abc4b2a76b9719d911017c592\"", ChecksumCRC32: "NhCmhg=="}
            put_object {"Bucket": "alpha", "Key": "photos/1.jpg", "Body": ""}
                {ETag: "\"d41d8cd98f00b204e9800998ecf8427e\"", ChecksumCRC32: "AAAAAA=="}
            put_object {"Bucket": "alpha", "Key": "photos/é%41&<.jpg", "Body": "x"}
                {ETag: "\"9dd4e461268c8034f5c8564e155c67a6\"", ChecksumCRC32: "jNwWgw=="}
            get_object {"Bucket": "alpha", "Key": "a b+c.txt"}
                {AcceptRanges: "bytes", LastModified: TIME, ContentLength: 5, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", ChecksumCRC32: "NhCmhg==", ContentType: "text/plain", Metadata: {who: "me"}, Body: b"hello"}
            get_object {"Bucket": "alpha", "Key": "a b+c.txt", "Range": "bytes=1-2"}
                {AcceptRanges: "bytes", LastModified: TIME, ContentLength: 2, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", ContentRange: "bytes 1-2/5", ContentType: "text/plain", Metadata: {who: "me"}, Body: b"el"}
            head_object {"Bucket": "alpha", "Key": "a b+c.txt"}
                {AcceptRanges: "bytes", LastModified: TIME, ContentLength: 5, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", ContentType: "text/plain", Metadata: {who: "me"}}
            list_objects {"Bucket": "alpha"}
                {IsTruncated: false, Marker: "", Contents: [{Key: "a b+c.txt", LastModified: TIME, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", Size: 5, StorageClass: "STANDARD", Owner: {DisplayName: "admin", ID: "admin"}}, {Key: "photos/1.jpg", LastModified: TIME, ETag: "\"d41d8cd98f00b204e9800998ecf8427e\"", Size: 0, StorageClass: "STANDARD", Owner: {DisplayName: "admin", ID: "admin"}}, {Key: "photos/é%41&<.jpg", LastModified: TIME, ETag: "\"9dd4e461268c8034f5c8564e155c67a6\"", Size: 1, StorageClass: "STANDARD", Owner: {DisplayName: "admin", ID: "admin"}}], Name: "alpha", Prefix: "", MaxKeys: 1000, EncodingType: "url"}
            list_objects {"Bucket": "alpha", "Delimiter": "/"}
                {IsTruncated: false, Marker: "", Contents: [{Key: "a b+c.txt", LastModified: TIME, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", Size: 5, StorageClass: "STANDARD", Owner: {DisplayName: "admin", ID: "admin"}}], Name: "alpha", Prefix: "", Delimiter: "/", MaxKeys: 1000, CommonPrefixes: [{Prefix: "photos/"}], EncodingType: "url"}
            list_objects {"Bucket": "alpha", "MaxKeys": 1}
                {IsTruncated: true, Marker: "", NextMarker: "a b+c.txt", Contents: [{Key: "a b+c.txt", LastModified: TIME, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", Size: 5, StorageClass: "STANDARD", Owner: {DisplayName: "admin", ID: "admin"}}], Name: "alpha", Prefix: "", MaxKeys: 1, EncodingType: "url"}
            list_objects_v2 {"Bucket": "alpha", "Prefix": "photos/"}
                {IsTruncated: false, Contents: [{Key: "photos/1.jpg", LastModified: TIME, ETag: "\"d41d8cd98f00b204e9800998ecf8427e\"", Size: 0, StorageClass: "STANDARD"}, {Key: "photos/é%41&<.jpg", LastModified: TIME, ETag: "\"9dd4e461268c8034f5c8564e155c67a6\"", Size: 1, StorageClass: "STANDARD"}], Name: "alpha", Prefix: "photos/", MaxKeys: 1000, EncodingType: "url", KeyCount: 2}
            list_objects_v2 {"Bucket": "alpha", "StartAfter": "b", "MaxKeys": 1}
                {IsTruncated: true, Contents: [{Key: "photos/1.jpg", LastModified: TIME, ETag: "\"d41d8cd98f00b204e9800998ecf8427e\"", Size: 0, StorageClass: "STANDARD"}], Name: "alpha", Prefix: "", MaxKeys: 1, EncodingType: "url", KeyCount: 1, NextContinuationToken: "photos/1.jpg", StartAfter: "b"}
            copy_object {"Bucket": "alpha", "Key": "copy é", "CopySource": {"Bucket": "alpha", "Key": "a b+c.txt"}}
                {CopyObjectResult: {ETag: "5d41402abc4b2a76b9719d911017c592", LastModified: TIME}}
            get_object {"Bucket": "alpha", "Key": "copy é"}
                {AcceptRanges: "bytes", LastModified: TIME, ContentLength: 5, ETag: "\"5d41402abc4b2a76b9719d911017c592\"", ChecksumCRC32: "NhCmhg==", ContentType: "text/plain", Metadata: {who: "me"}, Body: b"hello"}
            delete_bucket {"Bucket": "alpha"}
                409 BucketNotEmpty: The bucket you tried to delete is not empty {Resource: …, BucketName: "alpha"}
            delete_object {"Bucket": "alpha", "Key": "a b+c.txt"}
                {}
            delete_object {"Bucket": "alpha", "Key": "a b+c.txt"}
                {}
            delete_objects {"Bucket": "alpha", "Delete": {"Objects": [{"Key": "photos/1.jpg"}, {"Key": "photos/é%41&<.jpg"}, {"Key": "copy é"}]}}
                {Deleted: [{Key: "photos/1.jpg"}, {Key: "photos/é%41&<.jpg"}, {Key: "copy é"}]}
            list_objects_v2 {"Bucket": "alpha"}
                {IsTruncated: false, Name: "alpha", Prefix: "", MaxKeys: 1000, EncodingType: "url", KeyCount: 0}
            delete_bucket {"Bucket": "alpha"}
                {}
            list_buckets {}
                {Buckets: [], Owner: {DisplayName: "admin", ID: "admin"}}
        "#]],
    )
    .await;
}

#[tokio::test]
async fn refusals_are_outcomes_of_the_program() {
    needs!(WEED);
    let weed = Weed::start();
    let world = connect(&weed).await;
    check(
        &world,
        r#"
        create_bucket {"Bucket": "alpha"}
        create_bucket {"Bucket": "Bad_Name"}
        head_bucket {"Bucket": "nope-bucket"}
        list_objects {"Bucket": "nope-bucket"}
        get_bucket_location {"Bucket": "nope-bucket"}
        delete_bucket {"Bucket": "nope-bucket"}
        put_object {"Bucket": "nope-bucket", "Key": "k", "Body": "x"}
        get_object {"Bucket": "alpha", "Key": "nope"}
        head_object {"Bucket": "alpha", "Key": "nope"}
        copy_object {"Bucket": "alpha", "Key": "k", "CopySource": {"Bucket": "alpha", "Key": "nope"}}
        copy_object {"Bucket": "alpha", "Key": "k"}
        delete_objects {"Bucket": "alpha", "Delete": {"Objects": []}}
        list_objects {"Bucket": "alpha", "MaxKeys": 99999999999}
        put_object {"Bucket": "alpha", "Key": "k", "Body": "x", "Metadata": {"n": "a\nb"}}
        put_object {"Bucket": "alpha", "Key": "k", "Body": "x", "SSECustomerKey": "s"}
        list_objects {"Bucket": "alpha"}
        "#,
        expect![[r#"
            create_bucket {"Bucket": "alpha"}
                {Location: "/alpha"}
            create_bucket {"Bucket": "Bad_Name"}
                400 InvalidBucketName: The specified bucket is not valid. {Resource: …, BucketName: "Bad_Name"}
            head_bucket {"Bucket": "nope-bucket"}
                404 404: Not Found {}
            list_objects {"Bucket": "nope-bucket"}
                404 NoSuchBucket: The specified bucket does not exist {Resource: …, BucketName: "nope-bucket"}
            get_bucket_location {"Bucket": "nope-bucket"}
                404 NoSuchBucket: The specified bucket does not exist {Resource: …, BucketName: "nope-bucket"}
            delete_bucket {"Bucket": "nope-bucket"}
                404 NoSuchBucket: The specified bucket does not exist {Resource: …, BucketName: "nope-bucket"}
            put_object {"Bucket": "nope-bucket", "Key": "k", "Body": "x"}
                404 NoSuchBucket: The specified bucket does not exist {Resource: …, Key: "k", BucketName: "nope-bucket"}
            get_object {"Bucket": "alpha", "Key": "nope"}
                404 NoSuchKey: The specified key does not exist. {Resource: …, Key: "nope", BucketName: "alpha"}
            head_object {"Bucket": "alpha", "Key": "nope"}
                404 404: Not Found {}
            copy_object {"Bucket": "alpha", "Key": "k", "CopySource": {"Bucket": "alpha", "Key": "nope"}}
                404 NoSuchKey: The specified key does not exist. {Resource: …, Key: "k", BucketName: "alpha"}
            copy_object {"Bucket": "alpha", "Key": "k"}
                400 InvalidArgument: Invalid copy source object key {ArgumentName: "x-amz-copy-source", ArgumentValue: ""}
            delete_objects {"Bucket": "alpha", "Delete": {"Objects": []}}
                400 MalformedXML: The XML you provided was not well-formed or did not validate against our published schema {}
            list_objects {"Bucket": "alpha", "MaxKeys": 99999999999}
                400 InvalidArgument: Provided max-keys not an integer or within integer range {ArgumentName: "max-keys", ArgumentValue: "99999999999"}
            put_object {"Bucket": "alpha", "Key": "k", "Body": "x", "Metadata": {"n": "a\nb"}}
                400 InvalidArgument: The request cannot be made: invalid field in input: metadata (details: `a
            b` cannot be used as a header value: failed to parse header value) {}
            put_object {"Bucket": "alpha", "Key": "k", "Body": "x", "SSECustomerKey": "s"}
                400 InvalidRequest: Invalid Request {Resource: …, Key: "k", BucketName: "alpha"}
            list_objects {"Bucket": "alpha"}
                {IsTruncated: false, Marker: "", Name: "alpha", Prefix: "", MaxKeys: 1000, EncodingType: "url"}
        "#]],
    )
    .await;
}
