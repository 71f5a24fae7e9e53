//! Whole accounts, copied and emptied through [`World::call`], so that it works on
//! every backend: what a replay on a real server does before and after dialogues.

use super::names::DEFAULT_REGION;
use crate::domain::{Map, Value, World};
use crate::error::{Error, Result};
use futures_util::{StreamExt, TryStreamExt, stream};

/// So many calls are under way at once.
const AT_ONCE: usize = 16;

/// `delete_objects` takes at most so many keys.
const MOST_DELETED: usize = 1000;

/// What `get_object` tells of an object and `put_object` takes: all that is kept with a
/// content. An object of the standard class is told without `StorageClass`.
const KEPT: &[&str] = &[
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

/// Copies buckets with their regions, and objects with their contents and what was said
/// about them, to where nothing is. Times of writing are the other side's own.
pub async fn install(from: &dyn World, into: &dyn World) -> Result<()> {
    let names = buckets(from).await?.into_iter();
    let listings = names.map(async |bucket| {
        let mut create = params([("Bucket", bucket.clone())]);
        let located = ask(from, "get_bucket_location", create.clone()).await?;
        let region = text(&located, "LocationConstraint");
        if let Some(region) = region.filter(|region| region != DEFAULT_REGION) {
            let constraint = params([("LocationConstraint", region)]);
            create.push(("CreateBucketConfiguration".into(), Value::Map(constraint)));
        }
        ask(into, "create_bucket", create).await?;
        let keys = keys(from, &bucket).await?.into_iter();
        Ok::<_, Error>(keys.map(move |key| (bucket.clone(), key)))
    });
    let listings = stream::iter(listings).buffer_unordered(AT_ONCE);
    let listings: Vec<_> = listings.try_collect().await?;
    let copies = listings.into_iter().flatten().map(async |(bucket, key)| {
        let mut object = params([("Bucket", bucket), ("Key", key)]);
        let read = ask(from, "get_object", object.clone()).await?;
        let kept = KEPT.iter().chain(&["Body"]);
        object.extend(kept.filter_map(|name| Some(((*name).into(), read.get(name)?.clone()))));
        ask(into, "put_object", object).await
    });
    let copies = stream::iter(copies).buffer_unordered(AT_ONCE);
    copies.try_for_each(async |_| Ok(())).await
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
    delete(world, bucket, keys(world, bucket).await?).await?;
    ask(
        world,
        "delete_bucket",
        params([("Bucket", bucket.to_owned())]),
    )
    .await?;
    Ok(())
}

/// Deletes objects.
async fn delete(world: &dyn World, bucket: &str, keys: Vec<String>) -> Result<()> {
    for some in keys.chunks(MOST_DELETED) {
        let objects = some
            .iter()
            .map(|key| Value::Map(params([("Key", key.clone())])));
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
