//! The differences between the states before and after one operation.

use crate::domain::s3::memory::{Bucket, Object, Store};
use std::sync::Arc;

/// One difference between two states of a store.
#[derive(Clone, Copy)]
pub enum Edit<'a> {
    /// A new bucket.
    BucketMade(&'a str),
    /// A bucket that was deleted; it was empty.
    BucketGone(&'a str),
    /// A bucket whose configurations were changed.
    Settings(&'a str),
    /// An object that was written.
    Put {
        /// Its bucket.
        bucket: &'a str,
        /// Its key.
        key: &'a str,
        /// The object at the key now.
        object: &'a Object,
        /// The object at the key before, if any.
        replaced: Option<&'a Object>,
    },
    /// An object that was deleted.
    Gone {
        /// Its bucket.
        bucket: &'a str,
        /// Its key.
        key: &'a str,
        /// The object at the key before.
        object: &'a Object,
    },
}

impl<'a> Edit<'a> {
    /// The name of the bucket, which may have been deleted.
    pub fn bucket(&self) -> &'a str {
        match *self {
            Edit::BucketMade(bucket)
            | Edit::BucketGone(bucket)
            | Edit::Settings(bucket)
            | Edit::Put { bucket, .. }
            | Edit::Gone { bucket, .. } => bucket,
        }
    }

    /// The object that was deleted or replaced.
    pub fn lost(&self) -> Option<&'a Object> {
        match *self {
            Edit::Put { replaced, .. } => replaced,
            Edit::Gone { object, .. } => Some(object),
            _ => None,
        }
    }
}

/// The differences between two states. Shared parts are recognised by their address, so
/// the cost is that of visiting the buckets that changed.
pub fn edits<'a>(before: &'a Store, after: &'a Store) -> Vec<Edit<'a>> {
    let mut edits = Vec::new();
    for (name, _) in before.state.buckets() {
        if after.state.bucket(name).is_none() {
            edits.push(Edit::BucketGone(name));
        }
    }
    for (name, bucket) in after.state.buckets() {
        match before.state.bucket(name) {
            Some(old) if Arc::ptr_eq(old, bucket) => {}
            Some(old) => object_edits(name, old, bucket, &mut edits),
            None => edits.push(Edit::BucketMade(name)),
        }
        let settings = before.state.bucket(name).map(|old| &old.settings);
        if settings.map_or(!bucket.settings.is_empty(), |old| *old != bucket.settings) {
            edits.push(Edit::Settings(name));
        }
    }
    edits
}

fn object_edits<'a>(
    bucket: &'a str,
    before: &'a Bucket,
    after: &'a Bucket,
    edits: &mut Vec<Edit<'a>>,
) {
    for (key, object) in &before.objects {
        if !after.objects.contains_key(key) {
            edits.push(Edit::Gone {
                bucket,
                key,
                object,
            });
        }
    }
    for (key, object) in &after.objects {
        let replaced = before.objects.get(key);
        if replaced.is_none_or(|replaced| !Arc::ptr_eq(replaced, object)) {
            edits.push(Edit::Put {
                bucket,
                key,
                object,
                replaced: replaced.map(|replaced| &**replaced),
            });
        }
    }
}
