//! Limits on the size of a folder that is a world.

use crate::domain::{Refusal, counted};
use crate::error::Error;
use crate::memory::Buckets;
use std::path::Path;

/// Limits on a world in a folder. A write that exceeds them is refused, and a folder that
/// exceeds them is not opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskLimits {
    /// The most bytes of all contents together.
    pub bytes: u64,
    /// The most objects. Keys, checksums and attributes are in memory; contents are not.
    pub objects: usize,
    /// When a bucket's log of changes is merged into its manifest: when it is larger than
    /// this number of bytes and larger than the manifest. 0 merges every change.
    pub log_bytes: u64,
}

impl Default for DiskLimits {
    fn default() -> Self {
        DiskLimits {
            bytes: 1 << 50,
            objects: 1_000_000,
            log_bytes: 256 << 10,
        }
    }
}

/// The current size of a world.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// The bytes of all contents together.
    pub bytes: u64,
    /// The number of objects.
    pub objects: usize,
}

impl Usage {
    /// The size of all that a state has: latest and older versions, and parts of uploads.
    pub fn of(state: &Buckets) -> Self {
        let mut usage = Usage::default();
        for (_, bucket) in state.buckets() {
            let latest = bucket.objects.values();
            latest.for_each(|object| usage.add(object.size()));
            let older = bucket.history.keys().flat_map(|(_, versions)| versions);
            older.for_each(|it| usage.add(it.object().map_or(0, |object| object.size())));
            let uploads = bucket.uploads.iter();
            let parts = uploads.flat_map(|(_, upload)| upload.parts.values());
            parts.for_each(|part| usage.add(part.blob.bytes.len()));
        }
        usage
    }

    /// Adds an object.
    pub fn add(&mut self, size: usize) {
        self.bytes = self.bytes.saturating_add(size as u64);
        self.objects += 1;
    }

    /// Subtracts an object.
    pub fn remove(&mut self, size: usize) {
        self.bytes = self.bytes.saturating_sub(size as u64);
        self.objects = self.objects.saturating_sub(1);
    }

    /// A description of the exceeded limit, if there is one.
    fn excess(&self, limits: &DiskLimits) -> Option<String> {
        if self.bytes > limits.bytes {
            return Some(counted(limits.bytes, "byte"));
        }
        (self.objects > limits.objects).then(|| counted(limits.objects, "object"))
    }

    /// Refuses a write that would exceed a limit.
    pub fn check_write(&self, limits: &DiskLimits) -> Result<(), Refusal> {
        match self.excess(limits) {
            None => Ok(()),
            Some(excess) => Err(Refusal::new(
                507,
                "InsufficientStorage",
                format!("This world may hold at most {excess}; delete objects to make room"),
            )),
        }
    }

    /// Refuses a folder that exceeds a limit.
    pub fn check_folder(&self, limits: &DiskLimits, root: &Path) -> Result<(), Error> {
        match self.excess(limits) {
            None => Ok(()),
            Some(excess) => Err(Error::Content {
                path: root.to_owned(),
                problem: format!("a world may hold at most {excess}, and this folder holds more"),
            }),
        }
    }
}
