//! Images of objects: how each comes back that a write is about to destroy. What their buckets
//! decide is asked once, and of each object as little as possible.

use super::bucket_traits::{self, Traits};
use super::caller::{Caller, list, params, size, text};
use super::images::{copied, of_bucket, pairs, query, told, version};
use super::lasting;
use super::memory::is_owners_alone;
use super::moved;
use super::planning::object;
use super::planning_settings;
use super::refusal::Trouble;
use super::reset;
use crate::domain::{Image, Map, Mark, Place, Refusal, Value, Wanted, World};
use crate::error::Result;
use futures_util::{StreamExt, stream};
use jiff::Timestamp;
use std::collections::{BTreeMap, HashSet};

/// The most objects that are read at once. An apply asks for the images of few, and of small ones,
/// together, so that this many are not too much to hold.
const AT_ONCE: usize = 128;

/// The image of one place.
pub(super) async fn of_one(
    world: &dyn World,
    wanted: Wanted<'_>,
    destroyed: &HashSet<Place>,
) -> Result<Image> {
    // Without a look before it, only grants would be known of the bucket, which one object tells
    // as well.
    image(world, &wanted, &BTreeMap::new(), destroyed).await
}

/// The images of all these places, in their order.
pub(super) async fn of_all(
    world: &dyn World,
    wanted: &[Wanted<'_>],
    destroyed: &HashSet<Place>,
) -> Vec<Result<Image>> {
    let traits = bucket_traits::of(world, wanted).await;
    let images = wanted.iter();
    let images = images.map(async |it| image(world, it, &traits, destroyed).await);
    let images: Vec<_> = images.collect();
    stream::iter(images).buffered(AT_ONCE).collect().await
}

async fn image(
    world: &dyn World,
    wanted: &Wanted<'_>,
    traits: &BTreeMap<&str, Traits>,
    destroyed: &HashSet<Place>,
) -> Result<Image> {
    let place = wanted.place;
    if place.setting().is_some() {
        return planning_settings::image(world, place, destroyed).await;
    }
    let [bucket, key, ..] = place.segments() else {
        return of_bucket(world, place.root()).await;
    };
    let traits = traits.get(bucket.as_str()).copied().unwrap_or_default();
    if let Some(copy) = wanted.copy
        && let Some(image) = moved::image(world, place, copy, traits, destroyed).await?
    {
        return Ok(image);
    }
    let kept = Kept {
        bucket,
        key,
        found: wanted.found,
        most_bytes: wanted.most_bytes,
        traits,
    };
    let is_destroyed =
        |version: &str| destroyed.contains(&lasting::version_of(bucket, key, version));
    of_object(world, &kept, is_destroyed).await
}

/// What is to be kept of an object.
#[derive(Clone, Copy)]
struct Kept<'a> {
    bucket: &'a str,
    key: &'a str,
    /// What a look has found there, where there was one.
    found: Option<&'a Mark>,
    /// The most bytes that are kept.
    most_bytes: u64,
    /// What its bucket decides.
    traits: Traits,
}

/// How the object comes back: copied from its version, if the world keeps that, or else
/// with its content, which is kept.
async fn of_object(
    world: &dyn World,
    kept: &Kept<'_>,
    is_destroyed: impl Fn(&str) -> bool,
) -> Result<Image> {
    let (bucket, key, most_bytes) = (kept.bucket, kept.key, kept.most_bytes);
    let caller = Caller(world);
    // Where no versions are kept, the answer with the content says all that is to be known.
    let is_small = |found: &&Mark| found.size <= most_bytes && !found.tag.is_empty();
    if let Some(found) = kept.found.filter(is_small)
        && kept.traits.is_without_versions
        && let Some(image) = with_content(&caller, kept, Some(&found.tag)).await?
    {
        return Ok(image);
    }
    let named = Value::Map(object(bucket, key));
    let head = match caller.ask("head_object", &named).await {
        Ok(head) => head,
        Err(Trouble::Refused(refusal)) if refusal.status == 404 => return Ok(Image::Nothing),
        Err(Trouble::Refused(refusal)) if refusal.status == 400 => {
            return Ok(Image::Lost(lasting::KEYED.to_owned()));
        }
        Err(trouble) => return Err(caller.cannot_look(&named, trouble)),
    };
    if let Some(version) = version(&head).filter(|version| !is_destroyed(version)) {
        return Ok(copied((bucket, key), version, &head));
    }
    let size = size(&head, "ContentLength");
    if size > most_bytes {
        let is_kept = text(&head, "VersionId") == Some("null")
            && !is_destroyed("null")
            && keeps_versions(&caller, bucket).await?;
        return Ok(match is_kept {
            true => copied((bucket, key), "null", &head),
            false => Image::Lost(format!(
                "it has {size} bytes, and up to {most_bytes} are kept"
            )),
        });
    }
    let image = with_content(&caller, kept, None).await?;
    Ok(image.unwrap_or(Image::Nothing))
}

