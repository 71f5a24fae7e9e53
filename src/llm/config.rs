//! Which model, from flags, environment and config file, in this order.

use super::openai::{DEFAULT_BASE_URL, OpenAiConfig};
use super::{ANTHROPIC_BASE_URL, AnthropicConfig, ApiKey, BedrockConfig, ServerConfig};
use crate::error::{Error, Result};
use etcetera::BaseStrategy;
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the command line says about the model; `None` leaves it to the
/// environment and then to the config file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelSpec {
    /// `--model`, else `DIALOG2API_MODEL`, else `name` under `[model]`:
    /// `openai:NAME`, `anthropic:NAME`, `bedrock:MODEL_ID` or `replay:FILE`.
    pub model: Option<String>,
    /// `--base-url`, else `OPENAI_BASE_URL` (`ANTHROPIC_BASE_URL` for `anthropic:NAME`), else `base_url` under `[model]`,
    /// else [`DEFAULT_BASE_URL`].
    pub base_url: Option<String>,
    /// A config file that must exist, instead of [`default_config_file`],
    /// which may be absent.
    pub config_file: Option<PathBuf>,
}

/// The model chosen: one variant for each thing that `--model` can name.
#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    /// `replay:FILE`: a recording.
    Replay(PathBuf),
    /// `openai:NAME`: a model behind an OpenAI-compatible server.
    OpenAi(Box<OpenAiConfig>),
    /// `anthropic:NAME`: a model behind a server that speaks Anthropic's protocol.
    Anthropic(Box<AnthropicConfig>),
    /// `bedrock:MODEL_ID`: a model of Amazon Bedrock.
    Bedrock(Box<BedrockConfig>),
}

/// `[model]` of the config file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    name: Option<String>,
    base_url: Option<String>,
    api_key_env: Option<String>,
    api_key_file: Option<PathBuf>,
    connect_timeout_s: Option<u32>,
    idle_timeout_s: Option<u32>,
    total_timeout_s: Option<u32>,
    max_retries: Option<u32>,
    #[serde(default)]
    options: Map<String, Json>,
    #[serde(default)]
    omit: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
struct ConfigFile {
    #[serde(default)]
    model: Section,
}

/// `dialog2api/config.toml` in the user's config folder (`~/.config` on Linux).
pub fn default_config_file() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.config_dir().join("dialog2api").join("config.toml"))
}

impl ModelSpec {
    /// Decides on the model; `variable` reads the environment. An empty
    /// variable counts as unset.
    ///
    /// The key is `DIALOG2API_API_KEY`; else what `api_key_env` or
    /// `api_key_file` name, for the base URL of the config file only, so that a
    /// provider's key goes to no other; else `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`.
    /// Bedrock takes the credentials of the AWS command line.
    ///
    /// # Errors
    /// [`Error::Usage`] when no model is named (with a guide on how to get one)
    /// or the name has no meaning; [`Error::File`] and [`Error::Content`] for a
    /// config file or key file that cannot be read.
    pub fn resolve(&self, variable: &dyn Fn(&str) -> Option<String>) -> Result<Choice> {
        let variable = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let path = self.config_file.clone().or_else(default_config_file);
        let file = match &path {
            Some(path) => read(path, self.config_file.is_some())?,
            None => Section::default(),
        };
        let own_url = self
            .base_url
            .clone()
            .or_else(|| variable("OPENAI_BASE_URL"));
        let is_files_server = own_url.is_none() || own_url == file.base_url;
        let base_url = own_url.or_else(|| file.base_url.clone());
        let named = self
            .model
            .clone()
            .or_else(|| variable("DIALOG2API_MODEL"))
            .or_else(|| file.name.clone());
        let Some(named) = named else {
            return Err(Error::Usage(match base_url {
                Some(url) => format!(
                    "the base URL {} is set, but no model: add --model openai:NAME with a name that this server knows",
                    url.escape_debug()
                ),
                None => guide(path.as_deref()),
            }));
        };
        match named.split_once(':') {
            Some(("replay", file)) if !file.is_empty() => Ok(Choice::Replay(file.into())),
            Some(("openai", model)) if !model.is_empty() => {
                let key = match variable("DIALOG2API_API_KEY") {
                    Some(key) => Some(key),
                    None if is_files_server => file.key(path.as_deref(), &variable)?,
                    None => None,
                };
                let key = key.or_else(|| variable("OPENAI_API_KEY"));
                let url = base_url.unwrap_or_else(|| DEFAULT_BASE_URL.to_owned());
                let mut config = OpenAiConfig::new(url, model);
                config.api_key = key.as_deref().and_then(ApiKey::new);
                file.apply(&mut config);
                Ok(Choice::OpenAi(Box::new(config)))
            }
            Some(("anthropic", model)) if !model.is_empty() => {
                let asked = self
                    .base_url
                    .clone()
                    .or_else(|| variable("ANTHROPIC_BASE_URL"));
                let file = file.of_provider("anthropic");
                let key = match variable("DIALOG2API_API_KEY") {
                    Some(key) => Some(key),
                    None if asked.is_none() || asked == file.base_url => {
                        file.key(path.as_deref(), &variable)?
                    }
                    None => None,
                };
                let key = key.or_else(|| variable("ANTHROPIC_API_KEY"));
                let url = asked.or_else(|| file.base_url.clone());
                let url = url.unwrap_or_else(|| ANTHROPIC_BASE_URL.to_owned());
                let mut config = AnthropicConfig::new(url, model);
                config.api_key = key.as_deref().and_then(ApiKey::new);
                file.apply(&mut config);
                Ok(Choice::Anthropic(Box::new(config)))
            }
            Some(("bedrock", model)) if !model.is_empty() => {
                let file = file.of_provider("bedrock");
                let url = self.base_url.clone().or_else(|| file.base_url.clone());
                let mut config = ServerConfig::new(url.unwrap_or_default(), model);
                file.apply(&mut config);
                Ok(Choice::Bedrock(Box::new(config.into())))
            }
            _ => Err(Error::Usage(format!(
                "`{0}` names no model. Write openai:NAME for a model behind an OpenAI-compatible server (openai:{0}?), anthropic:NAME, bedrock:MODEL_ID, or replay:FILE for a recorded dialogue",
                named.escape_debug()
            ))),
        }
    }
}

