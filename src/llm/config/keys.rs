//! Sources of keys: a variable, a file, or the system's keyring. No key appears in a
//! message.

use super::file::Section;
use crate::error::{Error, Result};
use crate::keyring::{self, Missing};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

impl Section {
    /// Describes where the key is kept, for messages; `None` if the section names no
    /// place.
    pub(super) fn key_source(&self) -> Option<String> {
        let Section {
            api_key_env,
            api_key_file,
            api_key_keyring,
            ..
        } = self;
        match (api_key_env, api_key_file, api_key_keyring) {
            (Some(variable), _, _) => Some(variable.clone()),
            (_, Some(file), _) => Some(file.display().to_string()),
            (_, _, Some(name)) => Some(format!("{name} in the keyring")),
            (None, None, None) => None,
        }
    }

    /// The key that the section names, if any. Paths of key files are relative to the folder
    /// of `config`, or begin with `~`.
    pub(super) fn key(
        &self,
        config: Option<&Path>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<String>> {
        if let Some(name) = &self.api_key_env {
            return match variable(name) {
                Some(key) => Ok(Some(key)),
                None => Err(Error::usage(format!(
                    "the config file takes the API key from {}, which is not set: set it, or DIALOG2API_API_KEY",
                    name.escape_debug()
                ))),
            };
        }
        if let Some(file) = &self.api_key_file {
            return of_file(&place(file, config)).map(Some);
        }
        match &self.api_key_keyring {
            Some(name) => of_keyring(name).map(Some),
            None => Ok(None),
        }
    }
}

fn place(file: &Path, config: Option<&Path>) -> PathBuf {
    match (file.strip_prefix("~"), etcetera::home_dir()) {
        (Ok(rest), Ok(home)) => home.join(rest),
        _ => match config.and_then(Path::parent) {
            Some(folder) => folder.join(file),
            None => file.to_owned(),
        },
    }
}

fn of_file(file: &Path) -> Result<String> {
    let failed = |error| Error::file("cannot read the API key from", file)(error);
    let metadata = std::fs::metadata(file).map_err(failed)?;
    if metadata.permissions().mode() & 0o004 != 0 {
        return Err(Error::Content {
            path: file.to_owned(),
            problem: format!(
                "everybody on this machine can read the API key in it; `chmod 600 '{}'` makes it yours",
                file.display()
            ),
        });
    }
    std::fs::read_to_string(file).map_err(failed)
}

fn of_keyring(name: &str) -> Result<String> {
    keyring::secret(name).map_err(|missing| {
        let problem = match missing {
            Missing::Tool(tool) => format!(
                "the API key {name:?} should come from the keyring, but `{tool}`, which reads it, \
                 is not installed (Debian's package libsecret-tools)"
            ),
            Missing::Refused(line) => {
                format!("the keyring does not give the API key {name:?}: {line}")
            }
            Missing::Secret(keep) => {
                format!("the keyring has no API key {name:?}; `{keep}` puts it there")
            }
        };
        Error::usage(format!(
            "{problem}; api_key_env and api_key_file take the API key from elsewhere"
        ))
    })
}
