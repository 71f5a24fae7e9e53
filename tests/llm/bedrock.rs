//! Amazon Bedrock: what is asked, and what only it answers.

use super::providers::{KEY, Provider, bedrock, config};
use super::{message, request, watch};
use crate::support::event_stream::{event, frames, refusal};
use crate::support::scripted_http::{Answer, Server};
use dialog2api::llm::{Bedrock, BedrockConfig, Role, ServerConfig};
use expect_test::{Expect, expect};

/// The head and the body of the request that a client sends.
async fn sent(change: fn(&mut ServerConfig)) -> (String, String) {
    let server = Server::start(vec![Provider::Bedrock.hello()]).await;
    let mut config = config(format!("http://{}", server.address));
    config.model = "us.anthropic.claude-sonnet-4-20250514-v1:0".to_owned();
    change(&mut config);
    let mut asked = request("list my buckets");
    asked.messages.splice(
        0..0,
        [
            message(Role::System, "be brief"),
            message(Role::User, "an example"),
            message(Role::Assistant, "its answer"),
        ],
    );
    asked.stop = ["</end>", "\n"].map(str::to_owned).to_vec();
    asked.seed = Some(7);
    watch(&bedrock(config), &asked).await;
    let sent = server.requests().remove(0);
    let (head, body) = sent.split_once("\r\n\r\n").expect("a body");
    (head.to_owned(), body.to_owned())
}

#[tokio::test]
async fn the_request_is_what_the_protocol_says() {
    let (head, body) = sent(|_| {}).await;
    let line = "POST /model/us.anthropic.claude-sonnet-4-20250514-v1%3A0/converse-stream HTTP/1.1";
    assert!(head.starts_with(line), "{head}");
    let signed = "authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/";
    assert!(head.contains(signed), "{head}");
    assert!(head.contains("/eu-west-1/bedrock/aws4_request"), "{head}");
    assert!(!head.contains(KEY) && !body.contains(KEY));
    expect![[r#"{"inferenceConfig":{"maxTokens":64,"temperature":0.0,"stopSequences":["</end>"]},"messages":[{"role":"user","content":[{"text":"an example"}]},{"role":"assistant","content":[{"text":"its answer"},{"cachePoint":{"type":"default"}}]},{"role":"user","content":[{"text":"list my buckets"}]}],"system":[{"text":"be brief"},{"cachePoint":{"type":"default"}}]}"#]].assert_eq(&body);
}

#[tokio::test]
async fn fields_are_added_and_taken_out() {
    let (_, body) = sent(|config| {
        config.extra.insert("top_k".into(), 1.into());
        for field in ["cachePoint", "temperature", "stopSequences"] {
            config.extra.insert(field.into(), serde_json::Value::Null);
        }
    })
    .await;
    expect![[r#"{"additionalModelRequestFields":{"top_k":1},"inferenceConfig":{"maxTokens":64},"messages":[{"role":"user","content":[{"text":"an example"}]},{"role":"assistant","content":[{"text":"its answer"}]},{"role":"user","content":[{"text":"list my buckets"}]}],"system":[{"text":"be brief"}]}"#]].assert_eq(&body);
    let (_, body) = sent(|config| {
        config.model = "an.unknown-model".to_owned();
        config.extra.insert("cachePoint".into(), true.into());
    })
    .await;
    expect![[r#"{"inferenceConfig":{"maxTokens":64,"temperature":0.0,"stopSequences":["</end>"]},"messages":[{"role":"user","content":[{"text":"an example"}]},{"role":"assistant","content":[{"text":"its answer"},{"cachePoint":{"type":"default"}}]},{"role":"user","content":[{"text":"list my buckets"}]}],"system":[{"text":"be brief"},{"cachePoint":{"type":"default"}}]}"#]].assert_eq(&body);
}

async fn check(answer: Answer, expected: Expect) {
    let server = Server::start(vec![answer]).await;
    let mut config = config(format!("http://{}", server.address));
    config.backoff.max_retries = 0;
    let seen = watch(&bedrock(config), &request("hello")).await;
    expected.assert_eq(&seen.replace(&format!("http://{}", server.address), "BASE"));
}

#[tokio::test]
async fn an_answer_that_was_cut_short() {
    let stop = event("messageStop", r#"{"stopReason":"max_tokens"}"#);
    let whole = [Provider::Bedrock.begin(b"Hello"), stop];
    // The counts are missing, which is no reason to ask again.
    check(
        frames(&whole),
        expect![[r#"
        text "Hello"
        answer "Hello", finish length, tokens 0 (0 cached) + 0"#]],
    )
    .await;
}

#[tokio::test]
async fn refusals_name_the_way_out() {
    let refused = |status, code, message| refusal(status, code, message);
    let invalid = "400 Bad Request";
    check(refused(invalid, "ValidationException", "Invocation of model ID m1 with on-demand throughput isn't supported. Retry your request with the ID or ARN of an inference profile that contains this model."), expect!["error: BASE refuses the request (400, ValidationException): Invocation of model ID m1 with on-demand throughput isn't supported. Retry your request with the ID or ARN of an inference profile that contains this model. Name an inference profile instead: --model bedrock:us.MODEL_ID"]).await;
    check(
        refused(
            invalid,
            "ValidationException",
            "The provided model identifier is invalid.",
        ),
        expect!["error: BASE refuses the request (400, ValidationException): The provided model identifier is invalid. Check --model bedrock:MODEL_ID; `aws bedrock list-foundation-models` names the models"],
    )
    .await;
    check(
        refused(
            invalid,
            "ValidationException",
            "You invoked an unsupported model or your request did not allow prompt caching.",
        ),
        expect![[r#"error: BASE refuses the request (400, ValidationException): You invoked an unsupported model or your request did not allow prompt caching. To stop marking prompts for the cache, set omit = ["cachePoint"] under [model] in the config file"#]],
    )
    .await;
    check(
        refused(
            "403 Forbidden",
            "ExpiredTokenException",
            "The security token included in the request is expired",
        ),
        expect!["error: BASE does not accept the credentials (403, ExpiredTokenException): The security token included in the request is expired. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the profile (AWS_PROFILE), or sign in again"],
    )
    .await;
    check(
        refused(
            "408 Request Timeout",
            "ModelTimeoutException",
            "Processing time exceeded the model timeout length",
        ),
        expect!["error: BASE failed (408, ModelTimeoutException): Processing time exceeded the model timeout length"],
    )
    .await;
    check(
        refused(
            "424 Failed Dependency",
            "ModelErrorException",
            "The model broke",
        ),
        expect!["error: BASE failed (424, ModelErrorException): The model broke"],
    )
    .await;
}

#[tokio::test]
async fn addresses_are_checked_and_secrets_never_show() {
    let model = bedrock(config("http://me:hunter2@127.0.0.1:1".to_owned()));
    let seen = watch(&model, &request("hello")).await;
    expect!["error: the endpoint of Bedrock must not hold a password; it looks like https://bedrock-runtime.us-east-1.amazonaws.com"].assert_eq(&seen);
    let shown = format!("{model:?}");
    assert!(!shown.contains(KEY), "{shown}");
    let profile = BedrockConfig {
        profile: Some("no-such-profile-of-a-test".to_owned()),
        ..BedrockConfig::from(ServerConfig::new("", "m1"))
    };
    let seen = watch(&Bedrock::new(profile), &request("hello")).await;
    assert!(
        seen.contains("the profile \"no-such-profile-of-a-test\" is not in the AWS configuration"),
        "{seen}"
    );
}
