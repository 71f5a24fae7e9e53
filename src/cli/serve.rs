//! `dialog2api world serve`: a world as an S3 endpoint.

use super::Exit;
use super::options::WorldOptions;
use super::progress::Spinner;
use super::stop::Signals;
use super::terminal::{self, BOLD, DIM, Styled, clean};
use crate::domain::Domain;
use crate::domain::s3::serve::{S3Server, Service, ServiceOptions, listen};
use crate::domain::s3::{AccessKey, S3};
use crate::error::{Error, Result};
use clap::Args;
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;

/// Sets the secret without showing it in the list of processes.
const SECRET_VARIABLE: &str = "DIALOG2API_SERVE_SECRET";

/// The arguments of `world serve`.
#[derive(Debug, Args)]
#[command(after_help = EXPLAINED)]
pub struct ServeArgs {
    #[command(flatten)]
    world: WorldOptions,

    /// Change nothing: changes by clients are kept in an overlay and discarded at the end
    #[arg(long)]
    overlay: bool,

    /// The address to listen on. Port 0 chooses a free port
    #[arg(long, value_name = "IP:PORT", value_parser = address, default_value = "127.0.0.1:9000")]
    address: SocketAddr,

    /// The access key that clients must use
    #[arg(long, value_name = "ID", value_parser = access_key, default_value = "dialog2api")]
    access_key: String,

    /// The secret of the access key, at least 8 characters [default: a new one at each
    /// start]. Other users of this machine can see this option in the list of processes;
    /// DIALOG2API_SERVE_SECRET sets the secret without showing it
    #[arg(long, value_name = "SECRET", value_parser = secret)]
    secret: Option<String>,

    /// Another name under which clients reach the server, besides localhost and the
    /// address. Can be given several times
    #[arg(long = "host", value_name = "NAME", value_parser = host)]
    hosts: Vec<String>,

    /// Answer requests without a signature, too, as far as the policies and access control
    /// lists of buckets let everybody in
    #[arg(long)]
    anonymous: bool,

    /// Make new buckets as AWS made them before April 2023: with access control lists, and
    /// without a block of public access
    #[arg(long)]
    legacy_buckets: bool,

    /// Keep the clock of the world, if it has one of its own: a write takes a second, so the
    /// same changes always get the same times. Without this, it has the machine's time
    #[arg(long)]
    own_clock: bool,

    /// Print one line of JSON: world, endpoint, access_key_id, secret_access_key (null if
    /// you have set it), region
    #[arg(long)]
    json: bool,
}

const EXPLAINED: &str = "\
boto3, aws-cli, rclone and every other client of S3 can use the world, with its rules and
errors, until Ctrl-C. If the world is a folder, their changes are kept.

Writes get the machine's time. With --own-clock a built-in world keeps its clock, which stands
in the past: then use `aws s3 sync` with --size-only.

The secret of the access key is new at each start and printed once, in lines to paste.
DIALOG2API_SERVE_SECRET or --secret set a permanent one, for scripts. Requests from web
pages are refused unless their bucket has rules for them (put_bucket_cors), and so are
requests to names other than the server's (see --host).

  dialog2api world serve --world empty
  aws s3 mb s3://my-bucket          # in another terminal, once the lines are pasted

In a folder, objects have at most 5 GiB in one upload and 50 TiB in parts; in memory, 64 MiB.
Multipart uploads work; the ETag of such an object is that of
AWS, made of the MD5s of its parts and their number, and not the MD5 of the whole. A folder
keeps uploads in progress; those to a world in memory, or with --overlay, end with the
server. Buckets can be named in the path, or with localhost also in the host:
http://my-bucket.localhost:9000.";

