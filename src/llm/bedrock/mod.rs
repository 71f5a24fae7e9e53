//! Amazon Bedrock through its Converse API (`ConverseStream`), which is the same for all
//! of its models.
//!
//! Credentials, profile and region are found as the AWS command line finds them (`AWS_…`,
//! `~/.aws/config`); a Bedrock API key in `AWS_BEARER_TOKEN_BEDROCK` works as well. Two
//! places are marked for the prompt cache, as for Anthropic's own API, if the model is
//! known to take marks (Claude, Nova). In the config file, `options` are the model's own
//! request fields, `omit` removes `temperature`, `maxTokens`, `stopSequences` or
//! `cachePoint`, and `options = { cachePoint = true }` marks prompts for other models.
//! Converse takes no sampling seed, so [`Request::seed`] is not sent.
//!
//! `account.rs` finds the endpoint and the credentials and signs requests, `wire.rs` builds
//! the body, `stream.rs` sends it and reads the answer with `events.rs`, and `failure.rs`
//! turns failures into sentences. The SDK for Bedrock is not used: it takes minutes to
//! compile, for one signed request.
//!
//! The client has never met the real service: its tests use a server on loopback that
//! answers in the documented shapes, errors included.

mod account;
mod events;
mod failure;
mod stream;
mod wire;

use super::http::{Attempt, Backoff, Failure, Patience, ServerConfig, attempt_until_answered};
use super::{Completion, Model, Progress, Request, without_grammar};
use crate::aws::AccessKey;
use crate::error::Result;
use account::Service;
use async_trait::async_trait;
use std::time::Duration;
use stream::Exchange;
use tokio::sync::OnceCell;

/// A model of Bedrock, its endpoint and account, and timeouts.
#[derive(Debug, Clone, PartialEq)]
pub struct BedrockConfig {
    /// The ID of a model or an inference profile, or an ARN.
    pub model: String,
    /// An endpoint other than Amazon's: a VPC endpoint, a proxy.
    pub endpoint_url: Option<String>,
    /// The AWS profile; `None` leaves the choice to the environment.
    pub profile: Option<String>,
    /// The AWS region; `None` leaves the choice to environment and profile.
    pub region: Option<String>,
    /// Credentials that replace all others.
    pub access_key: Option<AccessKey>,
    /// The limit for opening a connection.
    pub connect_timeout: Duration,
    /// The longest silence, before and within the answer.
    pub idle_timeout: Duration,
    /// The limit for the whole completion, with all tries and waits.
    pub total_timeout: Duration,
    /// When to ask again.
    pub backoff: Backoff,
    /// The longest text accepted, in bytes.
    pub max_answer_bytes: usize,
    /// The model's own request fields; a `null` removes a standard field.
    pub extra: serde_json::Map<String, serde_json::Value>,
}

impl From<ServerConfig> for BedrockConfig {
    /// The base URL becomes the endpoint; an empty one means Amazon's. The API key is
    /// ignored.
    fn from(server: ServerConfig) -> Self {
        BedrockConfig {
            model: server.model,
            endpoint_url: Some(server.base_url).filter(|url| !url.is_empty()),
            profile: None,
            region: None,
            access_key: None,
            connect_timeout: server.connect_timeout,
            idle_timeout: server.idle_timeout,
            total_timeout: server.total_timeout,
            backoff: server.backoff,
            max_answer_bytes: server.max_answer_bytes,
            extra: server.extra,
        }
    }
}

/// A model of Amazon Bedrock. Dropping the future of [`complete`](Model::complete) closes
/// the connection.
#[derive(Debug)]
pub struct Bedrock {
    name: String,
    config: BedrockConfig,
    service: OnceCell<Service>,
}

impl Bedrock {
    /// Prepares a client. Credentials are looked up with the first request.
    pub fn new(config: BedrockConfig) -> Self {
        Bedrock {
            name: format!("bedrock:{}", config.model),
            config,
            service: OnceCell::new(),
        }
    }

    /// The service. A failed lookup is tried again with the next request.
    async fn service(&self) -> Result<&Service, Failure> {
        let service = self
            .service
            .get_or_try_init(|| Service::find(&self.config))
            .await;
        service.map_err(Failure::Final)
    }
}

#[async_trait]
impl Attempt for Bedrock {
    async fn attempt(
        &self,
        request: &Request,
        say: &mut (dyn for<'t> FnMut(&'t str) + Send),
    ) -> Result<Completion, Failure> {
        let service = self.service().await?;
        let access = service.access().await.map_err(Failure::Final)?;
        let exchange = Exchange {
            config: &self.config,
            service,
            access: &access,
        };
        exchange.run(request, say).await
    }
}

#[async_trait]
impl Model for Bedrock {
    fn name(&self) -> &str {
        &self.name
    }

    async fn complete(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        without_grammar(self, request)?;
        let patience = Patience {
            server: "Amazon Bedrock",
            backoff: &self.config.backoff,
            total: self.config.total_timeout,
        };
        attempt_until_answered(self, request, progress, patience).await
    }
}
