//! The checksums of the files of a world, by which an opening need not read the files again:
//! `.dialog2api/index`.
//!
//! It is only a memory: an entry counts if its file is in the state that the entry names, and a
//! damaged index counts for nothing. It is written where the user has written before.

use crate::domain::s3::memory::{Checksums, FileStamp, State, open_regular};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::LazyLock;

/// The first line, before the checksum of what follows.
const HEAD: &str = "files 1 ";

/// The known files.
#[derive(Default)]
pub struct Index {
    entries: HashMap<String, (FileStamp, Checksums)>,
}

impl Index {
    /// Reads the index of a hidden folder.
    pub fn read(hidden: &Path) -> Self {
        let mut text = String::new();
        let read =
            open_regular(&hidden.join("index")).and_then(|mut file| file.read_to_string(&mut text));
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

/// The lines of an index for what is known of a state.
pub fn lines(state: &State) -> String {
    let mut lines = String::new();
    for (name, bucket) in state.buckets() {
        for (key, object) in bucket.objects.iter() {
            let file = object.content.file();
            if let Some((stamp, checksums)) = file.and_then(|file| file.for_index()) {
                let _ = writeln!(
                    lines,
                    "{} {} {} {} {} {} {} {}",
                    stamp.size,
                    stamp.modified,
                    stamp.changed,
                    stamp.inode,
                    const_hex::encode(checksums.sha256),
                    const_hex::encode(checksums.md5),
                    checksums.crc32,
                    serde_json::Value::from(format!("{name}/{key}")),
                );
            }
        }
    }
    lines
}

/// Writes an index of these lines into a hidden folder.
pub fn write(hidden: &Path, lines: &str) -> io::Result<()> {
    let beside = hidden.join("index.new");
    match fs::remove_file(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&beside)?;
    let sum = const_hex::encode(Checksums::sha256(lines.as_bytes()));
    file.write_all(format!("{HEAD}{sum}\n").as_bytes())?;
    file.write_all(lines.as_bytes())?;
    fs::rename(&beside, hidden.join("index"))
}
