//! The versions of objects: what a write, a deletion and the deletion of one version do in a
//! bucket that keeps versions, in one that no longer does, and in one that never did.

use super::state::{Bucket, NULL_VERSION, Object, Versioning};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The versions that are not the latest, and the delete markers.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// By key, the newest first. A marker in front means that the key is deleted.
    versions: BTreeMap<Arc<str>, Vec<Version>>,
    /// How many versions and uploads were made, so that no id is given twice.
    made: u64,
}

/// A version of a key.
#[derive(Debug, Clone, PartialEq)]
pub enum Version {
    /// An object.
    Object(Arc<Object>),
    /// A marker: the key was deleted.
    Marker(Marker),
}

/// A delete marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// Its version; `None` is `null`.
    pub version: Option<Arc<str>>,
    /// When the key was deleted.
    pub modified: Timestamp,
}

impl Marker {
    /// The version's name in answers.
    pub fn version_id(&self) -> &str {
        self.version.as_deref().unwrap_or(NULL_VERSION)
    }
}

impl Version {
    /// The version's name in answers.
    pub fn id(&self) -> &str {
        match self {
            Version::Object(object) => object.version_id(),
            Version::Marker(marker) => marker.version_id(),
        }
    }

    /// Whether both are the same, with the same content and the same extras.
    pub fn is(&self, other: &Version) -> bool {
        match (self, other) {
            (Version::Object(one), Version::Object(other)) => Arc::ptr_eq(one, other),
            (Version::Marker(one), Version::Marker(other)) => one == other,
            _ => false,
        }
    }

    /// The object, unless it is a marker.
    pub fn object(&self) -> Option<&Arc<Object>> {
        match self {
            Version::Object(object) => Some(object),
            Version::Marker(_) => None,
        }
    }

    /// When it was written.
    pub fn modified(&self) -> Timestamp {
        match self {
            Version::Object(object) => object.modified,
            Version::Marker(marker) => marker.modified,
        }
    }

    /// Whether it is the version `null`.
    pub fn is_null(&self) -> bool {
        match self {
            Version::Object(object) => object.version.is_none(),
            Version::Marker(marker) => marker.version.is_none(),
        }
    }
}

impl History {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.versions.is_empty()
    }

    /// The older versions and markers of a key, the newest first.
    pub fn of(&self, key: &str) -> &[Version] {
        self.versions.get(key).map_or(&[], Vec::as_slice)
    }

    /// The keys that have some, in the order of a listing, with them.
    pub fn keys(&self) -> impl Iterator<Item = (&Arc<str>, &[Version])> {
        self.versions.iter().map(|(key, all)| (key, all.as_slice()))
    }

    /// How many versions and uploads were made.
    pub fn made(&self) -> u64 {
        self.made
    }

    /// A history that was written to disk.
    pub fn restored(
        versions: impl IntoIterator<Item = (Arc<str>, Vec<Version>)>,
        made: u64,
    ) -> Self {
        let versions = versions.into_iter().filter(|(_, all)| !all.is_empty());
        History {
            versions: versions.collect(),
            made,
        }
    }

    /// Adds a version in front of the others of its key.
    pub fn push(&mut self, key: &Arc<str>, version: Version) {
        let all = self.versions.entry(key.clone()).or_default();
        all.insert(0, version);
    }

    /// Takes the version `null` of a key away, if it is here.
    pub fn drop_null(&mut self, key: &str) {
        if let Some(all) = self.versions.get_mut(key) {
            all.retain(|version| !version.is_null());
            if all.is_empty() {
                self.versions.remove(key);
            }
        }
    }
}

impl Bucket {
    /// A new id for a version or an upload: 32 characters, the same for the same writes.
    pub fn next_id(&mut self, key: &str) -> String {
        self.history.made += 1;
        let mut digest = Sha256::new();
        digest.update(self.history.made.to_be_bytes());
        digest.update(self.created.as_second().to_be_bytes());
        digest.update(key);
        let digest: [u8; 32] = digest.finalize().into();
        URL_SAFE_NO_PAD.encode(&digest[..24])
    }

