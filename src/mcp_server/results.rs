//! What came of a call: as text for models, and as JSON for programs.

use super::open::{Asked, Open, Waiting};
use super::told::Told;
use super::{McpHost, app, tools};
use crate::dialogue::{Outcome, ProgramError};
use crate::domain::{SharedLink, counted, plural};
use crate::error::{Error, Result};
use crate::exec::CallRecord;
use crate::journal::{Ending, Origin, PlanState, PlanVerdict, SessionState};
use crate::plan::Effect;
use crate::service::{CostView, How, TurnView, Undone};
use indexmap::IndexMap;
use rmcp::model::{CallToolResult, ContentBlock};
use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use std::fmt::Write;
use std::sync::Arc;

/// The most effects and calls that are listed. The others are counted.
const LISTED: usize = 500;

/// Where a link is that was signed.
const SIGNED: &str = "The user finds the link in the view of this answer, or else in what this \
                      server writes to its standard error. You have a form of it that does not \
                      work.";

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is done.
    Done,
    /// A program, or what it should do, failed.
    #[default]
    Failed,
    /// A person has to agree first.
    Waiting,
    /// A person said no, or the plan was discarded.
    Declined,
    /// There was nothing to do.
    Nothing,
}

/// What came of a program, a plan or an undo.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    pub status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_id: Option<String>,
    /// What the program returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
    /// What the program printed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// In words, where there is something to add.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// In a domain with worksheets: what is filled in, what is missing, and why it is asked.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub forms: String,
    /// What people should know of the world.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What the links are for that were signed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// The listings that the program did not read to the end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "listed")]
    pub calls: Vec<CallRecord>,
    /// What was changed.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "listed")]
    pub changes: Vec<Effect>,
    /// The plan that waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Json>,
    /// How many effects and calls of the plan, or of what was done, are not listed in the JSON. The text
    /// counts calls, and leaves none out.
    #[serde(skip_serializing_if = "crate::plan::is_zero")]
    pub left_out: usize,
    /// What a view draws of the plan that waits. It is no part of what models read.
    #[serde(skip)]
    pub drawn: Option<Json>,
    /// The links themselves, which models do not read either.
    #[serde(skip)]
    pub shared: Vec<SharedLink>,
}

/// An error, with its line in the program.
#[derive(Debug, Serialize)]
pub struct Failure {
    pub error: String,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traceback: Option<String>,
}

impl From<ProgramError> for Failure {
    fn from(error: ProgramError) -> Self {
        Failure {
            line: error.line(),
            error: error.error,
            message: error.message,
            traceback: error.traceback,
        }
    }
}

impl Report {
    /// A program that could not be read.
    pub fn unread(error: ProgramError) -> Report {
        Report {
            error: Some(error.into()),
            ..Report::default()
        }
    }

