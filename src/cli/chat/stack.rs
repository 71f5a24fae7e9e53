//! A goal of the stack, for people.

use crate::agent::Executed;
use crate::cli::terminal::{BAD, BOLD, DIM, GOOD, OPEN, Styled, clean};
use crate::cli::{highlight, show};
use crate::dialogue::{Goal, Outcome, Status};
use std::fmt::Write;

/// So many lines of a program or a result are shown.
const LINES: usize = 40;
/// And so many characters of each.
const COLUMNS: usize = 400;

/// A goal with its program and outcome; `executed`, when it ran just now.
pub fn goal(goal: &Goal, executed: Option<&Executed>) -> String {
    let failed = goal.outcome.as_ref().is_some_and(Outcome::is_error);
    let style = match goal.status {
        Status::Drafting => OPEN,
        Status::Final if failed => BAD,
        Status::Final => GOOD,
        Status::Abandoned => DIM,
    };
    let mut text = String::new();
    let name = Styled(BOLD, format!("goal {}", goal.uid));
    let status = Styled(style, goal.status);
    let _ = write!(text, "  {name}  {status}");
    if let Some(done) = executed {
        let elapsed = show::elapsed(done.execution.elapsed);
        let _ = write!(text, "{}", Styled(DIM, format!(" · {elapsed}")));
    }
    text.push('\n');
    for line in cut(highlight::python(goal.program.code())) {
        let _ = writeln!(text, "  {} {line}", Styled(DIM, "│"));
    }
    if let Some(done) = executed {
        labelled(
            &mut text,
            &Styled(DIM, "printed"),
            &clean(&done.execution.output),
        );
    }
    match &goal.outcome {
        Some(Outcome::Result(value)) => {
            labelled(&mut text, &Styled(GOOD, "result "), &show::json(value));
        }
        Some(Outcome::Error(error)) => {
            labelled(
                &mut text,
                &Styled(BAD, "error  "),
                &clean(&show::error(error)),
            );
        }
        None => {}
    }
    text
}

/// A label, and the lines beside it. Nothing for an empty text.
pub fn labelled<T: std::fmt::Display>(text: &mut String, label: &Styled<T>, content: &str) {
    let lines = content.lines().map(str::to_owned).collect();
    for (number, line) in cut(lines).iter().enumerate() {
        let _ = match number {
            0 => writeln!(text, "  {label}  {line}"),
            _ => writeln!(text, "  {:7}  {line}", ""),
        };
    }
}

/// The beginning of a text that is too long to look at.
fn cut(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(LINES);
    if more > 0 {
        lines.truncate(LINES);
        let more = format!("… ({more} more lines)");
        lines.push(Styled(DIM, more).to_string());
    }
    for line in &mut lines {
        if let Some((end, _)) = line.char_indices().nth(COLUMNS) {
            line.truncate(end);
            line.push('…');
        }
    }
    lines
}
