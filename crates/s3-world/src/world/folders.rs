//! The folders of a world as they were when they were last read. The time of a folder changes
//! when a file in it appears, goes or gets another name, so that a look at the folders finds
//! what a person has added and removed, without a look at every file.

use crate::memory::{FileStamp, now_of_files};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The folders by bucket and by their prefix, which is empty for that of the bucket.
#[derive(Debug, Default)]
pub struct Folders {
    /// The folder of the world.
    pub top: Option<Folder>,
    /// The folders of each bucket.
    pub of: BTreeMap<String, BTreeMap<String, Folder>>,
}

/// The state of a folder, and when it was found in it.
#[derive(Debug, Clone, Copy)]
pub struct Folder {
    stamp: FileStamp,
    at: i64,
}

impl Folder {
    /// Looks at a folder that is about to be read; `None` if there is none.
    pub fn look(path: &Path) -> Option<Folder> {
        let at = now_of_files();
        let found = fs::symlink_metadata(path).ok()?;
        let stamp = FileStamp::of(&found);
        found.is_dir().then_some(Folder { stamp, at })
    }

    /// Whether the folder surely has the same entries still.
    pub fn is_same(&self, path: &Path) -> bool {
        let now = Folder::look(path);
        now.is_some_and(|now| now.stamp == self.stamp) && !self.stamp.is_young(self.at)
    }
}
