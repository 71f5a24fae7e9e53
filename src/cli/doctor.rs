//! `dialog2api doctor`: finds what is missing, and names the commands that repair it.

use super::model::unconfigured;
use super::options::{ModelOptions, WorldOptions};
use super::terminal::{self, BAD, BOLD, DIM, GOOD, OPEN, Styled, clean};
use super::{Exit, prepare, show};
use crate::domain::Domain;
use crate::error::Result;
use crate::exec::{Cache, Engine};
use crate::llm::local::{KeptServer, LocalConfig, ServerProgram};
use crate::llm::{
    Anthropic, Choice, Model, OpenAi, OpenAiConfig, Replay, Script, default_config_file,
};
use clap::Args;
use serde::Serialize;
use std::fmt::Write;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

/// The command's options.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Prepare the sandbox if it is not prepared
    #[arg(long)]
    fix: bool,

    /// Print one JSON object: ready, and checks with name, state, found, mend
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    model: ModelOptions,

    #[command(flatten)]
    world: WorldOptions,
}

/// A server that does not answer within this time counts as absent.
const PATIENCE: Duration = Duration::from_secs(2);

/// All checks.
#[derive(Serialize)]
struct Findings {
    /// Whether `chat` could run with these options.
    ready: bool,
    checks: Vec<Check>,
}

#[derive(Serialize)]
struct Check {
    name: String,
    state: State,
    found: String,
    /// How to repair it.
    mend: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    /// Missing, but `chat` works without it.
    Note,
    /// Missing, and `chat` does not work without it.
    Missing,
}

/// Runs all checks and prints them.
pub async fn doctor(args: &DoctorArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    // Folders and descriptions are checked when they are opened. This checks the server.
    let is_remote = args.world.choice(domain)?.is_remote();
    let mut checks = vec![
        sandbox(domain, args.fix, quiet || args.json).await,
        cache(),
        model(&args.model, domain).await,
    ];
    checks.extend(worlds_server(&args.world, domain, is_remote).await?);
    let findings = Findings {
        ready: checks.iter().all(|check| check.state != State::Missing),
        checks,
    };
    match args.json {
        true => terminal::print_json(&findings)?,
        false => terminal::print(findings.human())?,
    }
    Ok(match findings.ready {
        true => Exit::Done,
        false => Exit::Failed,
    })
}

impl Check {
    fn ok(name: impl Into<String>, found: impl Into<String>) -> Self {
        Check {
            name: name.into(),
            state: State::Ok,
            found: found.into(),
            mend: None,
        }
    }

    /// A failed check that no command can repair.
    fn missing(name: impl Into<String>, found: impl Into<String>) -> Self {
        Check {
            state: State::Missing,
            ..Check::ok(name, found)
        }
    }

    fn mended_by(name: impl Into<String>, state: State, found: String, mend: &str) -> Self {
        Check {
            name: name.into(),
            state,
            found,
            mend: Some(mend.to_owned()),
        }
    }
}

async fn sandbox(domain: &Domain, fix: bool, quiet: bool) -> Check {
    let name = "sandbox";
    let prepared = match fix {
        true => prepare::engine(domain, quiet).await.map(|_| true),
        false => Cache::of_user().and_then(|cache| Engine::is_prepared(&domain.api.client, &cache)),
    };
    match prepared {
        Ok(true) => Check::ok(name, "prepared"),
        Ok(false) => Check::mended_by(
            name,
            State::Note,
            "not prepared yet; the first program will wait about a minute for it".to_owned(),
            "dialog2api prepare",
        ),
        Err(error) => Check::missing(name, error.to_string()),
    }
}

fn cache() -> Check {
    let name = "cache";
    let folder = match Cache::of_user() {
        Ok(cache) => cache.folder().to_owned(),
        Err(error) => {
            return Check::missing(name, error.to_string());
        }
    };
    let shown = folder.display();
    let Ok(metadata) = std::fs::symlink_metadata(&folder) else {
        return Check::ok(name, format!("{shown}, not made yet"));
    };
    if metadata.permissions().mode() & 0o077 != 0 {
        return Check::mended_by(
            name,
            State::Note,
            format!("{shown} is open to others, so what is in it is not trusted"),
            &format!("chmod 700 '{shown}'"),
        );
    }
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let size = entries
        .filter_map(|entry| Some(entry.metadata().ok()?.len()))
        .sum();
    Check::ok(name, format!("{shown}, {}, private", show::bytes(size)))
}

