//! Settings of buckets and objects. A setting of the base is read when a write depends on it.
//! Once a setting is written, the layer answers for it.

use super::Overlay;
use super::base::{BaseResult, Trouble, text};
use super::fill_in::brief_place;
use super::layer::{Layer, Mirror, Mirrored, MirroredSettings, View};
use super::lookup::Target;
use crate::domain::{Map, Value};
use crate::memory::Object;
use crate::memory::settings::{self, ACL, OBJECT_LOCK, OWNERSHIP, PUBLIC_ACCESS, VERSIONING};
use crate::names;
use crate::setting_kind::{self, SettingKind};
use std::sync::Arc;

/// The name under which a bucket keeps what an operation reads or writes.
pub(super) fn setting_of(operation: &str, params: &Value) -> Option<String> {
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

/// The bucket that a setting names, and that must be there.
fn named_bucket<'p>(operation: &str, params: &'p Value) -> Option<&'p str> {
    let status = params
        .get("BucketLoggingStatus")
        .filter(|_| operation == "put_bucket_logging")?;
    text(status.get("LoggingEnabled")?, "TargetBucket")
}

/// The buckets that a replication copies to.
fn destinations<'p>(operation: &str, params: &'p Value) -> impl Iterator<Item = &'p str> {
    let rules = params
        .get("ReplicationConfiguration")
        .filter(|_| operation == "put_bucket_replication");
    let rules = rules.and_then(|it| it.get("Rules")?.as_list());
    let arns = rules.unwrap_or_default().iter().filter_map(|rule| {
        let arn = text(rule.get("Destination")?, "Bucket")?;
        arn.rsplit_once(":::")
    });
    arns.map(|(_, name)| name)
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
        if let Some(other) = named_bucket(operation, params)
            && matches!(layer.view(other), View::Base)
            && names::can_be_a_bucket(other)
            && self.has_bucket(other).await?
        {
            mirror.buckets.push(other.to_owned());
        }
        for other in destinations(operation, params).filter(|other| *other != bucket) {
            let is_there = match layer.view(other) {
                View::Layer => continue,
                View::Base if !names::can_be_a_bucket(other) => continue,
                View::Base => self.has_bucket(other).await?,
                View::Both(_) => true,
            };
            if is_there {
                // Only buckets that keep versions can be replicated to.
                let keeps = self.keeps(layer, other, &[(String::new(), None)]).await?;
                mirror.buckets.push(other.to_owned());
                mirror.keeps.extend(keeps);
            }
        }
        let own = setting_of(operation, params);
        let deciding = deciding(operation, params);
        let is_upload = operation == "create_multipart_upload";
        let of_object = setting_kind::written_by(operation).filter(|kind| kind.of_object);
        if own.is_none() && deciding.is_empty() && of_object.is_none() && !is_upload {
            return Ok(());
        }
        let cover = match layer.view(bucket) {
            View::Layer => return Ok(()),
            View::Base if !self.may_have(bucket).await? => return Ok(()),
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
        if let Some(kind) = of_object {
            self.look_up_extras(kind, params, mirror).await?;
        }
        Ok(())
    }

    /// A setting of a bucket of the base.
    pub(super) async fn setting(&self, bucket: &str, name: &str) -> BaseResult<Option<Value>> {
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

    /// Gives the source of a copy the tags that it has in the base: they are copied, too.
    pub(super) async fn look_up_source_tags(
        &self,
        targets: &[Target],
        mirror: &mut Mirror,
    ) -> BaseResult<()> {
        let Some(tags) = setting_kind::written_by("put_object_tagging") else {
            return Ok(());
        };
        for target in targets.iter().filter(|target| target.source) {
            let is_it = |it: &&mut Mirrored| it.bucket == target.bucket && it.key == target.key;
            let keys = mirror.keys.iter_mut().filter(is_it);
            self.extend(keys, tags, target.version.as_deref()).await?;
        }
        Ok(())
    }

    /// Gives mirrored objects the tags or locks that they have in the base.
    async fn look_up_extras(
        &self,
        kind: &SettingKind,
        params: &Value,
        mirror: &mut Mirror,
    ) -> BaseResult<()> {
        let version = text(params, "VersionId");
        self.extend(mirror.keys.iter_mut(), kind, version).await
    }

    async fn extend<'m>(
        &self,
        mirrored: impl Iterator<Item = &'m mut Mirrored>,
        kind: &SettingKind,
        version: Option<&str>,
    ) -> BaseResult<()> {
        // Of a key with versions, what the call names is looked at as a whole.
        for mirrored in mirrored.filter(|it| it.versions.is_none()) {
            let Some(found) = &mut mirrored.object else {
                continue;
            };
            // They are read when somebody asks for them.
            if brief_place(&found.object).is_some() {
                continue;
            }
            let mut named: Map = vec![
                ("Bucket".into(), mirrored.bucket.as_str().into()),
                ("Key".into(), mirrored.key.as_str().into()),
            ];
            named.extend(version.map(|version| ("VersionId".into(), version.into())));
            let answer = match self.base.pass(kind.get, &Value::Map(named)).await {
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
}
