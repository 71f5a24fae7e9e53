//! Statistics of generated dialogues.

use crate::dialogue::ConversationalException;
use crate::dialogue::{Outcome, Transcript, Turn};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The bytes of a token, as the agent estimates its prompts.
const BYTES_PER_TOKEN: usize = 4;

/// The figures of a generated set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// The dialogues.
    pub dialogues: usize,
    /// Their turns.
    pub turns: usize,
    /// Turns in which no program calls the API: questions, confirmations, refusals, answers.
    pub idle: usize,
    /// The different utterances of users.
    pub utterances: BTreeSet<String>,
    /// The different programs, with their values.
    pub programs: BTreeSet<String>,
    /// The tokens of all dialogues, estimated from their bytes.
    pub tokens: usize,
    /// Dialogues that were drawn again, because a value or an outcome did not fit or an
    /// utterance was too near to the test part.
    pub redrawn: usize,
    /// Goals by kind, and what happened to them.
    pub kinds: BTreeMap<String, usize>,
}

impl Figures {
    /// Counts something that happened.
    pub(super) fn count(&mut self, kind: &str) {
        *self.kinds.entry(kind.to_owned()).or_default() += 1;
    }

    /// Counts a finished dialogue.
    pub(super) fn finish(&mut self, transcript: &Transcript, bytes: usize) {
        self.dialogues += 1;
        self.turns += transcript.turns.len();
        self.idle += transcript.turns.iter().filter(|turn| is_idle(turn)).count();
        self.tokens += bytes / BYTES_PER_TOKEN;
        for turn in &transcript.turns {
            self.utterances.insert(turn.user.clone());
            let programs = turn.goals.iter().filter_map(|goal| goal.program.as_ref());
            self.programs
                .extend(programs.map(|program| program.code().to_owned()));
        }
    }

    pub(super) fn add(&mut self, other: &Figures) {
        self.dialogues += other.dialogues;
        self.turns += other.turns;
        self.idle += other.idle;
        self.tokens += other.tokens;
        self.utterances.extend(other.utterances.iter().cloned());
        self.programs.extend(other.programs.iter().cloned());
        self.redrawn += other.redrawn;
        for (kind, count) in &other.kinds {
            *self.kinds.entry(kind.clone()).or_default() += count;
        }
    }

    /// The share of turns in which nothing runs, in per cent.
    pub fn idle_share(&self) -> f64 {
        match self.turns {
            0 => 0.0,
            turns => 100.0 * self.idle as f64 / turns as f64,
        }
    }
}

fn is_idle(turn: &Turn) -> bool {
    turn.goals.iter().all(|goal| match &goal.outcome {
        None => true,
        Some(Outcome::Error(error)) => ConversationalException::named(&error.error).is_some(),
        Some(Outcome::Result(_)) => false,
    })
}
