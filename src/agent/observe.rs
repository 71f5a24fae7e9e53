//! What can be seen of a turn while it is under way.

use crate::dialogue::Stack;
use crate::domain::{Answer, Layer, Value, World};
use crate::error::Result;
use crate::exec::Execution;
use crate::llm::Progress;
use crate::retrieval::Task;
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

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
    /// The prompt has fewer examples than are wanted, so that it fits.
    Shortened {
        /// Of which call.
        task: Task,
        /// How many it has.
        examples: usize,
        /// How many are wanted.
        of: usize,
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
    Predicted(&'a Stack),
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
    /// A program failed after it had planned writes: none of them is made.
    Withheld {
        /// Its goal.
        uid: u32,
        /// How many.
        writes: usize,
    },
    /// A plan is being applied.
    Applying {
        /// The goal of its program.
        uid: u32,
        /// The writes that are made.
        made: usize,
        /// The writes that the plan has.
        of: usize,
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

/// A call that a [`Watched`] world answered.
pub(super) struct Seen {
    operation: String,
    error: Option<String>,
}

impl Seen {
    pub(super) fn tell(&self, observer: &mut dyn Observer) {
        observer.event(Event::Called {
            operation: &self.operation,
            error: self.error.as_deref(),
        });
    }
}

/// A world that reports its calls while it answers them.
pub(super) struct Watched {
    world: Arc<dyn World>,
    seen: UnboundedSender<Seen>,
}

impl Watched {
    pub(super) fn around(world: Arc<dyn World>, seen: UnboundedSender<Seen>) -> Arc<dyn World> {
        Arc::new(Watched { world, seen })
    }
}

#[async_trait]
impl Layer for Watched {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value) -> Result<Answer> {
        let answer = self.world.call(operation, params).await?;
        let seen = Seen {
            operation: operation.to_owned(),
            error: answer.as_ref().err().map(|refusal| refusal.code.clone()),
        };
        // Nobody listens any more when the program was cut off.
        let _ = self.seen.send(seen);
        Ok(answer)
    }
}
