//! Bad days, the same ones for every provider: each is a sentence, and nothing is lost.

use super::event_stream::event;
use super::providers::{ALL, KEY, Provider, check, check_with, told};
use super::scripted_http::{Answer, Server, nobody, response};
use super::{request, watch};
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
async fn a_key_that_is_not_accepted() {
    let message = format!("Incorrect API key provided: {KEY}.");
    let kind = [
        "invalid_request_error",
        "authentication_error",
        "UnrecognizedClientException",
    ];
    check(
        |provider| vec![provider.refuses("401 Unauthorized", kind, &message)],
        expect![[r#"
            == openai
            error: BASE does not accept the API key (401): Incorrect API key provided: [key]. Check DIALOG2API_API_KEY, OPENAI_API_KEY, or the key that the config file names
            == anthropic
            error: BASE does not accept the API key (401): Incorrect API key provided: [key]. Check DIALOG2API_API_KEY, ANTHROPIC_API_KEY, or the key that the config file names
            == bedrock
            error: BASE does not accept the credentials (401, UnrecognizedClientException): Incorrect API key provided: [key]. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the profile (AWS_PROFILE), or sign in again
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_model_that_is_not_for_everybody() {
    let kind = ["", "permission_error", "AccessDeniedException"];
    check(
        |provider| vec![provider.refuses("403 Forbidden", kind, "You have no access.")],
        expect![[r#"
            == openai
            error: BASE forbids this (403): You have no access. The key may lack the right to use model `m1`; name another with --model openai:NAME
            == anthropic
            error: BASE forbids this (403): You have no access. The key may lack the right to use model `m1`; name another with --model anthropic:NAME
            == bedrock
            error: BASE forbids this (403, AccessDeniedException): You have no access. Ask for access to `m1` in the Bedrock console, and for the permission bedrock:InvokeModelWithResponseStream
        "#]],
    )
    .await;
    let kind = ["", "not_found_error", "ResourceNotFoundException"];
    check(
        |provider| vec![provider.refuses("404 Not Found", kind, "model: m1")],
        expect![[r#"
            == openai
            error: BASE has no model `m1`, or no chat completions at this address (404): model: m1. Check --model openai:NAME and --base-url, which mostly ends in /v1
            == anthropic
            error: BASE has no model `m1`, or no messages at this address (404): model: m1. Check --model anthropic:NAME and --base-url, to which /v1/messages is added
            == bedrock
            error: BASE has no model `m1` (404, ResourceNotFoundException): model: m1. Check --model bedrock:MODEL_ID and the region (AWS_REGION, now eu-west-1); `aws bedrock list-foundation-models` names the models
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_request_that_is_refused() {
    let kind = [
        "invalid_request_error",
        "invalid_request_error",
        "ValidationException",
    ];
    for (message, expected) in [
        (
            "prompt is too long: 205351 tokens > 200000 maximum",
            expect![[r#"
                == openai
                error: BASE refuses the request (400): prompt is too long: 205351 tokens > 200000 maximum. Start the server with a longer context (llama-server -c 16384, OLLAMA_CONTEXT_LENGTH=16384) or use a model with one
                == anthropic
                error: BASE refuses the request (400): prompt is too long: 205351 tokens > 200000 maximum. Ask for less (--setting b), or use a model with a longer context
                == bedrock
                error: BASE refuses the request (400, ValidationException): prompt is too long: 205351 tokens > 200000 maximum. Ask for less (--setting b), or use a model with a longer context
            "#]],
        ),
        (
            "`temperature` is deprecated for this model.",
            expect![[r#"
            == openai
            error: BASE refuses the request (400): `temperature` is deprecated for this model. A field that a server does not take is left out with omit = ["temperature"] under [model] in the config file
            == anthropic
            error: BASE refuses the request (400): `temperature` is deprecated for this model. A field that a server does not take is left out with omit = ["temperature"] under [model] in the config file
            == bedrock
            error: BASE refuses the request (400, ValidationException): `temperature` is deprecated for this model. The field is left out with omit = ["temperature"] under [model] in the config file
        "#]],
        ),
    ] {
        check(
            |provider| vec![provider.refuses("400 Bad Request", kind, message)],
            expected,
        )
        .await;
    }
}

#[tokio::test]
async fn a_server_that_is_busy() {
    let kind = [
        "rate_limit_exceeded",
        "rate_limit_error",
        "ThrottlingException",
    ];
    let busy = |provider: Provider, header: &str| {
        let head = format!("429 Too Many Requests{header}");
        provider.refuses(&head, kind, "slow down")
    };
    check(
        |provider| {
            vec![
                busy(provider, ""),
                busy(provider, "\nRetry-After: 0.003"),
                provider.hello(),
            ]
        },
        expect![[r#"
            == openai
            wait 1ms after try 1: BASE is busy (429): slow down
            wait 3ms after try 2: BASE is busy (429): slow down
            text "Hé"
            answer "Hé", finish stop, tokens 12 (5 cached) + 2
            == anthropic
            wait 1ms after try 1: BASE is busy (429): slow down
            wait 3ms after try 2: BASE is busy (429): slow down
            text "Hé"
            answer "Hé", finish stop, tokens 12 (5 cached) + 2
            == bedrock
            wait 1ms after try 1: BASE is busy (429, ThrottlingException): slow down
            wait 3ms after try 2: BASE is busy (429, ThrottlingException): slow down
            text "Hé"
            answer "Hé", finish stop, tokens 12 (5 cached) + 2
        "#]],
    )
    .await;
    check(
        |provider| vec![busy(provider, "\nRetry-After: 3600")],
        expect![[r#"
            == openai
            error: BASE is busy (429): slow down; it asks to come back in 3600s
            == anthropic
            error: BASE is busy (429): slow down; it asks to come back in 3600s
            == bedrock
            error: BASE is busy (429, ThrottlingException): slow down; it asks to come back in 3600s
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_server_that_is_overloaded() {
    let kind = [
        "overloaded",
        "overloaded_error",
        "ServiceUnavailableException",
    ];
    let overloaded = |provider: Provider| {
        let head = match provider {
            Provider::Anthropic => "529 Overloaded",
            _ => "503 Service Unavailable",
        };
        provider.refuses(head, kind, "Overloaded")
    };
    check(
        |provider| vec![overloaded(provider), provider.hello()],
        expect![[r#"
            == openai
            wait 1ms after try 1: BASE failed (503): Overloaded
            text "Hé"
            answer "Hé", finish stop, tokens 12 (5 cached) + 2
            == anthropic
            wait 1ms after try 1: BASE is busy (529): Overloaded
            text "Hé"
            answer "Hé", finish stop, tokens 12 (5 cached) + 2
            == bedrock
            wait 1ms after try 1: BASE failed (503, ServiceUnavailableException): Overloaded
            text "Hé"
            answer "Hé", finish stop, tokens 12 (5 cached) + 2
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_server_that_breaks() {
    let kind = ["server_error", "api_error", "InternalServerException"];
    let broken = |provider: Provider| provider.refuses("500 Internal Server Error", kind, "oops");
    check(
        |provider| vec![broken(provider), broken(provider), broken(provider)],
        expect![[r#"
            == openai
            wait 1ms after try 1: BASE failed (500): oops
            wait 2ms after try 2: BASE failed (500): oops
            error: BASE failed (500): oops (tried 3 times)
            == anthropic
            wait 1ms after try 1: BASE failed (500): oops
            wait 2ms after try 2: BASE failed (500): oops
            error: BASE failed (500): oops (tried 3 times)
            == bedrock
            wait 1ms after try 1: BASE failed (500, InternalServerException): oops
            wait 2ms after try 2: BASE failed (500, InternalServerException): oops
            error: BASE failed (500, InternalServerException): oops (tried 3 times)
        "#]],
    )
    .await;
    check(
        |_| vec![response("502 Bad Gateway", "<html><title>502 Bad Gateway</title>"); 3],
        expect![[r#"
            == openai
            wait 1ms after try 1: BASE failed (502): 502 Bad Gateway
            wait 2ms after try 2: BASE failed (502): 502 Bad Gateway
            error: BASE failed (502): 502 Bad Gateway (tried 3 times)
            == anthropic
            wait 1ms after try 1: BASE failed (502): 502 Bad Gateway
            wait 2ms after try 2: BASE failed (502): 502 Bad Gateway
            error: BASE failed (502): 502 Bad Gateway (tried 3 times)
            == bedrock
            wait 1ms after try 1: BASE failed (502): 502 Bad Gateway
            wait 2ms after try 2: BASE failed (502): 502 Bad Gateway
            error: BASE failed (502): 502 Bad Gateway (tried 3 times)
        "#]],
    )
    .await;
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
async fn a_stream_that_says_it_failed() {
    let passing = [
        "server_error",
        "overloaded_error",
        "modelStreamErrorException",
    ];
    check(
        |provider| {
            vec![
                provider.fails_later(passing, "overheated"),
                provider.hello(),
            ]
        },
        expect![[r#"
            == openai
            text "Hé"
            restart
            wait 1ms after try 1: BASE failed (inside its answer): overheated
            text "Hé"
            answer "Hé", finish stop, tokens 12 (5 cached) + 2
            == anthropic
            text "Hé"
            restart
            wait 1ms after try 1: BASE is busy (inside its answer): overheated
            text "Hé"
            answer "Hé", finish stop, tokens 12 (5 cached) + 2
            == bedrock
            text "Hé"
            restart
            wait 1ms after try 1: BASE failed (424, ModelStreamErrorException): overheated
            text "Hé"
            answer "Hé", finish stop, tokens 12 (5 cached) + 2
        "#]],
    )
    .await;
    let lasting = [
        "invalid_request_error",
        "invalid_request_error",
        "validationException",
    ];
    check(
        |provider| vec![provider.fails_later(lasting, "not like this")],
        expect![[r#"
            == openai
            text "Hé"
            error: BASE refuses the request (inside its answer): not like this
            == anthropic
            text "Hé"
            error: BASE refuses the request (inside its answer): not like this
            == bedrock
            text "Hé"
            error: BASE refuses the request (400, ValidationException): not like this
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
async fn success_that_is_none() {
    let kind = [
        "invalid_request_error",
        "invalid_request_error",
        "ValidationException",
    ];
    let head = "200 OK\nContent-Type: application/json";
    check(
        |provider| vec![provider.refuses(head, kind, "it is not well")],
        expect![[r#"
            == openai
            error: BASE refuses the request (inside its answer): it is not well
            == anthropic
            error: BASE refuses the request (inside its answer): it is not well
            == bedrock
            error: BASE answered with application/json, which is no event stream of Bedrock: ValidationException: it is not well. Check --base-url and AWS_ENDPOINT_URL_BEDROCK_RUNTIME
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
async fn a_server_that_repeats_the_key() {
    let text = format!("You sent {KEY}.");
    check(
        |provider| vec![provider.says(&text)],
        expect![[r#"
        == openai
        text "You sent [key]."
        answer "You sent [key].", finish stop, tokens 12 (5 cached) + 2
        == anthropic
        text "You sent [key]."
        answer "You sent [key].", finish stop, tokens 12 (5 cached) + 2
        == bedrock
        text "You sent [key]."
        answer "You sent [key].", finish stop, tokens 12 (5 cached) + 2
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
