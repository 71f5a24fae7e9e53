//! Where the command finds server, region and credentials: the places that the AWS
//! command line has. What arrives at the server is compared.

use crate::remote::scripted::{Script, at_once, ok, options};
use crate::remote::support::{run, scope};
use crate::support::scripted_http::{Server, response};
use dialog2api::domain::s3::remote::{Addressing, Remote, RemoteOptions};
use expect_test::{Expect, expect};
use std::process::Command;

/// Runs `dialog2api world signature --world s3` with these words and this environment;
/// in words, environment and `~/.aws/config`, PORT is the server's.
async fn check(words: &str, environment: &str, config: &str, expected: Expect) {
    expected.assert_eq(&said(words, environment, config).await);
}

async fn said(words: &str, environment: &str, config: &str) -> String {
    let alpha = "<ListAllMyBucketsResult><Buckets><Bucket><Name>alpha</Name></Bucket></Buckets></ListAllMyBucketsResult>";
    let script =
        [alpha, "<ListBucketResult></ListBucketResult>"].map(|body| response("200 OK", body));
    let server = Server::start(script.into()).await;
    let port = server.address.port().to_string();
    let home = tempfile::tempdir().expect("a home");
    let aws = home.path().join(".aws");
    std::fs::create_dir(&aws).expect("a folder");
    std::fs::write(aws.join("config"), config.replace("PORT", &port)).expect("the profile");
    let mut command = Command::new(env!("CARGO_BIN_EXE_dialog2api"));
    command
        .env_clear()
        .env("HOME", home.path())
        .env("AWS_EC2_METADATA_DISABLED", "true")
        .args("world signature --world s3".split(' '))
        .args(words.replace("PORT", &port).split_whitespace());
    for line in environment.lines() {
        let (name, value) = line.trim().split_once('=').unwrap_or((line, ""));
        command.env(name, value.replace("PORT", &port));
    }
    let output = tokio::task::spawn_blocking(move || command.output());
    let output = output.await.expect("a thread").expect("it starts");
    let mut said = String::new();
    for request in server.requests() {
        said += &format!("{}\n", seen(&request).replace(&port, "PORT"));
    }
    said += &String::from_utf8_lossy(&output.stderr).replace(&port, "PORT");
    said
}

/// What the configuration decides of a request.
fn seen(request: &str) -> String {
    let header = |wanted: &str| {
        let lines = request.lines().filter_map(|line| line.split_once(": "));
        let mut found = lines.filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
        found.next().map_or("-", |(_, value)| value).to_owned()
    };
    let line = request.lines().next().unwrap_or_default();
    let authorization = header("authorization");
    let key = authorization
        .split_once("Credential=")
        .unwrap_or_default()
        .1;
    let key = key.split('/').next().unwrap_or_default().to_owned();
    let (host, token) = (header("host"), header("x-amz-security-token"));
    format!(
        "{line} host {host} key {key} region {} token {token}",
        scope(&authorization)
    )
}

