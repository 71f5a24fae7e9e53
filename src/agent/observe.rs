//! Events of a turn under way, for those who watch it.

use crate::dialogue::Stack;
use crate::domain::{Answer, Layer, Onward, Value, World};
use crate::error::Result;
use crate::exec::Execution;
use crate::llm::Progress;
use crate::retrieval::Task;
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

/// An event of a turn. Texts are as the model and the programs wrote them: remove control
/// characters before they reach a terminal.
#[derive(Debug)]
pub enum TurnEvent<'a> {
    /// The model is asked.
    Asking {
        /// For the programs or for the response.
        task: Task,
        /// Whether its last answer was sent back.
        repair: bool,
    },
    /// Examples were left out of the prompt so that it fits.
    Shortened {
        /// The request.
        task: Task,
        /// The examples that are left.
        examples: usize,
        /// The examples that the settings ask for.
        of: usize,
    },
    /// More of the model's answer, in the exchange format.
    Text {
        /// The request.
        task: Task,
        /// The next piece.
        text: &'a str,
    },
    /// The request is sent again; discard the text so far.
    Restart,
    /// The model could not answer; the next try comes after a delay.
    Waiting {
        /// The delay.
        delay: Duration,
        /// The try that failed, 1 for the first.
        attempt: u32,
        /// Why it failed.
        reason: &'a str,
    },
    /// The answer cannot be used, or is sent back.
    Unusable {
        /// The request.
        task: Task,
        /// The reason, as a sentence.
        finding: &'a str,
    },
    /// The programs of the turn are valid. This is the stack before they run.
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
        /// The error's code, if the environment refused the call.
        error: Option<&'a str>,
    },
    /// A program failed after it had planned writes. None of them is made.
    Withheld {
        /// Its goal.
        uid: u32,
        /// The number of planned writes.
        writes: usize,
    },
    /// A plan is being applied.
    Applying {
        /// The goal of its program.
        uid: u32,
        /// The writes made so far.
        made: usize,
        /// The writes of the plan.
        of: usize,
    },
    /// A program ended.
    Executed {
        /// Its goal.
        uid: u32,
        /// Its execution.
        execution: &'a Execution,
    },
}

/// Watches a turn. Any `FnMut(TurnEvent)` is an observer; [`Unwatched`] ignores all events.
pub trait Observer: Send {
    /// Receives an event.
    fn event(&mut self, event: TurnEvent<'_>);
}

impl<F: FnMut(TurnEvent<'_>) + Send> Observer for F {
    fn event(&mut self, event: TurnEvent<'_>) {
        self(event);
    }
}

/// Ignores all events.
pub struct Unwatched;

impl Observer for Unwatched {
    fn event(&mut self, _: TurnEvent<'_>) {}
}

/// Passes the progress of a model on to an observer.
pub(super) fn progress(observer: &mut dyn Observer, task: Task, progress: Progress<'_>) {
    observer.event(match progress {
        Progress::Text(text) => TurnEvent::Text { task, text },
        Progress::Restart => TurnEvent::Restart,
        Progress::Waiting {
            delay,
            attempt,
            reason,
        } => TurnEvent::Waiting {
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
        observer.event(TurnEvent::Called {
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

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        let answer = onward.call(operation, params).await?;
        let seen = Seen {
            operation: operation.to_owned(),
            error: answer.as_ref().err().map(|refusal| refusal.code.clone()),
        };
        // Nobody receives it if the program was cut off.
        let _ = self.seen.send(seen);
        Ok(answer)
    }
}
