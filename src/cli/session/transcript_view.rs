//! Journal entries as text for people.

use crate::cli::plan::{Extent, table};
use crate::cli::stack;
use crate::cli::terminal::{
    AGENT, BAD, BOLD, DIM, GOOD, OPEN, Styled, USER, clean, framed, one_line,
};
use crate::cli::{highlight, show as words};
use crate::dialogue::Outcome;
use crate::domain::{Domain, counted};
use crate::journal::{
    DecidedBy, Ended, Ending, Entry, ExecutionRecord, Origin, PlanVerdict, Planned, UpdateRecord,
};
use crate::service::PlanView;
use std::fmt::Write;

/// An entry as text; `None` for an entry that means nothing to people.
pub fn entry_text(entry: &Entry, domain: &Domain) -> Option<String> {
    Some(match entry {
        Entry::Begin(_) => Styled(DIM, "the session begins").to_string(),
        Entry::Resumed {} => Styled(DIM, "the session is resumed").to_string(),
        Entry::Ended {} => Styled(DIM, "the session ends").to_string(),
        Entry::Policy { text } => format!("another policy holds\n{}", clean(text.trim_end())),
        Entry::Moved { identity, .. } => format!("the world is now at {}", one_line(identity)),
        Entry::Granted { folders } => {
            let folder = |(root, path): (&String, &String)| {
                format!("{} is now the folder {}", one_line(root), one_line(path))
            };
            let folders: Vec<String> = folders.iter().map(folder).collect();
            folders.join("\n")
        }
        Entry::Said { turn, user, .. } => {
            format!("{} {}", Styled(USER, format!("{turn} You:")), clean(user))
        }
        Entry::Replied { text, .. } => {
            format!("{} {}", Styled(AGENT, "Agent:"), framed(&clean(text)))
        }
        Entry::TakenBack { turn } => format!("turn {turn} is taken back"),
        // The model's answer is shown in its interpreted form, as `Predicted`.
        Entry::Asked(_) | Entry::Intent { .. } => return None,
        Entry::Predicted { updates, .. } => {
            let updates: Vec<String> = updates.iter().map(update).collect();
            updates.join("\n")
        }
        Entry::Plan(planned) => plan(planned, domain),
        Entry::Decided { plan, verdict, by } => {
            let by = match by {
                DecidedBy::User => "the user",
                DecidedBy::Words => "the user in words",
                DecidedBy::Policy => "the policy",
                DecidedBy::Client => "the client",
            };
            match verdict {
                PlanVerdict::Apply {} => {
                    format!("plan {plan}: {} by {by}", Styled(GOOD, "agreed to"))
                }
                PlanVerdict::Decline { why } => format!(
                    "plan {plan}: {} by {by}: {}",
                    Styled(BAD, "declined"),
                    one_line(why)
                ),
            }
        }
        Entry::Done { plan, number, .. } => {
            let done = format!("plan {plan}: write {} is made", number + 1);
            Styled(DIM, done).to_string()
        }
        Entry::Applied {
            plan,
            end,
            sentence,
            ..
        } => match end {
            Ending::Whole => format!("plan {plan}: {}", Styled(GOOD, "applied")),
            _ => format!(
                "plan {plan}: {}. {}",
                Styled(BAD, "ended early"),
                one_line(sentence)
            ),
        },
        Entry::Executed(ran) => executed(ran),
        // What came of it stands in the outcome of the program.
        Entry::Kept { .. } => return None,
        Entry::Undone { plan } => format!("plan {plan} is undone"),
    })
}

fn update(update: &UpdateRecord) -> String {
    let name = Styled(BOLD, format!("goal {}", update.uid));
    let mut text = format!("{name}  {}\n", Styled(OPEN, update.status));
    if let Some(program) = &update.program {
        for line in highlight::python(&stack::clip(program.code())) {
            let _ = writeln!(text, "{} {line}", Styled(DIM, "│"));
        }
    }
    text
}

fn plan(planned: &Planned, domain: &Domain) -> String {
    let from = match planned.origin {
        Origin::Program { uid, .. } => format!("of goal {uid}"),
        Origin::Undo { of } => format!("to undo plan {of}"),
    };
    let writes = counted(planned.writes.len(), "write");
    let name = Styled(BOLD, format!("plan {}", planned.id));
    let (origin, outline) = (planned.origin, planned.outline());
    let view = PlanView::new(planned.id, origin, &outline, &domain.words);
    format!("{name} {from}: {writes}\n{}", table(&view, Extent::Short))
}

fn executed(ran: &ExecutionRecord) -> String {
    let elapsed = words::elapsed(std::time::Duration::from_micros(ran.elapsed));
    let name = Styled(BOLD, format!("goal {}", ran.uid));
    let mut text = format!("{name} has run in {elapsed}\n");
    if !ran.output.is_empty() {
        let printed = clean(&ran.output);
        stack::labelled(&mut text, &Styled(DIM, "printed"), &stack::clip(&printed));
    }
    match &ran.outcome {
        Ended::Result(value) => {
            let value = words::json(value);
            stack::labelled(&mut text, &Styled(GOOD, "result "), &stack::clip(&value));
        }
        Ended::Error(_) => {
            if let Outcome::Error(error) = Outcome::from(&ran.outcome) {
                let error = clean(&words::error(&error)).into_owned();
                stack::labelled(&mut text, &Styled(BAD, "error  "), &error);
            }
        }
    }
    text
}
