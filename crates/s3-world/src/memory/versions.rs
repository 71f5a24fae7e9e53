//! `list_object_versions`.

use super::answer::{Dict, count, owner};
use super::history::Version;
use super::list;
use super::state::Bucket;
use super::{Store, buckets};
use crate::domain::{Answer, Refusal, Value};
use crate::params::Params;

/// One entry of the listing.
pub struct Entry<'a> {
    pub key: &'a str,
    pub version: Told<'a>,
    /// Whether it is the newest of its key.
    pub is_latest: bool,
}

/// A version, or what another world has told of it.
pub enum Told<'a> {
    Here(Version),
    /// Its id, whether it is a marker, and the entry in the listing of another world.
    Elsewhere(&'a str, bool, &'a Value),
}

impl Entry<'_> {
    fn id(&self) -> &str {
        match &self.version {
            Told::Here(version) => version.id(),
            Told::Elsewhere(id, ..) => id,
        }
    }
}

/// All versions and markers in the order of the listing: by key, the newest first.
fn all<'a>(bucket: &'a Bucket, prefix: &str) -> Vec<Entry<'a>> {
    let starts = |key: &str| key.starts_with(prefix);
    let mut latest = bucket
        .objects
        .iter()
        .filter(|(key, _)| starts(key))
        .peekable();
    let mut older = bucket
        .history
        .keys()
        .filter(|(key, _)| starts(key))
        .peekable();
    let mut entries = Vec::new();
    loop {
        let key = match (latest.peek(), older.peek()) {
            (None, None) => return entries,
            (Some((one, _)), Some((other, _))) => &***one.min(other),
            (Some((key, _)), None) | (None, Some((key, _))) => &***key,
        };
        let mut is_latest = true;
        if let Some((key, object)) = latest.next_if(|(it, _)| ***it == *key) {
            entries.push(Entry {
                key,
                version: Told::Here(Version::Object(object.clone())),
                is_latest,
            });
            is_latest = false;
        }
        if let Some((key, versions)) = older.next_if(|(it, _)| ***it == *key) {
            for version in versions {
                entries.push(Entry {
                    key,
                    version: Told::Here(version.clone()),
                    is_latest,
                });
                is_latest = false;
            }
        }
    }
}

/// The parameters of a listing.
pub struct Request<'a> {
    /// The bucket, the prefix and the like.
    pub list: list::Request<'a>,
    /// The key after which it begins.
    pub key_marker: Option<&'a str>,
    /// The version of that key after which it begins.
    pub version_marker: Option<&'a str>,
}

impl<'a> Request<'a> {
    /// Reads and checks the parameters.
    pub fn read(params: Params<'a>) -> Result<Self, Refusal> {
        let request = Request {
            list: list::Request::read(params)?,
            key_marker: params.filled("KeyMarker")?,
            version_marker: params.filled("VersionIdMarker")?,
        };
        match (request.version_marker, request.key_marker) {
            (Some(version), None) => Err(crate::refusal::invalid_argument(
                "version-id-marker",
                version,
                "A version-id marker cannot be specified without a key marker.",
            )),
            _ => Ok(request),
        }
    }
}

pub fn list(store: &mut Store, params: Params<'_>) -> Answer {
    let request = Request::read(params)?;
    let bucket = buckets::find(&store.state, params, request.list.bucket)?;
    Ok(answer(&request, all(bucket, request.list.prefix)))
}

