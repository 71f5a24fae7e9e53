//! Multipart uploads under way: their parts in memory, until they are complete.
//!
//! Limits: an upload is one object in the end, so its parts together have at most
//! [`MAX_OBJECT_BYTES`]; all uploads together at most [`MOST_BYTES`], and there are at
//! most [`MOST_UPLOADS`] of them. Beyond that S3's `SlowDown` asks clients to wait.

use super::request::busy;
use crate::domain::s3::names::MAX_OBJECT_BYTES;
use crate::domain::s3::refusal;
use crate::domain::{Map, Refusal};
use bytes::{Bytes, BytesMut};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// All parts of all uploads together, in bytes.
const MOST_BYTES: usize = 1 << 30;

/// All uploads.
const MOST_UPLOADS: usize = 1000;

/// The least size of every part but the last (S3 user guide, "Multipart upload limits").
const LEAST_PART: usize = 5 << 20;

/// The uploads of a service.
#[derive(Default)]
pub struct Uploads(Mutex<State>);

#[derive(Default)]
struct State {
    created: u64,
    uploads: BTreeMap<String, Upload>,
}

/// One upload.
#[derive(Clone)]
pub struct Upload {
    pub bucket: String,
    pub key: String,
    /// The arguments of the `put_object` that it will be.
    pub arguments: Map,
    pub initiated: Timestamp,
    pub parts: BTreeMap<i32, Part>,
}

/// One part of an upload.
#[derive(Clone)]
pub struct Part {
    pub content: Bytes,
    /// Without quotes.
    pub etag: String,
    pub modified: Timestamp,
}

impl Uploads {
    /// Begins an upload, and answers its id.
    pub fn create(&self, upload: Upload) -> Result<String, Refusal> {
        let mut state = self.lock();
        if state.uploads.len() >= MOST_UPLOADS {
            return Err(busy());
        }
        state.created = state.created.wrapping_add(1);
        // Ids sort as the uploads began.
        let id = format!("upload-{:016x}", state.created);
        state.uploads.insert(id.clone(), upload);
        Ok(id)
    }

    /// What an id stands for, for this bucket and key.
    pub fn find(&self, id: &str, bucket: &str, key: &str) -> Result<Upload, Refusal> {
        let state = self.lock();
        let found = state.uploads.get(id);
        found
            .filter(|upload| upload.bucket == bucket && upload.key == key)
            .cloned()
            .ok_or_else(|| no_such_upload(id))
    }

    /// The uploads to a bucket in the order of their keys, then of their ids.
    pub fn of_bucket(&self, bucket: &str) -> Vec<(String, Upload)> {
        let state = self.lock();
        let ours = state.uploads.iter().filter(|(_, u)| u.bucket == bucket);
        let mut found: Vec<_> = ours.map(|(id, u)| (id.clone(), u.clone())).collect();
        found.sort_by(|(id, one), (other_id, other)| (&one.key, id).cmp(&(&other.key, other_id)));
        found
    }

    /// Keeps a part; one of the same number is replaced.
    pub fn keep(&self, id: &str, number: i32, part: Part) -> Result<(), Refusal> {
        let mut state = self.lock();
        let size = |upload: &Upload| -> usize {
            let others = upload.parts.iter().filter(|(known, _)| **known != number);
            others.map(|(_, part)| part.content.len()).sum()
        };
        let all: usize = state.uploads.values().map(|u| whole(&u.parts)).sum();
        let upload = state
            .uploads
            .get_mut(id)
            .ok_or_else(|| no_such_upload(id))?;
        let proposed = size(upload).saturating_add(part.content.len());
        if proposed > MAX_OBJECT_BYTES {
            return Err(refusal::too_large(proposed, MAX_OBJECT_BYTES));
        }
        if all.saturating_add(part.content.len()) > MOST_BYTES {
            return Err(busy());
        }
        upload.parts.insert(number, part);
        Ok(())
    }

