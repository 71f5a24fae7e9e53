//! The address or the command of an MCP server.

use super::secrets::{is_secret, of_arguments, of_url, of_variable};
use crate::error::{Error, Result};
use crate::keyring;
use crate::secrets::{Secrets, shown_url};
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

    /// The same server, whatever folder it is started from later: its program and the folder
    /// that it runs in are absolute. A program that is found on `PATH` keeps its name, since
    /// its place changes with its version.
    ///
    /// # Errors
    /// The folder of this program is gone.
    pub fn fixed(&self) -> Result<Self> {
        let mut fixed = self.clone();
        let Address::Command(command) = &mut fixed.at else {
            return Ok(fixed);
        };
        let here = std::env::current_dir().map_err(Error::file("cannot read", "."))?;
        command.folder = Some(match command.folder.take() {
            Some(folder) => here.join(folder),
            None => here.clone(),
        });
        if command.program.contains('/') {
            command.program = here.join(&command.program).display().to_string();
        }
        Ok(fixed)
    }

    /// The secrets for this server that are known here: its token, the secret parts of its
    /// address and its arguments, and the variables that are named like secrets.
    pub(crate) fn secrets(&self) -> Secrets {
        Secrets::of(match &self.at {
            Address::Command(command) => {
                let variables = command.pairs();
                let variables = variables.into_iter().filter(|(name, _)| is_secret(name));
                let values = variables.flat_map(|(_, value)| of_variable(&value));
                values.chain(of_arguments(&command.arguments)).collect()
            }
            Address::Url(url) => {
                let token = url.token_variable.as_ref();
                let token = token.and_then(|name| std::env::var(name).ok());
                token
                    .into_iter()
                    .chain(of_url(&url.url))
                    .collect::<Vec<_>>()
            }
        })
    }

    /// Tells the credentials for this server from others and does not give them away: its
    /// token, the parts of its address that sentences hide, or the variables that its program
    /// gets beside the [`INHERITED`] ones, which are where most programs look for a key. None if
    /// there are none.
    pub fn fingerprint(&self) -> Option<String> {
        let secrets = match &self.at {
            Address::Command(command) => {
                let pairs = command.pairs().into_iter();
                let variables = pairs.map(|(name, value)| format!("{name}={value}"));
                variables.chain(of_arguments(&command.arguments)).collect()
            }
            Address::Url(url) => {
                let hidden: Option<String> = (url.url != self.to_string()).then(|| url.url.clone());
                let token = url.token_variable.as_ref();
                let token = token.and_then(|name| std::env::var(name).ok());
                hidden.into_iter().chain(token).collect::<Vec<_>>()
            }
        };
        (!secrets.is_empty()).then(|| keyring::fingerprint(&secrets.join("\0")))
    }
}

impl Command {
    /// The variables that it gets by name, with their values.
    fn pairs(&self) -> Vec<(String, String)> {
        let own = self.environment.iter();
        let own = own.map(|(name, value)| (name.clone(), value.clone()));
        let passed = self.pass.iter();
        let passed = passed.filter_map(|name| Some((name.clone(), std::env::var(name).ok()?)));
        own.chain(passed).collect()
    }
}

/// The server in words: its command, or its address without parts that may be secret.
impl std::fmt::Display for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = match &self.at {
            Address::Command(command) => {
                let arguments = command.arguments.iter().map(String::as_str);
                let words: Vec<&str> = [&*command.program].into_iter().chain(arguments).collect();
                let secrets = Secrets::of(of_arguments(&command.arguments));
                secrets.hide(&words.join(" ")).into_owned()
            }
            Address::Url(url) => shown_url(&url.url),
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
        Error::usage(format!(
            "the MCP server `{server}` needs the environment variable {name}, which is not set"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_told_apart_and_not_given_away() {
        let of = |text: &str| {
            let server: Server = toml::from_str(text).expect("a server");
            server.fingerprint()
        };
        assert_eq!(of("command = [\"serve\", \"notes\"]"), None);
        assert_eq!(of("url = \"http://127.0.0.1:3001/mcp\""), None);
        for (test, live) in [
            (
                "command = [\"serve\"]\nenvironment = { KEY = \"test\" }",
                "command = [\"serve\"]\nenvironment = { KEY = \"live\" }",
            ),
            (
                "url = \"http://127.0.0.1:3001/mcp?key=test\"",
                "url = \"http://127.0.0.1:3001/mcp?key=live\"",
            ),
        ] {
            assert_eq!(of(test).as_deref().map(str::len), Some(8));
            assert_ne!(of(test), of(live));
        }
    }
}
