//! The layer of an overlay: the written objects, and what they hide of the base.

use super::continued::Listed;
use crate::change::Held;
use crate::clock::Clock;
use crate::domain::{Answer, Value};
use crate::memory::history::Version;
use crate::memory::put::{self, Prepared};
use crate::memory::settings::{OBJECT_LOCK, VERSIONING};
use crate::memory::{Bucket, Object, Store, perform_prepared};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

/// The writes of an overlay. A clone is O(1).
#[derive(Clone)]
pub(super) struct Layer {
    /// The written objects. For a bucket of the base that shows through, only its written
    /// keys are here; its location and time are not meaningful.
    pub store: Store,
    covers: Arc<BTreeMap<Arc<str>, Arc<Cover>>>,
}

/// The effect of the layer on one bucket of the base.
#[derive(Clone)]
pub(super) struct Cover {
    /// Whether untouched keys of the base are visible. They are until the bucket is
    /// deleted.
    pub shows: bool,
    /// The touched keys, which the layer answers for, with the object that the base has
    /// at each.
    pub before: BTreeMap<Arc<str>, Option<Held>>,
    /// The names of the settings that the layer answers for.
    pub settings: BTreeSet<String>,
    /// Whether the base's bucket keeps versions or did so once, if that was asked. The
    /// settings that decide about versions are in the layer's bucket then.
    pub keeps: Option<bool>,
    /// The versions that the base has of touched keys, the newest first, if its bucket keeps
    /// versions. The layer has those of them that are left.
    pub versions: BTreeMap<Arc<str>, Vec<Original>>,
    /// The ids of the base's uploads that were aborted.
    pub aborted: BTreeSet<String>,
    /// The parts that were written here to uploads of the base, by the ids of these.
    pub continued: BTreeMap<String, Listed>,
}

/// A version of the base.
#[derive(Clone)]
pub(super) struct Original {
    pub version: Version,
    /// The entry in the base's listing.
    pub told: Value,
    /// Whether all that the base has of the version is known, but its content.
    pub is_whole: bool,
}

/// Which worlds answer for a bucket.
#[derive(Clone)]
pub(super) enum View {
    /// The base: the bucket is untouched.
    Base,
    /// The layer for touched keys, the base for the others.
    Both(Arc<Cover>),
    /// The layer alone: the bucket is new, or deleted, or both.
    Layer,
}

/// The part of the base that a write depends on.
#[derive(Default)]
pub(super) struct Mirror {
    /// The buckets of the base that the write names.
    pub buckets: Vec<String>,
    /// The untouched keys in these buckets that the write names.
    pub keys: Vec<Mirrored>,
    /// The settings of one of these buckets that the write depends on.
    pub settings: Option<MirroredSettings>,
    /// Whether buckets of the base keep versions, and the settings that decide about them.
    pub keeps: Vec<Keeps>,
    /// Versions of touched keys that are looked at as a whole for the first time.
    pub whole: Vec<Whole>,
}

/// Whether a bucket of the base keeps versions or did so once.
pub(super) struct Keeps {
    pub bucket: String,
    pub keeps: bool,
    /// The settings that decide about versions, by name.
    pub settings: Vec<(&'static str, Value)>,
}

/// A version of a touched key with all that the base has of it but its content.
pub(super) struct Whole {
    pub bucket: String,
    pub key: String,
    pub object: Arc<Object>,
}

/// Settings of a bucket of the base.
pub(super) struct MirroredSettings {
    pub bucket: String,
    /// The values by name; none for a setting that was never made.
    pub values: Vec<(String, Option<Value>)>,
}

/// A key of the base.
pub(super) struct Mirrored {
    pub bucket: String,
    pub key: String,
    /// The object at the key, if there is one.
    pub object: Option<Found>,
    /// All versions of the key, the newest first, if the bucket keeps versions.
    pub versions: Option<Vec<Original>>,
}

/// An object of the base. Its content stays there.
#[derive(Clone)]
pub(super) struct Found {
    pub object: Arc<Object>,
    pub version: Option<String>,
}

impl Layer {
    pub fn new(clock: Clock, region: &str) -> Self {
        let mut store = Store::new(clock);
        store.region = Arc::from(region);
        Layer {
            store,
            covers: Arc::default(),
        }
    }

