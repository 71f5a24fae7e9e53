//! `delete_object` and `delete_objects`.

use super::Store;
use super::answer::Dict;
use super::history::Version;
use super::state::{Bucket, NULL_VERSION, Versioning};
use super::{buckets, conditions, locate, lock};
use crate::domain::{Answer, Refusal, Value};
use crate::names;
use crate::params::Params;
use crate::refusal;

/// The most keys that `delete_objects` accepts.
const MOST: usize = 1000;

pub fn one(store: &mut Store, params: Params<'_>) -> Answer {
    let key = params.key()?;
    let name = params.text("Bucket")?;
    let bucket = buckets::find(&store.state, params, name)?;
    let bypass = params.get("BypassGovernanceRetention").is_some();
    if bypass && !bucket.has_lock() {
        return Err(no_lock_to_bypass());
    }
    let version = params.optional("VersionId")?;
    if let Some(version) = version {
        locate::check_id(version)?;
        if version != NULL_VERSION && bucket.versioning() == Versioning::NeverSet {
            return Err(locate::invalid_id(version));
        }
    }
    check(bucket, key, params.optional("IfMatch")?)?;
    let removed = remove(
        store,
        name,
        key,
        version,
        params.flag("BypassGovernanceRetention")?,
    )?;
    Ok(Dict::with_capacity(2)
        .maybe("DeleteMarker", removed.is_marker.then_some(true))
        .maybe("VersionId", removed.version)
        .into())
}

pub fn many(store: &mut Store, params: Params<'_>) -> Answer {
    let name = params.text("Bucket")?;
    let delete = params.map("Delete")?.ok_or_else(refusal::malformed_xml)?;
    let objects = delete
        .get("Objects")
        .and_then(Value::as_list)
        .filter(|objects| (1..=MOST).contains(&objects.len()))
        .ok_or_else(refusal::malformed_xml)?;
    // All entries are read before the first deletion, so that a malformed call deletes
    // nothing.
    let targets = objects
        .iter()
        .map(Target::read)
        .collect::<Result<Vec<_>, _>>()?;
    let quiet = delete.flag("Quiet")?;
    let bypass = params.flag("BypassGovernanceRetention")?;
    let bucket = buckets::find(&store.state, params, name)?;
    if params.get("BypassGovernanceRetention").is_some() && !bucket.has_lock() {
        return Err(no_lock_to_bypass());
    }

    let (mut deleted, mut errors) = (Vec::new(), Vec::new());
    for target in targets {
        let told = Dict::with_capacity(4)
            .field("Key", target.key)
            .maybe("VersionId", target.version);
        let bucket = buckets::existing(&store.state, name)?;
        let removed = target.check(bucket);
        let removed =
            removed.and_then(|()| remove(store, name, target.key, target.version, bypass));
        match removed {
            Ok(removed) => {
                let marker = removed.version.filter(|_| removed.is_marker);
                let told = told
                    .maybe("DeleteMarker", removed.is_marker.then_some(true))
                    .maybe("DeleteMarkerVersionId", marker);
                deleted.push(told.into());
            }
            Err(refusal) => errors.push(
                told.field("Code", refusal.code)
                    .field("Message", refusal.message)
                    .into(),
            ),
        }
    }
    if quiet {
        deleted.clear();
    }
    Ok(Dict::with_capacity(2)
        .list("Deleted", deleted)
        .list("Errors", errors)
        .into())
}

fn no_lock_to_bypass() -> Refusal {
    Refusal::new(
        400,
        "InvalidArgument",
        "x-amz-bypass-governance-retention is only applicable to Object Lock enabled buckets.",
    )
    .with("ArgumentName", "x-amz-bypass-governance-retention")
}

/// One entry of `Delete.Objects`.
struct Target<'a> {
    key: &'a str,
    version: Option<&'a str>,
    etag: Option<&'a str>,
}

impl<'a> Target<'a> {
    fn read(entry: &'a Value) -> Result<Self, Refusal> {
        let entry = Params::new(entry)?;
        Ok(Target {
            key: entry.filled("Key")?.ok_or_else(refusal::malformed_xml)?,
            version: entry.optional("VersionId")?,
            etag: entry.optional("ETag")?,
        })
    }

    fn check(&self, bucket: &Bucket) -> Result<(), Refusal> {
        names::check_key(self.key)?;
        if let Some(version) = self.version
            && version != NULL_VERSION
            && (bucket.versioning() == Versioning::NeverSet || locate::check_id(version).is_err())
        {
            return Err(refusal::no_such_version(self.key, version));
        }
        check(bucket, self.key, self.etag)
    }
}

/// Refuses a conditional delete whose ETag is not that of the object at the key. If there
/// is no object, every condition fails (S3 user guide, "How to perform conditional
/// deletes").
fn check(bucket: &Bucket, key: &str, etag: Option<&str>) -> Result<(), Refusal> {
    match (etag, bucket.object(key)) {
        (None, _) => Ok(()),
        (Some(_), None) => Err(refusal::no_such_key(key)),
        (Some(etag), Some(object)) if conditions::is_etag_of(etag, object) => Ok(()),
        _ => Err(refusal::precondition_failed("If-Match")),
    }
}

/// The result of a deletion.
struct Removed {
    /// The marker that it left, or the version that it took away.
    version: Option<String>,
    /// Whether this is a delete marker.
    is_marker: bool,
}

/// Deletes a key, or one version of it. What is missing is not an error; then the shared
/// bucket is not copied.
fn remove(
    store: &mut Store,
    bucket: &str,
    key: &str,
    version: Option<&str>,
    bypass: bool,
) -> Result<Removed, Refusal> {
    let now = store.clock.now();
    let mut removed = Removed {
        version: version.map(str::to_owned),
        is_marker: false,
    };
    let Some(known) = store.state.bucket(bucket) else {
        return Ok(removed);
    };
    let is_versioned = known.versioning() != Versioning::NeverSet;
    match version {
        Some(version) => {
            let Some(found) = known.version(key, version) else {
                return Ok(removed);
            };
            if let Version::Object(object) = &found {
                lock::check_delete(object, bypass, now)?;
            }
            removed.is_marker = matches!(found, Version::Marker(_));
            removed.version.take_if(|_| !is_versioned);
            if let Some(bucket) = store.state.bucket_mut(bucket) {
                bucket.remove_version(key, version);
            }
        }
        None if is_versioned => {
            let now = store.clock.tick();
            let bucket = store.state.bucket_mut(bucket);
            let marker = bucket.and_then(|bucket| bucket.delete(key, now));
            removed.is_marker = marker.is_some();
            removed.version = marker.map(|marker| marker.version_id().to_owned());
        }
        None if known.object(key).is_some() => {
            if let Some(bucket) = store.state.bucket_mut(bucket) {
                bucket.objects.remove(key);
            }
        }
        None => {}
    }
    Ok(removed)
}
