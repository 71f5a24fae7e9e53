//! Opens the worlds of S3 by name: built in, described in a file, in a folder, or on a
//! server.

use super::change::S3Change;
use super::clock::Clock;
use super::files::{self, Folders, WithFiles};
use super::memory::Store;
use super::names::{DEFAULT_REGION, MAX_OBJECT_BYTES, MAX_STORED_BYTES};
use super::remote::{RemoteLimits, Watch};
use super::{Overlay, ReadingAhead, Remote, RemoteOptions, world};
use crate::domain::{
    Change, Domain, FoundWorld, Layer, NamedWorld, Notes, Opened, Opening, OptionValues, Overlaid,
    Reading, ServerCheck, Transfers, World, WorldKind, WorldOption, Worlds,
};
use crate::error::{Error, Result};
use async_trait::async_trait;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The limit for getting credentials, which may have to be fetched.
const CREDENTIALS_PATIENCE: Duration = Duration::from_secs(5);

/// The value of `--world` for a server.
const SERVER: &str = "s3";

/// Opens the worlds of S3.
pub(super) struct S3Worlds;

#[async_trait]
impl Worlds for S3Worlds {
    fn built_in(&self) -> Vec<(String, String)> {
        let built_in = world::BUILT_IN.iter();
        built_in
            .map(|(name, text)| ((*name).to_owned(), world::about(text)))
            .collect()
    }

    fn forms(&self) -> Vec<(String, String)> {
        let forms = [
            ("FILE.toml", "a world described in a file, in memory"),
            (
                "DIR",
                "a folder: its subfolders are buckets; what programs change is kept there",
            ),
            (
                SERVER,
                "the account that the AWS configuration names, or the server of --endpoint-url",
            ),
        ];
        let forms = forms.iter();
        forms
            .map(|(name, about)| ((*name).to_owned(), (*about).to_owned()))
            .collect()
    }

    fn options(&self) -> Vec<WorldOption> {
        OPTIONS.to_vec()
    }

    fn find(&self, named: &NamedWorld) -> Result<FoundWorld> {
        match choose(named)? {
            Choice::Embedded(name) => Ok(FoundWorld {
                name: name.to_owned(),
                kind: world::kind(name),
                identity: Some(world::identity(name)),
                is_signed: true,
                blind_spots: None,
            }),
            Choice::Server(options) => Ok(FoundWorld {
                name: SERVER.to_owned(),
                kind: WorldKind::Remote,
                identity: None,
                is_signed: named.options.contains_key("signature"),
                blind_spots: options.signature.blind_spots().map(str::to_owned),
            }),
        }
    }

    fn adapted(&self, domain: &Domain, named: &NamedWorld) -> Result<Option<Domain>> {
        let folders = folders(named)?;
        Ok(folders.map(|folders| files::granted(domain, &folders)))
    }

    fn with_unlisted(&self, named: &NamedWorld, folder: &Path) -> NamedWorld {
        let mut named = named.clone();
        let grant = format!("{}{}", folder.display(), files::UNLISTED);
        let granted = named.options.entry(FILES.to_owned()).or_default();
        *granted = [granted.as_str(), &grant]
            .join("\n")
            .trim_start()
            .to_owned();
        named
    }

    async fn open(&self, named: &NamedWorld, how: Opening) -> Result<Opened> {
        let (transfers, is_for_one) = (how.transfers.clone(), how.one_program);
        let mut ahead = None;
        let opened = match choose(named)? {
            Choice::Embedded(name) => {
                let path = Path::new(name);
                if how.existing && world::kind(name) == WorldKind::Disk && !path.exists() {
                    return Err(Error::Content {
                        path: path.to_owned(),
                        problem: "there is no such world; `dialog2api world list` names those \
                                  there are, and `chat` and `run` make a folder that \
                                  is missing where they may write"
                            .to_owned(),
                    });
                }
                match world::kind(name) {
                    WorldKind::Disk => {
                        if !path.exists() {
                            let made = format!("note: there was no folder {name}, so it is made");
                            tell(how.notes.as_ref(), Some(&made));
                        }
                        let (opened, note) = world::open_folder(name)?;
                        tell(how.notes.as_ref(), note.as_deref());
                        opened
                    }
                    WorldKind::Memory if how.machine_time => world::open_with_machine_time(name)?,
                    _ => world::open(name)?,
                }
            }
            Choice::Server(options) => {
                let remote = connect(*options, how).await?;
                ahead = is_for_one.then(|| remote.limits().ahead);
                Opened {
                    kind: WorldKind::Remote,
                    identity: remote.identity().to_owned(),
                    world: Arc::new(remote),
                    folders: BTreeMap::new(),
                }
            }
        };
        let opened = with_files(opened, named, transfers)?;
        Ok(match ahead {
            Some(ahead) => Opened {
                world: Arc::new(ReadingAhead::around(opened.world, ahead)),
                ..opened
            },
            None => opened,
        })
    }

