//! A journal that is being written.

use super::entry::Entry;
use super::log::{LONGEST, Line, Lines, damaged, read, write_within};
use crate::error::{Error, Result};
use crate::files::AppendLog;
#[cfg(test)]
use crate::files::Disk;
use jiff::Timestamp;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// A journal that is written.
#[derive(Debug)]
pub struct JournalWriter {
    path: PathBuf,
    file: AppendLog,
    last: u64,
    sum: u32,
    /// The longest line, in bytes.
    longest: usize,
    /// Whether an earlier line could not be kept.
    broken: bool,
}

/// The bytes of lines that are short enough to be kept.
#[derive(Debug)]
pub(super) struct Encoded {
    last: u64,
    bytes: Vec<u8>,
    sum: u32,
}

impl JournalWriter {
    /// Opens the file, or creates it. A torn last line is cut off.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read or written; [`Error::Content`] if it was changed.
    pub fn open(path: &Path) -> Result<(JournalWriter, Lines)> {
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
        let file = AppendLog::after(Box::new(file), lines.bytes as u64);
        let log = JournalWriter {
            path: path.to_owned(),
            file: file.map_err(Error::file("cannot write", path))?,
            longest: LONGEST,
            last: lines.lines.len() as u64,
            sum: lines.sum,
            broken: false,
        };
        Ok((log, lines))
    }

    /// Adds a line: it is on the disk when this returns.
    ///
    /// # Errors
    /// [`Error::usage`] if the entry is too long for a line; the log is as it was. Other
    /// errors are the disk's, and the log accepts no further line.
    pub fn append(&mut self, at: Timestamp, entry: Entry) -> Result<()> {
        let (_, encoded) = self.encode(vec![(at, entry)])?;
        self.keep(encoded)
    }

    /// Makes the next lines, one an entry. Nothing is written.
    ///
    /// # Errors
    /// [`Error::usage`] if an entry is too long for a line; [`Error::Content`] if an
    /// earlier line could not be kept.
    pub(super) fn encode(&self, entries: Vec<(Timestamp, Entry)>) -> Result<(Vec<Line>, Encoded)> {
        if self.broken {
            return Err(Error::Content {
                path: self.path.clone(),
                problem: "an earlier entry could not be kept; end the session and resume it"
                    .to_owned(),
            });
        }
        let mut lines = Vec::with_capacity(entries.len());
        let mut encoded = Encoded {
            last: self.last,
            bytes: Vec::new(),
            sum: self.sum,
        };
        for (number, (at, entry)) in (self.last + 1..).zip(entries) {
            let line = Line { number, at, entry };
            let (bytes, sum) = write_within(&line, encoded.sum, self.longest)?;
            encoded.bytes.extend(bytes);
            (encoded.sum, encoded.last) = (sum, number);
            lines.push(line);
        }
        Ok((lines, encoded))
    }

    /// Adds the lines that [`JournalWriter::encode`] made: they are on the disk when this returns. Of
    /// several, a process that ends before that leaves the first ones, or none.
    ///
    /// # Errors
    /// [`Error::File`]; the log accepts no further line.
    pub(super) fn keep(&mut self, encoded: Encoded) -> Result<()> {
        self.add(encoded, true)
    }

    /// The same, but a power cut may still take them away, until further lines are kept.
    ///
    /// # Errors
    /// Those of [`JournalWriter::keep`].
    pub(super) fn keep_soon(&mut self, encoded: Encoded) -> Result<()> {
        self.add(encoded, false)
    }

    fn add(&mut self, encoded: Encoded, is_waited_for: bool) -> Result<()> {
        let Encoded { last, bytes, sum } = encoded;
        let written = match is_waited_for {
            true => self.file.append(&bytes),
            false => self.file.append_soon(&bytes),
        };
        if let Err(source) = written {
            self.broken = true;
            return Err(Error::file("cannot write to", &self.path)(source));
        }
        (self.last, self.sum) = (last, sum);
        Ok(())
    }

