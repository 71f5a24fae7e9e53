//! A model in this process, through llama.cpp: `llama-cpp:NAME`, in builds with the Cargo
//! feature `llama-cpp`.
//!
//! The feature needs a C++ compiler, CMake and libclang, takes minutes to build, and is
//! fast only with `RUSTFLAGS="-C target-cpu=native"`. [`local`](super::local) needs none
//! of that. A separate thread owns the model and its context (`worker.rs`); `talk.rs`
//! answers requests with them. The context keeps the last two prompts, so that the part
//! they share with the next prompt is not read again. Two, because prompts for programs
//! and prompts for replies begin differently.

mod answer_text;
mod generator;
mod sampling;
mod worker;

use super::local::LocalConfig;
use super::{Completion, Model, Progress, Request};
use crate::error::{Error, Result};
use crate::weights::adapter_file;
use async_trait::async_trait;
use worker::Worker;

/// A model that runs in this process. Its file is read with the first request.
///
/// Requests are answered one after the other. Dropping the future of
/// [`complete`](Model::complete) ends the work on it within a few hundred tokens.
#[derive(Debug)]
pub struct LlamaCpp {
    name: String,
    config: LocalConfig,
    worker: Worker,
}

impl LlamaCpp {
    /// Looks for the model's file, and starts the thread that will read it. The only
    /// client option that has an effect is `total_timeout`.
    ///
    /// # Errors
    /// Those of [`LocalConfig::file`].
    pub fn new(config: LocalConfig) -> Result<Self> {
        let file = config.file()?;
        let adapter = config.adapter.as_ref().map(adapter_file).transpose()?;
        Ok(LlamaCpp {
            name: format!("llama-cpp:{}", config.title()),
            worker: Worker::start(file, adapter, &config),
            config,
        })
    }
}

#[async_trait]
impl Model for LlamaCpp {
    fn name(&self) -> &str {
        &self.name
    }

    async fn complete(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let total = self.config.client.total_timeout;
        let answer = self.worker.ask(request, progress);
        match tokio::time::timeout(total, answer).await {
            Ok(answer) => answer.map_err(|problem| problem.of(&self.name)),
            Err(_) => Err(Error::Model(format!(
                "{} had no whole answer after {total:?}; a slow machine needs a longer \
                 `total_timeout_s` in the config file",
                self.name
            ))),
        }
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Problem {
    /// The prompt and the answer do not fit the context.
    TooLong(String),
    /// Anything else.
    Other(String),
}

impl Problem {
    fn other(problem: impl std::fmt::Display) -> Self {
        Problem::Other(problem.to_string())
    }

    /// Converts to an error of the model with this name.
    fn of(self, name: &str) -> Error {
        match self {
            Problem::TooLong(problem) => Error::PromptTooLong(format!("{name}: {problem}")),
            Problem::Other(problem) => Error::Model(format!("{name}: {problem}")),
        }
    }
}
