//! What models and people read of a report.

use super::{LISTED, Report};
use crate::domain::{counted, plural};
use crate::exec::CallRecord;
use crate::mcp_server::McpHost;
use crate::mcp_server::open::{Asked, Waiting};
use crate::service::CostView;
use indexmap::IndexMap;
use std::fmt::Write;

/// Where a link is that was signed.
const SIGNED: &str = "The user finds the link in the view of this answer, or else in what this \
                      server writes to its standard error. You have a form of it that does not \
                      work.";

impl Report {
    pub(super) fn text(&self) -> String {
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
