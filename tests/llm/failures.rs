//! Bad days, the same ones for every provider: each is a sentence, and nothing is lost.
//! What servers say themselves about it is in `refusals.rs`.

use super::providers::{ALL, Provider, check, check_with, told};
use super::{request, watch};
use crate::support::event_stream::event;
use crate::support::scripted_http::{Answer, Server, nobody, response};
use dialog2api::llm::{Model, Progress, ServerConfig};
use expect_test::expect;
use std::time::Duration;

/// A response whose body is to be cut off or to be waited for in vain.
fn bytes(answer: Answer) -> Vec<u8> {
    match answer {
        Answer::Bytes(bytes) => bytes,
        _ => unreachable!("a script of bytes"),
    }
}

#[tokio::test]
async fn a_good_day() {
    check(
        |provider| vec![provider.hello()],
        expect![[r#"
        == openai
        text "Hé"
        answer "Hé", finish stop, tokens 12 (5 cached) + 2
        == anthropic
        text "Hé"
        answer "Hé", finish stop, tokens 12 (5 cached) + 2
        == bedrock
        text "Hé"
        answer "Hé", finish stop, tokens 12 (5 cached) + 2
    "#]],
    )
    .await;
    check(
        |provider| vec![provider.says("Hé</end>llo")],
        expect![[r#"
        == openai
        text "Hé</end>llo"
        answer "Hé", finish stop, tokens 12 (5 cached) + 2
        == anthropic
        text "Hé</end>llo"
        answer "Hé", finish stop, tokens 12 (5 cached) + 2
        == bedrock
        text "Hé</end>llo"
        answer "Hé", finish stop, tokens 12 (5 cached) + 2
    "#]],
    )
    .await;
}

#[tokio::test]
async fn nobody_listens() {
    let mut all = String::new();
    for provider in ALL {
        let (_socket, address) = nobody();
        let model = provider.model(address, |_| {});
        let seen = watch(&*model, &request("hello")).await;
        all.push_str(&told(provider, &seen, address));
    }
    expect![[r#"
        == openai
        wait 1ms after try 1: cannot connect to BASE: Connection refused (os error 111)
        wait 2ms after try 2: cannot connect to BASE: Connection refused (os error 111)
        error: cannot connect to BASE: Connection refused (os error 111) (tried 3 times). Start a server there (llama-server -m MODEL.gguf --host 127.0.0.1 --port PORT), or name another with --base-url or OPENAI_BASE_URL
        == anthropic
        wait 1ms after try 1: cannot connect to BASE: Connection refused (os error 111)
        wait 2ms after try 2: cannot connect to BASE: Connection refused (os error 111)
        error: cannot connect to BASE: Connection refused (os error 111) (tried 3 times). Start a server there, or name another with --base-url or ANTHROPIC_BASE_URL
        == bedrock
        wait 1ms after try 1: BASE: no answer: Connection refused (os error 111)
        wait 2ms after try 2: BASE: no answer: Connection refused (os error 111)
        error: BASE: no answer: Connection refused (os error 111) (tried 3 times). Check the region (AWS_REGION), the endpoint (--base-url, AWS_ENDPOINT_URL_BEDROCK_RUNTIME) and the network
    "#]].assert_eq(&all);
}

#[tokio::test]
async fn a_server_that_hangs() {
    let patience = |config: &mut ServerConfig| {
        config.idle_timeout = Duration::from_millis(250);
        config.backoff.max_retries = 1;
    };
    let hang = || Answer::Silence(Vec::new());
    check_with(
        |_| vec![hang(), hang()],
        patience,
        expect![[r#"
        == openai
        wait 1ms after try 1: BASE was silent for 250ms
        error: BASE was silent for 250ms (tried 2 times)
        == anthropic
        wait 1ms after try 1: BASE was silent for 250ms
        error: BASE was silent for 250ms (tried 2 times)
        == bedrock
        wait 1ms after try 1: BASE was silent for 250ms
        error: BASE was silent for 250ms (tried 2 times)
    "#]],
    )
    .await;
    let amid = |provider: Provider| {
        let head = bytes(provider.stream(provider.begin("Hé".as_bytes())));
        vec![Answer::Silence(head), provider.hello()]
    };
    check_with(
        amid,
        patience,
        expect![[r#"
        == openai
        text "Hé"
        restart
        wait 1ms after try 1: BASE was silent for 250ms
        text "Hé"
        answer "Hé", finish stop, tokens 12 (5 cached) + 2
        == anthropic
        text "Hé"
        restart
        wait 1ms after try 1: BASE was silent for 250ms
        text "Hé"
        answer "Hé", finish stop, tokens 12 (5 cached) + 2
        == bedrock
        text "Hé"
        restart
        wait 1ms after try 1: BASE was silent for 250ms
        text "Hé"
        answer "Hé", finish stop, tokens 12 (5 cached) + 2
    "#]],
    )
    .await;
}

#[tokio::test]
async fn a_server_that_drips_for_ever() {
    let patience = |config: &mut ServerConfig| config.total_timeout = Duration::from_millis(400);
    let script = |provider: Provider| {
        let head = bytes(provider.stream(Vec::new()));
        let drop: &'static [u8] = match provider {
            Provider::Bedrock => event("messageStart", r#"{"role":"assistant"}"#).leak(),
            _ => b":\n\n",
        };
        vec![Answer::Drip(head, drop)]
    };
    check_with(script, patience, expect![[r#"
        == openai
        error: BASE had no whole answer after 400ms; a slow server needs a longer `total_timeout_s` under [model] in the config file
        == anthropic
        error: BASE had no whole answer after 400ms; a slow server needs a longer `total_timeout_s` under [model] in the config file
        == bedrock
        error: Amazon Bedrock had no whole answer after 400ms; a slow server needs a longer `total_timeout_s` under [model] in the config file
    "#]]).await;
}

#[tokio::test]
async fn a_stream_that_breaks_off() {
    let cut = |provider: Provider| {
        let whole = bytes(provider.stream(provider.begin("Hé".as_bytes())));
        let more = provider.begin(b"and more");
        let half = more.len() / 2;
        Answer::Bytes([whole.as_slice(), &more[..half]].concat())
    };
    check(
        |provider| vec![cut(provider), Answer::Bytes(Vec::new()), provider.hello()],
        expect![[r#"
            == openai
            text "Hé"
            restart
            wait 1ms after try 1: BASE broke off its answer: the stream ended too early
            wait 2ms after try 2: BASE closed the connection: connection closed before message completed
            text "Hé"
            answer "Hé", finish stop, tokens 12 (5 cached) + 2
            == anthropic
            text "Hé"
            restart
            wait 1ms after try 1: BASE broke off its answer: the stream ended too early
            wait 2ms after try 2: BASE closed the connection: connection closed before message completed
            text "Hé"
            answer "Hé", finish stop, tokens 12 (5 cached) + 2
            == bedrock
            text "Hé"
            restart
            wait 1ms after try 1: BASE broke off its answer: unexpected end of stream
            wait 2ms after try 2: BASE: no answer: connection closed before message completed
            text "Hé"
            answer "Hé", finish stop, tokens 12 (5 cached) + 2
        "#]],
    )
    .await;
    // The connection is closed in good order, between two events.
    check(
        |provider| {
            vec![
                provider.stream(provider.begin("Hé".as_bytes())),
                provider.hello(),
            ]
        },
        expect![[r#"
            == openai
            text "Hé"
            restart
            wait 1ms after try 1: BASE broke off its answer: the stream ended too early
            text "Hé"
            answer "Hé", finish stop, tokens 12 (5 cached) + 2
            == anthropic
            text "Hé"
            restart
            wait 1ms after try 1: BASE broke off its answer: the stream ended too early
            text "Hé"
            answer "Hé", finish stop, tokens 12 (5 cached) + 2
            == bedrock
            text "Hé"
            restart
            wait 1ms after try 1: BASE broke off its answer: the stream ended too early
            text "Hé"
            answer "Hé", finish stop, tokens 12 (5 cached) + 2
        "#]],
    )
    .await;
}

#[tokio::test]
async fn bytes_that_are_no_text() {
    check(
        |provider| vec![provider.stream(provider.begin(b"\xff\xfe"))],
        expect![[r#"
            == openai
            error: BASE answered with bytes that are not UTF-8
            == anthropic
            error: BASE answered with bytes that are not UTF-8
            == bedrock
            error: BASE answered with bytes that are not UTF-8
        "#]],
    )
    .await;
}

#[tokio::test]
async fn something_else_altogether() {
    let page = "<!doctype html><html><title>Router login</title></html>";
    let head = "200 OK\nContent-Type: text/html";
    check(|_| vec![response(head, page)], expect![[r#"
        == openai
        error: BASE answered with text/html, which is no chat completion: Router login. Check --base-url, which mostly ends in /v1
        == anthropic
        error: BASE answered with text/html, which is no message: Router login. Check --base-url, to which /v1/messages is added
        == bedrock
        error: BASE answered with text/html, which is no event stream of Bedrock: Router login. Check --base-url and AWS_ENDPOINT_URL_BEDROCK_RUNTIME
    "#]]).await;
    check(
        |_| vec![response("200 OK", ""); 3],
        expect![[r#"
        == openai
        wait 1ms after try 1: BASE answered nothing
        wait 2ms after try 2: BASE answered nothing
        error: BASE answered nothing (tried 3 times)
        == anthropic
        wait 1ms after try 1: BASE answered nothing
        wait 2ms after try 2: BASE answered nothing
        error: BASE answered nothing (tried 3 times)
        == bedrock
        wait 1ms after try 1: BASE answered nothing
        wait 2ms after try 2: BASE answered nothing
        error: BASE answered nothing (tried 3 times)
    "#]],
    )
    .await;
}

#[tokio::test]
async fn answers_without_end() {
    let letters = "x".repeat(10_000_000);
    check(|provider| vec![provider.says(&letters)], expect![[r#"
        == openai
        error: BASE answered with more than 8388608 bytes, and the rest was not read. A model that does not end needs a stop sequence or fewer tokens
        == anthropic
        error: BASE answered with more than 8388608 bytes, and the rest was not read. A model that does not end needs a stop sequence or fewer tokens
        == bedrock
        error: BASE answered with more than 8388608 bytes, and the rest was not read. A model that does not end needs a stop sequence or fewer tokens
    "#]]).await;
    let kind = ["", "", "ValidationException"];
    // Of a refusal that long the beginning is enough.
    check(
        |provider| vec![provider.refuses("400 Bad Request", kind, &letters)],
        expect![[r#"
            == openai
            error: BASE refuses the request (400): {"error":{"message":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
            == anthropic
            error: BASE refuses the request (400): {"type":"error","error":{"type":"","message":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
            == bedrock
            error: BASE answered with more than 8388608 bytes, and the rest was not read. A model that does not end needs a stop sequence or fewer tokens
        "#]],
    )
    .await;
}

#[tokio::test]
async fn who_does_not_want_the_answer_any_more_hangs_up() {
    for provider in ALL {
        let head = bytes(provider.stream(provider.begin(b"x")));
        let server = Server::start(vec![Answer::Watched(head)]).await;
        let model = provider.model(server.address, |_| {});
        let (spoke, heard) = tokio::sync::oneshot::channel();
        let mut spoke = Some(spoke);
        let mut progress = |progress: Progress<'_>| {
            if let (Progress::Text(_), Some(spoke)) = (progress, spoke.take()) {
                let _ = spoke.send(());
            }
        };
        let asked = request("hello");
        tokio::select! {
            result = model.complete(&asked, &mut progress) => panic!("an answer: {result:?}"),
            _ = heard => {}
        }
        drop(model);
        server.hung_up().await;
    }
}
