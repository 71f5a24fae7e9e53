//! Models: the trait [`Model`], a folder for each provider, and their common parts in `http/`.
//!
//! [`open`] finds the model that flags, environment and config file name. [`Recorder`]
//! records the requests and answers of any model, and [`Replay`] answers from a recording.
//! [`ResponseCache`] does both: it answers the requests in its file and passes on the rest.
//! [`Script`] gives the answers that it was made with.
//!
//! A model is anything that completes a conversation:
//!
//! ```
//! use dialog2api::llm::{Completion, Message, Model, Progress, Request, Role, Usage};
//!
//! /// Repeats the last message.
//! struct Echo;
//!
//! #[async_trait::async_trait]
//! impl Model for Echo {
//!     fn name(&self) -> &str {
//!         "echo"
//!     }
//!
//!     async fn complete(
//!         &self,
//!         request: &Request,
//!         progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
//!     ) -> dialog2api::Result<Completion> {
//!         let text = request.messages.last().map_or("", |message| &message.content);
//!         progress(Progress::Text(text));
//!         Ok(Completion {
//!             text: text.to_owned(),
//!             finish: Some("stop".to_owned()),
//!             usage: Usage::default(),
//!         })
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> dialog2api::Result<()> {
//! let request = Request {
//!     messages: vec![Message {
//!         role: Role::User,
//!         content: "hello".to_owned(),
//!     }],
//!     max_tokens: 16,
//!     temperature: 0.0,
//!     stop: Vec::new(),
//!     seed: None,
//!     grammar: None,
//! };
//! let answer = Echo.complete(&request, &mut |_| {}).await?;
//! assert_eq!(answer.text, "hello");
//! # Ok(())
//! # }
//! ```

mod anthropic;
mod bedrock;
mod cache;
mod config;
mod cut_off;
mod cut_prompt;
mod http;
pub mod local;
mod openai;
mod prices;
mod recording;
mod replay;
mod script;
mod scrub;
mod secret;
mod turns;

pub use anthropic::{ANTHROPIC_BASE_URL, Anthropic, AnthropicConfig};
pub use bedrock::{Bedrock, BedrockConfig};
pub use cache::{ResponseCache, key as request_key};
pub use config::{Choice, Configured, ModelSpec, default_config_file, set_default};
pub use cut_off::{CutOff, CutOffKind};
pub use cut_prompt::CutPrompt;
pub use dialog2api_core::message::{Message, Role};
pub use http::{Backoff, ServerConfig};
pub use openai::{DEFAULT_BASE_URL, OpenAi, OpenAiConfig};
pub use prices::{Cost, Price, Prices};
pub use replay::{Recorder, Replay};
pub use script::Script;
pub use secret::ApiKey;

use crate::error::{Error, Result};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

/// The model that `spec`, the environment and the config file name.
///
/// # Errors
/// Those of [`ModelSpec::resolve`] and of the model's own constructor. If no model is named,
/// the error's text is a guide to getting one.
pub fn open(spec: &ModelSpec) -> Result<Box<dyn Model>> {
    let variable = |name: &str| std::env::var(name).ok();
    spec.resolve(&variable)?.open()
}

/// A language model that continues a conversation.
#[async_trait]
pub trait Model: Send + Sync {
    /// The name in messages, logs and reports: `openai:qwen2.5-coder`.
    fn name(&self) -> &str;

    /// The address of the server that answers, where the name alone does not tell models apart.
    fn server(&self) -> Option<&str> {
        None
    }

    /// The tokens that one request and its answer may have together, if that is known.
    fn window(&self) -> Option<u32> {
        None
    }

    /// Asks for one completion. Reports text and waits to `progress` as they happen.
    async fn complete(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion>;
}

/// Refuses requests with a grammar, for providers that would silently ignore it.
fn without_grammar(model: &dyn Model, request: &Request) -> Result<()> {
    match &request.grammar {
        None => Ok(()),
        Some(_) => Err(Error::usage(format!(
            "{} cannot hold its answers to a grammar: leave the grammar out, or take a model of \
             llama.cpp",
            model.name()
        ))),
    }
}

#[async_trait]
impl<M: Model + ?Sized> Model for Box<M> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn server(&self) -> Option<&str> {
        (**self).server()
    }

    fn window(&self) -> Option<u32> {
        (**self).window()
    }

    async fn complete(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        (**self).complete(request, progress).await
    }
}

/// A request to a model. All of its fields together identify it in a recording.
///
/// A new field needs `#[serde(default)]`, or older recordings can no longer be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The conversation so far, oldest first.
    pub messages: Vec<Message>,
    /// The most tokens that may be generated.
    pub max_tokens: u32,
    /// The sampling temperature; 0 is greedy decoding.
    pub temperature: f32,
    /// Generation ends before any of these sequences.
    pub stop: Vec<String>,
    /// The sampling seed. Only servers with OpenAI's protocol accept one.
    pub seed: Option<u64>,
    /// A grammar in GBNF that the answer must follow. Only llama.cpp accepts one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grammar: Option<String>,
}

/// An answer of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Completion {
    /// The text, without the stop sequence.
    pub text: String,
    /// Why it ended: `stop` (the answer is complete, or a stop sequence came), `length` (the
    /// limit of tokens was reached), or another reason in the provider's words.
    /// [`cut_off`](Completion::cut_off) says whether the answer is whole.
    pub finish: Option<String>,
    /// Tokens read and generated, if the provider counts them.
    pub usage: Usage,
}

/// Tokens of one completion, or of many added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// All tokens of the prompt.
    pub prompt_tokens: u64,
    /// Tokens of the prompt that the provider had in its cache.
    pub cached_tokens: u64,
    /// Tokens generated.
    pub completion_tokens: u64,
    /// Tokens of the prompt that were added to the provider's cache, if it says so. Some
    /// providers charge more for these.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_write_tokens: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// News about a completion in progress.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress<'a> {
    /// More of the text.
    Text(&'a str),
    /// The text so far is void, because the request is sent again.
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
