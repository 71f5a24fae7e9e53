//! Stamps of files, which tell two states of a file apart without reading it.

use super::folders::{self, Named};
use crate::domain::Mark;
use cap_std::fs::{Metadata, MetadataExt};
use cap_std::time::SystemTime;
use std::io;

/// Size and times of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    pub size: u64,
    /// When its content was last written, as it says: anybody can set it. In nanoseconds since
    /// 1970.
    pub modified: i128,
    /// When anything of it last changed, which the system keeps; `None` for a file that is not
    /// there yet. In nanoseconds since 1970.
    pub changed: Option<i128>,
}

impl Stamp {
    /// The stamp of a file; none if there is none.
    ///
    /// # Errors
    /// The file system's.
    pub fn of(named: &Named<'_>) -> io::Result<Option<Stamp>> {
        match named.folder.dir.metadata(named.inner()) {
            Ok(found) => folders::check(&found).map(|()| Some(Stamp::from(&found))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The mark of a file in plans. It has both times: a file that was written again may have
    /// its size and its first time as before.
    pub fn mark(self) -> Mark {
        Mark {
            tag: match self.changed {
                Some(changed) => format!("{}@{changed}", self.modified),
                None => self.modified.to_string(),
            },
            size: self.size,
            version: None,
            summary: None,
        }
    }
}

impl From<&Metadata> for Stamp {
    fn from(found: &Metadata) -> Self {
        let since = found.modified().map(|time| {
            let epoch = SystemTime::from_std(std::time::UNIX_EPOCH);
            time.duration_since(epoch).unwrap_or_default().as_nanos()
        });
        Stamp {
            size: found.len(),
            modified: since
                .ok()
                .and_then(|nanos| nanos.try_into().ok())
                .unwrap_or_default(),
            changed: Some(
                i128::from(found.ctime()) * 1_000_000_000 + i128::from(found.ctime_nsec()),
            ),
        }
    }
}
