//! `dialog2api mcp`: a server of the Model Context Protocol on standard input and output, or over
//! HTTP.

mod client_config;
mod over_http;

use super::options::{self, WorldOptions};
use super::plan::{self, Extent};
use super::policy::PolicyOptions;
use super::progress::Spinner;
use super::standard_streams::standard_streams;
use super::terminal;
use super::{Exit, prepare};
use crate::agent::{Assist, Sandbox, Settings};
use crate::domain::{Domain, SharedLink};
use crate::error::Result;
use crate::exec::{Engine, Limits};
use crate::journal::SessionStore;
use crate::mcp_server::{Ask, McpEndpoint, McpHost, ServerParts};
use crate::service::{PlanView, StoredSession};
use async_trait::async_trait;
use clap::{Args, ValueEnum};
use client_config::{Client, Way};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OnceCell;

/// The most of a plan that is shown whole. A longer one is folded, with counts.
const WHOLE: usize = 16 << 10;

/// How often a client is told that it waits. Clients give up after about 30 seconds of silence.
const TOLD_EVERY: Duration = Duration::from_secs(5);

/// The arguments of `mcp`.
#[derive(Debug, Args)]
#[command(after_help = "\
The agent that starts this server brings the model. Programs run in the sandbox; a plan is
carried out only after a person has agreed, in the client or by `dialog2api plan approve`.")]
pub struct McpArgs {
    #[command(flatten)]
    world: WorldOptions,

    #[command(flatten)]
    policy: PolicyOptions,

    /// How long a program may run
    #[arg(long, value_name = "TIME", value_parser = options::duration, default_value = "30s")]
    deadline: Duration,

    /// Where people are asked about plans: client (by its form, if it has one, else in a
    /// terminal) or terminal (for clients that answer by themselves)
    #[arg(long, value_name = "WHERE", default_value = "client")]
    ask: Where,

    /// Serve over HTTP on this machine, to several clients at once; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:0")]
    http: Option<SocketAddr>,

    /// With --http: print the address and the token as a JSON object: url, token
    #[arg(long, requires = "http")]
    json: bool,

    /// Serve nothing: print how a client starts this server, with these options, or, with --http,
    /// how it comes to it
    #[arg(long, value_name = "CLIENT")]
    print_config: Option<Client>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Where {
    Client,
    Terminal,
}

/// Serves until the client closes standard input, or over HTTP until Ctrl-C.
pub async fn mcp(args: &McpArgs, domain: &Arc<Domain>) -> Result<Exit> {
    let store = SessionStore::of_user()?;
    if let Some(client) = args.print_config {
        let way = match args.http {
            Some(address) => Way::Http {
                url: over_http::url(address)?,
                token: over_http::token(&store)?,
            },
            None => Way::started()?,
        };
        terminal::print(client_config::of(client, &way)?)?;
        return Ok(Exit::Done);
    }
    // Mistakes in the arguments are reported before a client is answered.
    let domain = &args.world.adapted(domain)?;
    let policy = args.policy.of_dialogue(domain)?;
    let choice = args.world.choice(domain)?;
    let host = Arc::new(CommandLine {
        domain: domain.clone(),
        world: args.world.clone(),
        engine: OnceCell::new(),
    });
    let settings = Settings {
        limits: Limits {
            deadline: args.deadline,
            ..Limits::interactive()
        },
        policy: Some(Arc::new(policy)),
        assist: Assist::all(),
        ..Settings::default()
    };
    let server = McpEndpoint::new(ServerParts {
        host: host.clone(),
        domain: domain.clone(),
        world: args.world.named.clone(),
        kind: choice.found.kind,
        store: store.clone(),
        settings,
        ask: match args.ask {
            Where::Client => Ask::Client,
            Where::Terminal => Ask::Terminal,
        },
        told_every: TOLD_EVERY,
    })?;
    let gate = match args.http {
        Some(address) => Some(over_http::listen(address, &store).await?),
        None => None,
    };
    // Meanwhile clients are answered. A failure comes back with the first program.
    let preparing = tokio::spawn(async move { host.sandbox().await.map(drop) });
    let served = match gate {
        Some(gate) => over_http::serve(&server, gate, &store, args.json).await,
        None => {
            let (stdin, stdout) = standard_streams()?;
            server.serve(stdin, stdout).await
        }
    };
    preparing.abort();
    served.map(|()| Exit::Done)
}

/// What the server needs of the command line.
struct CommandLine {
    domain: Arc<Domain>,
    world: WorldOptions,
    engine: OnceCell<Arc<Engine>>,
}

#[async_trait]
impl McpHost for CommandLine {
    async fn sandbox(&self) -> Result<Arc<dyn Sandbox>> {
        let prepare = async || prepare::engine(&self.domain, true).await.map(Arc::new);
        let engine = self.engine.get_or_try_init(prepare).await?;
        Ok(engine.clone())
    }

    fn is_here(&self, stored: &StoredSession) -> bool {
        let Ok(choice) = self.world.choice(&self.domain) else {
            return false;
        };
        let found = &choice.found;
        let named = (found.name.as_str(), found.kind);
        let identity = found.identity.as_deref();
        stored.check(&self.domain, named, identity).is_ok()
    }

    fn plan(&self, view: &PlanView, program: Option<&str>) -> String {
        let text = match plan::plain(view, Extent::Whole) {
            whole if whole.len() <= WHOLE => whole,
            _ => {
                let short = plan::plain(view, Extent::Short);
                format!(
                    "{short}  (not all of it is shown here; `dialog2api plan approve` shows it)\n"
                )
            }
        };
        text + &plan::program(program)
    }

    fn link(&self, link: &SharedLink) {
        Spinner::new(true).link(link);
    }
}