    /// Puts another disk in the place of the file, and limits the length of lines.
    #[cfg(test)]
    pub(super) fn with(mut self, longest: usize, disk: impl FnOnce(File) -> Box<dyn Disk>) -> Self {
        let file = File::options().append(true).open(&self.path);
        let disk = disk(file.expect("the file of a log"));
        self.file = AppendLog::after(disk, self.file.length()).expect("a sound disk");
        self.longest = longest;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::Begin;
    use super::super::log::read_file;
    use super::super::recorder::Journal;
    use super::super::state::SessionState;
    use super::*;
    use crate::error::FailureReason;
    use crate::lock::Locked;
    use std::io;
    use std::sync::Arc;
    use tempfile::TempDir;

    /// A disk that fails at one of its operations.
    #[derive(Debug)]
    struct Failing {
        file: File,
        left: usize,
    }

    impl Failing {
        fn is_due(&mut self) -> bool {
            let is_due = self.left == 0;
            self.left = self.left.wrapping_sub(1);
            is_due
        }
    }

    impl Disk for Failing {
        fn length(&self) -> io::Result<u64> {
            self.file.length()
        }

        /// Half of the bytes are written before it fails.
        fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
            if self.is_due() {
                self.file.add(&bytes[..bytes.len() / 2])?;
                return Err(io::Error::other("no room"));
            }
            self.file.add(bytes)
        }

        fn sync(&mut self) -> io::Result<()> {
            if self.is_due() {
                return Err(io::Error::other("a bad disk"));
            }
            self.file.sync()
        }

        fn cut(&mut self, length: u64) -> io::Result<()> {
            self.file.cut(length)
        }
    }

    /// A journal over a disk that fails after so many operations.
    fn journal(folder: &TempDir, operations: usize, longest: usize) -> Journal {
        let folder = folder.path();
        let lock = File::create(folder.join("lock")).expect("a file");
        let lock = Locked::new(lock).expect("nobody else has it");
        let (log, lines) = JournalWriter::open(&folder.join("journal.jsonl")).expect("a log");
        let log = log.with(longest, |file| {
            Box::new(Failing {
                file,
                left: operations,
            })
        });
        let state = SessionState::of(lines.lines).expect("a state");
        let clock = || Timestamp::UNIX_EPOCH;
        Journal::new(
            "test",
            folder,
            lock,
            log,
            (state, lines.torn),
            Arc::new(clock),
        )
    }

    fn on_disk(folder: &TempDir) -> SessionState {
        let lines = read_file(&folder.path().join("journal.jsonl")).expect("lines");
        SessionState::of(lines.lines).expect("a state")
    }

    fn entries() -> Vec<Entry> {
        let said = |turn, user: &str| Entry::Said {
            turn,
            user: user.to_owned(),
            now: None,
        };
        let text = "Hello.".to_owned();
        vec![
            Entry::Begin(Begin::new("letters", "script")),
            said(1, "hello"),
            Entry::Predicted {
                turn: 1,
                updates: Vec::new(),
            },
            Entry::Replied {
                turn: 1,
                text,
                checked: None,
            },
            said(2, "and again"),
            Entry::Ended {},
        ]
    }

    #[test]
    fn memory_never_holds_more_than_a_disk_that_failed() {
        let entries = entries();
        for operations in 0..2 * entries.len() {
            let folder = tempfile::tempdir().expect("a folder");
            let journal = journal(&folder, operations, LONGEST);
            let kept = entries.iter().map(|entry| journal.append(entry.clone()));
            let kept: Vec<bool> = kept.map(|kept| kept.is_ok()).collect();
            let expected: Vec<bool> = (0..entries.len()).map(|n| n < operations / 2).collect();
            assert_eq!(kept, expected, "after {operations} operations");
            assert_eq!(journal.state(), on_disk(&folder), "after {operations}");
            drop(journal);
            // Resumed, the session takes the entries that were refused.
            let resumed = self::journal(&folder, usize::MAX, LONGEST);
            for entry in entries.iter().skip(operations / 2) {
                resumed.append(entry.clone()).expect("a sound disk");
            }
            assert_eq!(resumed.state(), on_disk(&folder));
        }
    }

    #[test]
    fn an_entry_that_is_too_long_does_no_harm() {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = journal(&folder, usize::MAX, 1000);
        let mut entries = entries();
        let rest = entries.split_off(3);
        for entry in entries {
            journal.append(entry).expect("short");
        }
        let text = "Hello. ".repeat(1000);
        let refused = journal.append(Entry::Replied {
            turn: 1,
            text,
            checked: None,
        });
        let error = refused.expect_err("it is too long");
        assert!(error.is(FailureReason::Usage), "{error}");
        assert_eq!(journal.state(), on_disk(&folder));
        for entry in rest {
            journal.append(entry).expect("short");
        }
        assert_eq!(journal.state(), on_disk(&folder));
    }
}
