//! `dialog2api policy`, and what several subcommands take of policies.

use super::Exit;
use super::terminal::{self, BAD, GOOD, Styled, clean};
use crate::domain::Value;
use crate::domain::s3::S3;
use crate::error::{Error, Result};
use crate::policy::{By, Ceilings, Count, Mode, Policy, Raised};
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};

/// Which policy, as typed.
#[derive(Debug, Clone, Default, Args)]
pub struct PolicyOptions {
    /// What programs may do: a file as `policy show` prints it
    #[arg(long, value_name = "FILE", help_heading = "Policy")]
    policy: Option<PathBuf>,

    /// Refuse everything that writes or deletes
    #[arg(long, help_heading = "Policy")]
    read_only: bool,

    /// read-only, confirm (writes are asked about) or auto [default: as the policy says]
    #[arg(
        long,
        value_name = "MODE",
        help_heading = "Policy",
        conflicts_with = "read_only"
    )]
    mode: Option<Mode>,
}

impl PolicyOptions {
    /// The policy of a dialogue: that of the file, or the built-in one.
    pub fn of_dialogue(&self) -> Result<Policy> {
        self.or(Policy::default())
    }

    /// The policy of a program that its user wrote: that of the file, or none but what
    /// was typed. A ceiling that nobody asked for would stop it half-way.
    pub fn of_program(&self) -> Result<Policy> {
        self.or(Policy {
            ceilings: Ceilings::UNLIMITED,
            ..Policy::default()
        })
    }

    fn or(&self, built_in: Policy) -> Result<Policy> {
        let policy = match &self.policy {
            Some(path) => read(path)?,
            None => built_in,
        };
        let mode = match self.read_only {
            true => Some(Mode::ReadOnly),
            false => self.mode,
        };
        match mode {
            Some(mode) => (policy.raised(&Raised::Mode(mode), By::User)).map_err(Error::Usage),
            None => Ok(policy),
        }
    }
}

/// Reads a policy for S3.
fn read(path: &Path) -> Result<Policy> {
    let text = std::fs::read_to_string(path).map_err(Error::file("cannot read", path))?;
    let policy = Policy::read(&text).and_then(|policy| policy.check(&S3).map(|()| policy));
    policy.map_err(|problem| Error::Content {
        path: path.to_owned(),
        problem,
    })
}

/// A policy for people.
pub fn shown(policy: &Policy) -> String {
    clean(&policy.to_string()).into_owned()
}

/// What was typed.
#[derive(Debug, Args)]
pub struct PolicyArgs {
    #[command(subcommand)]
    command: PolicyCommand,
}

#[derive(Debug, Subcommand)]
enum PolicyCommand {
    /// Print a policy with all that it leaves out
    Show {
        /// A policy [default: the built-in one]
        file: Option<PathBuf>,
    },
    /// Say whether a policy allows a call, and why not: exit code 3 where it does not
    Explain {
        /// A policy
        file: PathBuf,
        /// An operation: put_object
        operation: String,
        /// What it is called for: BUCKET, BUCKET/KEY, or of a listing BUCKET/PREFIX
        #[arg(value_name = "PLACE")]
        place: Option<String>,
        /// What copy_object copies: BUCKET/KEY
        #[arg(value_name = "SOURCE")]
        source: Option<String>,
    },
}

/// Shows or explains a policy.
pub fn policy(args: &PolicyArgs) -> Result<Exit> {
    match &args.command {
        PolicyCommand::Show { file } => {
            let policy = match file {
                Some(path) => read(path)?,
                None => Policy::default(),
            };
            terminal::print(shown(&policy))?;
            Ok(Exit::Done)
        }
        PolicyCommand::Explain {
            file,
            operation,
            place,
            source,
        } => {
            let params = params(operation, place.as_deref(), source.as_deref())?;
            let judged = read(file)?.judge(&S3, operation, &params, &mut Count::default());
            let (style, said, exit) = match judged {
                Ok(()) => (GOOD, "The policy allows this.".to_owned(), Exit::Done),
                Err(denied) => (BAD, denied.to_string(), Exit::Findings),
            };
            terminal::print(format_args!("{}\n", Styled(style, clean(&said))))?;
            Ok(exit)
        }
    }
}

/// The parameters of a call that touches these.
fn params(operation: &str, place: Option<&str>, source: Option<&str>) -> Result<Value> {
    if S3.operation(operation).is_none() {
        return Err(Error::Usage(format!(
            "there is no operation {operation}; there are {}",
            S3.operation_names().collect::<Vec<_>>().join(", ")
        )));
    }
    let mut pairs = Vec::new();
    if let Some(place) = place {
        let (bucket, key) = place.split_once('/').unwrap_or((place, ""));
        pairs.push(("Bucket".into(), bucket.into()));
        if !key.is_empty() {
            let entry = Value::Map(vec![("Key".into(), key.into())]);
            let objects = Value::Map(vec![("Objects".into(), Value::List(vec![entry]))]);
            pairs.push(("Key".into(), key.into()));
            pairs.push(("Prefix".into(), key.into()));
            pairs.push(("Delete".into(), objects));
        }
    }
    if let Some(source) = source {
        let (bucket, key) = source.split_once('/').unwrap_or((source, ""));
        let source = Value::Map(vec![
            ("Bucket".into(), bucket.into()),
            ("Key".into(), key.into()),
        ]);
        pairs.push(("CopySource".into(), source));
    }
    let params = Value::Map(pairs);
    let named = !S3.touches(operation, &params).is_empty();
    let wanted = S3.parameters(operation);
    match named || !wanted.iter().any(|name| name == "Bucket") {
        true => Ok(params),
        false => Err(Error::Usage(format!(
            "{operation} needs what it is called for: BUCKET/KEY"
        ))),
    }
}
