//! Copies and empties whole accounts. A replay on a real server does this before and
//! after each dialogue. Everything uses [`World::call`], so it works on every backend.
//!
//! - `configuration`: the region and the settings of a bucket, and the calls that set them
//! - `entries`: the objects, versions and delete markers of a bucket, read and written
//! - `protection`: how an object is encrypted and checked
//! - `uploads`: its uploads in progress
//! - `empty`: takes all of that away

mod configuration;
mod empty;
mod entries;
mod protection;
mod uploads;

use super::caller::{Caller, text};
use super::refusal::Trouble;
use crate::domain::{Refusal, Value, World};
use crate::error::{Error, Result};
use configuration::Configuration;
pub use empty::clear;
use entries::Entry;
use futures_util::{StreamExt, TryStreamExt, stream};
pub use protection::{encryption, protection};
use std::collections::{BTreeMap, BTreeSet};

/// The most concurrent calls about the things in one bucket.
const AT_ONCE: usize = 32;

/// The most buckets that are copied or emptied at once.
const BUCKETS_AT_ONCE: usize = 4;

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

/// A call that makes something: the operation and its parameters.
type Call = (String, Value);

/// The refusals of a world, in words.
type Refused = Vec<String>;

/// Two worlds: what one of them holds is copied to the other one.
struct Copying<'a> {
    from: &'a dyn World,
    into: &'a dyn World,
    /// The ids of their owners, if both tell them: grants name the owner.
    owners: Option<[String; 2]>,
}

/// The names of all buckets.
pub async fn buckets(world: &dyn World) -> Result<Vec<String>> {
    let buckets = Caller(world).buckets().await?;
    let names = buckets.iter().filter_map(|bucket| text(bucket, "Name"));
    Ok(names.map(str::to_owned).collect())
}

/// Makes the buckets of `into` equal to those of `from`: their settings, and their objects
/// with all versions, delete markers, attributes, tags, grants and locks, and their uploads in
/// progress. The times of writing and the ids of versions are not copied, and nobody can read
/// the parts of an upload: zeros of the same length stand for them.
///
/// A bucket that exists on both sides is kept where its settings can become those that it
/// should have. Some servers free the storage of a deleted bucket later, and then lose objects
/// that a new bucket of the same name got in the meantime. Every object is written again,
/// because a listing does not show whether its metadata has changed.
///
/// # Errors
/// Those of both worlds. All that one of them refuses is named by one error; what was not
/// refused is copied then.
pub async fn restore(from: &dyn World, into: &dyn World) -> Result<()> {
    let copying = Copying {
        from,
        into,
        owners: owner(from)
            .await?
            .zip(owner(into).await?)
            .map(|(from, into)| [from, into]),
    };
    let present = BTreeSet::from_iter(buckets(into).await?);
    let names = buckets(from).await?;
    let mut extra = present.clone();
    extra.retain(|name| !names.contains(name));
    let extra = extra.into_iter();
    let extra = extra.map(async |bucket| empty::remove(into, &bucket).await);
    let extra = stream::iter(extra).buffer_unordered(BUCKETS_AT_ONCE);
    extra.try_for_each(async |()| Ok(())).await?;
    let filled = names.into_iter().map(async |name| {
        let is_present = present.contains(&name);
        copying.fill(name, is_present).await
    });
    let filled = stream::iter(filled).buffered(BUCKETS_AT_ONCE);
    let mut refused = Refused::new();
    let mut calls = Vec::new();
    for (more, settings) in filled.try_collect::<Vec<_>>().await? {
        refused.extend(more);
        calls.extend(settings);
    }
    // Settings name other buckets, which are all there by now.
    for call in &calls {
        refused.extend(copying.make(call).await?);
    }
    match refused.is_empty() {
        true => Ok(()),
        false => Err(Error::world(format!(
            "{}: {}",
            into.describe(),
            refused.join("; ")
        ))),
    }
}

impl Copying<'_> {
    /// Gives a bucket its contents. Returns the calls for the settings that it needs after that.
    async fn fill(&self, name: String, is_present: bool) -> Result<(Refused, Vec<Call>)> {
        let wanted = Configuration::read(self.from, &name).await?;
        let wanted_entries = entries::of(self.from, &name, wanted.keeps_versions()).await?;
        let mut present = None;
        if is_present {
            let is = Configuration::read(self.into, &name).await?;
            if is.can_become(&wanted) {
                if is.policy.is_some() {
                    empty::remove_policy(self.into, &name).await?;
                }
                let keeps_versions = is.keeps_versions() || wanted.keeps_versions();
                let kept = (!keeps_versions).then_some(&wanted_entries);
                empty::fit(self.into, &name, keeps_versions, kept).await?;
                present = Some(is);
            } else {
                empty::remove(self.into, &name).await?;
            }
        }
        let is = match present {
            Some(is) => is,
            None => {
                wanted.create(self.into, &name).await?;
                Configuration::read(self.into, &name).await?
            }
        };
        let (first, then) = wanted.calls(&is, &name);
        let mut refused = Refused::new();
        for call in &first {
            refused.extend(self.make(call).await?);
        }
        refused.extend(self.write(&name, &wanted, &is, wanted_entries).await?);
        refused.extend(self.begin_uploads(&name).await?);
        Ok((refused, then))
    }

    /// Makes a call of the other world; says what it refuses. Grants to the owner become those
    /// to its owner.
    async fn make(&self, (operation, params): &Call) -> Result<Option<String>> {
        let params = match &self.owners {
            Some([from, into]) => replaced(params, from, into),
            None => params.clone(),
        };
        tell(self.into, operation, &params).await
    }
}

/// Makes a call; says what is refused.
async fn tell(world: &dyn World, operation: &str, params: &Value) -> Result<Option<String>> {
    match Caller(world).ask(operation, params).await {
        Ok(_) => Ok(None),
        Err(Trouble::Refused(refusal)) => Ok(Some(said(operation, params, &refusal))),
        Err(Trouble::Failed(error)) => Err(error),
    }
}

/// A refusal in words.
fn said(operation: &str, params: &Value, refusal: &Refusal) -> String {
    let (place, message, code) = (place(params), &refusal.message, &refusal.code);
    format!("{operation} {place}: {message} ({code})")
}

/// The bucket and the key that a call is about.
fn place(params: &Value) -> String {
    let place = ["Bucket", "Key"].into_iter();
    let place: Vec<&str> = place.filter_map(|name| text(params, name)).collect();
    place.join("/")
}

/// The id of the owner.
async fn owner(world: &dyn World) -> Result<Option<String>> {
    let answer = Caller(world).get("list_buckets", Vec::new()).await?;
    let owner = answer.get("Owner").and_then(|owner| text(owner, "ID"));
    Ok(owner.map(str::to_owned))
}

/// The value with other texts in the place of those that are `old`.
fn replaced(value: &Value, old: &str, new: &str) -> Value {
    match value {
        Value::Str(text) if text == old => new.into(),
        Value::List(items) => {
            let items = items.iter().map(|item| replaced(item, old, new));
            Value::List(items.collect())
        }
        Value::Map(pairs) => {
            let pairs = pairs.iter();
            let pairs = pairs.map(|(name, item)| (name.clone(), replaced(item, old, new)));
            Value::Map(pairs.collect())
        }
        other => other.clone(),
    }
}

/// The entries of a bucket by key, the oldest of a key first.
type Entries = BTreeMap<String, Vec<Entry>>;
