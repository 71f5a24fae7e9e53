//! `dialog2api domain`: domains that are folders.

use super::progress::Spinner;
use super::terminal::{self, BAD, GOOD, Styled, clean};
use super::{Exit, prepare};
use crate::domain::counted;
use crate::error::{Error, Result};
use crate::exec::Cache;
use crate::folder::{self, Replayed};
use crate::mcp::Server;
use clap::{Args, Subcommand};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The arguments of `domain`.
#[derive(Debug, Args)]
pub struct DomainArgs {
    #[command(subcommand)]
    command: DomainCommand,
}

#[derive(Debug, Subcommand)]
enum DomainCommand {
    /// Make a folder with a small working domain, which you change into your own
    #[command(after_help = SERVERS)]
    New {
        /// The folder. Its name becomes the name of the domain
        folder: PathBuf,

        /// An OpenAPI document: a file or a URL
        #[arg(long, value_name = "FILE|URL", conflicts_with = "mcp")]
        openapi: Option<String>,

        /// The URL of an MCP server, or the command that starts one, after `--`
        #[arg(long, value_name = "URL", num_args = 0..=1, default_missing_value = "")]
        mcp: Option<String>,

        /// Worksheets: forms that say what the agent asks, says and does
        #[arg(long, conflicts_with_all = ["openapi", "mcp"])]
        worksheets: bool,

        /// The command that starts the MCP server
        #[arg(last = true, requires = "mcp", value_name = "COMMAND")]
        command: Vec<String>,
    },
    /// Find mistakes in the files of a folder
    Check {
        /// The folder
        folder: PathBuf,
    },
    /// Show what an MCP server has changed in its tools, and approve it
    Approve {
        /// The folder
        folder: PathBuf,

        /// Approve without a question
        #[arg(long)]
        yes: bool,
    },
    /// Replay the calls of gold.jsonl, and compare answers and states with the recorded ones
    Test {
        /// The folder
        folder: PathBuf,
    },
}

/// Carries out a subcommand of `domain`.
pub async fn domain(args: &DomainArgs, quiet: bool) -> Result<Exit> {
    match &args.command {
        DomainCommand::New {
            folder,
            mcp: Some(url),
            command,
            ..
        } => new_mcp(folder, url, command, quiet).await,
        DomainCommand::New {
            folder,
            openapi: Some(source),
            ..
        } => new_openapi(folder, source, quiet).await,
        DomainCommand::New {
            folder, worksheets, ..
        } => new(folder, *worksheets),
        DomainCommand::Check { folder } => check(folder, quiet).await,
        DomainCommand::Approve { folder, yes } => approve(folder, *yes, quiet).await,
        DomainCommand::Test { folder } => test(folder, quiet).await,
    }
}

const SERVERS: &str = "\
With --openapi the domain is an API that an OpenAPI document describes (2.0, 3.0, 3.1).
  dialog2api domain new pets --openapi https://petstore3.swagger.io/api/v3/openapi.json

With --mcp the domain is an MCP server: its tools are the operations.
  dialog2api domain new notes --mcp -- npx -y @modelcontextprotocol/server-memory
  dialog2api domain new notes --mcp http://127.0.0.1:3001/mcp";

/// Makes the domain of an MCP server.
async fn new_mcp(path: &Path, url: &str, command: &[String], quiet: bool) -> Result<Exit> {
    let server = match (url, command.split_first()) {
        ("", Some((program, arguments))) => Server::command(program, arguments.iter().cloned()),
        ("", None) => {
            return Err(Error::usage(
                "say which MCP server: --mcp URL, or --mcp -- COMMAND …",
            ));
        }
        (url, None) => Server::url(url),
        (_, Some(_)) => {
            return Err(Error::usage("--mcp takes a URL or a command, not both"));
        }
    };
    let spinner = Spinner::new(quiet);
    spinner.say(&format!("asking {server} for its tools"));
    let made = folder::create_mcp(path, &server).await;
    spinner.done();
    let made = made?;
    notes(&spinner, &made.notes, quiet);
    let shown = argument(path);
    let mut text = format!(
        "{shown} has {}, as the server says.\n",
        operations(made.operations, made.reads)
    );
    let unasked = names(&made.unasked);
    if !unasked.is_empty() {
        let _ = writeln!(
            text,
            "Called without a question, and with --read-only: {}. To see each call first, take a \
             tool out of `reads` in domain.toml.",
            clean(&unasked)
        );
    }
    for warning in &made.warnings {
        let _ = writeln!(text, "{}", clean(warning));
    }
    let _ = writeln!(
        text,
        "Look at domain.toml and api.pyi, then:\n  dialog2api chat --domain {shown}"
    );
    terminal::print(text)?;
    Ok(Exit::Done)
}

