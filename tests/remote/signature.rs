//! The state of a server.

use crate::remote::scripted::{Reply, Script, at_once, error, ok, options};
use crate::remote::support::{add_object, connect, run, show_signature, signature, value};
use crate::support::tools::needs;
use crate::support::weed::Weed;
use dialog2api::domain::s3::remote::{Remote, RemoteLimits, SignatureMode, Watch};
use dialog2api::domain::{self, Signer, World};
use expect_test::{Expect, expect};
use std::sync::{Arc, Mutex};

#[tokio::test]
async fn the_state_is_what_is_stored_and_nothing_else() {
    needs!(WEED);
    let weed = Weed::start();
    let world = connect(&weed).await;
    assert_eq!(signature(&world).await, Signer::new().signature());

    run(&world, r#"create_bucket {"Bucket": "beta"}"#).await;
    run(&world, r#"create_bucket {"Bucket": "alpha"}"#).await;
    let keys: Vec<String> = (0..40).map(|i| format!("k{i:02}")).collect();
    for key in keys.iter().rev() {
        let call =
            format!(r#"put_object {{"Bucket": "alpha", "Key": "{key}", "Body": "of {key}"}}"#);
        run(&world, &call).await;
    }
    run(
        &world,
        r#"put_object {"Bucket": "beta", "Key": "é +", "Body": ""}"#,
    )
    .await;

    let mut whole = Signer::new();
    whole.field(b'b', b"alpha");
    for key in &keys {
        add_object(&mut whole, key, &format!("of {key}"));
    }
    whole.field(b'b', b"beta");
    add_object(&mut whole, "é +", "");
    assert_eq!(signature(&world).await, whole.signature());

    run(&world, r#"get_object {"Bucket": "beta", "Key": "é +"}"#).await;
    assert_eq!(
        signature(&world).await,
        whole.signature(),
        "a read leaves no trace"
    );
    run(
        &world,
        r#"put_object {"Bucket": "beta", "Key": "é +", "Body": "!"}"#,
    )
    .await;
    assert_ne!(signature(&world).await, whole.signature());

    let now = signature(&world).await;
    let fork = world.fork().expect("an overlay over the server");
    let delete = value(&serde_json::json!({"Bucket": "beta", "Key": "é +"}));
    let deleted = fork
        .call("delete_object", &delete)
        .await
        .expect("an answer");
    assert!(deleted.is_ok(), "{deleted:?}");
    assert_ne!(domain::signature(&*fork, []).await.expect("the state"), now);
    assert_eq!(
        signature(&world).await,
        now,
        "what is done in a fork stays there"
    );
}

/// Two buckets; one has `a` with two bytes and `b` with three.
fn two_buckets(read: fn(&str) -> Reply) -> Script {
    Script::new(move |asked| {
        let (host, path) = asked.url.split_once('/').unwrap_or_default();
        match (host.split('.').next(), path.split('?').next()) {
            (Some("s3"), _) => ok(
                "<ListAllMyBucketsResult><Buckets><Bucket><Name>two</Name></Bucket>\
                <Bucket><Name>one</Name></Bucket></Buckets></ListAllMyBucketsResult>",
            ),
            (Some("one"), Some("")) => ok("<ListBucketResult></ListBucketResult>"),
            (_, Some("")) => ok(
                "<ListBucketResult><Contents><Key>b</Key><Size>3</Size><ETag>&quot;eb&quot;</ETag>\
                </Contents><Contents><Key>a</Key><Size>2</Size><ETag>ea</ETag></Contents></ListBucketResult>",
            ),
            (_, Some(key)) => read(key),
            _ => error(500, "", "InternalError", ""),
        }
    })
}

fn content(key: &str) -> Reply {
    ok(if key == "a" { "aa" } else { "bbb" })
}

async fn world(script: &Script, mode: SignatureMode, limits: RemoteLimits) -> Remote {
    let options = domain::s3::RemoteOptions {
        signature: mode,
        ..options(limits)
    };
    let world = Remote::connect_through(&options, script.client()).await;
    world.expect("a world")
}

#[tokio::test]
async fn a_state_of_etags_reads_no_object_and_equals_none_of_content() {
    let script = two_buckets(content);
    let world = world(&script, SignatureMode::Etag, at_once()).await;
    let mut expected = Signer::new();
    expected.field(b'b', b"one");
    expected.field(b'b', b"two");
    for (key, etag) in [("a", "ea"), ("b", "eb")] {
        expected.field(b'k', key.as_bytes());
        expected.field(b'e', etag.as_bytes());
    }
    assert_eq!(signature(&world).await, expected.signature());
    expect![[r#"
        GET s3.us-east-1.amazonaws.com/?x-id=ListBuckets (us-east-1)
        GET one.s3.us-east-1.amazonaws.com/?list-type=2&encoding-type=url (us-east-1)
        GET two.s3.us-east-1.amazonaws.com/?list-type=2&encoding-type=url (us-east-1)
    "#]]
    .assert_eq(&script.asked());
}

#[tokio::test]
async fn progress_is_told_listing_first() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let log = told.clone();
    let script = two_buckets(content);
    let options = domain::s3::RemoteOptions {
        progress: Some(Watch::new(move |progress| {
            let of = progress.of;
            let line = format!("{} {} {of:?}\n", progress.objects, progress.bytes);
            log.lock().expect("the log").push(line);
        })),
        ..options(RemoteLimits {
            at_once: 1,
            ..at_once()
        })
    };
    let world = Remote::connect_through(&options, script.client()).await;
    let mut expected = Signer::new();
    expected.field(b'b', b"one");
    expected.field(b'b', b"two");
    add_object(&mut expected, "a", "aa");
    add_object(&mut expected, "b", "bbb");
    assert_eq!(
        signature(&world.expect("a world")).await,
        expected.signature()
    );
    expect![[r#"
        0 0 None
        2 5 None
        0 2 Some((2, 5))
        1 2 Some((2, 5))
        1 5 Some((2, 5))
        2 5 Some((2, 5))
    "#]]
    .assert_eq(&told.lock().expect("the log").concat());
}

async fn refused(read: fn(&str) -> Reply, limits: RemoteLimits, expected: Expect) {
    let script = two_buckets(read);
    let world = world(&script, SignatureMode::Content, limits).await;
    expected.assert_eq(&show_signature(&world).await);
}

#[tokio::test]
async fn what_cannot_be_signed_is_an_error_that_names_the_way_out() {
    refused(
        content,
        RemoteLimits {
            signature_bytes: 4,
            ..at_once()
        },
        expect!["Amazon S3 in us-east-1 holds 5 bytes in 2 objects, and a signature of content reads at most 4: raise it with --signature-limit 5, or use --signature etag, which reads no content"],
    )
    .await;
    refused(
        content,
        RemoteLimits {
            signature_objects: 1,
            ..at_once()
        },
        expect!["Amazon S3 in us-east-1 holds more than 1 object, and a signature covers at most so many: raise it with --signature-objects"],
    )
    .await;
    refused(
        |_| error(404, "", "NoSuchKey", "<Key>a</Key>"),
        at_once(),
        expect!["Amazon S3 in us-east-1: two/a is gone since it was listed (NoSuchKey: of NoSuchKey): something else writes there; take the signature again when nothing does"],
    )
    .await;
    refused(
        |_| error(403, "", "InvalidObjectState", ""),
        at_once(),
        expect!["Amazon S3 in us-east-1: cannot look at two/a: of InvalidObjectState"],
    )
    .await;
    refused(
        |_| error(403, "", "AccessDenied", ""),
        at_once(),
        expect!["Amazon S3 in us-east-1: two/a cannot be read (AccessDenied: of AccessDenied); the credentials must be allowed to list and to read every bucket"],
    )
    .await;
}