    async fn open_overlay(&self, named: &NamedWorld, how: Opening) -> Result<Arc<dyn Overlaid>> {
        let (overlay, kind) = match choose(named)? {
            Choice::Embedded(name)
                if world::kind(name) == WorldKind::Disk && Path::new(name).is_dir() =>
            {
                let base = world::reading(Path::new(name))?;
                tell(how.notes.as_ref(), base.note());
                (
                    Overlay::over(Arc::new(base), Clock::System, DEFAULT_REGION),
                    WorldKind::Disk,
                )
            }
            Choice::Embedded(name) => {
                let base = world::memory(name)?;
                let Store { clock, region, .. } = base.snapshot();
                let clock = match how.machine_time {
                    true => Clock::System,
                    false => clock,
                };
                (
                    Overlay::over(Arc::new(base), clock, &region),
                    WorldKind::Memory,
                )
            }
            Choice::Server(options) => {
                let is_for_one = how.one_program;
                let base = connect(*options, how).await?;
                let (region, ahead) = (base.region().to_owned(), base.limits().ahead);
                let base = Arc::new(base);
                let overlay = match is_for_one {
                    true => Overlay::for_program(base, Clock::System, &region, ahead),
                    false => Overlay::over(base, Clock::System, &region),
                };
                (overlay, WorldKind::Remote)
            }
        };
        let overlay = Arc::new(overlay);
        Ok(match folders(named)? {
            None => overlay,
            Some(folders) => {
                let files = WithFiles::new(overlay.clone(), folders, most_bytes(kind), None);
                Arc::new(OverlaidFiles {
                    files: files.drafting(),
                    overlay,
                })
            }
        })
    }

    async fn server(&self, named: &NamedWorld) -> Option<ServerCheck> {
        let found = match server(named) {
            Err(error) => Err(error.to_string()),
            Ok(options) => {
                let connecting = Remote::connect(&options);
                match tokio::time::timeout(CREDENTIALS_PATIENCE, connecting).await {
                    Err(_) => Err(format!("no credentials within {CREDENTIALS_PATIENCE:?}")),
                    Ok(Err(error)) => Err(first_sentence(&error.to_string())),
                    Ok(Ok(world)) => {
                        let variable = || std::env::var("AWS_PROFILE").ok();
                        let profile = options.profile.clone().or_else(variable);
                        let profile = profile.map(|name| format!(" of profile {name}"));
                        let profile = profile.unwrap_or_default();
                        Ok(format!("{}, credentials{profile} found", world.describe()))
                    }
                }
            }
        };
        Some(ServerCheck {
            name: "S3".to_owned(),
            found,
            mend: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile: \
                   --profile NAME"
                .to_owned(),
            needed: "only --world s3 needs them".to_owned(),
        })
    }

    fn way_back(&self) -> &'static str {
        "reach that one with --endpoint-url, --profile and --region"
    }

    fn initial(&self, spec: &str) -> Result<Arc<dyn World>> {
        Ok(Arc::new(world::memory(spec)?))
    }

    fn lists(&self, description: &Json, only: Option<&str>) -> Vec<(&'static str, Json)> {
        world::lists(description, only)
    }
}

impl Overlaid for Overlay {
    fn overlay_changes(&self) -> Vec<Change> {
        let changes: Vec<S3Change> = self.changes();
        changes.iter().map(Change::from).collect()
    }
}

/// An overlay whose programs may also name files; it keeps downloads to itself, too.
struct OverlaidFiles {
    files: WithFiles,
    overlay: Arc<Overlay>,
}

#[async_trait]
impl Layer for OverlaidFiles {
    fn under(&self) -> &dyn World {
        &self.files
    }
}

impl Overlaid for OverlaidFiles {
    fn overlay_changes(&self) -> Vec<Change> {
        let mut changes = self.overlay.overlay_changes();
        changes.extend(self.files.changes());
        changes
    }
}

/// The reason for a failure, without the list of everything that was tried.
fn first_sentence(error: &str) -> String {
    let line = error.lines().next().unwrap_or_default();
    let line = line.split("; set AWS_").next().unwrap_or_default();
    let line = line.trim_end_matches(" Attempted:");
    line.trim_end_matches('.').to_owned()
}

/// The world that the options choose together.
enum Choice<'a> {
    /// A built-in world, a description or a folder.
    Embedded(&'a str),
    Server(Box<RemoteOptions>),
}

fn choose(named: &NamedWorld) -> Result<Choice<'_>> {
    let name = named.name.as_deref();
    let has_endpoint = named.options.contains_key("endpoint-url");
    if name == Some(SERVER) || (name.is_none() && has_endpoint) {
        return Ok(Choice::Server(Box::new(server(named)?)));
    }
    let first = world::BUILT_IN.first().map_or("", |(name, _)| name);
    let name = name.unwrap_or(first);
    let given =
        |option: &&WorldOption| option.name != FILES && named.options.contains_key(option.name);
    match OPTIONS.iter().find(given) {
        Some(option) => Err(Error::usage(format!(
            "--{} is for a real S3, and the world is {name}: use --world s3",
            option.name
        ))),
        None if name.is_empty() => Err(Error::usage(
            "--world needs a name: zoology, empty, FILE.toml, a folder or s3",
        )),
        None => Ok(Choice::Embedded(name)),
    }
}

