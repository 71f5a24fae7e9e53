//! Empties buckets and accounts.

use super::{AT_ONCE, BUCKETS_AT_ONCE, Entries, Entry, buckets, entries, tell, uploads};
use crate::caller::{Caller, list, params, text};
use crate::domain::{Value, World};
use crate::error::{Error, Result};
use crate::refusal::Trouble;
use futures_util::{StreamExt, TryStreamExt, stream};
use std::collections::BTreeSet;

/// The most keys that `delete_objects` accepts.
const MOST_DELETED: usize = 1000;

/// Deletes all objects with their versions, all uploads in progress, and all buckets.
///
/// # Errors
/// The world's, also when it keeps something: what is locked in the mode `COMPLIANCE` stays
/// until its time is over.
pub async fn clear(world: &dyn World) -> Result<()> {
    let names = buckets(world).await?.into_iter();
    let removed = names.map(async |bucket| remove(world, &bucket).await);
    let removed = stream::iter(removed).buffer_unordered(BUCKETS_AT_ONCE);
    removed.try_for_each(async |()| Ok(())).await
}

/// Deletes a bucket with all that is in it.
pub async fn remove(world: &dyn World, bucket: &str) -> Result<()> {
    remove_policy(world, bucket).await?;
    let keeps_versions = keeps_versions(world, bucket).await?;
    fit(world, bucket, keeps_versions, None).await?;
    let named = params([("Bucket", bucket)]);
    Caller(world).get("delete_bucket", named).await.map(drop)
}

/// Deletes the policy of a bucket, which can forbid to read it. A server may have no policies.
pub async fn remove_policy(world: &dyn World, bucket: &str) -> Result<()> {
    let named = Value::Map(params([("Bucket", bucket)]));
    tell(world, "delete_bucket_policy", &named).await.map(drop)
}

/// Whether a bucket keeps versions or did so once. Where that is not told, it does not.
async fn keeps_versions(world: &dyn World, bucket: &str) -> Result<bool> {
    let named = Value::Map(params([("Bucket", bucket)]));
    match Caller(world).ask("get_bucket_versioning", &named).await {
        Ok(answer) => Ok(text(&answer, "Status").is_some()),
        Err(Trouble::Refused(_)) => Ok(false),
        Err(Trouble::Failed(error)) => Err(error),
    }
}

/// Deletes what a bucket has and should not have: all, or all but some keys.
pub async fn fit(
    world: &dyn World,
    bucket: &str,
    keeps_versions: bool,
    kept: Option<&Entries>,
) -> Result<()> {
    uploads::abort(world, bucket).await?;
    let found = entries::of(world, bucket, keeps_versions).await?;
    if keeps_versions {
        let entries: Vec<Entry> = found.into_values().flatten().collect();
        return delete_versions(world, bucket, entries).await;
    }
    let is_kept = |key: &str| kept.is_some_and(|kept| kept.contains_key(key));
    let extra: Vec<String> = found.into_keys().filter(|key| !is_kept(key)).collect();
    let is_left = |folder: &str| {
        let mut next = kept
            .into_iter()
            .flat_map(|kept| kept.range(folder.to_owned()..));
        next.next()
            .is_some_and(|(next, _)| next.starts_with(folder))
    };
    // Servers that store objects as files list empty folders as keys. On other servers,
    // such a key does not exist, and deleting it has no effect.
    let folders: BTreeSet<&str> = extra
        .iter()
        .flat_map(|key| key.match_indices('/').filter_map(|(at, _)| key.get(..=at)))
        .filter(|folder| !is_left(folder))
        .collect();
    // Inner folders first.
    let folders: Vec<String> = folders.into_iter().rev().map(str::to_owned).collect();
    let named = |key: &String| Value::Map(params([("Key", key.as_str())]));
    delete(world, bucket, extra.iter().map(named).collect()).await?;
    for folder in &folders {
        delete(world, bucket, vec![named(folder)]).await?;
    }
    Ok(())
}

/// Deletes versions and delete markers, also those whose lock can be lifted.
async fn delete_versions(world: &dyn World, bucket: &str, entries: Vec<Entry>) -> Result<()> {
    let asked = Value::Map(params([("Bucket", bucket)]));
    let lock = Caller(world)
        .ask("get_object_lock_configuration", &asked)
        .await;
    let has_locks = match lock {
        Ok(answer) => answer.get("ObjectLockConfiguration").is_some(),
        Err(Trouble::Refused(_)) => false,
        Err(Trouble::Failed(error)) => return Err(error),
    };
    if !has_locks {
        let named = entries.iter().map(|entry| {
            let named = entry.named(bucket).into_iter();
            Value::Map(named.filter(|(name, _)| name != "Bucket").collect())
        });
        return delete(world, bucket, named.collect()).await;
    }
    let deleted = entries.into_iter().map(async |entry| {
        let mut off = entry.named(bucket);
        let status = Value::Map(params([("Status", "OFF")]));
        off.push(("LegalHold".into(), status));
        // A delete marker has no hold.
        match Caller(world)
            .ask("put_object_legal_hold", &Value::Map(off))
            .await
        {
            Ok(_) | Err(Trouble::Refused(_)) => {}
            Err(Trouble::Failed(error)) => return Err(error),
        }
        let mut deletion = entry.named(bucket);
        deletion.push(("BypassGovernanceRetention".into(), true.into()));
        Caller(world).get("delete_object", deletion).await.map(drop)
    });
    let deleted = stream::iter(deleted).buffer_unordered(AT_ONCE);
    deleted.try_for_each(async |()| Ok(())).await
}

/// Deletes objects, which are named by keys and versions: many calls of many at once.
async fn delete(world: &dyn World, bucket: &str, named: Vec<Value>) -> Result<()> {
    let deleted = named.chunks(MOST_DELETED).map(async |some| {
        let objects = vec![
            ("Objects".into(), Value::List(some.to_vec())),
            ("Quiet".into(), Value::Bool(true)),
        ];
        let mut request = params([("Bucket", bucket)]);
        request.push(("Delete".into(), Value::Map(objects)));
        let answer = Caller(world).get("delete_objects", request).await?;
        let Some(error) = list(&answer, "Errors").first() else {
            return Ok(());
        };
        let said = |name| text(error, name).unwrap_or_default();
        let (key, code, message) = (said("Key"), said("Code"), said("Message"));
        Err(Error::world(format!(
            "{}: {bucket}/{key} cannot be deleted: {message} ({code})",
            world.describe()
        )))
    });
    let deleted: Vec<_> = deleted.collect();
    let deleted = stream::iter(deleted).buffer_unordered(AT_ONCE);
    deleted.try_for_each(async |()| Ok(())).await
}
