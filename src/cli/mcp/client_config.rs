//! How clients start this server, in the form of each client's own file.

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

/// What the file of a client has to hold, so that it starts this server as it was started now.
///
/// # Errors
/// The path of this program is not known.
pub fn of(client: Client) -> Result<String> {
    let program = std::env::current_exe()
        .map_err(|error| Error::World(format!("the path of this program is not known: {error}")))?;
    let arguments = arguments(std::env::args().skip(1));
    written(client, &program.display().to_string(), &arguments)
}

fn written(client: Client, program: &str, arguments: &[String]) -> Result<String> {
    let started = json!({"command": program, "args": arguments});
    let json = match client {
        Client::Claude | Client::Cursor => json!({"mcpServers": {"dialog2api": started}}),
        Client::Vscode => json!({"servers": {"dialog2api": {
            "type": "stdio", "command": program, "args": arguments,
        }}}),
        Client::Codex => {
            let table = json!({"mcp_servers": {"dialog2api": started}});
            return toml::to_string(&table).map_err(|error| unwritten(&error));
        }
    };
    let text = serde_json::to_string_pretty(&json).map_err(|error| unwritten(&error))?;
    Ok(format!("{text}\n"))
}

fn unwritten(error: &dyn std::fmt::Display) -> Error {
    Error::World(format!("the configuration cannot be written: {error}"))
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
        let text = written(Client::Codex, "/bin/d", &kept[..1]).expect("the arguments are text");
        let toml = "[mcp_servers.dialog2api]\ncommand = \"/bin/d\"\nargs = [\"mcp\"]\n";
        assert_eq!(text, toml);
    }
}
