//! Why an answer ended, in every protocol, streamed and in one piece.

use super::providers::{ALL, Provider};
use super::{request, watch};
use crate::support::event_stream::{delta, event, frames};
use crate::support::scripted_http::{Answer, Server, response, stream};
use dialog2api::llm::CutOffKind::{Filter, Length, Refusal};
use dialog2api::llm::{CutOffKind, Model, OpenAi, OpenAiConfig};
use expect_test::{Expect, expect};
use serde_json::json;

const HALF: &str = "s3.delete_object(Bucket='a', Key='b";

/// A stream of each provider that ends in the middle for this reason.
fn streamed(provider: Provider, reason: &str) -> Answer {
    match provider {
        Provider::OpenAi => {
            // As Azure does it: notes without choices, and no `[DONE]`.
            let events = [
                json!({"choices": [], "prompt_filter_results": [{"prompt_index": 0}]}),
                json!({"choices": [{"delta": {"content": HALF}}]}),
                json!({"choices": [{"finish_reason": null, "content_filter_results": {}}]}),
                json!({"choices": [{"delta": {}, "finish_reason": reason}]}),
            ];
            stream(events.map(|event| format!("data: {event}\n\n")).concat())
        }
        Provider::Anthropic => {
            let events = [
                json!({"type": "message_start", "message": {"usage": {"input_tokens": 3}}}),
                json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": HALF}}),
                json!({"type": "message_delta", "delta": {"stop_reason": reason}}),
                json!({"type": "message_stop"}),
            ];
            stream(events.map(|event| format!("data: {event}\n\n")).concat())
        }
        Provider::Bedrock => {
            let stop = json!({"stopReason": reason}).to_string();
            frames(&[delta(HALF.as_bytes()), event("messageStop", &stop)])
        }
    }
}

/// The same in one piece, from those that can answer so.
fn in_one_piece(provider: Provider, reason: &str) -> Option<Answer> {
    let body = match provider {
        Provider::OpenAi => json!({"choices": [
            {"message": {"content": HALF}, "finish_reason": reason},
        ]}),
        Provider::Anthropic => json!({"type": "message", "stop_reason": reason,
            "content": [{"type": "text", "text": HALF}]}),
        Provider::Bedrock => return None,
    };
    let head = "200 OK\nContent-Type: application/json";
    Some(response(head, body.to_string()))
}

#[tokio::test]
async fn every_protocol_says_that_an_answer_is_not_whole() {
    let of = |provider| match provider {
        Provider::OpenAi => [("length", Length), ("content_filter", Filter)],
        Provider::Anthropic => [("max_tokens", Length), ("refusal", Refusal)],
        Provider::Bedrock => [("max_tokens", Length), ("guardrail_intervened", Filter)],
    };
    for provider in ALL {
        for (reason, kind) in of(provider) {
            let answers = [
                Some(streamed(provider, reason)),
                in_one_piece(provider, reason),
            ];
            for answer in answers.into_iter().flatten() {
                assert_eq!(cut_off(provider, answer).await, Some(kind), "{reason}");
            }
        }
        let whole = if provider == Provider::OpenAi {
            "stop"
        } else {
            "end_turn"
        };
        assert_eq!(cut_off(provider, streamed(provider, whole)).await, None);
    }
}

async fn cut_off(provider: Provider, answer: Answer) -> Option<CutOffKind> {
    let server = Server::start(vec![answer]).await;
    let model = provider.model(server.address, |_| {});
    let asked = request("hello");
    let completion = model
        .complete(&asked, &mut |_| {})
        .await
        .expect("an answer");
    assert_eq!(completion.text, HALF);
    completion.cut_off(asked.max_tokens).map(|it| it.kind)
}

/// What a person sees of an answer of a server with OpenAI's protocol.
async fn check(script: Vec<Answer>, expected: Expect) {
    let server = Server::start(script).await;
    let mut config = OpenAiConfig::new(server.base_url(), "m1");
    config.backoff.max_retries = 1;
    config.backoff.first = std::time::Duration::from_millis(1);
    config.backoff.jitter = 0.0;
    let model = OpenAi::new(config).expect("a client");
    let mut seen = watch(&model as &dyn Model, &request("hello")).await;
    seen = seen.replace(&server.base_url(), "BASE");
    expected.assert_eq(&seen);
}

/// A refusal comes in a field of its own, and ends with `stop`.
#[tokio::test]
async fn words_of_refusal_are_no_answer() {
    let refusal =
        json!({"choices": [{"delta": {"refusal": "I can not."}, "finish_reason": "stop"}]});
    check(
        vec![stream(format!("data: {refusal}\n\ndata: [DONE]\n\n"))],
        expect![[r#"
            text "I can not."
            answer "I can not.", finish refusal, tokens 0 (0 cached) + 0"#]],
    )
    .await;
}

/// The connection is whole and the answer is not: the provider failed, and is asked again.
#[tokio::test]
async fn an_answer_that_the_provider_broke_off_is_asked_for_again() {
    let reply = |text: &str, finish: &str| {
        let piece = json!({"choices": [{"delta": {"content": text}, "finish_reason": finish}]});
        stream(format!("data: {piece}\n\ndata: [DONE]\n\n"))
    };
    check(
        vec![reply("s3.delete_", "error"), reply("whole", "stop")],
        expect![[r#"
            text "s3.delete_"
            restart
            wait 1ms after try 1: BASE broke off its answer: the provider broke it off (error)
            text "whole"
            answer "whole", finish stop, tokens 0 (0 cached) + 0"#]],
    )
    .await;
    let broken = || reply("s3.delete_", "insufficient_system_resource");
    check(
        vec![broken(), broken()],
        expect![[r#"
            text "s3.delete_"
            restart
            wait 1ms after try 1: BASE broke off its answer: the provider broke it off (insufficient_system_resource)
            text "s3.delete_"
            error: BASE broke off its answer: the provider broke it off (insufficient_system_resource) (tried 2 times)"#]],
    )
    .await;
}
