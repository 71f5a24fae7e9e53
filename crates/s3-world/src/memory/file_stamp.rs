//! What tells one state of a file from another without reading the file.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The state of a file as its file system tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileStamp {
    /// The size in bytes.
    pub size: u64,
    /// When the content was last written, in nanoseconds.
    pub modified: i64,
    /// When the content or anything else of the file was last changed, a link or a name
    /// included. 0 where the system does not tell it.
    pub changed: i64,
    /// Which file it is. 0 where the system does not tell it.
    pub inode: u64,
}

/// File systems tell times by a clock that stands still for up to this many nanoseconds.
const TICK: i64 = 20_000_000;

/// The tick of file systems that keep times in whole seconds.
const COARSE_TICK: i64 = 2_000_000_000;

impl FileStamp {
    /// The state in which a file was found.
    pub fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let (changed, inode) = {
            use std::os::unix::fs::MetadataExt;
            let changed = metadata.ctime().saturating_mul(1_000_000_000);
            (
                changed.saturating_add(metadata.ctime_nsec()),
                metadata.ino(),
            )
        };
        #[cfg(not(unix))]
        let (changed, inode) = (0, 0);
        FileStamp {
            size: metadata.len(),
            modified: metadata.modified().map_or(0, nanos),
            changed,
            inode,
        }
    }

    /// Whether the content may have changed since and the file still has this stamp, because it
    /// was written in the same tick of the clock in which it was `seen`.
    pub fn is_young(&self, seen: i64) -> bool {
        let tick = match self.modified % 1_000_000_000 {
            0 => COARSE_TICK,
            _ => TICK,
        };
        seen.saturating_sub(self.modified).saturating_abs() < tick
    }

    /// Whether both are of the same content, even if the file got another name or link between.
    pub fn is_same_content(&self, other: &FileStamp) -> bool {
        let content = |stamp: &FileStamp| (stamp.size, stamp.modified, stamp.inode);
        content(self) == content(other)
    }
}

/// The time now, as stamps have it.
pub fn now() -> i64 {
    nanos(SystemTime::now())
}

fn nanos(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH);
    let nanos = since.map(|since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX));
    nanos.unwrap_or_default()
}

/// What makes an open return at once, whatever there is by then.
#[expect(
    clippy::cast_possible_wrap,
    reason = "the flags of the system are of this type"
)]
pub const NO_WAITING: i32 = rustix::fs::OFlags::NONBLOCK.bits() as i32;

/// Opens a file for reading, if it is one: links are not followed, and pipes and devices, which
/// could keep the reader waiting, are not opened.
///
/// # Errors
/// There is no such file, or it cannot be read.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let found = fs::symlink_metadata(path)?;
    let refused = || io::Error::other("not a file but a link, a folder or a device");
    if !found.is_file() {
        return Err(refused());
    }
    let mut options = File::options();
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, NO_WAITING);
    let file = options.read(true).open(path)?;
    // Somebody may have put a link there between the two looks.
    match FileStamp::of(&file.metadata()?).inode == FileStamp::of(&found).inode {
        true => Ok(file),
        false => Err(io::ErrorKind::NotFound.into()),
    }
}
