//! `dialog2api policy`, and the policy options of other subcommands.

use super::Exit;
use super::terminal::{self, BAD, GOOD, Styled, clean};
use crate::domain::{Domain, Touches, Value};
use crate::error::{Error, Result};
use crate::policy::{Ceilings, Count, Lines, Mode, Policy, Raised, RaisedBy};
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options that choose a policy.
#[derive(Debug, Clone, Default, Args)]
pub struct PolicyOptions {
    /// The policy: a file in the form that `policy show` prints
    #[arg(long, value_name = "FILE", help_heading = "Policy")]
    policy: Option<PathBuf>,

    /// Refuse all writes and deletes
    #[arg(long, help_heading = "Policy")]
    read_only: bool,

    /// read-only, confirm (ask before writes) or auto [default: the mode of the policy]
    #[arg(
        long,
        value_name = "MODE",
        help_heading = "Policy",
        conflicts_with = "read_only"
    )]
    mode: Option<Mode>,
}

impl PolicyOptions {
    /// Whether any of them was given.
    pub fn is_given(&self) -> bool {
        self.policy.is_some() || self.read_only || self.mode.is_some()
    }

    /// The policy for a dialogue: from the file, or the built-in one.
    pub fn of_dialogue(&self, domain: &Domain) -> Result<Policy> {
        self.or(domain, Policy::default())
    }

    /// The policy for what takes back a part of a session: from the file, or the one that the
    /// session has, under which it was done. Its user is asked again in any mode.
    pub fn of_session(&self, domain: &Domain, kept: &str) -> Result<Policy> {
        if self.policy.is_some() || kept.is_empty() {
            return self.of_dialogue(domain);
        }
        let kept = of_journal(kept)?;
        self.in_mode(match kept.mode {
            Mode::Auto => Policy {
                mode: Mode::Confirm,
                ..kept
            },
            _ => kept,
        })
    }

    /// The policy for a program that its user wrote: from the file, or one without
    /// ceilings. Ceilings that the user did not ask for would stop the program half-way.
    pub fn of_program(&self, domain: &Domain) -> Result<Policy> {
        let unlimited = Policy {
            ceilings: Ceilings::UNLIMITED,
            ..Policy::default()
        };
        self.or(domain, unlimited)
    }

    /// Refuses `--mode confirm` in commands that never ask: whoever runs their own program has
    /// agreed to it.
    pub fn refuse_questions(&self) -> Result<()> {
        match self.mode {
            Some(Mode::Confirm) => Err(Error::usage(
                "a program that you run yourself needs no confirmation. --overlay shows what it would \
                 change, --mode read-only keeps it from writing, and `chat` asks before it writes",
            )),
            _ => Ok(()),
        }
    }

    fn or(&self, domain: &Domain, built_in: Policy) -> Result<Policy> {
        let policy = match &self.policy {
            Some(path) => read(path, domain)?,
            None => match &domain.policy {
                Some(text) => of_text(text, domain, Path::new("policy.toml"))?,
                None => built_in,
            },
        };
        self.in_mode(policy)
    }

    /// The policy in the mode that was given, if one was.
    fn in_mode(&self, policy: Policy) -> Result<Policy> {
        let mode = match self.read_only {
            true => Some(Mode::ReadOnly),
            false => self.mode,
        };
        match mode {
            Some(mode) => {
                (policy.raised(&Raised::Mode(mode), RaisedBy::User)).map_err(Error::usage)
            }
            None => Ok(policy),
        }
    }
}

/// The policy that a journal has kept.
pub fn of_journal(text: &str) -> Result<Policy> {
    let policy = Policy::read(text);
    policy.map_err(|why| Error::usage(format!("the session's policy: {why}")))
}

/// Reads a policy for a domain.
fn read(path: &Path, domain: &Domain) -> Result<Policy> {
    let text = std::fs::read_to_string(path).map_err(Error::file("cannot read", path))?;
    of_text(&text, domain, path)
}

/// The policy with this text, for a domain. Says on standard error what of it can match nothing.
fn of_text(text: &str, domain: &Domain, path: &Path) -> Result<Policy> {
    let policy = Policy::read(text).and_then(|policy| policy.check(domain).map(|()| policy));
    let policy = policy.map_err(|problem| Error::Content {
        path: path.to_owned(),
        problem,
    })?;
    for idle in policy.idle(domain) {
        terminal::complain("warning", &format!("{}: {idle}", path.display()));
    }
    Ok(policy)
}

