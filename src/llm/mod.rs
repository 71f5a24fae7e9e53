//! Models: one trait, one folder per provider, and in `http/` what they share.
//!
//! [`open`] finds the model that flags, environment and config file name.
//! [`Recorder`] writes down what any model is asked and answers; [`Replay`]
//! answers from such a recording. [`ResponseCache`] is both: it asks for what is not
//! in its file, and answers the rest from there.

mod anthropic;
mod bedrock;
mod cache;
mod config;
mod http;
#[cfg(feature = "llama-cpp")]
mod llama_cpp;
pub mod local;
mod openai;
mod prices;
mod recording;
mod replay;
mod scrub;
mod secret;
mod turns;

pub use anthropic::{ANTHROPIC_BASE_URL, Anthropic, AnthropicConfig};
pub use bedrock::{Bedrock, BedrockConfig};
pub use cache::{ResponseCache, key as request_key};
pub use config::{Choice, Configured, ModelSpec, default_config_file, set_default};
pub use http::{Backoff, ServerConfig};
#[cfg(feature = "llama-cpp")]
pub use llama_cpp::LlamaCpp;
pub use openai::{DEFAULT_BASE_URL, OpenAi, OpenAiConfig};
pub use prices::{Cost, Price, Prices};
pub use replay::{Recorder, Replay};
pub use secret::ApiKey;

use crate::error::{Error, Result};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

/// The model that `spec`, the environment and the config file name.
///
/// # Errors
/// Those of [`ModelSpec::resolve`] and of the model's own constructor. Without
/// any model named, the error's text is a guide on how to get one.
pub fn open(spec: &ModelSpec) -> Result<Box<dyn Model>> {
    let variable = |name: &str| std::env::var(name).ok();
    spec.resolve(&variable)?.open()
}

/// A language model that continues a conversation.
#[async_trait]
pub trait Model: Send + Sync {
    /// The name for people, logs and reports: `openai:qwen2.5-coder`.
    fn name(&self) -> &str;

    /// Asks for one completion. `progress` hears of text as it comes and of waits.
    async fn complete(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion>;
}

/// Refuses what a provider without grammars would pass over in silence.
fn without_grammar(model: &dyn Model, request: &Request) -> Result<()> {
    match &request.grammar {
        None => Ok(()),
        Some(_) => Err(Error::Usage(format!(
            "{} takes no grammar: leave out --grammar",
            model.name()
        ))),
    }
}

#[async_trait]
impl<M: Model + ?Sized> Model for Box<M> {
    fn name(&self) -> &str {
        (**self).name()
    }

    async fn complete(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        (**self).complete(request, progress).await
    }
}

/// What a model is asked. The whole of it identifies the request in a recording.
///
/// A field added later needs `#[serde(default)]`, or older recordings are lost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The conversation so far, oldest first.
    pub messages: Vec<Message>,
    /// At most this many tokens are generated.
    pub max_tokens: u32,
    /// 0 is greedy decoding.
    pub temperature: f32,
    /// Generation ends before any of these.
    pub stop: Vec<String>,
    /// The sampling seed, for servers that take one: those that speak OpenAI's protocol.
    pub seed: Option<u64>,
    /// A grammar in GBNF that the answer has to keep, for servers that take one: llama.cpp.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grammar: Option<String>,
}

/// One message of a [`Request`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

/// Who speaks in a [`Message`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The instructions.
    System,
    /// The person, or what stands for one.
    User,
    /// The model.
    Assistant,
    /// Nobody: a text to be continued as it is. It is the only message then.
    Text,
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Completion {
    /// The text, without the stop sequence.
    pub text: String,
    /// Why it ended: `stop` (all is said, or a stop sequence came), `length` (no more tokens
    /// were allowed), or another reason as the provider says it.
    pub finish: Option<String>,
    /// Tokens read and written, when the provider counts them.
    pub usage: Usage,
}

/// Tokens of one completion, or of many added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt, all of them.
    pub prompt_tokens: u64,
    /// Tokens of the prompt that the provider had in its cache.
    pub cached_tokens: u64,
    /// Tokens generated.
    pub completion_tokens: u64,
    /// Tokens of the prompt that the provider put into its cache, where it says so: some
    /// charge more for these.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_write_tokens: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// What happens while a completion is under way.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress<'a> {
    /// More of the text.
    Text(&'a str),
    /// The text so far is void: the request is sent again.
    Restart,
    /// A wait before the next try, and why.
    Waiting {
        /// How long.
        delay: std::time::Duration,
        /// The try that failed, 1 for the first.
        attempt: u32,
        /// Why, in words.
        reason: &'a str,
    },
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        self.prompt_tokens = self.prompt_tokens.saturating_add(other.prompt_tokens);
        self.cached_tokens = self.cached_tokens.saturating_add(other.cached_tokens);
        self.completion_tokens = self
            .completion_tokens
            .saturating_add(other.completion_tokens);
        self.cache_write_tokens = self
            .cache_write_tokens
            .saturating_add(other.cache_write_tokens);
    }
}
