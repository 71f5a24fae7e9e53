//! Failures, requests and tokens of a run.

use crate::eval::log::{FailureKind, TurnLog};
use crate::llm::{CutPrompt, Usage};
use crate::retrieval::Task;
use serde::Serialize;
use std::collections::BTreeMap;

/// The failures among all turns of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failures {
    /// Failed turns by the kind of failure.
    pub turns: BTreeMap<FailureKind, usize>,
    /// Answers that could not be used.
    pub unusable_answers: usize,
    /// Turns with such an answer that the model, asked again, mended.
    pub repaired_turns: usize,
    /// Turns whose reply is not the model's.
    pub plain_replies: usize,
    /// Requests without an answer.
    pub unanswered: usize,
    /// Turns with a prompt of which the model's server read only a part.
    pub cut_prompts: usize,
}

impl Failures {
    /// Counts what failed in these turns.
    pub fn of(turns: &[TurnLog]) -> Self {
        let kinds = [
            FailureKind::Provider,
            FailureKind::Ours,
            FailureKind::Programs,
            FailureKind::Response,
        ];
        let mut failures = Failures {
            turns: kinds.iter().map(|kind| (*kind, 0)).collect(),
            unusable_answers: 0,
            repaired_turns: 0,
            plain_replies: 0,
            unanswered: 0,
            cut_prompts: 0,
        };
        for log in turns {
            let unusable = log.exchanges.iter().filter(|one| one.finding.is_some());
            let unusable = unusable.count();
            failures.unusable_answers += unusable;
            failures.unanswered += log.exchanges.iter().filter(|e| e.error.is_some()).count();
            failures.plain_replies += usize::from(log.plain);
            let mut exchanges = log.exchanges.iter();
            let is_cut = exchanges.any(|e| CutPrompt::of(&e.request, &e.usage).is_some());
            failures.cut_prompts += usize::from(is_cut);
            match &log.failure {
                Some(failure) => *failures.turns.entry(failure.kind).or_default() += 1,
                None => failures.repaired_turns += usize::from(unusable > 0),
            }
        }
        failures
    }
}

/// The requests and tokens of a run. They include turns that are not scored: all were paid
/// for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Everything.
    pub all: RequestUsage,
    /// The predictions of programs.
    pub programs: RequestUsage,
    /// The responses.
    pub responses: RequestUsage,
}

/// Requests, and their tokens if the provider counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RequestUsage {
    /// Requests.
    pub requests: u64,
    /// Tokens.
    #[serde(flatten)]
    pub usage: Usage,
}

impl RequestUsage {
    fn add(&mut self, usage: Usage) {
        self.requests += 1;
        self.usage += usage;
    }
}

impl Tokens {
    /// Adds up what these turns cost.
    pub fn of(turns: &[TurnLog]) -> Self {
        let mut tokens = Tokens::default();
        for exchange in turns.iter().flat_map(|log| &log.exchanges) {
            tokens.all.add(exchange.usage);
            match exchange.task {
                Task::Program => tokens.programs.add(exchange.usage),
                Task::Response => tokens.responses.add(exchange.usage),
            }
        }
        tokens
    }
}
