//! The versions and delete markers of a world's keys, as `list_object_versions` tells them.
//!
//! The answer has versions and markers in two lists, each with the newest of a key first. The
//! order across the lists follows from their times. These are whole seconds, and for uploads in
//! parts the time of their beginning. If the times leave the order open, single entries are
//! requested, because a listing can continue after any of them.

use super::caller::{self, Caller, list, params, text};
use super::markers::{Markers, next_marker};
use super::refusal::Trouble;
use crate::domain::{Map, Value};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// A version or a delete marker.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Listed {
    pub key: String,
    pub id: String,
    pub is_marker: bool,
    pub is_latest: bool,
    /// The entry as the world told it.
    pub told: Value,
}

/// How many entries are asked for where those of one key are wanted.
const OF_ONE_KEY: i64 = 100;

impl Listed {
    fn read(entry: &Value, is_marker: bool) -> Option<Listed> {
        Some(Listed {
            key: text(entry, "Key")?.to_owned(),
            id: text(entry, "VersionId").unwrap_or("null").to_owned(),
            is_marker,
            is_latest: entry.get("IsLatest").and_then(Value::as_bool) == Some(true),
            told: entry.clone(),
        })
    }

    /// The size of an object in bytes.
    pub fn size(&self) -> u64 {
        caller::size(&self.told, "Size")
    }

    /// When the version was made.
    pub fn modified(&self) -> Timestamp {
        match self.told.get("LastModified") {
            Some(Value::Time(time)) => *time,
            _ => Timestamp::UNIX_EPOCH,
        }
    }

    /// Whether it was uploaded in parts, so that its time is that of the beginning.
    fn is_in_parts(&self) -> bool {
        text(&self.told, "ETag").is_some_and(|etag| etag.contains('-'))
    }
}

/// Entries of a page, not yet in order.
struct Page {
    entries: Vec<Listed>,
    /// The key and the version after which the next page begins.
    next: Option<(String, Option<String>)>,
}

async fn page(caller: &Caller<'_>, params: &Map) -> Result<Page, Trouble> {
    let answer = caller
        .ask("list_object_versions", &Value::Map(params.clone()))
        .await?;
    let read = |name, is_marker| {
        let entries = list(&answer, name).iter();
        entries.filter_map(move |entry| Listed::read(entry, is_marker))
    };
    let entries = read("Versions", false).chain(read("DeleteMarkers", true));
    let is_truncated = answer.get("IsTruncated").and_then(Value::as_bool) == Some(true);
    let next = next_marker(&answer, "NextKeyMarker").filter(|_| is_truncated);
    let version = next_marker(&answer, "NextVersionIdMarker");
    Ok(Page {
        entries: entries.collect(),
        next: next.map(|key| (key.to_owned(), version.map(str::to_owned))),
    })
}

/// The parameters of the page after this key and version.
fn after(params: &Map, key: &str, version: Option<&str>) -> Map {
    let mut params = params.clone();
    params.retain(|(name, _)| name != "KeyMarker" && name != "VersionIdMarker");
    params.push(("KeyMarker".into(), key.into()));
    params.extend(version.map(|version| ("VersionIdMarker".into(), version.into())));
    params
}

