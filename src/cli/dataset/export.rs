//! `dialog2api dataset export`: writes dialogues as JSON Lines.

use crate::agent::Settings;
use crate::cli::options;
use crate::cli::progress::Spinner;
use crate::cli::{Exit, terminal};
use crate::dataset::chat::Lesson;
use crate::dataset::{self, Dialogue, Split, chat, rows};
use crate::domain::{Domain, counted};
use crate::error::{Error, Result};
use crate::prompts::PromptSetting;
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::path::{Path, PathBuf};

const ABOUT: &str = "\
rows: each line is a turn, with everything it depends on (stack, last response, utterance) and
  its results (programs, outcomes, signature, response). Every field has one type, so Hugging
  Face `datasets`, pandas and pyarrow can load the file. `dialog2api dataset import` makes
  dialogue files from it again. datasets/s3/rows.schema.json describes the fields.
chat: each line is a turn as {\"messages\": [system, user, assistant, user, assistant]}: the
  messages that a model gets in `dialog2api chat` without examples, and its right answers.
  The first answer is the programs; the second, after their outcomes, is the response. Only
  training dialogues, unless --split test asks for those that models are scored on.
trained: each line is a whole dialogue as {\"messages\": [...]}, in the short form of
  `--form trained`: what a model with an adapter gets, and its right answers. For the training
  of an adapter (datasets/s3/training). Only training dialogues, as with chat.
Of worksheets, chat and trained are the same: each line is a turn, with the forms, the program,
  its acts and the reply, as their agent asks every model. --simulated 500 has the dialogues of a
  user without a model, who answers, corrects, refuses and gives up from a seed.";

/// The arguments of `dataset export`.
#[derive(Debug, Args)]
#[command(after_help = ABOUT)]
pub struct ExportArgs {
    /// A dataset, a folder with dialogues, or one dialogue [default: the domain's]
    #[arg(value_name = "DIR")]
    path: Option<PathBuf>,

    /// rows, chat or trained
    #[arg(long, value_enum, default_value_t = Format::Rows, value_name = "FORMAT")]
    #[arg(hide_possible_values = true)]
    format: Format,

    /// Only the dialogues of train or test [default: both for rows, train for chat]
    #[arg(long, value_enum, value_name = "SPLIT", hide_possible_values = true)]
    split: Option<SplitChoice>,

    /// Leave the API document out of the system messages of a chat
    #[arg(long)]
    no_api: bool,

    /// Of worksheets, that many dialogues of a user without a model, instead of recorded ones
    #[arg(long, value_name = "COUNT", conflicts_with_all = ["path", "split"])]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    simulated: Option<u64>,

    /// The seed of the first simulated dialogue; the next ones have the next numbers
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "simulated")]
    seed: u64,

    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the file if it has other content
    #[arg(long, requires = "output")]
    force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Rows,
    Chat,
    Trained,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SplitChoice {
    Train,
    Test,
}

/// Reads the dialogues and writes them in another format.
pub fn export(args: &ExportArgs, domain: &Domain, quiet: bool) -> Result<Exit> {
    if args.no_api && args.format != Format::Chat {
        return Err(Error::usage(
            "--no-api is for --format chat: the others have no API document",
        ));
    }
    if let Some(count) = args.simulated {
        let text = lines(&simulated(args, domain, count)?)?;
        return write(
            args,
            text,
            usize::try_from(count).unwrap_or(usize::MAX),
            quiet,
        );
    }
    let source = &options::dataset(args.path.as_deref(), domain);
    let dialogues = dialogues(args, source)?;
    let shown = Settings::default().shown_bytes;
    let text = match args.format {
        Format::Chat | Format::Trained if domain.conduct.is_some() => {
            lines(&taught(domain, &dialogues)?)?
        }
        Format::Rows => lines(&rows::rows(source, &dialogues)?)?,
        Format::Chat => {
            let setting = if args.no_api {
                PromptSetting::Examples
            } else {
                PromptSetting::Both
            };
            lines(&chat::lessons(&dialogues, domain, setting, shown)?)?
        }
        Format::Trained => lines(&chat::whole(&dialogues, shown))?,
    };
    write(args, text, dialogues.len(), quiet)
}

/// Prints the lines of that many dialogues, or writes them to the file.
fn write(args: &ExportArgs, text: String, dialogues: usize, quiet: bool) -> Result<Exit> {
    let Some(path) = &args.output else {
        terminal::print(text)?;
        return Ok(Exit::Done);
    };
    let count = text.lines().count();
    dataset::write(&[(path.clone(), text)], args.force)?;
    Spinner::new(quiet).note(&format!(
        "{} of {} in {}",
        counted(count, "line"),
        counted(dialogues, "dialogue"),
        path.display()
    ));
    Ok(Exit::Done)
}

/// The turns of recorded dialogues, as the conduct of the domain asks a model.
fn taught(domain: &Domain, dialogues: &[Dialogue]) -> Result<Vec<Lesson>> {
    let mut lessons = Vec::new();
    for Dialogue { transcript, .. } in dialogues {
        if let Some(conduct) = &domain.conduct {
            let turns = conduct.taught(transcript)?;
            lessons.extend(chat::taught(&**conduct, &turns, domain.own_date())?);
        }
    }
    Ok(lessons)
}

/// The turns of that many simulated dialogues.
fn simulated(args: &ExportArgs, domain: &Domain, count: u64) -> Result<Vec<Lesson>> {
    if args.format == Format::Rows {
        return Err(Error::usage("--simulated is for --format chat and trained"));
    }
    let mut lessons = Vec::new();
    if let Some(conduct) = &domain.conduct {
        for at in 0..count {
            let turns = conduct.simulated(args.seed.wrapping_add(at));
            lessons.extend(chat::taught(&**conduct, &turns, domain.own_date())?);
        }
    }
    match lessons.is_empty() {
        true => Err(Error::usage(format!(
            "only a domain with worksheets has a user without a model, and {} is none",
            domain.name
        ))),
        false => Ok(lessons),
    }
}

/// The requested dialogues: at least one.
fn dialogues(args: &ExportArgs, source: &Path) -> Result<Vec<Dialogue>> {
    let mut dialogues = dataset::read(source)?;
    let wanted = match (args.split, args.format) {
        (Some(SplitChoice::Test), _) => Some(Split::Test),
        (Some(SplitChoice::Train), _) => Some(Split::Train),
        // A single dialogue may lie outside of all parts.
        (None, Format::Chat | Format::Trained) if source.is_dir() => Some(Split::Train),
        (None, _) => None,
    };
    let Some(wanted) = wanted else {
        return Ok(dialogues);
    };
    dialogues.retain(|dialogue| dialogue.split == Some(wanted));
    if dialogues.is_empty() {
        return Err(Error::Content {
            path: source.to_owned(),
            problem: format!("has no dialogues in a folder {wanted}"),
        });
    }
    Ok(dialogues)
}

/// One line of JSON for each value. Characters at which other programs would break a line
/// are escaped.
fn lines(values: &[impl Serialize]) -> Result<String> {
    let mut text = String::new();
    for value in values {
        let json = serde_json::to_string(value)
            .map_err(Error::bug("an output cannot be written as JSON"))?;
        text.push_str(&terminal::clean_json(&json));
        text.push('\n');
    }
    Ok(text)
}
