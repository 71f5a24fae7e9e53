//! The file of a journal: lines that are only ever added, each on the disk before what it
//! speaks of has consequences.
//!
//! ```text
//! {"n":1,"at":"2026-11-21T20:13:01Z","entry":{"begin":{…}},"crc":"5b2f0c11"}
//! ```
//!
//! `n` counts from 1. `crc` is the CRC-32 (IEEE) of the previous line's as four bytes, big
//! end first (zeros before the first line), and of the bytes of the line up to `,"crc"`: no
//! line can be changed, dropped or moved without a difference further down. A last line
//! that has no line break or another checksum was being written when the writer was cut
//! off: nothing came of what it says.

use super::entry::{Entry, VERSION};
use crate::error::{Error, Result};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// A longer line is neither written nor read, in bytes.
const LONGEST: usize = 256 << 20;
/// What follows the bytes that a checksum is of: `,"crc":"01234567"}`.
const TAIL: usize = 18;

/// A line of a journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Which one, from 1.
    pub number: u64,
    /// When it was written.
    pub at: Timestamp,
    /// What it says.
    pub entry: Entry,
}

/// What a journal's bytes hold.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lines {
    /// The whole lines.
    pub lines: Vec<Line>,
    /// So many bytes they have.
    pub bytes: usize,
    /// The last one's checksum.
    pub sum: u32,
    /// What follows them, where the writing of a line was cut off.
    pub torn: Option<Torn>,
}

/// A line whose writing was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Torn {
    /// Which one, from 1.
    pub line: u64,
    /// So many bytes of it are there.
    pub bytes: usize,
}

/// A journal is not what was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct Damage {
    /// Where, from 1.
    pub line: u64,
    /// What differs from what should be there.
    pub problem: String,
}

#[derive(Serialize)]
struct Head<'a> {
    n: u64,
    at: String,
    entry: &'a Entry,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    n: u64,
    at: String,
    entry: Entry,
    #[serde(rename = "crc")]
    _crc: String,
}

/// The beginning of a journal of any version.
#[derive(Deserialize)]
struct AnyBegin {
    entry: AnyEntry,
}

#[derive(Deserialize)]
struct AnyEntry {
    begin: AnyVersion,
}

#[derive(Deserialize)]
struct AnyVersion {
    version: u64,
}

/// Reads the bytes of a journal, in linear time.
///
/// # Errors
/// Something before the last line is not what was written, or a line means nothing.
pub fn read(bytes: &[u8]) -> Result<Lines, Damage> {
    let mut lines = Lines::default();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let number = lines.lines.len() as u64 + 1;
        let damage = |problem: String| Damage {
            line: number,
            problem,
        };
        let Some(sum) = checked(line, lines.sum) else {
            if lines.bytes + line.len() < bytes.len() {
                return Err(damage(
                    "its checksum is not that of what stands there: it was changed, or a line \
                     before it was taken away"
                        .to_owned(),
                ));
            }
            if has_seal(line, lines.sum) {
                return Err(damage("the line break behind it was changed".to_owned()));
            }
            lines.torn = Some(Torn {
                line: number,
                bytes: line.len(),
            });
            break;
        };
        lines.lines.push(parse(line, number).map_err(damage)?);
        lines.bytes += line.len();
        lines.sum = sum;
    }
    Ok(lines)
}

/// The checksum of a line, when it is right and the line has an end.
fn checked(line: &[u8], before: u32) -> Option<u32> {
    let line = line.strip_suffix(b"\n")?;
    let (head, tail) = line.split_at_checked(line.len().checked_sub(TAIL)?)?;
    let sum = sum(head, before);
    (tail == tail_of(sum).as_bytes()).then_some(sum)
}

/// Whether these bytes begin with a line whose checksum is right, and go on.
fn has_seal(bytes: &[u8], before: u32) -> bool {
    const START: &[u8] = b",\"crc\":\"";
    let mut sum = crc32fast::Hasher::new();
    sum.update(&before.to_be_bytes());
    let mut summed = 0;
    let starts = bytes.windows(START.len()).enumerate();
    for (at, _) in starts.filter(|(_, window)| *window == START) {
        sum.update(bytes.get(summed..at).unwrap_or_default());
        summed = at;
        let rest = bytes.get(at..).unwrap_or_default();
        let tail = tail_of(sum.clone().finalize());
        if rest.starts_with(tail.as_bytes()) && rest.len() > TAIL {
            return true;
        }
    }
    false
}

