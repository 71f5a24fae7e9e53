//! What a bucket decides for all its objects, so that it is asked once and not for each of them:
//! whether they may have grants of their own, and whether overwritten and deleted ones stay as
//! versions.

use super::caller::{Caller, list, params, text};
use super::images::told;
use crate::domain::{Value, Wanted, World};
use futures_util::future::join_all;
use std::collections::{BTreeMap, BTreeSet};

const OWNERSHIP: &str = "get_bucket_ownership_controls";
const VERSIONING: &str = "get_bucket_versioning";

/// The reads that tell it.
pub(super) const ASKED: [&str; 2] = [OWNERSHIP, VERSIONING];

/// What is known of a bucket.
#[derive(Debug, Clone, Copy)]
pub(super) struct Traits {
    /// Whether objects may have grants of their own. Most buckets do not allow that, and then none
    /// need be asked for.
    pub grants: bool,
    /// Whether no object can have a version: the bucket never kept any.
    pub is_without_versions: bool,
}

impl Default for Traits {
    /// Those of a bucket that tells nothing.
    fn default() -> Self {
        Traits {
            grants: true,
            is_without_versions: false,
        }
    }
}

/// The traits of the buckets of these objects.
pub(super) async fn of<'w>(world: &dyn World, wanted: &[Wanted<'w>]) -> BTreeMap<&'w str, Traits> {
    let objects = wanted.iter().filter(|it| it.place.is_thing());
    let buckets: BTreeSet<&str> = objects.map(|it| it.place.root()).collect();
    let traits = buckets.into_iter().map(async |bucket| {
        let (grants, is_without_versions) =
            tokio::join!(grants(world, bucket), is_without_versions(world, bucket));
        let traits = Traits {
            grants,
            is_without_versions,
        };
        (bucket, traits)
    });
    let traits: Vec<_> = traits.collect();
    join_all(traits).await.into_iter().collect()
}

/// The answer; none if the world refuses or fails. A world that does not answer will say so when
/// the object is looked at.
async fn answer(world: &dyn World, operation: &str, bucket: &str) -> Option<Value> {
    let named = Value::Map(params([("Bucket", bucket)]));
    told(&Caller(world), operation, &named).await.ok().flatten()
}

async fn grants(world: &dyn World, bucket: &str) -> bool {
    let answer = answer(world, OWNERSHIP, bucket).await;
    let controls = answer.as_ref().and_then(|it| it.get("OwnershipControls"));
    let rules = controls.map(|it| list(it, "Rules")).unwrap_or_default();
    let is_enforced = |rule: &Value| text(rule, "ObjectOwnership") == Some("BucketOwnerEnforced");
    !rules.iter().any(is_enforced)
}

async fn is_without_versions(world: &dyn World, bucket: &str) -> bool {
    let answer = answer(world, VERSIONING, bucket).await;
    answer.is_some_and(|it| text(&it, "Status").is_none())
}
