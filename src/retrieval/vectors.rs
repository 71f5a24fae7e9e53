//! A cache of embeddings on disk, so that only the first start computes them.
//!
//! There is one file for each model. Records of one size are appended to it: the digest of a
//! text, its vector, and a checksum. Processes that write at the same time wait for each
//! other. A process that was stopped half-way leaves the beginning of a record, which the
//! next writer cuts off. Damaged records are ignored.

use crate::error::{Error, Result};
use crate::files::AppendLog;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Changes with the layout of a record and with the preparation of texts.
const VERSION: u32 = 1;

const KEY: usize = blake3::OUT_LEN;
const CHECKSUM: usize = 4;

/// The digest of a text.
pub type Key = [u8; KEY];

/// The file with the vectors of one model.
#[derive(Debug, Clone)]
pub struct Vectors {
    path: PathBuf,
    width: usize,
}

impl Vectors {
    /// The file in this folder for the model with this digest and vectors of this width. It
    /// need not exist.
    pub fn at(folder: &Path, digest: &str, width: usize) -> Self {
        let name = digest.get(..16).unwrap_or(digest);
        Vectors {
            path: folder.join(format!("{name}-{width}.v{VERSION}")),
            width,
        }
    }

    /// The file in the folder `embeddings` of `DIALOG2API_CACHE_DIR`, or of the user's cache
    /// folder. `None` if the user has no home.
    pub fn of_user(digest: &str, width: usize) -> Option<Self> {
        use etcetera::BaseStrategy;
        let named = std::env::var_os("DIALOG2API_CACHE_DIR").filter(|name| !name.is_empty());
        let folder = match named {
            Some(folder) => PathBuf::from(folder),
            None => (etcetera::choose_base_strategy().ok()?.cache_dir()).join("dialog2api"),
        };
        Some(Self::at(&folder.join("embeddings"), digest, width))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The digest of a text.
    pub fn key(text: &str) -> Key {
        *blake3::hash(text.as_bytes()).as_bytes()
    }

    /// All intact vectors; none if the file cannot be read.
    pub fn read(&self) -> HashMap<Key, Vec<f32>> {
        let read = || -> std::io::Result<Vec<u8>> {
            let mut file = File::open(&self.path)?;
            file.lock_shared()?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let bytes = read().unwrap_or_default();
        (bytes.chunks_exact(self.record()))
            .filter_map(parse)
            .collect()
    }

    /// Appends vectors.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append(&self, vectors: &[(Key, Vec<f32>)]) -> Result<()> {
        let mut records = Vec::with_capacity(vectors.len() * self.record());
        for (key, vector) in vectors {
            let start = records.len();
            records.extend(key);
            records.extend(vector.iter().flat_map(|x| x.to_le_bytes()));
            let checksum = crc32fast::hash(records.get(start..).unwrap_or_default());
            records.extend(checksum.to_le_bytes());
        }
        if records.is_empty() {
            return Ok(());
        }
        self.write(&records)
            .map_err(Error::file("cannot write", &self.path))
    }

    fn write(&self, records: &[u8]) -> std::io::Result<()> {
        if let Some(folder) = self.path.parent() {
            // Utterances are private, and vectors tell something about them.
            let mut builder = fs::DirBuilder::new();
            builder.recursive(true).mode(0o700).create(folder)?;
        }
        let file = File::options()
            .create(true)
            .append(true)
            .mode(0o600)
            .open(&self.path)?;
        file.lock()?;
        let whole = file.metadata()?.len() / self.record() as u64 * self.record() as u64;
        AppendLog::after(Box::new(file), whole)?.append_soon(records)
    }

    /// The size of a record, in bytes.
    fn record(&self) -> usize {
        KEY + self.width * size_of::<f32>() + CHECKSUM
    }
}

/// The key and the vector of an intact record.
fn parse(record: &[u8]) -> Option<(Key, Vec<f32>)> {
    let (content, checksum) = record.split_last_chunk::<CHECKSUM>()?;
    if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
        return None;
    }
    let (key, numbers) = content.split_first_chunk::<KEY>()?;
    let numbers = numbers.as_chunks().0.iter();
    Some((*key, numbers.map(|x| f32::from_le_bytes(*x)).collect()))
}