fn parse(line: &[u8], number: u64) -> Result<Line, String> {
    if line.len() > LONGEST {
        return Err(format!("it is longer than {LONGEST} bytes"));
    }
    if number == 1 {
        let begin: AnyBegin = serde_json::from_slice(line)
            .map_err(|_| "it is not the beginning of a journal".to_owned())?;
        let version = begin.entry.begin.version;
        if version != u64::from(VERSION) {
            return Err(format!(
                "the journal has version {version}, and this program reads version {VERSION}: \
                 use the dialog2api that wrote it"
            ));
        }
    }
    let whole: Whole = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    if whole.n != number {
        return Err(format!("it says that it is line {}", whole.n));
    }
    if number > 1 && matches!(whole.entry, Entry::Begin(_)) {
        return Err("a journal begins once".to_owned());
    }
    let at = whole.at.parse();
    Ok(Line {
        number,
        at: at.map_err(|_| format!("{:?} is no time", whole.at))?,
        entry: whole.entry,
    })
}

fn sum(head: &[u8], before: u32) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&before.to_be_bytes());
    sum.update(head);
    sum.finalize()
}

fn tail_of(sum: u32) -> String {
    format!(",\"crc\":\"{sum:08x}\"}}")
}

/// Makes a line of its bytes up to `,"crc"`: with the checksum after that of the line
/// before, which for the first is 0. The second is the new line's.
pub fn seal(mut head: Vec<u8>, before: u32) -> (Vec<u8>, u32) {
    let sum = sum(&head, before);
    head.extend_from_slice(tail_of(sum).as_bytes());
    head.push(b'\n');
    (head, sum)
}

/// The bytes of a line, and its checksum.
///
/// # Errors
/// It would be longer than any line may be.
pub fn write(line: &Line, before: u32) -> Result<(Vec<u8>, u32)> {
    let head = Head {
        n: line.number,
        at: line.at.to_string(),
        entry: &line.entry,
    };
    let cannot =
        |why: String| Error::Usage(format!("an entry of the journal cannot be kept: {why}"));
    let mut head = serde_json::to_vec(&head).map_err(|error| cannot(error.to_string()))?;
    head.pop();
    match head.len() + TAIL < LONGEST {
        true => Ok(seal(head, before)),
        false => Err(cannot(format!("it is longer than {LONGEST} bytes"))),
    }
}

/// A journal that is written.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    bytes: u64,
    last: u64,
    sum: u32,
    /// Whether an earlier line could not be kept.
    broken: bool,
}

impl Log {
    /// Opens the file, or makes it. A torn last line is cut off.
    ///
    /// # Errors
    /// It cannot be read or written, or is not what was written.
    pub fn open(path: &Path) -> Result<(Log, Lines)> {
        let is_new = !path.exists();
        let mut file = File::options()
            .read(true)
            .append(true)
            .create(true)
            .mode(0o600)
            .open(path)
            .map_err(Error::file("cannot write", path))?;
        if is_new && let Some(folder) = path.parent() {
            super::contents::sync_folder(folder)?;
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .map_err(Error::file("cannot read", path))?;
        let lines = read(&bytes).map_err(|damage| damaged(path, &damage))?;
        if lines.torn.is_some() {
            file.set_len(lines.bytes as u64)
                .and_then(|()| file.sync_data())
                .map_err(Error::file("cannot write", path))?;
        }
        let log = Log {
            path: path.to_owned(),
            file,
            bytes: lines.bytes as u64,
            last: lines.lines.len() as u64,
            sum: lines.sum,
            broken: false,
        };
        Ok((log, lines))
    }

    /// Adds a line: it is on the disk when this returns.
    ///
    /// # Errors
    /// It is not; then no further line is taken.
    pub fn append(&mut self, at: Timestamp, entry: Entry) -> Result<Line> {
        if self.broken {
            return Err(Error::Content {
                path: self.path.clone(),
                problem: "an earlier entry could not be kept; end the session and resume it"
                    .to_owned(),
            });
        }
        let line = Line {
            number: self.last + 1,
            at,
            entry,
        };
        let (bytes, sum) = write(&line, self.sum)?;
        let written = self.file.write_all(&bytes);
        if let Err(source) = written.and_then(|()| self.file.sync_data()) {
            self.broken = true;
            // What was written of it would be cut off when the file is opened again.
            let _ = self.file.set_len(self.bytes);
            return Err(Error::file("cannot write to", &self.path)(source));
        }
        self.bytes += bytes.len() as u64;
        (self.last, self.sum) = (line.number, sum);
        Ok(line)
    }
}

/// Reads the file of a journal that perhaps is being written.
///
/// # Errors
/// It cannot be read, or is not what was written.
pub fn read_file(path: &Path) -> Result<Lines> {
    let bytes = std::fs::read(path).map_err(Error::file("cannot read", path))?;
    read(&bytes).map_err(|damage| damaged(path, &damage))
}

pub(super) fn damaged(path: &Path, damage: &Damage) -> Error {
    Error::Content {
        path: path.to_owned(),
        problem: damage.to_string(),
    }
}
