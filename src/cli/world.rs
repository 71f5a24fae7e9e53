//! `dialog2api world`: what is in a world.

use super::Exit;
use super::options::{WorldChoice, WorldOptions};
use super::progress::Spinner;
use super::serve::{self, ServeArgs};
use super::terminal::{self, BOLD, DIM, Styled, clean};
use crate::dialogue::Outcome;
use crate::domain::s3::show::{Summary, summary};
use crate::domain::s3::world::{self, BUILT_IN};
use crate::domain::{self, Signature, World};
use crate::error::{Error, Result};
use clap::{Args, Subcommand};
use serde::Serialize;
use std::fmt::Write;
use std::sync::Arc;

/// What was typed.
#[derive(Debug, Args)]
pub struct WorldArgs {
    #[command(subcommand)]
    command: WorldCommand,
}

#[derive(Debug, Subcommand)]
enum WorldCommand {
    /// The buckets and objects of a world
    Show(OneWorld),
    /// The signature of a world's state: 8 hex digits
    Signature(OneWorld),
    /// The worlds there are
    List {
        /// A JSON array: name, description, buckets, objects, signature
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

    /// JSON, for scripts
    #[arg(long)]
    json: bool,
}

/// Looks, and prints what there is; or serves it.
pub async fn world(args: &WorldArgs, quiet: bool) -> Result<Exit> {
    let spinner = Arc::new(Spinner::new(quiet));
    match &args.command {
        WorldCommand::Show(one) => {
            let world = one.world.choice()?.open(true, &spinner).await?.world;
            let content = summary(&*world).await?;
            match one.json {
                true => terminal::print_json(&content)?,
                false => terminal::print(describe(&*world, &content))?,
            }
        }
        WorldCommand::Signature(one) => {
            let choice = one.world.choice()?;
            let world = choice.open(true, &spinner).await?.world;
            let signature = sign(&choice, &*world, [], &spinner).await?.to_string();
            match one.json {
                true => terminal::print_json(&serde_json::json!({ "signature": signature }))?,
                false => terminal::print(format_args!("{signature}\n"))?,
            }
        }
        WorldCommand::List { json } => list(*json).await?,
        WorldCommand::Serve(args) => return serve::serve(args, quiet).await,
    }
    Ok(Exit::Done)
}

/// The signature of a world after programs with these outcomes ran in it, with
/// progress, and a note where it does not see all.
pub async fn sign(
    choice: &WorldChoice,
    world: &dyn World,
    outcomes: impl IntoIterator<Item = &Outcome>,
    spinner: &Spinner,
) -> Result<Signature> {
    if !choice.is_embedded() {
        spinner.say("reading the world for its signature");
    }
    let signature = domain::signature(world, outcomes).await;
    spinner.done();
    if signature.is_ok()
        && let Some(note) = choice.blind_spots()
    {
        spinner.note(&format!("note: {note}"));
    }
    signature
}

/// A world for people: its buckets, and below each the keys with their sizes.
pub fn describe(world: &dyn World, content: &Summary) -> String {
    let mut text = format!("{}\n", Styled(DIM, clean(&world.describe())));
    if content.buckets.is_empty() {
        text.push_str("no buckets\n");
    }
    for bucket in &content.buckets {
        let name = clean(&bucket.name);
        let count = match bucket.objects.len() {
            1 => "1 object".to_owned(),
            n => format!("{n} objects"),
        };
        let about = format!("{}, {count}", clean(&bucket.region));
        let _ = writeln!(text, "{}  {}", Styled(BOLD, name), Styled(DIM, about));
        let sizes: Vec<String> = (bucket.objects.iter())
            .map(|object| object.size.to_string())
            .collect();
        let width = sizes.iter().map(String::len).max().unwrap_or(0);
        for (object, size) in bucket.objects.iter().zip(sizes) {
            // A key is one thing: a line break in it must not look like two.
            let key = clean(&object.key).replace('\n', "␊").replace('\t', "␉");
            let _ = writeln!(text, "  {}  {key}", Styled(DIM, format!("{size:>width$}")));
        }
    }
    text
}

/// One of the worlds that come with the program.
#[derive(Serialize)]
struct BuiltIn {
    name: &'static str,
    description: String,
    buckets: usize,
    objects: usize,
    signature: String,
}

async fn list(json: bool) -> Result<()> {
    let mut worlds = Vec::new();
    for (name, text) in BUILT_IN {
        let world = world::memory(name)?;
        let content = summary(&world).await?;
        worlds.push(BuiltIn {
            name,
            description: description(text)?,
            buckets: content.buckets.len(),
            objects: content.buckets.iter().map(|b| b.objects.len()).sum(),
            signature: domain::signature(&world, []).await?.to_string(),
        });
    }
    if json {
        return terminal::print_json(&worlds);
    }
    let mut text = String::new();
    let others = [
        ("FILE.toml", "a world described in a file, in memory"),
        (
            "DIR",
            "a folder: its subfolders are buckets; what programs change is kept there",
        ),
        (
            "s3",
            "the account that the AWS configuration names, or the server of --endpoint-url",
        ),
    ];
    let ours = worlds.iter().map(|w| (w.name, w.description.as_str()));
    let all: Vec<_> = ours.chain(others).collect();
    let width = all.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, description) in all {
        let description = clean(description);
        let name = Styled(BOLD, format!("{name:width$}"));
        let _ = writeln!(text, "{name}  {description}");
    }
    terminal::print(text)
}

/// The first line of what a description says about itself.
fn description(text: &str) -> Result<String> {
    let table: toml::Table = text
        .parse()
        .map_err(|error| Error::World(format!("a built-in world is damaged: {error}")))?;
    let description = table.get("description").and_then(toml::Value::as_str);
    let first = description.unwrap_or_default().lines().next();
    Ok(first.unwrap_or_default().to_owned())
}
