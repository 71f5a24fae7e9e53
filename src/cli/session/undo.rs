//! `dialog2api session undo`: undoes the writes of a program in a session.

use crate::cli::Exit;
use crate::cli::chat::{Front, Lines, undone_said, world_of};
use crate::cli::options::WorldOptions;
use crate::cli::policy::PolicyOptions;
use crate::cli::progress::Spinner;
use crate::cli::terminal::{self, clean};
use crate::domain::{Domain, Place};
use crate::error::{Error, Result};
use crate::journal::{Inverse, Origin, SessionStore};
use crate::plan::{Keeping, planning};
use crate::service::{How, OpenSession, Settle, StoredSession, Undone};
use clap::Args;
use std::sync::Arc;

/// The arguments of `session undo`.
#[derive(Debug, Args)]
#[command(after_help = "\
The same as /undo in a chat. The plan that undoes the other one is shown and needs consent.
It changes only places that are still as the other plan left them, and is recorded in the
journal. The policy of the session holds, unless another one is given. An interrupted apply is
not finished but undone; an interrupted undo is finished.

json: undoes (the number of the undone plan), plan, cannot_be_brought_back (place, because)
  and done (made, of, sentence), which is null without --yes: then nothing is changed.")]
pub struct UndoArgs {
    /// The session
    pub(super) name: String,

    /// The plan to undo, by its number in `session show` [default: the last one that
    /// changed something]
    #[arg(long, value_name = "NUMBER")]
    plan: Option<u64>,

    /// Undo without asking
    #[arg(long, short)]
    yes: bool,

    /// Print one JSON object, and ask nothing: without --yes nothing is done
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    world: WorldOptions,

    #[command(flatten)]
    policy: PolicyOptions,
}

/// Proposes the undo, and carries it out if the user agrees.
pub async fn undo(args: &UndoArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    let domain = &args.world.adapted(domain)?;
    let (policy, unfinished, shown) = {
        let reading = SessionStore::of_user()?.read(&args.name)?;
        let policy = (args.policy).of_session(domain, &reading.state.policy)?;
        let cut_off = reading.state.cut_off().filter(|_| args.plan.is_none());
        let unfinished = cut_off.and_then(|known| match known.planned.origin {
            Origin::Undo { of } => Some(of),
            Origin::Program { .. } => None,
        });
        let of = unfinished.map_or_else(|| reading.state.to_undo(args.plan), Ok);
        let of = of.map_err(usage)?;
        let shown = match args.json {
            true => reading.inverse(of, &**planning(domain)?, Keeping::default())?,
            false => None,
        };
        (policy, unfinished, shown)
    };
    if args.json && !args.yes {
        return print(shown.as_ref(), None).map(|()| Exit::Done);
    }
    let stored = StoredSession::find(SessionStore::of_user()?, Some(&args.name))?;
    let choice = world_of(domain, &stored, &args.world)?;
    let spinner = Arc::new(Spinner::new(quiet || args.json));
    let world = choice.open(true, &spinner).await?;
    let named = (choice.found.name.as_str(), &world);
    let (session, events) = OpenSession::open(&stored, named, domain, policy).await?;
    let front = Front::new(Lines::new(None)?, events, spinner);
    let mut front = front.of_command(args.yes, args.json);
    let undone = match unfinished.and_then(|_| session.cut_off()) {
        Some(cut_off) => match front.ask_to_finish(&cut_off, "Finish it? [y/N] ").await? {
            Some(true) => {
                let finish = session.settle(Settle::Finish);
                front.follow(&session, finish).await?
            }
            _ => None,
        },
        None => Some(front.follow(&session, session.undo(args.plan)).await?),
    };
    session.close()?;
    front.check_answered("--yes undoes without asking")?;
    let said = undone.as_ref().map(|it| undone_said(it, &domain.words));
    let said = said.unwrap_or_default();
    let how = undone.as_ref().map_or(How::Declined, |undone| undone.how);
    if args.json {
        print(shown.as_ref(), Some((undone.as_ref(), &said)))?;
    } else if !said.is_empty() && how != How::Nothing {
        terminal::print(format_args!("{}\n", clean(&said)))?;
    }
    match how {
        How::Nothing => Err(usage(said)),
        How::Denied => Ok(Exit::Findings),
        How::Declined | How::Whole => Ok(Exit::Done),
        How::Partly => Ok(Exit::Failed),
    }
}

/// Makes an error from a sentence.
fn usage(sentence: String) -> Error {
    let mut text = sentence.trim_end_matches('.').to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    Error::usage(text)
}

fn print(inverse: Option<&Inverse>, undone: Option<(Option<&Undone>, &str)>) -> Result<()> {
    let lost = inverse.map(|inverse| {
        let lost = inverse.undo.lost.iter();
        let lost = lost.map(|(place, because): &(Place, String)| {
            serde_json::json!({"place": place, "because": because})
        });
        lost.collect::<Vec<_>>()
    });
    terminal::print_json(&serde_json::json!({
        "undoes": inverse.map(|inverse| inverse.of),
        "plan": inverse.map(|inverse| inverse.undo.plan.json()),
        "cannot_be_brought_back": lost.unwrap_or_default(),
        "done": undone.map(|(undone, said)| serde_json::json!({
            "made": undone.map_or(0, |undone| undone.made),
            "of": undone.map_or(0, |undone| undone.of),
            "sentence": said,
        })),
    }))
}
