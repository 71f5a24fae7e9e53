//! Multipart uploads in progress. Their parts stay in memory until the upload is
//! completed or aborted, or expires.

use super::parts::{Part, Parts};
use super::request::busy;
use crate::domain::s3::names::MAX_OBJECT_BYTES;
use crate::domain::s3::refusal;
use crate::domain::{Map, Refusal};
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Limits on all multipart uploads of a service together. If `bytes` or `uploads` is
/// exceeded, S3's `SlowDown` asks the client to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UploadLimits {
    /// The most bytes for all parts together. Each part counts its content plus
    /// `part_cost`.
    pub bytes: usize,
    /// Additional bytes that each part counts, so that empty parts are not free.
    pub part_cost: usize,
    /// The most uploads in progress.
    pub uploads: usize,
    /// An upload expires when it has received no part for this long.
    pub idle: SignedDuration,
}

impl Default for UploadLimits {
    fn default() -> Self {
        UploadLimits {
            bytes: 1 << 30,
            part_cost: 256,
            uploads: 1000,
            idle: SignedDuration::from_hours(24),
        }
    }
}

/// Reads the time of the server.
pub type Now = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The uploads of a service.
pub struct Uploads {
    limits: UploadLimits,
    now: Now,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    created: u64,
    uploads: BTreeMap<String, Entry>,
    /// The IDs by the time of their last use, oldest first.
    by_use: BTreeSet<(Timestamp, String)>,
    /// The bytes that all parts together count.
    bytes: usize,
}

struct Entry {
    upload: Arc<Upload>,
    parts: Parts,
    /// The bytes of the parts' contents.
    size: usize,
    used: Timestamp,
}

/// The request that began an upload.
pub struct Upload {
    pub bucket: String,
    pub key: String,
    /// The arguments of the `put_object` that completes it.
    pub arguments: Map,
    pub initiated: Timestamp,
}

impl Uploads {
    pub fn new(limits: UploadLimits, now: Now) -> Self {
        Uploads {
            limits,
            now,
            state: Mutex::default(),
        }
    }

    /// The server's time.
    pub fn now(&self) -> Timestamp {
        (self.now)()
    }

    /// Begins an upload and returns its ID.
    pub fn create(&self, upload: Upload) -> Result<String, Refusal> {
        let (now, mut state) = self.lock();
        if state.uploads.len() >= self.limits.uploads {
            return Err(busy());
        }
        state.created = state.created.wrapping_add(1);
        // IDs sort in the order in which the uploads began.
        let id = format!("upload-{:016x}", state.created);
        let entry = Entry {
            upload: Arc::new(upload),
            parts: Parts::new(),
            size: 0,
            used: now,
        };
        state.by_use.insert((now, id.clone()));
        state.uploads.insert(id.clone(), entry);
        Ok(id)
    }

    /// The upload with this ID, if it is for this bucket and key.
    pub fn find(&self, id: &str, bucket: &str, key: &str) -> Result<Arc<Upload>, Refusal> {
        let (_, state) = self.lock();
        state
            .uploads
            .get(id)
            .map(|entry| entry.upload.clone())
            .filter(|upload| upload.bucket == bucket && upload.key == key)
            .ok_or_else(|| no_such_upload(id))
    }

    /// The parts received so far.
    pub fn parts(&self, id: &str) -> Result<Parts, Refusal> {
        let (_, state) = self.lock();
        let entry = state.uploads.get(id);
        entry
            .map(|entry| entry.parts.clone())
            .ok_or_else(|| no_such_upload(id))
    }

    /// The uploads to a bucket in the order of their keys, then of their IDs.
    pub fn of_bucket(&self, bucket: &str) -> Vec<(String, Arc<Upload>)> {
        let (_, state) = self.lock();
        let mut found: Vec<_> = state
            .uploads
            .iter()
            .filter(|(_, entry)| entry.upload.bucket == bucket)
            .map(|(id, entry)| (id.clone(), entry.upload.clone()))
            .collect();
        found.sort_by(|(id, one), (other_id, other)| (&one.key, id).cmp(&(&other.key, other_id)));
        found
    }

    /// Adds a part, or replaces the one with the same number. The cost grows with the
    /// logarithm of the number of uploads, whatever they hold.
    pub fn keep(&self, id: &str, number: i32, part: Part) -> Result<(), Refusal> {
        let (now, mut state) = self.lock();
        let state = &mut *state;
        let entry = state
            .uploads
            .get_mut(id)
            .ok_or_else(|| no_such_upload(id))?;
        let cost = |part: &Part| part.content.len().saturating_add(self.limits.part_cost);
        let replaced = entry.parts.get(&number);
        let size = entry.size - replaced.map_or(0, |part| part.content.len()) + part.content.len();
        if size > MAX_OBJECT_BYTES {
            return Err(refusal::too_large(size, MAX_OBJECT_BYTES));
        }
        let bytes = state.bytes - replaced.map_or(0, cost) + cost(&part);
        if bytes > self.limits.bytes {
            return Err(busy());
        }
        entry.parts.insert(number, part);
        entry.size = size;
        state.bytes = bytes;
        state.by_use.remove(&(entry.used, id.to_owned()));
        state.by_use.insert((now, id.to_owned()));
        entry.used = now;
        Ok(())
    }

    /// Forgets an upload.
    pub fn forget(&self, id: &str) {
        let (_, mut state) = self.lock();
        state.forget(id, self.limits.part_cost);
    }

