//! Refusals and failures of servers, the same for every provider.

use super::providers::{KEY, Provider, check};
use crate::support::scripted_http::response;
use expect_test::expect;

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
            error: BASE refuses the request (400): `temperature` is deprecated for this model. To leave out a field that the server does not accept, set omit = ["temperature"] under [model] in the config file
            == anthropic
            error: BASE refuses the request (400): `temperature` is deprecated for this model. To leave out a field that the server does not accept, set omit = ["temperature"] under [model] in the config file
            == bedrock
            error: BASE refuses the request (400, ValidationException): `temperature` is deprecated for this model. To leave the field out, set omit = ["temperature"] under [model] in the config file
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
