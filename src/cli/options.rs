//! What several subcommands take, and what it means.

use super::progress::Spinner;
use crate::domain::s3::clock::Clock;
use crate::domain::s3::memory::Store;
use crate::domain::s3::remote::{
    Addressing, Remote, RemoteLimits, RemoteOptions, SignatureMode, Watch,
};
use crate::domain::s3::{Overlay, world};
use crate::domain::{Opened, WorldKind};
use crate::error::{Error, Result};
use crate::llm::ModelSpec;
use crate::policy::read_size;
use clap::Args;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Which world, as typed.
#[derive(Debug, Clone, Default, Args)]
pub struct WorldOptions {
    /// zoology, another that `world list` names, a description (FILE.toml), a folder that
    /// keeps what is changed (DIR), or s3 for the account that the AWS configuration names
    /// [default: zoology]
    #[arg(long, short, value_name = "WORLD", help_heading = "World")]
    pub world: Option<String>,

    /// The S3 server to use: http://127.0.0.1:8333. Implies --world s3
    #[arg(long, value_name = "URL", help_heading = "World")]
    pub endpoint_url: Option<String>,

    /// The AWS profile to use, with S3
    #[arg(long, value_name = "NAME", help_heading = "World")]
    pub profile: Option<String>,

    /// The AWS region to use, with S3
    #[arg(long, value_name = "NAME", help_heading = "World")]
    pub region: Option<String>,

    /// Where the bucket stands in the URL, with S3: path (http://host/bucket, what
    /// MinIO and most others expect), virtual (http://bucket.host), or auto: as the
    /// profile says, else path everywhere but at Amazon's [default: auto]
    #[arg(long, value_name = "STYLE", help_heading = "World")]
    pub addressing: Option<Addressing>,

    /// What a signature of an S3 is made of: content reads every object, etag reads
    /// only the listings and says what it then cannot see [default: content]
    #[arg(long, value_name = "KIND", help_heading = "World")]
    pub signature: Option<SignatureMode>,

    /// The most that a signature of content reads from an S3: 10GiB [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "World")]
    pub signature_limit: Option<usize>,

    /// The most objects that a signature of an S3 covers [default: 1_000_000]
    #[arg(long, value_name = "COUNT", value_parser = count, help_heading = "World")]
    pub signature_objects: Option<u64>,
}

/// Which world, as meant.
#[derive(Debug, PartialEq, Eq)]
pub enum WorldChoice {
    /// One of ours: a name, a description or a folder.
    Embedded(String),
    /// A server.
    Remote(Box<RemoteOptions>),
}

impl WorldOptions {
    /// What the options mean together.
    pub fn choice(&self) -> Result<WorldChoice> {
        let named = self.world.as_deref();
        if named == Some("s3") || (named.is_none() && self.endpoint_url.is_some()) {
            return Ok(WorldChoice::Remote(Box::new(self.remote())));
        }
        let name = named.unwrap_or("zoology");
        let stray = [
            ("--endpoint-url", self.endpoint_url.is_some()),
            ("--profile", self.profile.is_some()),
            ("--region", self.region.is_some()),
            ("--addressing", self.addressing.is_some()),
            ("--signature", self.signature.is_some()),
            ("--signature-limit", self.signature_limit.is_some()),
            ("--signature-objects", self.signature_objects.is_some()),
        ];
        match stray.iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(Error::Usage(format!(
                "{option} is for a real S3, and the world is {name}: use --world s3"
            ))),
            None if name.is_empty() => Err(Error::Usage(
                "--world needs a name: zoology, empty, FILE.toml, a folder or s3".to_owned(),
            )),
            None => Ok(WorldChoice::Embedded(name.to_owned())),
        }
    }

    /// The options of a real S3.
    pub fn remote(&self) -> RemoteOptions {
        let mut limits = RemoteLimits::default();
        if let Some(bytes) = self.signature_limit {
            limits.signature_bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        }
        if let Some(objects) = self.signature_objects {
            limits.signature_objects = objects;
        }
        RemoteOptions {
            endpoint_url: self.endpoint_url.clone(),
            profile: self.profile.clone(),
            region: self.region.clone(),
            addressing: self.addressing.unwrap_or_default(),
            signature: self.signature.unwrap_or_default(),
            limits,
            ..RemoteOptions::default()
        }
    }
}

