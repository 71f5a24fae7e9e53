//! The choice of a model, from flags, environment and config file, in this order.

mod edit;
mod file;
mod keys;
mod providers;

pub use edit::set_default;
pub use file::default_config_file;

use super::local::{Local, LocalConfig};
use super::openai::{OpenAi, OpenAiConfig};
use super::{Anthropic, AnthropicConfig, Bedrock, BedrockConfig, Model, Replay, Script};
use crate::error::{Error, Result};
use crate::prompts::Form;
use crate::weights::Adapter;
use file::{ConfigFile, Section};
use providers::{Asked, PROVIDERS};
use std::path::PathBuf;

/// The command line's options about the model. `None` leaves a choice to the environment,
/// and then to the config file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelSpec {
    /// `--model`, else `DIALOG2API_MODEL`, else `default` in the config file, else `name`
    /// under `[model]`: `PROVIDER:NAME`, or the name of a model of the config file
    /// (`[models.NAME]`).
    pub model: Option<String>,
    /// `--base-url`, else that of `[models.NAME]`, else the provider's variable
    /// (`OPENAI_BASE_URL`), else `base_url` under `[model]`, else the provider's default.
    pub base_url: Option<String>,
    /// A config file, which must exist. [`default_config_file`], which is read instead of
    /// `None`, may be absent.
    pub config_file: Option<PathBuf>,
}

/// A chosen model: a variant for each form of `--model`.
#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    /// `replay:FILE`: a recording.
    Replay(PathBuf),
    /// `script:FILE`: answers in a file, given in order.
    Script(PathBuf),
    /// `openai:NAME`: a model behind an OpenAI-compatible server.
    OpenAi(Box<OpenAiConfig>),
    /// `anthropic:NAME`: a model behind a server that speaks Anthropic's protocol.
    Anthropic(Box<AnthropicConfig>),
    /// `bedrock:MODEL_ID`: a model of Amazon Bedrock.
    Bedrock(Box<BedrockConfig>),
    /// `local:NAME`: a model behind a server on this machine.
    Local(Box<LocalConfig>),
}

impl Choice {
    /// The model with the adapter that was trained on it, if one of these was. Only models on
    /// this machine can have one.
    #[must_use]
    pub fn adapted(mut self, adapters: &[Adapter]) -> Self {
        if let Choice::Local(config) = &mut self {
            let of_model = |adapter: &&Adapter| adapter.model == config.model;
            config.adapter = adapters.iter().find(of_model).cloned();
        }
        self
    }

    /// The form of prompt that it was trained for.
    pub fn form(&self) -> Form {
        match self {
            Choice::Local(config) if config.adapter.is_some() => Form::Trained,
            _ => Form::Chat,
        }
    }

    /// Opens the model.
    ///
    /// # Errors
    /// Those of the model's own constructor.
    pub fn open(self) -> Result<Box<dyn Model>> {
        Ok(match self {
            Choice::Replay(path) => Box::new(Replay::open(path)?),
            Choice::Script(path) => Box::new(Script::read(&path)?),
            Choice::OpenAi(config) => Box::new(OpenAi::new(*config)?),
            Choice::Anthropic(config) => Box::new(Anthropic::new(*config)?),
            Choice::Bedrock(config) => Box::new(Bedrock::new(*config)),
            Choice::Local(config) => Box::new(Local::new(*config)),
        })
    }
}

/// A model of the config file, without its key, for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Configured {
    /// Its name; empty for the one under `[model]`.
    pub name: String,
    /// `PROVIDER:NAME`.
    pub model: String,
    /// The base URL of its server, if the file names one.
    pub base_url: Option<String>,
    /// The place of its key, if the file names one.
    pub key_from: Option<String>,
}

