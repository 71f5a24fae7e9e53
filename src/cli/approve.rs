//! `dialog2api plan`: a person agrees at a terminal to a plan that waits in another process.

use super::Exit;
use super::chat::lines;
use super::plan::{self, Extent};
use super::terminal::{self, BOLD, Styled, one_line};
use crate::dialogue::Program;
use crate::domain::Domain;
use crate::error::{Error, Result};
use crate::journal::{PlanVerdict, ReadSession, SessionStore, read_plan_id};
use crate::service::PlanView;
use clap::{Args, Subcommand};
use std::io::IsTerminal;

/// The arguments of `plan`.
#[derive(Debug, Args)]
pub struct PlanArgs {
    #[command(subcommand)]
    command: PlanCommand,
}

#[derive(Debug, Subcommand)]
enum PlanCommand {
    /// Show a plan that waits and ask about it. The next `apply` of that very plan carries it
    /// out; any other plan has another name
    Approve {
        /// The plan, as the tool `run` of `dialog2api mcp` names it: SESSION:DIGITS
        id: String,
    },
}

impl PlanArgs {
    /// The session that it is about.
    pub fn session(&self) -> Option<&str> {
        let PlanCommand::Approve { id } = &self.command;
        read_plan_id(id).ok().map(|(session, _)| session)
    }
}

/// Runs the subcommand.
pub fn plan(args: &PlanArgs, domain: &Domain) -> Result<Exit> {
    let PlanCommand::Approve { id } = &args.command;
    approve(id, domain)
}

fn approve(id: &str, domain: &Domain) -> Result<Exit> {
    let store = SessionStore::of_user()?;
    let (session, _) = read_plan_id(id)?;
    let ReadSession {
        state, contents, ..
    } = store.read(session)?;
    let unknown = || Error::usage(format!("there is no plan {id} in the session {session}"));
    let known = state.plan_named(session, id).ok_or_else(unknown)?;
    let ended = match &known.decided {
        _ if known.given_up => Some("was replaced by another one"),
        Some((PlanVerdict::Decline { .. }, _)) => Some("was declined"),
        Some((PlanVerdict::Apply {}, _)) if !known.is_open() => Some("was carried out"),
        _ => None,
    };
    if let Some(ended) = ended {
        return Err(Error::usage(format!("the plan {id} {ended}")));
    }
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Err(Error::usage(
            "a person has to read the plan and to type yes: run this in a terminal",
        ));
    }
    let planned = &known.planned;
    let view = PlanView::new(
        planned.id,
        planned.origin,
        &planned.shown(&contents),
        &domain.words,
    );
    let view = view.with_file(&store.folder().join(session));
    let program = state.program_of(planned.origin).map(Program::code);
    let mut extent = Extent::Asked;
    loop {
        let head = Styled(BOLD, plan::head(&view)).to_string();
        let end = plan::program(program);
        terminal::print(format_args!("{head}\n{}{end}", plan::table(&view, extent)))?;
        terminal::print("Type yes to approve it: ")?;
        lines::forget_typed_ahead();
        let line = lines::read_line()?.unwrap_or_default();
        match line.trim() {
            "all" if extent == Extent::Asked && plan::is_cut(&view) => extent = Extent::Whole,
            "yes" => break,
            _ => {
                terminal::print("Not approved. Nothing is changed.\n")?;
                return Ok(Exit::Done);
            }
        }
    }
    store.approve(id)?;
    let id = one_line(id);
    terminal::print(format_args!(
        "Approved. The next apply of {id} carries it out.\n"
    ))?;
    Ok(Exit::Done)
}
