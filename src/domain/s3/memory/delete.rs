//! `delete_object` and `delete_objects`.

use super::Store;
use super::answer::Dict;
use super::state::Bucket;
use super::{buckets, conditions, read};
use crate::domain::s3::names;
use crate::domain::s3::params::Params;
use crate::domain::s3::refusal;
use crate::domain::{Answer, Refusal, Value};

/// The most keys that `delete_objects` accepts.
const MOST: usize = 1000;

pub fn one(store: &mut Store, params: Params<'_>) -> Answer {
    let key = params.key()?;
    let name = params.text("Bucket")?;
    let bucket = buckets::find(&store.state, params, name)?;
    read::check_version(params.optional("VersionId")?)?;
    check(bucket, key, params.optional("IfMatch")?)?;
    remove(store, name, key);
    Ok(Dict::default().into())
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
    buckets::find(&store.state, params, name)?;

    let (mut deleted, mut errors) = (Vec::new(), Vec::new());
    for target in targets {
        let told = Dict::with_capacity(4)
            .field("Key", target.key)
            .maybe("VersionId", target.version);
        let bucket = buckets::existing(&store.state, name)?;
        match target.check(bucket) {
            Ok(()) => {
                remove(store, name, target.key);
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
        if self.version.is_some_and(|version| version != "null") {
            return Err(Refusal::new(
                404,
                "NoSuchVersion",
                "The specified version does not exist.",
            ));
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

/// Deletes a key. A missing key is not an error; then the shared bucket is not copied.
fn remove(store: &mut Store, bucket: &str, key: &str) {
    let present = store
        .state
        .bucket(bucket)
        .is_some_and(|b| b.object(key).is_some());
    if present && let Some(bucket) = store.state.bucket_mut(bucket) {
        bucket.objects.remove(key);
    }
}