    /// Which worlds answer for a bucket.
    pub fn view(&self, bucket: &str) -> View {
        match (self.covers.get(bucket), self.store.state.bucket(bucket)) {
            (Some(cover), _) if cover.shows => View::Both(cover.clone()),
            (Some(_), _) | (None, Some(_)) => View::Layer,
            (None, None) => View::Base,
        }
    }

    /// The covers of the buckets of the base, by name.
    pub fn covers(&self) -> impl Iterator<Item = (&str, &Cover)> {
        self.covers.iter().map(|(name, cover)| (&**name, &**cover))
    }

    /// Whether the layer changes nothing.
    pub fn is_empty(&self) -> bool {
        self.covers.is_empty() && self.store.state.buckets().next().is_none()
    }

    /// Carries out a write on objects. `mirror` holds what the write depends on in the
    /// base.
    pub fn write(
        &mut self,
        operation: &str,
        params: &Value,
        mirror: &Mirror,
        prepared: Prepared,
    ) -> Answer {
        // A refused call changes nothing, so nothing has to be undone.
        self.change(mirror, |store| {
            perform_prepared(store, operation, params, prepared)
        })
    }

    /// Puts an object at a key. Returns its version, where the bucket keeps versions.
    pub fn insert(
        &mut self,
        mirror: &Mirror,
        bucket: &str,
        key: &str,
        object: Object,
    ) -> Option<Arc<str>> {
        self.change(mirror, |store| put::insert(store, bucket, key, object))
    }

    fn change<T>(&mut self, mirror: &Mirror, change: impl FnOnce(&mut Store) -> T) -> T {
        self.mirror(mirror);
        let answer = change(&mut self.store);
        if let Some(mirrored) = &mirror.settings {
            self.settle_settings(mirrored);
        }
        for mirrored in &mirror.keys {
            self.settle(mirrored);
        }
        for bucket in &mirror.buckets {
            // An upload that was begun here is the layer's, in a bucket that is the base's.
            let uploads = self
                .store
                .state
                .bucket(bucket)
                .map(|bucket| &bucket.uploads);
            if uploads.is_some_and(|uploads| !uploads.is_empty()) {
                self.cover_mut(bucket);
            }
        }
        for keeps in &mirror.keeps {
            self.settle_keeps(keeps);
        }
        for bucket in &mirror.buckets {
            self.forget_if_untouched(bucket);
        }
        answer
    }

    /// Takes over what the base has of what a call depends on.
    pub fn mirror(&mut self, mirror: &Mirror) {
        let state = &mut self.store.state;
        for bucket in &mirror.buckets {
            if state.bucket(bucket).is_none() {
                state.insert(bucket, Bucket::new(None, Timestamp::UNIX_EPOCH));
            }
        }
        for mirrored in &mirror.keys {
            let Some(bucket) = state.bucket_mut(&mirrored.bucket) else {
                continue;
            };
            if let Some(versions) = &mirrored.versions {
                let versions = versions.iter().map(|original| original.version.clone());
                bucket.set_versions(&mirrored.key, versions.collect());
            } else if let Some(found) = &mirrored.object {
                let key = Arc::from(mirrored.key.as_str());
                bucket.objects.insert(key, found.object.clone());
            }
        }
        for keeps in &mirror.keeps {
            self.note_keeps(keeps);
        }
        for whole in &mirror.whole {
            self.note_whole(whole);
        }
        if let Some(mirrored) = &mirror.settings {
            self.mirror_settings(mirrored);
        }
    }

