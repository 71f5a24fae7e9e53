//! Amazon, as far as it has regions: a bucket is in one of them, and all others refuse,
//! each time in one of the ways that Amazon has.

use crate::remote::scripted::{Asked, Reply, Script, at_once, error, ok};
use crate::remote::support::{run, show_signature};
use dialog2api::domain::s3::remote::Remote;
use expect_test::{Expect, expect};

/// Amazon with `far` in eu-central-1 and everything else in us-east-1; `refuse` is how
/// it says that a request went to the wrong region.
fn amazon(refuse: fn(&Asked) -> Reply) -> Script {
    Script::new(move |asked| {
        let (host, path) = asked.url.split_once('/').unwrap_or((&asked.url, ""));
        let home = match host.starts_with("far.") {
            true => "eu-central-1",
            false => "us-east-1",
        };
        if asked.region != home {
            return refuse(asked);
        }
        assert!(host.contains(home), "{} for {home}", asked.url);
        match (asked.method.as_str(), host.starts_with("s3."), path) {
            ("HEAD", _, "") => {
                Reply::Answer(200, "x-amz-bucket-region: eu-central-1", String::new())
            }
            ("HEAD", ..) => Reply::Answer(200, "etag: \"e\"", String::new()),
            (_, true, _) => ok(
                "<ListAllMyBucketsResult><Buckets><Bucket><Name>far</Name></Bucket></Buckets></ListAllMyBucketsResult>",
            ),
            (_, _, path) if path.starts_with("?list-type") => ok(
                "<ListBucketResult><Contents><Key>k</Key><Size>2</Size></Contents></ListBucketResult>",
            ),
            _ => ok("hi"),
        }
    })
}

async fn check(refuse: fn(&Asked) -> Reply, calls: &[&str], expected: Expect) {
    let script = amazon(refuse);
    let world = script.world(at_once()).await;
    let mut said = String::new();
    for call in calls {
        let answer = answer(&world, call).await;
        said += &format!("{call}\n{}    {answer}\n", script.asked());
    }
    expected.assert_eq(&said);
}

async fn answer(world: &Remote, call: &str) -> String {
    match call {
        "signature" => show_signature(world).await,
        call => run(world, call).await,
    }
}

const GET: &str = r#"get_object {"Bucket": "far", "Key": "k"}"#;
const HEAD: &str = r#"head_object {"Bucket": "far", "Key": "k"}"#;

#[tokio::test]
async fn a_bucket_is_followed_to_its_region_and_found_there_from_then_on() {
    check(
        |_| {
            let header = "x-amz-bucket-region: eu-central-1";
            error(301, header, "PermanentRedirect", "<Bucket>far</Bucket>")
        },
        &[GET, HEAD, r#"get_object {"Bucket": "near", "Key": "k"}"#],
        expect![[r#"
            get_object {"Bucket": "far", "Key": "k"}
            GET far.s3.us-east-1.amazonaws.com/k?x-id=GetObject (us-east-1)
            GET far.s3.eu-central-1.amazonaws.com/k?x-id=GetObject (eu-central-1)
                {Metadata: {}, Body: b"hi"}
            head_object {"Bucket": "far", "Key": "k"}
            HEAD far.s3.eu-central-1.amazonaws.com/k (eu-central-1)
                {ETag: "\"e\"", Metadata: {}}
            get_object {"Bucket": "near", "Key": "k"}
            GET near.s3.us-east-1.amazonaws.com/k?x-id=GetObject (us-east-1)
                {Metadata: {}, Body: b"hi"}
        "#]],
    )
    .await;
    // The region stands in the body alone.
    check(
        |_| {
            let region = "<Region>eu-central-1</Region>";
            error(400, "", "AuthorizationHeaderMalformed", region)
        },
        &[GET, "signature"],
        expect![[r#"
            get_object {"Bucket": "far", "Key": "k"}
            GET far.s3.us-east-1.amazonaws.com/k?x-id=GetObject (us-east-1)
            GET far.s3.eu-central-1.amazonaws.com/k?x-id=GetObject (eu-central-1)
                {Metadata: {}, Body: b"hi"}
            signature
            GET s3.us-east-1.amazonaws.com/?x-id=ListBuckets (us-east-1)
            GET far.s3.eu-central-1.amazonaws.com/?list-type=2&encoding-type=url (eu-central-1)
            GET far.s3.eu-central-1.amazonaws.com/?versioning (eu-central-1)
                Amazon S3 in us-east-1: the answer to get_bucket_versioning is not one of S3; is this the port of its S3 service?
        "#]],
    )
    .await;
    check(
        |_| {
            let header = "x-amz-bucket-region: eu-central-1";
            error(307, header, "TemporaryRedirect", "")
        },
        &[r#"delete_object {"Bucket": "far", "Key": "k"}"#],
        expect![[r#"
            delete_object {"Bucket": "far", "Key": "k"}
            DELETE far.s3.us-east-1.amazonaws.com/k (us-east-1)
            DELETE far.s3.eu-central-1.amazonaws.com/k (eu-central-1)
                {}
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_head_that_is_refused_without_a_word_asks_for_the_region() {
    check(
        |asked| match asked.url.split_once('/') {
            Some((_, "")) => Reply::Answer(400, "x-amz-bucket-region: eu-central-1", String::new()),
            _ => Reply::Answer(400, "", String::new()),
        },
        &[HEAD, r#"head_bucket {"Bucket": "far"}"#],
        expect![[r#"
            head_object {"Bucket": "far", "Key": "k"}
            HEAD far.s3.us-east-1.amazonaws.com/k (us-east-1)
            HEAD far.s3.us-east-1.amazonaws.com/ (us-east-1)
            HEAD far.s3.eu-central-1.amazonaws.com/k (eu-central-1)
                {ETag: "\"e\"", Metadata: {}}
            head_bucket {"Bucket": "far"}
            HEAD far.s3.eu-central-1.amazonaws.com/ (eu-central-1)
                {BucketRegion: "eu-central-1"}
        "#]],
    )
    .await;
}

#[tokio::test]
async fn it_is_followed_once_and_only_where_somebody_says_where() {
    // Nobody says where.
    check(
        |_| error(301, "", "PermanentRedirect", ""),
        &[GET],
        expect![[r#"
            get_object {"Bucket": "far", "Key": "k"}
            GET far.s3.us-east-1.amazonaws.com/k?x-id=GetObject (us-east-1)
            HEAD far.s3.us-east-1.amazonaws.com/ (us-east-1)
                301 PermanentRedirect: of PermanentRedirect {}
        "#]],
    )
    .await;
    // Another refusal, and a bucket that is to be created, stay what they are.
    check(
        |asked| match asked.method.as_str() {
            "PUT" => error(
                400,
                "x-amz-bucket-region: eu-central-1",
                "IllegalLocationConstraintException",
                "",
            ),
            _ => error(403, "x-amz-bucket-region: eu-central-1", "AccessDenied", ""),
        },
        &[GET, r#"create_bucket {"Bucket": "far"}"#],
        expect![[r#"
            get_object {"Bucket": "far", "Key": "k"}
            GET far.s3.us-east-1.amazonaws.com/k?x-id=GetObject (us-east-1)
                403 AccessDenied: of AccessDenied {}
            create_bucket {"Bucket": "far"}
            PUT far.s3.us-east-1.amazonaws.com/ (us-east-1)
                400 IllegalLocationConstraintException: of IllegalLocationConstraintException {}
        "#]],
    )
    .await;
}
