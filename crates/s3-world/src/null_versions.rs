//! The versions without an id, which writes take away in buckets that do not keep versions any more.

use super::caller::{Caller, list, params, text};
use super::images;
use super::planning::{AT_ONCE, object};
use super::planning_settings;
use super::refusal::Trouble;
use crate::domain::{Place, Value, World};
use crate::error::Result;
use futures_util::{StreamExt, TryStreamExt, stream};

/// The versions without an id that a call would take away although others are the latest, or
/// nothing is to be seen there because of a delete marker.
pub(super) async fn below(
    world: &dyn World,
    bucket: &str,
    operation: &str,
    params: &Value,
) -> Result<Vec<Place>> {
    let keys = written(operation, params);
    if keys.is_empty() || !is_suspended(world, bucket).await? {
        return Ok(Vec::new());
    }
    // Collected first, because a stream that borrows from an iterator is not `Send`.
    let looks: Vec<_> = (keys.into_iter())
        .map(|key| below_one(world, bucket, key))
        .collect();
    let found = stream::iter(looks).buffered(AT_ONCE);
    let found: Vec<Option<Place>> = found.try_collect().await?;
    Ok(found.into_iter().flatten().collect())
}

/// The keys whose latest version a call replaces.
fn written<'p>(operation: &str, params: &'p Value) -> Vec<&'p str> {
    let latest = |named: &'p Value| {
        let key = text(named, "Key")?;
        text(named, "VersionId").is_none().then_some(key)
    };
    match operation {
        "put_object" | "copy_object" | "complete_multipart_upload" | "delete_object" => {
            latest(params).into_iter().collect()
        }
        "delete_objects" => {
            let listed = params.get("Delete").map(|delete| list(delete, "Objects"));
            let listed = listed.unwrap_or_default().iter();
            listed.filter_map(latest).collect()
        }
        _ => Vec::new(),
    }
}

async fn is_suspended(world: &dyn World, bucket: &str) -> Result<bool> {
    let named = Value::Map(params([("Bucket", bucket)]));
    match Caller(world).ask("get_bucket_versioning", &named).await {
        Ok(answer) => Ok(text(&answer, "Status") == Some("Suspended")),
        // The write says what is wrong.
        Err(Trouble::Refused(_)) => Ok(false),
        Err(Trouble::Failed(error)) => Err(error),
    }
}

async fn below_one(world: &dyn World, bucket: &str, key: &str) -> Result<Option<Place>> {
    let named = Value::Map(object(bucket, key));
    match Caller(world).ask("head_object", &named).await {
        // It is the latest itself.
        Ok(head) if images::version(&head).is_none() => return Ok(None),
        Ok(_) => {}
        Err(Trouble::Refused(refusal)) if refusal.status == 404 => {}
        Err(Trouble::Refused(_)) => return Ok(None),
        Err(Trouble::Failed(error)) => return Err(error),
    }
    let place = Place::thing(bucket, key).with_version("null");
    let mark = planning_settings::look(world, &place).await?;
    Ok(mark.map(|_| place))
}
