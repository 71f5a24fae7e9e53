//! Options that several subcommands share, and their interpretation.

use super::progress::Spinner;
use crate::domain::{
    Domain, FoundWorld, NamedWorld, Opened, Opening, OptionValues, Overlaid, World, WorldKind,
    WorldOption, domains,
};
use crate::error::{Error, Result};
use crate::llm::{Choice, ModelSpec};
use crate::policy::read_size;
use crate::weights::Adapter;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The options that choose a world: `--world`, and those that domains add to it.
#[derive(Debug, Clone, Default)]
pub struct WorldOptions {
    /// The name and the options that were given.
    pub named: NamedWorld,
}

impl Args for WorldOptions {
    fn augment_args(command: Command) -> Command {
        let world = Arg::new("world")
            .long("world")
            .short('w')
            .value_name("WORLD")
            .help_heading("World")
            .help("The world that programs act on; `world list` shows the names [default: the first one]");
        let options = options().into_iter().map(|option| {
            let arg = Arg::new(option.name)
                .long(option.name)
                .value_name(option.value_name)
                .help_heading("World")
                .help(option.help);
            match option.values {
                OptionValues::Text => arg,
                OptionValues::Texts => arg.action(ArgAction::Append),
                OptionValues::Size => {
                    arg.value_parser(|text: &str| size(text).map(|size| size.to_string()))
                }
                OptionValues::Count => {
                    arg.value_parser(|text: &str| count(text).map(|count| count.to_string()))
                }
                OptionValues::Checked(check) => {
                    arg.value_parser(move |text: &str| check(text).map(|()| text.to_owned()))
                }
            }
        });
        command.arg(world).args(options)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for WorldOptions {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        let given = |name: &str| {
            let values = matches.get_many::<String>(name)?;
            Some(values.cloned().collect::<Vec<_>>().join("\n"))
        };
        let options = options().into_iter();
        let options = options.filter_map(|it| Some((it.name.to_owned(), given(it.name)?)));
        Ok(WorldOptions {
            named: NamedWorld {
                name: given("world"),
                options: options.collect(),
            },
        })
    }

    fn update_from_arg_matches(
        &mut self,
        matches: &ArgMatches,
    ) -> std::result::Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The options of all domains. If several domains have an option, the first one's is
/// used.
fn options() -> Vec<WorldOption> {
    let mut options: Vec<WorldOption> = Vec::new();
    for worlds in domains().iter().filter_map(|domain| domain.worlds.clone()) {
        for option in worlds.options() {
            if !options.iter().any(|known| known.name == option.name) {
                options.push(option);
            }
        }
    }
    options
}

impl WorldOptions {
    /// The world of a domain that the options choose.
    pub fn choice(&self, domain: &Arc<Domain>) -> Result<WorldChoice> {
        let known = domain.worlds()?.options();
        let is_known = |name: &str| known.iter().any(|option| option.name == name);
        if let Some(name) = self.named.options.keys().find(|name| !is_known(name)) {
            return Err(Error::usage(format!(
                "--{name} means nothing for worlds of the domain {}",
                domain.name
            )));
        }
        Ok(WorldChoice {
            found: domain.worlds()?.find(&self.named)?,
            named: self.named.clone(),
            domain: domain.clone(),
        })
    }

    /// The domain as it is with these options.
    pub fn adapted(&self, domain: &Arc<Domain>) -> Result<Arc<Domain>> {
        let adapted = match &domain.worlds {
            Some(worlds) => worlds.adapted(domain, &self.named)?,
            None => None,
        };
        Ok(adapted.map_or_else(|| domain.clone(), Arc::new))
    }

    /// The same options with a folder that programs of our own may read, and that models are not
    /// told of, where worlds of the domain take files.
    pub fn with_unlisted(&self, folder: &Path, domain: &Domain) -> WorldOptions {
        let named = match &domain.worlds {
            Some(worlds) => worlds.with_unlisted(&self.named, folder),
            None => self.named.clone(),
        };
        WorldOptions { named }
    }
}

/// The dataset for a command: the one that the user named, or else the domain's own.
pub fn dataset(named: Option<&Path>, domain: &Domain) -> PathBuf {
    named.map_or_else(|| PathBuf::from(&*domain.teaching.dataset), Path::to_owned)
}

/// The world that a name means, before it is opened.
pub fn found(domain: &Domain, name: &str) -> Result<FoundWorld> {
    domain.worlds()?.find(&NamedWorld {
        name: Some(name.to_owned()),
        ..NamedWorld::default()
    })
}

/// The identity of the world with this name; empty if it is unknown before the world is
/// opened.
pub fn identity(domain: &Domain, name: &str) -> String {
    let found = found(domain, name).ok();
    found.and_then(|found| found.identity).unwrap_or_default()
}

/// The world that was chosen.
pub struct WorldChoice {
    domain: Arc<Domain>,
    named: NamedWorld,
    /// The facts known before it is opened.
    pub found: FoundWorld,
}

impl WorldChoice {
    /// Opens the world. A missing folder is created, unless the world has to be
    /// `existing`. Reading a server is shown in `progress`.
    pub async fn open(&self, existing: bool, progress: &Arc<Spinner>) -> Result<Opened> {
        let how = opening(existing, progress);
        self.domain.worlds()?.open(&self.named, how).await
    }

    /// Opens the world for one program.
    pub async fn open_for_program(
        &self,
        existing: bool,
        progress: &Arc<Spinner>,
    ) -> Result<Arc<dyn World>> {
        let how = Opening {
            one_program: true,
            ..opening(existing, progress)
        };
        let opened = self.domain.worlds()?.open(&self.named, how).await?;
        Ok(opened.world)
    }

    /// Opens the world to be served, with the machine's time unless it keeps its own.
    pub async fn open_served(
        &self,
        (overlay, own_clock): (bool, bool),
        progress: &Arc<Spinner>,
    ) -> Result<Arc<dyn World>> {
        let how = Opening {
            machine_time: !own_clock,
            ..opening(overlay, progress)
        };
        let worlds = self.domain.worlds()?;
        Ok(match overlay {
            true => worlds.open_overlay(&self.named, how).await?,
            false => worlds.open(&self.named, how).await?.world,
        })
    }

    /// Opens the world under an overlay for one program, which keeps all changes.
    pub async fn open_under_overlay(&self, progress: &Arc<Spinner>) -> Result<Arc<dyn Overlaid>> {
        let how = Opening {
            one_program: true,
            ..opening(true, progress)
        };
        self.domain.worlds()?.open_overlay(&self.named, how).await
    }

    /// Whether the world was named explicitly, and is not the default.
    pub fn is_named(&self) -> bool {
        self.named.name.is_some()
    }

    /// Whether it is on a server.
    pub fn is_remote(&self) -> bool {
        self.found.kind == WorldKind::Remote
    }
}

fn opening(existing: bool, progress: &Arc<Spinner>) -> Opening {
    let (reads, transfers, links) = (progress.clone(), progress.clone(), progress.clone());
    let notes = progress.clone();
    Opening {
        existing,
        machine_time: false,
        one_program: false,
        progress: Some(Arc::new(move |reading| reads.reading(reading))),
        transfers: Some(Arc::new(move |file, done, of| {
            transfers.transfer(file, done, of)
        })),
        notes: Some(Arc::new(move |note| notes.note(note))),
        links: Some(Arc::new(move |link| links.link(&link))),
    }
}

/// The options that choose a model.
#[derive(Debug, Clone, Default, Args)]
pub struct ModelOptions {
    /// The model: openai:NAME (on an OpenAI-compatible server), anthropic:NAME,
    /// bedrock:MODEL_ID, local:NAME (runs on this machine), replay:FILE (a recorded
    /// dialogue), script:FILE (answers in a file, with --- between them), or a name in the
    /// config file [default: DIALOG2API_MODEL, or the config file]
    #[arg(long, short, value_name = "MODEL", help_heading = "Model")]
    pub model: Option<String>,

    /// The address of the server: http://127.0.0.1:8080/v1 [default: OPENAI_BASE_URL or
    /// ANTHROPIC_BASE_URL, or the config file]
    #[arg(long, value_name = "URL", help_heading = "Model")]
    pub base_url: Option<String>,

    #[command(flatten)]
    pub adapter: AdapterOption,
}

/// The option that chooses an adapter.
#[derive(Debug, Clone, Default, Args)]
pub struct AdapterOption {
    /// An adapter of a model on this machine that was trained for the domain: a GGUF file for
    /// llama.cpp, or none [default: the domain's, if it has one for this model]
    #[arg(long, value_name = "FILE|none", help_heading = "Model")]
    adapter: Option<String>,
}

impl AdapterOption {
    /// The model with its adapter.
    ///
    /// # Errors
    /// The file is missing, or the model is not on this machine.
    pub fn applied(&self, choice: Choice, domain: &Domain) -> Result<Choice> {
        let file = match self.adapter.as_deref() {
            None => return Ok(choice.adapted(&domain.teaching.adapters)),
            Some("none") => return Ok(choice),
            Some(file) => Path::new(file),
        };
        match &choice {
            Choice::Local(config) => {
                let adapter = Adapter::of_file(file, &config.model)?;
                Ok(choice.adapted(&[adapter]))
            }
            _ => Err(Error::usage(
                "--adapter is for models on this machine: local:NAME",
            )),
        }
    }
}

impl ModelOptions {
    /// The model specification of the options.
    pub fn spec(&self) -> ModelSpec {
        ModelSpec {
            model: self.model.clone(),
            base_url: self.base_url.clone(),
            config_file: None,
        }
    }
}

/// Reads a sampling temperature.
pub fn temperature(text: &str) -> Result<f32, String> {
    let parsed = text.parse().ok();
    let parsed = parsed.filter(|number: &f32| (0.0..=2.0).contains(number));
    parsed.ok_or_else(|| "a temperature is a number from 0 to 2".to_owned())
}

/// Reads `30s`, `500ms` or `1m 30s`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let parsed = text.parse::<jiff::SignedDuration>().ok();
    parsed
        .and_then(|duration| Duration::try_from(duration).ok())
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| "a duration is a number with its unit: 30s, 500ms, 1m 30s".to_owned())
}

