//! The guard around a world, on the embedded store and on a real server.

use super::{call, policy};
use crate::support::tools::needs;
use crate::support::weed;
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::s3::{
    AccessKey, Memory, OPERATIONS, Overlay, Remote, RemoteOptions, S3, operations,
};
use dialog2api::domain::{Answer, Signer, Value, World, signature};
use dialog2api::policy::{Count, Guard, Policy};
use expect_test::{Expect, expect};
use std::fmt::Write;
use std::sync::{Arc, Mutex};

/// What every world starts with.
const SETUP: &str = r#"
    create_bucket {"Bucket": "alpha"}
    create_bucket {"Bucket": "empty"}
    put_object {"Bucket": "alpha", "Key": "a/1", "Body": "one"}
    put_object {"Bucket": "alpha", "Key": "a/2", "Body": "two"}
"#;

/// Every operation, in every way that names something else.
const EVERYTHING: &str = r#"
    list_buckets
    head_bucket {"Bucket": "alpha"}
    get_bucket_location {"Bucket": "alpha"}
    list_objects {"Bucket": "alpha"}
    list_objects {"Bucket": "alpha", "Prefix": "a/", "MaxKeys": 1}
    list_objects_v2 {"Bucket": "alpha", "Delimiter": "/"}
    get_object {"Bucket": "alpha", "Key": "a/1"}
    get_object {"Bucket": "alpha", "Key": "a/1", "Range": "bytes=0-1"}
    head_object {"Bucket": "alpha", "Key": "a/1"}
    create_bucket {"Bucket": "gamma"}
    put_object {"Bucket": "alpha", "Key": "a/1", "Body": "other"}
    put_object {"Bucket": "alpha", "Key": "new", "IfNoneMatch": "*"}
    copy_object {"Bucket": "alpha", "Key": "new", "CopySource": "alpha/a/1"}
    delete_object {"Bucket": "alpha", "Key": "a/1"}
    delete_objects {"Bucket": "alpha", "Delete": {"Objects": [{"Key": "a/1"}, {"Key": "a/2"}]}}
    delete_bucket {"Bucket": "empty"}
"#;

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

async fn send(world: &dyn World, line: &str) -> Answer {
    let (operation, params) = call(line);
    world.call(operation, &params).await.expect("an answer")
}

async fn memory() -> Arc<dyn World> {
    let start = jiff::Timestamp::UNIX_EPOCH;
    let world = Memory::new("store", Store::new(Clock::Steps(start)));
    for line in lines(SETUP) {
        assert!(send(&world, line).await.is_ok(), "{line}");
    }
    Arc::new(world)
}

fn guard(world: &Arc<dyn World>, text: &str) -> Guard {
    Guard::new(world.clone(), &S3, Arc::new(policy(text)))
}

/// Each read works as without a guard, each write is refused and changes nothing.
async fn check_read_only(world: Arc<dyn World>) {
    let before = signature(&*world, []).await.expect("a state");
    let guarded = guard(&world, "mode = \"read-only\"");
    let mut seen: Vec<&str> = Vec::new();
    for line in lines(EVERYTHING) {
        let (operation, _) = call(line);
        seen.push(operation);
        match (send(&guarded, line).await, S3.writes(operation)) {
            (Ok(_), false) => {}
            (Err(refusal), true) => {
                assert_eq!((&*refusal.code, refusal.status), ("AccessDenied", 403));
                assert!(refusal.message.contains("the mode is read-only"), "{line}");
            }
            (answer, _) => panic!("{line} gave {answer:?}"),
        }
        assert_eq!(signature(&guarded, []).await.expect("a state"), before);
    }
    assert_eq!(guarded.count(), Count::default());
    // Those that the list above has not, with parameters that name a place.
    let params = r#"{"Bucket": "zoo", "Key": "k", "UploadId": "u", "Id": "i"}"#;
    let others = OPERATIONS
        .iter()
        .copied()
        .filter(|name| !seen.contains(name));
    for operation in others.filter(|name| operations::writes(name)) {
        let refusal = send(&guarded, &format!("{operation} {params}")).await;
        let refusal = refusal.expect_err(operation);
        assert_eq!(refusal.code, "AccessDenied", "{operation}");
    }
    assert_eq!(signature(&guarded, []).await.expect("a state"), before);
}

#[tokio::test]
async fn every_read_works_and_no_write_does_in_read_only() {
    check_read_only(memory().await).await;
    let overlay = Overlay::over(
        memory().await,
        Clock::Steps(jiff::Timestamp::UNIX_EPOCH),
        "us-east-1",
    );
    // An overlay does not say which operations write: the guard does not need it.
    let guarded = guard(
        &(Arc::new(overlay) as Arc<dyn World>),
        "mode = \"read-only\"",
    );
    for line in lines(EVERYTHING) {
        let (operation, _) = call(line);
        let writes = operations::writes(operation);
        assert_eq!(send(&guarded, line).await.is_err(), writes, "{line}");
    }
}

