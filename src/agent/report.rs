//! What a turn did, and what it cost.

use super::Session;
use super::wording::plain_reply;
use crate::claims::Claim;
use crate::dialogue::{Outcome, Update};
use crate::domain::Signature;
use crate::error::Error;
use crate::exec::Execution;
use crate::llm::{Completion, Request, Usage};
use crate::retrieval::Task;

/// What one turn did.
#[derive(Debug, Default)]
pub struct TurnReport {
    /// P_t: the goals that changed, as the model predicted them.
    pub updates: Vec<Update>,
    /// The programs that ran, in order.
    pub executed: Vec<Executed>,
    /// The environment's signature after the turn; none where it was not taken.
    pub signature: Option<Signature>,
    /// R_t: what the agent says. Never empty.
    pub reply: String,
    /// What the reply states and nothing supports, where that is looked up
    /// ([`Settings::validate`](super::Settings)): it may be wrong, and people should see
    /// that. The places are those in [`reply`](Self::reply).
    pub unsupported: Vec<Claim>,
    /// Whether the reply is not the model's: a plain account of what happened.
    pub plain: bool,
    /// Why the turn, or its reply, failed.
    pub failure: Option<Failure>,
    /// What the model was asked and answered, in order, failures included.
    pub exchanges: Vec<Exchange>,
}

/// One program that ran.
#[derive(Debug, Clone)]
pub struct Executed {
    /// Its goal.
    pub uid: u32,
    /// What it gave.
    pub execution: Execution,
    /// The signature after it, with the outcomes of the turn so far.
    pub signature: Option<Signature>,
}

/// One request to the model and its answer.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// For which of the two requests.
    pub task: Task,
    /// What was asked.
    pub request: Request,
    /// The answer, or why there is none.
    pub answer: Result<Completion, String>,
    /// Why the answer could not be used.
    pub finding: Option<String>,
}

/// Why a turn could not be carried out. `Display` is one sentence for the user.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The prompt could not be made.
    #[error("the prompt could not be made: {0}")]
    Prompt(Error),
    /// The turn does not fit the model, even with everything left out that can be.
    #[error(
        "the turn is too long for the model: of the {needed} tokens that it takes at least, \
         {user} are your message, and {budget} fit"
    )]
    TooLong {
        /// The estimated tokens of the shortest prompt.
        needed: u32,
        /// The tokens that a prompt may take.
        budget: u32,
        /// The estimated tokens of the user's message.
        user: u32,
    },
    /// The model could not be reached, or gave up.
    #[error("the model did not answer: {0}")]
    Model(Error),
    /// The model's answer could not be used, nor its second one.
    #[error("the model's answer could not be used, even after it was asked again: {finding}")]
    NotUnderstood {
        /// Of which call.
        task: Task,
        /// What was wrong with the second answer.
        finding: String,
    },
    /// What happens could not be written down, so nothing further was done.
    #[error("the record of the session could not be kept: {0}")]
    Record(Error),
    /// The box failed, not the program in it.
    #[error("the program could not be checked: {0}")]
    Sandbox(Error),
    /// A program was started and its outcome is not known.
    #[error(
        "the program of goal {uid} did not come to its end, and may have done part of its work: {error}"
    )]
    Execution {
        /// The goal.
        uid: u32,
        /// What failed.
        error: Error,
    },
}

impl TurnReport {
    /// The tokens of all exchanges together.
    pub fn usage(&self) -> Usage {
        let mut sum = Usage::default();
        for completion in self.exchanges.iter().flat_map(|exchange| &exchange.answer) {
            sum += completion.usage;
        }
        sum
    }

    /// Whether the user ended the dialogue: a program raised `EndDialog`.
    pub fn ends_dialogue(&self) -> bool {
        self.executed.iter().any(|done| {
            matches!(&done.execution.outcome, Outcome::Error(error) if error.error == "EndDialog")
        })
    }

    /// The model has no reply: says in plain words what became of the goals.
    pub(super) fn fall_back(&mut self, session: &Session, failure: Failure) {
        self.reply = plain_reply(session.stack(), self.updates.iter().map(|goal| goal.uid));
        // Our own words are taken from the outcomes.
        self.unsupported.clear();
        self.plain = true;
        self.failure = Some(failure);
    }
}
