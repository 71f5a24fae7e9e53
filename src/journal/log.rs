//! The file of a journal. Lines are only ever added, and each is on the disk before its
//! entry has consequences.
//!
//! ```text
//! {"n":1,"at":"2026-11-21T20:13:01Z","entry":{"begin":{…}},"crc":"5b2f0c11"}
//! ```
//!
//! `n` counts from 1. `crc` is the CRC-32 (IEEE) of the previous line's checksum as four bytes,
//! big end first (zeros before the first line), and of the bytes of the line up to `,"crc"`.
//! Changing, dropping or moving a line breaks the checksums that follow. A last line without a
//! line break, or with a wrong checksum, was being written when the writer was cut off; its
//! entry had no consequences.

use super::entry::{Entry, VERSION};
use crate::error::{Error, Result};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The longest line that is written or read, in bytes.
pub(super) const LONGEST: usize = 256 << 20;
/// The length of a line's end, which its checksum does not cover: `,"crc":"01234567"}`.
const TAIL: usize = 18;

/// A line of a journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its number, from 1.
    pub number: u64,
    /// When it was written.
    pub at: Timestamp,
    /// Its content.
    pub entry: Entry,
}

/// The contents of a journal's file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lines {
    /// The whole lines.
    pub lines: Vec<Line>,
    /// Their length in bytes.
    pub bytes: usize,
    /// The checksum of the last one.
    pub sum: u32,
    /// The partial line after them, if writing was cut off.
    pub torn: Option<Torn>,
}

/// A line that was cut off while it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Torn {
    /// Its number, from 1.
    pub line: u64,
    /// How many bytes of it are there.
    pub bytes: usize,
}

/// A journal was changed after it was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct Damage {
    /// The number of the first bad line, from 1.
    pub line: u64,
    /// The mistake in it.
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
/// [`Damage`] if a line before the last was changed, or a line has no meaning.
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
                    "its checksum does not match its content: the line was changed, or a line \
                     before it was removed"
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

/// The checksum of a line, if it is right and the line ends with a line break.
fn checked(line: &[u8], before: u32) -> Option<u32> {
    let line = line.strip_suffix(b"\n")?;
    let (head, tail) = line.split_at_checked(line.len().checked_sub(TAIL)?)?;
    let sum = sum(head, before);
    (tail == tail_of(sum).as_bytes()).then_some(sum)
}

/// Whether these bytes begin with a line with the right checksum, followed by more.
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
        at: at.map_err(|_| format!("{:?} is not a time", whole.at))?,
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

/// Ends a line, of which the bytes up to `,"crc"` are given, with its checksum. `before` is
/// the checksum of the previous line, 0 for the first. Returns the line and its checksum.
pub fn seal(mut head: Vec<u8>, before: u32) -> (Vec<u8>, u32) {
    let sum = sum(&head, before);
    head.extend_from_slice(tail_of(sum).as_bytes());
    head.push(b'\n');
    (head, sum)
}

/// The bytes of a line, and its checksum.
///
/// # Errors
/// [`Error::usage`] if it would be too long.
pub fn write(line: &Line, before: u32) -> Result<(Vec<u8>, u32)> {
    write_within(line, before, LONGEST)
}

pub(super) fn write_within(line: &Line, before: u32, longest: usize) -> Result<(Vec<u8>, u32)> {
    let head = Head {
        n: line.number,
        at: line.at.to_string(),
        entry: &line.entry,
    };
    let cannot =
        |why: String| Error::usage(format!("an entry of the journal cannot be kept: {why}"));
    let mut head = serde_json::to_vec(&head).map_err(|error| cannot(error.to_string()))?;
    head.pop();
    if head.len() + TAIL >= longest {
        return Err(cannot(format!("it is longer than {longest} bytes")));
    }
    Ok(seal(head, before))
}

/// Reads the file of a journal, which another process may be writing.
///
/// # Errors
/// [`Error::File`] if it cannot be read; [`Error::Content`] if it was changed.
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
