//! `dialog2api dataset annotate`.

use crate::cli::progress::Spinner;
use crate::cli::terminal;
use crate::cli::{Exit, prepare};
use crate::dataset::{self, Dialogue, Replayer, Worlds};
use crate::dialogue::write_conversation;
use crate::domain::Domain;
use crate::error::{Error, Result};
use crate::files::{self, Readers};
use clap::Args;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// What was typed.
#[derive(Debug, Args)]
#[command(after_help = "Exit code 3 where a dialogue breaks a rule; it is then not written.")]
pub struct AnnotateArgs {
    /// The dialogues
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The world to start from: a name, or a description (FILE.toml). Every dialogue gets
    /// a copy of its own [default: the one that the dialogue names]
    #[arg(long, short, value_name = "WORLD")]
    world: Option<String>,

    /// Write each dialogue in the place of its file, instead of printing it
    #[arg(long)]
    write: bool,
}

/// Annotates the dialogues, one after the other.
pub async fn annotate(args: &AnnotateArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    let replayer = Replayer::new(Arc::new(prepare::engine(domain, quiet).await?));
    let worlds = match &args.world {
        Some(spec) => Worlds::all_from(domain, spec),
        None => Worlds::new(domain),
    };
    let mut exit = Exit::Done;
    for path in &args.files {
        let dialogue = Dialogue::read(path)?;
        let world = worlds.of(&dialogue)?;
        let annotated = dataset::annotate(&dialogue.conversation, &replayer, world).await?;
        let text = match annotated {
            Ok(conversation) => write_conversation(&conversation),
            Err(broken) => {
                for broken in broken {
                    terminal::complain("error", &format!("{}: {broken}", path.display()));
                }
                exit = Exit::Findings;
                continue;
            }
        };
        if !args.write {
            print(&text)?;
            continue;
        }
        let is_new = text != dialogue.text;
        if is_new {
            files::replace(path, text.as_bytes(), Readers::Umask)?;
        }
        let what = if is_new { "written" } else { "unchanged" };
        Spinner::new(quiet).note(&format!("{}: {what}", path.display()));
    }
    Ok(exit)
}

/// Prints a dialogue: made harmless for a terminal, and as it is for all others.
fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout();
    if out.is_terminal() {
        return terminal::print(terminal::clean(text));
    }
    out.write_all(text.as_bytes())
        .map_err(Error::file("cannot write to", "standard output"))
}
