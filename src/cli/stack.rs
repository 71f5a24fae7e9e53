//! Shows goals, and the changes of a turn, to people.

use super::terminal::{BAD, BOLD, DIM, GOOD, OPEN, Styled, clean, columns};
use super::{highlight, show};
use crate::dialogue::{ConversationalException, Goal, Outcome, Status};
use crate::domain::{Change, ChangeKind, counted};
use std::borrow::Cow;
use std::fmt::Write;
use std::time::Duration;

/// How many lines of a program or a result are shown.
const LINES: usize = 40;
/// How many characters of each line are shown.
const COLUMNS: usize = 400;
/// How many changes of the world are shown after a turn.
const CHANGES: usize = 20;

/// A goal with its program and outcome. If the program has just run, `ran` is how long it
/// took, and its output.
pub fn goal(goal: &Goal, ran: Option<(Duration, &str)>) -> String {
    let failed = goal.outcome.as_ref().is_some_and(Outcome::is_error);
    let conversational = matches!(&goal.outcome, Some(Outcome::Error(error))
        if ConversationalException::named(&error.error).is_some());
    let style = match goal.status {
        Status::Drafting => OPEN,
        Status::Final if conversational => OPEN,
        Status::Final if failed => BAD,
        Status::Final => GOOD,
        Status::Abandoned => DIM,
    };
    let mut text = String::new();
    let name = Styled(BOLD, format!("goal {}", goal.uid));
    let status = Styled(style, goal.status);
    let _ = write!(text, "  {name}  {status}");
    if let Some((elapsed, _)) = ran {
        let elapsed = show::elapsed(elapsed);
        let _ = write!(text, "{}", Styled(DIM, format!(" · {elapsed}")));
    }
    text.push('\n');
    for line in highlight::python(&clip(&dedent(goal.program.code()))) {
        let _ = writeln!(text, "  {} {line}", Styled(DIM, "│"));
    }
    if let Some((_, output)) = ran {
        text.push_str(&printed(output));
    }
    match &goal.outcome {
        Some(Outcome::Result(value)) => {
            labelled(
                &mut text,
                &Styled(GOOD, "result "),
                &clip(&show::json(value)),
            );
        }
        Some(Outcome::Error(error)) => {
            labelled(
                &mut text,
                &Styled(style, "error  "),
                &clean(&show::error(error)),
            );
        }
        None => {}
    }
    text
}

/// What a program printed, beside its label. Nothing if that is nothing.
pub fn printed(output: &str) -> String {
    let mut text = String::new();
    labelled(&mut text, &Styled(DIM, "printed"), &clip(&clean(output)));
    text
}

/// The changes of the world, one per line. Empty if there are none.
pub fn changes(changes: &[Change]) -> String {
    let mut sorted: Vec<&Change> = changes.iter().collect();
    if changes.len() > CHANGES {
        // What is gone is not among those that are only counted.
        sorted.sort_by_key(|change| match change.kind {
            ChangeKind::Deleted => 0,
            ChangeKind::Overwritten => 1,
            ChangeKind::Created => 2,
        });
    }
    let mut lines: Vec<String> = sorted.into_iter().take(CHANGES).map(change).collect();
    if let Some(more) = changes.len().checked_sub(CHANGES).filter(|more| *more > 0) {
        lines.push(format!("… ({more} more)"));
    }
    let mut text = String::new();
    labelled(&mut text, &Styled(DIM, "world  "), &lines.join("\n"));
    text
}

fn change(change: &Change) -> String {
    let style = match change.kind {
        ChangeKind::Created => GOOD,
        ChangeKind::Overwritten => OPEN,
        ChangeKind::Deleted => BAD,
    };
    Styled(style, clip(&columns(&change.line))).to_string()
}

/// A label with lines beside it. Nothing for an empty text.
pub fn labelled<T: std::fmt::Display>(text: &mut String, label: &Styled<T>, content: &str) {
    for (number, line) in content.lines().enumerate() {
        let _ = match number {
            0 => writeln!(text, "  {label}  {line}"),
            _ => writeln!(text, "  {:7}  {line}", ""),
        };
    }
}

/// Removes the indentation that all lines of the code share. Models indent the body of a
/// function, which the frame around the code already shows.
fn dedent(code: &str) -> String {
    let lines = || code.lines().filter(|line| !line.trim().is_empty());
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let shared = lines().map(indent).min().unwrap_or(0);
    let lines = code.lines().map(|line| line.get(shared..).unwrap_or(""));
    lines.collect::<Vec<_>>().join("\n")
}

/// The beginning of a text that is too long to read. For plain text only, since a style
/// would be cut as well.
pub fn clip(text: &str) -> Cow<'_, str> {
    let fits = |line: &str| line.len() <= COLUMNS || line.chars().nth(COLUMNS).is_none();
    let count = text.lines().count();
    if count <= LINES && text.lines().all(fits) {
        return Cow::Borrowed(text);
    }
    let lines = text
        .lines()
        .take(LINES)
        .map(|line| match line.char_indices().nth(COLUMNS) {
            Some((end, _)) => Cow::Owned(format!("{}…", line.get(..end).unwrap_or(line))),
            None => Cow::Borrowed(line),
        });
    let mut clipped: Vec<Cow<'_, str>> = lines.collect();
    if count > LINES {
        clipped.push(format!("… ({})", counted(count - LINES, "more line")).into());
    }
    Cow::Owned(clipped.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_shown_without_its_shared_indentation() {
        assert_eq!(dedent("    if x:\n\n        y\n  "), "if x:\n\n    y\n");
        assert_eq!(dedent("x = '''\n    a'''"), "x = '''\n    a'''");
    }

    #[test]
    fn long_texts_are_clipped_by_lines_and_columns() {
        assert!(matches!(clip("short\ntext"), Cow::Borrowed("short\ntext")));
        let wide = clip(&"ä".repeat(500)).into_owned();
        assert_eq!(wide.chars().count(), COLUMNS + 1);
        let long = "line\n".repeat(50);
        let long = clip(&long);
        assert_eq!(long.lines().count(), LINES + 1);
        assert!(long.ends_with("… (10 more lines)"), "{long}");
    }
}