/// Reads `256MiB`, `64 KiB` or a number of bytes.
pub fn size(text: &str) -> Result<usize, String> {
    let wrong = || "a size is a number with its unit: 256MiB, 64KiB, 1GiB, 500MB".to_owned();
    read_size(text)
        .and_then(|size| usize::try_from(size).ok())
        .filter(|size| *size > 0)
        .ok_or_else(wrong)
}

/// Reads a number of tokens: `8192`, `8k`.
pub fn tokens(text: &str) -> Result<u32, String> {
    let (number, factor) = match text.strip_suffix(['k', 'K']) {
        Some(number) => (number, 1024),
        None => (text, 1),
    };
    let parsed = number.replace('_', "").parse::<u32>().ok();
    let tokens = parsed.and_then(|number| number.checked_mul(factor));
    let tokens = tokens.filter(|tokens| *tokens > 0);
    tokens.ok_or_else(|| "a number of tokens is expected: 8192, 8k".to_owned())
}

/// Reads a count. Its digits may be separated by `_`.
pub fn count(text: &str) -> Result<u64, String> {
    let number = text.replace('_', "").parse().ok().filter(|n| *n > 0);
    number.ok_or_else(|| "a whole number above 0 is expected: 50_000_000_000".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_have_units() {
        assert_eq!(duration("1s"), Ok(Duration::from_secs(1)));
        assert_eq!(duration("1m 30s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        for wrong in ["", "1", "0s", "-1s", "soon", "1e9y"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        assert_eq!(size("256MiB"), Ok(256 << 20));
        assert_eq!(size("2 GB"), Ok(2_000_000_000));
        assert_eq!(size("17"), Ok(17));
        for wrong in ["", "MiB", "-1", "1.5MiB", "0", "99999999999999GiB", "1 zb"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(count("1_000"), Ok(1000));
        assert!(count("0").is_err() && count("many").is_err());
    }

    /// Finds the world that these words name in S3: its name, or the error.
    fn named(name: Option<&str>, options: &[(&str, &str)]) -> String {
        let options = options.iter();
        let options = options.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let options = WorldOptions {
            named: NamedWorld {
                name: name.map(str::to_owned),
                options: options.collect(),
            },
        };
        match options.choice(&domains()[0]) {
            Ok(choice) => format!("{} {:?}", choice.found.name, choice.found.kind),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn an_endpoint_means_s3_and_s3_options_mean_nothing_elsewhere() {
        let endpoint = [("endpoint-url", "http://127.0.0.1:1")];
        assert_eq!(named(None, &endpoint), "s3 Remote");
        assert_eq!(named(None, &[]), "zoology Memory");
        assert_eq!(
            named(Some("zoology"), &endpoint),
            "--endpoint-url is for a real S3, and the world is zoology: use --world s3"
        );
        assert_eq!(
            named(None, &[("signature", "etag")]),
            "--signature is for a real S3, and the world is zoology: use --world s3"
        );
        assert_eq!(
            named(None, &[("depth", "1")]),
            "--depth means nothing for worlds of the domain s3"
        );
    }
}
