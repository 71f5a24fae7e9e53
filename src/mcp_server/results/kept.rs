//! What came of programs, plans and undos, as sessions and their journals have it.

use super::{LISTED, Report, Status, question};
use crate::dialogue::Outcome;
use crate::error::{Error, Result};
use crate::journal::{Ending, Origin, PlanState, PlanVerdict, SessionState};
use crate::mcp_server::open::{Asked, Open, Waiting};
use crate::mcp_server::{McpHost, app};
use crate::plan::Effect;
use crate::service::{How, TurnView, Undone};
use serde_json::Value as Json;
use std::sync::Arc;

impl Report {
    /// What waits for the answer of a person, whole.
    pub fn waiting(open: &Open, waiting: &Waiting, host: &dyn McpHost) -> Report {
        let (message, plan) = match &waiting.what {
            Asked::Plan(view) | Asked::Finish(view, _) => {
                let journal = open.conversation.open_session().journal();
                let plan = journal.with_state(|state| {
                    let known = state.plan(view.plan)?;
                    Some(known.planned.outline().json())
                });
                (question(waiting, None, host), plan)
            }
            Asked::GoOn(_) => (question(waiting, None, host), None),
        };
        let mut report = Report {
            status: Status::Waiting,
            session: Some(open.name.clone()),
            plan_id: Some(waiting.id.clone()),
            message,
            ..Report::default()
        };
        if let Asked::Plan(view) = &waiting.what {
            report.drawn = app::drawn(view);
        }
        if let Some(mut plan) = plan {
            for list in ["effects", "calls"] {
                if let Some(Json::Array(items)) = plan.get_mut(list) {
                    report.left_out += items.len().saturating_sub(LISTED);
                    items.truncate(LISTED);
                }
            }
            report.plan = Some(plan);
        }
        report
    }

    /// How an undo ended about which nobody was asked.
    pub fn undone(open: &Open, undone: Undone) -> Report {
        let status = match undone.how {
            How::Whole => Status::Done,
            How::Nothing => Status::Nothing,
            How::Declined => Status::Declined,
            How::Denied | How::Partly => Status::Failed,
        };
        Report {
            status,
            session: Some(open.name.clone()),
            message: undone.said,
            ..Report::default()
        }
    }

    /// What is known of a turn that has just ended. A failure leaves no outcome in the journal, but
    /// what the program printed and called before it is known.
    pub fn ended(open: &Open, turn: &TurnView) -> Result<Report> {
        let mut report = Report::turn(open, turn.turn)?;
        let is_kept = !report.calls.is_empty() || !report.output.is_empty();
        if !is_kept && let Some(run) = turn.runs.last() {
            report.output.clone_from(&run.output);
            report.calls = run.calls.to_vec();
            report.left_out = run.calls.len().saturating_sub(LISTED);
        }
        for note in &turn.notes {
            if !report.message.is_empty() {
                report.message.push('\n');
            }
            report.message.push_str(note);
        }
        Ok(report)
    }

    /// What the journal says of a turn that ended.
    pub fn turn(open: &Open, turn: usize) -> Result<Report> {
        let journal = open.conversation.open_session().journal();
        let report = journal.with_state(|state| turn_of(state, turn));
        let mut report = report.ok_or_else(|| {
            Error::usage("this program was replaced by another one, and is not kept")
        })?;
        report.session = Some(open.name.clone());
        Ok(report)
    }

    /// What the journal says of a plan that does not wait.
    pub fn plan(open: &Open, id: &str) -> Result<Report> {
        let journal = open.conversation.open_session().journal();
        let known = journal.with_state(|state| {
            let known = state.plan_named(&open.name, id)?;
            Some((known.planned.origin, undo_of(known)))
        });
        let mut report = match known {
            None => {
                return Err(Error::usage(format!(
                    "there is no plan {id} in the session {}: call run again",
                    open.name
                )));
            }
            Some((Origin::Program { turn, .. }, _)) => Report::turn(open, turn)?,
            Some((Origin::Undo { .. }, Some(report))) => report,
            Some((Origin::Undo { .. }, None)) => {
                return Err(Error::usage(format!(
                    "{id} does not wait any more: call undo again"
                )));
            }
        };
        report.session = Some(open.name.clone());
        report.plan_id = Some(id.to_owned());
        Ok(report)
    }
}

/// How the plan of an undo ended; `None` if it has no end.
fn undo_of(known: &PlanState) -> Option<Report> {
    let (status, message) = match (&known.decided, &known.end) {
        (Some((PlanVerdict::Decline { why }, _)), _) => (Status::Declined, why.clone()),
        (_, Some((Ending::Whole, _))) => (Status::Done, "Undone.".to_owned()),
        (_, Some((_, sentence))) => (Status::Failed, sentence.clone()),
        (_, None) => return None,
    };
    Some(Report {
        status,
        message,
        left_out: made(known).len().saturating_sub(LISTED),
        changes: made(known).to_vec(),
        ..Report::default()
    })
}

fn turn_of(state: &SessionState, turn: usize) -> Option<Report> {
    let known = state.turns.get(turn.checked_sub(1)?)?;
    let Some(ran) = known.executed.last() else {
        return Some(Report {
            message: known.reply.clone(),
            ..Report::default()
        });
    };
    let plans: Vec<&PlanState> = state.plans_of(turn, ran.uid).collect();
    let each: Vec<Arc<[Effect]>> = plans.iter().map(|known| made(known)).collect();
    let changes: Vec<Effect> = each.iter().flat_map(|made| made.iter()).cloned().collect();
    let calls = ran.calls.to_vec();
    let left_out = [changes.len(), calls.len()].map(|all| all.saturating_sub(LISTED));
    let declined = plans.last().and_then(|known| match &known.decided {
        Some((PlanVerdict::Decline { why }, _)) => Some(why.clone()),
        _ => None,
    });
    let mut report = Report {
        output: ran.output.clone(),
        unread: ran.unread.clone(),
        calls,
        changes,
        left_out: left_out.iter().sum(),
        ..Report::default()
    };
    match (declined, Outcome::from(&ran.outcome)) {
        (Some(why), _) => (report.status, report.message) = (Status::Declined, why),
        (None, Outcome::Result(value)) => {
            (report.status, report.result) = (Status::Done, Some(value));
        }
        (None, Outcome::Error(error)) => report.error = Some(error.into()),
    }
    Some(report)
}

/// The effects of a plan that were made.
fn made(known: &PlanState) -> Arc<[Effect]> {
    match known.made.is_empty() {
        true => Arc::default(),
        false => known.planned.outline().only(&known.numbers()).effects,
    }
}
