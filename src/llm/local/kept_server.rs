//! The record of the server that keeps running from one command to the next. It is in a
//! file that only its user can read. Tells whether that server is still alive.

use super::LocalConfig;
use crate::error::{Error, Result};
use crate::files::{self, Readers};
use crate::llm::ApiKey;
use crate::llm::openai::OpenAiConfig;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A kept server. It holds a lock on its log while it lives, so that a later process with
/// the same number is not mistaken for it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptServer {
    /// Its process ID.
    pub pid: u32,
    /// Its base URL.
    pub base_url: String,
    pub(super) key: String,
    /// The name of its model after `local:`.
    pub model: String,
    /// The name of its adapter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
}

impl std::fmt::Debug for KeptServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KeptServer({} at {})", self.model, self.base_url)
    }
}

/// How often to check whether a stopping server has ended, before it is killed.
const LOOKS: usize = 100;
const PAUSE: Duration = Duration::from_millis(50);

impl KeptServer {
    /// Whether it serves this model, with the same adapter.
    pub fn serves(&self, config: &LocalConfig) -> bool {
        let adapter = config.adapter.as_ref().map(|adapter| &adapter.name);
        self.model == config.model && self.adapter.as_ref() == adapter
    }

    /// The kept server, if it lives. The record of a dead one is removed.
    ///
    /// # Errors
    /// [`Error::usage`] if the user has no home folder, [`Error::File`] if the record cannot
    /// be read.
    pub fn find() -> Result<Option<KeptServer>> {
        let folder = state_folder()?;
        let path = Self::file(&folder);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::file("cannot read", &path)(error)),
        };
        match serde_json::from_str(&text) {
            Ok(kept) if is_alive(&folder) => Ok(Some(kept)),
            _ => {
                // Another process may have removed it.
                let _ = fs::remove_file(&path);
                Ok(None)
            }
        }
    }

    /// The file that holds the key, for other programs.
    ///
    /// # Errors
    /// [`Error::usage`] if the user has no home folder.
    pub fn path() -> Result<PathBuf> {
        Ok(Self::file(&state_folder()?))
    }

    /// The client's settings with the address and the key of this server.
    pub fn client(&self, settings: OpenAiConfig) -> OpenAiConfig {
        OpenAiConfig {
            base_url: self.base_url.clone(),
            api_key: ApiKey::new(&self.key),
            ..settings
        }
    }

    /// Ends the server, and waits for its end.
    ///
    /// # Errors
    /// [`Error::model`] if it does not end.
    pub async fn stop(self) -> Result<()> {
        let folder = state_folder()?;
        for signal in [Signal::SIGTERM, Signal::SIGKILL] {
            if let Ok(pid) = i32::try_from(self.pid) {
                // It may have ended by itself meanwhile.
                let _ = kill(Pid::from_raw(pid), signal);
            }
            for _ in 0..LOOKS {
                if !is_alive(&folder) {
                    let _ = fs::remove_file(Self::file(&folder));
                    return Ok(());
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
        Err(Error::model(format!(
            "the server (process {}) does not end",
            self.pid
        )))
    }

    pub(super) fn write(&self) -> Result<()> {
        let path = Self::path()?;
        let failed = |error| Error::file("cannot write", &path)(error);
        let text = serde_json::to_string(self).map_err(|error| failed(error.into()))?;
        // Writing to an older record would keep that file's permissions.
        Self::forget();
        files::replace(&path, text.as_bytes(), Readers::Owner)
    }

    /// Removes the record of a server that has ended.
    pub(super) fn forget() {
        if let Ok(path) = Self::path() {
            // If this fails, `find` removes the record later, as no server holds the
            // lock.
            let _ = fs::remove_file(path);
        }
    }

    fn file(folder: &Path) -> PathBuf {
        folder.join("server.json")
    }
}

/// Whether a server holds the lock.
fn is_alive(folder: &Path) -> bool {
    match File::open(folder.join("server.log")) {
        Ok(log) => matches!(log.try_lock_shared(), Err(fs::TryLockError::WouldBlock)),
        Err(_) => false,
    }
}

/// The folder of records and logs of servers: `server` in `DIALOG2API_STATE_DIR`, or else in
/// the user's state folder. It is created for its user alone.
///
/// # Errors
/// [`Error::usage`] if the user has no home folder, [`Error::File`] if the folder cannot be
/// created.
pub fn state_folder() -> Result<PathBuf> {
    let named = std::env::var_os("DIALOG2API_STATE_DIR").filter(|folder| !folder.is_empty());
    let folder = match named {
        Some(folder) => PathBuf::from(folder).join("server"),
        None => {
            use etcetera::BaseStrategy;
            let base = etcetera::choose_base_strategy().map_err(|_| {
                Error::usage(
                    "there is no home folder to keep a server's state in; set \
                     DIALOG2API_STATE_DIR to a folder of your own",
                )
            })?;
            let state = base.state_dir().unwrap_or_else(|| base.data_dir());
            state.join("dialog2api/server")
        }
    };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&folder)
        .map_err(Error::no_folder(&folder, "DIALOG2API_STATE_DIR"))?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_a_server_is_not_shown() {
        let kept = KeptServer {
            pid: 1,
            base_url: "http://127.0.0.1:1/v1".to_owned(),
            key: "very-secret".to_owned(),
            model: "some".to_owned(),
            adapter: None,
        };
        assert_eq!(
            format!("{kept:?}"),
            "KeptServer(some at http://127.0.0.1:1/v1)"
        );
        let client = kept.client(OpenAiConfig::new("", "some"));
        assert!(client.api_key.is_some());
        assert!(!format!("{client:?}").contains("very-secret"));
    }
}