async fn model(options: &ModelOptions, domain: &Domain) -> Check {
    let name = "model";
    let variable = |name: &str| std::env::var(name).ok();
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.trim().is_empty());
    let source = match (&options.model, is_set("DIALOG2API_MODEL")) {
        (Some(_), _) => "--model".to_owned(),
        (None, true) => "DIALOG2API_MODEL".to_owned(),
        (None, false) => match default_config_file() {
            Some(path) => path.display().to_string(),
            None => "the config file".to_owned(),
        },
    };
    let chosen = options.spec().choose(&variable);
    let adapted = |choice| options.adapter.applied(choice, domain);
    match chosen.and_then(|choice| choice.map(adapted).transpose()) {
        Ok(Some(Choice::OpenAi(config))) => server(*config, &source).await,
        Ok(Some(Choice::Local(config))) => local(&config, &source),
        // A request would cost money, so only the settings are shown.
        Ok(Some(Choice::Anthropic(config))) => {
            match (&config.api_key, Anthropic::new(*config.clone())) {
                (_, Err(error)) => Check::missing(name, format!("{error} (from {source})")),
                (Some(_), Ok(model)) => Check::ok(
                    name,
                    format!(
                        "{} (from {source}); {}, with a key, not asked",
                        model.name(),
                        config.base_url
                    ),
                ),
                (None, Ok(model)) => Check::mended_by(
                    name,
                    State::Missing,
                    format!("{} (from {source}); there is no key", model.name()),
                    "set ANTHROPIC_API_KEY",
                ),
            }
        }
        Ok(Some(Choice::Bedrock(config))) => Check::ok(
            name,
            format!(
                "bedrock:{} (from {source}), with the credentials of the AWS command line; not asked",
                config.model
            ),
        ),
        Ok(Some(Choice::Replay(path))) => match Replay::open(&path) {
            Ok(replay) => Check::ok(name, format!("{} (from {source})", replay.name())),
            Err(error) => Check::mended_by(
                name,
                State::Missing,
                format!("{error} (from {source})"),
                "name a recording made with `dialog2api chat --record FILE`",
            ),
        },
        Ok(Some(Choice::Script(path))) => match Script::read(&path) {
            Ok(_) => Check::ok(name, format!("script:{} (from {source})", path.display())),
            Err(error) => Check::mended_by(
                name,
                State::Missing,
                format!("{error} (from {source})"),
                "write its answers into this file, with lines of --- between them",
            ),
        },
        Ok(None) => match unconfigured(domain).await {
            Ok(Some(found)) => Check::ok(
                name,
                format!("none is configured; `chat --yes`, or a yes in a chat, takes {found}"),
            ),
            Ok(None) => Check::mended_by(
                name,
                State::Missing,
                "none is configured".to_owned(),
                "dialog2api chat finds one on this machine, or sets one up after a yes",
            ),
            Err(error) => Check::missing(name, error.to_string()),
        },
        Err(error) => Check::missing(name, error.to_string()),
    }
}

/// The check of a local model: it is running, or everything it needs is present.
fn local(config: &LocalConfig, source: &str) -> Check {
    let name = "model";
    let found = format!("local:{} (from {source})", config.title());
    if let Ok(Some(kept)) = KeptServer::find()
        && kept.serves(config)
    {
        return Check::ok(name, format!("{found}; it runs at {}", kept.base_url));
    }
    let problem = match (config.file(), ServerProgram::find()) {
        (Ok(_), Some(_)) => return Check::ok(name, format!("{found}; it starts with a chat")),
        (Ok(_), None) => "there is no server program for it".to_owned(),
        (Err(error), _) => error.to_string(),
    };
    let mend = format!("dialog2api model serve {} --yes", config.model);
    Check::mended_by(name, State::Missing, format!("{found}; {problem}"), &mend)
}

async fn server(config: OpenAiConfig, source: &str) -> Check {
    let name = "model";
    let wanted = config.model.clone();
    let base_url = config.base_url.clone();
    let key = match config.api_key {
        Some(_) => "with a key",
        None => "without a key",
    };
    let asked = match OpenAi::new(config) {
        Ok(server) => server.models(PATIENCE).await,
        Err(error) => Err(error),
    };
    let found = format!("openai:{wanted} (from {source})");
    match asked {
        Ok(Some(models)) if !models.is_empty() && !models.contains(&wanted) => {
            let known: Vec<&str> = models.iter().take(5).map(String::as_str).collect();
            let found = format!("{found}; {base_url} answers, and names other models");
            let mend = format!(
                "if it refuses, use --model openai:NAME with one of: {}",
                known.join(", ")
            );
            Check::mended_by(name, State::Note, found, &mend)
        }
        Ok(_) => Check::ok(name, format!("{found}; {base_url} answers, {key}")),
        Err(error) => Check::mended_by(
            name,
            State::Missing,
            format!("{found}; {error}"),
            "start the server, or set --base-url and OPENAI_API_KEY to one that is there",
        ),
    }
}

/// Checks the server of worlds, for domains that have one.
async fn worlds_server(
    options: &WorldOptions,
    domain: &Domain,
    is_needed: bool,
) -> Result<Option<Check>> {
    let found = domain.worlds()?.server(&options.named).await;
    Ok(found.map(|check| match check.found {
        Ok(found) => Check::ok(check.name, found),
        Err(problem) if is_needed => {
            Check::mended_by(check.name, State::Missing, problem, &check.mend)
        }
        Err(problem) => Check {
            state: State::Note,
            ..Check::ok(check.name, format!("{problem}; {}", check.needed))
        },
    }))
}

impl Findings {
    fn human(&self) -> String {
        let mut text = String::new();
        for check in &self.checks {
            let (style, mark) = match check.state {
                State::Ok => (GOOD, "✓"),
                State::Note => (OPEN, "–"),
                State::Missing => (BAD, "✗"),
            };
            let mark = Styled(style, mark);
            let name = Styled(BOLD, format!("{:8}", check.name));
            let _ = writeln!(text, "{mark} {name} {}", clean(&check.found));
            if let Some(mend) = &check.mend {
                let arrow = Styled(DIM, "→");
                let _ = writeln!(text, "           {arrow} {}", clean(mend));
            }
        }
        text.push_str(match self.ready {
            true => "\n`dialog2api chat` can run.\n",
            false => "\n`dialog2api chat` cannot run yet.\n",
        });
        text
    }
}
