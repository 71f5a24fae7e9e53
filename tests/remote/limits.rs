//! The limits of one connection: tries, time, concurrency, memory.

use crate::remote::scripted::{Reply, Script, at_once, error, ok};
use crate::remote::support::run;
use crate::support;
use dialog2api::domain::s3::remote::RemoteLimits;
use dialog2api::domain::{Value, World};
use dialog2api::exec::{Limits, Seed};
use expect_test::expect;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const GET: &str = r#"get_object {"Bucket": "alpha", "Key": "k"}"#;

#[tokio::test]
async fn a_busy_server_is_asked_again_and_the_last_answer_says_how_often() {
    let script = Script::new(|_| error(503, "", "SlowDown", ""));
    let world = script.world(at_once()).await;
    let answer = run(&world, GET).await;
    expect![[r#"
        GET alpha.s3.us-east-1.amazonaws.com/k?x-id=GetObject (us-east-1)
        GET alpha.s3.us-east-1.amazonaws.com/k?x-id=GetObject (us-east-1)
        GET alpha.s3.us-east-1.amazonaws.com/k?x-id=GetObject (us-east-1)
        503 SlowDown: of SlowDown {ResponseMetadata: {MaxAttemptsReached: true, RetryAttempts: 2}}
    "#]]
    .assert_eq(&format!("{}{answer}\n", script.asked()));

    let tries = AtomicUsize::new(0);
    let script = Script::new(move |_| match tries.fetch_add(1, Ordering::Relaxed) {
        0 => error(500, "", "InternalError", ""),
        _ => ok("hi"),
    });
    let answer = run(&script.world(at_once()).await, GET).await;
    expect![[r#"
        GET alpha.s3.us-east-1.amazonaws.com/k?x-id=GetObject (us-east-1)
        GET alpha.s3.us-east-1.amazonaws.com/k?x-id=GetObject (us-east-1)
        {Metadata: {}, Body: b"hi"}
    "#]]
    .assert_eq(&format!("{}{answer}\n", script.asked()));
}

#[tokio::test]
async fn a_connection_uses_up_its_own_retries_alone() {
    let script = Script::new(|_| error(503, "", "SlowDown", ""));
    let (tired, other) = (script.world(at_once()).await, script.world(at_once()).await);
    for _ in 0..120 {
        run(&tired, GET).await;
    }
    script.asked();
    run(&tired, GET).await;
    let of_tired = script.asked().lines().count();
    run(&other, GET).await;
    assert!(of_tired < 3, "{of_tired} tries");
    assert_eq!(script.asked().lines().count(), 3);
}

#[tokio::test]
async fn who_wants_to_look_first_is_told_at_once() {
    let put = r#"{"Bucket": "alpha", "Key": "k", "Body": "v"}"#;
    let put = crate::remote::support::value(&serde_json::from_str(put).expect("JSON"));
    let busy = Script::new(|_| error(503, "", "SlowDown", ""));
    let world = busy.world(at_once()).await;
    let refusal = world.call_once("put_object", &put).await;
    let refusal = refusal.expect("an answer").expect_err("a refusal");
    let script = Script::new(|_| Reply::Silence);
    let limits = RemoteLimits {
        attempt: Duration::from_millis(10),
        ..at_once()
    };
    let silent = script.world(limits).await;
    let silence = silent.call_once("put_object", &put).await;
    let silence = silence.expect_err("there is no answer");
    let (busy, silent) = (busy.asked(), script.asked());
    expect![[r#"
        PUT alpha.s3.us-east-1.amazonaws.com/k?x-id=PutObject (us-east-1)
        SlowDown
        PUT alpha.s3.us-east-1.amazonaws.com/k?x-id=PutObject (us-east-1)
        Amazon S3 in us-east-1: no answer (operation attempt timeout (single attempt) occurred after 10ms); check that the server runs and that the endpoint is right
    "#]].assert_eq(&format!("{busy}{}\n{silent}{silence}\n", refusal.code));
}

#[tokio::test]
async fn a_program_reads_of_it_as_with_boto3() {
    let script = Script::new(|_| error(503, "", "SlowDown", ""));
    let world: Arc<dyn World> = Arc::new(script.world(at_once()).await);
    let program = "
from botocore.exceptions import ClientError
try:
    s3.list_buckets()
except ClientError as e:
    metadata = e.response['ResponseMetadata']
    return [str(e), sorted(e.response['Error']), metadata['RetryAttempts'], metadata['MaxAttemptsReached']]
";
    let sandbox = support::sandbox().await;
    let (limits, seed) = (Limits::default(), Seed::default());
    let done = sandbox.run(program, &world, &limits, &seed).await;
    let outcome = done.expect("it ran").outcome;
    expect![[r#"Result(Array [String("An error occurred (SlowDown) when calling the ListBuckets operation (reached max retries: 2): of SlowDown"), Array [String("Code"), String("Message")], Number(2), Bool(true)])"#]].assert_eq(&format!("{outcome:?}"));
}

#[tokio::test]
async fn a_refusal_is_not_asked_again() {
    let script = Script::new(|_| error(404, "", "NoSuchKey", "<Key>k&amp;&#xA;&lt;&nix;</Key>"));
    let answer = run(&script.world(at_once()).await, GET).await;
    expect![[r#"
        GET alpha.s3.us-east-1.amazonaws.com/k?x-id=GetObject (us-east-1)
        404 NoSuchKey: of NoSuchKey {Key: "k&\n<&nix;"}
    "#]]
    .assert_eq(&format!("{}{answer}\n", script.asked()));
    // Nor is what a proxy says in its own words; botocore makes a code of the status.
    let script = Script::new(|_| Reply::Answer(407, "", "<html>Who are you?</html>".to_owned()));
    let answer = run(&script.world(at_once()).await, GET).await;
    expect![[r#"
        GET alpha.s3.us-east-1.amazonaws.com/k?x-id=GetObject (us-east-1)
        407 407: Proxy Authentication Required {}
    "#]]
    .assert_eq(&format!("{}{answer}\n", script.asked()));
}

#[tokio::test]
async fn silence_ends() {
    let script = Script::new(|_| Reply::Silence);
    let limits = RemoteLimits {
        tries: 2,
        attempt: Duration::from_millis(10),
        ..at_once()
    };
    let world = script.world(limits).await;
    let error = world.call("list_buckets", &Value::Null).await;
    let error = error.expect_err("there is no answer");
    expect![[r#"
        GET s3.us-east-1.amazonaws.com/?x-id=ListBuckets (us-east-1)
        GET s3.us-east-1.amazonaws.com/?x-id=ListBuckets (us-east-1)
        Amazon S3 in us-east-1: no answer (operation attempt timeout (single attempt) occurred after 10ms); check that the server runs and that the endpoint is right
    "#]].assert_eq(&format!("{}{error}\n", script.asked()));
}

#[tokio::test]
async fn so_many_calls_are_under_way_at_once() {
    let script = Script::new(|_| ok("hi"));
    let limits = RemoteLimits {
        at_once: 3,
        ..at_once()
    };
    let world = script.world(limits).await;
    let calls = (0..20).map(|_| run(&world, GET));
    futures_util::future::join_all(calls).await;
    assert_eq!(script.most_at_once(), 3);
}

#[tokio::test]
async fn what_does_not_fit_is_refused() {
    let script = Script::new(|_| ok("four"));
    let limits = RemoteLimits {
        body: 3,
        ..at_once()
    };
    let answer = run(&script.world(limits).await, GET).await;
    expect![[r#"
        400 EntityTooLarge: The object has 4 bytes or more, and at most 3 can be read at once: ask for a part of it with Range {MaxSizeAllowed: "3"}
    "#]].assert_eq(&format!("{answer}\n"));
}

/// The body of an error comes from a server that may be hostile.
#[tokio::test]
async fn the_body_of_an_error_is_cut_and_read_without_recursion() {
    let deep = "<a>".repeat(3_500_000);
    let script = Script::new(move |_| error(404, "", "NoSuchKey", &deep));
    let answer = run(&script.world(at_once()).await, GET).await;
    expect!["404 NoSuchKey: of NoSuchKey {}"].assert_eq(&answer);
    // Deep nesting in the body of a success, which a copy may answer an error with.
    let deep = "<a>".repeat(200_000);
    let script = Script::new(move |_| error(200, "", "InternalError", &deep));
    let copy = r#"copy_object {"Bucket": "alpha", "Key": "k", "CopySource": "alpha/j"}"#;
    let answer = run(&script.world(at_once()).await, copy).await;
    expect!["500 InternalError: of InternalError {ResponseMetadata: {MaxAttemptsReached: true, RetryAttempts: 2}}"].assert_eq(&answer);
    // What comes after the cut is not read, what comes before it is.
    let wide = format!("<Key>k</Key>{}<Late>x</Late>", " ".repeat(10 << 20));
    let script = Script::new(move |_| error(404, "", "NoSuchKey", &wide));
    let answer = run(&script.world(at_once()).await, GET).await;
    expect![[r#"404 NoSuchKey: of NoSuchKey {Key: "k"}"#]].assert_eq(&answer);
}
