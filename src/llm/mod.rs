//! Models: one trait, one file per provider.

use crate::error::Result;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

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

/// What a model is asked. The whole of it identifies the request in a recording.
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
    /// The sampling seed, for servers that take one.
    pub seed: Option<u64>,
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
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Completion {
    /// The text, without the stop sequence.
    pub text: String,
    /// Why it ended: `stop`, `length` …, as the provider says it.
    pub finish: Option<String>,
    /// Tokens read and written, when the provider counts them.
    pub usage: Usage,
}

/// Tokens of one completion, or of many added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt_tokens: u64,
    /// Tokens of the prompt that the provider had in its cache.
    pub cached_tokens: u64,
    /// Tokens generated.
    pub completion_tokens: u64,
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
