//! The list of providers, and the settings of their models.

use super::file::Section;
use super::{Choice, ModelSpec};
use crate::error::Result;
use crate::llm::local::LocalConfig;
use crate::llm::openai::{DEFAULT_BASE_URL, OpenAiConfig};
use crate::llm::{ANTHROPIC_BASE_URL, AnthropicConfig, ApiKey, ServerConfig};
use std::path::Path;

/// A provider: one form of `--model PREFIX:NAME`.
pub(super) struct Provider {
    /// The prefix, before the colon.
    pub(super) prefix: &'static str,
    /// The whole form, for errors about other names.
    pub(super) form: &'static str,
    /// Chooses the model of a name.
    choose: fn(&Asked<'_>) -> Result<Choice>,
}

/// All providers.
pub(super) const PROVIDERS: &[Provider] = &[
    Provider {
        prefix: "openai",
        form: "openai:NAME (an OpenAI-compatible server)",
        choose: openai,
    },
    Provider {
        prefix: "anthropic",
        form: "anthropic:NAME",
        choose: anthropic,
    },
    Provider {
        prefix: "bedrock",
        form: "bedrock:MODEL_ID",
        choose: bedrock,
    },
    Provider {
        prefix: "local",
        form: "local:NAME (run on this machine)",
        choose: local,
    },
    Provider {
        prefix: "replay",
        form: "replay:FILE (a recorded dialogue)",
        choose: replay,
    },
    Provider {
        prefix: "script",
        form: "script:FILE (answers in a file, in order)",
        choose: script,
    },
];

/// A model's name, with everything that may configure it.
pub(super) struct Asked<'a> {
    /// The name after the colon; never empty.
    pub(super) name: &'a str,
    /// Its section of the config file.
    pub(super) section: &'a Section,
    /// Whether the section is a `[models.NAME]`, which applies as a whole.
    pub(super) is_named: bool,
    /// The command line's options.
    pub(super) spec: &'a ModelSpec,
    /// The path of the config file.
    pub(super) config: Option<&'a Path>,
    /// The environment, without blank variables.
    pub(super) variable: &'a dyn Fn(&str) -> Option<String>,
}

impl Asked<'_> {
    /// Chooses the model, if there is a provider with this prefix.
    pub(super) fn of(&self, prefix: &str) -> Option<Result<Choice>> {
        let provider = PROVIDERS.iter().find(|known| known.prefix == prefix)?;
        Some((provider.choose)(self))
    }

    /// The base URL, and whether it comes from the section. The command line comes first,
    /// then a `[models.NAME]`, then the variable, then `[model]`.
    pub(super) fn base_url(&self, variable: &str) -> (Option<String>, bool) {
        let own = self.section.base_url.clone();
        let said = self.spec.base_url.clone();
        let outside = match self.is_named && own.is_some() {
            true => said,
            false => said.or_else(|| (self.variable)(variable)),
        };
        let is_own = outside.is_none() || outside == own;
        (outside.or(own), is_own)
    }

    /// The key, in the order that [`ModelSpec::choose`](super::ModelSpec::choose)
    /// describes. `address` is the result of [`Asked::base_url`].
    pub(super) fn key(
        &self,
        address: &(Option<String>, bool),
        variable: &str,
    ) -> Result<Option<ApiKey>> {
        let (_, is_own) = address;
        let ours = (self.variable)("DIALOG2API_API_KEY");
        let sections = || match is_own {
            true => self.section.key(self.config, self.variable),
            false => Ok(None),
        };
        let key = match (ours, self.is_named) {
            (Some(ours), false) => Some(ours),
            (Some(ours), true) => sections().ok().flatten().or(Some(ours)),
            (None, _) => sections()?,
        };
        let key = match self.is_named && self.section.base_url.is_some() {
            true => key,
            false => key.or_else(|| (self.variable)(variable)),
        };
        Ok(key.as_deref().and_then(ApiKey::new))
    }
}

fn openai(asked: &Asked<'_>) -> Result<Choice> {
    let address = asked.base_url("OPENAI_BASE_URL");
    let key = asked.key(&address, "OPENAI_API_KEY")?;
    let url = address.0.unwrap_or_else(|| DEFAULT_BASE_URL.to_owned());
    let mut config = OpenAiConfig::new(url, asked.name);
    config.api_key = key;
    asked.section.apply(&mut config);
    Ok(Choice::OpenAi(Box::new(config)))
}

fn anthropic(asked: &Asked<'_>) -> Result<Choice> {
    let address = asked.base_url("ANTHROPIC_BASE_URL");
    let key = asked.key(&address, "ANTHROPIC_API_KEY")?;
    let url = address.0.unwrap_or_else(|| ANTHROPIC_BASE_URL.to_owned());
    let mut config = AnthropicConfig::new(url, asked.name);
    config.api_key = key;
    asked.section.apply(&mut config);
    Ok(Choice::Anthropic(Box::new(config)))
}

/// Uses the credentials of the AWS command line, and the endpoint of their region unless
/// another is named.
fn bedrock(asked: &Asked<'_>) -> Result<Choice> {
    let url = asked.spec.base_url.clone();
    let url = url.or_else(|| asked.section.base_url.clone());
    let mut config = ServerConfig::new(url.unwrap_or_default(), asked.name);
    asked.section.apply(&mut config);
    Ok(Choice::Bedrock(Box::new(config.into())))
}

fn local(asked: &Asked<'_>) -> Result<Choice> {
    Ok(Choice::Local(Box::new(of_this_machine(asked))))
}

fn of_this_machine(asked: &Asked<'_>) -> LocalConfig {
    let mut config = LocalConfig::new(asked.name);
    config.threads = asked.section.threads;
    config.context = asked.section.context;
    asked.section.apply(&mut config.client);
    config
}

fn replay(asked: &Asked<'_>) -> Result<Choice> {
    Ok(Choice::Replay(asked.name.into()))
}

fn script(asked: &Asked<'_>) -> Result<Choice> {
    Ok(Choice::Script(asked.name.into()))
}
