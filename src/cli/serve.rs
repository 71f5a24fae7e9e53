//! `dialog2api world serve`: a world as an S3 endpoint.

use super::Exit;
use super::options::{WorldChoice, WorldOptions};
use super::progress::Spinner;
use super::stop::Signals;
use super::terminal::{self, BOLD, DIM, Styled, clean};
use crate::domain::World;
use crate::domain::s3::AccessKey;
use crate::domain::s3::serve::{Server, Service, listen};
use crate::error::{Error, Result};
use clap::Args;
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;

/// The secret of whoever sets none; good for one's own machine only.
const DEFAULT_SECRET: &str = "dialog2api";

/// Where the secret comes from: a command line is for everybody on the machine to see.
const SECRET_VARIABLE: &str = "DIALOG2API_SERVE_SECRET";

/// What was typed.
#[derive(Debug, Args)]
#[command(after_help = EXPLAINED)]
pub struct ServeArgs {
    #[command(flatten)]
    world: WorldOptions,

    /// Change nothing: what clients do is kept beside the world, and forgotten at the end
    #[arg(long)]
    overlay: bool,

    /// Where to listen. Port 0 takes any that is free
    #[arg(long, value_name = "IP:PORT", value_parser = address, default_value = "127.0.0.1:9000")]
    address: SocketAddr,

    /// The access key that clients must have
    #[arg(long, value_name = "ID", value_parser = access_key, default_value = "dialog2api")]
    access_key: String,

    /// One line of JSON: world, endpoint, access_key_id, secret_access_key (null when it
    /// is your own), region
    #[arg(long)]
    json: bool,
}

const EXPLAINED: &str = "\
boto3, aws-cli, rclone and every other client of S3 work on the world, with its rules and
its errors, until Ctrl-C. What they change stays when the world is a folder.

The clock of a world that is no folder may stand at a day of its own, so that the same
changes give the same times: with those, let `aws s3 sync` compare by --size-only.

The secret of the access key is DIALOG2API_SERVE_SECRET, or dialog2api where that is not
set. With a secret of your own, --address may be one that other machines can reach, and the
world may be a real S3 account.

  dialog2api world serve --world empty
  aws --endpoint-url http://127.0.0.1:9000 s3 mb s3://my-bucket

Objects have at most 64 MiB. Multipart uploads work; an object that was uploaded so has the
MD5 of the whole as its ETag. Buckets can be named in the path, or in the host with
localhost: http://my-bucket.localhost:9000.";

/// Serves until it is told to stop.
pub async fn serve(args: &ServeArgs, quiet: bool) -> Result<Exit> {
    let choice = args.world.choice()?;
    let own_secret = std::env::var(SECRET_VARIABLE).ok();
    let own_secret = own_secret.filter(|secret| !secret.is_empty());
    if own_secret.is_none() {
        require_own_secret(args, &choice)?;
    }
    let key = AccessKey {
        id: args.access_key.clone(),
        secret: own_secret.clone().unwrap_or(DEFAULT_SECRET.to_owned()),
    };
    let spinner = Arc::new(Spinner::new(quiet));
    let world: Arc<dyn World> = match args.overlay {
        true => Arc::new(choice.open_under_overlay(&spinner).await?),
        false => choice.open(false, &spinner).await?.world,
    };
    let described = world.describe();
    let failed = |error: &Error| terminal::complain("warning", &error.to_string());
    let service = Service::reporting(world, &key, failed);
    // Before anybody is told where we are, so that they can stop us at once.
    let mut stop = Signals::new()?;
    let server = listen(service, args.address).await?;
    match args.json {
        true => {
            let line = json!({
                "world": described,
                "endpoint": server.endpoint(),
                "access_key_id": key.id,
                "secret_access_key": own_secret.is_none().then_some(key.secret),
                "region": "us-east-1",
            });
            let line = terminal::clean_json(&line.to_string());
            terminal::print(format_args!("{line}\n"))?;
        }
        false => {
            let secret = match own_secret {
                Some(_) => format!("\"${SECRET_VARIABLE}\""),
                None => DEFAULT_SECRET.to_owned(),
            };
            terminal::print(announce(&server, &described, &key.id, &secret, quiet))?;
        }
    }
    stop.wait().await;
    server.stop().await;
    Ok(Exit::Done)
}

/// Refuses what would put a world that matters behind a secret that everybody knows.
fn require_own_secret(args: &ServeArgs, choice: &WorldChoice) -> Result<()> {
    let what = if !args.address.ip().is_loopback() {
        format!("{} can be reached by other machines", args.address)
    } else if matches!(choice, WorldChoice::Remote(_)) {
        "a real S3 account is served with the rights of its owner".to_owned()
    } else {
        return Ok(());
    };
    Err(Error::Usage(format!(
        "{what}, and the default secret is known to everybody: set a secret of your own in {SECRET_VARIABLE}"
    )))
}

/// What is served, and lines to paste.
fn announce(server: &Server, described: &str, id: &str, secret: &str, quiet: bool) -> String {
    let endpoint = server.endpoint();
    let exports = format!(
        "export AWS_ENDPOINT_URL={endpoint}\n\
         export AWS_ACCESS_KEY_ID={id}\n\
         export AWS_SECRET_ACCESS_KEY={secret}\n\
         export AWS_DEFAULT_REGION=us-east-1\n"
    );
    if quiet {
        return exports;
    }
    let heading = format!("Serving {} at {endpoint}", clean(described));
    format!(
        "{}\n{}\n\n{exports}aws s3 ls\n",
        Styled(BOLD, heading),
        Styled(DIM, "Ctrl-C stops it. In another terminal:"),
    )
}

/// Reads `127.0.0.1:9000`; `localhost` is the same machine.
fn address(text: &str) -> Result<SocketAddr, String> {
    let numeric = match text.strip_prefix("localhost:") {
        Some(port) => format!("127.0.0.1:{port}"),
        None => text.to_owned(),
    };
    let parsed = numeric.parse();
    parsed.map_err(|_| "an address is an IP address and a port: 127.0.0.1:9000".to_owned())
}

/// Ids travel in a header, between slashes, and are pasted into shells.
fn access_key(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    match !text.is_empty() && text.len() <= 128 && text.chars().all(plain) {
        true => Ok(text.to_owned()),
        false => Err("an access key has letters, digits, `-`, `_` and `.` only".to_owned()),
    }
}
