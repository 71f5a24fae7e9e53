//! Asks a model from a thread that may wait.

use crate::error::Result;
use crate::llm::{Completion, Message, Model, Progress, Request, Usage};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::Handle;

/// How a model is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sampling {
    /// The most tokens of an answer.
    pub tokens: u32,
    /// 0 is greedy decoding.
    pub temperature: f32,
    /// The seed of sampling, for servers that take one.
    pub seed: Option<u64>,
    /// Whether a grammar holds the model to calls.
    pub grammar: bool,
}

impl Default for Sampling {
    fn default() -> Self {
        Sampling {
            tokens: 1024,
            temperature: 0.0,
            seed: None,
            grammar: false,
        }
    }
}

/// One request to a model, and what became of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The last message of the request. The whole request is in the cache of the run.
    pub question: String,
    /// The answer, if there was one.
    pub answer: Option<String>,
    /// Why there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What could not be used of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// Token counts, if the provider reports them.
    pub usage: Usage,
}

/// A model for the players of one game. Copies share what was said.
#[derive(Clone)]
pub struct Asker {
    model: Arc<dyn Model>,
    runtime: Handle,
    sampling: Sampling,
    said: Arc<Mutex<Vec<Asked>>>,
}

impl Asker {
    /// Asks this model, on the runtime that is current.
    ///
    /// # Panics
    /// There is no current runtime.
    pub fn new(model: Arc<dyn Model>, sampling: Sampling) -> Asker {
        Asker {
            model,
            runtime: Handle::current(),
            sampling,
            said: Arc::default(),
        }
    }

    /// All that was said since this was called last.
    pub fn take(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.lock())
    }

    /// How the model is asked.
    pub fn sampling(&self) -> &Sampling {
        &self.sampling
    }

    /// Where it answers.
    pub(super) fn runtime(&self) -> &Handle {
        &self.runtime
    }

    /// Waits for an answer.
    ///
    /// # Errors
    /// The model could not be reached, or gave up: the sentence says why.
    pub(super) fn ask(
        &self,
        messages: Vec<Message>,
        grammar: Option<String>,
    ) -> std::result::Result<String, String> {
        let request = Request {
            messages,
            max_tokens: self.sampling.tokens,
            temperature: self.sampling.temperature,
            stop: Vec::new(),
            seed: self.sampling.seed,
            grammar: grammar.filter(|_| self.sampling.grammar),
        };
        let answer = self.runtime.block_on(self.complete(&request, &mut |_| {}));
        match answer {
            Ok(completion) => Ok(completion.text),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Notes what could not be used of the last answer.
    pub(super) fn found(&self, problems: &[String]) {
        if let Some(last) = self.lock().last_mut() {
            last.problems = problems.to_vec();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Asked>> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The same model. Whatever it is asked is noted.
#[async_trait]
impl Model for Asker {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn window(&self) -> Option<u32> {
        self.model.window()
    }

    async fn complete(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let question = request.messages.last();
        let question = question.map(|message| message.content.clone());
        let answer = self.model.complete(request, progress).await;
        let mut asked = Asked {
            question: question.unwrap_or_default(),
            ..Asked::default()
        };
        match &answer {
            Ok(completion) => {
                asked.usage = completion.usage;
                asked.answer = Some(completion.text.clone());
            }
            Err(error) => asked.error = Some(error.to_string()),
        }
        self.lock().push(asked);
        answer
    }
}