    /// Locks the state and removes uploads that have expired.
    fn lock(&self) -> (Timestamp, MutexGuard<'_, State>) {
        let now = self.now();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some((used, id)) = state.by_use.first().cloned() {
            if now.duration_since(used) <= self.limits.idle {
                break;
            }
            state.forget(&id, self.limits.part_cost);
        }
        (now, state)
    }
}

impl State {
    fn forget(&mut self, id: &str, part_cost: usize) {
        if let Some(entry) = self.uploads.remove(id) {
            self.by_use.remove(&(entry.used, id.to_owned()));
            self.bytes -= entry.size + entry.parts.len() * part_cost;
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicI64, Ordering};

    /// Uploads under these limits, and the seconds that their clock shows.
    fn uploads(limits: UploadLimits) -> (Uploads, Arc<AtomicI64>) {
        let seconds = Arc::new(AtomicI64::new(0));
        let clock = seconds.clone();
        let now = move || {
            let seconds = clock.load(Ordering::Relaxed);
            Timestamp::from_second(seconds).expect("a time")
        };
        (Uploads::new(limits, Arc::new(now)), seconds)
    }

    fn small() -> UploadLimits {
        UploadLimits {
            bytes: 100,
            part_cost: 10,
            uploads: 2,
            idle: SignedDuration::from_secs(60),
        }
    }

    fn begin(uploads: &Uploads) -> Result<String, Refusal> {
        uploads.create(Upload {
            bucket: "b".into(),
            key: "k".into(),
            arguments: Map::new(),
            initiated: uploads.now(),
        })
    }

    fn put(uploads: &Uploads, id: &str, number: i32, size: usize) -> String {
        let part = Part {
            content: vec![0; size].into(),
            etag: String::new(),
            modified: uploads.now(),
        };
        match uploads.keep(id, number, part) {
            Ok(()) => "kept".to_owned(),
            Err(refusal) => refusal.code,
        }
    }

    #[test]
    fn an_upload_has_at_most_the_bytes_of_an_object() {
        let (uploads, _) = uploads(UploadLimits::default());
        let id = begin(&uploads).expect("there is room");
        let half = MAX_OBJECT_BYTES / 2;
        assert_eq!(put(&uploads, &id, 1, half), "kept");
        assert_eq!(put(&uploads, &id, 2, half), "kept");
        assert_eq!(put(&uploads, &id, 2, half), "kept", "it replaces the other");
        assert_eq!(put(&uploads, &id, 3, 1), "EntityTooLarge");
        uploads.forget(&id);
        assert_eq!(put(&uploads, &id, 1, 1), "NoSuchUpload");
    }

    #[test]
    fn a_part_counts_once_however_often_it_is_replaced() {
        let (uploads, _) = uploads(small());
        let one = begin(&uploads).expect("there is room");
        let other = begin(&uploads).expect("there is room");
        assert_eq!(put(&uploads, &one, 1, 40), "kept");
        assert_eq!(put(&uploads, &other, 1, 40), "kept");
        // All 100 bytes are used: there is no room for another part, but the same part
        // can be sent again.
        assert_eq!(put(&uploads, &other, 2, 0), "SlowDown");
        for _ in 0..3 {
            assert_eq!(put(&uploads, &one, 1, 40), "kept");
        }
        assert_eq!(put(&uploads, &one, 1, 41), "SlowDown");
        assert_eq!(put(&uploads, &one, 1, 30), "kept");
        assert_eq!(put(&uploads, &other, 2, 0), "kept");
        // Removing an upload makes room for as many bytes.
        uploads.forget(&one);
        assert_eq!(put(&uploads, &other, 3, 30), "kept");
        assert_eq!(put(&uploads, &other, 4, 0), "SlowDown");
    }

    #[test]
    fn parts_without_a_byte_are_limited() {
        let (uploads, _) = uploads(small());
        let id = begin(&uploads).expect("there is room");
        let kept: Vec<_> = (1..=11)
            .map(|number| put(&uploads, &id, number, 0))
            .collect();
        assert_eq!(kept.iter().filter(|said| *said == "kept").count(), 10);
        assert_eq!(kept.last().map(String::as_str), Some("SlowDown"));
    }

    #[test]
    fn an_abandoned_upload_expires() {
        let (uploads, clock) = uploads(small());
        let one = begin(&uploads).expect("there is room");
        let other = begin(&uploads).expect("there is room");
        assert_eq!(put(&uploads, &one, 1, 50), "kept");
        assert_eq!(
            begin(&uploads).expect_err("two are the most").code,
            "SlowDown"
        );
        clock.store(60, Ordering::Relaxed);
        assert_eq!(put(&uploads, &other, 1, 0), "kept");
        clock.store(61, Ordering::Relaxed);
        let listed = uploads.of_bucket("b").into_iter().map(|(id, _)| id);
        assert_eq!(listed.collect::<Vec<_>>(), std::slice::from_ref(&other));
        assert_eq!(put(&uploads, &one, 1, 0), "NoSuchUpload");
        assert_eq!(
            put(&uploads, &other, 1, 90),
            "kept",
            "its bytes are free again"
        );
        clock.store(121, Ordering::Relaxed);
        assert_eq!(put(&uploads, &other, 2, 0), "SlowDown", "it was used at 61");
        clock.store(122, Ordering::Relaxed);
        assert!(uploads.of_bucket("b").is_empty());
    }
}
