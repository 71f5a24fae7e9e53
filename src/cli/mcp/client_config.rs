//! How clients come to this server, in the form of each client's own file.

use crate::error::{Error, Result};
use clap::ValueEnum;
use serde_json::json;
use std::path::Path;

/// A client whose file is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Client {
    /// Claude Desktop and Claude Code: claude_desktop_config.json, .mcp.json
    Claude,
    /// VS Code: .vscode/mcp.json
    Vscode,
    /// Cursor: .cursor/mcp.json
    Cursor,
    /// Codex: ~/.codex/config.toml
    Codex,
}

/// How a client comes to the server.
pub enum Way {
    /// It starts this program.
    Started {
        program: String,
        arguments: Vec<String>,
    },
    /// It sends requests there, with this token.
    Http { url: String, token: String },
}

impl Way {
    /// As it was started now.
    ///
    /// # Errors
    /// The path of this program is not known.
    pub fn started() -> Result<Way> {
        let program = std::env::current_exe()
            .map_err(Error::system("the path of this program is not known"))?;
        Ok(Way::Started {
            program: program.display().to_string(),
            arguments: arguments(std::env::args().skip(1)),
        })
    }
}

/// What the file of a client has to hold, so that it comes to the server in this way.
///
/// # Errors
/// It cannot be written in the client's form.
pub fn of(client: Client, way: &Way) -> Result<String> {
    let mut server = match way {
        Way::Started { program, arguments } => json!({"command": program, "args": arguments}),
        Way::Http { url, token } => {
            let headers = match client {
                Client::Codex => "http_headers",
                _ => "headers",
            };
            json!({"url": url, headers: {"Authorization": format!("Bearer {token}")}})
        }
    };
    // Cursor and Codex tell the two apart by themselves.
    let kind = match (client, way) {
        (Client::Vscode, Way::Started { .. }) => Some("stdio"),
        (Client::Vscode | Client::Claude, Way::Http { .. }) => Some("http"),
        _ => None,
    };
    if let Some(kind) = kind {
        server["type"] = kind.into();
    }
    let servers = json!({"dialog2api": server});
    let json = match client {
        Client::Claude | Client::Cursor => json!({"mcpServers": servers}),
        Client::Vscode => json!({"servers": servers}),
        Client::Codex => {
            let table = json!({"mcp_servers": servers});
            return toml::to_string(&table).map_err(unwritten);
        }
    };
    let text = serde_json::to_string_pretty(&json).map_err(unwritten)?;
    Ok(format!("{text}\n"))
}

fn unwritten(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::bug("the configuration cannot be written")(error)
}

/// The arguments without `--print-config`. A client starts the server in another folder, so paths
/// are absolute.
fn arguments(given: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut given = given.peekable();
    while let Some(argument) = given.next() {
        if argument == "--print-config" {
            given.next();
        } else if !argument.starts_with("--print-config=") {
            kept.push(absolute(argument));
        }
    }
    kept
}

fn absolute(argument: String) -> String {
    let (option, value) = match argument.split_once('=') {
        Some((option, value)) if option.starts_with("--") => (Some(option), value),
        _ => (None, argument.as_str()),
    };
    let path = Path::new(value);
    let is_path = value.contains('/') || path.is_file();
    let place = is_path.then(|| path.canonicalize().ok()).flatten();
    match (place, option) {
        (Some(place), Some(option)) => format!("{option}={}", place.display()),
        (Some(place), None) => place.display().to_string(),
        (None, _) => argument,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_gets_the_options_without_that_of_the_print() {
        let given = [
            "mcp",
            "--world",
            "empty",
            "--print-config",
            "codex",
            "--read-only",
        ];
        let kept = arguments(given.map(str::to_owned).into_iter());
        assert_eq!(kept, ["mcp", "--world", "empty", "--read-only"]);
        let given = ["--print-config=codex", "mcp", "--policy=Cargo.toml"];
        let kept = arguments(given.map(str::to_owned).into_iter());
        assert_eq!(kept[0], "mcp");
        assert!(kept[1].starts_with("--policy=/"), "{kept:?}");
        let way = Way::Started {
            program: "/bin/d".to_owned(),
            arguments: kept[..1].to_vec(),
        };
        let text = of(Client::Codex, &way).expect("the arguments are text");
        let toml = "[mcp_servers.dialog2api]\ncommand = \"/bin/d\"\nargs = [\"mcp\"]\n";
        assert_eq!(text, toml);
    }
}
