//! Versions. If the layer touches a key in a bucket of the base that keeps versions, it takes
//! over all versions of the key. Their contents stay in the base.

use super::Overlay;
use super::base::{BaseResult, Trouble, text, with};
use super::layer::{Cover, Found, Keeps, Layer, Mirror, Mirrored, Original, View, Whole};
use super::lookup::Target;
use crate::caller::Caller;
use crate::domain::{Map, Value};
use crate::memory::history::{Marker, Version};
use crate::memory::settings::{OBJECT_LOCK, VERSIONING};
use crate::memory::state::NULL_VERSION;
use crate::memory::{Attributes, Content, Elsewhere, Object};
use crate::version_list::{self, Listed};
use std::borrow::Cow;
use std::sync::Arc;

/// Which world answers a read of an object.
pub(super) enum Route<'p> {
    /// The base, to this call.
    Base(Cow<'p, Value>),
    Layer,
}

/// The world that answers a read of the object that a call names. A version that is as the base
/// has it is read there.
pub(super) fn route<'p>(layer: &Layer, params: &'p Value) -> Route<'p> {
    let as_it_is = Route::Base(Cow::Borrowed(params));
    let (Some(name), Some(key)) = (text(params, "Bucket"), text(params, "Key")) else {
        return as_it_is;
    };
    let cover = match layer.view(name) {
        View::Base => return as_it_is,
        View::Layer => return Route::Layer,
        View::Both(cover) if cover.touches(key) => cover,
        View::Both(_) => return as_it_is,
    };
    let bucket = layer.store.state.bucket(name);
    let asked = text(params, "VersionId");
    let version = match asked {
        Some(id) => bucket.and_then(|bucket| bucket.version(key, id)),
        None => bucket.and_then(|bucket| bucket.object(key).cloned().map(Version::Object)),
    };
    match (version, asked) {
        (Some(version), _) if cover.is_original(key, &version) => {
            let id = Some(version.id().into());
            Route::Base(Cow::Owned(with(params, "VersionId", id)))
        }
        (Some(_), _) | (None, None | Some(NULL_VERSION)) => Route::Layer,
        // A bucket that never kept versions says so itself.
        (None, Some(_)) if is_versioned(&cover) => Route::Layer,
        (None, Some(_)) => as_it_is,
    }
}

/// Whether the bucket has versions, in the base or since the layer has turned them on.
fn is_versioned(cover: &Cover) -> bool {
    cover.keeps == Some(true) || cover.settings.contains(VERSIONING)
}

impl Overlay {
    /// Asks whether a bucket of the base keeps versions, if that is not known.
    pub(super) async fn keeps(
        &self,
        layer: &Layer,
        bucket: &str,
        found: &[(String, Option<Found>)],
    ) -> BaseResult<Option<Keeps>> {
        let known = match layer.view(bucket) {
            View::Both(cover) => cover.keeps,
            _ => None,
        };
        if known.is_some() || found.is_empty() {
            return Ok(None);
        }
        let mut settings = Vec::new();
        for name in [VERSIONING, OBJECT_LOCK] {
            let value = match self.setting(bucket, name).await {
                Ok(value) => value,
                // Without the permission, or on a server without versions, continue as if there
                // were none.
                Err(Trouble::Refused(_)) => None,
                Err(trouble) => return Err(trouble),
            };
            let Some(value) = value else {
                break;
            };
            settings.push((name, value));
        }
        Ok(Some(Keeps {
            bucket: bucket.to_owned(),
            keeps: !settings.is_empty(),
            settings,
        }))
    }

    /// Takes an untouched object into a copy of the layer that is to answer a read, where the
    /// layer has turned versioning on and the base knows of no versions. Returns whether the
    /// layer answers.
    pub(super) async fn mirror_for_read(
        &self,
        layer: &mut Layer,
        params: &Value,
    ) -> BaseResult<bool> {
        let (Some(bucket), Some(key)) = (text(params, "Bucket"), text(params, "Key")) else {
            return Ok(false);
        };
        let View::Both(cover) = layer.view(bucket) else {
            return Ok(false);
        };
        let is_changed = cover.settings.contains(VERSIONING) && cover.keeps != Some(true);
        if !is_changed || cover.touches(key) {
            return Ok(false);
        }
        let target = Target {
            bucket: bucket.to_owned(),
            key: key.to_owned(),
            version: None,
            source: false,
            whole: true,
            is_brief: false,
        };
        let mut mirror = self.look_up(layer, std::slice::from_ref(&target)).await?;
        if mirror.keeps.iter().any(|keeps| keeps.keeps) {
            return Ok(false);
        }
        for found in mirror.keys.iter_mut().filter_map(|it| it.object.as_mut()) {
            found.object = self.whole(&target, &found.object).await?;
        }
        layer.mirror(&mirror);
        Ok(true)
    }

