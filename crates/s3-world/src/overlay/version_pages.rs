//! `list_object_versions`.

use super::Overlay;
use super::base::{BaseResult, Trouble, list, text};
use super::layer::{Cover, View};
use super::versions::named;
use crate::caller::Caller;
use crate::domain::Value;
use crate::memory::perform;
use crate::memory::versions::{Entry, Request, Told, answer};
use crate::params::Params;
use crate::refusal;
use crate::version_list::{self, Listed};
use std::collections::{BTreeMap, BTreeSet};

impl Overlay {
    pub(super) async fn list_versions(&self, params: &Value) -> BaseResult<Value> {
        let operation = "list_object_versions";
        let mut layer = self.snapshot();
        let Some(bucket) = text(params, "Bucket") else {
            return self.base.pass(operation, params).await;
        };
        let cover = match layer.view(bucket) {
            View::Base => return self.base.pass(operation, params).await,
            View::Layer => {
                let params = self.own(&layer, params).await?;
                return Ok(perform(&mut layer.store, operation, &params)?);
            }
            View::Both(cover) => cover,
        };
        let read = Params::new(params);
        let request = match read.and_then(Request::read) {
            Ok(request) if cover.touched(request.list.prefix, "").next().is_some() => request,
            Ok(_) => return self.base.pass(operation, params).await,
            Err(refusal) => {
                // If the base refuses too, its refusal is returned.
                self.base.pass(operation, params).await?;
                return Err(refusal.into());
            }
        };
        if let owner @ Some(_) = params.get("ExpectedBucketOwner") {
            self.base.pass(operation, &named(bucket, owner)).await?;
        }
        let theirs = self.untouched(bucket, &cover, &request).await?;
        let ours = layer.store.state.bucket(bucket);
        let touched: BTreeSet<&str> = cover.touched(request.list.prefix, "").collect();
        let keys: BTreeSet<&str> = theirs.keys().map(String::as_str).chain(touched).collect();
        let mut entries = Vec::new();
        for key in keys {
            if let Some(listed) = theirs.get(key) {
                entries.extend(listed.iter().map(|entry| told(key, entry)));
                continue;
            }
            let versions = ours.map(|bucket| bucket.versions(key));
            let versions = versions.unwrap_or_default().into_iter().enumerate();
            entries.extend(versions.map(|(at, version)| Entry {
                key,
                version: match cover.told(key, &version) {
                    Some(told) => {
                        let id = text(told, "VersionId").unwrap_or_default();
                        Told::Elsewhere(id, version.object().is_none(), told)
                    }
                    None => Told::Here(version),
                },
                is_latest: at == 0,
            }));
        }
        Ok(answer(&request, entries))
    }

    /// The versions of untouched keys: those of the page, and one more.
    async fn untouched(
        &self,
        bucket: &str,
        cover: &Cover,
        request: &Request<'_>,
    ) -> BaseResult<BTreeMap<String, Vec<Listed>>> {
        let caller = Caller(&*self.base.0);
        let list = &request.list;
        let limit = usize::try_from(list.limit).unwrap_or_default();
        let enough = |keys: &BTreeMap<String, Vec<Listed>>| {
            let keys = keys.iter().filter(|(key, _)| !cover.touches(key));
            let mut groups = BTreeSet::new();
            let mut count = 0;
            for (key, versions) in keys {
                match list.common_prefix(key) {
                    Some(group) => count += usize::from(groups.insert(group)),
                    None => count += versions.len(),
                }
            }
            count > limit
        };
        let after = request.key_marker;
        let mut found = version_list::all(&caller, bucket, list.prefix, after, enough).await?;
        // The versions of the first key that come after the one where the page begins.
        if let (Some(key), Some(_)) = (request.key_marker, request.version_marker)
            && key.starts_with(list.prefix)
        {
            let versions = version_list::of_key(&caller, bucket, key).await?;
            found.insert(key.to_owned(), versions);
        }
        found.retain(|key, versions| !cover.touches(key) && !versions.is_empty());
        Ok(found)
    }

    /// Refuses to delete a bucket of the base that has no objects, but older versions or
    /// delete markers.
    pub(super) async fn check_no_versions(&self, bucket: &str) -> BaseResult<()> {
        match self.list_versions(&named(bucket, None)).await {
            Ok(page) => {
                let is_empty = |name| list(&page, name).is_empty();
                match is_empty("Versions") && is_empty("DeleteMarkers") {
                    true => Ok(()),
                    false => Err(refusal::versions_left(bucket).into()),
                }
            }
            // A server without versions.
            Err(Trouble::Refused(_)) => Ok(()),
            Err(trouble) => Err(trouble),
        }
    }
}

fn told<'a>(key: &'a str, entry: &'a Listed) -> Entry<'a> {
    Entry {
        key,
        version: Told::Elsewhere(&entry.id, entry.is_marker, &entry.told),
        is_latest: entry.is_latest,
    }
}
