//! The objects of a bucket with their versions and delete markers, read and written again.

use super::protection::{checksum, encryption};
use super::{AT_ONCE, Configuration, Copying, Entries, KEPT, Refused, place, said, tell};
use crate::caller::{Caller, list, params, text};
use crate::domain::{Map, Value, World};
use crate::error::Result;
use crate::images::query;
use crate::refusal::Trouble;
use crate::{seen_settings, version_list};
use futures_util::{StreamExt, TryStreamExt, stream};

/// An object, a version of one, or a delete marker.
#[derive(Debug, Clone)]
pub struct Entry {
    pub key: String,
    /// Its version; `None` in a bucket that never kept versions.
    pub version: Option<String>,
    is_marker: bool,
}

impl Entry {
    fn is_null(&self) -> bool {
        self.version.as_deref().is_none_or(|id| id == "null")
    }

    /// The parameters that name it.
    pub fn named(&self, bucket: &str) -> Map {
        let mut params = params([("Bucket", bucket), ("Key", &*self.key)]);
        let version = self.version.as_deref();
        params.extend(version.map(|id| ("VersionId".into(), id.into())));
        params
    }
}

/// All entries of a bucket.
pub async fn of(world: &dyn World, bucket: &str, keeps_versions: bool) -> Result<Entries> {
    let caller = Caller(world);
    if !keeps_versions {
        let objects = caller.objects(bucket).await?;
        let keys = objects.iter().filter_map(|object| text(object, "Key"));
        let entry = |key: &str| Entry {
            key: key.to_owned(),
            version: None,
            is_marker: false,
        };
        return Ok(keys.map(|key| (key.to_owned(), vec![entry(key)])).collect());
    }
    let all = version_list::all(&caller, bucket, "", None, |_| false).await;
    let named = Value::Map(params([("Bucket", bucket)]));
    let all = all.map_err(|trouble| caller.cannot_look(&named, trouble))?;
    let entry = |listed: version_list::Listed| Entry {
        key: listed.key,
        version: Some(listed.id),
        is_marker: listed.is_marker,
    };
    let oldest_first = all.into_iter().map(|(key, versions)| {
        let versions = versions.into_iter().rev().map(entry);
        (key, versions.collect())
    });
    Ok(oldest_first.collect())
}

/// Those of each key that are written while the bucket is in one state.
#[derive(Default)]
struct Phases {
    /// Without versions yet: the oldest that has no id.
    first: Vec<Vec<Entry>>,
    before: Vec<Vec<Entry>>,
    /// While versions are suspended: one without an id that is not the oldest.
    null: Vec<Vec<Entry>>,
    after: Vec<Vec<Entry>>,
}

impl Phases {
    fn of(entries: Entries) -> Phases {
        let mut phases = Phases::default();
        for mut entries in entries.into_values() {
            let Some(at) = entries.iter().position(Entry::is_null) else {
                phases.before.push(entries);
                continue;
            };
            let after = entries.split_off(at + 1);
            let null = entries.split_off(at);
            let is_marker = null.iter().any(|entry| entry.is_marker);
            match entries.is_empty() && !is_marker {
                true => phases.first.push(null),
                false => phases.null.push(null),
            }
            phases.before.push(entries);
            phases.after.push(after);
        }
        phases
    }
}

