//! Description files: a world as TOML that a person can write. Every mistake is reported
//! with its line and column.
//!
//! The store itself makes what is described: each object, each setting and each upload is a
//! call of its operation at the described time. So a description can say only what S3 would
//! have let happen.

mod mistake;
mod objects;
mod settings;
mod shaped;
mod uploads;

use super::filler::Theme;
use crate::clock::{Clock, whole_seconds};
use crate::domain::{Map, Refusal, Value};
use crate::memory::{self, Bucket, Store};
use crate::names::{self, DEFAULT_REGION};
use jiff::Timestamp;
use mistake::Mistake;
use objects::ObjectEntry;
use serde::Deserialize;
use serde::de::IgnoredAny;
use settings::Described;
use std::sync::Arc;
use toml::Spanned;
use toml::de::DeTable;
use uploads::UploadEntry;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    /// For human readers.
    #[serde(default, rename = "description")]
    _description: String,
    /// The region of the client's endpoint.
    region: Option<Spanned<String>>,
    /// The time of the first write; each write advances it by one second. By default the
    /// world uses the system's clock.
    clock: Option<Time>,
    /// The topic of the text in objects with a `size`.
    #[serde(default)]
    filler: Theme,
    #[serde(default, rename = "bucket")]
    buckets: Vec<BucketEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BucketEntry {
    name: Spanned<String>,
    /// The location constraint; us-east-1 by default.
    region: Option<Spanned<String>>,
    created: Option<Time>,
    /// Read by [`settings::take`], because only a parsed table knows the places of its keys.
    #[serde(default, rename = "settings")]
    _settings: IgnoredAny,
    #[serde(default, rename = "object")]
    objects: Vec<ObjectEntry>,
    #[serde(default, rename = "upload")]
    uploads: Vec<UploadEntry>,
}

/// A TOML date-time with an offset.
#[derive(Deserialize, Clone, Copy)]
#[serde(try_from = "toml::value::Datetime")]
struct Time(Timestamp);

impl TryFrom<toml::value::Datetime> for Time {
    type Error = String;
    fn try_from(value: toml::value::Datetime) -> Result<Self, String> {
        value
            .to_string()
            .parse()
            .map(|time| Time(whole_seconds(time)))
            .map_err(|_| format!("{value} is not a time with an offset, as 2024-05-01T09:00:00Z"))
    }
}

/// Makes the store that `text` describes. Otherwise returns the mistake and its place.
pub fn load(text: &str) -> Result<Store, String> {
    read(text).map_err(|mistake| mistake.located(text))
}

fn read(text: &str) -> Result<Store, Mistake> {
    let mut root = DeTable::parse(text)?;
    let settings = settings::take(root.get_mut());
    let description = Description::deserialize(toml::Deserializer::from(root))?;
    description.load(settings)
}

/// Checks that S3 has this region.
fn region(region: &Spanned<String>) -> Result<&str, Mistake> {
    let name = region.get_ref().as_str();
    if name == DEFAULT_REGION || names::is_location(name) {
        return Ok(name);
    }
    let problem = format!("region = \"{name}\": S3 has no such region");
    Err(Mistake::at(region, problem))
}

/// Carries out an operation on a bucket at a time.
fn perform(
    store: &mut Store,
    time: Timestamp,
    operation: &str,
    bucket: &str,
    mut params: Map,
) -> Result<Value, String> {
    store.clock = Clock::Stands(time);
    params.push(("Bucket".into(), bucket.into()));
    memory::perform(store, operation, &Value::Map(params)).map_err(|refusal| refused(&refusal))
}

fn refused(refusal: &Refusal) -> String {
    format!("{} ({})", refusal.message.trim(), refusal.code)
}

impl Description {
    fn load(self, settings: Vec<Described>) -> Result<Store, Mistake> {
        let clock = match self.clock {
            Some(Time(start)) => Clock::Steps(start),
            None => Clock::System,
        };
        let mut store = Store::new(clock);
        let endpoint = self.region.as_ref().map(region).transpose()?;
        store.region = Arc::from(endpoint.unwrap_or(DEFAULT_REGION));
        // Buckets and objects without a time of their own are as old as the world.
        let start = clock.now();
        let mut buckets = Vec::new();
        for (entry, described) in self.buckets.into_iter().zip(settings) {
            let name = entry.name.get_ref().clone();
            let filled = entry.fill(&mut store, start, self.filler, described);
            buckets.push((
                filled.map_err(|mistake| mistake.inside(&format!("bucket \"{name}\"")))?,
                name,
            ));
        }
        // Logs and replicas go to other buckets, which are all there now.
        for (described, name) in buckets {
            let made = described.make_last(&mut store, &name);
            made.map_err(|mistake| mistake.inside(&format!("bucket \"{name}\"")))?;
        }
        store.clock = clock;
        store.described = store.state.newest();
        Ok(store)
    }
}

impl BucketEntry {
    /// Makes the bucket with all but the settings that come last.
    fn fill<'t>(
        self,
        store: &mut Store,
        start: Timestamp,
        theme: Theme,
        described: Described<'t>,
    ) -> Result<settings::Steps, Mistake> {
        let name = self.name.get_ref();
        if store.state.bucket(name).is_some() {
            return Err(Mistake::at(&self.name, "another bucket has this name"));
        }
        if !names::is_bucket_name(name) {
            let problem = "not a bucket name: 3 to 63 of a-z, 0-9, '.' and '-'";
            return Err(Mistake::at(&self.name, problem));
        }
        let location = self.region.as_ref().map(region).transpose()?;
        let location = location.filter(|region| *region != DEFAULT_REGION);
        let created = self.created.map_or(start, |Time(time)| time);
        store.state.insert(name, Bucket::new(location, created));
        let settings = settings::Steps::read(described, created)?;
        settings.make_first(store, name)?;
        for entry in self.objects {
            entry.write(store, name, created, theme)?;
        }
        for entry in self.uploads {
            entry.begin(store, name, created, theme)?;
        }
        Ok(settings)
    }
}