/// The mistakes in the text of a policy for a domain, each with its line if that is known.
fn mistakes(text: &str, domain: &Domain) -> Vec<String> {
    let policy = match Policy::read(text) {
        Ok(policy) => policy,
        Err(problem) => return vec![problem],
    };
    let lines = Lines::of(text);
    let at = |line: Option<usize>, problem: String| match line {
        Some(line) => format!("line {line}: {problem}"),
        None => problem,
    };
    let unknown = policy.unknown_operations(domain);
    let unknown = unknown.map(|(rule, glob, problem)| at(lines.operation(rule, glob), problem));
    let idle = policy.idle(domain).into_iter().map(|idle| {
        let path = idle.path.as_ref();
        let of_path = path.and_then(|path| lines.paths().find(|(known, _)| *known == path));
        let line = of_path.map(|(_, line)| line);
        at(
            line.or(idle.rule.and_then(|rule| lines.rule(rule))),
            idle.to_string(),
        )
    });
    unknown.chain(idle).collect()
}

/// A policy of a domain as text for people.
pub fn shown(policy: &Policy, domain: &Domain) -> String {
    clean(&policy.spelled(&domain.words).to_string()).into_owned()
}

/// The arguments of `policy`.
#[derive(Debug, Args)]
pub struct PolicyArgs {
    #[command(subcommand)]
    command: PolicyCommand,
}

#[derive(Debug, Subcommand)]
enum PolicyCommand {
    /// Print a policy with all default values filled in
    Show {
        /// The file of a policy [default: the policy.toml of the domain's folder, or else the
        /// built-in policy]
        file: Option<PathBuf>,
    },
    /// Find the mistakes in a policy: what cannot be read, and what can match nothing; exit
    /// code 3 if there are some
    Check {
        /// The file of a policy
        file: PathBuf,
    },
    /// Tell whether a policy allows a call, and if not, why; exit code 3 if it does not
    Explain {
        /// The file of a policy
        file: PathBuf,
        /// An operation of the domain
        operation: String,
        /// The place of the call: CONTAINER or CONTAINER/NAME; for a listing, CONTAINER/PREFIX
        #[arg(value_name = "PLACE")]
        place: Option<String>,
        /// The source of a copy: CONTAINER/NAME
        #[arg(value_name = "SOURCE")]
        source: Option<String>,
    },
}

/// Shows or explains a policy.
pub fn policy(args: &PolicyArgs, domain: &Domain) -> Result<Exit> {
    match &args.command {
        PolicyCommand::Show { file } => {
            let options = PolicyOptions {
                policy: file.clone(),
                ..PolicyOptions::default()
            };
            let policy = options.of_dialogue(domain)?;
            terminal::print(shown(&policy, domain))?;
            Ok(Exit::Done)
        }
        PolicyCommand::Check { file } => {
            let text = std::fs::read_to_string(file).map_err(Error::file("cannot read", file))?;
            let (shown, mistakes) = (file.display().to_string(), mistakes(&text, domain));
            for mistake in &mistakes {
                terminal::print(format_args!("{}\n", clean(&format!("{shown}: {mistake}"))))?;
            }
            if !mistakes.is_empty() {
                return Ok(Exit::Findings);
            }
            terminal::print(format_args!("{} {}\n", Styled(GOOD, "ok"), clean(&shown)))?;
            Ok(Exit::Done)
        }
        PolicyCommand::Explain {
            file,
            operation,
            place,
            source,
        } => {
            let params = params(domain, operation, place.as_deref(), source.as_deref())?;
            let policy = read(file, domain)?;
            let judged = policy.judge(domain, operation, &params, &mut Count::default());
            let by_more = |touches: &Arc<dyn Touches>| touches.is_judged_by_more(operation);
            let by_more = domain.effects.touches.as_ref().is_some_and(by_more);
            let allowed = match by_more && policy.is_about_places() {
                false => "The policy allows this.".to_owned(),
                true => format!(
                    "The policy allows this at its place. What {operation} says beyond that is \
                     judged when it is called."
                ),
            };
            let (style, said, exit) = match judged {
                Ok(()) => (GOOD, allowed, Exit::Done),
                Err(denied) => (BAD, denied.to_string(), Exit::Findings),
            };
            terminal::print(format_args!("{}\n", Styled(style, clean(&said))))?;
            Ok(exit)
        }
    }
}

/// The parameters of a call on these places, which are paths.
fn params(
    domain: &Domain,
    operation: &str,
    place: Option<&str>,
    source: Option<&str>,
) -> Result<Value> {
    let Some(known) = domain.judged(operation) else {
        return Err(Error::usage(format!(
            "there is no operation {operation}; there are {}",
            domain.operations_like(operation)
        )));
    };
    let params = match &domain.effects.touches {
        Some(touches) => touches.call(operation, place, source),
        None => Value::Null,
    };
    if known.required > 0 && domain.touches(operation, &params).is_empty() {
        return Err(Error::usage(format!(
            "{operation} needs the PLACE that it is called for"
        )));
    }
    Ok(params)
}