    /// Gives the layer's bucket the settings that decide about versions, unless the layer
    /// answers for them.
    fn note_keeps(&mut self, keeps: &Keeps) {
        let cover = self.covers.get(keeps.bucket.as_str()).cloned();
        let Some(bucket) = self.store.state.bucket_mut(&keeps.bucket) else {
            return;
        };
        for (name, value) in &keeps.settings {
            let is_layers = cover.as_ref().is_some_and(|it| it.settings.contains(*name));
            if !is_layers {
                bucket.settings.set(name, value.clone());
            }
        }
    }

    /// Remembers whether the base's bucket keeps versions, if the layer touches it.
    fn settle_keeps(&mut self, keeps: &Keeps) {
        if self.covers.contains_key(keeps.bucket.as_str()) {
            self.cover_mut(&keeps.bucket).keeps = Some(keeps.keeps);
        }
    }

    fn note_whole(&mut self, whole: &Whole) {
        let cover = self.cover_mut(&whole.bucket);
        let Some(originals) = cover.versions.get_mut(whole.key.as_str()) else {
            return;
        };
        let is_it = |original: &&mut Original| original.version.id() == whole.object.version_id();
        if let Some(original) = originals.iter_mut().find(is_it) {
            original.version = Version::Object(whole.object.clone());
            original.is_whole = true;
        }
        if let Some(bucket) = self.store.state.bucket_mut(&whole.bucket) {
            bucket.replace_version(&whole.key, whole.object.clone());
        }
    }

    fn mirror_settings(&mut self, mirrored: &MirroredSettings) {
        if let Some(bucket) = self.store.state.bucket_mut(&mirrored.bucket) {
            for (name, value) in &mirrored.values {
                if let Some(value) = value {
                    bucket.settings.set(name, value.clone());
                }
            }
        }
    }

    /// Removes mirrored settings again, unless the write changed them.
    fn settle_settings(&mut self, mirrored: &MirroredSettings) {
        let mut changed = Vec::new();
        if let Some(bucket) = self.store.state.bucket_mut(&mirrored.bucket) {
            for (name, value) in &mirrored.values {
                if bucket.settings.get(name) == value.as_ref() {
                    // Those that decide about versions stay.
                    if ![VERSIONING, OBJECT_LOCK].contains(&name.as_str()) {
                        bucket.settings.remove(name);
                    }
                } else {
                    changed.push(name.clone());
                }
            }
        }
        if !changed.is_empty() {
            self.cover_mut(&mirrored.bucket).settings.extend(changed);
        }
    }

    /// Removes a mirrored key again, unless the write changed it.
    fn settle(&mut self, mirrored: &Mirrored) {
        let (bucket, key) = (mirrored.bucket.as_str(), mirrored.key.as_str());
        if let Some(originals) = &mirrored.versions {
            return self.settle_versions(mirrored, originals);
        }
        let written = self.store.state.bucket(bucket);
        let has_markers = written.is_some_and(|it| !it.history.of(key).is_empty());
        let now = written.and_then(|bucket| bucket.object(key));
        let unchanged = match (now, &mirrored.object) {
            (Some(now), Some(found)) => Arc::ptr_eq(now, &found.object),
            (None, None) if !has_markers => return,
            _ => false,
        };
        if unchanged {
            if let Some(bucket) = self.store.state.bucket_mut(bucket) {
                bucket.objects.remove(key);
            }
            return;
        }
        let before = mirrored.object.as_ref().map(Found::held);
        self.cover_mut(bucket).before.insert(Arc::from(key), before);
    }

    fn settle_versions(&mut self, mirrored: &Mirrored, originals: &[Original]) {
        let (name, key) = (mirrored.bucket.as_str(), mirrored.key.as_str());
        let Some(bucket) = self.store.state.bucket_mut(name) else {
            return;
        };
        let now = bucket.versions(key);
        let mut pairs = now.iter().zip(originals);
        let is_same = |(now, original): (&Version, &Original)| now.is(&original.version);
        if now.len() == originals.len() && pairs.all(is_same) {
            bucket.set_versions(key, Vec::new());
            return;
        }
        let before = mirrored.object.as_ref().map(Found::held);
        let cover = self.cover_mut(name);
        cover.before.insert(Arc::from(key), before);
        cover.versions.insert(Arc::from(key), originals.to_vec());
    }

