//! What can be seen of a turn while it is under way.

use crate::dialogue::Stack;
use crate::domain::{Answer, Signer, Value, World};
use crate::error::Result;
use crate::exec::Execution;
use crate::llm::Progress;
use crate::retrieval::Task;
use async_trait::async_trait;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What happens in a turn. Texts come as the model and the programs wrote them:
/// make them harmless before they reach a terminal.
#[derive(Debug)]
pub enum Event<'a> {
    /// A model is asked; `repair` when its last answer could not be used.
    Asking {
        /// For what.
        task: Task,
        /// Whether it is the second time.
        repair: bool,
    },
    /// More of the model's answer, in the exchange format.
    Text {
        /// Of which call.
        task: Task,
        /// The next piece.
        text: &'a str,
    },
    /// The text so far is void: the request is sent again.
    Restart,
    /// A wait for the model before the next try.
    Waiting {
        /// How long.
        delay: Duration,
        /// The try that failed, 1 for the first.
        attempt: u32,
        /// Why.
        reason: &'a str,
    },
    /// The answer can not be used, and why.
    Unusable {
        /// Of which call.
        task: Task,
        /// A sentence.
        finding: &'a str,
    },
    /// The programs of the turn are known; this is the stack, nothing run yet.
    Planned(&'a Stack),
    /// A program starts.
    Started {
        /// Its goal.
        uid: u32,
    },
    /// A program called its environment.
    Called {
        /// The operation.
        operation: &'a str,
        /// The error's code, when the environment refused.
        error: Option<&'a str>,
    },
    /// A program came to its end.
    Executed {
        /// Its goal.
        uid: u32,
        /// What it gave.
        execution: &'a Execution,
    },
}

/// Someone who watches a turn. Any `FnMut(Event)` is one; [`Unwatched`] looks away.
pub trait Observer: Send {
    /// Something happened.
    fn event(&mut self, event: Event<'_>);
}

impl<F: FnMut(Event<'_>) + Send> Observer for F {
    fn event(&mut self, event: Event<'_>) {
        self(event);
    }
}

/// Nobody watches.
pub struct Unwatched;

impl Observer for Unwatched {
    fn event(&mut self, _: Event<'_>) {}
}

/// Tells an observer what a model reports of its work.
pub(super) fn progress(observer: &mut dyn Observer, task: Task, progress: Progress<'_>) {
    observer.event(match progress {
        Progress::Text(text) => Event::Text { task, text },
        Progress::Restart => Event::Restart,
        Progress::Waiting {
            delay,
            attempt,
            reason,
        } => Event::Waiting {
            delay,
            attempt,
            reason,
        },
    });
}

/// A world whose calls an observer sees.
pub(super) struct Watched<'a> {
    world: &'a dyn World,
    observer: Mutex<&'a mut dyn Observer>,
}

impl<'a> Watched<'a> {
    pub(super) fn new(world: &'a dyn World, observer: &'a mut dyn Observer) -> Self {
        Watched {
            world,
            observer: Mutex::new(observer),
        }
    }
}

#[async_trait]
impl World for Watched<'_> {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        let answer = self.world.call(operation, params).await?;
        let error = answer.as_ref().err().map(|refusal| refusal.code.as_str());
        let mut observer = self.observer.lock().unwrap_or_else(PoisonError::into_inner);
        observer.event(Event::Called { operation, error });
        drop(observer);
        Ok(answer)
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        self.world.fork()
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        self.world.state(signer).await
    }

    fn describe(&self) -> String {
        self.world.describe()
    }
}
