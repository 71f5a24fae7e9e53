//! The report of a turn: its programs, outcomes, reply and cost.

use super::host_errors::{is_of_host, made_before};
use super::plain_reply::plain_reply;
use super::unread::UNREAD_LISTING;
use super::{Aided, Session};
use crate::claims::{Claim, Verdict};
use crate::dialogue::{ConversationalException, Outcome, Update};
use crate::domain::Signature;
use crate::error::Error;
use crate::exec::Execution;
use crate::llm::{Completion, CutOff, CutPrompt, Request, Usage};
use crate::retrieval::Task;
use std::fmt::Write;

/// The report of one turn.
#[derive(Debug, Default)]
pub struct TurnReport {
    /// P_t: the updates that the model predicted, after the normalizers.
    pub updates: Vec<Update>,
    /// The programs that ran, in order.
    pub executed: Vec<Executed>,
    /// The environment's signature after the turn; none if it was not taken.
    pub signature: Option<Signature>,
    /// R_t: the agent's reply. Never empty.
    pub reply: String,
    /// Statements of the reply that the reply checks doubt. They may be wrong, and people
    /// should see that. The ranges are those in [`reply`](Self::reply).
    pub unsupported: Vec<Claim>,
    /// The aids that changed an answer of the model or sent it back, in order, each once a
    /// request.
    pub aided: Vec<Aided>,
    /// Whether the reply is not the model's but a plain account of what happened.
    pub plain: bool,
    /// Why the turn, or its reply, failed.
    pub failure: Option<Failure>,
    /// Whether the conduct heard that the user ended the dialogue.
    pub is_over: bool,
    /// Every request and its answer, in order, failures included.
    pub exchanges: Vec<Exchange>,
}

/// One program that ran.
#[derive(Debug, Clone)]
pub struct Executed {
    /// Its goal.
    pub uid: u32,
    /// Its execution.
    pub execution: Execution,
    /// The signature after it, over the state and the outcomes of the turn so far.
    pub signature: Option<Signature>,
}

/// One request to the model and its answer.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The kind of request.
    pub task: Task,
    /// The request.
    pub request: Request,
    /// The answer, or the reason why there is none.
    pub answer: Result<Completion, String>,
    /// The reason why the answer was not used.
    pub finding: Option<String>,
}

/// The reason why a turn could not be carried out. `Display` is a sentence for the user.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The prompt could not be made.
    #[error("the prompt could not be made: {0}")]
    Prompt(Error),
    /// The turn does not fit the model, even with everything left out that can be.
    #[error(
        "the turn is too long for the model: it needs at least {needed} tokens, {user} of them \
         for your message, but only {budget} fit"
    )]
    TooLong {
        /// The estimated tokens of the shortest prompt.
        needed: u32,
        /// The tokens that a prompt may take.
        budget: u32,
        /// The estimated tokens of the user's message.
        user: u32,
    },
    /// The model could not be reached, or did not answer.
    #[error("the model did not answer: {0}")]
    Model(Error),
    /// The model's answer could not be used, nor its second one if there was one.
    #[error(
        "the model's answer could not be used{}: {finding}",
        repaired(.asked_again)
    )]
    NotUnderstood {
        /// The kind of request.
        task: Task,
        /// The mistake in the last answer.
        finding: String,
        /// Whether that was the second answer.
        asked_again: bool,
    },
    /// The model's answer is not whole, so nothing of it was used.
    #[error("the model's answer was cut off, so it was not used: {cut_off}")]
    CutOff {
        /// The kind of request.
        task: Task,
        /// Why.
        cut_off: CutOff,
    },
    /// A step could not be recorded, so nothing further was done.
    #[error("the record of the session could not be kept: {0}")]
    Record(Error),
    /// The sandbox failed, not the program in it.
    #[error("the program could not be checked: {0}")]
    Sandbox(Error),
    /// A program was started, and its outcome is not known.
    #[error("the program of goal {uid} did not come to its end{}: {error}", part(.may_have_written))]
    Execution {
        /// The goal.
        uid: u32,
        /// Whether some of its writes may be made: it ran on the world, or its plan was being
        /// applied.
        may_have_written: bool,
        /// The failure.
        error: Error,
    },
}

fn part(may_have_written: &bool) -> &'static str {
    match may_have_written {
        true => ", and may have done part of its work",
        false => "",
    }
}

