//! Models on this machine: a model's file, a llama.cpp server for it, and the server's
//! client.
//!
//! The server is a child process on a free port of 127.0.0.1, with a random key. It ends
//! when [`Local`] is dropped or this process is killed. A kept server runs until
//! `dialog2api model stop` ([`KeptServer`]). [`find()`] finds the servers of other programs.

mod find;
mod kept_server;
mod look_up;
mod machine;
mod program;
mod server;

pub use find::{Found, Ports, ServerKind, find};
pub use kept_server::{KeptServer, state_folder};
pub use machine::Machine;
pub use program::{ServerProgram, install};
pub use server::ModelServer;

use super::openai::{OpenAi, OpenAiConfig};
use super::{Completion, Model, Progress, Request};
use crate::error::{Error, FailureReason, Result};
use crate::weights::{self, Adapter};
use async_trait::async_trait;
use std::path::{Path, PathBuf};
use tokio::sync::OnceCell;

/// The settings of a local model.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalConfig {
    /// The name of a known model ([`weights::manifests`]), or a `.gguf` file.
    pub model: String,
    /// Threads of the server; `None` for one on each core.
    pub threads: Option<u32>,
    /// The adapter that was trained on this model for the domain.
    pub adapter: Option<Adapter>,
    /// Tokens of its context; `None` for as many as the machine's memory allows.
    pub context: Option<u32>,
    /// The client's limits and options. Base URL and key are replaced by the server's.
    pub client: OpenAiConfig,
}

impl LocalConfig {
    /// The defaults for a model.
    pub fn new(model: impl Into<String>) -> Self {
        let model = model.into();
        LocalConfig {
            client: OpenAiConfig::new(String::new(), &model),
            model,
            threads: None,
            adapter: None,
            context: None,
        }
    }

    /// The model's name, with that of its adapter: `qwen2.5-coder-0.5b+s3`.
    pub fn title(&self) -> String {
        match &self.adapter {
            Some(adapter) => format!("{}+{}", self.model, adapter.name),
            None => self.model.clone(),
        }
    }

    /// The file of the model.
    ///
    /// # Errors
    /// [`Error::usage`] if the model is unknown or its file is missing.
    pub fn file(&self) -> Result<PathBuf> {
        let path = Path::new(&self.model);
        if path.extension().is_some_and(|end| end == "gguf") {
            return match path.is_file() {
                true => Ok(path.to_owned()),
                false => Err(Error::usage(format!(
                    "there is no model file {}",
                    path.display()
                ))),
            };
        }
        let manifest = weights::manifest(&self.model)?;
        if manifest.purpose != weights::Purpose::Talk {
            return Err(Error::usage(format!(
                "{} ({}) is not a model to talk with",
                manifest.name, manifest.title
            )));
        }
        let missing = || {
            Error::usage(format!(
                "the files of {0} are not here: `dialog2api model pull {0}` fetches them",
                manifest.name
            ))
        };
        let folder = weights::kept(&manifest, &weights::models_folder()?).ok_or_else(missing)?;
        let file = manifest.files.first().ok_or_else(missing)?;
        Ok(folder.join(&file.name))
    }
}

/// A model on this machine. Its server starts with the first request, or with
/// [`Local::start`], and ends when this value is dropped.
#[derive(Debug)]
pub struct Local {
    name: String,
    config: LocalConfig,
    running: OnceCell<Running>,
}

#[derive(Debug)]
struct Running {
    client: OpenAi,
    /// `None` for a kept server.
    server: Option<ModelServer>,
}

impl Local {
    /// Prepares a model; nothing runs yet.
    pub fn new(config: LocalConfig) -> Self {
        Local {
            name: format!("local:{}", config.title()),
            config,
            running: OnceCell::new(),
        }
    }

    /// Starts the server if it does not run, and waits until it answers. A kept server of
    /// this model is used instead.
    ///
    /// # Errors
    /// [`Error::usage`] if the model's file or the server program is missing,
    /// [`Error::unanswered`] if the server does not start.
    pub async fn start(&self) -> Result<()> {
        self.running().await.map(|_| ())
    }

    /// Whether the server is a kept one.
    pub fn is_kept(&self) -> bool {
        (self.running.get()).is_some_and(|running| running.server.is_none())
    }

    async fn running(&self) -> Result<&Running> {
        self.running.get_or_try_init(|| self.run()).await
    }

    async fn run(&self) -> Result<Running> {
        if let Some(kept) = KeptServer::find()?.filter(|kept| kept.serves(&self.config)) {
            let config = kept.client(self.config.client.clone());
            return Ok(Running {
                client: OpenAi::new(config)?,
                server: None,
            });
        }
        let server = ModelServer::start(&self.config).await?;
        Ok(Running {
            client: OpenAi::new(server.client(self.config.client.clone()))?,
            server: Some(server),
        })
    }
}

#[async_trait]
impl Model for Local {
    fn name(&self) -> &str {
        &self.name
    }

    /// Two requests may share the configured context.
    fn window(&self) -> Option<u32> {
        Some((self.config.context).map_or(machine::WINDOW, |context| context / 2))
    }

    async fn complete(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let running = self.running().await?;
        let answered = running.client.complete(request, progress).await;
        let failed = (answered.as_ref()).is_err_and(|error| {
            error.is(FailureReason::Model) || error.is(FailureReason::Unanswered)
        });
        let server = running.server.as_ref().filter(|_| failed);
        match server.and_then(ModelServer::end) {
            Some(end) => Err(Error::unanswered(format!(
                "the server of {} has ended: {end}",
                self.name
            ))),
            None => answered,
        }
    }
}
