//! Settings of buckets and objects, single versions, and uploads in progress.
//!
//! A setting of the base is read when a write depends on it, and the layer answers for it
//! once it is written. Of versions the layer knows only which were deleted, and of uploads
//! which it began and which it aborted: their parts stay where they are.

use super::Overlay;
use super::base::{BaseResult, Trouble, list, text};
use super::layer::{Cover, Layer, Mirror, MirroredSettings, View};
use crate::domain::s3::kept::{self, Kept};
use crate::domain::s3::memory::settings::{
    self, ACL, OBJECT_LOCK, OWNERSHIP, PUBLIC_ACCESS, VERSIONING,
};
use crate::domain::s3::memory::{Object, check_version_id, perform};
use crate::domain::s3::params::Params;
use crate::domain::s3::{names, refusal};
use crate::domain::{Map, Value};
use std::sync::Arc;

/// Whether a deletion names a version.
pub(super) fn names_version(params: &Value) -> bool {
    let objects = params.get("Delete").map(|delete| list(delete, "Objects"));
    let mut entries = objects.unwrap_or_default().iter().chain([params]);
    entries.any(|entry| text(entry, "VersionId").is_some())
}

/// The name under which a bucket keeps what an operation reads or writes.
fn setting_of(operation: &str, params: &Value) -> Option<String> {
    let known = settings::ALL
        .iter()
        .find(|it| it.operations.contains(&operation));
    if let Some(setting) = known {
        return Some(setting.name.to_owned());
    }
    match operation {
        "get_bucket_acl" | "put_bucket_acl" => return Some(ACL.to_owned()),
        "get_bucket_policy_status" => return Some("policy".to_owned()),
        _ => {}
    }
    let (_, rest) = operation.split_once("_bucket_")?;
    let kind = rest.strip_suffix("_configuration")?;
    let id = text(params, "Id")?;
    Some(format!("{kind}/{id}"))
}

/// The settings that decide about a write, beside the one that it makes.
fn deciding(operation: &str, params: &Value) -> Vec<&'static str> {
    let has = |names: &[&str]| names.iter().any(|name| params.get(name).is_some());
    let grants = [
        "ACL",
        "GrantRead",
        "GrantFullControl",
        "GrantReadACP",
        "GrantWriteACP",
    ];
    let locks = ["ObjectLockMode", "ObjectLockLegalHoldStatus"];
    match operation {
        "put_bucket_versioning" => vec![OBJECT_LOCK],
        "put_object_lock_configuration" | "put_bucket_replication" => vec![VERSIONING],
        "put_bucket_policy" => vec![PUBLIC_ACCESS],
        "put_bucket_acl" | "put_object_acl" => vec![OWNERSHIP, PUBLIC_ACCESS],
        "put_object_retention" | "put_object_legal_hold" => vec![OBJECT_LOCK],
        "put_object" | "copy_object" | "create_multipart_upload" if has(&grants) => {
            vec![OWNERSHIP, PUBLIC_ACCESS]
        }
        "put_object" | "copy_object" | "create_multipart_upload" if has(&locks) => {
            vec![OBJECT_LOCK]
        }
        _ => Vec::new(),
    }
}

impl Overlay {
    /// Adds to a mirror what a write depends on beside keys: the bucket itself, settings, and
    /// what an object has.
    pub(super) async fn look_up_settings(
        &self,
        layer: &Layer,
        operation: &str,
        params: &Value,
        mirror: &mut Mirror,
    ) -> BaseResult<()> {
        let Some(bucket) = text(params, "Bucket") else {
            return Ok(());
        };
        let own = setting_of(operation, params);
        let deciding = deciding(operation, params);
        let is_upload = operation == "create_multipart_upload";
        let of_object = kept::written_by(operation).filter(|kept| kept.of_object);
        if own.is_none() && deciding.is_empty() && of_object.is_none() && !is_upload {
            return Ok(());
        }
        let cover = match layer.view(bucket) {
            View::Layer => return Ok(()),
            View::Base if !names::is_legacy_bucket_name(bucket) => return Ok(()),
            View::Base => None,
            View::Both(cover) => Some(cover),
        };
        if !mirror.buckets.iter().any(|known| known == bucket) {
            if cover.is_none() && !self.has_bucket(bucket).await? {
                return Ok(());
            }
            mirror.buckets.push(bucket.to_owned());
        }
        let mut values = Vec::new();
        for name in deciding.into_iter().map(str::to_owned).chain(own) {
            let is_layers = cover.as_ref().is_some_and(|it| it.settings.contains(&name));
            if !is_layers {
                let value = self.setting(bucket, &name).await?;
                values.push((name, value));
            }
        }
        mirror.settings = Some(MirroredSettings {
            bucket: bucket.to_owned(),
            values,
        });
        if let Some(kept) = of_object {
            self.look_up_extras(kept, params, mirror).await?;
        }
        Ok(())
    }

