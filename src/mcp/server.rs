//! The address or the command of an MCP server.

use crate::error::{Error, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// How long a server may take to start and to introduce itself. Servers that `npx` or `uvx`
/// have to download first take most of it.
const START: Duration = Duration::from_secs(60);
/// How long a server may take to answer a call without a sign of progress.
const ANSWER: Duration = Duration::from_secs(60);
/// The most characters of an address that sentences show.
const SHOWN: usize = 120;

/// An MCP server.
///
/// ```
/// use dialog2api::mcp::Server;
///
/// let server: Server = toml::from_str(r#"command = ["npx", "-y", "some-server", "notes"]"#)?;
/// assert_eq!(server.to_string(), "npx -y some-server notes");
/// let server: Server = toml::from_str(r#"url = "http://127.0.0.1:3001/mcp?key=abc""#)?;
/// assert_eq!(server.to_string(), "http://127.0.0.1:3001/mcp");
/// assert!(toml::from_str::<Server>("command = []").is_err());
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Table")]
pub struct Server {
    /// Where it is.
    pub at: Address,
    /// How long it may take to start.
    pub start_within: Duration,
    /// How long it may take to answer a call, or to say how far it got with it.
    pub answer_within: Duration,
}

/// Where a server is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A program that is started, and spoken to over its standard input and output.
    Command(Command),
    /// A server that runs already, and speaks Streamable HTTP.
    Url(Url),
}

/// A program with its arguments and its environment.
///
/// It inherits only the variables that every program needs ([`INHERITED`]), so it never sees
/// the keys of model providers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Command {
    /// The program: a path, or a name on `PATH`.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Variables of its environment, with their values.
    pub environment: BTreeMap<String, String>,
    /// Variables whose values are those of this program.
    pub pass: Vec<String>,
    /// Its working directory; by default that of this program.
    pub folder: Option<PathBuf>,
}

/// An address, with the variable that holds its token.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Url {
    /// The address.
    pub url: String,
    /// The variable of the environment that holds the bearer token, if one is needed.
    pub token_variable: Option<String>,
}

/// The variables of the environment that every server gets.
pub const INHERITED: [&str; 12] = [
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
    "XDG_CACHE_HOME",
];

impl Server {
    /// A program with arguments.
    pub fn command<A: Into<String>>(
        program: impl Into<String>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        Server::at(Address::Command(Command {
            program: program.into(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            ..Command::default()
        }))
    }

    /// A server at an address.
    pub fn url(url: impl Into<String>) -> Self {
        Server::at(Address::Url(Url {
            url: url.into(),
            token_variable: None,
        }))
    }

    /// A server with the default limits.
    pub fn at(at: Address) -> Self {
        Server {
            at,
            start_within: START,
            answer_within: ANSWER,
        }
    }
}

/// The server in words: its command, or its address without parts that may be secret.
impl std::fmt::Display for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = match &self.at {
            Address::Command(command) => {
                let arguments = command.arguments.iter().map(String::as_str);
                let words: Vec<&str> = [&*command.program].into_iter().chain(arguments).collect();
                words.join(" ")
            }
            Address::Url(url) => {
                let address = url.url.split(['?', '#']).next().unwrap_or_default();
                match address.split_once("://") {
                    Some((scheme, rest)) => {
                        let (authority, path) = match rest.find('/') {
                            Some(at) => rest.split_at(at),
                            None => (rest, ""),
                        };
                        let host = authority.rsplit('@').next().unwrap_or_default();
                        format!("{scheme}://{host}{path}")
                    }
                    None => address.to_owned(),
                }
            }
        };
        let words = words.replace(char::is_control, " ");
        match words.char_indices().nth(SHOWN) {
            Some((end, _)) => write!(f, "{}…", &words[..end]),
            None => f.write_str(&words),
        }
    }
}

/// A server as TOML has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    command: Option<Vec<String>>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    #[serde(default)]
    pass: Vec<String>,
    folder: Option<PathBuf>,
    url: Option<String>,
    token_variable: Option<String>,
    start_seconds: Option<u64>,
    answer_seconds: Option<u64>,
}

impl TryFrom<Table> for Server {
    type Error = String;

    fn try_from(table: Table) -> Result<Self, String> {
        let has_environment = !table.environment.is_empty() || !table.pass.is_empty();
        let at = match (table.command, table.url) {
            (Some(words), None) => {
                let mut words = words.into_iter();
                let program = words.next().filter(|program| !program.is_empty());
                let program = program.ok_or("`command` is a list: the program, then arguments")?;
                if table.token_variable.is_some() {
                    return Err("`token_variable` goes with `url`; use `pass` here".to_owned());
                }
                Address::Command(Command {
                    program,
                    arguments: words.collect(),
                    environment: table.environment,
                    pass: table.pass,
                    folder: table.folder,
                })
            }
            (None, Some(url)) if has_environment || table.folder.is_some() => {
                return Err(format!(
                    "`environment`, `pass` and `folder` go with `command`; the server at {url} \
                     runs already"
                ));
            }
            (None, Some(url)) => Address::Url(Url {
                url,
                token_variable: table.token_variable,
            }),
            _ => return Err("an MCP server has either `command` or `url`".to_owned()),
        };
        Ok(Server {
            at,
            start_within: table.start_seconds.map_or(START, Duration::from_secs),
            answer_within: table.answer_seconds.map_or(ANSWER, Duration::from_secs),
        })
    }
}

/// A variable that the configuration names.
pub(super) fn variable(name: &str, server: &Server) -> Result<String> {
    std::env::var(name).map_err(|_| {
        Error::Usage(format!(
            "the MCP server `{server}` needs the environment variable {name}, which is not set"
        ))
    })
}