/// Serves until a signal stops it.
pub async fn serve(args: &ServeArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    if domain.name != S3.name {
        return Err(Error::usage(format!(
            "only worlds of the domain {} can be served, and this one is of {}",
            S3.name, domain.name
        )));
    }
    let choice = args.world.choice(domain)?;
    let own_secret = own_secret(args)?;
    let key = AccessKey {
        id: args.access_key.clone(),
        secret: match &own_secret {
            Some(own) => own.text.clone(),
            None => random_secret()?,
        },
    };
    let spinner = Arc::new(Spinner::new(quiet));
    let how = (args.overlay, args.own_clock);
    let world = choice.open_served(how, &spinner).await?;
    let described = world.describe();
    let options = ServiceOptions {
        hosts: args.hosts.clone(),
        anonymous: args.anonymous,
        legacy_buckets: args.legacy_buckets,
        on_failure: Box::new(|error| terminal::complain("warning", &error.to_string())),
    };
    let service = Service::with_options(world, &key, options);
    // The signals are caught before the endpoint is printed, so that a reader of that
    // line can stop the server at once.
    let mut stop = Signals::new()?;
    let server = listen(service, args.address).await?;
    if args.json {
        let line = json!({
            "world": described,
            "endpoint": server.endpoint(),
            "access_key_id": key.id,
            "secret_access_key": own_secret.is_none().then_some(key.secret),
            "region": "us-east-1",
        });
        let line = terminal::clean_json(&line.to_string());
        terminal::print(format_args!("{line}\n"))?;
    } else {
        let secret = own_secret.map_or(key.secret, |own| own.shown.to_owned());
        terminal::print(announce(&server, &described, &key.id, &secret, quiet))?;
    }
    stop.wait().await;
    server.stop().await;
    Ok(Exit::Done)
}

/// A secret that was set by the user.
struct OwnSecret {
    text: String,
    /// The text that replaces it in the lines to paste, which may end up in a log.
    shown: &'static str,
}

fn own_secret(args: &ServeArgs) -> Result<Option<OwnSecret>> {
    if let Some(text) = args.secret.clone() {
        let shown = "SECRET";
        return Ok(Some(OwnSecret { text, shown }));
    }
    let Some(text) = std::env::var(SECRET_VARIABLE)
        .ok()
        .filter(|text| !text.is_empty())
    else {
        return Ok(None);
    };
    let text =
        secret(&text).map_err(|problem| Error::usage(format!("{SECRET_VARIABLE}: {problem}")))?;
    let shown = concat!("\"$", "DIALOG2API_SERVE_SECRET", "\"");
    Ok(Some(OwnSecret { text, shown }))
}

/// 40 hex digits: they need no quoting in shells and configuration files.
fn random_secret() -> Result<String> {
    let mut bytes = [0; 20];
    getrandom::fill(&mut bytes).map_err(Error::system("cannot get random numbers"))?;
    Ok(const_hex::encode(bytes))
}

/// The text about the world and its endpoint, with lines to paste.
fn announce(server: &S3Server, described: &str, id: &str, secret: &str, quiet: bool) -> String {
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

/// Reads `127.0.0.1:9000`; `localhost` means the same machine.
fn address(text: &str) -> Result<SocketAddr, String> {
    let numeric = match text.strip_prefix("localhost:") {
        Some(port) => format!("127.0.0.1:{port}"),
        None => text.to_owned(),
    };
    let parsed = numeric.parse();
    parsed.map_err(|_| "an address is an IP address and a port: 127.0.0.1:9000".to_owned())
}

/// IDs are sent in a header, between slashes, and are pasted into shells.
fn access_key(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if !text.is_empty() && text.len() <= 128 && text.chars().all(plain) {
        return Ok(text.to_owned());
    }
    Err("an access key has letters, digits, `-`, `_` and `.` only".to_owned())
}

fn secret(text: &str) -> Result<String, String> {
    if (8..=128).contains(&text.len()) && text.chars().all(|c| c.is_ascii_graphic()) {
        return Ok(text.to_owned());
    }
    Err("a secret has 8 to 128 characters of ASCII and no spaces".to_owned())
}

fn host(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if !text.is_empty() && text.chars().all(plain) {
        return Ok(text.to_owned());
    }
    Err("a host is a name without scheme and port, as files.example".to_owned())
}
