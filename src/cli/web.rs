//! `dialog2api web`: the agent as a page in the browser.

mod reports;

use super::Exit;
use super::chat::{ChatArgs, Lines, Prepared};
use super::progress::Spinner;
use super::stop::Signals;
use super::terminal;
use crate::domain::Domain;
use crate::error::{Error, Result};
use crate::journal::SessionStore;
use crate::service::{Conversation, Events, StoredSession};
use crate::web::{MAX_UPLOAD, PageDesk, PageHost};
use async_trait::async_trait;
use clap::Args;
use reports::Reports;
use serde_json::json;
use std::fs::DirBuilder;
use std::net::SocketAddr;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use tokio::runtime::Runtime;
use web_desk::{Log, Reach, Server};

/// The arguments of `web`.
#[derive(Debug, Args)]
#[command(after_help = "\
The link lets one browser in, once. The page is served on this machine alone, and nothing is \
applied that was not agreed to on it.")]
#[command(mut_arg("script", |arg| arg.hide(true)), mut_arg("save", |arg| arg.hide(true)))]
pub struct WebArgs {
    #[command(flatten)]
    chat: ChatArgs,

    /// Where the page is served; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    address: SocketAddr,

    /// Open no browser, only print the link
    #[arg(long)]
    no_open: bool,

    /// Print the link as a JSON object: url
    #[arg(long)]
    json: bool,

    /// Evaluations that the page reports on, also while they go on: folders with run.json and
    /// log.jsonl. Can be given several times
    #[arg(long, value_name = "LOG_DIR")]
    report: Vec<PathBuf>,
}

/// What the page needs of the command line.
struct CommandLine {
    prepared: Prepared,
    spinner: Arc<Spinner>,
    uploads: PathBuf,
    reports: Reports,
}

#[async_trait]
impl PageHost for CommandLine {
    async fn open(&self, stored: StoredSession) -> Result<(Conversation, Events)> {
        let (conversation, events) = self.prepared.open(stored, &self.spinner).await?;
        let mut shown = conversation.events(events.number());
        let spinner = self.spinner.clone();
        tokio::spawn(async move {
            while let Some(event) = shown.recv().await {
                spinner.event(&event);
            }
        });
        Ok((conversation, events))
    }

    fn store(&self) -> &SessionStore {
        &self.prepared.store
    }

    fn domain(&self) -> &Arc<Domain> {
        &self.prepared.domain
    }

    fn uploads(&self) -> &Path {
        &self.uploads
    }

    fn has_report(&self) -> bool {
        !self.reports.folders.is_empty()
    }

    async fn report(&self) -> Result<String> {
        self.reports.page(&self.prepared.domain).await
    }
}

/// Serves the page until Ctrl-C.
pub fn web(args: &WebArgs, domain: &Arc<Domain>, quiet: bool, runtime: &Runtime) -> Result<Exit> {
    for (name, is_given) in args.chat.of_terminals() {
        if is_given {
            return Err(Error::usage(format!("{name} is for chat at a terminal")));
        }
    }
    if !args.address.ip().is_loopback() {
        return Err(Error::usage(format!(
            "{} can be reached from other machines, and whoever uses the page can do all that you \
             can: use 127.0.0.1, and come from elsewhere by a tunnel, such as `ssh -L`",
            args.address
        )));
    }
    let reports = Reports::of(&args.report)?;
    let server = runtime.block_on(Server::bind(args.address, Reach::Loopback));
    let server = server.map_err(|error| Error::usage(error.to_string()))?;
    let mut lines = Lines::new(None)?;
    let uploads = uploads(&SessionStore::of_user()?)?;
    let world = args.chat.world().with_unlisted(&uploads, domain);
    let (mut prepared, stored) =
        Prepared::new(&args.chat, &world, domain, &mut lines, quiet, runtime)?;
    // A file that is uploaded to a world in memory is a part of a program, in base64.
    let limits = &mut prepared.settings().limits;
    limits.program_bytes = limits.program_bytes.max(2 * MAX_UPLOAD);
    let spinner = Arc::new(Spinner::new(quiet));
    let host = Arc::new(CommandLine {
        prepared,
        spinner,
        uploads,
        reports,
    });
    let log = Log::new();
    let desk = PageDesk::new(host.clone(), log.clone());
    runtime.block_on(desk.begin(stored))?;
    let failed = |error: std::io::Error| Error::system("the page cannot be served")(error);
    let url = server.links().fresh().map_err(failed)?;
    match args.json {
        // On one line, for whoever reads lines.
        true => terminal::print(format_args!("{}\n", json!({"url": url})))?,
        false => terminal::print(format_args!("Open {url}\nCtrl-C ends it.\n"))?,
    }
    if !args.no_open && !args.json {
        open_browser(&url);
    }
    let mut signals = runtime.block_on(async { Signals::new() })?;
    let until = async move { signals.wait().await };
    let served = runtime.block_on(server.serve(desk.clone(), log, until));
    runtime.block_on(desk.close())?;
    served.map_err(failed)?;
    Ok(Exit::Done)
}

impl WebArgs {
    /// The session that it goes on with.
    pub fn session(&self) -> Option<&str> {
        self.chat.session.as_deref()
    }
}

/// The folder for files that wait to be uploaded, beside the sessions. Its owner alone reads it.
fn uploads(store: &SessionStore) -> Result<PathBuf> {
    let folder = store.folder().with_file_name("page-uploads");
    let made = DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&folder);
    made.map_err(|error| Error::Content {
        path: folder.clone(),
        problem: error.to_string(),
    })?;
    Ok(folder)
}

/// Opens the link in the user's browser, where there is one.
pub(super) fn open_browser(url: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let opened = Command::new(program)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    // Without it the link is there to be followed.
    drop(opened);
}