    /// What waits for the answer of a person, whole.
    pub fn waiting(open: &Open, waiting: &Waiting, host: &dyn McpHost) -> Report {
        let (message, plan) = match &waiting.what {
            Asked::Plan(view) | Asked::Finish(view, _) => {
                let journal = open.conversation.ledger().journal();
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
        let journal = open.conversation.ledger().journal();
        let report = journal.with_state(|state| turn_of(state, turn));
        let mut report = report.ok_or_else(|| {
            Error::Usage("this program was replaced by another one, and is not kept".to_owned())
        })?;
        report.session = Some(open.name.clone());
        Ok(report)
    }

    /// What the journal says of a plan that does not wait.
    pub fn plan(open: &Open, id: &str) -> Result<Report> {
        let journal = open.conversation.ledger().journal();
        let known = journal.with_state(|state| {
            let known = state.plan_named(&open.name, id)?;
            Some((known.planned.origin, undo_of(known)))
        });
        let mut report = match known {
            None => {
                return Err(Error::Usage(format!(
                    "there is no plan {id} in the session {}: call run again",
                    open.name
                )));
            }
            Some((Origin::Program { turn, .. }, _)) => Report::turn(open, turn)?,
            Some((Origin::Undo { .. }, Some(report))) => report,
            Some((Origin::Undo { .. }, None)) => {
                return Err(Error::Usage(format!(
                    "{id} does not wait any more: call undo again"
                )));
            }
        };
        report.session = Some(open.name.clone());
        report.plan_id = Some(id.to_owned());
        Ok(report)
    }

    /// The same with the forms of its session, as they are now. That they cannot be read keeps
    /// nothing else from being told.
    #[must_use]
    pub fn showing(mut self, open: &Open) -> Report {
        self.forms = match open.conversation.situation() {
            Ok(Some(situation)) => situation.shown,
            Ok(None) => String::new(),
            Err(error) => error.to_string(),
        };
        self
    }

    /// The same with what was told of the world meanwhile.
    #[must_use]
    pub fn telling(mut self, Told { notes, links }: Told) -> Report {
        self.notes = notes;
        self.links = links.iter().map(|link| link.about.clone()).collect();
        self.shared = links;
        self
    }

    /// The answer to a call. Links are in it where a view shows them to the user.
    pub fn answer(&self, has_view: bool) -> CallToolResult {
        let json = serde_json::to_value(self).unwrap_or_default();
        let mut result = match self.status {
            Status::Failed => CallToolResult::structured_error(json),
            _ => CallToolResult::structured(json),
        };
        result.content = vec![ContentBlock::text(self.text())];
        let links = if has_view { &self.shared[..] } else { &[] };
        result.meta = app::of_answer(self.drawn.as_ref(), links);
        result
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let mut part = |label: &str, said: &str| {
            if !said.is_empty() {
                let _ = writeln!(text, "{label}{}", said.trim_end());
            }
        };
        if let Some(error) = &self.error {
            let line = error.line.map(|line| format!(" (line {line})"));
            let name = format!("{}{}", error.error, line.unwrap_or_default());
            part("error: ", &format!("{name}: {}", error.message));
            part("", error.traceback.as_deref().unwrap_or_default());
        }
        if let Some(result) = &self.result {
            part("result: ", &result.to_string());
        }
        part("output: ", &self.output);
        part("", &self.message);
        part("forms:\n", &self.forms);
        for note in &self.notes {
            part("", note);
        }
        for about in &self.links {
            part("signed: ", about);
        }
        if !self.links.is_empty() {
            part("", SIGNED);
        }
        for sentence in &self.unread {
            part("", sentence);
        }
        for effect in self.changes.iter().take(LISTED) {
            let kind = serde_json::to_value(effect.effect).unwrap_or_default();
            let kind = kind.as_str().unwrap_or_default();
            part("changed: ", &format!("{} ({kind})", effect.place));
        }
        let more = self.changes.len().saturating_sub(LISTED);
        if more > 0 {
            let are = plural(more, "is", "are");
            part(
                "",
                &format!("{} {are} not listed.", counted(more, "more change")),
            );
        }
        part("calls: ", &called(&self.calls));
        part("session: ", self.session.as_deref().unwrap_or_default());
        part("plan_id: ", self.plan_id.as_deref().unwrap_or_default());
        text
    }
}

/// The first of a list; [`Report::left_out`] counts the others.
fn listed<T: Serialize, S: Serializer>(all: &[T], to: S) -> std::result::Result<S::Ok, S::Error> {
    to.collect_seq(all.iter().take(LISTED))
}

/// How often each operation was called, in the order of the first calls: `list_objects, head_object × 37`.
fn called(calls: &[CallRecord]) -> String {
    let mut tally: IndexMap<(&str, Option<&str>), usize> = IndexMap::new();
    for call in calls {
        let call = (&*call.operation, call.error.as_deref());
        *tally.entry(call).or_default() += 1;
    }
    let each = tally.iter().map(|((operation, error), count)| {
        let error = error.map(|code| format!(" → {code}")).unwrap_or_default();
        match count {
            1 => format!("{operation}{error}"),
            _ => format!("{operation}{error} × {count}"),
        }
    });
    each.collect::<Vec<_>>().join(", ")
}

/// A question in words: what waits, what it would do, and the program for those who have not written it.
pub fn question(waiting: &Waiting, program: Option<&str>, host: &dyn McpHost) -> String {
    match &waiting.what {
        Asked::Plan(plan) => host.plan(plan, program),
        Asked::GoOn(CostView { costly, .. }) => format!(
            "The program costs time and money: {costly}. How much is still to come is not known. \
             If it goes on, it begins again.\n"
        ),
        Asked::Finish(plan, cut_off) => format!(
            "The apply of this plan was cut off after {} of {}. Finish it?\n{}",
            cut_off.made,
            counted(cut_off.of, "write"),
            host.plan(plan, program)
        ),
    }
}

/// Text and JSON of something that was looked up.
pub fn looked_up(text: String, json: Json) -> CallToolResult {
    let mut result = CallToolResult::structured(json);
    result.content = vec![ContentBlock::text(text)];
    result
}

/// The answer to a call that could not be carried out.
pub fn refused(error: &Error) -> CallToolResult {
    let report = Report {
        error: Some(Failure {
            error: tools::REFUSED.to_owned(),
            message: error.to_string(),
            line: None,
            traceback: None,
        }),
        ..Report::default()
    };
    report.answer(false)
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
