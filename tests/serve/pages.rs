//! Requests that a web page can make a browser send, even if it knows the secret.

use crate::serve::support::{key, serve, world};
use dialog2api::domain::Value;
use dialog2api::domain::s3::Memory;
use dialog2api::domain::s3::serve::S3Server;
use expect_test::{Expect, expect};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A form of `enctype="text/plain"` sends `NAME=VALUE`, and this is one.
const DELETION: &str = "<Delete xmlns=\"x=y\"><Object><Key>k</Key></Object></Delete>";

const PAGE: &str = "Origin: https://evil.example\r\n";

/// A server of a world with one object.
async fn start() -> (Arc<Memory>, S3Server) {
    let world = world();
    let text = |name: &'static str, text: &str| (name.into(), Value::from(text));
    let bucket = || text("Bucket", "alpha");
    let object = vec![bucket(), text("Key", "k"), text("Body", "private")];
    for (operation, params) in [("create_bucket", vec![bucket()]), ("put_object", object)] {
        let answer = world.perform(operation, &Value::Map(params));
        answer.expect("there is room");
    }
    let server = serve(world.clone()).await;
    (world, server)
}

/// Sends requests that are signed for the host they name, and shows what each is answered
/// and what the object is then.
async fn check(requests: &[(&str, &str, &str, &str, &str)], expected: Expect) {
    let mut said = String::new();
    for (method, host, target, headers, body) in requests {
        let (world, server) = start().await;
        let port = server.address().port().to_string();
        let host = host.replace("PORT", &port);
        let target = presigned(method, &host, target);
        let answer = send(&server, method, &host, &target, headers, body).await;
        let status = answer.split(' ').nth(1).unwrap_or_default();
        let shown = answer.replace(&port, "PORT");
        let message = shown
            .split_once("<Message>")
            .and_then(|(_, rest)| rest.split_once("</Message>"));
        let message = message.map_or("", |(message, _)| message);
        let read = if answer.contains("private") {
            ", the content is read"
        } else {
            ""
        };
        let allows_pages = answer.to_lowercase().contains("access-control-");
        let cors = if allows_pages {
            ", pages are let in"
        } else {
            ""
        };
        let state = world.snapshot().state;
        let object = state.bucket("alpha").and_then(|bucket| bucket.object("k"));
        let object = object.map_or("gone".to_owned(), |object| object.size().to_string());
        said += &format!("{method}: {status} {message}{read}{cors}; the object: {object}\n");
        server.stop().await;
    }
    expected.assert_eq(&said);
}

async fn send(
    server: &S3Server,
    method: &str,
    host: &str,
    target: &str,
    headers: &str,
    body: &str,
) -> String {
    let length = body.len();
    let request = format!(
        "{method} {target} HTTP/1.1\r\nHost: {host}\r\n{headers}Content-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}"
    );
    let stream = TcpStream::connect(server.address()).await;
    let mut stream = stream.expect("it listens");
    stream
        .write_all(request.as_bytes())
        .await
        .expect("it reads");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("it answers");
    String::from_utf8_lossy(&answer).into_owned()
}

/// A path with its query (`?name` or nothing), signed in the query (AWS Signature Version 4).
fn presigned(method: &str, host: &str, target: &str) -> String {
    let key = key();
    let now = jiff::Timestamp::now();
    let (day, time) = (now.strftime("%Y%m%d"), now.strftime("%Y%m%dT%H%M%SZ"));
    let scope = format!("{day}/us-east-1/s3/aws4_request");
    let (path, more) = target.split_once('?').unwrap_or((target, ""));
    let mut query = vec![
        "X-Amz-Algorithm=AWS4-HMAC-SHA256".to_owned(),
        format!(
            "X-Amz-Credential={}%2F{}",
            key.id,
            scope.replace('/', "%2F")
        ),
        format!("X-Amz-Date={time}"),
        "X-Amz-Expires=60".to_owned(),
        "X-Amz-SignedHeaders=host".to_owned(),
    ];
    query.extend((!more.is_empty()).then(|| format!("{more}=")));
    query.sort();
    let query = query.join("&");
    let canonical = format!("{method}\n{path}\n{query}\nhost:{host}\n\nhost\nUNSIGNED-PAYLOAD");
    let hash = hex(&Sha256::digest(canonical));
    let text = format!("AWS4-HMAC-SHA256\n{time}\n{scope}\n{hash}");
    let mut secret = format!("AWS4{}", key.secret).into_bytes();
    for part in scope.split('/').chain([text.as_str()]) {
        secret = hmac(&secret, part.as_bytes());
    }
    format!("{path}?{query}&X-Amz-Signature={}", hex(&secret))
}

