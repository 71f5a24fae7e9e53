//! The differences between the states before and after one operation.

use crate::memory::history::Version;
use crate::memory::parts::Part;
use crate::memory::uploads::{Id, Upload};
use crate::memory::{Bucket, FileContent, Object, ObjectDifference, Store};
use std::sync::Arc;

/// One difference between two states of a store.
#[derive(Clone, Copy)]
pub enum Edit<'a> {
    /// A new bucket.
    BucketMade(&'a str),
    /// A bucket that was deleted; it was empty.
    BucketGone(&'a str),
    /// A bucket whose configurations were changed.
    Settings {
        bucket: &'a str,
        /// Whether it begins or ends to keep versions.
        versioning: bool,
    },
    /// A bucket that has given new ids to versions.
    Numbered(&'a str),
    /// An object that was written.
    Put {
        bucket: &'a str,
        key: &'a str,
        /// The object at the key now.
        object: &'a Object,
        /// The object at the key before, if any.
        replaced: Option<&'a Object>,
    },
    /// An object that was deleted.
    Gone {
        bucket: &'a str,
        key: &'a str,
        /// The object at the key before.
        object: &'a Object,
    },
    /// A key whose older versions or delete markers have changed.
    Versions {
        bucket: &'a str,
        key: &'a str,
        /// How many of the newest are as before.
        at: usize,
        /// Those that were there, the newest first.
        gone: &'a [Version],
        /// Those that are there instead.
        new: &'a [Version],
    },
    /// An upload in parts that has begun.
    UploadBegun {
        bucket: &'a str,
        /// Which one it is.
        id: &'a Id,
        upload: &'a Upload,
    },
    /// An upload in parts that was completed or aborted.
    UploadEnded {
        bucket: &'a str,
        /// Which one it was.
        id: &'a Id,
        upload: &'a Upload,
    },
    /// A part that has come.
    Part {
        /// The bucket of its upload.
        bucket: &'a str,
        /// The upload.
        id: &'a Id,
        /// The number of the part.
        number: i64,
        part: &'a Part,
        /// The part that had the number before, if any.
        replaced: Option<&'a Part>,
    },
}

impl<'a> Edit<'a> {
    /// The name of the bucket, which may have been deleted.
    pub fn bucket(&self) -> &'a str {
        match *self {
            Edit::BucketMade(bucket)
            | Edit::BucketGone(bucket)
            | Edit::Settings { bucket, .. }
            | Edit::Numbered(bucket)
            | Edit::Put { bucket, .. }
            | Edit::Gone { bucket, .. }
            | Edit::Versions { bucket, .. }
            | Edit::UploadBegun { bucket, .. }
            | Edit::UploadEnded { bucket, .. }
            | Edit::Part { bucket, .. } => bucket,
        }
    }

    /// Whether it is about this key.
    pub fn is_of(&self, name: &str, key: &str) -> bool {
        match *self {
            Edit::Put {
                bucket, key: it, ..
            }
            | Edit::Gone {
                bucket, key: it, ..
            }
            | Edit::Versions {
                bucket, key: it, ..
            } => bucket == name && it == key,
            _ => false,
        }
    }

    /// Whether it may have given an id in this bucket.
    fn gives_id_in(&self, name: &str) -> bool {
        matches!(
            self,
            Edit::Put { bucket, .. } | Edit::UploadBegun { bucket, .. } if *bucket == name
        )
    }

    /// The latest object that was deleted or replaced.
    pub fn lost(&self) -> Option<&'a Object> {
        match *self {
            Edit::Put { replaced, .. } => replaced,
            Edit::Gone { object, .. } => Some(object),
            _ => None,
        }
    }
}

impl<'a> Edit<'a> {
    /// The objects that are in the state before and not in the same role in the state after.
    pub fn all_lost(&self) -> impl Iterator<Item = &'a Object> + use<'a> {
        let gone = match *self {
            Edit::Versions { gone, .. } => gone,
            _ => &[],
        };
        let older = gone.iter().filter_map(Version::object);
        self.lost().into_iter().chain(older.map(|object| &**object))
    }

    /// The objects that are in the state after and not in the same role in the state before.
    pub fn all_new(&self) -> impl Iterator<Item = &'a Object> + use<'a> {
        let (latest, new) = match *self {
            Edit::Put { object, .. } => (Some(object), &[][..]),
            Edit::Versions { new, .. } => (None, new),
            _ => (None, &[][..]),
        };
        let older = new.iter().filter_map(Version::object);
        latest.into_iter().chain(older.map(|object| &**object))
    }

    /// The parts that were forgotten.
    pub fn lost_parts(&self) -> impl Iterator<Item = &'a Part> + use<'a> {
        let (upload, replaced) = match *self {
            Edit::UploadEnded { upload, .. } => (Some(upload), None),
            Edit::Part { replaced, .. } => (None, replaced),
            _ => (None, None),
        };
        let all = upload.into_iter().flat_map(|upload| upload.parts.values());
        all.chain(replaced)
    }

