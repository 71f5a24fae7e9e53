//! `dialog2api session export`: writes a session in a form for other programs.

use crate::cli::progress::Spinner;
use crate::cli::{Exit, terminal};
use crate::dialogue::write_transcript;
use crate::error::{Error, Result};
use crate::journal::SessionStore;
use crate::secrets::scrub;
use crate::{dataset, journal};
use clap::{Args, ValueEnum};
use std::io::IsTerminal;
use std::path::PathBuf;

/// The arguments of `session export`.
#[derive(Debug, Args)]
#[command(after_help = "\
xml: the finished turns as a dialogue file, which `dialog2api replay` and `dataset` can read.
json: one object: name, and every entry of the journal with its number and time. Long values
  are replaced by their SHA-256; they are in the session's folder contents.")]
pub struct ExportArgs {
    /// The session
    pub(super) name: String,

    /// xml or json
    #[arg(long, value_enum, default_value_t = Format::Xml, value_name = "FORMAT")]
    #[arg(hide_possible_values = true)]
    format: Format,

    /// Write to this new file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Xml,
    Json,
}

/// Exports a session.
pub fn export(args: &ExportArgs, quiet: bool) -> Result<Exit> {
    let reading = SessionStore::of_user()?.read(&args.name)?;
    let text = match args.format {
        Format::Xml => xml(args, &reading)?,
        Format::Json => {
            let entries = reading.lines.iter().map(|line| {
                serde_json::json!({
                    "n": line.number,
                    "at": line.at.to_string(),
                    "entry": line.entry,
                })
            });
            let entries: Vec<serde_json::Value> = entries.collect();
            let whole = serde_json::json!({"name": args.name, "entries": entries});
            let json = serde_json::to_string_pretty(&whole)
                .map_err(Error::bug("an output cannot be written as JSON"))?;
            format!("{}\n", terminal::clean_json(&json))
        }
    };
    let text = scrub(&text).into_owned();
    match &args.output {
        None if std::io::stdout().is_terminal() => terminal::print(terminal::clean(&text))?,
        None => terminal::print(text)?,
        Some(path) => {
            dataset::write(&[(path.clone(), text)], false)?;
            let spinner = Spinner::new(quiet);
            spinner.note(&format!("the session is in {}", path.display()));
        }
    }
    Ok(Exit::Done)
}

fn xml(args: &ExportArgs, reading: &journal::ReadSession) -> Result<String> {
    let transcript = reading.state.transcript(&args.name);
    let transcript = transcript.map_err(|violations| {
        let reasons: Vec<String> = violations.iter().map(ToString::to_string).collect();
        Error::usage(format!(
            "the session {} is no dialogue: {}",
            args.name,
            reasons.join("; ")
        ))
    })?;
    Ok(write_transcript(&transcript))
}
