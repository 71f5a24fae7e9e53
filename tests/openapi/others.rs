//! Answers as servers of others send them: what a program gets of JSON that is not quite JSON.

use super::{api, params, v3};
use crate::support::scripted_http::{Server, response};
use dialog2api::domain::World;
use dialog2api::openapi::{Credentials, HttpWorld};
use expect_test::{Expect, expect};
use flate2::{Compression, write::GzEncoder};
use serde_json::json;
use std::io::Write as _;
use std::sync::Arc;

/// What a program gets of these bodies, which all come with this head.
async fn check(head: &str, bodies: &[&[u8]], expected: Expect) {
    let document = v3(json!({"/x": {"get": {"operationId": "x", "responses": {}}}}));
    let api = Arc::new(api(&document));
    let mut said = String::new();
    for body in bodies {
        let server = Server::start(vec![response(head, body)]).await;
        let base = server.base_url();
        let world = HttpWorld::new(api.clone(), &base, Credentials::none()).expect("a world");
        said += &match world.call("x", &params(json!({}))).await {
            Ok(Ok(value)) => format!("{value:?}\n"),
            Ok(Err(refusal)) => format!("{}: {}\n", refusal.code, refusal.message),
            Err(error) => format!("! {error}\n").replace(&base, "BASE"),
        };
    }
    expected.assert_eq(&said);
}

const JSON: &str = "200 OK\r\nContent-Type: application/json";

#[tokio::test]
async fn json_is_read_as_it_is_meant() {
    check(
        JSON,
        &[
            b"\xef\xbb\xbf{\"a\": 18446744073709551615}",
            b"[-9223372036854775809, 123456789012345678901234567890, 1.0]",
            br#"{"a": "\ud83d", "b": NaN}"#,
            b"\"a\tb\"",
            b"{\"a\": 1}\n{\"a\": 2}\n",
            b"",
        ],
        expect![[r#"
            Map([("a", BigInt("18446744073709551615"))])
            List([BigInt("-9223372036854775809"), BigInt("123456789012345678901234567890"), Float(1.0)])
            Map([("a", Str("�")), ("b", Float(NaN))])
            Str("a\tb")
            Str("{\"a\": 1}\n{\"a\": 2}\n")
            Null
        "#]],
    )
    .await;
}

#[tokio::test]
async fn what_is_no_json_is_said() {
    check(
        JSON,
        &[b"{\"a\": 1, \"b\": ", b"<html>Please log in</html>"],
        expect![[r#"
            BrokenAnswer: the server answered with the status 200, so the request was carried out, but the answer is no JSON, though it says so: EOF while parsing a value at line 1 column 14. It begins with "{\"a\": 1, \"b\":"
            BrokenAnswer: the server answered with the status 200, so the request was carried out, but the answer is no JSON, though it says so: expected value at line 1 column 1. It begins with "<html>Please log in</html>"
        "#]],
    )
    .await;
    check(
        "200 OK\r\nContent-Type: text/plain",
        &[b"1.10", b"{\"a\": 1}"],
        expect![[r#"
            Str("1.10")
            Str("{\"a\": 1}")
        "#]],
    )
    .await;
}

#[tokio::test]
async fn compressed_answers_are_read_though_nobody_asked_for_them() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(b"{\"a\": 1}").expect("memory");
    let zipped = encoder.finish().expect("memory");
    check(
        "200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip",
        &[&zipped, b"nonsense"],
        expect![[r#"
            Map([("a", Int(1))])
            ! the answer of BASE/x cannot be decompressed: unexpected end of file
        "#]],
    )
    .await;
    check(
        "200 OK\r\nContent-Type: application/json\r\nContent-Encoding: br",
        &[b"1"],
        expect!["! the answer of BASE/x is compressed with br, which is not read\n"],
    )
    .await;
}
