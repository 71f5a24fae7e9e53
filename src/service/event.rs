//! The events of a conversation, for front ends.

use super::view::{CostView, CutOffApply, PlanView, SessionView, TurnView, Undone};
use crate::agent;
use crate::dialogue::{Goal, Outcome, Program, Status};
use crate::domain::{Place, Reading, SharedLink};
use crate::journal::DecidedBy;
use serde::{Deserialize, Serialize};

/// An event. As JSON it is an object whose `event` is the name of the variant in snake case.
///
/// Its texts come from the model, the programs and the world: escape them before they reach a
/// terminal or a page.
///
/// Rare large ones are boxed, so that the many small ones take little: each call is one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The sandbox is being prepared, which takes about a minute and happens once.
    Preparing {
        /// What is done now, for people.
        step: String,
    },
    /// What the user should know about the world: a sentence.
    Note {
        /// The sentence.
        text: String,
    },
    /// A part of the world that its signature cannot see.
    Unseen {
        /// A sentence without its period.
        what: String,
    },
    /// How far the reading of a large world has come.
    Reading(Reading),
    /// How far the transfer of a large file of the user has come.
    Transfer {
        /// The file.
        file: String,
        /// How many bytes are transferred.
        done: u64,
        /// How many bytes it has.
        of: u64,
    },
    /// A program has signed a link, which is the user's alone: whoever has it can use it.
    Link(Box<SharedLink>),
    /// The conversation is open. Only what the opening itself tells comes before it.
    Opened(Box<SessionView>),
    /// Changes of the world will not be shown, for this reason.
    ChangesNotShown {
        /// A clause: "it is large or far away".
        why: String,
    },
    /// A session goes on whose last apply was cut off:
    /// [`Conversation::settle`](super::Conversation::settle) finishes it or takes it back.
    CutOff(Box<CutOffApply>),
    /// A turn begins.
    TurnStarted {
        /// Which one, from 1.
        turn: usize,
        /// The user's utterance.
        user: String,
    },
    /// The model is asked.
    Asking {
        /// For a program or for a reply.
        task: RequestKind,
        /// Whether its last answer could not be used.
        repair: bool,
    },
    /// The prompt has fewer examples than the settings ask for, so that it fits.
    Shortened {
        /// How many it has.
        examples: usize,
        /// How many are wanted.
        of: usize,
    },
    /// More of the model's answer, in the exchange format.
    Text {
        /// For a program or for a reply.
        task: RequestKind,
        /// The next piece.
        text: String,
    },
    /// The request is sent again. Discard the text so far.
    Restart,
    /// The model could not answer. The next try comes after a wait.
    Waiting {
        /// How long, in milliseconds.
        delay_ms: u64,
        /// The try that failed, 1 for the first.
        attempt: u32,
        /// Why.
        reason: String,
    },
    /// The model's answer cannot be used; it is asked again.
    Unusable {
        /// Why: a sentence.
        finding: String,
    },
    /// The programs of the turn are known and none has run: the stack, its top last.
    Stack {
        /// Every goal with its latest program.
        goals: Vec<StackGoal>,
    },
    /// A program starts.
    Started {
        /// Its goal.
        uid: u32,
    },
    /// A program called its environment.
    Called {
        /// The operation.
        operation: String,
        /// The code of the refusal, where it was refused.
        error: Option<String>,
    },
    /// A program failed after it had planned writes: none of them is made.
    Withheld {
        /// Its goal.
        uid: u32,
        /// How many.
        writes: usize,
    },
    /// A program has reached a limit of the policy on costs, and waits:
    /// [`Conversation::let_go_on`](super::Conversation::let_go_on) answers.
    Costly(Box<CostView>),
    /// The places that an undo cannot bring back. It comes before the undo's plan.
    CannotBringBack {
        /// Each place and a clause that follows "because".
        places: Vec<(Place, String)>,
    },
    /// A plan waits: [`Conversation::decide`](super::Conversation::decide) answers it.
    Plan(Box<PlanView>),
    /// A plan was decided on.
    Decided {
        /// Which one.
        plan: u64,
        /// Whether it is carried out.
        apply: bool,
        /// Who decided.
        by: DecidedBy,
    },
    /// Writes of a plan were made. One such event may stand for several.
    Applying {
        /// How many are made.
        made: usize,
        /// How many the plan has.
        of: usize,
    },
    /// A program came to its end.
    Executed {
        /// Its goal.
        uid: u32,
        /// The outcome.
        outcome: Outcome,
    },
    /// A turn ended, with everything to show about it.
    TurnEnded(Box<TurnView>),
    /// The last turn, which ran nothing, was taken back.
    DraftUndone {
        /// The user's utterance.
        user: String,
    },
    /// An undo ended.
    Undone(Box<Undone>),
    /// Another policy holds from now on.
    PolicyChanged {
        /// Its text, as [`Policy`](crate::policy::Policy) reads it.
        policy: String,
    },
    /// The conversation is closed. Always the last event.
    Closed,
}

