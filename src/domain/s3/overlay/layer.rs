//! What was written, and what it covers.

use crate::domain::s3::change::Held;
use crate::domain::s3::clock::Clock;
use crate::domain::s3::memory::{Bucket, Object, Store, perform};
use crate::domain::{Answer, Value};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

/// The writes of an overlay. A clone is O(1).
#[derive(Clone)]
pub(super) struct Layer {
    /// What was written. A bucket of the base that shows through is here with the
    /// keys that were written, and with no location or time of its own.
    pub store: Store,
    covers: Arc<BTreeMap<Arc<str>, Arc<Cover>>>,
}

/// What the layer does to one bucket of the base.
#[derive(Clone)]
pub(super) struct Cover {
    /// Whether the keys that were not touched show through: until the bucket is deleted.
    pub shows: bool,
    /// What the base has at each key that was touched; the layer speaks for these.
    pub before: BTreeMap<Arc<str>, Option<Held>>,
}

/// Who answers for a bucket.
#[derive(Clone)]
pub(super) enum View {
    /// The base: nothing in the bucket was touched.
    Base,
    /// The base, but for the keys that were touched.
    Both(Arc<Cover>),
    /// The layer alone: the bucket is new, or deleted, or both.
    Layer,
}

/// What was looked up in the base for a write.
#[derive(Default)]
pub(super) struct Mirror {
    /// The buckets of the base that the write names.
    pub buckets: Vec<String>,
    /// The keys of these that the write names and that were not touched before.
    pub keys: Vec<Mirrored>,
}

/// A key of the base.
pub(super) struct Mirrored {
    pub bucket: String,
    pub key: String,
    /// What it has, if anything.
    pub object: Option<Found>,
}

/// An object of the base; its content stays there.
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

    /// Who answers for a bucket.
    pub fn view(&self, bucket: &str) -> View {
        match (self.covers.get(bucket), self.store.state.bucket(bucket)) {
            (Some(cover), _) if cover.shows => View::Both(cover.clone()),
            (Some(_), _) | (None, Some(_)) => View::Layer,
            (None, None) => View::Base,
        }
    }

    /// What is done to buckets of the base, by name.
    pub fn covers(&self) -> impl Iterator<Item = (&str, &Cover)> {
        self.covers.iter().map(|(name, cover)| (&**name, &**cover))
    }

    /// Whether everything is as the base has it.
    pub fn is_empty(&self) -> bool {
        self.covers.is_empty() && self.store.state.buckets().next().is_none()
    }

    /// Carries out a write on objects, after what it depends on was looked up.
    pub fn write(&mut self, operation: &str, params: &Value, mirror: &Mirror) -> Answer {
        let state = &mut self.store.state;
        for bucket in &mirror.buckets {
            if state.bucket(bucket).is_none() {
                state.insert(bucket, Bucket::new(None, Timestamp::UNIX_EPOCH));
            }
        }
        for Mirrored {
            bucket,
            key,
            object,
        } in &mirror.keys
        {
            if let (Some(found), Some(bucket)) = (object, state.bucket_mut(bucket)) {
                let key = Arc::from(key.as_str());
                bucket.objects.insert(key, found.object.clone());
            }
        }
        // A refused call has changed nothing, so there is nothing to take back.
        let answer = perform(&mut self.store, operation, params);
        for mirrored in &mirror.keys {
            self.settle(mirrored);
        }
        for bucket in &mirror.buckets {
            self.forget_if_untouched(bucket);
        }
        answer
    }

    /// Takes a mirrored key out again, unless the write changed it.
    fn settle(&mut self, mirrored: &Mirrored) {
        let (bucket, key) = (mirrored.bucket.as_str(), mirrored.key.as_str());
        let now = self.store.state.bucket(bucket).and_then(|b| b.object(key));
        let unchanged = match (now, &mirrored.object) {
            (Some(now), Some(found)) => Arc::ptr_eq(now, &found.object),
            (None, None) => return,
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

    /// After a write: a key that the base does not have and the layer has no more, is
    /// not touched.
    pub fn prune(&mut self, bucket: &str, key: &str) {
        let Some(cover) = self.covers.get(bucket).filter(|cover| cover.shows) else {
            return;
        };
        let kept = self.store.state.bucket(bucket);
        let gone = kept.is_none_or(|bucket| bucket.object(key).is_none());
        if gone && matches!(cover.before.get(key), Some(None)) {
            self.cover_mut(bucket).before.remove(key);
            self.forget_if_untouched(bucket);
        }
    }

    fn forget_if_untouched(&mut self, bucket: &str) {
        let untouched = match self.covers.get(bucket) {
            Some(cover) => cover.shows && cover.before.is_empty(),
            None => true,
        };
        if untouched {
            Arc::make_mut(&mut self.covers).remove(bucket);
            self.store.state.remove(bucket);
        }
    }

    /// Deletes a bucket that the base has, and in which nothing is to be seen.
    pub fn delete_bucket(&mut self, bucket: &str) {
        self.cover_mut(bucket).shows = false;
        self.store.state.remove(bucket);
    }

    fn cover_mut(&mut self, bucket: &str) -> &mut Cover {
        let covers = Arc::make_mut(&mut self.covers);
        let cover = covers.entry(Arc::from(bucket)).or_insert_with(|| {
            Arc::new(Cover {
                shows: true,
                before: BTreeMap::new(),
            })
        });
        Arc::make_mut(cover)
    }
}

impl Cover {
    /// Whether the layer speaks for a key.
    pub fn touches(&self, key: &str) -> bool {
        self.before.contains_key(key)
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
