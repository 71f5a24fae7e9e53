//! `dialog2api mcp --http`: the address and the token.

use crate::cli::stop::Signals;
use crate::cli::terminal;
use crate::error::{Error, Result};
use crate::journal::SessionStore;
use crate::mcp_server::{McpEndpoint, PATH};
use serde_json::json;
use std::fs::DirBuilder;
use std::io::Write;
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use web_desk::Gate;

/// Listens at the address.
///
/// # Errors
/// [`Error::usage`] if others can reach it, or if it is taken.
pub async fn listen(address: SocketAddr, store: &SessionStore) -> Result<Gate> {
    if !address.ip().is_loopback() {
        return Err(Error::usage(format!(
            "{address} can be reached from other machines, and whoever has the token can do what \
             programs may do: use 127.0.0.1, and come from elsewhere by a tunnel, such as `ssh -L`"
        )));
    }
    let gate = Gate::bind(address, token(store)?).await;
    gate.map_err(|error| Error::usage(format!("cannot listen on {address}: {error}")))
}

/// Says where the server is, and serves until Ctrl-C.
pub async fn serve(
    server: &McpEndpoint,
    gate: Gate,
    store: &SessionStore,
    json: bool,
) -> Result<()> {
    let mut signals = Signals::new()?;
    let url = gate.url(PATH);
    if json {
        let line = json!({"url": url, "token": token(store)?}).to_string();
        terminal::print(format_args!("{}\n", terminal::clean_json(&line)))?;
    } else {
        let file = file(store);
        terminal::note(format_args!(
            "Serving MCP at {url}\n`--print-config` prints what the file of a client must hold. The \
             token is in {}.\nCtrl-C ends it.\n",
            file.display()
        ));
    }
    server
        .serve_http(gate, async move { signals.wait().await })
        .await
}

/// The address that the file of a client names.
///
/// # Errors
/// [`Error::usage`] if its port is not known before the server is started.
pub fn url(address: SocketAddr) -> Result<String> {
    match address.port() {
        0 => Err(Error::usage(
            "name a port, such as --http 127.0.0.1:8765: any free one is another after each start, \
             and the file of a client has to name it",
        )),
        _ => Ok(format!("http://{address}{PATH}")),
    }
}

/// The token of the user's servers. It is made the first time and stays, so that the files of
/// clients stay valid.
///
/// # Errors
/// Its file cannot be written or read, or others may read it.
pub fn token(store: &SessionStore) -> Result<String> {
    let file = file(store);
    let failed = Error::file("cannot keep", &file);
    if !file.exists() {
        make(&file).map_err(failed)?;
    }
    let failed = Error::file("cannot read", &file);
    let read = || -> std::io::Result<(u32, String)> {
        let mode = std::fs::metadata(&file)?.permissions().mode();
        Ok((mode, std::fs::read_to_string(&file)?))
    };
    let (mode, text) = read().map_err(failed)?;
    if mode & 0o077 != 0 {
        return Err(Error::usage(format!(
            "others on this machine may read the token in {}: remove it, and the next start makes \
             another",
            file.display()
        )));
    }
    Ok(text.trim().to_owned())
}

/// The file of the token, beside the sessions.
fn file(store: &SessionStore) -> PathBuf {
    store.folder().with_file_name("mcp-token")
}

/// Makes the file, which its owner alone reads. Where another process was first, its file stays.
fn make(file: &Path) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    let mut made = tempfile::NamedTempFile::new_in(folder)?;
    writeln!(made, "{}", const_hex::encode(bytes))?;
    match made.persist_noclobber(file) {
        Ok(_) => Ok(()),
        Err(error) if file.exists() => {
            drop(error);
            Ok(())
        }
        Err(error) => Err(error.error),
    }
}