impl Section {
    /// What is said of a model of this provider: nothing, where the file's model is of
    /// another one.
    fn of_provider(self, provider: &str) -> Section {
        let own = self.name.as_deref().and_then(|name| name.split(':').next());
        match own.is_none_or(|own| own == provider) {
            true => self,
            false => Section::default(),
        }
    }

    fn key(
        &self,
        config: Option<&Path>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<String>> {
        if let Some(name) = &self.api_key_env {
            return match variable(name) {
                Some(key) => Ok(Some(key)),
                None => Err(Error::Usage(format!(
                    "the config file takes the API key from {}, which is not set: set it, or DIALOG2API_API_KEY",
                    name.escape_debug()
                ))),
            };
        }
        let Some(file) = &self.api_key_file else {
            return Ok(None);
        };
        let file = match (file.strip_prefix("~"), etcetera::home_dir()) {
            (Ok(rest), Ok(home)) => home.join(rest),
            _ => match config.and_then(Path::parent) {
                Some(folder) => folder.join(file),
                None => file.clone(),
            },
        };
        let key = std::fs::read_to_string(&file)
            .map_err(Error::file("cannot read the API key from", &file))?;
        Ok(Some(key))
    }

    fn apply(self, config: &mut OpenAiConfig) {
        let seconds = |setting: Option<u32>, current: &mut Duration| {
            if let Some(seconds) = setting {
                *current = Duration::from_secs(seconds.into());
            }
        };
        seconds(self.connect_timeout_s, &mut config.connect_timeout);
        seconds(self.idle_timeout_s, &mut config.idle_timeout);
        seconds(self.total_timeout_s, &mut config.total_timeout);
        config.backoff.max_retries = self.max_retries.unwrap_or(config.backoff.max_retries);
        config.extra = self.options;
        for field in self.omit {
            config.extra.insert(field, Json::Null);
        }
    }
}

fn read(path: &Path, must_exist: bool) -> Result<Section> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !must_exist => {
            return Ok(Section::default());
        }
        Err(error) => return Err(Error::file("cannot read", path)(error)),
    };
    let file: ConfigFile = toml::from_str(&text).map_err(|error| {
        // Not the error's own display: it quotes the line, which may be a key.
        let start = error.span().map_or(0, |span| span.start);
        let before = text.as_bytes().get(..start).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        Error::Content {
            path: path.to_owned(),
            problem: format!("line {line}: {}", error.message()),
        }
    })?;
    Ok(file.model)
}

fn guide(config: Option<&Path>) -> String {
    let config = match config {
        Some(path) => path.display().to_string(),
        None => "dialog2api/config.toml in your config folder".to_owned(),
    };
    include_str!("guide.txt")
        .trim_end()
        .replace("{config}", &config)
}
