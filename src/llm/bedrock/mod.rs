//! Amazon Bedrock through its Converse API (`ConverseStream`), which is the same for all
//! models that it has.
//!
//! Credentials, profile and region are those of the AWS command line (`AWS_…`,
//! `~/.aws/config`), and a Bedrock API key in `AWS_BEARER_TOKEN_BEDROCK` will do as well.
//! Two places are marked for the prompt cache as for Anthropic's own API, where the model
//! is known to take marks (Claude, Nova). In the config file `options` are the model's own
//! request fields, `omit` takes out `temperature`, `maxTokens`, `stopSequences` or
//! `cachePoint`, and `options = { cachePoint = true }` marks for models not known here.
//! Converse takes no sampling seed, so [`Request::seed`] is not sent.
//!
//! No real service could be reached where this was written: it is tested against a server
//! on loopback that answers in the documented shapes, errors included.

mod failure;
mod stream;
mod watch;
mod wire;

use super::http::{Attempt, Backoff, Failure, Patience, ServerConfig, persist};
use super::{Completion, Model, Progress, Request, without_grammar};
use crate::aws::{self, AccessKey, Account, GET_CREDENTIALS};
use crate::error::Result;
use async_trait::async_trait;
use aws_config::ConfigLoader;
use aws_config::retry::RetryConfig;
use aws_config::stalled_stream_protection::StalledStreamProtectionConfig;
use aws_config::timeout::TimeoutConfig;
use aws_sdk_bedrockruntime::Client;
use aws_sdk_bedrockruntime::config::{Builder, Region};
use std::time::Duration;
use tokio::sync::OnceCell;

/// A Bedrock API key, which stands for all other credentials.
const BEARER_TOKEN: &str = "AWS_BEARER_TOKEN_BEDROCK";

/// Which model of Bedrock, where, and how much patience there is with it.
#[derive(Debug, Clone, PartialEq)]
pub struct BedrockConfig {
    /// The ID of a model or an inference profile, or an ARN.
    pub model: String,
    /// Another endpoint than Amazon's: a VPC endpoint, a proxy.
    pub endpoint_url: Option<String>,
    /// The AWS profile; `None` leaves it to the environment.
    pub profile: Option<String>,
    /// The AWS region; `None` leaves it to environment and profile.
    pub region: Option<String>,
    /// The credentials, where the caller has them at hand. They win over all others.
    pub access_key: Option<AccessKey>,
    /// To reach the server.
    pub connect_timeout: Duration,
    /// The longest silence, before and within the answer.
    pub idle_timeout: Duration,
    /// For the whole completion, with all its tries and waits.
    pub total_timeout: Duration,
    /// When to ask again.
    pub backoff: Backoff,
    /// The longest text taken, in bytes.
    pub max_answer_bytes: usize,
    /// The model's own request fields; a `null` takes a field of ours out.
    pub extra: serde_json::Map<String, serde_json::Value>,
}

impl From<ServerConfig> for BedrockConfig {
    /// A base URL is an endpoint, and an empty one is Amazon's. The key is not used.
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

/// The client, once credentials and region are found.
#[derive(Debug)]
struct Service {
    client: Client,
    /// The service, for people.
    place: String,
    region: String,
    /// What must not show.
    secrets: Vec<String>,
}

impl Bedrock {
    /// Prepares a client; nothing is looked for or sent yet.
    pub fn new(config: BedrockConfig) -> Self {
        Bedrock {
            name: format!("bedrock:{}", config.model),
            config,
            service: OnceCell::new(),
        }
    }

    async fn service(&self) -> Result<&Service, Failure> {
        let service = self.service.get_or_try_init(|| self.connect());
        service.await.map_err(Failure::Final)
    }

    /// Finds credentials and region. Those that are missing may be there the next time.
    async fn connect(&self) -> Result<Service, String> {
        let config = &self.config;
        let account = Account {
            profile: config.profile.clone(),
            region: config.region.clone(),
            credentials: config.access_key.as_ref().map(AccessKey::credentials),
        };
        let timeouts = TimeoutConfig::builder()
            .connect_timeout(config.connect_timeout)
            .build();
        // Tries, waits and silences are counted here, where people hear of them.
        let adjust = |loader: ConfigLoader| {
            loader
                .retry_config(RetryConfig::disabled())
                .timeout_config(timeouts)
                .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        };
        let sdk = account.load(aws::https(), adjust).await;
        let region = sdk.region().map_or(aws::DEFAULT_REGION, Region::as_ref);
        let place = match config.endpoint_url.as_deref().or(sdk.endpoint_url()) {
            Some(url) => shown(url)?,
            None => format!("Amazon Bedrock in {region}"),
        };
        let token = std::env::var(BEARER_TOKEN).ok();
        let token = token.filter(|token| !token.is_empty() && config.access_key.is_none());
        let secrets = match token {
            Some(token) => vec![token],
            None => {
                let found = account.credentials(&sdk).await;
                let found = found.map_err(|problem| {
                    // Without the list of all that was tried.
                    let first = problem.lines().next().unwrap_or_default();
                    let first = first.split("; set AWS_").next().unwrap_or_default();
                    let first = first.trim_end_matches(" Attempted:").trim_end_matches('.');
                    format!(
                        "{place}: {first}; {GET_CREDENTIALS}. A Bedrock API key in {BEARER_TOKEN} will do as well"
                    )
                })?;
                [Some(found.secret_access_key()), found.session_token()]
                    .into_iter()
                    .flatten()
                    .map(str::to_owned)
                    .collect()
            }
        };
        let mut builder = Builder::from(&sdk);
        if let Some(url) = &config.endpoint_url {
            builder = builder.endpoint_url(url);
        }
        Ok(Service {
            client: Client::from_conf(builder.build()),
            place,
            region: region.to_owned(),
            secrets,
        })
    }
}

/// An endpoint for people, which must be a URL without a password in it.
fn shown(url: &str) -> Result<String, String> {
    let wrong = |problem: &str| {
        format!(
            "the endpoint of Bedrock {problem}; it looks like https://bedrock-runtime.us-east-1.amazonaws.com"
        )
    };
    let url: reqwest::Url = (url.trim().parse()).map_err(|_| wrong("is no URL"))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("must not hold a password"));
    }
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("is not one of http or https"));
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

#[async_trait]
impl Attempt for Bedrock {
    async fn attempt(
        &self,
        request: &Request,
        say: &mut (dyn for<'t> FnMut(&'t str) + Send),
    ) -> Result<Completion, Failure> {
        let service = self.service().await?;
        self.exchange(service, request, say).await
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
        persist(self, request, progress, patience).await
    }
}