    /// Forgets an upload.
    pub fn forget(&self, id: &str) {
        self.lock().uploads.remove(id);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The size of parts together.
pub fn whole(parts: &BTreeMap<i32, Part>) -> usize {
    parts.values().map(|part| part.content.len()).sum()
}

impl Upload {
    /// The object that these parts make: each named with its ETag, in the order of
    /// their numbers, and none but the last too small.
    pub fn assemble(&self, id: &str, wanted: &[(i32, String)]) -> Result<Bytes, Refusal> {
        let ascending = wanted.windows(2).all(|pair| match pair {
            [(one, _), (next, _)] => one < next,
            _ => true,
        });
        if !ascending {
            return Err(Refusal::new(
                400,
                "InvalidPartOrder",
                "The list of parts was not in ascending order. Parts must be ordered by part number.",
            )
            .with("UploadId", id));
        }
        let mut found = Vec::with_capacity(wanted.len());
        for (number, etag) in wanted {
            match self.parts.get(number) {
                Some(part) if part.etag == *etag => found.push((number, part)),
                _ => return Err(invalid_part(id, *number, etag)),
            }
        }
        let before_last = found.len().saturating_sub(1);
        for (number, part) in found.iter().take(before_last) {
            if part.content.len() < LEAST_PART {
                return Err(too_small(**number, part));
            }
        }
        if let [(_, only)] = found.as_slice() {
            return Ok(only.content.clone());
        }
        let mut object = BytesMut::with_capacity(whole(&self.parts));
        for (_, part) in found {
            object.extend_from_slice(&part.content);
        }
        Ok(object.freeze())
    }
}

/// A part's number as S3 takes it.
pub fn part_number(text: &str) -> Result<i32, Refusal> {
    let number = text.parse().ok();
    number
        .filter(|number| (1..=10_000).contains(number))
        .ok_or_else(|| {
            refusal::invalid_argument(
                "partNumber",
                text,
                "Part number must be an integer between 1 and 10000, inclusive",
            )
        })
}

fn no_such_upload(id: &str) -> Refusal {
    Refusal::new(
        404,
        "NoSuchUpload",
        "The specified upload does not exist. The upload ID may be invalid, or the upload \
         may have been aborted or completed.",
    )
    .with("UploadId", id)
}

fn invalid_part(id: &str, number: i32, etag: &str) -> Refusal {
    Refusal::new(
        400,
        "InvalidPart",
        "One or more of the specified parts could not be found.  The part may not have been \
         uploaded, or the specified entity tag may not match the part's entity tag.",
    )
    .with("UploadId", id)
    .with("PartNumber", number.to_string())
    .with("ETag", etag)
}

fn too_small(number: i32, part: &Part) -> Refusal {
    Refusal::new(
        400,
        "EntityTooSmall",
        "Your proposed upload is smaller than the minimum allowed size",
    )
    .with("ProposedSize", part.content.len().to_string())
    .with("MinSizeAllowed", LEAST_PART.to_string())
    .with("PartNumber", number.to_string())
    .with("ETag", part.etag.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upload(sizes: &[(i32, usize)]) -> Upload {
        let part = |size: usize| Part {
            content: vec![b'x'; size].into(),
            etag: format!("e{size}"),
            modified: Timestamp::UNIX_EPOCH,
        };
        Upload {
            bucket: "b".into(),
            key: "k".into(),
            arguments: Map::new(),
            initiated: Timestamp::UNIX_EPOCH,
            parts: sizes
                .iter()
                .map(|(number, size)| (*number, part(*size)))
                .collect(),
        }
    }

    fn assembled(sizes: &[(i32, usize)], wanted: &[(i32, &str)]) -> String {
        let wanted: Vec<_> = wanted
            .iter()
            .map(|(n, etag)| (*n, (*etag).to_owned()))
            .collect();
        match upload(sizes).assemble("u", &wanted) {
            Ok(object) => format!("{} bytes", object.len()),
            Err(refusal) => format!("{} {:?}", refusal.code, refusal.details),
        }
    }

    #[test]
    fn what_parts_make() {
        const FULL: usize = LEAST_PART;
        let etag = format!("e{FULL}");
        let lines = [
            assembled(&[(1, 3)], &[(1, "e3")]),
            assembled(&[(2, FULL), (7, 3)], &[(2, &etag), (7, "e3")]),
            assembled(&[(2, FULL), (7, 3)], &[(7, "e3")]),
            assembled(&[(1, 3), (2, 4)], &[(1, "e3"), (2, "e4")]),
            assembled(&[(1, 3), (2, 4)], &[(2, "e4"), (1, "e3")]),
            assembled(&[(1, 3)], &[(1, "e4")]),
            assembled(&[(1, 3)], &[(2, "e3")]),
            assembled(&[(1, 0)], &[(1, "e0")]),
        ];
        expect_test::expect![[r#"
            3 bytes
            5242883 bytes
            3 bytes
            EntityTooSmall [("ProposedSize", Str("3")), ("MinSizeAllowed", Str("5242880")), ("PartNumber", Str("1")), ("ETag", Str("e3"))]
            InvalidPartOrder [("UploadId", Str("u"))]
            InvalidPart [("UploadId", Str("u")), ("PartNumber", Str("1")), ("ETag", Str("e4"))]
            InvalidPart [("UploadId", Str("u")), ("PartNumber", Str("2")), ("ETag", Str("e3"))]
            0 bytes
        "#]].assert_eq(&lines.map(|line| line + "\n").concat());
    }

    #[test]
    fn the_parts_of_an_upload_are_bounded() {
        let uploads = Uploads::default();
        let id = uploads.create(upload(&[])).expect("there is room");
        let part = |size: usize| Part {
            content: vec![0; size].into(),
            etag: String::new(),
            modified: Timestamp::UNIX_EPOCH,
        };
        let half = MAX_OBJECT_BYTES / 2;
        assert_eq!(uploads.keep(&id, 1, part(half)), Ok(()));
        assert_eq!(uploads.keep(&id, 2, part(half)), Ok(()));
        assert_eq!(
            uploads.keep(&id, 2, part(half)),
            Ok(()),
            "it replaces the other"
        );
        let refused = uploads.keep(&id, 3, part(1)).expect_err("it is too much");
        assert_eq!(refused.code, "EntityTooLarge");
        uploads.forget(&id);
        let refused = uploads.keep(&id, 1, part(1)).expect_err("it is gone");
        assert_eq!(refused.code, "NoSuchUpload");
    }
}