impl ModelSpec {
    /// Chooses the model. `variable` reads the environment; an empty variable counts as
    /// unset. `None` if no model is named anywhere.
    ///
    /// The key comes from the first of these that has one:
    ///
    /// 1. `DIALOG2API_API_KEY`.
    /// 2. The place that `api_key_env`, `api_key_file` or `api_key_keyring` names. It is
    ///    used only for the config file's base URL, so that no key is sent to another
    ///    server.
    /// 3. The provider's variable, such as `OPENAI_API_KEY`.
    ///
    /// The key of a `[models.NAME]` comes before all of them. If that section names a
    /// server, the provider's variable is not used.
    ///
    /// # Errors
    /// [`Error::usage`] if the name is unknown, or there is only a base URL;
    /// [`Error::File`] and [`Error::Content`] for a config file or key file that cannot
    /// be read.
    pub fn choose(&self, variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Choice>> {
        let variable = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let (path, file) = self.file()?;
        let Some(named) = self.named(&variable, &file)? else {
            let url = self
                .base_url
                .clone()
                .or_else(|| variable("OPENAI_BASE_URL"))
                .or_else(|| file.model.base_url.clone());
            return match url {
                Some(url) => Err(Error::usage(format!(
                    "the base URL {} is set, but no model: add --model openai:NAME with a name that this server knows",
                    url.escape_debug()
                ))),
                None => Ok(None),
            };
        };
        let given = file.models.get_key_value(named.as_str());
        let (model, section, is_named) = match given {
            Some((name, section)) => {
                let title = format!("models.{name}");
                let model = section.model(&title)?.ok_or_else(|| incomplete(&title))?;
                (model, section.clone(), true)
            }
            None => (named.clone(), file.of_model(&named)?, false),
        };
        let asked = |name| Asked {
            name,
            section: &section,
            is_named,
            spec: self,
            config: path.as_deref(),
            variable: &variable,
        };
        let chosen = match model.split_once(':') {
            Some((prefix, name)) if !name.is_empty() => asked(name).of(prefix),
            _ => None,
        };
        match chosen {
            Some(choice) => choice.map(Some),
            None => Err(Error::usage(nothing(&model, &file))),
        }
    }

    /// Chooses the model, as [`ModelSpec::choose`] does, and requires one.
    ///
    /// # Errors
    /// Those of [`ModelSpec::choose`]; [`Error::usage`] with a guide to getting a model if
    /// none is named.
    pub fn resolve(&self, variable: &dyn Fn(&str) -> Option<String>) -> Result<Choice> {
        (self.choose(variable)?).ok_or_else(|| Error::usage(self.guide()))
    }

    /// A guide to getting a model, short enough for one screen.
    pub fn guide(&self) -> String {
        let config = match self.config_file.clone().or_else(default_config_file) {
            Some(path) => path.display().to_string(),
            None => "dialog2api/config.toml in your config folder".to_owned(),
        };
        include_str!("../guide.txt")
            .trim_end()
            .replace("{config}", &config)
    }

    /// The models of the config file, and the name that is used without `--model`
    /// (`DIALOG2API_MODEL`, or the file's default).
    ///
    /// # Errors
    /// [`Error::File`] and [`Error::Content`] if the file cannot be read.
    pub fn configured(
        &self,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<(Vec<Configured>, Option<String>)> {
        let variable = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let (_, file) = self.file()?;
        let describe = |name: &str, title: &str, section: &Section| {
            let model = section.model(title)?;
            Ok(model.map(|model| Configured {
                name: name.to_owned(),
                model,
                base_url: section.base_url.clone(),
                key_from: section.key_source(),
            }))
        };
        let mut all = Vec::new();
        for (name, section) in &file.models {
            let title = format!("models.{name}");
            all.push(describe(name, &title, section)?.ok_or_else(|| incomplete(&title))?);
        }
        all.extend(describe("", "model", &file.model)?);
        let default = self.named(&variable, &file)?;
        Ok((all, default))
    }

    /// Checks that a name is one of the config file's models, or a provider's.
    ///
    /// # Errors
    /// [`Error::usage`] if it is unknown; the sentence lists the valid forms.
    pub fn known(&self, name: &str) -> Result<()> {
        let (_, file) = self.file()?;
        let is_provider = |prefix| PROVIDERS.iter().any(|known| known.prefix == prefix);
        match name.split_once(':') {
            _ if file.models.contains_key(name) => Ok(()),
            Some((prefix, name)) if !name.is_empty() && is_provider(prefix) => Ok(()),
            _ => Err(Error::usage(nothing(name, &file))),
        }
    }

    /// The model's name, from the command line, the environment or the config file.
    fn named(
        &self,
        variable: &dyn Fn(&str) -> Option<String>,
        file: &ConfigFile,
    ) -> Result<Option<String>> {
        let said = self.model.clone().or_else(|| variable("DIALOG2API_MODEL"));
        match said.or_else(|| file.default.clone()) {
            Some(named) => Ok(Some(named)),
            None => file.model.model("model"),
        }
    }

    fn file(&self) -> Result<(Option<PathBuf>, ConfigFile)> {
        let path = self.config_file.clone().or_else(default_config_file);
        let file = match &path {
            Some(path) => file::read(path, self.config_file.is_some())?,
            None => ConfigFile::default(),
        };
        Ok((path, file))
    }
}

impl ConfigFile {
    /// The settings under `[model]` that apply to a model named elsewhere: all of them if
    /// both have the same provider, else none.
    fn of_model(&self, named: &str) -> Result<Section> {
        let prefix = |name: &str| name.split(':').next().map(str::to_owned);
        Ok(match self.model.model("model")? {
            Some(own) if prefix(&own) != prefix(named) => Section::default(),
            _ => self.model.clone(),
        })
    }
}

fn incomplete(title: &str) -> Error {
    Error::usage(format!(
        "[{title}] of the config file names no model: it needs provider = \"…\" and model = \"…\""
    ))
}

/// The error for an unknown name, with the valid forms.
fn nothing(named: &str, file: &ConfigFile) -> String {
    let forms: Vec<&str> = PROVIDERS.iter().map(|provider| provider.form).collect();
    let mut text = format!(
        "`{0}` names no model (openai:{0}?). There are {1}",
        named.escape_debug(),
        forms.join(", ")
    );
    if !file.models.is_empty() {
        let names: Vec<&str> = file.models.keys().map(String::as_str).collect();
        text.push_str(&format!(
            ", or a name of the config file: {}",
            names.join(", ").escape_debug()
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_provider_has_a_form_of_its_own() {
        for provider in PROVIDERS {
            assert!(provider.form.starts_with(&format!("{}:", provider.prefix)));
        }
    }
}