/// The first of some names.
fn names(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let mut shown = names
        .iter()
        .take(SHOWN)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    if let Some(more) = names.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        let _ = write!(shown, " and {more} more");
    }
    shown
}

/// Shows what the server of a domain has changed in its tools, and approves it after a yes.
async fn approve(path: &Path, yes: bool, quiet: bool) -> Result<Exit> {
    let spinner = Spinner::new(quiet);
    spinner.say("asking the server for its tools");
    let approval = folder::unapproved(path).await;
    spinner.done();
    let approval = approval?;
    if approval.changes.is_empty() {
        terminal::print("The tools are those that were approved.\n")?;
        return Ok(Exit::Done);
    }
    let lines: Vec<String> = (approval.changes.iter())
        .map(|line| format!("{}\n", clean(line)))
        .collect();
    terminal::print(lines.concat())?;
    if !yes {
        terminal::print("Approve it? [y/N] ")?;
        let mut answer = String::new();
        let read = std::io::stdin().read_line(&mut answer);
        read.map_err(Error::file("cannot read", "standard input"))?;
        if !matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") {
            terminal::print("Not approved: these tools are not called.\n")?;
            return Ok(Exit::Findings);
        }
    }
    let is_written = approval.approve()?;
    terminal::print(match is_written {
        true => "Approved.\n",
        false => "Approved. api.pyi is yours and stays as it is: change what models read there.\n",
    })?;
    if !is_written && !approval.gone.is_empty() {
        let gone = approval.gone.join(", ");
        terminal::print(format!(
            "Take {gone} out of it, which cannot be called any more.\n"
        ))?;
    }
    Ok(Exit::Done)
}

/// `14 operations: 10 to read, 4 to write`.
fn operations(all: usize, reads: usize) -> String {
    let writes = all.saturating_sub(reads);
    let all = counted(all, "operation");
    format!("{all}: {reads} to read, {writes} to write")
}

/// Makes the domain of an API that a document describes.
async fn new_openapi(path: &Path, source: &str, quiet: bool) -> Result<Exit> {
    let spinner = Spinner::new(quiet);
    spinner.say(&format!("reading {source}"));
    let made = folder::create_openapi(path, source).await;
    spinner.done();
    let made = made?;
    let shown = argument(path);
    let mut text = format!("{shown} has {}.\n", operations(made.operations, made.reads));
    let _ = match &made.base {
        Ok(base) => writeln!(text, "Requests go to {}.", clean(base)),
        Err(problem) => writeln!(
            text,
            "Before the first call, write url = \"https://…\" into domain.toml: {}.",
            clean(problem)
        ),
    };
    for (name, holds) in &made.variables {
        let _ = writeln!(text, "{} can hold {holds}.", clean(name));
    }
    for warning in &made.warnings {
        let _ = writeln!(text, "{}", clean(warning));
    }
    notes(&spinner, &made.notes, quiet);
    let _ = writeln!(text, "Next:\n  dialog2api chat --domain {shown}");
    terminal::print(text)?;
    Ok(Exit::Done)
}

/// A folder as `--domain` takes it: with a slash, so that it is not the name of a domain.
fn argument(path: &Path) -> String {
    let shown = path.display().to_string();
    let shown = match shown.contains('/') {
        true => shown,
        false => format!("./{shown}"),
    };
    clean(&shown).into_owned()
}