    /// The parts that have come.
    pub fn new_parts(&self) -> impl Iterator<Item = &'a Part> + use<'a> {
        let (upload, part) = match *self {
            Edit::UploadBegun { upload, .. } => (Some(upload), None),
            Edit::Part { part, .. } => (None, Some(part)),
            _ => (None, None),
        };
        let all = upload.into_iter().flat_map(|upload| upload.parts.values());
        all.chain(part)
    }

    /// The files of the contents that are lost.
    pub fn lost_files(&self) -> impl Iterator<Item = &'a Arc<FileContent>> + use<'a> {
        let objects = self.all_lost().filter_map(|object| object.content.file());
        let parts = self.lost_parts();
        objects.chain(parts.filter_map(|part| part.blob.bytes.file()))
    }

    /// How many delete markers there are more, and how many fewer.
    pub fn markers(&self) -> (usize, usize) {
        let count = |all: &[Version]| all.iter().filter(|it| it.object().is_none()).count();
        match *self {
            Edit::Versions { gone, new, .. } => (count(new), count(gone)),
            _ => (0, 0),
        }
    }
}

/// The differences between two states. Shared parts are recognised by their address, so
/// the cost is that of visiting the buckets that changed.
pub fn edits<'a>(before: &'a Store, after: &'a Store) -> Vec<Edit<'a>> {
    let mut edits = Vec::new();
    for (bucket, old) in before.state.buckets() {
        if after.state.bucket(bucket).is_none() {
            let uploads = old.uploads.iter();
            edits.extend(uploads.map(|(id, upload)| Edit::UploadEnded { bucket, id, upload }));
            edits.push(Edit::BucketGone(bucket));
        }
    }
    for (name, bucket) in after.state.buckets() {
        match before.state.bucket(name) {
            Some(old) if Arc::ptr_eq(old, bucket) => {}
            Some(old) => {
                object_edits(name, old, bucket, &mut edits);
                upload_edits(name, old, bucket, &mut edits);
                version_edits(name, old, bucket, &mut edits);
            }
            None => edits.push(Edit::BucketMade(name)),
        }
        let old = before.state.bucket(name);
        let settings = old.map(|old| &old.settings);
        if settings.map_or(!bucket.settings.is_empty(), |old| *old != bucket.settings) {
            edits.push(Edit::Settings {
                bucket: name,
                versioning: old.is_some_and(|old| old.versioning() != bucket.versioning()),
            });
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
    let differences = before.objects.differences(&after.objects);
    // Deletions come first: a deleted key may become the folder of a new one.
    for ObjectDifference { key, ours, theirs } in &differences {
        if let (Some(object), None) = (ours, theirs) {
            edits.push(Edit::Gone {
                bucket,
                key,
                object,
            });
        }
    }
    for ObjectDifference { key, ours, theirs } in differences {
        if let Some(object) = theirs {
            edits.push(Edit::Put {
                bucket,
                key,
                object,
                replaced: ours.map(|replaced| &**replaced),
            });
        }
    }
}

fn upload_edits<'a>(
    bucket: &'a str,
    before: &'a Bucket,
    after: &'a Bucket,
    edits: &mut Vec<Edit<'a>>,
) {
    for (id, upload) in before.uploads.iter() {
        if after.uploads.get(id).is_none() {
            edits.push(Edit::UploadEnded { bucket, id, upload });
        }
    }
    for (id, upload) in after.uploads.iter() {
        let Some(old) = before.uploads.get(id) else {
            edits.push(Edit::UploadBegun { bucket, id, upload });
            continue;
        };
        if Arc::ptr_eq(old, upload) {
            continue;
        }
        for (number, part) in upload.parts.iter() {
            let replaced = old.parts.get(number);
            if replaced.is_none_or(|replaced| !replaced.is(part)) {
                edits.push(Edit::Part {
                    bucket,
                    id,
                    number,
                    part,
                    replaced,
                });
            }
        }
    }
}

fn version_edits<'a>(
    name: &'a str,
    before: &'a Bucket,
    after: &'a Bucket,
    edits: &mut Vec<Edit<'a>>,
) {
    let gone = before.history.keys();
    let gone = gone.filter(|(key, _)| after.history.of(key).is_empty());
    let keys = after.history.keys().chain(gone).map(|(key, _)| key);
    let first = edits.len();
    for key in keys {
        let (old, new) = (before.history.of(key), after.history.of(key));
        let same = |(one, other): &(&Version, &Version)| one.is(other);
        let at = old.iter().zip(new).take_while(same).count();
        let (old, new) = (
            old.get(at..).unwrap_or_default(),
            new.get(at..).unwrap_or_default(),
        );
        let pairs = old.iter().rev().zip(new.iter().rev());
        let tail = pairs.take_while(same).count();
        let (gone, new) = (
            old.get(..old.len() - tail).unwrap_or_default(),
            new.get(..new.len() - tail).unwrap_or_default(),
        );
        if !gone.is_empty() || !new.is_empty() {
            edits.push(Edit::Versions {
                bucket: name,
                key,
                at,
                gone,
                new,
            });
        }
    }
    let is_written = edits.len() > first || edits.iter().any(|edit| edit.gives_id_in(name));
    if is_written && before.history.made() != after.history.made() {
        edits.push(Edit::Numbered(name));
    }
}