impl WorldChoice {
    /// Opens the world. A folder that is not there is created, unless the
    /// command only looks. How far the reading of a server has come shows in `progress`.
    pub async fn open(&self, only_look: bool, progress: &Arc<Spinner>) -> Result<Opened> {
        match self {
            WorldChoice::Embedded(name) => {
                let path = Path::new(name);
                if only_look && world::kind(name) == WorldKind::Disk && !path.exists() {
                    return Err(Error::Content {
                        path: path.to_owned(),
                        problem: "there is no such world; `dialog2api world list` names those \
                                  there are, and `chat` and `run` create a folder that is missing"
                            .to_owned(),
                    });
                }
                world::open(name)
            }
            WorldChoice::Remote(options) => {
                let remote = connect(options, progress).await?;
                Ok(Opened {
                    kind: WorldKind::Remote,
                    identity: remote.identity().to_owned(),
                    world: Arc::new(remote),
                })
            }
        }
    }

    /// Opens the world under an overlay, which keeps what is changed to itself. Nothing
    /// of the world is written; a folder that is not there is not created.
    pub async fn open_under_overlay(&self, progress: &Arc<Spinner>) -> Result<Overlay> {
        match self {
            WorldChoice::Embedded(name) => {
                let base = world::memory(name)?;
                let Store { clock, region, .. } = base.snapshot();
                Ok(Overlay::over(Arc::new(base), clock, &region))
            }
            WorldChoice::Remote(options) => {
                let base = connect(options, progress).await?;
                let region = base.region().to_owned();
                Ok(Overlay::over(Arc::new(base), Clock::System, &region))
            }
        }
    }

    /// What tells the world from every other, where that is known before it is opened: of
    /// a server it is known when it is connected.
    pub fn identity(&self) -> Option<String> {
        match self {
            WorldChoice::Embedded(name) => Some(world::identity(name)),
            WorldChoice::Remote(_) => None,
        }
    }

    /// What a signature of this world cannot see, where there is something.
    pub fn blind_spots(&self) -> Option<&'static str> {
        match self {
            WorldChoice::Embedded(_) => None,
            WorldChoice::Remote(options) => options.signature.blind_spots(),
        }
    }

    /// The name for a saved dialogue, and for people.
    pub fn name(&self) -> &str {
        match self {
            WorldChoice::Embedded(name) => name,
            WorldChoice::Remote(_) => "s3",
        }
    }

    /// Whether reading the whole state costs little.
    pub fn is_embedded(&self) -> bool {
        matches!(self, WorldChoice::Embedded(_))
    }
}

/// The server, with how far the reading of its state has come shown in `progress`.
async fn connect(options: &RemoteOptions, progress: &Arc<Spinner>) -> Result<Remote> {
    let spinner = progress.clone();
    let options = RemoteOptions {
        progress: Some(Watch::new(move |progress| spinner.reading(progress))),
        ..options.clone()
    };
    Remote::connect(&options).await
}

/// Which model, as typed.
#[derive(Debug, Clone, Default, Args)]
pub struct ModelOptions {
    /// openai:NAME for a model behind an OpenAI-compatible server, anthropic:NAME,
    /// bedrock:MODEL_ID, local:NAME for one that is run on this machine, replay:FILE for a
    /// recorded dialogue, or a name of the config file [default: DIALOG2API_MODEL, or the
    /// config file]
    #[arg(long, short, value_name = "MODEL", help_heading = "Model")]
    pub model: Option<String>,

    /// Where the server is: http://127.0.0.1:8080/v1
    /// [default: OPENAI_BASE_URL or ANTHROPIC_BASE_URL, or the config file]
    #[arg(long, value_name = "URL", help_heading = "Model")]
    pub base_url: Option<String>,
}

impl ModelOptions {
    /// What the options mean.
    pub fn spec(&self) -> ModelSpec {
        ModelSpec {
            model: self.model.clone(),
            base_url: self.base_url.clone(),
            config_file: None,
        }
    }
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

/// Reads a count, with `_` between the digits where that helps.
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

    #[test]
    fn an_endpoint_means_s3_and_s3_options_mean_nothing_elsewhere() {
        let options = WorldOptions {
            endpoint_url: Some("http://127.0.0.1:1".into()),
            ..WorldOptions::default()
        };
        assert_eq!(
            options.choice().ok(),
            Some(WorldChoice::Remote(Box::new(options.remote())))
        );
        let options = WorldOptions {
            world: Some("zoology".into()),
            ..options
        };
        let error = options.choice().expect_err("they contradict each other");
        assert_eq!(
            error.to_string(),
            "--endpoint-url is for a real S3, and the world is zoology: use --world s3"
        );
        let options = WorldOptions {
            signature: Some(SignatureMode::Etag),
            ..WorldOptions::default()
        };
        let error = options
            .choice()
            .expect_err("an embedded world is read anyway");
        assert_eq!(
            error.to_string(),
            "--signature is for a real S3, and the world is zoology: use --world s3"
        );
        let none = WorldOptions::default().choice().expect("the default");
        assert_eq!(none, WorldChoice::Embedded("zoology".into()));
    }
}
