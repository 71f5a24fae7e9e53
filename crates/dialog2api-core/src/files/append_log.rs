//! Files to which records are only ever added.

use super::Disk;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// How much is read at once to find the last line.
const BLOCK: u64 = 64 << 10;

/// A file that only grows, by whole records.
///
/// A last record without its end was being written when its writer ended, and nothing has followed
/// from it. So it does not count: readers leave it out ([`whole_lines`]), and whoever writes next
/// cuts it off, after having found that the records before it are its own. A record that cannot
/// be written leaves the file as it was.
#[derive(Debug)]
pub struct AppendLog {
    disk: Box<dyn Disk>,
    /// The length of the whole records.
    whole: u64,
    /// Whether a part of a record behind them could not be removed.
    is_torn: bool,
}

impl AppendLog {
    /// Opens a file to append to it. Its whole records have this length; the rest is cut off.
    ///
    /// # Errors
    /// The disk fails.
    pub fn after(mut disk: Box<dyn Disk>, whole: u64) -> io::Result<AppendLog> {
        if disk.length()? > whole {
            disk.cut(whole)?;
            disk.sync()?;
        }
        Ok(AppendLog {
            disk,
            whole,
            is_torn: false,
        })
    }

    /// Goes on behind the last whole line of a file, which is open to be read and appended to.
    ///
    /// # Errors
    /// The disk fails.
    pub fn of_lines(file: File) -> io::Result<AppendLog> {
        let whole = length_of_lines(&file)?;
        AppendLog::after(Box::new(file), whole)
    }

    /// The length of the whole records.
    pub fn length(&self) -> u64 {
        self.whole
    }

    /// Adds whole records, all of them or none. They are on the disk when this returns.
    ///
    /// # Errors
    /// The disk fails. Then none of them is there.
    pub fn append(&mut self, records: &[u8]) -> io::Result<()> {
        self.add(records, true)
    }

    /// The same, but a power cut may still take them away.
    ///
    /// # Errors
    /// As [`append`](Self::append).
    pub fn append_soon(&mut self, records: &[u8]) -> io::Result<()> {
        self.add(records, false)
    }

    fn add(&mut self, records: &[u8], is_waited_for: bool) -> io::Result<()> {
        if self.is_torn {
            // Otherwise the next record would go on where the partial one ends.
            self.disk.cut(self.whole)?;
            self.is_torn = false;
        }
        let added = self.disk.add(records);
        let added = added.and_then(|()| match is_waited_for {
            true => self.disk.sync(),
            false => Ok(()),
        });
        match added {
            Ok(()) => self.whole += records.len() as u64,
            Err(_) => self.is_torn = self.disk.cut(self.whole).is_err(),
        }
        added
    }
}

/// The whole lines of a file that grows line by line, and the beginning of a last one that was cut
/// off.
pub fn whole_lines(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes.iter().rposition(|byte| *byte == b'\n');
    bytes.split_at(end.map_or(0, |end| end + 1))
}

/// The length of the whole lines of a file, which is read from its end.
fn length_of_lines(file: &File) -> io::Result<u64> {
    let mut end = file.metadata()?.len();
    let mut block = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        block.resize(usize::try_from(end - start).unwrap_or_default(), 0);
        file.read_exact_at(&mut block, start)?;
        let whole = whole_lines(&block).0.len() as u64;
        if whole > 0 {
            return Ok(start + whole);
        }
        end = start;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::ops::Range;
    use std::path::Path;

    fn opened(path: &Path) -> File {
        let mut options = File::options();
        let file = options.read(true).append(true).create(true).open(path);
        file.expect("a file")
    }

    /// A disk whose operations of these numbers fail, counted from 0. Half of what is to be added
    /// is written before that.
    #[derive(Debug)]
    struct Failing(File, usize, Range<usize>);

    impl Failing {
        fn operate(&mut self) -> io::Result<()> {
            self.1 += 1;
            match self.2.contains(&(self.1 - 1)) {
                true => Err(io::Error::other("a bad disk")),
                false => Ok(()),
            }
        }
    }

    impl Disk for Failing {
        fn length(&self) -> io::Result<u64> {
            self.0.length()
        }

        fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
            match self.operate() {
                Ok(()) => self.0.add(bytes),
                Err(error) => {
                    self.0.add(&bytes[..bytes.len() / 2])?;
                    Err(error)
                }
            }
        }

        fn sync(&mut self) -> io::Result<()> {
            self.operate()
        }

        fn cut(&mut self, length: u64) -> io::Result<()> {
            self.operate()?;
            self.0.cut(length)
        }
    }

    #[test]
    fn a_line_that_was_cut_off_does_not_count_and_swallows_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let long = "x".repeat(200_000);
        for (before, after) in [
            ("", "new\n"),
            ("one\n", "one\nnew\n"),
            ("one\ntw", "one\nnew\n"),
            ("tw", "new\n"),
            (&*format!("one\n{long}"), "one\nnew\n"),
            (&*format!("{long}\ntw"), &*format!("{long}\nnew\n")),
        ] {
            let path = folder.path().join("log");
            fs::write(&path, before).expect("written");
            let (whole, rest) = whole_lines(before.as_bytes());
            assert!(!rest.contains(&b'\n') && [whole, rest].concat() == before.as_bytes());
            let mut log = AppendLog::of_lines(opened(&path)).expect("a log");
            log.append(b"new\n").expect("a sound disk");
            assert_eq!(log.length(), after.len() as u64);
            assert!(
                fs::read_to_string(&path).expect("text") == after,
                "{:.20}",
                before
            );
        }
    }

    #[test]
    fn on_a_disk_that_fails_for_a_while_what_was_kept_is_there_and_nothing_else() {
        for first in 0..8 {
            for count in 0..4 {
                let folder = tempfile::tempdir().expect("a folder");
                let path = folder.path().join("log");
                let disk = Failing(opened(&path), 0, first..first + count);
                let mut log = AppendLog::after(Box::new(disk), 0).expect("a log");
                let mut kept = String::new();
                for number in 0..10 {
                    let line = format!("line {number}\n");
                    if log.append(line.as_bytes()).is_ok() {
                        kept += &line;
                    }
                }
                let case = format!("{count} faults from operation {first} on");
                assert_eq!(fs::read_to_string(&path).expect("text"), kept, "{case}");
                assert!(kept.ends_with("line 9\n"), "{case}");
            }
        }
    }
}