impl Failure {
    /// Whether the world may have changed.
    pub(super) fn may_have_written(&self) -> bool {
        match self {
            Failure::Execution {
                may_have_written, ..
            } => *may_have_written,
            // A program may have written before the record of it failed.
            Failure::Record(_) => true,
            _ => false,
        }
    }

    /// What a user can do where nothing was changed, as a request.
    pub(super) fn way_out(&self) -> &'static str {
        match self {
            Failure::CutOff { cut_off, .. } => cut_off.way_out(),
            _ => "please try again",
        }
    }
}

fn repaired(asked_again: &bool) -> &'static str {
    if *asked_again {
        ", even after it was asked again"
    } else {
        ""
    }
}

impl TurnReport {
    /// The tokens of all exchanges added up.
    pub fn usage(&self) -> Usage {
        let mut sum = Usage::default();
        for completion in self.exchanges.iter().flat_map(|exchange| &exchange.answer) {
            sum += completion.usage;
        }
        sum
    }

    /// The first prompt of the turn that the model's server cut without an error.
    pub fn cut_prompt(&self) -> Option<CutPrompt> {
        self.exchanges.iter().find_map(|exchange| {
            let answer = exchange.answer.as_ref().ok()?;
            CutPrompt::of(&exchange.request, &answer.usage)
        })
    }

    /// Whether the user ended the dialogue: a program raised `EndDialog`.
    pub fn ends_dialogue(&self) -> bool {
        let end = ConversationalException::EndDialog.name();
        self.is_over || self.executed.iter().any(
            |done| matches!(&done.execution.outcome, Outcome::Error(error) if error.error == end),
        )
    }

    /// Notes that an aid changed an answer or sent it back.
    pub(super) fn note_aid(&mut self, aid: &str, task: Task) {
        let aided = Aided {
            aid: aid.to_owned(),
            task,
        };
        if !self.aided.contains(&aided) {
            self.aided.push(aided);
        }
    }

    /// Whether a program ended for a reason that only the host has.
    pub(super) fn has_host_error(&self) -> bool {
        let mut executed = self.executed.iter();
        executed.any(|done| is_of_host(&done.execution))
    }

    /// Replies without the model: a sentence for each goal.
    pub(super) fn tell_plainly(&mut self, session: &Session) {
        self.reply = plain_reply(session.stack(), self.updates.iter().map(|goal| goal.uid));
        // A plain reply states nothing but outcomes.
        self.unsupported.clear();
        self.plain = true;
    }

    /// Adds to the reply what the rows have, where a reply that is not said contradicts them.
    pub(super) fn tell_facts(&mut self, doubts: &[Claim]) {
        let of_rows = doubts
            .iter()
            .filter(|claim| claim.rule.is_some() && claim.is_contradicted());
        let mut told: Vec<&str> = Vec::new();
        for claim in of_rows {
            let fact = match claim.verdict {
                Verdict::Incomplete => continue,
                _ => claim.reason(),
            };
            if !told.contains(&fact) {
                told.push(fact);
            }
        }
        let left: Vec<&str> = doubts
            .iter()
            .filter(|claim| claim.verdict == Verdict::Incomplete)
            .flat_map(|claim| claim.rows.iter().map(String::as_str))
            .collect();
        if !told.is_empty() {
            let _ = write!(self.reply, "\nThe rows have: {}.", told.join("; "));
        }
        if !left.is_empty() {
            let _ = write!(self.reply, "\nThere is also: {}.", left.join(", "));
        }
    }

    /// Adds to the reply what programs did that the host ended, if the reply does not have it. A
    /// model that hears of a no would say that nothing was done.
    pub(super) fn tell_made(&mut self) {
        let errors = self
            .executed
            .iter()
            .filter_map(|done| match &done.execution.outcome {
                Outcome::Error(error) if !done.execution.ended_by.is_program() => Some(error),
                _ => None,
            });
        for made in errors.filter_map(made_before) {
            if !self.reply.contains(made) {
                self.reply.push_str("\nBefore that, ");
                self.reply.push_str(made);
            }
        }
    }

    /// Adds to the reply what the programs did not read to the end.
    pub(super) fn tell_unread(&mut self) {
        let ended = self.executed.iter().map(|done| &done.execution);
        let ended = ended.filter(|execution| !execution.outcome.is_error());
        let before = self.reply.len();
        for sentence in ended.flat_map(|execution| &execution.unread) {
            self.reply.push('\n');
            self.reply.push_str(sentence);
        }
        if self.reply.len() > before {
            self.note_aid(UNREAD_LISTING, Task::Response);
        }
    }
}