/// The page of these entries, which come by key, the newest first.
pub fn answer<'a>(asked: &Request<'_>, entries: impl IntoIterator<Item = Entry<'a>>) -> Value {
    let (key_marker, version_marker) = (asked.key_marker, asked.version_marker);
    let request = &asked.list;
    let limit = usize::try_from(request.limit).unwrap_or_default();
    let mut page = Page::default();
    let entries: Vec<Entry<'_>> = entries.into_iter().collect();
    // If the version of the marker was deleted since the last page, its place among the versions
    // of the key is lost: the page begins with all that the key has left.
    let is_there = |id: &str| {
        let mut of_key = entries.iter().filter(|it| Some(it.key) == key_marker);
        of_key.any(|entry| entry.id() == id)
    };
    let mut past_marker = version_marker.is_none_or(|id| !is_there(id));
    for entry in entries {
        if let Some(marker) = key_marker {
            if entry.key < marker || (entry.key == marker && version_marker.is_none()) {
                continue;
            }
            if entry.key == marker && !past_marker {
                past_marker = version_marker == Some(entry.id());
                continue;
            }
        }
        let common = request.common_prefix(entry.key);
        if let Some(common) = common
            && (page.prefixes.last() == Some(&common)
                || key_marker.is_some_and(|marker| marker.starts_with(common)))
        {
            continue;
        }
        if page.len() == limit {
            page.is_truncated = limit > 0;
            break;
        }
        match common {
            Some(common) => {
                page.last = Some((common, None));
                page.prefixes.push(common);
            }
            None => {
                page.last = Some((entry.key, Some(entry.id().to_owned())));
                page.entries.push(entry);
            }
        }
    }
    page.answer(request, key_marker, version_marker)
}

#[derive(Default)]
struct Page<'a> {
    entries: Vec<Entry<'a>>,
    prefixes: Vec<&'a str>,
    /// The key and the version, or the common prefix, that came last.
    last: Option<(&'a str, Option<String>)>,
    is_truncated: bool,
}

impl Page<'_> {
    fn len(&self) -> usize {
        self.entries.len() + self.prefixes.len()
    }

    fn answer(
        &self,
        request: &list::Request<'_>,
        key_marker: Option<&str>,
        version_marker: Option<&str>,
    ) -> Value {
        let (mut versions, mut markers) = (Vec::new(), Vec::new());
        for entry in &self.entries {
            let key = request.spell(entry.key);
            match &entry.version {
                Told::Elsewhere(_, is_marker, told) => {
                    let list = if *is_marker {
                        &mut markers
                    } else {
                        &mut versions
                    };
                    list.push(retold(told, key, entry.is_latest));
                }
                Told::Here(Version::Object(object)) => versions.push(
                    Dict::with_capacity(10)
                        .field("ETag", object.etag())
                        .maybe(
                            "ChecksumAlgorithm",
                            object.crc32().map(|_| Value::List(vec!["CRC32".into()])),
                        )
                        .maybe("ChecksumType", object.crc32().map(|_| "FULL_OBJECT"))
                        .field("Size", count(object.size()))
                        .field("StorageClass", &*object.attributes.storage_class)
                        .field("Key", key)
                        .field("VersionId", object.version_id())
                        .field("IsLatest", entry.is_latest)
                        .field("LastModified", object.modified)
                        .field("Owner", Value::from(owner()))
                        .into(),
                ),
                Told::Here(Version::Marker(marker)) => markers.push(
                    Dict::with_capacity(5)
                        .field("Owner", Value::from(owner()))
                        .field("Key", key)
                        .field("VersionId", marker.version_id())
                        .field("IsLatest", entry.is_latest)
                        .field("LastModified", marker.modified)
                        .into(),
                ),
            }
        }
        let next = self.last.as_ref().filter(|_| self.is_truncated);
        let next_version = next.and_then(|(_, version)| version.clone());
        let answer = Dict::with_capacity(12)
            .field("IsTruncated", self.is_truncated)
            .field("KeyMarker", request.spell(key_marker.unwrap_or_default()))
            .field("VersionIdMarker", version_marker.unwrap_or_default())
            .maybe("NextKeyMarker", next.map(|(key, _)| request.spell(key)))
            .maybe("NextVersionIdMarker", next_version)
            .list("Versions", versions)
            .list("DeleteMarkers", markers);
        request.tail(answer, &self.prefixes).into()
    }
}

/// An entry of another listing, for this one.
fn retold(told: &Value, key: String, is_latest: bool) -> Value {
    let Value::Map(mut pairs) = told.clone() else {
        return told.clone();
    };
    for (name, value) in &mut pairs {
        match &**name {
            "Key" => *value = Value::Str(key.clone()),
            "IsLatest" => *value = Value::Bool(is_latest),
            _ => {}
        }
    }
    Value::Map(pairs)
}