/// All versions of all keys that begin with `prefix` and come after `after_key`, each key with
/// the newest first. `enough` is asked after each page with the keys that are complete.
pub(super) async fn all(
    caller: &Caller<'_>,
    bucket: &str,
    prefix: &str,
    after_key: Option<&str>,
    mut enough: impl FnMut(&BTreeMap<String, Vec<Listed>>) -> bool,
) -> Result<BTreeMap<String, Vec<Listed>>, Trouble> {
    let mut first = params([("Bucket", bucket)]);
    if !prefix.is_empty() {
        first.push(("Prefix".into(), prefix.into()));
    }
    let mut asked = match after_key {
        Some(key) => after(&first, key, None),
        None => first.clone(),
    };
    let mut keys: BTreeMap<String, Vec<Listed>> = BTreeMap::new();
    let mut markers = Markers::new();
    loop {
        let page = page(caller, &asked).await?;
        for entry in page.entries {
            keys.entry(entry.key.clone()).or_default().push(entry);
        }
        let next = page.next.filter(|next| markers.is_new(next.clone()));
        let Some((key, version)) = next else {
            break;
        };
        // The last key may go on on the next page.
        let open = keys.split_off(&key);
        if enough(&keys) {
            break;
        }
        keys.extend(open);
        asked = after(&first, &key, version.as_deref());
    }
    let mut ordered = BTreeMap::new();
    for (key, entries) in keys {
        let entries = in_order(caller, bucket, &key, entries).await?;
        ordered.insert(key, entries);
    }
    Ok(ordered)
}

/// The versions of one key, the newest first.
pub(super) async fn of_key(
    caller: &Caller<'_>,
    bucket: &str,
    key: &str,
) -> Result<Vec<Listed>, Trouble> {
    let mut first = params([("Bucket", bucket), ("Prefix", key)]);
    first.push(("MaxKeys".into(), Value::Int(OF_ONE_KEY)));
    let mut asked = first.clone();
    let mut found = Vec::new();
    let mut markers = Markers::new();
    loop {
        let page = page(caller, &asked).await?;
        found.extend(page.entries.into_iter().filter(|entry| entry.key == key));
        let next = page.next.filter(|(last, _)| last == key);
        let Some((last, version)) = next.filter(|next| markers.is_new(next.clone())) else {
            return in_order(caller, bucket, key, found).await;
        };
        asked = after(&first, &last, version.as_deref());
    }
}

/// The entries of a key as they came: the newest first.
async fn in_order(
    caller: &Caller<'_>,
    bucket: &str,
    key: &str,
    entries: Vec<Listed>,
) -> Result<Vec<Listed>, Trouble> {
    let (markers, versions): (Vec<_>, Vec<_>) = entries.into_iter().partition(|it| it.is_marker);
    let is_only_latest = |some: &[Listed]| matches!(some, [only] if only.is_latest);
    if versions.is_empty() || is_only_latest(&markers) {
        return Ok([markers, versions].concat());
    }
    if markers.is_empty() || is_only_latest(&versions) {
        return Ok([versions, markers].concat());
    }
    let times: BTreeSet<Timestamp> = markers.iter().map(Listed::modified).collect();
    let is_open = |version: &Listed| version.is_in_parts() || times.contains(&version.modified());
    let is_open = versions.iter().any(is_open);
    let mut all = [versions, markers].concat();
    if is_open && let Some(order) = walked(caller, bucket, key, &all).await? {
        let place = |entry: &Listed| order.iter().position(|id| *id == entry.id);
        all.sort_by_key(place);
        return Ok(all);
    }
    // The sort is stable, so that each list keeps its order.
    all.sort_by_key(|entry| (!entry.is_latest, std::cmp::Reverse(entry.modified())));
    Ok(all)
}

/// The ids of a key's entries in their order, asked for one by one; none if the world tells
/// other entries this way.
async fn walked(
    caller: &Caller<'_>,
    bucket: &str,
    key: &str,
    entries: &[Listed],
) -> Result<Option<Vec<String>>, Trouble> {
    let mut first = params([("Bucket", bucket), ("Prefix", key)]);
    first.push(("MaxKeys".into(), Value::Int(1)));
    let mut asked = first.clone();
    let mut order: Vec<String> = Vec::new();
    while order.len() < entries.len() {
        let page = page(caller, &asked).await?;
        let known = |entry: &&Listed| {
            entry.key == key
                && !order.contains(&entry.id)
                && entries.iter().any(|it| it.id == entry.id)
        };
        let Some(entry) = page.entries.first().filter(known) else {
            return Ok(None);
        };
        order.push(entry.id.clone());
        asked = after(&first, key, Some(&entry.id));
    }
    Ok(Some(order))
}
