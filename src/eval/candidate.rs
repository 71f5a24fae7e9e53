//! Candidates of an evaluation: models, and baselines, which see the truth of the turn.

use crate::agent::{Observer, TurnEvent};
use crate::dialogue::{Stack, Turn, Update};
use crate::error::Result;
use crate::llm::{Completion, Model, Progress, Request, Usage};
use crate::prompts::Protocol;
use crate::retrieval::{Example, ExamplePool, Excluded, Query, Selection, Task};
use async_trait::async_trait;
use std::sync::{Arc, Mutex, PoisonError};

/// A model or a baseline that is evaluated.
pub trait Candidate: Send + Sync {
    /// The name for logs and reports.
    fn name(&self) -> &str;

    /// Whether it sends requests to a model, which take time and may cost money.
    fn asks_a_model(&self) -> bool {
        false
    }

    /// Whether its answers depend on the examples.
    fn needs_examples(&self) -> bool {
        true
    }

    /// How it plays this turn.
    ///
    /// # Errors
    /// The examples could not be compared.
    fn play(&self, turn: &TurnAtHand<'_>) -> Result<Play>;
}

/// The inputs of a turn, and its truth.
pub struct TurnAtHand<'a> {
    /// The turn as the dataset has it.
    pub truth: &'a Turn,
    /// S_{t-1}.
    pub stack: &'a Stack,
    /// R_{t-1}.
    pub said: &'a str,
    /// Examples that must not be retrieved.
    pub excluded: &'a Excluded,
    /// The examples.
    pub pool: &'a ExamplePool,
    /// How examples are compared.
    pub selection: Selection,
    /// A number that differs between turns and is the same in every run.
    pub seed: u64,
}

/// How a turn is played.
pub enum Play {
    /// Ask this model.
    Model(Arc<dyn Model>),
    /// Answer this, in the place of a model. Without updates the turn is skipped: the exchange
    /// format cannot express doing nothing.
    Say {
        /// P_t.
        updates: Vec<Update>,
        /// R_t.
        reply: String,
    },
}

impl<'a> TurnAtHand<'a> {
    /// The query that examples are compared with.
    pub fn query(&'a self) -> Query<'a> {
        Query {
            stack: self.stack,
            said: self.said,
            user: &self.truth.user,
            excluded: Some(self.excluded),
        }
    }

    /// The examples that may be shown for this turn.
    pub fn usable(&self) -> Vec<&'a Example> {
        let allowed =
            |example: &&Example| example.serves(Task::Program) && !self.excluded.covers(example);
        self.pool.examples().iter().filter(allowed).collect()
    }
}

/// A model as a candidate: it plays every turn.
pub struct ModelCandidate(pub Arc<dyn Model>);

impl Candidate for ModelCandidate {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn asks_a_model(&self) -> bool {
        true
    }

    fn play(&self, _: &TurnAtHand<'_>) -> Result<Play> {
        Ok(Play::Model(self.0.clone()))
    }
}

/// A model with a fixed answer to each of the two requests.
pub(super) struct FixedAnswers {
    name: String,
    updates: String,
    reply: String,
    task: Mutex<Task>,
}

impl FixedAnswers {
    pub fn new(name: &str, updates: &[Update], reply: &str, protocol: &dyn Protocol) -> Arc<Self> {
        let updates = protocol.write_updates(updates);
        let reply = protocol.write_reply(reply);
        Self::saying(name, &updates, &reply)
    }

    /// The same, with the texts themselves.
    pub fn saying(name: &str, updates: &str, reply: &str) -> Arc<Self> {
        Arc::new(FixedAnswers {
            name: name.to_owned(),
            updates: updates.to_owned(),
            reply: reply.to_owned(),
            task: Mutex::new(Task::Program),
        })
    }
}

/// Tells a [`FixedAnswers`] which of the two requests comes next: the request itself does not say.
pub(super) struct TaskWatcher(pub Option<Arc<FixedAnswers>>);

impl Observer for TaskWatcher {
    fn event(&mut self, event: TurnEvent<'_>) {
        if let (Some(spoken), TurnEvent::Asking { task, .. }) = (&self.0, event) {
            *spoken.task.lock().unwrap_or_else(PoisonError::into_inner) = task;
        }
    }
}

#[async_trait]
impl Model for FixedAnswers {
    fn name(&self) -> &str {
        &self.name
    }

    async fn complete(
        &self,
        _: &Request,
        _: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let text = match *self.task.lock().unwrap_or_else(PoisonError::into_inner) {
            Task::Program => &self.updates,
            Task::Response => &self.reply,
        };
        Ok(Completion {
            text: text.clone(),
            finish: Some("stop".to_owned()),
            usage: Usage::default(),
        })
    }
}