    /// A setting of a bucket of the base.
    async fn setting(&self, bucket: &str, name: &str) -> BaseResult<Option<Value>> {
        let known = settings::ALL.iter().find(|setting| setting.name == name);
        let (get, field) = match (known, name.split_once('/')) {
            (Some(setting), _) => (setting.operations[0].to_owned(), setting.field),
            (None, Some((kind, _))) => (format!("get_bucket_{kind}_configuration"), None),
            (None, None) => ("get_bucket_acl".to_owned(), Some("Grants")),
        };
        let mut params: Map = vec![("Bucket".into(), bucket.into())];
        if let Some((_, id)) = name.split_once('/') {
            params.push(("Id".into(), id.into()));
        }
        match self.base.pass(&get, &Value::Map(params)).await {
            Ok(answer) => Ok(match field {
                Some(field) => answer.get(field).cloned(),
                None => Some(answer).filter(|answer| *answer != Value::Map(Map::new())),
            }),
            Err(Trouble::Refused(refused)) if matches!(refused.status, 404 | 501) => {
                let was_taken_away = known.is_some_and(|it| it.is_gone(&refused.code));
                Ok(was_taken_away.then_some(Value::Null))
            }
            Err(trouble) => Err(trouble),
        }
    }

    /// Gives mirrored objects the tags or locks that they have in the base.
    async fn look_up_extras(
        &self,
        kept: &Kept,
        params: &Value,
        mirror: &mut Mirror,
    ) -> BaseResult<()> {
        for mirrored in &mut mirror.keys {
            let Some(found) = &mut mirrored.object else {
                continue;
            };
            let mut named: Map = vec![
                ("Bucket".into(), mirrored.bucket.as_str().into()),
                ("Key".into(), mirrored.key.as_str().into()),
            ];
            named.extend(
                (params.get("VersionId").cloned()).map(|version| ("VersionId".into(), version)),
            );
            let answer = match self.base.pass(kept.get, &Value::Map(named)).await {
                Ok(answer) => answer,
                Err(Trouble::Refused(_)) => continue,
                Err(trouble) => return Err(trouble),
            };
            let mut extras = found.object.extras().clone();
            extras.take_over(&answer);
            found.object = Arc::new(Object {
                extras: extras.kept(),
                ..Object::clone(&found.object)
            });
        }
        Ok(())
    }

    /// Reads that are neither of objects nor of listings.
    pub(super) async fn read_other(&self, operation: &str, params: &Value) -> BaseResult<Value> {
        let mut layer = self.snapshot();
        let (bucket, key) = (text(params, "Bucket"), text(params, "Key"));
        let cover = match bucket.map(|bucket| layer.view(bucket)) {
            None | Some(View::Base) => return self.base.pass(operation, params).await,
            Some(View::Both(cover)) => Some(cover),
            Some(View::Layer) => None,
        };
        let is_layers = cover.as_ref().is_none_or(|cover| {
            let setting = setting_of(operation, params);
            let own_upload = text(params, "UploadId").is_some_and(|id| !cover.aborted.contains(id));
            setting.is_some_and(|name| cover.settings.contains(&name))
                || (key.is_some_and(|key| cover.touches(key))
                    && text(params, "VersionId").is_none())
                || (own_upload && self.has_upload(&layer, params))
        });
        if is_layers {
            let params = self.own(&layer, params).await?;
            return Ok(perform(&mut layer.store, operation, &params)?);
        }
        let answer = self.base.pass(operation, params).await?;
        if let (Some(cover), Some(kind)) = (&cover, listed_kind(operation)) {
            let mut layers = layer.store.clone();
            let ours = perform(&mut layers, operation, params)?;
            return Ok(merged(answer, &ours, kind, cover));
        }
        let Some(cover) = cover.filter(|_| operation == "list_multipart_uploads") else {
            return Ok(answer);
        };
        let is_gone =
            |entry: &Value| text(entry, "UploadId").is_some_and(|id| cover.aborted.contains(id));
        let answer = without(answer, "Uploads", is_gone);
        let ours = perform(&mut layer.store, operation, params)?;
        Ok(match (list(&answer, "Uploads"), list(&ours, "Uploads")) {
            (_, []) => answer,
            ([], _) => ours,
            (theirs, ours) => {
                let mut all = [theirs, ours].concat();
                all.sort_by(|one, other| text(one, "Key").cmp(&text(other, "Key")));
                replaced_list(answer, "Uploads", all)
            }
        })
    }