    /// Called after a write: a key that neither the base nor the layer has counts as
    /// untouched.
    pub fn prune(&mut self, bucket: &str, key: &str) {
        let Some(cover) = self.covers.get(bucket).filter(|cover| cover.shows) else {
            return;
        };
        let written = self.store.state.bucket(bucket);
        let gone = written
            .is_none_or(|bucket| bucket.object(key).is_none() && bucket.history.of(key).is_empty());
        let had_none = cover.versions.get(key).is_none_or(Vec::is_empty);
        if gone && had_none && matches!(cover.before.get(key), Some(None)) {
            let cover = self.cover_mut(bucket);
            cover.before.remove(key);
            cover.versions.remove(key);
            self.forget_if_untouched(bucket);
        }
    }

    /// Makes sure that the layer has a place for what it changes in a bucket of the base.
    pub fn touch(&mut self, bucket: &str) {
        let state = &mut self.store.state;
        if state.bucket(bucket).is_none() {
            state.insert(bucket, Bucket::new(None, Timestamp::UNIX_EPOCH));
        }
    }

    fn forget_if_untouched(&mut self, bucket: &str) {
        let untouched = match self.covers.get(bucket) {
            Some(cover) => cover.shows && cover.is_empty(),
            None => true,
        };
        let uploads = self.store.state.bucket(bucket);
        let untouched = untouched && uploads.is_none_or(|bucket| bucket.uploads.is_empty());
        if untouched {
            Arc::make_mut(&mut self.covers).remove(bucket);
            self.store.state.remove(bucket);
        }
    }

    /// Deletes a bucket of the base that looks empty.
    pub fn delete_bucket(&mut self, bucket: &str) {
        self.cover_mut(bucket).shows = false;
        self.store.state.remove(bucket);
    }

    pub fn cover_mut(&mut self, bucket: &str) -> &mut Cover {
        let covers = Arc::make_mut(&mut self.covers);
        let cover = covers.entry(Arc::from(bucket)).or_insert_with(|| {
            Arc::new(Cover {
                shows: true,
                before: BTreeMap::new(),
                settings: BTreeSet::new(),
                keeps: None,
                versions: BTreeMap::new(),
                aborted: BTreeSet::new(),
                continued: BTreeMap::new(),
            })
        });
        Arc::make_mut(cover)
    }
}

impl Cover {
    /// Whether the layer changes nothing in the bucket.
    fn is_empty(&self) -> bool {
        let uploads = self.aborted.is_empty() && self.continued.is_empty();
        self.before.is_empty() && self.settings.is_empty() && uploads
    }

    /// Whether the layer answers for a key.
    pub fn touches(&self, key: &str) -> bool {
        self.before.contains_key(key)
    }

    /// Whether a version of a touched key is as the base has it.
    pub fn is_original(&self, key: &str, version: &Version) -> bool {
        self.told(key, version).is_some()
    }

    /// The base's entry for a version of a touched key that is as the base has it.
    pub fn told(&self, key: &str, version: &Version) -> Option<&Value> {
        let mut originals = self.versions.get(key)?.iter();
        let original = originals.find(|original| original.version.is(version));
        original.map(|original| &original.told)
    }

    /// The touched keys that begin with `prefix` and come after `after`.
    pub fn touched<'c>(&'c self, prefix: &'c str, after: &'c str) -> impl Iterator<Item = &'c str> {
        let start = Bound::Included(prefix.max(after));
        let keys = self.before.range::<str, _>((start, Bound::Unbounded));
        keys.map(|(key, _)| &**key)
            .take_while(move |key| key.starts_with(prefix))
            .filter(move |key| after.is_empty() || *key > after)
    }
}

impl Found {
    fn held(&self) -> Held {
        Held {
            version: self.version.clone(),
            copied_from: None,
            ..Held::of(&self.object)
        }
    }
}
