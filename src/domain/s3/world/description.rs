//! Description files: a world as TOML that a person can write.

use super::filler;
use crate::domain::s3::clock::{Clock, whole_seconds};
use crate::domain::s3::memory::{Attributes, Bucket, Object, Store};
use crate::domain::s3::names::{self, DEFAULT_REGION, MAX_OBJECT_BYTES};
use base64::Engine as _;
use bytes::Bytes;
use jiff::Timestamp;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    /// For people.
    #[serde(default, rename = "description")]
    _description: String,
    /// The region of the client's endpoint.
    #[serde(default = "default_region")]
    region: String,
    /// The time of the first write; each write moves it on by a second. Without it
    /// the world has the system's clock.
    clock: Option<Time>,
    #[serde(default, rename = "bucket")]
    buckets: Vec<BucketEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BucketEntry {
    name: String,
    /// The location constraint; without it us-east-1.
    region: Option<String>,
    created: Option<Time>,
    #[serde(default, rename = "object")]
    objects: Vec<ObjectEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ObjectEntry {
    key: String,
    /// The content: so many bytes of readable filler …
    size: Option<usize>,
    /// … or this text …
    text: Option<String>,
    /// … or these bytes.
    base64: Option<String>,
    content_type: Option<String>,
    #[serde(default)]
    metadata: BTreeMap<String, String>,
    modified: Option<Time>,
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

fn default_region() -> String {
    DEFAULT_REGION.to_owned()
}

/// Makes the store that `text` describes, or says what is wrong with it.
pub fn load(text: &str) -> Result<Store, String> {
    let description: Description = toml::from_str(text).map_err(|error| error.to_string())?;
    let region = &description.region;
    if region != DEFAULT_REGION && !names::is_location(region) {
        return Err(format!("region = \"{region}\": S3 has no such region"));
    }
    let clock = match description.clock {
        Some(Time(start)) => Clock::Steps(start),
        None => Clock::System,
    };
    let mut store = Store::new(clock);
    store.region = Arc::from(region.as_str());
    // What was there before the first write is as old as the description says, and
    // else as the world itself.
    let start = Clock::tick(&mut clock.clone());
    for entry in description.buckets {
        let name = entry.name.clone();
        if store.state.bucket(&name).is_some() {
            return Err(format!("bucket \"{name}\" is there twice"));
        }
        let bucket = entry
            .load(start)
            .map_err(|e| format!("bucket \"{name}\": {e}"))?;
        store.state.insert(&name, bucket);
    }
    Ok(store)
}

impl BucketEntry {
    fn load(self, start: Timestamp) -> Result<Bucket, String> {
        if !names::is_bucket_name(&self.name) {
            return Err("not a bucket name: 3 to 63 of a-z, 0-9, '.' and '-'".to_owned());
        }
        let location = self
            .region
            .as_deref()
            .filter(|region| *region != DEFAULT_REGION);
        if let Some(other) = location.filter(|region| !names::is_location(region)) {
            return Err(format!("region = \"{other}\": S3 has no such region"));
        }
        let created = self.created.map_or(start, |Time(time)| time);
        let mut bucket = Bucket::new(location, created);
        for entry in self.objects {
            let key = entry.key.clone();
            let object = entry
                .load(created)
                .map_err(|e| format!("key \"{key}\": {e}"))?;
            if bucket
                .objects
                .insert(Arc::from(key.as_str()), Arc::new(object))
                .is_some()
            {
                return Err(format!("key \"{key}\" is there twice"));
            }
        }
        Ok(bucket)
    }
}

impl ObjectEntry {
    fn load(self, created: Timestamp) -> Result<Object, String> {
        names::check_key(&self.key).map_err(|refusal| refusal.message)?;
        let content = match (self.size, self.text, self.base64) {
            (Some(size), None, None) if size <= MAX_OBJECT_BYTES => {
                Bytes::from(filler::text(&self.key, size))
            }
            (Some(size), None, None) => {
                return Err(format!(
                    "size = {size} is more than {MAX_OBJECT_BYTES} bytes"
                ));
            }
            (None, Some(text), None) => Bytes::from(text),
            (None, None, Some(base64)) => {
                let compact: String = base64.split_whitespace().collect();
                let decoded = base64::engine::general_purpose::STANDARD.decode(compact);
                Bytes::from(decoded.map_err(|error| format!("base64: {error}"))?)
            }
            _ => return Err("give one of size, text and base64".to_owned()),
        };
        let metadata = self.metadata.into_iter();
        let guessed = super::tree::content_type(&self.key);
        let attributes = Attributes {
            content_type: self.content_type.map_or(Cow::Borrowed(guessed), Cow::Owned),
            metadata: metadata.map(|(k, v)| (k.to_ascii_lowercase(), v)).collect(),
            ..Attributes::default()
        };
        let modified = self.modified.map_or(created, |Time(time)| time);
        Ok(Object::new(content, modified, attributes))
    }
}