    fn has_upload(&self, layer: &Layer, params: &Value) -> bool {
        let (Some(bucket), Some(key), Some(id)) = (
            text(params, "Bucket"),
            text(params, "Key"),
            text(params, "UploadId"),
        ) else {
            return false;
        };
        let bucket = layer.store.state.bucket(bucket);
        bucket.is_some_and(|bucket| bucket.uploads.find(key, id).is_some())
    }

    /// Aborts an upload of the layer, or notes that one of the base is aborted.
    pub(super) async fn abort(&self, params: &Value) -> BaseResult<Value> {
        let layer = self.snapshot();
        let is_bases = !self.has_upload(&layer, params);
        let bucket = text(params, "Bucket").unwrap_or_default();
        if !is_bases || matches!(layer.view(bucket), View::Layer) {
            drop(layer);
            return self.write_objects("abort_multipart_upload", params).await;
        }
        self.base.pass("list_parts", params).await?;
        drop(layer);
        let id = text(params, "UploadId").unwrap_or_default().to_owned();
        let mut layer = self.lock();
        layer.touch(bucket);
        layer.cover_mut(bucket).aborted.insert(id);
        Ok(Value::Map(Map::new()))
    }

    /// Copies an object into a part. Its content is loaded, because it may be in the base.
    pub(super) async fn copy_part(&self, params: &Value) -> BaseResult<Value> {
        let source = Params::new(params)?.copy_source()?;
        let mut read: Map = vec![
            ("Bucket".into(), source.bucket.into()),
            ("Key".into(), source.key.into()),
        ];
        let others = [
            ("VersionId", source.version.map(Value::Str)),
            ("Range", params.get("CopySourceRange").cloned()),
        ];
        let others = others
            .into_iter()
            .filter_map(|(name, it)| Some((name.into(), it?)));
        read.extend(others);
        let content = self.read_object("get_object", &Value::Map(read)).await?;
        let kept = ["Bucket", "Key", "UploadId", "PartNumber"];
        let kept = kept.iter().chain(&["ExpectedBucketOwner"]);
        let mut part: Map = kept
            .filter_map(|name| Some(((*name).into(), params.get(name)?.clone())))
            .collect();
        part.push((
            "Body".into(),
            content.get("Body").cloned().unwrap_or(Value::Null),
        ));
        let uploaded = self.write_objects("upload_part", &Value::Map(part)).await?;
        let result = ["ETag"]
            .into_iter()
            .filter_map(|name| Some((name.into(), uploaded.get(name)?.clone())));
        let modified = Value::Time(self.snapshot().store.clock.now());
        let result = result.chain([("LastModified".into(), modified)]);
        Ok(Value::Map(vec![
            ("CopyPartResult".into(), Value::Map(result.collect())),
            ("ServerSideEncryption".into(), "AES256".into()),
        ]))
    }