/// RFC 2104, with a key that fits into a block.
fn hmac(key: &[u8], text: &[u8]) -> Vec<u8> {
    let mut block = [0; 64];
    block[..key.len()].copy_from_slice(key);
    let inner = Sha256::new()
        .chain_update(block.map(|byte| byte ^ 0x36))
        .chain_update(text)
        .finalize();
    let outer = Sha256::new()
        .chain_update(block.map(|byte| byte ^ 0x5c))
        .chain_update(inner);
    outer.finalize().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The requests of the other tests work when no page sends them.
#[tokio::test]
async fn a_client_with_the_secret_reads_and_writes() {
    let here = "127.0.0.1:PORT";
    check(
        &[
            ("GET", here, "/alpha/k", "", ""),
            ("GET", "localhost:PORT", "/alpha/k", "", ""),
            ("GET", "alpha.localhost:PORT", "/k", "", ""),
            ("PUT", here, "/alpha/k", "", "longer than it was"),
            (
                "POST",
                here,
                "/alpha?delete",
                "Content-Type: text/plain\r\n",
                DELETION,
            ),
        ],
        expect![[r#"
            GET: 200 , the content is read; the object: 7
            GET: 200 , the content is read; the object: 7
            GET: 200 , the content is read; the object: 7
            PUT: 200 ; the object: 18
            POST: 200 ; the object: gone
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_page_whose_name_resolves_to_this_machine_reads_nothing() {
    check(
        &[
            ("GET", "evil.example:PORT", "/alpha/k", "", ""),
            ("GET", "evil.example", "/alpha/k", "", ""),
            (
                "PUT",
                "evil.example:PORT",
                "/alpha/k",
                "",
                "longer than it was",
            ),
            ("GET", "0.0.0.0:PORT", "/alpha/k", "", ""),
        ],
        expect![[r#"
            GET: 403 Access Denied: evil.example:PORT is not a name of this server; the object: 7
            GET: 403 Access Denied: evil.example is not a name of this server; the object: 7
            PUT: 403 Access Denied: evil.example:PORT is not a name of this server; the object: 7
            GET: 403 Access Denied: 0.0.0.0:PORT is not a name of this server; the object: 7
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_page_of_another_origin_writes_nothing() {
    let here = "127.0.0.1:PORT";
    let form = format!("{PAGE}Content-Type: text/plain\r\n");
    let upload = format!("{PAGE}Content-Type: multipart/form-data; boundary=x\r\n");
    let fields = "--x\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\nk\r\n--x\r\n\
                  Content-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\nnew\r\n--x--\r\n";
    let preflight = format!("{PAGE}Access-Control-Request-Method: PUT\r\n");
    check(
        &[
            ("POST", here, "/alpha?delete", &form, DELETION),
            ("POST", here, "/alpha", &upload, fields),
            ("PUT", here, "/alpha/k", PAGE, "longer than it was"),
            ("DELETE", here, "/alpha/k", PAGE, ""),
            ("GET", here, "/alpha/k", PAGE, ""),
            ("OPTIONS", here, "/alpha/k", &preflight, ""),
            ("DELETE", here, "/alpha/k", "Origin: null\r\n", ""),
            (
                "DELETE",
                here,
                "/alpha/k",
                "Sec-Fetch-Site: cross-site\r\n",
                "",
            ),
        ],
        expect![[r#"
            POST: 403 Access Denied: requests from web pages are not taken by a bucket without CORS rules; the object: 7
            POST: 403 Access Denied: requests from web pages are not taken by a bucket without CORS rules; the object: 7
            PUT: 403 Access Denied: requests from web pages are not taken by a bucket without CORS rules; the object: 7
            DELETE: 403 Access Denied: requests from web pages are not taken by a bucket without CORS rules; the object: 7
            GET: 403 Access Denied: requests from web pages are not taken by a bucket without CORS rules; the object: 7
            OPTIONS: 403 CORSResponse: CORS is not enabled for this bucket.; the object: 7
            DELETE: 403 Access Denied: requests from web pages are not taken by a bucket without CORS rules; the object: 7
            DELETE: 403 Access Denied: requests from web pages are not taken by a bucket without CORS rules; the object: 7
        "#]],
    )
    .await;
}
