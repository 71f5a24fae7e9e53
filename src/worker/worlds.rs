//! Worlds that the client knows by numbers.

use super::line::WantedWorld;
use super::told::Told;
use super::{Known, Worker};
use crate::domain::{self, Contents, NamedWorld, Opened, OptionValues, WorldKind};
use crate::error::{Error, Result};
use crate::service::Event;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::sync::Arc;
use tokio::sync::Mutex;

/// The worlds, by number.
#[derive(Default)]
pub struct HeldWorlds(Mutex<Numbered>);

#[derive(Default)]
struct Numbered {
    last: u64,
    worlds: HashMap<u64, Held>,
}

/// One of them.
#[derive(Clone)]
pub struct Held {
    /// Its domain.
    pub known: Arc<Known>,
    /// The world.
    pub opened: Opened,
    /// As a user names it.
    pub name: String,
    /// Whether its signature is taken after each turn.
    pub is_signed: bool,
    /// What it tells.
    pub told: Told,
}

impl HeldWorlds {
    async fn add(&self, held: Held) -> Json {
        let mut numbered = self.0.lock().await;
        numbered.last += 1;
        let number = numbered.last;
        let about = held.name.clone();
        numbered.worlds.insert(number, held);
        json!({"world": number, "describe": about})
    }

    /// The world of this number.
    pub async fn get(&self, number: u64) -> Result<Held> {
        let numbered = self.0.lock().await;
        let held = numbered.worlds.get(&number).cloned();
        held.ok_or_else(|| Error::usage(format!("there is no world {number} (any more)")))
    }

    /// Forgets the world of this number, if it is there.
    pub async fn forget(&self, number: u64) {
        self.0.lock().await.worlds.remove(&number);
    }
}

impl Worker {
    pub(super) async fn open_world(&self, wanted: WantedWorld) -> Result<Json> {
        let known = self.domain(wanted.domain.as_deref()).await?;
        let worlds = known.domain.worlds()?;
        let held = match wanted.data {
            Some(data) => {
                let world = described(worlds, &data)?;
                Held {
                    opened: Opened {
                        identity: world.describe(),
                        world,
                        kind: WorldKind::Memory,
                        folders: Default::default(),
                    },
                    name: "from data".to_owned(),
                    is_signed: true,
                    known: known.clone(),
                    told: Told::default(),
                }
            }
            None => {
                check_options(worlds, &wanted.options)?;
                let named = NamedWorld {
                    name: wanted.name,
                    options: wanted.options,
                };
                let found = worlds.find(&named)?;
                let told = Told::default();
                let opened = worlds.open(&named, told.opening()).await?;
                if let Some(what) = found.blind_spots {
                    told.tell(Event::Unseen { what });
                }
                Held {
                    opened,
                    name: found.name,
                    is_signed: found.is_signed,
                    known: known.clone(),
                    told,
                }
            }
        };
        Ok(self.worlds.add(held).await)
    }

    pub(super) async fn fork(&self, number: u64) -> Result<Json> {
        let held = self.worlds.get(number).await?;
        let about = held.opened.world.describe();
        let world = domain::separate(&*held.opened.world);
        let world = world.ok_or_else(|| Error::usage(format!("{about} cannot be copied")))?;
        let opened = Opened {
            world,
            kind: WorldKind::Memory,
            ..held.opened
        };
        Ok(self.worlds.add(Held { opened, ..held }).await)
    }

    pub(super) async fn signature(&self, number: u64) -> Result<Json> {
        let held = self.worlds.get(number).await?;
        let signature = domain::signature(&*held.opened.world, []).await?;
        Ok(json!(signature.to_string()))
    }

    pub(super) async fn content(&self, number: u64) -> Result<Json> {
        let held = self.worlds.get(number).await?;
        contents(&held)?.summary(&*held.opened.world).await
    }

    /// What leads from one world to the other.
    pub(super) async fn diff(&self, number: u64, other: u64) -> Result<Json> {
        let (one, other) = (
            self.worlds.get(number).await?,
            self.worlds.get(other).await?,
        );
        if !Arc::ptr_eq(&one.known, &other.known) {
            return Err(Error::usage("worlds of two domains cannot be compared"));
        }
        let contents = contents(&one)?;
        let before = contents.summary(&*one.opened.world).await?;
        let after = contents.summary(&*other.opened.world).await?;
        Ok(json!(contents.changes(&before, &after)?))
    }
}

/// Refuses options that the worlds of the domain do not have, and values that are wrong.
fn check_options(worlds: &dyn domain::Worlds, given: &BTreeMap<String, String>) -> Result<()> {
    let known = worlds.options();
    for (name, value) in given {
        let Some(option) = known.iter().find(|it| it.name == name) else {
            let names: Vec<&str> = known.iter().map(|it| it.name).collect();
            let names = match names.is_empty() {
                true => "none".to_owned(),
                false => names.join(", "),
            };
            let message = format!("a world has no option {name:?}; the options are: {names}");
            return Err(Error::usage(message));
        };
        if let OptionValues::Checked(check) = option.values {
            check(value).map_err(|why| Error::usage(format!("{name}: {why}")))?;
        }
    }
    Ok(())
}

fn contents(held: &Held) -> Result<&dyn Contents> {
    let domain = &held.known.domain;
    let contents = domain.contents.as_deref();
    contents.ok_or_else(|| Error::usage(format!("worlds of {} list nothing", domain.name)))
}

/// A world in memory with this content, in the form of the domain's files.
fn described(worlds: &dyn domain::Worlds, data: &Json) -> Result<Arc<dyn domain::World>> {
    let forms = worlds.forms();
    let is_json = forms.iter().any(|(form, _)| form.ends_with(".json"));
    let (suffix, text) = match is_json {
        true => (".json", data.to_string()),
        false => (".toml", to_toml(data)?),
    };
    let failed = || Error::file("cannot write", std::env::temp_dir());
    let mut file = tempfile::Builder::new()
        .suffix(suffix)
        .tempfile()
        .map_err(failed())?;
    file.write_all(text.as_bytes()).map_err(failed())?;
    let path = file.path().display().to_string();
    let world = worlds.initial(&path);
    // The file is nothing that the user knows.
    world.map_err(|error| Error::usage(error.to_string().replace(&path, "the data")))
}

/// The same as TOML. JSON has no times: a text that is one becomes one at the keys that end so.
fn to_toml(data: &Json) -> Result<String> {
    fn converted(key: &str, value: &Json) -> Option<toml::Value> {
        const TIMES: [&str; 4] = ["clock", "created", "modified", "until"];
        Some(match value {
            Json::Null => return None,
            Json::Bool(is) => toml::Value::Boolean(*is),
            Json::Number(number) => match number.as_i64() {
                Some(whole) => toml::Value::Integer(whole),
                None => toml::Value::Float(number.as_f64()?),
            },
            Json::String(text) => match text.parse() {
                Ok(time) if TIMES.contains(&key) => toml::Value::Datetime(time),
                _ => toml::Value::String(text.clone()),
            },
            Json::Array(items) => {
                let items = items.iter().filter_map(|item| converted(key, item));
                toml::Value::Array(items.collect())
            }
            Json::Object(fields) => {
                let fields = fields.iter();
                let fields = fields
                    .filter_map(|(name, value)| Some((name.clone(), converted(name, value)?)));
                toml::Value::Table(fields.collect())
            }
        })
    }
    let wrong = || Error::usage("a world is described by an object");
    let table = converted("", data).ok_or_else(wrong)?;
    toml::to_string(&table).map_err(|error| Error::usage(error.to_string()))
}