#[tokio::test]
async fn every_read_works_and_no_write_does_on_a_server() {
    needs!(WEED);
    let weed = weed::Weed::start();
    let options = RemoteOptions {
        endpoint_url: Some(weed.endpoint.clone()),
        region: Some("us-east-1".to_owned()),
        access_key: Some(AccessKey {
            id: weed::KEY.to_owned(),
            secret: weed::SECRET.to_owned(),
        }),
        ..RemoteOptions::default()
    };
    let world = Remote::connect(&options).await.expect("a world");
    // The port answers a little before the service behind it does.
    let mut answers = false;
    for _ in 0..100 {
        let asked = world.call("list_buckets", &Value::Null).await;
        answers = answers || matches!(asked, Ok(Ok(_)));
    }
    assert!(answers, "{} listens and does not answer", weed.endpoint);
    for line in lines(SETUP) {
        assert!(send(&world, line).await.is_ok(), "{line}");
    }
    check_read_only(Arc::new(world)).await;
}

/// A world that writes down what reaches it.
#[derive(Default)]
struct Reached(Mutex<Vec<String>>);

#[async_trait]
impl World for Reached {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        let key = params.get("Key").and_then(Value::as_str);
        let mut reached = self.0.lock().expect("no panic");
        reached.push(format!("{operation} {}", key.unwrap_or_default()));
        match key {
            Some("lost") => Err(dialog2api::Error::world("the connection is lost")),
            Some("refused") => Ok(Err(dialog2api::domain::Refusal::of_status(404))),
            _ => Ok(Ok(Value::Null)),
        }
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(Reached::default()))
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        signer.field(b'x', b"state");
        Ok(())
    }

    fn describe(&self) -> String {
        "a witness".to_owned()
    }
}

/// Makes the calls through a guard, and shows the answers and what reached the world.
async fn check(text: &str, calls: &str, expected: Expect) {
    let inner = Arc::new(Reached::default());
    let guarded = guard(&(inner.clone() as Arc<dyn World>), text);
    let mut said = String::new();
    for line in lines(calls) {
        let (operation, params) = call(line);
        let answer = match guarded.call(operation, &params).await {
            Err(error) => format!("failed: {error}"),
            Ok(Ok(_)) => "done".to_owned(),
            Ok(Err(refusal)) => format!("{} {:?}", refusal.code, refusal.details),
        };
        let _ = writeln!(said, "{line}\n    {answer}");
    }
    let reached = inner.0.lock().expect("no panic").join(", ");
    let _ = writeln!(said, "reached: {reached}");
    expected.assert_eq(&said);
}

