//! `dialog2api session list`: lists all sessions.

use crate::cli::Exit;
use crate::cli::terminal::{self, BAD, BOLD, DIM, GOOD, OPEN, Styled, one_line};
use crate::domain::counted;
use crate::error::Result;
use crate::journal::{SessionStore, SessionSummary, Standing};
use clap::Args;
use std::fmt::Write;

/// The arguments of `session list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Print a JSON array: name, last, turns, world, state
    #[arg(long)]
    json: bool,
}

/// Lists the sessions.
pub fn list(args: &ListArgs) -> Result<Exit> {
    let sessions = SessionStore::of_user()?.list()?;
    if args.json {
        terminal::print_json(&sessions)?;
        return Ok(Exit::Done);
    }
    if sessions.is_empty() {
        terminal::print("There is no session yet: `dialog2api chat --session NAME` begins one.\n")?;
        return Ok(Exit::Done);
    }
    let width = |of: fn(&SessionSummary) -> &str| {
        let lengths = sessions.iter().map(|it| one_line(of(it)).chars().count());
        lengths.max().unwrap_or(0)
    };
    let (names, worlds) = (width(|it| &it.name), width(|it| &it.world));
    let mut text = String::new();
    for session in &sessions {
        let last = session.last.as_deref().unwrap_or_default();
        let last = last.get(..19).unwrap_or(last).replace('T', " ");
        let (style, state) = match session.state {
            Standing::Ended => (DIM, "ended"),
            Standing::Open => (GOOD, "open"),
            Standing::CutOff => (OPEN, "cut off"),
            Standing::Damaged => (BAD, "damaged: `dialog2api session show` says how"),
        };
        let turns = counted(session.turns, "turn");
        let _ = writeln!(
            text,
            "{}  {:19}  {:worlds$}  {turns:>9}  {}",
            Styled(BOLD, format!("{:names$}", one_line(&session.name))),
            last,
            one_line(&session.world),
            Styled(style, state)
        );
    }
    terminal::print(text)?;
    Ok(Exit::Done)
}
