//! A chat with models of Anthropic and Bedrock, on a bad day.

use crate::event_stream::{delta, event, frames, refusal};
use crate::scripted_http::{Answer, Server, response, stream};
use crate::support::{Home, goal};
use expect_test::expect;

/// One answer of Anthropic's.
fn anthropic(text: &str) -> Answer {
    let events = [
        serde_json::json!({"type": "message_start", "message": {"usage": {
            "input_tokens": 100, "cache_read_input_tokens": 2000, "output_tokens": 1,
        }}}),
        serde_json::json!({"type": "content_block_delta", "index": 0, "delta": {
            "type": "text_delta", "text": text,
        }}),
        serde_json::json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
            "usage": {"output_tokens": 30}}),
        serde_json::json!({"type": "message_stop"}),
    ];
    let events = events.map(|event| format!("data: {event}\n\n"));
    stream(events.concat())
}

/// One answer of Bedrock's.
fn bedrock(text: &str) -> Answer {
    let text = serde_json::to_string(text).expect("JSON");
    frames(&[
        event("messageStart", r#"{"role":"assistant"}"#),
        delta(text.trim_matches('"').as_bytes()),
        event("messageStop", r#"{"stopReason":"end_turn"}"#),
        event(
            "metadata",
            r#"{"usage":{"inputTokens":2100,"outputTokens":30,"totalTokens":2130}}"#,
        ),
    ])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_chat_goes_on_after_a_failure_and_says_what_it_cost() {
    let home = Home::new();
    let server = Server::start(vec![
        anthropic(&goal(1, "final", "return 42")),
        anthropic("It is 42."),
        response(
            "401 Unauthorized",
            r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key sk-ant-0123456789"}}"#,
        ),
        response(
            "529 Overloaded\nRetry-After: 0.01",
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
        ),
        anthropic(&goal(2, "final", "return 43")),
        anthropic("It is 43."),
    ])
    .await;
    let mut command = home.ready("chat --model anthropic:claude-haiku-4-5 --verbose");
    command
        .env("ANTHROPIC_API_KEY", "sk-ant-0123456789")
        .args(["--base-url", &format!("http://{}", server.address)]);
    home.check(
        command,
        "what is it?\nand now?\nand then?\n/stack\n",
        expect![[""]],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn bedrock_takes_the_credentials_of_the_aws_command_line() {
    let home = Home::new();
    let server = Server::start(vec![
        refusal(
            "403 Forbidden",
            "AccessDeniedException",
            "You don't have access to the model with the specified model ID.",
        ),
        bedrock(&goal(1, "final", "return 42")),
        bedrock("It is 42."),
    ])
    .await;
    let words = "chat --model bedrock:eu.amazon.nova-lite-v1:0 --verbose";
    let mut command = home.ready(words);
    command
        .env("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
        .env("AWS_SECRET_ACCESS_KEY", "very-secret-0123456789")
        .env("AWS_REGION", "eu-central-1")
        .args(["--base-url", &format!("http://{}", server.address)]);
    home.check(command, "what is it?\nand now?\n", expect![[""]]);
    let head = server.requests().remove(0);
    assert!(head.contains("Credential=AKIDEXAMPLE/"), "{head}");
    assert!(head.contains("/eu-central-1/bedrock/"), "{head}");
}

#[test]
fn without_credentials_bedrock_says_what_to_do() {
    let home = Home::new();
    home.check(
        home.ready("chat --model bedrock:amazon.nova-lite-v1:0"),
        "hello\n",
        expect![[""]],
    );
}