/// The most notes about an API that are shown.
const NOTES: usize = 5;

/// Lists the parts of an API that could not be read fully.
fn notes(spinner: &Spinner, notes: &[String], quiet: bool) {
    if quiet {
        return;
    }
    for note in notes.iter().take(NOTES) {
        spinner.note(&format!("note: {}", clean(note)));
    }
    if let Some(more) = notes.len().checked_sub(NOTES).filter(|more| *more > 0) {
        spinner.note(&format!("note: … and {more} more"));
    }
}

fn new(path: &Path, worksheets: bool) -> Result<Exit> {
    let files = match worksheets {
        true => folder::create_worksheets(path)?,
        false => folder::create(path)?,
    };
    let shown = argument(path);
    let mut text = format!("{shown} has {} files. Next:\n", files.len());
    for (what, command) in [
        (
            "see whether its files go together",
            format!("domain check {shown}"),
        ),
        match worksheets {
            true => (
                "what is asked, when and why",
                format!("worksheet show {shown}"),
            ),
            false => ("replay its recorded calls", format!("domain test {shown}")),
        },
        ("talk", format!("chat --domain {shown}")),
    ] {
        let _ = writeln!(text, "  dialog2api {command:40}  # {what}");
    }
    terminal::print(text)?;
    Ok(Exit::Done)
}

async fn check(path: &Path, quiet: bool) -> Result<Exit> {
    let cache = Cache::of_user()?;
    // Without code of its own, nothing of it runs in a check.
    if let Ok(folder) = folder::open(path, &cache)
        && folder.has_code()
    {
        prepare::engine(&folder.domain, quiet).await?;
    }
    let findings = folder::check(path, &cache).await?;
    let mut text = String::new();
    for finding in &findings {
        let _ = writeln!(text, "{}", clean(&finding.to_string()));
    }
    let _ = match findings.len() {
        0 => writeln!(
            text,
            "{} {}",
            Styled(GOOD, "ok"),
            clean(&path.display().to_string())
        ),
        count => writeln!(text, "{}", Styled(BAD, counted(count, "finding"))),
    };
    terminal::print(text)?;
    Ok(match findings.is_empty() {
        true => Exit::Done,
        false => Exit::Findings,
    })
}

async fn test(path: &Path, quiet: bool) -> Result<Exit> {
    let folder = folder::open(path, &Cache::of_user()?)?;
    prepare::engine(&folder.domain, quiet).await?;
    let spinner = Spinner::new(quiet);
    let started = Instant::now();
    let progress = |done: usize, of: usize| spinner.say(&format!("replayed {done} of {of}"));
    let replayed = folder::replay_gold(&folder, &progress).await?;
    spinner.done();
    terminal::print(tested(&replayed, started.elapsed().as_secs_f64()))?;
    Ok(match replayed.iter().all(|it| it.differences.is_empty()) {
        true => Exit::Done,
        false => Exit::Findings,
    })
}

/// The results of the recordings, for people.
fn tested(replayed: &[Replayed], seconds: f64) -> String {
    let mut text = String::new();
    for one in replayed.iter().filter(|it| !it.differences.is_empty()) {
        let name = clean(&one.name);
        let _ = writeln!(
            text,
            "{} gold.jsonl:{} {name}",
            Styled(BAD, "differs"),
            one.line
        );
        for difference in &one.differences {
            let _ = writeln!(text, "  {}", clean(difference));
        }
    }
    let calls: usize = replayed.iter().map(|it| it.calls).sum();
    let same = replayed
        .iter()
        .filter(|it| it.differences.is_empty())
        .count();
    let end = match same == replayed.len() {
        true => "all as recorded".to_owned(),
        false => format!("{same} as recorded"),
    };
    let _ = writeln!(
        text,
        "{}, {}, {end}, {seconds:.1} s",
        counted(replayed.len(), "recording"),
        counted(calls, "call")
    );
    text
}
