//! What the programs of a turn did, as replies are checked by it.

use crate::agent::host_errors::{TOO_COSTLY, is_declined};
use crate::agent::{Agent, Session, TurnReport};
use crate::claims::{Doings, Withheld};
use crate::dialogue::{ConversationalException, Outcome, ProgramError};
use crate::domain::{Calls, Domain};
use crate::exec::{EndedBy, Execution};
use crate::plan::NOTHING_CHANGED;

impl Agent {
    pub(super) fn doings(&self, session: &Session, report: &TurnReport) -> Doings {
        let domain = &self.domain;
        let drafts = self.overseer.is_some() && !domain.is_stepwise;
        // A conduct does things of its own, and what a lost program did is not known.
        let unknown = domain.conduct.is_some() || report.failure.is_some();
        let mut doings = Doings {
            unknown,
            earlier: may_have_written(session, domain),
            ..Doings::default()
        };
        for done in &report.executed {
            let execution = &done.execution;
            let kept = match &execution.outcome {
                Outcome::Result(_) => Kept::Made,
                Outcome::Error(error) => {
                    doings.withheld = doings.withheld.max(why(error));
                    kept(execution, error, drafts)
                }
            };
            doings.unknown |= kept == Kept::Unknown;
            let calls = execution.calls.iter();
            let made = calls.filter(|call| kept == Kept::Made && call.error.is_none());
            let writes = made.filter(|call| domain.writes(&call.operation));
            for write in writes {
                // Only where effects are known exactly is a write that removes told from others.
                let is_exact = domain.planning.is_some();
                let removes = domain.destroys(&write.operation);
                doings.removed |= removes || !is_exact;
                doings.wrote |= !removes || !is_exact;
            }
        }
        doings
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// What it called was done.
    Made,
    /// Nothing was.
    Nothing,
    Unknown,
}

/// What is left of the calls of a program that failed.
fn kept(execution: &Execution, error: &ProgramError, drafts: bool) -> Kept {
    let nothing = is_declined(error)
        || error.error == TOO_COSTLY
        || error.message.starts_with(NOTHING_CHANGED);
    match execution.ended_by {
        EndedBy::Overseer if !nothing => Kept::Unknown,
        _ if drafts => Kept::Nothing,
        // Without drafts, the calls are those that were made.
        _ => Kept::Made,
    }
}

/// Why a program did not do what was asked for; none if there was nothing to do.
fn why(error: &ProgramError) -> Option<Withheld> {
    match ConversationalException::named(&error.error) {
        Some(_) => None,
        None if is_declined(error) => Some(Withheld::Declined),
        None => Some(Withheld::Failed),
    }
}

/// Whether a program of a turn before this one may have changed something.
fn may_have_written(session: &Session, domain: &Domain) -> bool {
    let before = session
        .turns()
        .split_last()
        .map_or(&[][..], |(_, before)| before);
    let mut goals = before.iter().flat_map(|turn| &turn.goals);
    goals.any(|goal| {
        let program = goal.program.as_ref().filter(|_| goal.outcome.is_some());
        program.is_some_and(|program| Calls::of(program, domain).may_write(domain))
    })
}