#[tokio::test]
async fn what_is_denied_does_not_reach_the_world() {
    check(
        "protected_buckets = [\"audit\"]\n\
         [[rule]]\nname = \"secret\"\neffect = \"deny\"\nkeys = [\"secret/**\"]",
        r#"
            get_object {"Bucket": "a", "Key": "x"}
            get_object {"Bucket": "a", "Key": "secret/x"}
            delete_objects {"Bucket": "a", "Delete": {"Objects": [{"Key": "x"}, {"Key": "secret/x"}]}}
            put_object {"Bucket": "audit", "Key": "x"}
            put_bucket_policy {"Bucket": "audit"}
        "#,
        expect![[r#"
            get_object {"Bucket": "a", "Key": "x"}
                done
            get_object {"Bucket": "a", "Key": "secret/x"}
                AccessDenied [("Policy", Str("rule \"secret\"")), ("Place", Str("a/secret/x"))]
            delete_objects {"Bucket": "a", "Delete": {"Objects": [{"Key": "x"}, {"Key": "secret/x"}]}}
                AccessDenied [("Policy", Str("rule \"secret\"")), ("Place", Str("a/secret/x"))]
            put_object {"Bucket": "audit", "Key": "x"}
                AccessDenied [("Policy", Str("protected_buckets")), ("Place", Str("audit/x"))]
            put_bucket_policy {"Bucket": "audit"}
                AccessDenied [("Policy", Str("protected_buckets")), ("Place", Str("audit/ (policy)"))]
            reached: get_object x
        "#]],
    )
    .await;
}

#[tokio::test]
async fn what_came_to_nothing_counts_for_nothing_and_what_is_unknown_counts() {
    check(
        "[ceilings]\nobjects_written = 2",
        r#"
            put_object {"Bucket": "a", "Key": "refused"}
            put_object {"Bucket": "a", "Key": "refused"}
            put_object {"Bucket": "a", "Key": "refused"}
            put_object {"Bucket": "a", "Key": "lost"}
            put_object {"Bucket": "a", "Key": "x"}
            put_object {"Bucket": "a", "Key": "y"}
        "#,
        expect![[r#"
            put_object {"Bucket": "a", "Key": "refused"}
                404 []
            put_object {"Bucket": "a", "Key": "refused"}
                404 []
            put_object {"Bucket": "a", "Key": "refused"}
                404 []
            put_object {"Bucket": "a", "Key": "lost"}
                failed: the connection is lost
            put_object {"Bucket": "a", "Key": "x"}
                done
            put_object {"Bucket": "a", "Key": "y"}
                AccessDenied [("Policy", Str("ceiling objects_written"))]
            reached: put_object refused, put_object refused, put_object refused, put_object lost, put_object x
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_fork_is_guarded_and_counts_on_for_itself() {
    let world: Arc<dyn World> = Arc::new(Reached::default());
    let guarded = guard(&world, "[ceilings]\nobjects_written = 2");
    let put = r#"put_object {"Bucket": "a", "Key": "x"}"#;
    assert!(send(&guarded, put).await.is_ok());
    let fork = guarded.fork().expect("it can be forked");
    assert!(send(&*fork, put).await.is_ok());
    assert!(send(&*fork, put).await.is_err());
    assert!(send(&guarded, put).await.is_ok());
    assert_eq!(guarded.describe(), "a witness");
    let (one, other) = (signature(&guarded, []).await, signature(&*world, []).await);
    assert_eq!(one.expect("a state"), other.expect("a state"));
}

#[tokio::test]
async fn the_built_in_policy_lets_programs_work() {
    let world = memory().await;
    let guarded = Guard::new(world, &S3, Arc::new(Policy::default()));
    for line in lines(EVERYTHING) {
        // The object is deleted twice.
        assert!(send(&guarded, line).await.is_ok(), "{line}");
    }
}

/// A world with one bucket of one's own, and one of somebody else's.
struct WithForeign;

#[async_trait]
impl World for WithForeign {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        let own = r#"{"Buckets": [{"Name": "mine"}]}"#;
        let own = serde_json::from_str(own).expect("JSON");
        let bucket = params.get("Bucket").and_then(Value::as_str);
        Ok(match (operation, bucket) {
            ("list_buckets", _) => Ok(crate::support::value::value(&own)),
            ("head_bucket", Some("missing")) => Err(dialog2api::domain::Refusal::of_status(404)),
            _ => Ok(Value::Null),
        })
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        None
    }

    async fn state(&self, _: &mut Signer) -> Result<()> {
        Ok(())
    }

    fn describe(&self) -> String {
        "two buckets".to_owned()
    }
}

#[tokio::test]
async fn a_write_to_somebody_elses_bucket_is_sharing() {
    let world: Arc<dyn World> = Arc::new(WithForeign);
    let rule = "[[rule]]\nname = \"r\"\neffect = ";
    let deny = guard(&world, &format!("{rule}\"deny\"\naccess = [\"share\"]"));
    let allow = guard(&world, &format!("{rule}\"allow\"\naccess = [\"write\"]"));
    let mut said = String::new();
    for line in [
        r#"put_object {"Bucket": "mine", "Key": "k"}"#,
        r#"put_object {"Bucket": "theirs", "Key": "k"}"#,
        r#"copy_object {"Bucket": "theirs", "Key": "k", "CopySource": "mine/k"}"#,
        r#"upload_part {"Bucket": "theirs", "Key": "k"}"#,
        r#"put_object {"Bucket": "missing", "Key": "k"}"#,
        r#"get_object {"Bucket": "theirs", "Key": "k"}"#,
        r#"delete_object {"Bucket": "theirs", "Key": "k"}"#,
        r#"create_bucket {"Bucket": "new"}"#,
    ] {
        let verdicts = [send(&deny, line).await, send(&allow, line).await];
        let verdicts = verdicts.map(|it| if it.is_ok() { "allowed" } else { "denied" });
        let _ = writeln!(said, "{} {line}", verdicts.join(" "));
    }
    expect![[r#"
        allowed allowed put_object {"Bucket": "mine", "Key": "k"}
        denied denied put_object {"Bucket": "theirs", "Key": "k"}
        denied denied copy_object {"Bucket": "theirs", "Key": "k", "CopySource": "mine/k"}
        denied denied upload_part {"Bucket": "theirs", "Key": "k"}
        allowed allowed put_object {"Bucket": "missing", "Key": "k"}
        allowed allowed get_object {"Bucket": "theirs", "Key": "k"}
        allowed allowed delete_object {"Bucket": "theirs", "Key": "k"}
        allowed allowed create_bucket {"Bucket": "new"}
    "#]]
    .assert_eq(&said);
    // A rule about nothing of the kind asks for nothing.
    let free = guard(&world, "");
    assert!(
        send(&free, r#"put_object {"Bucket": "theirs", "Key": "k"}"#)
            .await
            .is_ok()
    );
}
