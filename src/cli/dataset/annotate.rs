//! `dialog2api dataset annotate`.

use crate::cli::progress::Spinner;
use crate::cli::terminal;
use crate::cli::{Exit, prepare};
use crate::dataset::{self, Accident, Dialogue, InitialWorlds, Replayer};
use crate::dialogue::write_transcript;
use crate::domain::Domain;
use crate::error::{Error, Result};
use crate::files::{self, Readers};
use clap::Args;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The arguments of `dataset annotate`.
#[derive(Debug, Args)]
#[command(after_help = "\
The exit code is 3 if a dialogue breaks a rule, or a program ends with a Python error. Such a
dialogue is not written.")]
pub struct AnnotateArgs {
    /// Dialogues, or folders with dialogues
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The world to start from: a name, or a description (FILE.toml). Every dialogue gets
    /// its own copy [default: the world that the dialogue names]
    #[arg(long, short, value_name = "WORLD")]
    world: Option<String>,

    /// Record Python errors (TypeError, NameError …) as the intended outcome of programs,
    /// and mark them in the dialogue with accepts="…"
    #[arg(long)]
    accept_errors: bool,

    /// Replace each dialogue's file instead of printing the dialogue
    #[arg(long)]
    write: bool,
}

/// Annotates the dialogues one after the other. A dialogue that cannot be annotated does
/// not stop the others.
pub async fn annotate(args: &AnnotateArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    let replayer = Replayer::new(Arc::new(prepare::engine(domain, quiet).await?), domain);
    let worlds = match &args.world {
        Some(spec) => InitialWorlds::all_from(domain, spec),
        None => InitialWorlds::new(domain),
    };
    let (mut failed, mut refused) = (false, false);
    for path in named(&args.files)? {
        match one(&path, args, &replayer, &worlds, domain, quiet).await {
            Ok(problems) => {
                refused |= !problems.is_empty();
                for problem in problems {
                    terminal::complain("error", &format!("{}: {problem}", path.display()));
                }
            }
            Err(error) if terminal::is_closed(&error) => return Err(error),
            Err(error) => {
                failed = true;
                terminal::complain("error", &error.to_string());
            }
        }
    }
    Ok(match (failed, refused) {
        (true, _) => Exit::Failed,
        (false, true) => Exit::Findings,
        (false, false) => Exit::Done,
    })
}

/// The named files, and the files in the named folders.
fn named(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let files: Result<Vec<Vec<PathBuf>>> = paths.iter().map(|path| dataset::files(path)).collect();
    Ok(files?.concat())
}

/// Annotates one dialogue and prints or writes it. Returns the problems that prevent this.
async fn one(
    path: &Path,
    args: &AnnotateArgs,
    replayer: &Replayer,
    worlds: &InitialWorlds,
    domain: &Domain,
    quiet: bool,
) -> Result<Vec<String>> {
    let dialogue = Dialogue::read(path)?;
    let world = worlds.of(&dialogue)?;
    let annotated = dataset::annotate(&dialogue.transcript, replayer, world).await?;
    let mut transcript = match annotated {
        Ok(transcript) => transcript,
        Err(broken) => return Ok(broken.iter().map(ToString::to_string).collect()),
    };
    let accidents = dataset::accidents(&transcript, domain);
    if args.accept_errors {
        dataset::accept(&mut transcript, &accidents);
    } else if !accidents.is_empty() {
        return Ok(accidents.iter().map(in_words).collect());
    }
    let text = write_transcript(&transcript);
    if !args.write {
        print(&text)?;
        return Ok(Vec::new());
    }
    let is_new = text != dialogue.text;
    if is_new {
        files::replace(path, text.as_bytes(), Readers::Umask)?;
    }
    let what = if is_new { "written" } else { "unchanged" };
    Spinner::new(quiet).note(&format!("{}: {what}", path.display()));
    Ok(Vec::new())
}

/// A sentence about an accident that says what the user can do.
fn in_words(accident: &Accident) -> String {
    let Accident {
        turn,
        uid,
        error,
        message,
    } = accident;
    format!(
        "turn {turn}, goal {uid}: the program ends with {error} ({message}); mend it, or record \
         that with --accept-errors if it is meant"
    )
}

/// Prints a dialogue. For a terminal, it is made safe; otherwise it is not changed.
fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout();
    if out.is_terminal() {
        return terminal::print(terminal::clean(text));
    }
    out.write_all(text.as_bytes())
        .map_err(Error::file("cannot write to", "standard output"))
}