    /// Deletes single versions. Those of the base are only noted: reads of the key itself
    /// still show what the base has.
    pub(super) async fn delete_versions(
        &self,
        operation: &str,
        params: &Value,
    ) -> BaseResult<Value> {
        let bucket = text(params, "Bucket").unwrap_or_default();
        if matches!(self.snapshot().view(bucket), View::Layer) {
            return self.write_objects(operation, params).await;
        }
        let versioning = self.setting(bucket, VERSIONING).await?;
        if versioning.is_none() {
            return self.write_objects(operation, params).await;
        }
        let single = operation == "delete_object";
        let entries = match params.get("Delete") {
            Some(delete) if !single => list(delete, "Objects").to_vec(),
            _ => vec![params.clone()],
        };
        let mut deleted = Vec::new();
        for entry in &entries {
            let (Some(key), Some(id)) = (text(entry, "Key"), text(entry, "VersionId")) else {
                return Err(refusal::not_implemented("delete").into());
            };
            check_version_id(id)?;
            let named = [("Bucket", bucket), ("Key", key), ("VersionId", id)];
            let is_marker = match self.base.ask("head_object", &named).await {
                Ok(_) => false,
                Err(Trouble::Refused(refused)) if refused.status == 405 => true,
                Err(Trouble::Refused(refused)) if refused.status == 404 => false,
                Err(trouble) => return Err(trouble),
            };
            let mut layer = self.lock();
            layer.touch(bucket);
            let gone = (key.to_owned(), id.to_owned());
            layer.cover_mut(bucket).deleted.insert(gone);
            let mut answer: Map = Map::new();
            if !single {
                answer.push(("Key".into(), key.into()));
            }
            if is_marker && single {
                answer.push(("DeleteMarker".into(), true.into()));
            }
            answer.push(("VersionId".into(), id.into()));
            if is_marker && !single {
                answer.push(("DeleteMarker".into(), true.into()));
                answer.push(("DeleteMarkerVersionId".into(), id.into()));
            }
            deleted.push(Value::Map(answer));
        }
        Ok(match single {
            true => deleted.pop().unwrap_or(Value::Null),
            false => Value::Map(vec![("Deleted".into(), Value::List(deleted))]),
        })
    }
}

/// The kind of configurations with ids that an operation lists.
fn listed_kind(operation: &str) -> Option<&str> {
    let rest = operation.strip_prefix("list_bucket_")?;
    rest.strip_suffix("_configurations")
}

/// A listing of configurations: the base's that the layer does not answer for, and the
/// layer's.
fn merged(base: Value, layers: &Value, kind: &str, cover: &Cover) -> Value {
    let lists = [
        "InventoryConfigurationList",
        "MetricsConfigurationList",
        "AnalyticsConfigurationList",
        "IntelligentTieringConfigurationList",
    ];
    let Some(name) = lists.into_iter().find(|name| {
        let word = kind.replace('_', "");
        name.to_ascii_lowercase().starts_with(&word)
    }) else {
        return base;
    };
    let is_layers = |item: &&Value| {
        text(item, "Id").is_some_and(|id| cover.settings.contains(&format!("{kind}/{id}")))
    };
    let kept = list(&base, name).iter().filter(|item| !is_layers(item));
    let mut all: Vec<Value> = kept.chain(list(layers, name)).cloned().collect();
    all.sort_by(|one, other| text(one, "Id").cmp(&text(other, "Id")));
    let mut pairs: Map = match base {
        Value::Map(pairs) => pairs
            .into_iter()
            .filter(|(known, _)| known != name)
            .collect(),
        _ => Map::new(),
    };
    if !all.is_empty() {
        pairs.insert(0, (name.into(), Value::List(all)));
    }
    Value::Map(pairs)
}

/// An answer with another list.
fn replaced_list(answer: Value, name: &str, items: Vec<Value>) -> Value {
    let Value::Map(mut pairs) = answer else {
        return answer;
    };
    for (known, value) in &mut pairs {
        if known == name {
            *value = Value::List(items.clone());
        }
    }
    Value::Map(pairs)
}

/// An answer without those items of a list that are gone.
fn without(answer: Value, name: &str, is_gone: impl Fn(&Value) -> bool) -> Value {
    let Value::Map(mut pairs) = answer else {
        return answer;
    };
    for (known, value) in &mut pairs {
        if let Value::List(items) = value
            && known == name
        {
            items.retain(|item| !is_gone(item));
        }
    }
    pairs.retain(|(known, value)| known != name || *value != Value::List(Vec::new()));
    Value::Map(pairs)
}
