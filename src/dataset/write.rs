//! Writing several files, all or none.

use crate::error::{Error, Result};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What became of the files that were to be written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Those that were not there.
    pub new: usize,
    /// Those that had another content.
    pub replaced: usize,
    /// Those that had this content already.
    pub same: usize,
}

/// Writes files, and makes the folders that they are in. A file with another content is
/// replaced only when `replace` says so; else nothing is written at all.
///
/// Every file is first written beside its place, so that each is the old or the new one
/// and never half, and a full disk changes none.
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
        return Err(Error::Usage(format!(
            "nothing was written, because other content would be lost: {}{more}; \
             --force replaces it",
            others.join(", ")
        )));
    }
    let mut partials = Partials(Vec::new());
    for (path, text) in &waiting {
        let partial = beside(path);
        partials.0.push(partial.clone());
        let folder = path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&partial, text))
            .map_err(Error::file("cannot write", path))?;
    }
    for ((path, _), partial) in waiting.iter().zip(&partials.0) {
        fs::rename(partial, path).map_err(Error::file("cannot write", path))?;
    }
    Ok(written)
}

/// A name for what is not finished, unlike that of any dialogue.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".partial-{}", std::process::id()));
    name.into()
}

/// What lies in the way when it could not be finished.
struct Partials(Vec<PathBuf>);

impl Drop for Partials {
    fn drop(&mut self) {
        for partial in &self.0 {
            // Those in their place are gone from here.
            let _ = fs::remove_file(partial);
        }
    }
}
