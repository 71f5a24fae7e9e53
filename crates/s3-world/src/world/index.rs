//! The checksums of the files of a world, by which an opening need not read the files again.
//!
//! They are in the world's `.dialog2api/index`. A folder that was never written is left as it is:
//! its index is in the user's cache folder, if reading the files took more than a moment.
//!
//! It is only a memory: an entry counts if its file is in the state that the entry names, and a
//! damaged index counts for nothing.

use super::journal::Journal;
use crate::memory::{Buckets, Checksums, FileStamp, open_regular};
use dialog2api_core::files::{self, Pending, Readers};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::LazyLock;

/// The first line, before the checksum of what follows.
const HEAD: &str = "files 1 ";

/// The known files.
#[derive(Default)]
pub struct Index {
    entries: HashMap<String, (FileStamp, Checksums)>,
}

impl Index {
    /// Reads an index.
    pub fn read(place: &Place) -> Self {
        let mut text = String::new();
        let read = open_regular(&place.path).and_then(|mut file| file.read_to_string(&mut text));
        match read {
            Ok(_) => Index {
                entries: parse(&text).unwrap_or_default(),
            },
            Err(_) => Index::default(),
        }
    }

    /// An index without entries.
    pub fn none() -> &'static Index {
        static NONE: LazyLock<Index> = LazyLock::new(Index::default);
        &NONE
    }

    /// The checksums of a file in this state.
    pub fn checksums(&self, bucket: &str, key: &str, stamp: &FileStamp) -> Option<Checksums> {
        let (known, checksums) = self.entries.get(&format!("{bucket}/{key}"))?;
        (known == stamp).then_some(*checksums)
    }
}

fn parse(text: &str) -> Option<HashMap<String, (FileStamp, Checksums)>> {
    let (head, lines) = text.split_once('\n')?;
    let sum = head.strip_prefix(HEAD)?;
    if const_hex::encode(Checksums::sha256(lines.as_bytes())) != sum {
        return None;
    }
    lines.lines().map(entry).collect()
}

fn entry(line: &str) -> Option<(String, (FileStamp, Checksums))> {
    let mut fields = line.splitn(8, ' ');
    let stamp = FileStamp {
        size: fields.next()?.parse().ok()?,
        modified: fields.next()?.parse().ok()?,
        changed: fields.next()?.parse().ok()?,
        inode: fields.next()?.parse().ok()?,
    };
    let checksums = Checksums {
        sha256: const_hex::decode_to_array(fields.next()?).ok()?,
        md5: const_hex::decode_to_array(fields.next()?).ok()?,
        crc32: fields.next()?.parse().ok()?,
    };
    let name = serde_json::from_str(fields.next()?).ok()?;
    Some((name, (stamp, checksums)))
}

/// Where the index of a world is, and who may read it. It has the names of all files.
pub struct Place {
    path: PathBuf,
    readers: Readers,
}

impl Place {
    /// `None` if there is no cache folder for it.
    pub fn of(journal: &Journal) -> Option<Self> {
        if journal.exists() {
            return Some(Place {
                path: journal.hidden("index"),
                readers: Readers::Umask,
            });
        }
        let root = fs::canonicalize(journal.root()).ok()?;
        let name = const_hex::encode(Checksums::sha256(root.as_os_str().as_encoded_bytes()));
        Some(Place {
            path: files::cache_folder()?.join("folders").join(name),
            readers: Readers::Owner,
        })
    }
}

/// What is known of the files of a state.
pub struct Known {
    lines: String,
    files: usize,
    bytes: u64,
}

impl Known {
    /// Collects it.
    pub fn of(state: &Buckets) -> Self {
        let mut known = Known {
            lines: String::new(),
            files: 0,
            bytes: 0,
        };
        for (name, bucket) in state.buckets() {
            for (key, object) in bucket.objects.iter() {
                let file = object.content.file();
                if let Some((stamp, checksums)) = file.and_then(|file| file.for_index()) {
                    known.files += 1;
                    known.bytes += stamp.size;
                    known.add(&format!("{name}/{key}"), &stamp, checksums);
                }
            }
        }
        known
    }

    fn add(&mut self, name: &str, stamp: &FileStamp, checksums: &Checksums) {
        let _ = writeln!(
            self.lines,
            "{} {} {} {} {} {} {} {}",
            stamp.size,
            stamp.modified,
            stamp.changed,
            stamp.inode,
            const_hex::encode(checksums.sha256),
            const_hex::encode(checksums.md5),
            checksums.crc32,
            serde_json::Value::from(name),
        );
    }

    /// A print, to see whether something else is known.
    pub fn print(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.lines.hash(&mut hasher);
        hasher.finish()
    }

    /// Whether reading these files again takes more than a moment.
    pub fn took_long(&self) -> bool {
        self.files >= LONG_FILES || self.bytes >= LONG_BYTES
    }

    /// Writes an index. A link that is there is replaced, and not what it names: the folder may
    /// come from somebody else.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, place: &Place) -> io::Result<()> {
        let folder = place.path.parent().unwrap_or(&place.path);
        if place.readers == Readers::Owner {
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(folder)?;
        }
        let sum = const_hex::encode(Checksums::sha256(self.lines.as_bytes()));
        let mut file = Pending::within(folder, &place.path, place.readers)?;
        file.write(format!("{HEAD}{sum}\n").as_bytes())?;
        file.write(self.lines.as_bytes())?;
        file.keep()
    }
}

/// From how many files on, and from how many bytes, reading takes more than a moment.
const LONG_FILES: usize = 1000;
const LONG_BYTES: u64 = 32 << 20;
