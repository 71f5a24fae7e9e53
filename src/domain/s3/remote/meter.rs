//! Counts what is asked of a server.

use crate::domain::{Map, Spent, Value};
use std::sync::atomic::{AtomicU64, Ordering};

/// The parts of a listing's answer that are names.
const LISTED: [&str; 6] = [
    "Contents",
    "CommonPrefixes",
    "Versions",
    "DeleteMarkers",
    "Uploads",
    "Buckets",
];

/// The use of a connection so far.
#[derive(Debug, Default)]
pub(super) struct Meter {
    requests: AtomicU64,
    names_listed: AtomicU64,
    bytes_read: AtomicU64,
}

impl Meter {
    /// One more request is sent.
    pub fn sent(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    /// A call was answered with these fields.
    pub fn answered(&self, fields: &Map) {
        for (name, value) in fields {
            match value {
                Value::List(names) if LISTED.contains(&&**name) => {
                    self.names_listed
                        .fetch_add(names.len() as u64, Ordering::Relaxed);
                }
                Value::Bytes(body) if &**name == "Body" => {
                    self.bytes_read
                        .fetch_add(body.len() as u64, Ordering::Relaxed);
                }
                _ => {}
            }
        }
    }

    pub fn spent(&self) -> Spent {
        Spent {
            requests: self.requests.load(Ordering::Relaxed),
            names_listed: self.names_listed.load(Ordering::Relaxed),
            bytes_read: self.bytes_read.load(Ordering::Relaxed),
        }
    }
}
