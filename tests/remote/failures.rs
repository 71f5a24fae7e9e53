//! Failures that are not the program's fault.

use crate::remote::scripted::{Script, at_once, ok};
use crate::remote::support::{list, mended, options};
use crate::support::tools::needs;
use crate::support::value;
use crate::support::weed::{self, Weed};
use dialog2api::FailureReason;
use dialog2api::domain::World;
use dialog2api::domain::s3::{AccessKey, Remote};
use expect_test::expect;

#[tokio::test]
async fn what_is_not_the_programs_fault_is_an_error_that_names_the_way_out() {
    needs!(WEED);
    let weed = Weed::start();
    let mut wrong = options(&weed.endpoint);
    wrong.access_key = Some(AccessKey {
        id: weed::KEY.to_owned(),
        secret: "not-the-secret".to_owned(),
    });
    let world = Remote::connect(&wrong).await.expect("nothing is sent yet");
    let error = list(&world).await.expect_err("the secret is wrong");
    expect!["S3 at ENDPOINT: the credentials were not accepted (SignatureDoesNotMatch: The request signature we calculated does not match the signature you provided. Check your key and signing method.); check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name another profile"].assert_eq(&mended(&error, &weed.endpoint));
    assert!(!format!("{error:?} {world:?} {wrong:?}").contains("not-the-secret"));

    let endpoint = weed.endpoint.clone();
    drop(weed);
    let world = Remote::connect(&options(&endpoint))
        .await
        .expect("nothing is sent yet");
    let error = list(&world).await.expect_err("the server is gone");
    let said = mended(&error, &endpoint);
    assert!(said.starts_with("S3 at ENDPOINT: no answer ("), "{said}");
    assert!(
        said.ends_with("check that the server runs and that the endpoint is right"),
        "{said}"
    );
    assert!(
        said.contains("refused") && !said.contains(weed::SECRET),
        "{said}"
    );

    for endpoint in ["localhost:8333", "no url", "http://me:pass@127.0.0.1:1"] {
        let error = Remote::connect(&options(endpoint))
            .await
            .expect_err(endpoint);
        assert!(error.is(FailureReason::Usage), "{error}");
        assert!(!error.to_string().contains("pass@"), "{error}");
    }
    let mut unknown = options(&endpoint);
    unknown.access_key = None;
    unknown.profile = Some("there-is-no-such-profile".to_owned());
    let error = Remote::connect(&unknown)
        .await
        .expect_err("no such profile");
    expect![[r#"S3 at ENDPOINT: no usable credentials: the profile "there-is-no-such-profile" is not in the AWS configuration files or gives none (the credential provider was not enabled); set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile of ~/.aws/config that has credentials"#]].assert_eq(&mended(&error, &endpoint));
}

/// On its way, such a name would become the path of another bucket.
#[tokio::test]
async fn a_name_that_no_bucket_has_is_not_sent() {
    let script = Script::new(|_| ok(""));
    let world = script.world(at_once()).await;
    for bucket in [
        "./audit-1",
        "/audit-1",
        "audit-1/",
        "zoo/../audit-1",
        "..",
        "",
    ] {
        for operation in [
            "delete_bucket",
            "put_bucket_tagging",
            "put_object",
            "get_object",
        ] {
            let params = value::value(&serde_json::json!({"Bucket": bucket, "Key": "k"}));
            let answer = world.call(operation, &params).await.expect("an answer");
            let refusal = answer.expect_err("a refusal");
            assert_eq!(refusal.code, "InvalidBucketName", "{operation} {bucket}");
        }
    }
    assert_eq!(script.asked(), "");
}
