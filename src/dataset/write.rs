//! Writing several files, all or none.

use crate::error::{Error, Result};
use crate::files::{Pending, Readers};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// How many files were written, and how many needed no write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Files that did not exist.
    pub new: usize,
    /// Files that had other content.
    pub replaced: usize,
    /// Files that had this content already.
    pub same: usize,
}

/// Writes files, and creates their folders. If a file with other content exists and `replace`
/// is false, nothing is written at all.
///
/// Every file is first written beside its place and then renamed, so that no file is ever
/// half written, and a full disk changes none.
///
/// # Errors
/// A file with another content is there, or something cannot be read or written.
pub fn write(files: &[(PathBuf, String)], replace: bool) -> Result<Written> {
    let mut written = Written::default();
    let mut others: Vec<String> = Vec::new();
    let mut waiting = Vec::new();
    for (path, text) in files {
        match fs::read(path) {
            Ok(there) if there == text.as_bytes() => {
                written.same += 1;
                continue;
            }
            Ok(_) => {
                written.replaced += 1;
                others.push(path.display().to_string());
            }
            Err(error) if error.kind() == ErrorKind::NotFound => written.new += 1,
            Err(error) => return Err(Error::file("cannot read", path)(error)),
        }
        waiting.push((path, text));
    }
    if !others.is_empty() && !replace {
        let more = match others.len() {
            0..4 => String::new(),
            n => format!(" and {} more", n - 3),
        };
        others.truncate(3);
        return Err(Error::usage(format!(
            "nothing was written, because other content would be lost: {}{more}; \
             --force replaces it",
            others.join(", ")
        )));
    }
    let mut pending = Vec::new();
    for (path, text) in waiting {
        let folder = path.parent().unwrap_or(Path::new(""));
        let file = fs::create_dir_all(folder)
            .and_then(|()| Pending::beside(path, Readers::Umask))
            .and_then(|mut file| file.write(text.as_bytes()).map(|()| file))
            .map_err(Error::file("cannot write", path))?;
        pending.push((path, file));
    }
    for (path, file) in pending {
        file.keep().map_err(Error::file("cannot write", path))?;
    }
    Ok(written)
}
