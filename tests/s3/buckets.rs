use crate::support::{BUCKETS, check, empty, run};
use dialog2api::domain::s3::Memory;
use dialog2api::domain::s3::memory::Store;
use expect_test::expect;
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
        expect![[r#""#]],
    );
}

#[test]
fn names_that_a_bucket_cannot_have() {
    let names = [
        "ab", "Upper", "under_score", "-dash", "dash-", ".dot", "a..b", "192.168.0.1", "xn--a",
        "sthree-a", "amzn-s3-demo-a", "a-s3alias", "a--ol-s3", "a b", "\u{e9}t\u{e9}", "../up",
    ];
    let world = empty();
    for name in names.into_iter().map(str::to_owned).chain(["a".repeat(64)]) {
        let call = format!("create_bucket {{\"Bucket\":\"{name}\"}}");
        let answer = run(&call, |operation, params| world.perform(operation, params));
        assert!(answer.starts_with("! 400 InvalidBucketName"), "{name}: {answer}");
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
    expect![[r#""#]].assert_eq(&answers);
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
        expect![[r#""#]],
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
        list_buckets {"MaxBuckets":2,"ContinuationToken":"f4tQHWxvZ3MtYQ"}
        list_buckets {"BucketRegion":"eu-west-1"}
        list_buckets {"MaxBuckets":0}
        list_buckets {"ContinuationToken":"bogus"}
        "#,
        expect![[r#""#]],
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
        expect![[r#""#]],
    );
}
