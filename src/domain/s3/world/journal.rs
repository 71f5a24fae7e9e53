//! Changes several files atomically: either the whole change is on disk, or none of it.
//!
//! New contents are first written outside of the tree (`staged/`). Then `journal.json`,
//! which lists the steps, is renamed into place; this commits the change. Then the steps
//! are carried out, and the journal is removed. Each step can be repeated. So if the next
//! opening finds a journal, it carries out all steps again.

use super::manifest::blob_name;
use super::steps::Step;
use crate::error::{Error, Result};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The hidden folder within a world's folder.
pub const HIDDEN: &str = ".dialog2api";

/// The hidden folder of a world.
pub struct Journal {
    root: PathBuf,
    hidden: PathBuf,
}

/// A change that is being staged.
pub struct Change<'j> {
    journal: &'j Journal,
    steps: Vec<Step>,
    staged: usize,
}

impl Journal {
    /// Creates the hidden folder if it does not exist.
    pub fn open(root: &Path) -> Result<Self> {
        let hidden = root.join(HIDDEN);
        for folder in [
            hidden.clone(),
            hidden.join("buckets"),
            hidden.join("blobs"),
            hidden.join("versions"),
            hidden.join("staged"),
            hidden.join("replaced"),
        ] {
            match fs::create_dir(&folder) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                    return Err(Error::file("cannot create the folder", &folder)(error));
                }
                _ => {}
            }
            let metadata =
                fs::symlink_metadata(&folder).map_err(Error::file("cannot read", &folder))?;
            if !metadata.is_dir() {
                return Err(Error::Content {
                    path: folder,
                    problem: "a folder was expected, not a file or a link".to_owned(),
                });
            }
        }
        Ok(Journal {
            root: root.to_owned(),
            hidden,
        })
    }

    /// The folder of the world.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path in the hidden folder.
    pub fn hidden(&self, name: &str) -> PathBuf {
        self.hidden.join(name)
    }

    /// The manifest of a bucket.
    pub fn manifest(&self, bucket: &str) -> PathBuf {
        self.hidden.join("buckets").join(format!("{bucket}.json"))
    }

    /// The log of a bucket's manifest.
    pub fn manifest_log(&self, bucket: &str) -> PathBuf {
        self.hidden.join("buckets").join(format!("{bucket}.log"))
    }

    /// Removes contents that an earlier process set aside for its forks.
    pub fn forget_replaced(&self) -> Result<()> {
        remove_files(&self.hidden("replaced"))
    }

    /// Begins a change.
    pub fn change(&self) -> Change<'_> {
        Change {
            journal: self,
            steps: Vec::new(),
            staged: 0,
        }
    }

    /// Finishes an interrupted change, and removes files that were only staged.
    pub fn recover(&self) -> Result<()> {
        let path = self.hidden("journal.json");
        match fs::read(&path) {
            Ok(text) => {
                let steps: Vec<Step> =
                    serde_json::from_slice(&text).map_err(|error| Error::Content {
                        path: path.clone(),
                        problem: format!(
                            "damaged, so an interrupted change cannot be finished: {error}"
                        ),
                    })?;
                self.carry_out(&steps)?;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(Error::file("cannot read", &path)(error)),
        }
        remove_files(&self.hidden("staged"))
    }

    fn carry_out(&self, steps: &[Step]) -> Result<()> {
        let mut touched = BTreeSet::new();
        for step in steps {
            self.step(step, &mut touched)?;
        }
        for folder in touched {
            sync_dir(&folder)?;
        }
        let path = self.hidden("journal.json");
        absent_is_fine(fs::remove_file(&path)).map_err(Error::file("cannot remove", &path))?;
        sync_dir(&self.hidden)
    }

    /// The file for a key's content that has no place in the tree.
    pub fn blob(&self, bucket: &str, key: &str) -> PathBuf {
        self.hidden("blobs").join(blob_name(bucket, key))
    }

    /// The file for the content of older versions.
    pub fn version(&self, sha256: &[u8; 32]) -> PathBuf {
        self.hidden("versions").join(const_hex::encode(sha256))
    }

    pub(super) fn damaged(&self, problem: String) -> Error {
        Error::Content {
            path: self.hidden("journal.json"),
            problem: format!("an interrupted change cannot be finished: {problem}"),
        }
    }
}

impl Change<'_> {
    /// Adds a step.
    pub fn step(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Writes a file outside of the tree. Returns its name, for use in a step.
    pub fn stage(&mut self, content: &[u8]) -> Result<String> {
        let name = self.staged.to_string();
        self.staged += 1;
        write(&self.journal.hidden("staged").join(&name), content)?;
        Ok(name)
    }

    /// Commits the change. If this fails, nothing has changed.
    pub fn commit(self) -> Result<Committed> {
        let text =
            serde_json::to_vec(&self.steps).map_err(|error| Error::World(error.to_string()))?;
        let staged = self.journal.hidden("staged").join("journal");
        write(&staged, &text)?;
        sync_dir(&self.journal.hidden("staged"))?;
        let path = self.journal.hidden("journal.json");
        fs::rename(&staged, &path).map_err(Error::file("cannot write", &path))?;
        // It is too late for an error, because the change is committed.
        let synced = sync_dir(&self.journal.hidden);
        Ok(Committed {
            steps: self.steps,
            synced,
        })
    }
}

/// A committed change whose steps still have to be carried out.
pub struct Committed {
    steps: Vec<Step>,
    synced: Result<()>,
}

impl Committed {
    /// Carries out the steps. If this fails, the next change or opening does the rest.
    pub fn finish(self, journal: &Journal) -> Result<()> {
        self.synced?;
        journal.carry_out(&self.steps)
    }

    /// Carries out only the first steps, as if the power failed then. Returns whether
    /// there are more.
    #[cfg(test)]
    pub fn interrupt_after(self, journal: &Journal, steps: usize) -> Result<bool> {
        let mut touched = BTreeSet::new();
        for step in self.steps.iter().take(steps) {
            journal.step(step, &mut touched)?;
        }
        Ok(steps < self.steps.len())
    }
}

fn write(path: &Path, content: &[u8]) -> Result<()> {
    let written = File::create(path).and_then(|mut file| {
        file.write_all(content)?;
        file.sync_all()
    });
    written.map_err(Error::file("cannot write", path))
}

/// Removes all files of a folder.
fn remove_files(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(Error::file("cannot read", folder))? {
        let path = entry.map_err(Error::file("cannot read", folder))?.path();
        fs::remove_file(&path).map_err(Error::file("cannot remove", &path))?;
    }
    Ok(())
}

/// Makes sure that renames and removals in a folder survive a power failure.
fn sync_dir(folder: &Path) -> Result<()> {
    if cfg!(unix) {
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        // The folder may have been removed.
        absent_is_fine(synced).map_err(Error::file("cannot write", folder))?;
    }
    Ok(())
}

/// Treats a missing file as success.
pub(super) fn absent_is_fine(result: std::io::Result<()>) -> std::io::Result<()> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
