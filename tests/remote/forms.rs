//! Forms that are signed ahead: what programs get, and what the user gets.

use super::support::{options, run, value};
use crate::serve::support::{key, serve, world};
use crate::support::tools::{CURL, needs};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dialog2api::domain::s3::{Remote, RemoteOptions};
use dialog2api::domain::{SharedLink, Value, World};
use expect_test::expect;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

const FORM: &str = r#"{
    "Bucket": "alpha", "Key": "in/a b.txt", "ExpiresIn": 600,
    "Fields": {"Content-Type": "text/plain", "success_action_status": "201"},
    "Conditions": [{"Content-Type": "text/plain"}, ["eq", "$success_action_status", "201"],
                   ["content-length-range", 1, 9]]
}"#;

/// The parameters of [`FORM`].
fn form() -> Value {
    value(&serde_json::from_str(FORM).expect("JSON"))
}

/// Posts a form with curl; gives the status and the code of the error.
fn post(url: &str, fields: &[(String, String)], file: &Path) -> String {
    let mut curl = Command::new(CURL.path());
    curl.args(["--silent", "--write-out", " %{http_code}", url]);
    for (name, value) in fields {
        curl.arg("--form-string").arg(format!("{name}={value}"));
    }
    let output = curl
        .arg("--form")
        .arg(format!("file=@{}", file.display()))
        .output();
    let said = output.expect("it starts").stdout;
    let said = String::from_utf8(said).expect("text");
    let (text, status) = said.rsplit_once(' ').expect("a status");
    let code = text
        .split_once("<Code>")
        .and_then(|(_, rest)| rest.split_once('<'));
    format!("{status} {}", code.map_or("", |(code, _)| code))
}

