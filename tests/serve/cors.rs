//! Pages of other origins are let in as the rules of a bucket say.

use crate::serve::support::{key, world};
use crate::support::value::value;
use bytes::Bytes;
use dialog2api::domain::s3::serve::{Service, ServiceOptions};
use expect_test::{Expect, expect};
use http::Request;
use http_body_util::Full;
use std::fmt::Write;

/// `alpha` has rules and an object that everybody may read; `beta` has no rules.
const CALLS: &str = r#"
create_bucket {"Bucket":"alpha","ObjectOwnership":"ObjectWriter"}
delete_public_access_block {"Bucket":"alpha"}
put_object {"Bucket":"alpha","Key":"open","Body":"for all","ACL":"public-read"}
put_bucket_cors {"Bucket":"alpha","CORSConfiguration":{"CORSRules":[{"AllowedMethods":["PUT","POST"],"AllowedOrigins":["https://*.app.example"],"AllowedHeaders":["content-type","x-amz-*"],"ExposeHeaders":["ETag"],"MaxAgeSeconds":60},{"AllowedMethods":["GET"],"AllowedOrigins":["*"]}]}}
create_bucket {"Bucket":"beta"}
"#;

fn service() -> Service {
    let world = world();
    for line in CALLS.lines().filter(|line| !line.is_empty()) {
        let (operation, arguments) = line.split_once(' ').expect("a call");
        let arguments = serde_json::from_str(arguments).expect("JSON");
        let answer = world.perform(operation, &value(&arguments));
        answer.unwrap_or_else(|refusal| panic!("{line}: {}", refusal.message));
    }
    let options = ServiceOptions {
        anonymous: true,
        ..ServiceOptions::default()
    };
    Service::with_options(world, &key(), options)
}

/// Sends requests, one a line: method and path, and then headers with `|` between them. Shows
/// the status, the message, and the headers for the page.
async fn check(requests: &str, expected: Expect) {
    let service = service();
    let mut answers = String::new();
    for line in requests.lines().map(str::trim).filter(|it| !it.is_empty()) {
        let mut parts = line.split(" | ");
        let (method, path) = parts.next().and_then(|it| it.split_once(' ')).expect(line);
        let mut request = Request::builder()
            .method(method)
            .uri(format!("http://localhost{path}"))
            .header("host", "localhost")
            .header("content-length", "0");
        for header in parts {
            let (name, value) = header.split_once(": ").expect("a header");
            request = request.header(name, value);
        }
        let request = request.body(Full::new(Bytes::new())).expect("a request");
        let answer = service.answer(request).await;
        let document = String::from_utf8_lossy(answer.body()).into_owned();
        let message = document.split_once("<Message>");
        let message = message.and_then(|(_, rest)| rest.split_once("</Message>"));
        let message = message.map_or("", |(message, _)| message);
        let _ = writeln!(
            answers,
            "{line}\n    {} {message}",
            answer.status().as_u16()
        );
        for (name, value) in answer.headers() {
            if name.as_str().starts_with("access-control") || name == "vary" {
                let _ = writeln!(answers, "    {name}: {}", value.to_str().expect("text"));
            }
        }
    }
    expected.assert_eq(&answers);
}

#[tokio::test]
async fn a_preflight_is_answered_by_the_first_rule_that_fits() {
    check(
        "
        OPTIONS /alpha/k | origin: https://my.app.example | access-control-request-method: PUT | access-control-request-headers: Content-Type, x-amz-meta-a
        OPTIONS /alpha/k | origin: https://my.app.example | access-control-request-method: PUT | access-control-request-headers: authorization
        OPTIONS /alpha/k | origin: https://evil.example | access-control-request-method: GET
        OPTIONS /alpha/k | origin: https://evil.example | access-control-request-method: PUT
        OPTIONS /beta/k | origin: https://evil.example | access-control-request-method: GET
        OPTIONS /gamma/k | origin: https://evil.example | access-control-request-method: GET
        OPTIONS /alpha/k | origin: https://evil.example
        OPTIONS /alpha/k
        ",
        expect![[r#"
            OPTIONS /alpha/k | origin: https://my.app.example | access-control-request-method: PUT | access-control-request-headers: Content-Type, x-amz-meta-a
                200 
                access-control-allow-origin: https://my.app.example
                access-control-allow-methods: PUT, POST
                access-control-allow-headers: content-type, x-amz-meta-a
                access-control-expose-headers: ETag
                access-control-max-age: 60
                access-control-allow-credentials: true
                vary: Origin, Access-Control-Request-Headers, Access-Control-Request-Method
            OPTIONS /alpha/k | origin: https://my.app.example | access-control-request-method: PUT | access-control-request-headers: authorization
                403 CORSResponse: This CORS request is not allowed. This is usually because the evalution of Origin, request method / Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted by the resource's CORS spec.
            OPTIONS /alpha/k | origin: https://evil.example | access-control-request-method: GET
                200 
                access-control-allow-origin: *
                access-control-allow-methods: GET
                vary: Origin, Access-Control-Request-Headers, Access-Control-Request-Method
            OPTIONS /alpha/k | origin: https://evil.example | access-control-request-method: PUT
                403 CORSResponse: This CORS request is not allowed. This is usually because the evalution of Origin, request method / Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted by the resource's CORS spec.
            OPTIONS /beta/k | origin: https://evil.example | access-control-request-method: GET
                403 CORSResponse: CORS is not enabled for this bucket.
            OPTIONS /gamma/k | origin: https://evil.example | access-control-request-method: GET
                403 CORSResponse: Bucket not found
            OPTIONS /alpha/k | origin: https://evil.example
                400 Invalid Access-Control-Request-Method: null
            OPTIONS /alpha/k
                400 Insufficient information. Origin request header needed.
        "#]],
    )
    .await;
}

#[tokio::test]
async fn an_answer_is_shown_to_pages_that_a_rule_lets_in() {
    check(
        "
        GET /alpha/open | origin: https://evil.example
        GET /alpha/open
        PUT /alpha/k | origin: https://my.app.example
        PUT /alpha/k | origin: https://evil.example
        GET /beta/k | origin: https://evil.example
        PUT /alpha/k | sec-fetch-site: cross-site
        ",
        expect![[r#"
            GET /alpha/open | origin: https://evil.example
                200 
                access-control-allow-origin: *
                access-control-allow-methods: GET
                vary: Origin, Access-Control-Request-Headers, Access-Control-Request-Method
            GET /alpha/open
                200 
            PUT /alpha/k | origin: https://my.app.example
                403 Access Denied
                access-control-allow-origin: https://my.app.example
                access-control-allow-methods: PUT, POST
                access-control-expose-headers: ETag
                access-control-max-age: 60
                access-control-allow-credentials: true
                vary: Origin, Access-Control-Request-Headers, Access-Control-Request-Method
            PUT /alpha/k | origin: https://evil.example
                403 Access Denied
            GET /beta/k | origin: https://evil.example
                403 Access Denied: requests from web pages are not taken by a bucket without CORS rules
            PUT /alpha/k | sec-fetch-site: cross-site
                403 Access Denied: requests from web pages are not taken by a bucket without CORS rules
        "#]],
    )
    .await;
}
