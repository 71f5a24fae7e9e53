//! Copies and empties whole accounts. A replay on a real server does this before and
//! after each dialogue. Everything uses [`World::call`], so it works on every backend.

use super::caller::{Caller, list, params, text};
use super::names::DEFAULT_REGION;
use crate::domain::{Value, World};
use crate::error::{Error, Result};
use futures_util::{StreamExt, TryStreamExt, stream};
use std::collections::{BTreeMap, BTreeSet};

/// The most concurrent calls.
const AT_ONCE: usize = 16;

/// The most keys that `delete_objects` accepts.
const MOST_DELETED: usize = 1000;

/// The fields that `get_object` returns and `put_object` accepts: everything that is kept
/// with a content. `get_object` leaves out `StorageClass` for the standard class.
pub const KEPT: &[&str] = &[
    "CacheControl",
    "ContentDisposition",
    "ContentEncoding",
    "ContentLanguage",
    "ContentType",
    "Expires",
    "Metadata",
    "StorageClass",
    "WebsiteRedirectLocation",
];

/// The names of all buckets.
pub async fn buckets(world: &dyn World) -> Result<Vec<String>> {
    Ok(names(&Caller(world).buckets().await?, "Name"))
}

async fn keys(world: &dyn World, bucket: &str) -> Result<Vec<String>> {
    Ok(names(&Caller(world).objects(bucket).await?, "Key"))
}

fn names(entries: &[Value], field: &str) -> Vec<String> {
    let names = entries.iter().filter_map(|entry| text(entry, field));
    names.map(str::to_owned).collect()
}

/// Makes the buckets, keys, contents and attributes of `into` equal to those of `from`.
/// The times of writing are not copied.
///
/// A bucket that exists on both sides is kept. Some servers free the storage of a deleted
/// bucket later, and then lose objects that a new bucket of the same name got in the
/// meantime. Every object is written again, because a listing does not show whether its
/// metadata has changed.
pub async fn restore(from: &dyn World, into: &dyn World) -> Result<()> {
    let (mut wanted, mut objects) = (BTreeMap::new(), Vec::new());
    for bucket in buckets(from).await? {
        let keys = keys(from, &bucket).await?;
        objects.extend(keys.iter().map(|key| (bucket.clone(), key.clone())));
        let place = location(from, &bucket).await?;
        wanted.insert(bucket, (place, BTreeSet::from_iter(keys)));
    }
    let present = BTreeSet::from_iter(buckets(into).await?);
    let mut all = present.clone();
    all.extend(wanted.keys().cloned());
    let fitted = all.into_iter().map(async |bucket| {
        match (present.contains(&bucket), wanted.get(&bucket)) {
            (true, Some(wanted)) => fit(into, &bucket, wanted).await,
            (true, None) => remove(into, &bucket).await,
            (false, Some((place, _))) => create(into, &bucket, place.as_deref()).await,
            (false, None) => Ok(()),
        }
    });
    let fitted = stream::iter(fitted).buffer_unordered(AT_ONCE);
    fitted.try_for_each(async |()| Ok(())).await?;
    let copies = objects.into_iter().map(async |(bucket, key)| {
        let mut object = params([("Bucket", &*bucket), ("Key", &*key)]);
        let read = Caller(from).get("get_object", object.clone()).await?;
        let kept = KEPT.iter().chain(&["Body"]);
        object.extend(kept.filter_map(|name| Some(((*name).into(), read.get(name)?.clone()))));
        Caller(into).get("put_object", object).await
    });
    let copies = stream::iter(copies).buffer_unordered(AT_ONCE);
    copies.try_for_each(async |_| Ok(())).await
}

/// The location constraint that a bucket should have, and its keys.
type Wanted = (Option<String>, BTreeSet<String>);

/// Deletes the keys that a bucket should not have.
async fn fit(world: &dyn World, bucket: &str, (place, kept): &Wanted) -> Result<()> {
    let is_in = location(world, bucket).await?;
    // A server without regions reports no location for any bucket.
    if is_in.is_some() && is_in != *place {
        remove(world, bucket).await?;
        return create(world, bucket, place.as_deref()).await;
    }
    let extra = keys(world, bucket).await?.into_iter();
    let extra: Vec<String> = extra.filter(|key| !kept.contains(key)).collect();
    let is_left = |folder: &str| kept.range(folder.to_owned()..).next();
    // Servers that store objects as files list empty folders as keys. On other servers,
    // such a key does not exist, and deleting it has no effect.
    let folders: BTreeSet<&str> = extra
        .iter()
        .flat_map(|key| key.match_indices('/').filter_map(|(at, _)| key.get(..=at)))
        .filter(|folder| !is_left(folder).is_some_and(|next| next.starts_with(folder)))
        .collect();
    // Inner folders first.
    let folders: Vec<String> = folders.into_iter().rev().map(str::to_owned).collect();
    delete(world, bucket, &extra).await?;
    for folder in folders {
        delete(world, bucket, &[folder]).await?;
    }
    Ok(())
}

async fn create(world: &dyn World, bucket: &str, place: Option<&str>) -> Result<()> {
    let mut create = params([("Bucket", bucket)]);
    if let Some(region) = place {
        let constraint = params([("LocationConstraint", region)]);
        create.push(("CreateBucketConfiguration".into(), Value::Map(constraint)));
    }
    Caller(world).get("create_bucket", create).await.map(drop)
}

/// The location constraint of a bucket; `None` for us-east-1.
async fn location(world: &dyn World, bucket: &str) -> Result<Option<String>> {
    let asked = params([("Bucket", bucket)]);
    let located = Caller(world).get("get_bucket_location", asked).await?;
    let region = text(&located, "LocationConstraint").filter(|region| *region != DEFAULT_REGION);
    Ok(region.map(str::to_owned))
}

/// Deletes all objects and all buckets.
pub async fn clear(world: &dyn World) -> Result<()> {
    let names = buckets(world).await?.into_iter();
    let removed = names.map(async |bucket| remove(world, &bucket).await);
    let removed = stream::iter(removed).buffer_unordered(AT_ONCE);
    removed.try_for_each(async |()| Ok(())).await
}

/// Deletes a bucket with all its objects.
async fn remove(world: &dyn World, bucket: &str) -> Result<()> {
    let keys = keys(world, bucket).await?;
    delete(world, bucket, &keys).await?;
    let named = params([("Bucket", bucket)]);
    Caller(world).get("delete_bucket", named).await.map(drop)
}

/// Deletes objects.
async fn delete(world: &dyn World, bucket: &str, keys: &[String]) -> Result<()> {
    for some in keys.chunks(MOST_DELETED) {
        let objects = some
            .iter()
            .map(|key| Value::Map(params([("Key", key.as_str())])));
        let objects = vec![
            ("Objects".into(), Value::List(objects.collect())),
            ("Quiet".into(), Value::Bool(true)),
        ];
        let mut request = params([("Bucket", bucket)]);
        request.push(("Delete".into(), Value::Map(objects)));
        let answer = Caller(world).get("delete_objects", request).await?;
        if let Some(error) = list(&answer, "Errors").first() {
            let said = |name| text(error, name).unwrap_or_default();
            let (key, code, message) = (said("Key"), said("Code"), said("Message"));
            return Err(Error::World(format!(
                "{}: {bucket}/{key} cannot be deleted: {message} ({code})",
                world.describe()
            )));
        }
    }
    Ok(())
}
