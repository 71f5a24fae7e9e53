//! A chat with models of Anthropic and Bedrock, on a bad day.

use crate::cli::support::{Home, goal};
use crate::support::event_stream::{delta, event, frames, refusal};
use crate::support::scripted_http::{Answer, Server, response, stream};
use expect_test::expect;

/// One answer of Anthropic's.
fn anthropic(text: &str) -> Answer {
    let events = [
        serde_json::json!({"type": "message_start", "message": {"usage": {
            "input_tokens": 100, "cache_read_input_tokens": 20000, "output_tokens": 1,
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
            r#"{"usage":{"inputTokens":20100,"outputTokens":30,"totalTokens":20130}}"#,
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
        expect![[r#"
            Agent: How can I help you?

            You: what is it?

              goal 1  final · TIME
              │ return 42
              result   42

            Agent: It is 42.

            You: and now?

            Agent: Sorry, the model did not answer: http://127.0.0.1:PORT does not accept the API key (401): invalid x-api-key [key]. Check DIALOG2API_API_KEY, ANTHROPIC_API_KEY, or the key that the config file names. Nothing was changed; please try again.

            You: and then?

              goal 2  final · TIME
              │ return 43
              result   43

            Agent: It is 43.

            You: /stack
              goal 1  final
              │ return 42
              result   42

              goal 2  final
              │ return 43
              result   43

            -- stderr --
            (2 requests, 40200 tokens read (40000 of them reused), 60 written, $0.0045 by the prices of 2026-11-21)
            (1 request, no answer)
            Waiting 10 ms before try 2: http://127.0.0.1:PORT is busy (529): Overloaded
            (2 requests, 40200 tokens read (40000 of them reused), 60 written, $0.0045 by the prices of 2026-11-21)
            Total: 5 requests, 80400 tokens read (80000 of them reused), 120 written, $0.0090 by the prices of 2026-11-21.
            -- exit 1 --
        "#]],
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
    home.check(command, "what is it?\nand now?\n", expect![[r#"
        Agent: How can I help you?

        You: what is it?

        Agent: Sorry, the model did not answer: http://127.0.0.1:PORT forbids this (403, AccessDeniedException): You don't have access to the model with the specified model ID. Ask for access to `eu.amazon.nova-lite-v1:0` in the Bedrock console, and for the permission bedrock:InvokeModelWithResponseStream. Nothing was changed; please try again.

        You: and now?

          goal 1  final · TIME
          │ return 42
          result   42

        Agent: It is 42.

        -- stderr --
        (1 request, no answer)
        (2 requests, 40200 tokens read (0 of them reused), 60 written, $0.0024 by the prices of 2026-11-21)
        Total: 3 requests, 40200 tokens read (0 of them reused), 60 written, $0.0024 by the prices of 2026-11-21.
        -- exit 1 --
    "#]]);
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
        expect![[r#"
            Agent: How can I help you?

            You: hello

            Agent: Sorry, the model did not answer: Amazon Bedrock in us-east-1: no usable credentials: no credentials found in chain; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile of ~/.aws/config that has credentials. A Bedrock API key in AWS_BEARER_TOKEN_BEDROCK will do as well. Nothing was changed; please try again.

            -- exit 1 --
        "#]],
    );
}

#[test]
fn doctor_asks_nothing_that_costs_and_misses_a_key() {
    let home = Home::new();
    let model = |words: &str, key: &str| {
        let mut command = home.command(words);
        command.env("ANTHROPIC_API_KEY", key);
        let output = command.output().expect("it starts");
        let text = String::from_utf8(output.stdout).expect("text");
        let lines = text.lines().filter(|line| line.contains("(from --model)"));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let seen = [
        model("doctor --model anthropic:claude-x", "sk-ant-0123456789"),
        model("doctor --model anthropic:claude-x", ""),
        model("doctor --model bedrock:amazon.nova-lite-v1:0", ""),
    ];
    expect![[r#"
        ✓ model    anthropic:claude-x (from --model); https://api.anthropic.com, with a key, not asked
        ✗ model    anthropic:claude-x (from --model); there is no key
        ✓ model    bedrock:amazon.nova-lite-v1:0 (from --model), with the credentials of the AWS command line; not asked
    "#]].assert_eq(&seen.concat());
}
