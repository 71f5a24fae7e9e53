//! Who may read a file: a file keeps the mode that it had when it is written over, and one that
//! comes back, by an undo say, has the mode that it had when it went.

use super::files::absent_is_fine;
use crate::error::{Error, Result};
use dialog2api_core::files::AppendLog;
use std::collections::BTreeMap;
use std::fs;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The most things of which the modes are kept; those that went first are forgotten.
const MOST: usize = 100_000;

/// The modes of files and folders that are gone, by their paths in the world. A line of the file has
/// one: `["album/a.jpg",384]`.
#[derive(Debug, Default)]
pub struct Modes {
    file: PathBuf,
    known: Mutex<Option<BTreeMap<String, u32>>>,
}

impl Modes {
    /// Those that this file has.
    pub fn of(file: PathBuf) -> Modes {
        Modes {
            file,
            known: Mutex::default(),
        }
    }

    /// Remembers the mode of a thing that is about to go, unless a new one would have the same.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn keep(&self, root: &Path, path: &Path) -> Result<()> {
        let (Some(name), Some((mode, is_usual))) = (name(root, path), mode(path)) else {
            return Ok(());
        };
        let line = serde_json::json!([name, mode]).to_string() + "\n";
        // Lines are added one after the other.
        self.with(|known| {
            let is_known = match known.get_mut(&name) {
                Some(before) => std::mem::replace(before, mode) == mode,
                None if is_usual => true,
                None => {
                    known.insert(name, mode);
                    false
                }
            };
            match is_known {
                true => Ok(()),
                false => self.add(&line),
            }
        })
    }

    fn add(&self, line: &str) -> Result<()> {
        let opened = fs::File::options()
            .read(true)
            .append(true)
            .create(true)
            .open(&self.file);
        let log = opened.and_then(AppendLog::of_lines);
        let added = log.and_then(|mut log| log.append_soon(line.as_bytes()));
        added.map_err(Error::file("cannot write", &self.file))
    }

    /// Gives the thing at `now` the mode of what is at `path`, or was there last. `now` may be gone:
    /// it was moved before an interruption.
    ///
    /// # Errors
    /// It may not be changed.
    pub fn give(&self, root: &Path, path: &Path, now: &Path) -> Result<()> {
        let there = fs::symlink_metadata(path)
            .ok()
            .filter(fs::Metadata::is_file);
        let set = match there {
            Some(there) => fs::set_permissions(now, there.permissions()),
            None => match name(root, path)
                .and_then(|name| self.with(|known| known.get(&name).copied()))
            {
                Some(mode) => set(now, mode),
                None => Ok(()),
            },
        };
        absent_is_fine(set).map_err(Error::file("cannot write", now))
    }

    fn with<T>(&self, work: impl FnOnce(&mut BTreeMap<String, u32>) -> T) -> T {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        work(known.get_or_insert_with(|| self.read()))
    }

    fn read(&self) -> BTreeMap<String, u32> {
        let text = fs::read_to_string(&self.file).unwrap_or_default();
        // A last line that is cut off is none.
        let lines = text.lines().rev().take(MOST);
        let mut known = BTreeMap::new();
        for (name, mode) in lines.filter_map(|line| serde_json::from_str(line).ok()) {
            known.entry(name).or_insert(mode);
        }
        known
    }
}

/// The path of a thing in the world.
fn name(root: &Path, path: &Path) -> Option<String> {
    let name = path.strip_prefix(root).ok()?.to_str()?;
    Some(name.to_owned())
}

/// The mode of a thing, and whether most have it.
#[cfg(unix)]
fn mode(path: &Path) -> Option<(u32, bool)> {
    let found = fs::symlink_metadata(path).ok()?;
    let mode = found.permissions().mode() & 0o7777;
    let usual = if found.is_dir() { 0o755 } else { 0o644 };
    (!found.is_symlink()).then_some((mode, mode == usual))
}

#[cfg(unix)]
fn set(path: &Path, mode: u32) -> std::io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn mode(_: &Path) -> Option<(u32, bool)> {
    None
}

#[cfg(not(unix))]
fn set(_: &Path, _: u32) -> std::io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_cut_off_swallows_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, thing) = (folder.path().join("modes.jsonl"), folder.path().join("c"));
        fs::write(&file, "[\"a\",384]\n[\"b\",38").expect("written");
        fs::write(&thing, "").expect("written");
        set(&thing, 0o600).expect("ours");
        (Modes::of(file.clone()).keep(folder.path(), &thing)).expect("kept");
        let text = fs::read_to_string(&file).expect("text");
        assert_eq!(text, "[\"a\",384]\n[\"c\",384]\n");
    }
}