    /// A key with its versions, if its bucket keeps versions.
    pub(super) async fn mirrored(
        &self,
        bucket: &str,
        key: String,
        object: Option<Found>,
        keeps: bool,
    ) -> BaseResult<Mirrored> {
        let mut mirrored = Mirrored {
            bucket: bucket.to_owned(),
            key,
            object,
            versions: None,
        };
        if !keeps {
            return Ok(mirrored);
        }
        let caller = Caller(&*self.base.0);
        let listed = match version_list::of_key(&caller, bucket, &mirrored.key).await {
            Ok(listed) => listed,
            // Without the permission to list versions, only the latest is used.
            Err(Trouble::Refused(_)) => return Ok(mirrored),
            Err(trouble) => return Err(trouble),
        };
        let mut originals: Vec<Original> = listed
            .into_iter()
            .map(|entry| original(bucket, entry))
            .collect();
        // The look at the key itself has told more than the listing.
        let latest = originals
            .first_mut()
            .filter(|it| it.version.object().is_some());
        match (latest, &mut mirrored.object) {
            (Some(latest), Some(found)) => {
                let told = match &latest.version {
                    Version::Object(object) => object.version.clone(),
                    Version::Marker(_) => None,
                };
                found.object = Arc::new(Object {
                    version: told,
                    ..Object::clone(&found.object)
                });
                latest.version = Version::Object(found.object.clone());
            }
            (_, object) => *object = None,
        }
        mirrored.versions = Some(originals);
        Ok(mirrored)
    }

    /// Looks at the versions of which a write needs all that the base has.
    pub(super) async fn look_up_whole(
        &self,
        layer: &Layer,
        targets: &[Target],
        mirror: &mut Mirror,
    ) -> BaseResult<()> {
        for target in targets {
            let Some((original, is_touched)) = find_original(layer, target, mirror) else {
                continue;
            };
            // A deletion asks only for locks.
            if !(target.whole || target.version.is_some()) || original.is_whole {
                continue;
            }
            let Version::Object(object) = &original.version else {
                continue;
            };
            let object = self.whole(target, object).await?;
            if is_touched {
                mirror.whole.push(Whole {
                    bucket: target.bucket.clone(),
                    key: target.key.clone(),
                    object,
                });
            } else {
                put_whole(mirror, target, &object);
            }
        }
        Ok(())
    }

    /// Looks at objects that become older versions because the layer has turned versioning on:
    /// all that the base has of them stays with them.
    pub(super) async fn look_up_archived(
        &self,
        layer: &Layer,
        targets: &[Target],
        mirror: &mut Mirror,
    ) -> BaseResult<()> {
        for mirrored in mirror.keys.iter_mut().filter(|it| it.versions.is_none()) {
            let is_turned_on = match layer.view(&mirrored.bucket) {
                View::Both(cover) => cover.settings.contains(VERSIONING),
                View::Base | View::Layer => false,
            };
            let is_it = |it: &&Target| it.bucket == mirrored.bucket && it.key == mirrored.key;
            let target = targets.iter().find(is_it).filter(|_| is_turned_on);
            if let (Some(target), Some(found)) = (target, &mut mirrored.object) {
                found.object = self.whole(target, &found.object).await?;
            }
        }
        Ok(())
    }

