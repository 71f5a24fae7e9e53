//! Whole accounts, made alike and emptied through [`World::call`], so that it works on
//! every backend: what a replay on a real server does before and after dialogues.

use super::names::DEFAULT_REGION;
use crate::domain::{Map, Value, World};
use crate::error::{Error, Result};
use futures_util::{StreamExt, TryStreamExt, stream};
use std::collections::{BTreeMap, BTreeSet};

/// So many calls are under way at once.
const AT_ONCE: usize = 16;

/// `delete_objects` takes at most so many keys.
const MOST_DELETED: usize = 1000;

/// What `get_object` tells of an object and `put_object` takes: all that is kept with a
/// content. An object of the standard class is told without `StorageClass`.
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
    let mut names = Vec::new();
    let mut token: Option<String> = None;
    loop {
        let next = token.take().map(|token| ("ContinuationToken", token));
        let page = ask(world, "list_buckets", params(next)).await?;
        names.extend(texts(&page, "Buckets", "Name"));
        token = text(&page, "ContinuationToken");
        if token.is_none() {
            return Ok(names);
        }
    }
}

/// Makes the buckets, keys, contents and what was said about them in `into` those of
/// `from`. Times of writing are the other side's own.
///
/// A bucket that both have stays: some servers give the room of a deleted bucket back a
/// while later, and lose what a new one of the same name was given meanwhile. Every object
/// is written again, since a listing does not say whether its metadata was changed.
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
        let mut object = params([("Bucket", bucket), ("Key", key)]);
        let read = ask(from, "get_object", object.clone()).await?;
        let kept = KEPT.iter().chain(&["Body"]);
        object.extend(kept.filter_map(|name| Some(((*name).into(), read.get(name)?.clone()))));
        ask(into, "put_object", object).await
    });
    let copies = stream::iter(copies).buffer_unordered(AT_ONCE);
    copies.try_for_each(async |_| Ok(())).await
}

/// Where a bucket is to be, and the keys that it is to have.
type Wanted = (Option<String>, BTreeSet<String>);

/// Takes away what a bucket has too much.
async fn fit(world: &dyn World, bucket: &str, (place, kept): &Wanted) -> Result<()> {
    let is_in = location(world, bucket).await?;
    // A server without regions says of every bucket that it is in none.
    if is_in.is_some() && is_in != *place {
        remove(world, bucket).await?;
        return create(world, bucket, place.as_deref()).await;
    }
    let extra = keys(world, bucket).await?.into_iter();
    let extra: Vec<String> = extra.filter(|key| !kept.contains(key)).collect();
    let is_left = |folder: &str| kept.range(folder.to_owned()..).next();
    // Servers that keep files in folders list those that are empty. For others such a key
    // is one that is not there.
    let folders: BTreeSet<&str> = extra
        .iter()
        .flat_map(|key| key.match_indices('/').filter_map(|(at, _)| key.get(..=at)))
        .filter(|folder| !is_left(folder).is_some_and(|next| next.starts_with(folder)))
        .collect();
    // Inner ones first.
    let folders: Vec<String> = folders.into_iter().rev().map(str::to_owned).collect();
    delete(world, bucket, &extra).await?;
    for folder in folders {
        delete(world, bucket, &[folder]).await?;
    }
    Ok(())
}

async fn create(world: &dyn World, bucket: &str, place: Option<&str>) -> Result<()> {
    let mut create = params([("Bucket", bucket.to_owned())]);
    if let Some(region) = place {
        let constraint = params([("LocationConstraint", region.to_owned())]);
        create.push(("CreateBucketConfiguration".into(), Value::Map(constraint)));
    }
    ask(world, "create_bucket", create).await.map(drop)
}

/// The location constraint of a bucket; none is us-east-1.
async fn location(world: &dyn World, bucket: &str) -> Result<Option<String>> {
    let asked = params([("Bucket", bucket.to_owned())]);
    let located = ask(world, "get_bucket_location", asked).await?;
    Ok(text(&located, "LocationConstraint").filter(|region| region != DEFAULT_REGION))
}

/// Deletes every object and every bucket that there is.
pub async fn clear(world: &dyn World) -> Result<()> {
    let names = buckets(world).await?.into_iter();
    let removed = names.map(async |bucket| remove(world, &bucket).await);
    let removed = stream::iter(removed).buffer_unordered(AT_ONCE);
    removed.try_for_each(async |()| Ok(())).await
}

/// Deletes a bucket with all that is in it.
async fn remove(world: &dyn World, bucket: &str) -> Result<()> {
    let keys = keys(world, bucket).await?;
    delete(world, bucket, &keys).await?;
    let named = params([("Bucket", bucket.to_owned())]);
    ask(world, "delete_bucket", named).await.map(drop)
}

/// Deletes objects.
async fn delete(world: &dyn World, bucket: &str, keys: &[String]) -> Result<()> {
    for some in keys.chunks(MOST_DELETED) {
        let objects = some.iter();
        let objects = objects.map(|key| Value::Map(params([("Key", key.clone())])));
        let objects = vec![
            ("Objects".into(), Value::List(objects.collect())),
            ("Quiet".into(), Value::Bool(true)),
        ];
        let mut request = params([("Bucket", bucket.to_owned())]);
        request.push(("Delete".into(), Value::Map(objects)));
        let answer = ask(world, "delete_objects", request).await?;
        let errors = answer.get("Errors").and_then(Value::as_list);
        if let Some(error) = errors.and_then(<[Value]>::first) {
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

async fn keys(world: &dyn World, bucket: &str) -> Result<Vec<String>> {
    let mut keys = Vec::new();
    let mut token: Option<String> = None;
    loop {
        let mut request = params([("Bucket", bucket.to_owned())]);
        request.extend(params(
            token.take().map(|token| ("ContinuationToken", token)),
        ));
        let page = ask(world, "list_objects_v2", request).await?;
        keys.extend(texts(&page, "Contents", "Key"));
        token = text(&page, "NextContinuationToken");
        if token.is_none() {
            return Ok(keys);
        }
    }
}

/// No program asked, so a refusal is our failure here.
async fn ask(world: &dyn World, operation: &str, params: Map) -> Result<Value> {
    let params = Value::Map(params);
    let answer = world.call(operation, &params).await?;
    answer.map_err(|refusal| {
        let path: Vec<String> = ["Bucket", "Key"]
            .iter()
            .filter_map(|name| text(&params, name))
            .collect();
        Error::World(format!(
            "{}: {operation} {}: {} ({})",
            world.describe(),
            path.join("/"),
            refusal.message,
            refusal.code
        ))
    })
}

fn params(pairs: impl IntoIterator<Item = (&'static str, String)>) -> Map {
    let pairs = pairs.into_iter();
    pairs
        .map(|(name, value)| (name.into(), Value::Str(value)))
        .collect()
}

fn text(value: &Value, name: &str) -> Option<String> {
    let found = value.get(name)?.as_str()?;
    Some(found.to_owned())
}

fn texts(value: &Value, list: &str, name: &'static str) -> impl Iterator<Item = String> {
    let items = value.get(list).and_then(Value::as_list);
    let items = items.unwrap_or_default().iter();
    items.filter_map(move |item| text(item, name))
}