impl Copying<'_> {
    /// Writes all entries into an empty bucket, those of each key in their order, and lets the
    /// bucket keep versions as it should.
    pub(super) async fn write(
        &self,
        bucket: &str,
        wanted: &Configuration,
        is: &Configuration,
        entries: Entries,
    ) -> Result<Refused> {
        let phases = Phases::of(entries);
        let mut status = is.versioning.clone();
        let mut refused = Refused::new();
        for (needed, keys) in [
            (status.as_ref().map(|_| "Suspended"), phases.first),
            (Some("Enabled"), phases.before),
            (Some("Suspended"), phases.null),
            (Some("Enabled"), phases.after),
        ] {
            if keys.iter().all(Vec::is_empty) {
                continue;
            }
            refused.extend(self.set_versioning(bucket, needed, &mut status).await?);
            let keys = keys.into_iter().map(async |entries| {
                let mut refused = Refused::new();
                for entry in entries {
                    refused.extend(self.entry(bucket, wanted, &entry).await?);
                }
                Ok::<_, crate::Error>(refused)
            });
            let keys = stream::iter(keys).buffered(AT_ONCE);
            refused.extend(keys.try_collect::<Vec<_>>().await?.concat());
        }
        let last = wanted.versioning.as_deref();
        refused.extend(self.set_versioning(bucket, last, &mut status).await?);
        Ok(refused)
    }

    async fn set_versioning(
        &self,
        bucket: &str,
        needed: Option<&str>,
        status: &mut Option<String>,
    ) -> Result<Option<String>> {
        let Some(needed) = needed.filter(|needed| status.as_deref() != Some(needed)) else {
            return Ok(None);
        };
        *status = Some(needed.to_owned());
        let mut call = params([("Bucket", bucket)]);
        let configuration = Value::Map(params([("Status", needed)]));
        call.push(("VersioningConfiguration".into(), configuration));
        tell(self.into, "put_bucket_versioning", &Value::Map(call)).await
    }

    async fn entry(&self, bucket: &str, wanted: &Configuration, entry: &Entry) -> Result<Refused> {
        let object = || params([("Bucket", bucket), ("Key", &*entry.key)]);
        if entry.is_marker {
            let params = Value::Map(object());
            let refused = tell(self.into, "delete_object", &params).await?;
            return Ok(refused.into_iter().collect());
        }
        let caller = Caller(self.from);
        let named = Value::Map(entry.named(bucket));
        let read = match caller.ask("get_object", &named).await {
            Ok(read) => read,
            Err(Trouble::Refused(refusal)) => {
                return Ok(vec![said("get_object", &named, &refusal)]);
            }
            Err(Trouble::Failed(error)) => return Err(error),
        };
        let mut put = object();
        let kept = KEPT.iter().chain(&["Body"]);
        put.extend(kept.filter_map(|name| Some(((*name).into(), read.get(name)?.clone()))));
        put.extend(checksum(&read));
        if read.get("TagCount").is_some() {
            let tags = caller
                .get("get_object_tagging", entry.named(bucket))
                .await?;
            put.push(("Tagging".into(), query(list(&tags, "TagSet")).into()));
        }
        let mut refused = Refused::new();
        refused.extend(self.put(put, encryption(&read)).await?);
        let mut calls = Vec::new();
        if let (Some(mode), Some(until)) = (
            read.get("ObjectLockMode"),
            read.get("ObjectLockRetainUntilDate"),
        ) {
            let retention = vec![
                ("Mode".into(), mode.clone()),
                ("RetainUntilDate".into(), until.clone()),
            ];
            let mut call = object();
            call.push(("Retention".into(), Value::Map(retention)));
            calls.push(("put_object_retention", call));
        }
        if let Some(status @ "ON") = text(&read, "ObjectLockLegalHoldStatus") {
            let mut call = object();
            let hold = Value::Map(params([("Status", status)]));
            call.push(("LegalHold".into(), hold));
            calls.push(("put_object_legal_hold", call));
        }
        if wanted.has_lists
            && let Some(grants) =
                seen_settings::grants(&caller, "get_object_acl", entry.named(bucket)).await?
            && let Some([owner, _]) = &self.owners
        {
            let policy = vec![
                ("Grants".into(), grants),
                ("Owner".into(), Value::Map(params([("ID", owner.as_str())]))),
            ];
            let mut call = object();
            call.push(("AccessControlPolicy".into(), Value::Map(policy)));
            calls.push(("put_object_acl", call));
        }
        for (operation, params) in calls {
            let call = (operation.to_owned(), Value::Map(params));
            refused.extend(self.make(&call).await?);
        }
        Ok(refused)
    }

    /// Puts an object, encrypted like this. A server without keys refuses that, or fails: the
    /// object is written as the server likes then, and what it said is told.
    async fn put(&self, object: Map, encryption: Map) -> Result<Option<String>> {
        let has_key = matches!(encryption.first(), Some((_, by)) if *by != "AES256".into());
        let whole = object.iter().cloned().chain(encryption).collect();
        let caller = Caller(self.into);
        let refusal = match caller.ask("put_object", &Value::Map(whole)).await {
            Ok(_) => return Ok(None),
            Err(Trouble::Refused(refusal)) => refusal,
            Err(Trouble::Failed(error)) => return Err(error),
        };
        let object = Value::Map(object);
        if has_key && tell(self.into, "put_object", &object).await?.is_none() {
            let place = place(&object);
            let said = refusal.message;
            return Ok(Some(format!(
                "put_object {place}: written without its encryption by a key: {said}"
            )));
        }
        Ok(Some(said("put_object", &object, &refusal)))
    }
}