    /// A version with all that the base has of it, but its content.
    async fn whole(&self, target: &Target, object: &Arc<Object>) -> BaseResult<Arc<Object>> {
        let (bucket, key, id) = (&*target.bucket, &*target.key, object.version_id());
        let found = self.base.head(bucket, key, Some(id), target.whole).await?;
        let Some(found) = found else {
            return Ok(object.clone());
        };
        let mut extras = object.extras().clone();
        for operation in [
            "get_object_tagging",
            "get_object_retention",
            "get_object_legal_hold",
        ] {
            let named = [("Bucket", bucket), ("Key", key), ("VersionId", id)];
            match self.base.ask(operation, &named).await {
                Ok(answer) => extras.take_over(&answer),
                Err(Trouble::Refused(_)) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(Arc::new(Object {
            version: object.version.clone(),
            extras: extras.kept(),
            ..Object::clone(&found.object)
        }))
    }
}

/// A version of a listing, whose content stays in the base.
fn original(bucket: &str, entry: Listed) -> Original {
    let version = match entry.is_marker {
        true => Version::Marker(Marker {
            version: id(&entry),
            modified: entry.modified(),
        }),
        false => Version::Object(Arc::new(of_base(bucket, &entry))),
    };
    Original {
        version,
        told: entry.told,
        is_whole: entry.is_marker,
    }
}

/// The version that a target names, or the latest, if it is as the base has it; and whether its
/// key was touched before.
fn find_original<'m>(
    layer: &Layer,
    target: &Target,
    mirror: &'m Mirror,
) -> Option<(Cow<'m, Original>, bool)> {
    let is_it = |version: &Version| match &target.version {
        Some(id) => version.id() == id,
        None => true,
    };
    let is_mirrored = |it: &&Mirrored| it.bucket == target.bucket && it.key == target.key;
    if let Some(mirrored) = mirror.keys.iter().find(is_mirrored) {
        let mut originals = mirrored.versions.as_deref().unwrap_or_default().iter();
        let original = originals.find(|original| is_it(&original.version))?;
        return Some((Cow::Borrowed(original), false));
    }
    let View::Both(cover) = layer.view(&target.bucket) else {
        return None;
    };
    let bucket = layer.store.state.bucket(&target.bucket)?;
    let version = bucket.versions(&target.key).into_iter().find(is_it)?;
    let mut originals = cover.versions.get(target.key.as_str())?.iter();
    let original = originals.find(|original| original.version.is(&version))?;
    Some((Cow::Owned(original.clone()), true))
}

fn id(entry: &Listed) -> Option<Arc<str>> {
    (entry.id != NULL_VERSION).then(|| Arc::from(entry.id.as_str()))
}

/// The object of a listing's entry, with what the entry says of it.
pub(super) fn of_base(bucket: &str, entry: &Listed) -> Object {
    let place = Elsewhere {
        bucket: bucket.to_owned(),
        key: entry.key.clone(),
        version: Some(entry.id.clone()),
        etag: text(&entry.told, "ETag").unwrap_or_default().to_owned(),
        size: usize::try_from(entry.size()).unwrap_or_default(),
        crc32: None,
        is_brief: false,
    };
    let mut attributes = Attributes::default();
    if let Some(class) = text(&entry.told, "StorageClass") {
        attributes.storage_class = Cow::Owned(class.to_owned());
    }
    Object {
        content: Content::Elsewhere(Arc::new(place)),
        modified: entry.modified(),
        attributes,
        version: id(entry),
        extras: None,
    }
}

fn put_whole(mirror: &mut Mirror, target: &Target, object: &Arc<Object>) {
    let is_it = |it: &&mut Mirrored| it.bucket == target.bucket && it.key == target.key;
    let Some(mirrored) = mirror.keys.iter_mut().find(is_it) else {
        return;
    };
    let originals = mirrored.versions.iter_mut().flatten();
    for original in originals.filter(|it| it.version.id() == object.version_id()) {
        original.version = Version::Object(object.clone());
        original.is_whole = true;
    }
    if let Some(found) = &mut mirrored.object
        && found.object.version == object.version
    {
        found.object = object.clone();
    }
}

/// The parameters of a listing of versions without what narrows it.
pub(super) fn named(bucket: &str, owner: Option<&Value>) -> Value {
    let mut params: Map = vec![("Bucket".into(), bucket.into())];
    params.extend(owner.map(|owner| ("ExpectedBucketOwner".into(), owner.clone())));
    params.push(("MaxKeys".into(), Value::Int(1)));
    Value::Map(params)
}
