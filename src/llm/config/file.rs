//! The sections of the config file about models.

use crate::error::{Error, Result};
use crate::llm::openai::OpenAiConfig;
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// `config.toml`. Other sections are ignored here.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ConfigFile {
    /// The model that is used without `--model`.
    pub(super) default: Option<String>,
    /// The settings of a model without a name.
    #[serde(default)]
    pub(super) model: Section,
    /// Models by the names that users gave them.
    #[serde(default)]
    pub(super) models: BTreeMap<String, Section>,
}

/// `[model]`, or one of `[models.NAME]`. It names the place of a key and never holds one.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Section {
    /// `PROVIDER:MODEL`; only under `[model]`.
    pub(super) name: Option<String>,
    /// The part of `PROVIDER:MODEL` before the colon.
    pub(super) provider: Option<String>,
    /// The part after it.
    pub(super) model: Option<String>,
    pub(super) base_url: Option<String>,
    pub(super) api_key_env: Option<String>,
    pub(super) api_key_file: Option<PathBuf>,
    pub(super) api_key_keyring: Option<String>,
    connect_timeout_s: Option<u32>,
    idle_timeout_s: Option<u32>,
    total_timeout_s: Option<u32>,
    max_retries: Option<u32>,
    /// Threads of a local model's server.
    pub(super) threads: Option<u32>,
    /// The context of a local model's server, in tokens.
    pub(super) context: Option<u32>,
    #[serde(default)]
    options: Map<String, Json>,
    #[serde(default)]
    omit: Vec<String>,
}

impl Section {
    /// The model as `--model` names it. `title` names the section in errors.
    pub(super) fn model(&self, title: &str) -> Result<Option<String>> {
        match (&self.name, &self.provider, &self.model) {
            (Some(name), None, None) => Ok(Some(name.clone())),
            (None, Some(provider), Some(model)) => Ok(Some(format!("{provider}:{model}"))),
            (None, None, None) => Ok(None),
            _ => Err(Error::usage(format!(
                "[{title}] of the config file needs both provider = \"…\" and model = \"…\""
            ))),
        }
    }

    /// Replaces a client's defaults by the settings that are present.
    pub(super) fn apply(&self, config: &mut OpenAiConfig) {
        let seconds = |setting: Option<u32>, current: &mut Duration| {
            if let Some(seconds) = setting {
                *current = Duration::from_secs(seconds.into());
            }
        };
        seconds(self.connect_timeout_s, &mut config.connect_timeout);
        seconds(self.idle_timeout_s, &mut config.idle_timeout);
        seconds(self.total_timeout_s, &mut config.total_timeout);
        config.backoff.max_retries = self.max_retries.unwrap_or(config.backoff.max_retries);
        config.extra = self.options.clone();
        for field in &self.omit {
            config.extra.insert(field.clone(), Json::Null);
        }
    }
}

/// `dialog2api/config.toml` in the user's config folder (`~/.config` on Linux).
pub fn default_config_file() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.config_dir().join("dialog2api").join("config.toml"))
}

/// Reads the file. A missing optional file counts as empty.
pub(super) fn read(path: &Path, must_exist: bool) -> Result<ConfigFile> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !must_exist => {
            return Ok(ConfigFile::default());
        }
        Err(error) => return Err(Error::file("cannot read", path)(error)),
    };
    toml::from_str(&text).map_err(|error| {
        // The error's own display quotes the line, which may hold a key.
        let start = error.span().map_or(0, |span| span.start);
        let before = text.as_bytes().get(..start).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        Error::Content {
            path: path.to_owned(),
            problem: format!("line {line}: {}", error.message()),
        }
    })
}
