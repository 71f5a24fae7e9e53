//! What a conversation is doing.

use super::view::{CostView, PlanAnswer, PlanView};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

/// What a conversation is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Nothing is under way.
    Idle,
    /// A turn, an undo or the rest of an apply is under way.
    Working,
    /// The plan with this number waits: [`decide`](super::Conversation::decide) answers it.
    Plan(u64),
    /// A program waits because of its cost:
    /// [`let_go_on`](super::Conversation::let_go_on) answers the question with this number.
    Cost(u64),
    /// The writes of a plan are made.
    Applying,
    /// It was cancelled: the apply ends before its next write.
    Stopping,
    /// It was cancelled, and ends at once.
    Leaving,
}

/// The same with what only `TurnControl` needs.
#[derive(Default)]
pub(super) enum Doing {
    #[default]
    Idle,
    Working,
    Plan(Box<PlanView>, oneshot::Sender<PlanAnswer>),
    Cost(CostView, oneshot::Sender<bool>),
    Leaving {
        /// Whether the model was asked since. Then the apply that was abandoned is over.
        has_asked: bool,
    },
}

impl Doing {
    pub fn is_leaving(&self) -> bool {
        matches!(self, Doing::Leaving { .. })
    }

    pub fn is_idle(&self) -> bool {
        matches!(self, Doing::Idle)
    }
}