    /// Writes an object. Returns its version, where the answer names it.
    pub fn write(&mut self, key: &str, mut object: Object) -> Option<Arc<str>> {
        let key: Arc<str> = Arc::from(key);
        object.version = None;
        match self.versioning() {
            Versioning::NeverSet => {}
            Versioning::Enabled => {
                object.version = Some(Arc::from(self.next_id(&key)));
                self.archive(&key);
            }
            Versioning::Suspended => {
                self.archive(&key);
                self.history.drop_null(&key);
            }
        }
        let version = object.version.clone();
        self.objects.insert(key, Arc::new(object));
        version
    }

    /// Deletes a key without naming a version. Returns the marker that hides it, where the
    /// bucket keeps versions or did so once.
    pub fn delete(&mut self, key: &str, now: Timestamp) -> Option<Marker> {
        let version = match self.versioning() {
            Versioning::NeverSet => {
                self.objects.remove(key);
                return None;
            }
            Versioning::Enabled => Some(Arc::from(self.next_id(key))),
            Versioning::Suspended => None,
        };
        let key: Arc<str> = Arc::from(key);
        self.archive(&key);
        if version.is_none() {
            self.history.drop_null(&key);
        }
        let marker = Marker {
            version,
            modified: now,
        };
        self.history.push(&key, Version::Marker(marker.clone()));
        Some(marker)
    }

    /// Moves the latest version of a key to the older ones.
    fn archive(&mut self, key: &Arc<str>) {
        if let Some(latest) = self.objects.remove(key) {
            self.history.push(key, Version::Object(latest));
        }
    }

    /// One version of a key.
    pub fn version(&self, key: &str, id: &str) -> Option<Version> {
        let latest = self.object(key).filter(|object| object.version_id() == id);
        let latest = latest.map(|object| Version::Object(object.clone()));
        let mut older = self.history.of(key).iter();
        latest.or_else(|| older.find(|version| version.id() == id).cloned())
    }

    /// All versions and markers of a key, the newest first.
    pub fn versions(&self, key: &str) -> Vec<Version> {
        let latest = self.object(key).cloned().map(Version::Object);
        let older = self.history.of(key).iter().cloned();
        latest.into_iter().chain(older).collect()
    }

    /// Replaces all versions and markers of a key, the newest first.
    pub fn set_versions(&mut self, key: &str, mut versions: Vec<Version>) {
        self.objects.remove(key);
        self.history.versions.remove(key);
        let key: Arc<str> = Arc::from(key);
        if let Some(Version::Object(latest)) = versions.first() {
            self.objects.insert(key.clone(), latest.clone());
            versions.remove(0);
        }
        if !versions.is_empty() {
            self.history.versions.insert(key, versions);
        }
    }

    /// Takes away one version for good. Of what is left, the newest object becomes the
    /// latest, unless a marker is newer.
    pub fn remove_version(&mut self, key: &str, id: &str) -> Option<Version> {
        let latest = self.object(key).filter(|object| object.version_id() == id);
        let removed = match latest.cloned() {
            Some(object) => {
                self.objects.remove(key);
                Version::Object(object)
            }
            None => {
                let all = self.history.versions.get_mut(key)?;
                let at = all.iter().position(|version| version.id() == id)?;
                all.remove(at)
            }
        };
        self.promote(key);
        Some(removed)
    }

    fn promote(&mut self, key: &str) {
        let is_hidden = !self.objects.contains_key(key);
        let Some((name, mut all)) = self.history.versions.remove_entry(key) else {
            return;
        };
        if is_hidden
            && matches!(all.first(), Some(Version::Object(_)))
            && let Version::Object(object) = all.remove(0)
        {
            self.objects.insert(name.clone(), object);
        }
        if !all.is_empty() {
            self.history.versions.insert(name, all);
        }
    }

    /// Replaces a version by one that has other extras, where it is.
    pub fn replace_version(&mut self, key: &str, object: Arc<Object>) {
        let is_latest = (self.object(key)).is_some_and(|it| it.version == object.version);
        if is_latest {
            self.objects.insert(Arc::from(key), object);
        } else if let Some(all) = self.history.versions.get_mut(key) {
            for version in all.iter_mut().filter(|it| it.id() == object.version_id()) {
                *version = Version::Object(object.clone());
            }
        }
    }

    /// Whether no version of any key is left.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.history.is_empty()
    }
}
