//! What the programs of a turn did, as replies are checked by it.

use crate::agent::host_errors::{INTERRUPTED, LOST, TOO_COSTLY, is_declined};
use crate::agent::{Agent, Left, Session, TurnReport};
use crate::claims::{Doings, Places, Withheld};
use crate::dialogue::{ConversationalException, Outcome, ProgramError};
use crate::domain::{Access, Calls, Domain, Place, Touch};
use crate::exec::{EndedBy, Execution};
use crate::plan::NOTHING_CHANGED;

impl Agent {
    pub(super) fn doings(&self, session: &Session, report: &TurnReport) -> Doings {
        let domain = &self.domain;
        let drafts = self.overseer.is_some() && !domain.effects.is_stepwise;
        let mut doings = Doings {
            // A conduct does things of its own, and what a lost program did is not known.
            unknown: domain.conduct.is_some() || report.failure.is_some(),
            places: Some(Places::default()),
            ..Doings::default()
        };
        let mut is_stopped = false;
        for done in &report.executed {
            let execution = &done.execution;
            let kept = match &execution.outcome {
                Outcome::Result(_) => Kept::Made,
                Outcome::Error(error) => {
                    doings.withheld = doings.withheld.max(why(error));
                    kept(execution, error, drafts)
                }
            };
            match kept {
                Kept::Made => note_calls(&mut doings, execution, domain),
                Kept::Part => note_part(&mut doings, execution, domain),
                Kept::Nothing => {}
                Kept::Unknown => doings.unknown = true,
            }
            is_stopped |= kept == Kept::Part;
        }
        let is_declined = doings.withheld == Some(Withheld::Declined);
        doings.partly = doings.any() && (is_stopped || is_declined);
        let left = self.left(session);
        doings.earlier = left.is_some();
        doings.partly |= !doings.any() && left == Some(Left::Part);
        doings
    }

    /// What is left of what the last program did that changed something in a turn before this one;
    /// none if there is none.
    fn left(&self, session: &Session) -> Option<Left> {
        let turns = session.turns();
        let before = turns.split_last().map_or(&[][..], |(_, before)| before);
        // The last one decides, and a program takes time to read.
        let numbered = before.iter().enumerate().rev();
        let mut goals = numbered.flat_map(|(before, turn)| {
            let goals = turn.goals.iter().rev();
            goals.map(move |goal| (before + 1, goal))
        });
        goals.find_map(|(number, goal)| {
            let stack = || session.stack().get(goal.uid).map(|goal| &goal.program);
            // The program of a goal that only became final is that of an earlier turn.
            let program = goal.program.as_ref().or_else(stack)?;
            if !Calls::of(program, &self.domain).may_write(&self.domain) {
                return None;
            }
            let overseer = self.overseer.as_ref();
            match overseer.and_then(|overseer| overseer.left(number, goal.uid)) {
                Some(Left::Nothing) => None,
                Some(left) => Some(left),
                None => goal.outcome.as_ref().map(|_| Left::Whole),
            }
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// What it called was done.
    Made,
    /// A part of its plan was carried out.
    Part,
    /// Nothing was.
    Nothing,
    Unknown,
}

/// What is left of the calls of a program that failed.
fn kept(execution: &Execution, error: &ProgramError, drafts: bool) -> Kept {
    let nothing = is_declined(error)
        || error.error == TOO_COSTLY
        || error.message.starts_with(NOTHING_CHANGED);
    let is_part = match drafts {
        true => error.error != LOST,
        false => error.error == INTERRUPTED,
    };
    match execution.ended_by {
        EndedBy::Overseer if !nothing && is_part => Kept::Part,
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

/// Notes what a program did that called these operations.
fn note_calls(doings: &mut Doings, execution: &Execution, domain: &Domain) {
    let calls = execution.calls.iter();
    let made = calls.filter(|call| call.error.is_none() && domain.writes(&call.operation));
    let effects = made.map(|call| domain.judged(&call.operation).map(|known| known.effect));
    let effects: Vec<Option<Access>> = effects.collect();
    if effects.is_empty() {
        return;
    }
    let is_exact = note_places(doings, execution, domain);
    for effect in effects {
        // Only where effects are known exactly is a write that removes told from others.
        let is_known = domain.effects.planning.is_some();
        doings.removed |= !is_known || effect == Some(Access::Delete);
        doings.wrote |= !is_known || effect != Some(Access::Delete);
        doings.shared |= !is_exact || effect == Some(Access::Share);
    }
}

/// Notes what a program did of whose plan a part was carried out.
fn note_part(doings: &mut Doings, execution: &Execution, domain: &Domain) {
    if note_places(doings, execution, domain) {
        let accesses = execution.touched.iter().flatten();
        let accesses: Vec<Access> = accesses.map(|touch| touch.access).collect();
        doings.removed |= accesses.contains(&Access::Delete);
        doings.wrote |= accesses.contains(&Access::Write) || accesses.contains(&Access::Share);
    } else {
        (doings.removed, doings.wrote, doings.shared) = (true, true, true);
    }
}

/// Notes the places of what was done. Returns whether they are known.
fn note_places(doings: &mut Doings, execution: &Execution, domain: &Domain) -> bool {
    let touches = domain.effects.touches.as_ref();
    let is_exact =
        domain.effects.planning.is_some() && touches.is_some_and(|it| !it.reaches_below());
    let is_named = |touched: &&Vec<Touch>| {
        let mut places = touched.iter().map(|touch| &touch.place);
        places.all(|place| !place.segments().is_empty())
    };
    let touched = execution.touched.as_ref();
    let Some(touched) = touched.filter(|touched| is_exact && is_named(touched)) else {
        doings.places = None;
        return false;
    };
    for Touch { access, place, .. } in touched {
        doings.shared |= *access == Access::Share;
        let Some(places) = &mut doings.places else {
            continue;
        };
        let list = match access {
            Access::Read => &mut places.read,
            Access::Delete if is_itself(place) => &mut places.removed,
            Access::Delete | Access::Write | Access::Share => &mut places.written,
        };
        list.push_str(&place.path());
        list.push('\n');
    }
    true
}

/// Whether a place is a thing or a version of one, and not a setting.
fn is_itself(place: &Place) -> bool {
    place.setting().is_none() || place.is_version()
}