fn server(named: &NamedWorld) -> Result<RemoteOptions> {
    let option = |name: &str| named.options.get(name);
    let number = |name: &str, usual: u64| match option(name) {
        Some(text) => text
            .parse()
            .map_err(|_| Error::usage(format!("--{name} needs a number, not {text:?}"))),
        None => Ok(usual),
    };
    let usual = RemoteLimits::default();
    Ok(RemoteOptions {
        endpoint_url: option("endpoint-url").cloned(),
        profile: option("profile").cloned(),
        region: option("region").cloned(),
        addressing: option("addressing").map_or(Ok(Default::default()), |text| text.parse())?,
        signature: option("signature").map_or(Ok(Default::default()), |text| text.parse())?,
        limits: RemoteLimits {
            signature_bytes: number("signature-limit", usual.signature_bytes)?,
            signature_objects: number("signature-objects", usual.signature_objects)?,
            ..usual
        },
        ..RemoteOptions::default()
    })
}

async fn connect(options: RemoteOptions, how: Opening) -> Result<Remote> {
    let progress = how.progress.map(|tell| {
        Watch::new(move |progress| {
            tell(Reading {
                things: progress.objects,
                bytes: progress.bytes,
                of: progress.of,
            })
        })
    });
    let remote = Remote::connect(&RemoteOptions {
        progress,
        ..options
    })
    .await?;
    if let Some(links) = how.links {
        remote.show_links(links);
    }
    Ok(remote)
}

/// Says what programs do not see of a world.
fn tell(notes: Option<&Notes>, note: Option<&str>) {
    if let (Some(tell), Some(note)) = (notes, note) {
        tell(note);
    }
}

/// The option that grants folders.
const FILES: &str = "files";

/// The granted folders; none if there are none.
fn folders(named: &NamedWorld) -> Result<Option<Arc<Folders>>> {
    let granted = named.options.get(FILES);
    let opened = granted.map(|granted| Folders::open(granted.lines()));
    Ok(opened.transpose()?.map(Arc::new))
}

/// A world with the granted folders.
fn with_files(opened: Opened, named: &NamedWorld, progress: Option<Transfers>) -> Result<Opened> {
    let Some(folders) = folders(named)? else {
        return Ok(opened);
    };
    let most = most_bytes(opened.kind);
    Ok(Opened {
        folders: folders.kept(),
        world: Arc::new(WithFiles::new(opened.world, folders, most, progress)),
        ..opened
    })
}

/// The most bytes that an object of such a world may have.
fn most_bytes(kind: WorldKind) -> u64 {
    match kind {
        // AWS's limit.
        WorldKind::Remote | WorldKind::Disk => MAX_STORED_BYTES,
        WorldKind::Memory => MAX_OBJECT_BYTES as u64,
    }
}

/// Only [`server`] reads the other options.
const OPTIONS: &[WorldOption] = &[
    WorldOption {
        name: FILES,
        value_name: "DIR[:rw]",
        help: "A folder that programs may upload files from, and with :rw download files to. Can be \
               given several times",
        values: OptionValues::Texts,
    },
    WorldOption {
        name: "endpoint-url",
        value_name: "URL",
        help: "The S3 server to use: http://127.0.0.1:8333. Implies --world s3",
        values: OptionValues::Text,
    },
    WorldOption {
        name: "profile",
        value_name: "NAME",
        help: "The AWS profile to use, with S3",
        values: OptionValues::Text,
    },
    WorldOption {
        name: "region",
        value_name: "NAME",
        help: "The AWS region to use, with S3",
        values: OptionValues::Text,
    },
    WorldOption {
        name: "addressing",
        value_name: "STYLE",
        help: "The place of the bucket in S3 URLs: path (http://host/bucket, which MinIO and \
               most others expect), virtual (http://bucket.host), or auto: the setting of the \
               profile, else virtual for Amazon and path for all others [default: auto]",
        values: OptionValues::Checked(checked::<super::remote::Addressing>),
    },
    WorldOption {
        name: "signature",
        value_name: "KIND",
        help: "Compute the signature of an S3 world, which `run` and `chat` leave out otherwise: \
               content reads every object; etag reads only the listings and reports which changes \
               it cannot see",
        values: OptionValues::Checked(checked::<super::remote::SignatureMode>),
    },
    WorldOption {
        name: "signature-limit",
        value_name: "SIZE",
        help: "The most bytes that a signature of content reads from an S3: 10GiB [default: 1GiB]",
        values: OptionValues::Size,
    },
    WorldOption {
        name: "signature-objects",
        value_name: "COUNT",
        help: "The most objects that a signature of an S3 covers [default: 1_000_000]",
        values: OptionValues::Count,
    },
];

fn checked<T: std::str::FromStr<Err = Error>>(text: &str) -> std::result::Result<(), String> {
    text.parse::<T>()
        .map(drop)
        .map_err(|error| error.to_string())
}