impl Event {
    /// Whether it tells how something comes along, and nothing that its end does not tell as well.
    pub(super) fn is_progress(&self) -> bool {
        matches!(
            self,
            Event::Preparing { .. }
                | Event::Reading(_)
                | Event::Transfer { .. }
                | Event::Asking { .. }
                | Event::Text { .. }
                | Event::Restart
                | Event::Waiting { .. }
                | Event::Unusable { .. }
                | Event::Started { .. }
                | Event::Called { .. }
                | Event::Costly(_)
                | Event::Applying { .. }
        )
    }

    /// Whether it has everything about the progress before it.
    pub(super) fn is_end(&self) -> bool {
        matches!(
            self,
            Event::Opened(_) | Event::TurnEnded(_) | Event::Undone(_)
        )
    }

    /// Whether nobody needs the event before it any more.
    pub(super) fn replaces(&self, before: &Event) -> bool {
        match (self, before) {
            (Event::Reading(_), Event::Reading(_)) => true,
            (Event::Transfer { file, .. }, Event::Transfer { file: other, .. }) => file == other,
            (Event::Applying { .. }, Event::Applying { .. }) => true,
            _ => false,
        }
    }
}

/// A goal of the stack, without its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackGoal {
    /// Its number.
    pub uid: u32,
    /// How far it has come.
    pub status: Status,
    /// Its latest program.
    pub program: Program,
}

impl From<&Goal> for StackGoal {
    fn from(goal: &Goal) -> Self {
        StackGoal {
            uid: goal.uid,
            status: goal.status,
            program: goal.program.clone(),
        }
    }
}

/// The kind of request to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestKind {
    /// The programs of a turn.
    Program,
    /// The reply.
    Reply,
}

impl From<crate::retrieval::Task> for RequestKind {
    fn from(task: crate::retrieval::Task) -> Self {
        match task {
            crate::retrieval::Task::Program => RequestKind::Program,
            crate::retrieval::Task::Response => RequestKind::Reply,
        }
    }
}

impl From<agent::TurnEvent<'_>> for Event {
    fn from(event: agent::TurnEvent<'_>) -> Self {
        match event {
            agent::TurnEvent::Asking { task, repair } => Event::Asking {
                task: task.into(),
                repair,
            },
            agent::TurnEvent::Shortened { examples, of, .. } => Event::Shortened { examples, of },
            agent::TurnEvent::Text { task, text } => Event::Text {
                task: task.into(),
                text: text.to_owned(),
            },
            agent::TurnEvent::Restart => Event::Restart,
            agent::TurnEvent::Waiting {
                delay,
                attempt,
                reason,
            } => Event::Waiting {
                delay_ms: u64::try_from(delay.as_millis()).unwrap_or(u64::MAX),
                attempt,
                reason: reason.to_owned(),
            },
            agent::TurnEvent::Unusable { finding, .. } => Event::Unusable {
                finding: finding.to_owned(),
            },
            agent::TurnEvent::Predicted(stack) => Event::Stack {
                goals: stack.goals().iter().map(|goal| (&**goal).into()).collect(),
            },
            agent::TurnEvent::Started { uid } => Event::Started { uid },
            agent::TurnEvent::Called { operation, error } => Event::Called {
                operation: operation.to_owned(),
                error: error.map(str::to_owned),
            },
            agent::TurnEvent::Withheld { uid, writes } => Event::Withheld { uid, writes },
            agent::TurnEvent::Applying { made, of, .. } => Event::Applying { made, of },
            agent::TurnEvent::Executed { uid, execution } => Event::Executed {
                uid,
                outcome: execution.outcome.clone(),
            },
        }
    }
}
