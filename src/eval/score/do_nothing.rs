//! The figures of an agent that does nothing.

use super::breakdown::share;
use super::sheet::Sheet;
use super::turn;
use serde::Serialize;

/// The figures of an agent that never runs a program.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DoNothing {
    /// The share of turns that truly run no program.
    pub turns: Option<f64>,
    /// Its EMR: the share of turns before the first program that truly runs.
    pub emr: Option<f64>,
}

impl DoNothing {
    /// Counts each dialogue once, whatever the number of epochs.
    pub fn of(sheet: &Sheet<'_>) -> Self {
        let (mut all, mut right) = (0, 0);
        let (mut emr, mut dialogues) = (0.0, 0);
        for pass in sheet
            .dialogues
            .iter()
            .filter_map(|runs| runs.passes.first())
        {
            let idle = |log: &&&_| !turn::truth_runs(log);
            all += pass.turns.len();
            right += pass.turns.iter().filter(idle).count();
            let turns = pass.turns.iter().copied();
            if let Some(kept) = turn::prefix(turns, |log| !turn::truth_runs(log)) {
                emr += kept;
                dialogues += 1;
            }
        }
        DoNothing {
            turns: share(right, all),
            emr: share(1, dialogues).map(|_| emr / dialogues as f64),
        }
    }
}