/// The fields with another value of one of them.
fn with(fields: &[(String, String)], name: &str, value: &str) -> Vec<(String, String)> {
    let mut fields = fields.to_vec();
    let field = fields.iter_mut().find(|(known, _)| known == name);
    field.expect("such a field").1 = value.to_owned();
    fields
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_user_gets_a_form_that_works_and_the_program_one_that_does_not() {
    needs!(CURL);
    let server = serve(world()).await;
    let endpoint = format!("http://{}", server.address());
    let options = RemoteOptions {
        access_key: Some(key()),
        ..options(&endpoint)
    };
    let remote = Remote::connect(&options).await.expect("a world");
    let shown: Arc<Mutex<Vec<SharedLink>>> = Arc::default();
    let kept = shown.clone();
    remote.show_links(Arc::new(move |link| {
        kept.lock().expect("a list").push(link)
    }));
    run(&remote, r#"create_bucket {"Bucket": "alpha"}"#).await;
    let answer = remote.call("generate_presigned_post", &form()).await;
    let answer = answer.expect("it answers").expect("it is signed");
    let form = shown.lock().expect("a list").remove(0);
    let (about, _) = form.about.split_once(" until ").expect("a time");
    assert_eq!(
        about,
        "form for alpha/in/a b.txt for anybody who has it, to write it"
    );

    let Some(Value::Map(fields)) = answer.get("Fields") else {
        panic!("{answer:?}")
    };
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let of_program: Vec<_> = (fields.iter())
        .map(|(name, value)| (name.to_string(), text(value)))
        .collect();
    let names = |fields: &[(String, String)]| -> Vec<String> {
        fields.iter().map(|(name, _)| name.clone()).collect()
    };
    expect![[r#"
        [
            "Content-Type",
            "success_action_status",
            "key",
            "x-amz-algorithm",
            "x-amz-credential",
            "x-amz-date",
            "policy",
            "x-amz-signature",
        ]
    "#]]
    .assert_debug_eq(&names(&form.fields));
    // The program's has the fields that botocore gives it by default.
    expect![[r#"
        [
            "Content-Type",
            "success_action_status",
            "key",
            "AWSAccessKeyId",
            "policy",
            "signature",
        ]
    "#]]
    .assert_debug_eq(&names(&of_program));
    // Neither the ID of the key nor a signature is in what the program gets.
    for (name, value) in &of_program {
        let plain = STANDARD.decode(value).unwrap_or_default();
        let plain = String::from_utf8_lossy(&plain);
        assert!(
            !value.contains(&key().id) && !plain.contains(&key().id),
            "{name}"
        );
        assert!(
            name != "x-amz-signature" || *value == form.withheld,
            "{name}"
        );
    }

    let room = tempfile::tempdir().expect("a folder");
    let file = |name: &str, content: &str| {
        let path = room.path().join(name);
        std::fs::write(&path, content).expect("a file");
        path
    };
    let (short, long) = (file("short", "by form"), file("long", "0123456789"));
    let (url, right) = (form.url.clone(), form.fields.clone());
    assert_eq!(answer.get("Url"), Some(&Value::from(url.as_str())));
    let tried = tokio::task::spawn_blocking(move || {
        [
            ("the program's", post(&url, &of_program, &short)),
            (
                "another key",
                post(&url, &with(&right, "key", "in/b"), &short),
            ),
            (
                "another type",
                post(&url, &with(&right, "Content-Type", "text/html"), &short),
            ),
            ("a longer file", post(&url, &right, &long)),
            ("as it is", post(&url, &right, &short)),
        ]
        .map(|(what, answer)| format!("{what}: {answer}\n"))
        .concat()
    });
    expect![[r#"
        the program's: 403 InvalidAccessKeyId
        another key: 403 AccessDenied
        another type: 403 AccessDenied
        a longer file: 400 EntityTooLarge
        as it is: 201 
    "#]]
    .assert_eq(&tried.await.expect("no panic"));
    let read = run(
        &remote,
        r#"get_object {"Bucket": "alpha", "Key": "in/a b.txt"}"#,
    )
    .await;
    assert!(
        read.contains(r#"Body: b"by form""#) && read.contains("text/plain"),
        "{read}"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn drafts_sign_no_form_and_some_are_refused() {
    let server = serve(world()).await;
    let endpoint = format!("http://{}", server.address());
    let remote = Remote::connect(&options(&endpoint)).await.expect("a world");
    let unseen = remote.call("generate_presigned_post", &form()).await;
    let unseen = unseen.expect("it answers").expect_err("nobody is shown it");
    assert_eq!(unseen.code, "AccessDenied");
    remote.show_links(Arc::new(|link| panic!("{link:?} was signed")));
    let draft = World::fork(&remote).expect("an overlay");
    let (answer, touched) = (draft
        .call_observed("generate_presigned_post", &form())
        .await)
        .expect("it answers");
    assert!(format!("{answer:?}").contains("withheld-"), "{answer:?}");
    let touched = touched.expect("it is known").remove(0);
    assert_eq!(
        touched.place.to_string(),
        "alpha/in/a b.txt (form to write it for 10 minutes)"
    );
    assert!(touched.shares && touched.changed);
    let mut said = String::new();
    for params in [
        r#"{"Bucket": "alpha", "Key": "in/${filename}"}"#,
        r#"{"Bucket": "alpha", "Key": "k", "ExpiresIn": 604801}"#,
        r#"{"Bucket": "alpha", "Key": "k", "ExpiresIn": 0}"#,
        r#"{"Bucket": "alpha", "Key": "k", "Fields": {"acl": 7}}"#,
        r#"{"Bucket": "alpha"}"#,
    ] {
        said += &run(&remote, &format!("generate_presigned_post {params}")).await;
        said.push('\n');
    }
    expect![[r#"
        501 NotImplemented: a form that leaves the key open (${filename}) is not signed: name the key {}
        400 AuthorizationQueryParametersError: X-Amz-Expires must be less than a week (in seconds) that is 604800 {}
        400 AuthorizationQueryParametersError: X-Amz-Expires must be non-negative {}
        400 InvalidArgument: Parameter Fields must be texts {ArgumentName: "Fields"}
        400 InvalidArgument: Parameter Key must be given {ArgumentName: "Key"}
    "#]].assert_eq(&said);
    let public = r#"{"Bucket": "alpha", "Key": "k", "Conditions": [{"acl": "public-read"}]}"#;
    let public = value(&serde_json::from_str(public).expect("JSON"));
    let (_, touched) = (draft
        .call_observed("generate_presigned_post", &public)
        .await)
        .expect("it answers");
    assert_eq!(
        touched.expect("it is known").remove(0).place.to_string(),
        "alpha/k (form to write it, and say who can see it for 1 hour)"
    );
    server.stop().await;
}
