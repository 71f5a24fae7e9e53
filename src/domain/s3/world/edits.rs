//! What one operation has changed in a state.

use crate::domain::s3::memory::{Bucket, Object, Store};
use std::sync::Arc;

/// One difference between two states of a store.
pub enum Edit<'a> {
    /// A bucket that was not there before.
    BucketMade(&'a str),
    /// A bucket that is gone; it was empty.
    BucketGone(&'a str),
    /// An object that was written; `replaces` says that the key was there before.
    Put {
        bucket: &'a str,
        key: &'a str,
        object: &'a Object,
        replaces: bool,
    },
    /// An object that is gone.
    Gone { bucket: &'a str, key: &'a str },
}

/// What leads from one state to the next. Shared parts are recognised by their
/// address, so the cost is that of walking the buckets that changed.
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
    }
    edits
}

fn object_edits<'a>(
    bucket: &'a str,
    before: &'a Bucket,
    after: &'a Bucket,
    edits: &mut Vec<Edit<'a>>,
) {
    for key in before.objects.keys() {
        if !after.objects.contains_key(key) {
            edits.push(Edit::Gone { bucket, key });
        }
    }
    for (key, object) in &after.objects {
        let old = before.objects.get(key);
        if old.is_none_or(|old| !Arc::ptr_eq(old, object)) {
            let replaces = old.is_some();
            edits.push(Edit::Put {
                bucket,
                key,
                object,
                replaces,
            });
        }
    }
}
