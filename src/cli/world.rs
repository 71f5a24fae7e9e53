//! `dialog2api world`: shows, signs, lists and serves worlds.

use super::Exit;
use super::options::{WorldChoice, WorldOptions};
use super::progress::Spinner;
use super::serve::{self, ServeArgs};
use super::terminal::{self, BOLD, DIM, Styled, clean, one_line};
use crate::dialogue::Outcome;
use crate::domain::{self, Domain, Signature, World};
use crate::error::Result;
use clap::{Args, Subcommand};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// The arguments of `world`.
#[derive(Debug, Args)]
pub struct WorldArgs {
    #[command(subcommand)]
    command: WorldCommand,
}

#[derive(Debug, Subcommand)]
enum WorldCommand {
    /// Show what a world holds
    Show(OneWorld),
    /// Print the signature of a world's state: 8 hex digits
    Signature(OneWorld),
    /// List the worlds
    List {
        /// A JSON array: name, description, how much it holds, signature
        #[arg(long)]
        json: bool,
    },
    /// Serve a world as an S3 endpoint, for boto3, aws-cli, rclone …
    Serve(ServeArgs),
}

#[derive(Debug, Args)]
struct OneWorld {
    #[command(flatten)]
    world: WorldOptions,

    /// Print JSON, for scripts
    #[arg(long)]
    json: bool,
}

/// Prints what was asked for, or serves a world.
pub async fn world(args: &WorldArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    let spinner = Arc::new(Spinner::new(quiet));
    match &args.command {
        WorldCommand::Show(one) => {
            let world = one.world.choice(domain)?.open(true, &spinner).await?.world;
            if one.json {
                terminal::print_json(&domain.contents()?.summary(&*world).await?)?;
            } else {
                terminal::print(described(domain, &*world).await?)?;
            }
        }
        WorldCommand::Signature(one) => {
            let choice = one.world.choice(domain)?;
            let world = choice.open(true, &spinner).await?.world;
            let signature = sign(&choice, &*world, [], &spinner).await?.to_string();
            if one.json {
                terminal::print_json(&serde_json::json!({ "signature": signature }))?;
            } else {
                terminal::print(format_args!("{signature}\n"))?;
            }
        }
        WorldCommand::List { json } => list(domain, *json).await?,
        WorldCommand::Serve(args) => return serve::serve(args, domain, quiet).await,
    }
    Ok(Exit::Done)
}

/// The signature of a world after programs with these outcomes have run in it. Shows
/// progress, and a note if the signature cannot see all changes.
pub async fn sign(
    choice: &WorldChoice,
    world: &dyn World,
    outcomes: impl IntoIterator<Item = &Outcome>,
    spinner: &Spinner,
) -> Result<Signature> {
    if choice.is_remote() {
        spinner.say("reading the world for its signature");
    }
    let signature = domain::signature(world, outcomes).await;
    spinner.done();
    if signature.is_ok()
        && let Some(note) = &choice.found.blind_spots
    {
        spinner.note(&format!("note: {note}"));
    }
    signature
}

/// A world as text for people: its containers, each followed by the things in it.
pub async fn described(domain: &Domain, world: &dyn World) -> Result<String> {
    let contents = domain.contents()?;
    let entries = contents.entries(&contents.summary(world).await?)?;
    let mut text = format!("{}\n", Styled(DIM, one_line(&world.describe())));
    if entries.is_empty() {
        let _ = writeln!(text, "{}", contents.nothing());
    }
    let mut rest = entries.as_slice();
    while let Some((first, after)) = rest.split_first() {
        let name = one_line(&first.name);
        let _ = writeln!(
            text,
            "{}  {}",
            Styled(BOLD, name),
            Styled(DIM, one_line(&first.about))
        );
        let (things, after) = match after.iter().position(|entry| entry.is_container) {
            Some(next) => after.split_at(next),
            None => (after, &[][..]),
        };
        let width = things.iter().map(|thing| thing.about.len()).max();
        let width = width.unwrap_or(0);
        for thing in things {
            // A line break in a name must not make it look like two things.
            let name = one_line(&thing.name);
            let about = format!("{:>width$}", thing.about);
            let _ = writeln!(text, "  {}  {name}", Styled(DIM, about));
        }
        rest = after;
    }
    Ok(text)
}

/// A built-in world. The domain counts its contents.
#[derive(Serialize)]
struct BuiltIn {
    name: String,
    description: String,
    #[serde(flatten)]
    counts: BTreeMap<String, usize>,
    signature: String,
}

async fn list(domain: &Domain, json: bool) -> Result<()> {
    let worlds = domain.worlds()?;
    if json {
        let contents = domain.contents()?;
        let mut list = Vec::new();
        for (name, description) in worlds.built_in() {
            let world = worlds.initial(&name)?;
            list.push(BuiltIn {
                name,
                description,
                counts: contents.counts(&contents.summary(&*world).await?)?,
                signature: domain::signature(&*world, []).await?.to_string(),
            });
        }
        return terminal::print_json(&list);
    }
    let mut text = String::new();
    let all = [worlds.built_in(), worlds.forms()].concat();
    let width = all.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, description) in all {
        let name = Styled(BOLD, format!("{name:width$}"));
        let _ = writeln!(text, "{name}  {}", clean(&description));
    }
    terminal::print(text)
}
