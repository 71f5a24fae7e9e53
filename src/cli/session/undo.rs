//! `dialog2api session undo`: what a program of a session did is taken back.

use crate::cli::Exit;
use crate::cli::chat::{Asker, Lines, world_of};
use crate::cli::options::WorldOptions;
use crate::cli::policy::PolicyOptions;
use crate::cli::progress::Spinner;
use crate::cli::terminal::{self, clean};
use crate::cli::undo::{How, Undoer, Undone, planning};
use crate::domain::Place;
use crate::error::{Error, Result};
use crate::journal::{Inverse, Origin, Store};
use crate::plan::Keeping;
use crate::service::StoredSession;
use clap::Args;
use std::sync::Arc;

/// What was typed.
#[derive(Debug, Args)]
#[command(after_help = "\
The same as /undo in a chat: the plan that takes back the other one is shown, asked about,
carried out where all is as that one left it, and written in the journal. An apply that was
cut off ends where it is, and is taken back; an undo that was cut off is finished.

json: undoes (the number of the plan that is taken back), plan, cannot_be_brought_back
  (place, because) and done (made, of, sentence), which is null without --yes: then nothing
  is changed.")]
pub struct UndoArgs {
    /// The session
    name: String,

    /// The plan that is taken back, by its number in `session show` [default: the last one
    /// that changed something]
    #[arg(long, value_name = "NUMBER")]
    plan: Option<u64>,

    /// Do it without a question
    #[arg(long, short)]
    yes: bool,

    /// One JSON object, and no question: without --yes nothing is done
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    world: WorldOptions,

    #[command(flatten)]
    policy: PolicyOptions,
}

/// Takes it back, if that is agreed to.
pub async fn undo(args: &UndoArgs, quiet: bool) -> Result<Exit> {
    let policy = args.policy.of_dialogue()?;
    let keeping = Keeping::default();
    let reading = Store::of_user()?.read(&args.name)?;
    let cut_off = reading.state.cut_off().filter(|_| args.plan.is_none());
    let unfinished = cut_off.and_then(|known| match known.planned.origin {
        Origin::Undo { of } => Some((known.planned.id, of, known.made.len())),
        Origin::Program { .. } => None,
    });
    let of = match unfinished {
        Some((_, of, _)) => Ok(of),
        None => reading.state.to_undo(args.plan),
    };
    let shown = reading.inverse(of.map_err(usage)?, planning(), keeping)?;
    if args.json && !args.yes {
        return print(shown.as_ref(), None).map(|()| Exit::Done);
    }
    let stored = StoredSession::find(Store::of_user()?, Some(&args.name))?;
    let choice = world_of(&stored, &args.world)?;
    let spinner = Arc::new(Spinner::new(quiet));
    let opened = choice.open(true, &spinner).await?;
    let world = &opened.world;
    let journal = stored.resume(choice.name(), &opened).await?;
    let asker = Asker::new(Lines::new(None)?, policy.mode);
    let asker = if args.yes { asker.agreeing() } else { asker };
    let asker = if args.json { asker.silent() } else { asker };
    let undoer = Undoer {
        journal: &journal,
        world: &**world,
        policy: Some(&policy),
        keeping,
        asker: &asker,
        quiet: quiet || args.json,
    };
    let work = async {
        match unfinished {
            Some((id, of, made)) => {
                let line = format!("The undo of plan {of} was cut off after {made} writes.");
                asker.show(format_args!("{line}\n"))?;
                match tokio::task::block_in_place(|| asker.ask("Finish it? [y/N] "))? {
                    Some(true) => undoer.finish(id, of).await,
                    _ => Ok(Undone::without_change(How::Declined, "")),
                }
            }
            None => undoer.undo(args.plan).await,
        }
    };
    let undone = stoppable(work, &asker).await?;
    // A turn that was interrupted is still to be carried on, in a chat.
    if journal.unfinished().is_none() {
        journal.ended()?;
    }
    if args.json {
        print(shown.as_ref(), Some(&undone))?;
    } else if !undone.said.is_empty() && undone.how != How::Nothing {
        terminal::print(format_args!("{}\n", clean(&undone.said)))?;
    }
    match undone.how {
        How::Nothing => Err(usage(undone.said)),
        How::Denied => Ok(Exit::Findings),
        How::Declined | How::Whole => Ok(Exit::Done),
        How::Partly => Ok(Exit::Failed),
    }
}

/// A sentence as an error.
fn usage(sentence: String) -> Error {
    let mut text = sentence.trim_end_matches('.').to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    Error::Usage(text)
}

/// Waits for an undo. Ctrl-C ends its apply before the next write.
async fn stoppable(work: impl Future<Output = Result<Undone>>, asker: &Asker) -> Result<Undone> {
    tokio::pin!(work);
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            Ok(()) = tokio::signal::ctrl_c() => {
                if !asker.stop() {
                    let said = "Stopped. Nothing was changed.";
                    return Ok(Undone::without_change(How::Partly, said));
                }
            }
        }
    }
}

fn print(inverse: Option<&Inverse>, undone: Option<&Undone>) -> Result<()> {
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
        "done": undone.map(|undone| serde_json::json!({
            "made": undone.made.0,
            "of": undone.made.1,
            "sentence": undone.said,
        })),
    }))
}