/// How it comes back with its content. With a tag there is no image where anything is the matter:
/// another look says what. Without one, there is none if the object is gone.
async fn with_content(
    caller: &Caller<'_>,
    kept: &Kept<'_>,
    tag: Option<&str>,
) -> Result<Option<Image>> {
    let (bucket, key) = (kept.bucket, kept.key);
    let named = Value::Map(object(bucket, key));
    let (content, acl) = tokio::join!(read(caller, (bucket, key), tag), async {
        match kept.traits.grants {
            true => told(caller, "get_object_acl", &named).await,
            false => Ok(None),
        }
    });
    let content = match content {
        Ok(content) => content,
        Err(Trouble::Refused(_)) if tag.is_some() => return Ok(None),
        Err(Trouble::Refused(refusal)) if refusal.status == 404 => return Ok(None),
        Err(Trouble::Refused(refusal)) if refusal.code == "InvalidObjectState" => {
            return Ok(Some(Image::Lost(lasting::ARCHIVED.to_owned())));
        }
        Err(trouble) => return Err(caller.cannot_look(&named, trouble)),
    };
    let is_other = version(&content).is_some() || size(&content, "ContentLength") > kept.most_bytes;
    if tag.is_some() && is_other {
        return Ok(None);
    }
    let mut params = object(bucket, key);
    let all = reset::KEPT.iter().chain(&["Body"]);
    params.extend(all.filter_map(|name| Some(((*name).into(), content.get(name)?.clone()))));
    params.extend(reset::protection(&content));
    params.extend(lock(&content));
    if content.get("TagCount").is_some() {
        let tags = caller
            .find("get_object_tagging", object(bucket, key))
            .await?;
        let tags = tags.as_ref().map(|tags| list(tags, "TagSet"));
        params.extend(tags.map(|tags| ("Tagging".into(), query(tags).into())));
    }
    let mut calls = vec![("put_object".to_owned(), Value::Map(params))];
    if let Some(answer) = acl?
        && !is_owners_alone(list(&answer, "Grants"))
    {
        let mut params = object(bucket, key);
        let grants = Value::Map(pairs(&answer, &["Grants", "Owner"]));
        params.push(("AccessControlPolicy".into(), grants));
        calls.push(("put_object_acl".to_owned(), Value::Map(params)));
    }
    Ok(Some(match (calls.len(), calls.pop()) {
        (1, Some((operation, params))) => Image::Call { operation, params },
        (_, last) => Image::Calls(calls.into_iter().chain(last).collect()),
    }))
}

/// The content of an object, with its checksum where the world tells it; with a tag only while
/// the object has that.
async fn read(
    caller: &Caller<'_>,
    (bucket, key): (&str, &str),
    tag: Option<&str>,
) -> Result<Value, Trouble> {
    let mut plain = object(bucket, key);
    plain.extend(tag.map(|tag| ("IfMatch".into(), format!("\"{tag}\"").into())));
    let mut asked = plain.clone();
    asked.push(("ChecksumMode".into(), "ENABLED".into()));
    let is_known = |refusal: &Refusal| {
        matches!(refusal.status, 404 | 412) || refusal.code == "InvalidObjectState"
    };
    match caller.ask("get_object", &Value::Map(asked)).await {
        // Some servers do not know checksums.
        Err(Trouble::Refused(refusal)) if !is_known(&refusal) => {
            caller.ask("get_object", &Value::Map(plain)).await
        }
        answer => answer,
    }
}

/// The lock that an object has.
fn lock(content: &Value) -> Map {
    let until = match content.get("ObjectLockRetainUntilDate") {
        Some(Value::Time(until)) => Some(*until),
        _ => None,
    };
    // One that has ended cannot be set again, and locks nothing.
    let names: &[&'static str] = match until {
        Some(until) if until > Timestamp::now() => &["ObjectLockMode", "ObjectLockRetainUntilDate"],
        _ => &[],
    };
    let mut lock = pairs(content, names);
    lock.extend(pairs(content, &["ObjectLockLegalHoldStatus"]));
    lock
}

/// Whether an overwritten version `null` stays. Where that is not told, it does not.
async fn keeps_versions(caller: &Caller<'_>, bucket: &str) -> Result<bool> {
    let named = Value::Map(params([("Bucket", bucket)]));
    match caller.ask("get_bucket_versioning", &named).await {
        Ok(answer) => Ok(text(&answer, "Status") == Some("Enabled")),
        Err(Trouble::Refused(_)) => Ok(false),
        Err(Trouble::Failed(error)) => Err(error),
    }
}
