//! The providers, each with its own words for the same answers: what a test of all of
//! them is made of.

use super::{request, watch};
use crate::support::event_stream::{delta, event, exception, frames, refusal};
use crate::support::scripted_http::{Answer, Server, response, stream};
use dialog2api::domain::s3::remote::AccessKey;
use dialog2api::llm::{
    Anthropic, ApiKey, Backoff, Bedrock, BedrockConfig, Model, OpenAi, ServerConfig,
};
use expect_test::Expect;
use std::net::SocketAddr;
use std::time::Duration;

/// Keys as each provider has them; none may ever show.
pub const KEY: &str = "sk-very-secret-0123456789";

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    OpenAi,
    Anthropic,
    Bedrock,
}

pub const ALL: [Provider; 3] = [Provider::OpenAi, Provider::Anthropic, Provider::Bedrock];

use Provider::{Anthropic as A, Bedrock as B, OpenAi as O};

/// The settings of a test: little patience, and no chance.
pub fn config(base_url: String) -> ServerConfig {
    let mut config = ServerConfig::new(base_url, "m1");
    config.api_key = ApiKey::new(KEY);
    config.backoff = Backoff {
        max_retries: 2,
        first: Duration::from_millis(1),
        jitter: 0.0,
        ..Backoff::default()
    };
    config
}

/// A model of Bedrock with credentials and a region of its own.
pub fn bedrock(config: ServerConfig) -> Bedrock {
    let mut config = BedrockConfig::from(config);
    config.region = Some("eu-west-1".to_owned());
    config.access_key = Some(AccessKey {
        id: "AKIDEXAMPLE".to_owned(),
        secret: KEY.to_owned(),
    });
    Bedrock::new(config)
}

impl Provider {
    pub fn model(self, address: SocketAddr, change: fn(&mut ServerConfig)) -> Box<dyn Model> {
        let mut config = config(match self {
            O => format!("http://{address}/v1"),
            A | B => format!("http://{address}"),
        });
        change(&mut config);
        match self {
            O => Box::new(OpenAi::new(config).expect("a client")),
            A => Box::new(Anthropic::new(config).expect("a client")),
            B => Box::new(bedrock(config)),
        }
    }

    fn name(self) -> &'static str {
        match self {
            O => "openai",
            A => "anthropic",
            B => "bedrock",
        }
    }

    /// The bytes of an answer that says this much, and has not ended.
    pub fn begin(self, text: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            O => {
                bytes.extend_from_slice(br#"data: {"choices":[{"delta":{"content":""#);
                bytes.extend_from_slice(text);
                bytes.extend_from_slice(b"\"}}]}\n\n");
            }
            A => {
                bytes.extend_from_slice(b"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"type\":\"message\",\"content\":[],\"usage\":{\"input_tokens\":4,\"cache_creation_input_tokens\":3,\"cache_read_input_tokens\":5,\"output_tokens\":1}}}\n\nevent: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\nevent: ping\ndata: {\"type\": \"ping\"}\n\nevent: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"");
                bytes.extend_from_slice(text);
                bytes.extend_from_slice(b"\"}}\n\n");
            }
            B => {
                bytes.extend(event("messageStart", r#"{"role":"assistant"}"#));
                bytes.extend(delta(text));
            }
        }
        bytes
    }

    /// The end of an answer: it is whole, and its tokens are counted.
    fn end(self) -> Vec<u8> {
        match self {
            O => b"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":2,\"prompt_tokens_details\":{\"cached_tokens\":5}}}\n\ndata: [DONE]\n\n".to_vec(),
            A => b"event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":2}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n".to_vec(),
            B => [
                event("contentBlockStop", r#"{"contentBlockIndex":0}"#),
                event("messageStop", r#"{"stopReason":"end_turn"}"#),
                event("metadata", r#"{"usage":{"inputTokens":4,"outputTokens":2,"totalTokens":6,"cacheReadInputTokens":5,"cacheWriteInputTokens":3},"metrics":{"latencyMs":7}}"#),
            ].concat(),
        }
    }

    /// A successful response that streams these bytes.
    pub fn stream(self, bytes: Vec<u8>) -> Answer {
        match self {
            O | A => stream(bytes),
            B => frames(&[bytes]),
        }
    }

    /// A whole answer with this text.
    pub fn says(self, text: &str) -> Answer {
        self.stream([self.begin(text.as_bytes()), self.end()].concat())
    }

    pub fn hello(self) -> Answer {
        self.says("Hé")
    }

    /// A refusal with this status line and further headers, in the provider's shape.
    /// `kind` is its word for it.
    pub fn refuses(self, head: &str, kind: [&str; 3], message: &str) -> Answer {
        match self {
            O => response(
                head,
                format!(
                    r#"{{"error":{{"message":"{message}","type":"{}","param":null,"code":null}}}}"#,
                    kind[0]
                ),
            ),
            A => response(
                head,
                format!(
                    r#"{{"type":"error","error":{{"type":"{}","message":"{message}"}},"request_id":"req_1"}}"#,
                    kind[1]
                ),
            ),
            B => refusal(head, kind[2], message),
        }
    }

    /// A failure in the middle of an answer that began well.
    pub fn fails_later(self, kind: [&str; 3], message: &str) -> Answer {
        let mut bytes = self.begin("Hé".as_bytes());
        bytes.extend(match self {
            O => format!("data: {{\"error\":{{\"message\":\"{message}\",\"type\":\"{}\"}}}}\n\n", kind[0]).into_bytes(),
            A => format!("event: error\ndata: {{\"type\":\"error\",\"error\":{{\"type\":\"{}\",\"message\":\"{message}\"}}}}\n\n", kind[1]).into_bytes(),
            B => exception(kind[2], message),
        });
        self.stream(bytes)
    }
}

/// Asks each provider's client, against a server that follows its script, and compares
/// what a person sees of all of them.
pub async fn check(script: impl Fn(Provider) -> Vec<Answer>, expected: Expect) {
    check_with(script, |_| {}, expected).await;
}

pub async fn check_with(
    script: impl Fn(Provider) -> Vec<Answer>,
    change: fn(&mut ServerConfig),
    expected: Expect,
) {
    let mut all = String::new();
    for provider in ALL {
        let script = script(provider);
        let length = script.len();
        let server = Server::start(script).await;
        let model = provider.model(server.address, change);
        let mut asked = request("hello");
        asked.stop = vec!["</end>".to_owned()];
        let seen = watch(&*model, &asked).await;
        assert_eq!(server.requests().len(), length, "of the script was played");
        all.push_str(&told(provider, &seen, server.address));
    }
    expected.assert_eq(&all);
}

/// What a person sees, without what is of this run only.
pub fn told(provider: Provider, seen: &str, address: SocketAddr) -> String {
    assert!(!seen.contains(KEY), "the key shows: {seen}");
    let port = address.port().to_string();
    let seen = seen
        .replace(&format!("http://{address}/v1"), "BASE")
        .replace(&format!("http://{address}"), "BASE")
        .replace(&format!("--port {port}"), "--port PORT")
        .replace("os error 61", "os error 111");
    format!("== {}\n{seen}\n", provider.name())
}
