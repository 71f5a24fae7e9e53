//! Credentials stay with the connection.

use crate::remote::scripted::{ID, SECRET, Script, at_once, error, options};
use crate::remote::support::run;
use dialog2api::domain::s3::remote::Remote;
use dialog2api::domain::{Value, World};
use expect_test::expect;

/// What S3 adds when it does not like a signature.
const SIGNED: &str = "<AWSAccessKeyId>AKIAOFTHETEST</AWSAccessKeyId>\
    <StringToSign>AWS4-HMAC-SHA256 20240101T000000Z AKIAOFTHETEST</StringToSign>\
    <SignatureProvided>5eed</SignatureProvided>\
    <StringToSignBytes>41 57 53 34</StringToSignBytes>\
    <CanonicalRequest>GET / authorization:5eed</CanonicalRequest>\
    <CanonicalRequestBytes>47 45 54</CanonicalRequestBytes>\
    <Token-0>session-token</Token-0>\
    <Resource>/alpha of AKIAOFTHETEST</Resource>";

fn assert_silent(said: &str) {
    for secret in [
        ID,
        SECRET,
        "5eed",
        "AWS4",
        "session-token",
        "my-password",
        "41 57",
    ] {
        assert!(!said.contains(secret), "{secret} is in {said}");
    }
}

#[tokio::test]
async fn refusals_do_not_repeat_what_was_signed() {
    let script = Script::new(|_| error(403, "", "AccessDenied", SIGNED));
    let world = script.world(at_once()).await;
    let said = run(&world, r#"list_objects {"Bucket": "alpha"}"#).await;
    expect!["403 AccessDenied: of AccessDenied {Resource: …}"].assert_eq(&said);
    assert_silent(&said);
    let error = world.state(&mut Default::default()).await;
    assert_silent(&format!("{error:?}"));
}

#[tokio::test]
async fn errors_do_not_repeat_what_was_signed() {
    let codes = [
        "SignatureDoesNotMatch",
        "InvalidAccessKeyId",
        "InvalidToken",
    ];
    for code in codes {
        let script = Script::new(move |_| error(403, "", code, SIGNED));
        let world = script.world(at_once()).await;
        let error = world.call("list_buckets", &Value::Null).await;
        let error = error.expect_err("our credentials are no good");
        assert_silent(&format!("{error} {error:?}"));
    }
}

#[tokio::test]
async fn debug_and_errors_of_the_configuration_say_nothing() {
    let script = Script::new(|_| error(500, "", "InternalError", ""));
    let mut options = options(at_once());
    let world = script.world(at_once()).await;
    assert_silent(&format!("{options:?} {world:?} {}", world.describe()));
    for endpoint in [
        "http://me:my-password@127.0.0.1:1",
        "ftp://me:my-password@host",
        "http://me:my-password@:x",
        "me:my-password@host",
    ] {
        options.endpoint_url = Some(endpoint.to_owned());
        let error = Remote::connect(&options).await.expect_err(endpoint);
        assert_silent(&format!("{error} {error:?} {options:?}"));
    }
}
