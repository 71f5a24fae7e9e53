//! The progress of a run.

use crate::eval::log::TurnLog;
use crate::llm::Usage;

/// The progress of a run, and its EMR so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunProgress {
    /// Turns of the whole run.
    pub turns: usize,
    /// Turns that are in the log.
    pub turns_done: usize,
    /// Of these, turns that an earlier process had finished.
    pub turns_kept: usize,
    /// Dialogues of the whole run, once for each epoch.
    pub dialogues: usize,
    /// Dialogues that are finished.
    pub finished: usize,
    /// The dialogues that ended early, through no fault of the model.
    pub failed: Vec<Unfinished>,
    /// The sum of t_last / T over the finished dialogues.
    pub prefixes: f64,
    /// Tokens of the turns of this process, including answers from the cache.
    pub usage: Usage,
    /// Requests that a model answered, without those from the cache.
    pub asked: u64,
    /// Dialogues that ended because the model's server did not answer, since it last answered.
    pub unanswered: usize,
    /// Whether the run has stopped by itself, because it was so many.
    pub gave_up: bool,
}

/// A dialogue that ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    /// Its uid.
    pub dialogue: String,
    /// Which repetition, from 1.
    pub epoch: u32,
    /// The turn, from 1.
    pub turn: u32,
    /// Why.
    pub message: String,
}

impl RunProgress {
    /// The EMR of the finished dialogues, 0 to 1; `None` while none is finished.
    #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub fn emr(&self) -> Option<f64> {
        (self.finished > 0).then(|| self.prefixes / self.finished as f64)
    }

    /// Whether every dialogue is finished.
    pub fn is_complete(&self) -> bool {
        self.finished == self.dialogues
    }

    /// Counts a turn that ended. `answered` says whether the model's server answered; `None` if
    /// it was not asked.
    pub(super) fn turn(&mut self, log: &TurnLog, answered: Option<bool>) {
        self.turns_done += 1;
        match answered {
            Some(true) => self.unanswered = 0,
            Some(false) => self.unanswered += 1,
            None => {}
        }
        for exchange in &log.exchanges {
            self.usage += exchange.usage;
        }
    }

    /// Counts a finished dialogue; `matches` says of each turn whether it is right.
    #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub(super) fn dialogue(&mut self, matches: &[bool]) {
        let prefix = matches.iter().take_while(|matches| **matches).count();
        self.finished += 1;
        self.prefixes += prefix as f64 / matches.len().max(1) as f64;
    }
}
