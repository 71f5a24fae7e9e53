//! Anthropic's protocol: what is asked, and what only it answers.

use super::providers::{KEY, Provider, config};
use super::{message, request, watch};
use crate::support::scripted_http::{Answer, Server, response};
use dialog2api::FailureReason;
use dialog2api::llm::{Anthropic, AnthropicConfig, ApiKey, Role};
use expect_test::{Expect, expect};

/// The head and the body of the request that a client sends.
async fn sent(change: fn(&mut AnthropicConfig)) -> (String, String) {
    let server = Server::start(vec![Provider::Anthropic.hello()]).await;
    let mut config = config(format!("http://{}", server.address));
    change(&mut config);
    let mut asked = request("list my buckets");
    asked.messages.splice(
        0..0,
        [
            message(Role::System, "be brief"),
            message(Role::User, "an example"),
            message(Role::User, "in two parts"),
            message(Role::Assistant, "its answer"),
            message(Role::Assistant, ""),
        ],
    );
    asked.temperature = 0.2;
    asked.stop = ["</end>", "\n"].map(str::to_owned).to_vec();
    asked.seed = Some(7);
    watch(&Anthropic::new(config).expect("a client"), &asked).await;
    let sent = server.requests().remove(0);
    let (head, body) = sent.split_once("\r\n\r\n").expect("a body");
    (head.to_owned(), body.to_owned())
}

#[tokio::test]
async fn the_request_is_what_the_protocol_says() {
    let (head, body) = sent(|_| {}).await;
    assert!(head.starts_with("POST /v1/messages HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("\r\nanthropic-version: 2023-06-01"), "{head}");
    assert!(head.contains(&format!("\r\nx-api-key: {KEY}")), "{head}");
    assert!(!head.contains("authorization"), "{head}");
    expect![[r#"{"model":"m1","max_tokens":64,"system":[{"type":"text","text":"be brief","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"text","text":"an example"},{"type":"text","text":"in two parts"}]},{"role":"assistant","content":[{"type":"text","text":"its answer","cache_control":{"type":"ephemeral"}}]},{"role":"user","content":[{"type":"text","text":"list my buckets"}]}],"stream":true,"temperature":0.2,"stop_sequences":["</end>"]}"#]].assert_eq(&body);
}

#[tokio::test]
async fn fields_are_added_and_taken_out() {
    let (_, body) = sent(|config| {
        config.extra.insert("top_k".into(), 1.into());
        for field in ["cache_control", "temperature"] {
            config.extra.insert(field.into(), serde_json::Value::Null);
        }
    })
    .await;
    expect![[r#"{"model":"m1","max_tokens":64,"system":[{"type":"text","text":"be brief"}],"messages":[{"role":"user","content":[{"type":"text","text":"an example"},{"type":"text","text":"in two parts"}]},{"role":"assistant","content":[{"type":"text","text":"its answer"}]},{"role":"user","content":[{"type":"text","text":"list my buckets"}]}],"stream":true,"stop_sequences":["</end>"],"top_k":1}"#]].assert_eq(&body);
}

async fn check(answer: Answer, expected: Expect) {
    let server = Server::start(vec![answer]).await;
    let config = config(format!("http://{}/v1/", server.address));
    let model = Anthropic::new(config).expect("a client");
    let seen = watch(&model, &request("hello")).await;
    expected.assert_eq(&seen.replace(&format!("http://{}", server.address), "BASE"));
}

#[tokio::test]
async fn an_answer_in_one_piece() {
    let body = r#"{"type":"message","role":"assistant","content":[{"type":"text","text":"Hé"},{"type":"text","text":"llo"}],"stop_reason":"max_tokens","usage":{"input_tokens":9,"output_tokens":2}}"#;
    let head = "200 OK\nContent-Type: application/json";
    check(
        response(head, body),
        expect![[r#"
        text "Héllo"
        answer "Héllo", finish length, tokens 9 (0 cached) + 2"#]],
    )
    .await;
}

#[tokio::test]
async fn an_account_without_credit() {
    let body = r#"{"type":"error","error":{"type":"billing_error","message":"Your credit balance is too low."}}"#;
    check(response("402 Payment Required", body), expect!["error: BASE says that the account's quota is used up (402): Your credit balance is too low. Add credit, or use another server or model with --base-url and --model"]).await;
}

#[tokio::test]
async fn without_a_key_it_says_where_one_goes() {
    let body = r#"{"type":"error","error":{"type":"authentication_error","message":"x-api-key header is required"}}"#;
    let server = Server::start(vec![response("401 Unauthorized", body)]).await;
    let mut config = config(format!("http://{}", server.address));
    config.api_key = None;
    let model = Anthropic::new(config).expect("a client");
    let seen = watch(&model, &request("hello")).await;
    let seen = seen.replace(&format!("http://{}", server.address), "BASE");
    expect!["error: BASE wants an API key (401): x-api-key header is required. Set DIALOG2API_API_KEY or ANTHROPIC_API_KEY, or api_key_file under [model] in the config file"].assert_eq(&seen);
}

#[test]
fn the_key_never_shows_and_addresses_are_checked() {
    let model = Anthropic::new(config("https://api.anthropic.com".to_owned()));
    assert!(!format!("{model:?}").contains(KEY), "{model:?}");
    let config = AnthropicConfig::new("https://me:hunter2@x.test", "m1");
    let error = Anthropic::new(config).expect_err("no address");
    assert!(error.is(FailureReason::Usage), "{error:?}");
    expect!["the base URL must not hold a password: put it in ANTHROPIC_API_KEY; it looks like https://api.anthropic.com"].assert_eq(&error.to_string());
    let mut config = AnthropicConfig::new("http://localhost", "m1");
    config.api_key = ApiKey::new("two\nlines");
    Anthropic::new(config).expect_err("no key");
}

#[tokio::test]
async fn a_grammar_is_refused_and_not_passed_over() {
    let model = Anthropic::new(config("http://127.0.0.1:9".to_owned())).expect("a client");
    let mut asked = request("list my buckets");
    asked.grammar = Some("root ::= \"yes\"".to_owned());
    let seen = watch(&model, &asked).await;
    expect!["error: anthropic:m1 cannot hold its answers to a grammar: leave the grammar out, or take a model of llama.cpp"].assert_eq(&seen);
}
