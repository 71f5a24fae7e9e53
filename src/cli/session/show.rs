//! `dialog2api session show`: shows the course of a session to people.

use super::transcript_view::entry_text;
use crate::cli::Exit;
use crate::cli::terminal::{self, BOLD, DIM, OPEN, Styled, one_line};
use crate::domain::{Domain, counted};
use crate::error::Result;
use crate::journal::{SessionState, SessionStore};
use clap::Args;
use std::fmt::Write;

/// The arguments of `session show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The session
    pub(super) name: String,
}

/// Shows a session.
pub fn show(args: &ShowArgs, domain: &Domain) -> Result<Exit> {
    let reading = SessionStore::of_user()?.read(&args.name)?;
    let mut text = String::new();
    let begin = reading.state.begin.clone().unwrap_or_default();
    let about = format!(
        "{} · {} · dialog2api {}",
        begin.world, begin.model, begin.dialog2api
    );
    let _ = writeln!(
        text,
        "{} {}\n",
        Styled(BOLD, one_line(&args.name)),
        Styled(DIM, format_args!("· {}", one_line(&about)))
    );
    let mut day = String::new();
    for line in &reading.lines {
        let Some(text_of_entry) = entry_text(&line.entry, domain) else {
            continue;
        };
        let today = line.at.strftime("%Y-%m-%d").to_string();
        if today != day {
            let _ = writeln!(text, "{}", Styled(DIM, format!("{today} (UTC)")));
            day = today;
        }
        let time = Styled(DIM, line.at.strftime("%H:%M:%S").to_string());
        for (number, line) in text_of_entry.lines().enumerate() {
            let _ = match number {
                0 => writeln!(text, "{time}  {line}"),
                _ => writeln!(text, "{:8}  {line}", ""),
            };
        }
    }
    text.push_str(&standing(&reading.state));
    if let Some(torn) = reading.torn {
        let note = format!(
            "\nThe last line of the journal ({}) is incomplete, because writing \
             it was interrupted. It is ignored.\n",
            counted(torn.bytes, "byte")
        );
        let _ = write!(text, "{}", Styled(OPEN, note));
    }
    terminal::print(text)?;
    Ok(Exit::Done)
}

/// Notes about a turn or an apply that is not finished.
fn standing(state: &SessionState) -> String {
    let mut text = String::new();
    if state.unfinished.is_some() {
        let note = "The last turn did not end: `dialog2api chat --session` goes on with it.";
        let _ = writeln!(text, "\n{}", Styled(OPEN, note));
    }
    if let Some(known) = state.cut_off() {
        let note = format!(
            "Plan {} was cut off after {} of {}{}.",
            known.planned.id,
            known.made.len(),
            counted(known.planned.writes.len(), "write"),
            match known.begun.len() {
                0 => String::new(),
                1 => ", and one more may have been made".to_owned(),
                more => format!(", and {more} more may have been made"),
            }
        );
        let _ = writeln!(text, "\n{}", Styled(OPEN, note));
    }
    text
}
