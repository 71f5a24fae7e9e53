//! Answers of the operations on buckets.

use crate::support::{BUCKETS, check, empty, run};
use expect_test::expect;
use s3_world::Memory;
use s3_world::memory::Store;
use std::sync::Arc;

#[test]
fn creating() {
    check(
        "",
        r#"
        create_bucket {"Bucket":"alpha"}
        create_bucket {"Bucket":"alpha"}
        create_bucket {"Bucket":"alpha","CreateBucketConfiguration":{"LocationConstraint":"us-west-2"}}
        create_bucket {"Bucket":"west","CreateBucketConfiguration":{"LocationConstraint":"us-west-2"}}
        create_bucket {"Bucket":"west","CreateBucketConfiguration":{"LocationConstraint":"us-west-2"}}
        create_bucket {"Bucket":"old","CreateBucketConfiguration":{"LocationConstraint":"EU"}}
        create_bucket {"Bucket":"x-y","CreateBucketConfiguration":{"LocationConstraint":"us-east-1"}}
        create_bucket {"Bucket":"x-y","CreateBucketConfiguration":{"LocationConstraint":"mars-north-1"}}
        create_bucket {"Bucket":"x-y","ACL":"public-read"}
        get_bucket_location {"Bucket":"alpha"}
        get_bucket_location {"Bucket":"old"}
        head_bucket {"Bucket":"old"}
        list_buckets
        "#,
        expect![[r#"
            {Location: "/alpha"}
            {Location: "/alpha"}
            ! 409 BucketAlreadyOwnedByYou: Your previous request to create the named bucket succeeded and you already own it. {BucketName: "alpha"}
            {Location: "http://west.s3.amazonaws.com/"}
            ! 409 BucketAlreadyOwnedByYou: Your previous request to create the named bucket succeeded and you already own it. {BucketName: "west"}
            {Location: "http://old.s3.amazonaws.com/"}
            ! 400 InvalidLocationConstraint: The specified location-constraint is not valid {LocationConstraint: "us-east-1"}
            ! 400 InvalidLocationConstraint: The specified location-constraint is not valid {LocationConstraint: "mars-north-1"}
            ! 400 InvalidBucketAclWithObjectOwnership: Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting
            {LocationConstraint: None}
            {LocationConstraint: "EU"}
            {BucketRegion: "eu-west-1", AccessPointAlias: False}
            {Buckets: [{Name: "alpha", CreationDate: 2024-01-01T00:00:00Z}, {Name: "old", CreationDate: 2024-01-01T00:00:02Z}, {Name: "west", CreationDate: 2024-01-01T00:00:01Z}], Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}
        "#]],
    );
}

#[test]
fn names_that_a_bucket_cannot_have() {
    let names = [
        "ab",
        "Upper",
        "under_score",
        "-dash",
        "dash-",
        ".dot",
        "a..b",
        "192.168.0.1",
        "xn--a",
        "sthree-a",
        "amzn-s3-demo-a",
        "a-s3alias",
        "a--ol-s3",
        "a b",
        "\u{e9}t\u{e9}",
        "../up",
    ];
    let world = empty();
    for name in names.into_iter().map(str::to_owned).chain(["a".repeat(64)]) {
        let call = format!("create_bucket {{\"Bucket\":\"{name}\"}}");
        let answer = run(&call, |operation, params| world.perform(operation, params));
        assert!(
            answer.starts_with("! 400 InvalidBucketName"),
            "{name}: {answer}"
        );
    }
    for name in ["abc", "a.b-c", "1ab", "192.168.0.256"] {
        let call = format!("create_bucket {{\"Bucket\":\"{name}\"}}");
        let answer = run(&call, |operation, params| world.perform(operation, params));
        assert_eq!(answer, format!("{{Location: \"/{name}\"}}\n"));
    }
}

#[test]
fn the_endpoint_of_another_region_takes_only_its_own() {
    let mut store: Store = empty().snapshot();
    store.region = Arc::from("us-west-2");
    let world = Memory::new("west", store);
    let answers = run(
        r#"
        create_bucket {"Bucket":"alpha"}
        create_bucket {"Bucket":"alpha","CreateBucketConfiguration":{"LocationConstraint":"eu-west-1"}}
        create_bucket {"Bucket":"alpha","CreateBucketConfiguration":{"LocationConstraint":"us-west-2"}}
        create_bucket {"Bucket":"alpha","CreateBucketConfiguration":{"LocationConstraint":"us-west-2"}}
        "#,
        |operation, params| world.perform(operation, params),
    );
    expect![[r#"
        ! 400 IllegalLocationConstraintException: The unspecified location constraint is incompatible for the region specific endpoint this request was sent to.
        ! 400 IllegalLocationConstraintException: The eu-west-1 location constraint is incompatible for the region specific endpoint this request was sent to.
        {Location: "http://alpha.s3.amazonaws.com/"}
        ! 409 BucketAlreadyOwnedByYou: Your previous request to create the named bucket succeeded and you already own it. {BucketName: "alpha"}
    "#]].assert_eq(&answers);
}

#[test]
fn deleting_and_missing() {
    check(
        BUCKETS,
        r#"
        delete_bucket {"Bucket":"alpha"}
        delete_object {"Bucket":"alpha","Key":"src"}
        delete_bucket {"Bucket":"alpha"}
        delete_bucket {"Bucket":"alpha"}
        head_bucket {"Bucket":"alpha"}
        head_bucket {"Bucket":"x"}
        get_bucket_location {"Bucket":"alpha"}
        get_bucket_location {"Bucket":"zoology bucket"}
        head_bucket {"Bucket":"beta","ExpectedBucketOwner":"000000000000"}
        get_bucket_location {"Bucket":"beta","ExpectedBucketOwner":"000000000000"}
        list_buckets
        "#,
        expect![[r#"
            ! 409 BucketNotEmpty: The bucket you tried to delete is not empty {BucketName: "alpha"}
            {}
            {}
            ! 404 NoSuchBucket: The specified bucket does not exist {BucketName: "alpha"}
            ! 404 404: Not Found
            ! 400 400: Bad Request
            ! 404 NoSuchBucket: The specified bucket does not exist {BucketName: "alpha"}
            ! 400 InvalidBucketName: The specified bucket is not valid. {BucketName: "zoology bucket"}
            ! 403 403: Forbidden
            ! 403 AccessDenied: Access Denied
            {Buckets: [{Name: "beta", CreationDate: 2024-01-01T00:00:01Z}], Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}
        "#]],
    );
}

#[test]
fn listing_in_pages() {
    check(
        r#"
        create_bucket {"Bucket":"logs-a"}
        create_bucket {"Bucket":"data-a"}
        create_bucket {"Bucket":"logs-b","CreateBucketConfiguration":{"LocationConstraint":"eu-west-1"}}
        "#,
        r#"
        list_buckets {"Prefix":"logs"}
        list_buckets {"MaxBuckets":2}
        list_buckets {"MaxBuckets":2,"ContinuationToken":"P0-cjGxvZ3MtYQ"}
        list_buckets {"BucketRegion":"eu-west-1"}
        list_buckets {"MaxBuckets":0}
        list_buckets {"ContinuationToken":"bogus"}
        "#,
        expect![[r#"
            {Buckets: [{Name: "logs-a", CreationDate: 2024-01-01T00:00:00Z, BucketRegion: "us-east-1"}, {Name: "logs-b", CreationDate: 2024-01-01T00:00:02Z, BucketRegion: "eu-west-1"}], Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, Prefix: "logs"}
            {Buckets: [{Name: "data-a", CreationDate: 2024-01-01T00:00:01Z, BucketRegion: "us-east-1"}, {Name: "logs-a", CreationDate: 2024-01-01T00:00:00Z, BucketRegion: "us-east-1"}], Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, ContinuationToken: "P0-cjGxvZ3MtYQ"}
            {Buckets: [{Name: "logs-b", CreationDate: 2024-01-01T00:00:02Z, BucketRegion: "eu-west-1"}], Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}
            {Buckets: [{Name: "logs-b", CreationDate: 2024-01-01T00:00:02Z, BucketRegion: "eu-west-1"}], Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}
            ! 400 InvalidArgument: Argument max-buckets must be an integer between 1 and 10000 {ArgumentName: "max-buckets", ArgumentValue: "0"}
            ! 400 InvalidArgument: The continuation token provided is incorrect {ArgumentName: "continuation-token", ArgumentValue: "bogus"}
        "#]],
    );
}

#[test]
fn nonsense_is_refused() {
    check(
        BUCKETS,
        r#"
        frobnicate {}
        list_buckets 7
        create_bucket {}
        create_bucket {"Bucket":7}
        create_bucket {"Bucket":"gamma","CreateBucketConfiguration":"us-west-2"}
        put_object {"Bucket":"alpha","Key":""}
        put_object {"Bucket":"alpha","Key":"k","Body":7}
        put_object {"Bucket":"alpha","Key":"k","Metadata":{"a":1}}
        get_object {"Bucket":"alpha","Key":["src"]}
        list_objects {"Bucket":"alpha","MaxKeys":"2"}
        copy_object {"Bucket":"alpha","Key":"k"}
        delete_objects {"Bucket":"alpha","Delete":{"Objects":{"Key":"src"}}}
        delete_objects {"Bucket":"alpha","Delete":{"Objects":[{"Key":"src"},7]}}
        list_objects {"Bucket":"alpha","Prefix":"s","MaxKeys":1}
        "#,
        expect![[r#"
            ! 400 InvalidArgument: Parameter operation must be one of this domain's {ArgumentName: "operation"}
            ! 400 InvalidArgument: Parameter params must be a map {ArgumentName: "params"}
            ! 400 InvalidArgument: Parameter Bucket must be given {ArgumentName: "Bucket"}
            ! 400 InvalidArgument: Parameter Bucket must be text {ArgumentName: "Bucket"}
            ! 400 InvalidArgument: Parameter CreateBucketConfiguration must be a dict {ArgumentName: "CreateBucketConfiguration"}
            ! 400 InvalidArgument: Parameter Key must be at least one character long {ArgumentName: "Key"}
            ! 400 InvalidArgument: Parameter Body must be bytes {ArgumentName: "Body"}
            ! 400 InvalidArgument: Parameter Metadata must be a dict of text {ArgumentName: "Metadata"}
            ! 400 InvalidArgument: Parameter Key must be text {ArgumentName: "Key"}
            ! 400 InvalidArgument: Parameter MaxKeys must be an integer {ArgumentName: "MaxKeys"}
            ! 400 InvalidArgument: Invalid copy source object key {ArgumentName: "x-amz-copy-source", ArgumentValue: ""}
            ! 400 MalformedXML: The XML you provided was not well-formed or did not validate against our published schema
            ! 400 InvalidArgument: Parameter params must be a map {ArgumentName: "params"}
            {IsTruncated: False, Marker: "", Contents: [{Key: "src", LastModified: 2024-01-01T00:00:02Z, ETag: '"5d41402abc4b2a76b9719d911017c592"', ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 5, StorageClass: "STANDARD", Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}], Name: "alpha", Prefix: "s", MaxKeys: 1, EncodingType: "url"}
        "#]],
    );
}