#[tokio::test]
async fn the_environment_names_server_region_credentials_and_session() {
    check(
        "",
        "AWS_ENDPOINT_URL_S3=http://127.0.0.1:PORT
        AWS_REGION=eu-west-3
        AWS_ACCESS_KEY_ID=AKIAENV
        AWS_SECRET_ACCESS_KEY=secret
        AWS_SESSION_TOKEN=of-a-session",
        "",
        expect![[r#"
            GET /?x-id=ListBuckets HTTP/1.1 host 127.0.0.1:PORT key AKIAENV region eu-west-3 token of-a-session
            GET /alpha/?list-type=2&encoding-type=url HTTP/1.1 host 127.0.0.1:PORT key AKIAENV region eu-west-3 token of-a-session
            error: S3 at http://127.0.0.1:PORT: no answer (Connection refused (os error 111)); check that the server runs and that the endpoint is right
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_profile_names_them_and_how_the_bucket_is_addressed() {
    let profile = "[profile mine]
endpoint_url = http://localhost:PORT
region = ap-south-1
aws_access_key_id = AKIAPROFILE
aws_secret_access_key = secret
s3 =
    addressing_style = virtual
";
    let said = said("--profile mine", "", profile).await;
    let first = said.lines().next().unwrap_or_default();
    expect!["GET /?x-id=ListBuckets HTTP/1.1 host localhost:PORT key AKIAPROFILE region ap-south-1 token -"].assert_eq(first);
    // Whether there is a host alpha.localhost is the machine's to say; path style it is not.
    assert!(!said.contains("/alpha"), "{said}");
    // What is typed outweighs it.
    check(
        "--profile mine --addressing path --region us-west-2 --endpoint-url http://127.0.0.1:PORT",
        "AWS_ACCESS_KEY_ID=AKIAENV
        AWS_SECRET_ACCESS_KEY=secret",
        profile,
        expect![[r#"
            GET /?x-id=ListBuckets HTTP/1.1 host 127.0.0.1:PORT key AKIAPROFILE region us-west-2 token -
            GET /alpha/?list-type=2&encoding-type=url HTTP/1.1 host 127.0.0.1:PORT key AKIAPROFILE region us-west-2 token -
            error: S3 at http://127.0.0.1:PORT: no answer (Connection refused (os error 111)); check that the server runs and that the endpoint is right
        "#]],
    )
    .await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_program_gives_the_credentials() {
    check(
        "--profile mine",
        "AWS_ENDPOINT_URL=http://127.0.0.1:PORT",
        r#"[profile mine]
credential_process = /bin/echo '{"Version": 1, "AccessKeyId": "AKIAPROCESS", "SecretAccessKey": "secret", "SessionToken": "of-a-process"}'
"#,
        expect![[r#"
            GET /?x-id=ListBuckets HTTP/1.1 host 127.0.0.1:PORT key AKIAPROCESS region us-east-1 token of-a-process
            GET /alpha/?list-type=2&encoding-type=url HTTP/1.1 host 127.0.0.1:PORT key AKIAPROCESS region us-east-1 token of-a-process
            error: S3 at http://127.0.0.1:PORT: no answer (Connection refused (os error 111)); check that the server runs and that the endpoint is right
        "#]],
    )
    .await;
}

#[tokio::test]
async fn etags_instead_of_content_come_with_a_note() {
    check(
        "--signature etag --endpoint-url http://127.0.0.1:PORT",
        "AWS_ACCESS_KEY_ID=AKIAENV
        AWS_SECRET_ACCESS_KEY=secret",
        "",
        expect![[r#"
            GET /?x-id=ListBuckets HTTP/1.1 host 127.0.0.1:PORT key AKIAENV region us-east-1 token -
            GET /alpha/?list-type=2&encoding-type=url HTTP/1.1 host 127.0.0.1:PORT key AKIAENV region us-east-1 token -
            note: this signature is of ETags: it does not see content that changed under an equal ETag, and equal content that was uploaded in parts or encrypted with KMS has other ETags; it does not see tags, settings and older versions; compare it only with --signature etag of the same server, not with other servers or worlds of other kinds
        "#]],
    )
    .await;
}

#[tokio::test]
async fn the_bucket_stands_where_it_can() {
    let mut said = String::new();
    for endpoint in [
        None,
        Some("http://minio.test:9000"),
        Some("https://s3.eu-west-1.amazonaws.com"),
    ] {
        for addressing in [Addressing::Auto, Addressing::Path, Addressing::Virtual] {
            let script = Script::new(|_| ok(""));
            let options = RemoteOptions {
                endpoint_url: endpoint.map(str::to_owned),
                addressing,
                ..options(at_once())
            };
            let world = Remote::connect_through(&options, script.client()).await;
            let world = world.expect("a world");
            for bucket in ["alpha", "dotted.name"] {
                run(&world, &format!(r#"head_bucket {{"Bucket": "{bucket}"}}"#)).await;
            }
            let (style, asked) = (format!("{addressing:?}"), script.asked());
            said += &asked
                .lines()
                .map(|line| format!("{style:7} {line}\n"))
                .collect::<String>();
        }
    }
    expect![[r#"
        Auto    HEAD alpha.s3.us-east-1.amazonaws.com/ (us-east-1)
        Auto    HEAD s3.us-east-1.amazonaws.com/dotted.name/ (us-east-1)
        Path    HEAD s3.us-east-1.amazonaws.com/alpha/ (us-east-1)
        Path    HEAD s3.us-east-1.amazonaws.com/dotted.name/ (us-east-1)
        Virtual HEAD alpha.s3.us-east-1.amazonaws.com/ (us-east-1)
        Virtual HEAD s3.us-east-1.amazonaws.com/dotted.name/ (us-east-1)
        Auto    HEAD minio.test:9000/alpha/ (us-east-1)
        Auto    HEAD minio.test:9000/dotted.name/ (us-east-1)
        Path    HEAD minio.test:9000/alpha/ (us-east-1)
        Path    HEAD minio.test:9000/dotted.name/ (us-east-1)
        Virtual HEAD alpha.minio.test:9000/ (us-east-1)
        Virtual HEAD dotted.name.minio.test:9000/ (us-east-1)
        Auto    HEAD alpha.s3.eu-west-1.amazonaws.com/ (us-east-1)
        Auto    HEAD s3.eu-west-1.amazonaws.com/dotted.name/ (us-east-1)
        Path    HEAD s3.eu-west-1.amazonaws.com/alpha/ (us-east-1)
        Path    HEAD s3.eu-west-1.amazonaws.com/dotted.name/ (us-east-1)
        Virtual HEAD alpha.s3.eu-west-1.amazonaws.com/ (us-east-1)
        Virtual HEAD s3.eu-west-1.amazonaws.com/dotted.name/ (us-east-1)
    "#]]
    .assert_eq(&said);
}
