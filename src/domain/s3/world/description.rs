//! Description files: a world as TOML that a person can write. Every mistake is reported
//! with its line and column.

use super::filler::{self, Theme};
use crate::domain::s3::clock::{Clock, whole_seconds};
use crate::domain::s3::memory::{Attributes, Bucket, Object, Store};
use crate::domain::s3::names::{self, DEFAULT_REGION, MAX_OBJECT_BYTES};
use base64::Engine as _;
use bytes::Bytes;
use jiff::Timestamp;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;

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
    #[serde(default, rename = "object")]
    objects: Vec<ObjectEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ObjectEntry {
    key: Spanned<String>,
    /// The content is one of three: this many bytes of readable filler …
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

/// A mistake and its position in the file, as a range of bytes.
struct Mistake {
    at: Range<usize>,
    problem: String,
}

impl Mistake {
    fn at<T>(place: &Spanned<T>, problem: impl Into<String>) -> Self {
        Mistake {
            at: place.span(),
            problem: problem.into(),
        }
    }

    /// The mistake with its line and column in `text`, both counted from 1.
    fn located(self, text: &str) -> String {
        let before = text.get(..self.at.start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let column = before.get(start..).unwrap_or_default().chars().count() + 1;
        format!("line {line}, column {column}: {}", self.problem)
    }
}

/// Makes the store that `text` describes. Otherwise returns the mistake and its place.
pub fn load(text: &str) -> Result<Store, String> {
    let description = toml::from_str(text).map_err(|error: toml::de::Error| Mistake {
        at: error.span().unwrap_or_default(),
        problem: error.message().to_owned(),
    });
    description
        .and_then(Description::load)
        .map_err(|mistake| mistake.located(text))
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

impl Description {
    fn load(self) -> Result<Store, Mistake> {
        let clock = match self.clock {
            Some(Time(start)) => Clock::Steps(start),
            None => Clock::System,
        };
        let mut store = Store::new(clock);
        let endpoint = self.region.as_ref().map(region).transpose()?;
        store.region = Arc::from(endpoint.unwrap_or(DEFAULT_REGION));
        // Buckets and objects without a time of their own are as old as the world.
        let start = Clock::tick(&mut clock.clone());
        for entry in self.buckets {
            let name = entry.name.get_ref().clone();
            if store.state.bucket(&name).is_some() {
                let problem = format!("bucket \"{name}\" is there twice");
                return Err(Mistake::at(&entry.name, problem));
            }
            let bucket = entry.load(start, self.filler).map_err(|mut mistake| {
                mistake.problem = format!("bucket \"{name}\": {}", mistake.problem);
                mistake
            })?;
            store.state.insert(&name, bucket);
        }
        Ok(store)
    }
}

impl BucketEntry {
    fn load(self, start: Timestamp, theme: Theme) -> Result<Bucket, Mistake> {
        if !names::is_bucket_name(self.name.get_ref()) {
            let problem = "not a bucket name: 3 to 63 of a-z, 0-9, '.' and '-'";
            return Err(Mistake::at(&self.name, problem));
        }
        let location = self.region.as_ref().map(region).transpose()?;
        let location = location.filter(|region| *region != DEFAULT_REGION);
        let created = self.created.map_or(start, |Time(time)| time);
        let mut bucket = Bucket::new(location, created);
        for entry in self.objects {
            let place = entry.key.clone();
            let key = place.get_ref();
            let object = entry
                .load(created, theme)
                .map_err(|problem| Mistake::at(&place, format!("key \"{key}\": {problem}")))?;
            if bucket
                .objects
                .insert(Arc::from(key.as_str()), Arc::new(object))
                .is_some()
            {
                return Err(Mistake::at(&place, format!("key \"{key}\" is there twice")));
            }
        }
        Ok(bucket)
    }
}

impl ObjectEntry {
    fn load(self, created: Timestamp, theme: Theme) -> Result<Object, String> {
        let key = self.key.get_ref();
        names::check_key(key).map_err(|refusal| refusal.message)?;
        let content = match (self.size, self.text, self.base64) {
            (Some(size), None, None) if size <= MAX_OBJECT_BYTES => {
                Bytes::from(filler::text(theme, key, size))
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
        let guessed = super::tree::content_type(key);
        let attributes = Attributes {
            content_type: self.content_type.map_or(Cow::Borrowed(guessed), Cow::Owned),
            metadata: metadata.map(|(k, v)| (k.to_ascii_lowercase(), v)).collect(),
            ..Attributes::default()
        };
        let modified = self.modified.map_or(created, |Time(time)| time);
        Ok(Object::new(content, modified, attributes))
    }
}
