//! Changes several files as one: all of a change is on disk, or none of it.
//!
//! New contents are first written beside the tree (`staged/`). Then `journal.json`,
//! which lists the steps, is renamed into place: from here on the change counts.
//! The steps are carried out, and the journal is removed. Each step can be done
//! twice, so whoever finds a journal at the next opening does all of them again.

use super::manifest::blob_name;
use super::tree;
use crate::domain::s3::names;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The hidden folder within a world's folder.
pub const HIDDEN: &str = ".dialog2api";

/// One step. It has keys, not paths: paths are made and checked when the step is done.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// Creates a bucket's folder.
    MakeBucket { bucket: String },
    /// Removes a bucket's folder, which has no files any more, and its manifest.
    RemoveBucket { bucket: String },
    /// Moves a staged file into the tree.
    MoveFile {
        staged: String,
        bucket: String,
        key: String,
    },
    /// Removes a file from the tree, and folders that are empty then.
    RemoveFile { bucket: String, key: String },
    /// Moves a staged file into the blob folder.
    MoveBlob {
        staged: String,
        bucket: String,
        key: String,
    },
    /// Removes a blob.
    RemoveBlob { bucket: String, key: String },
    /// Replaces the manifest of a bucket.
    MoveManifest { staged: String, bucket: String },
    /// Writes `text` into the log of a bucket's manifest from byte `offset` on, where the
    /// log ends then.
    AppendManifest {
        bucket: String,
        offset: u64,
        text: String,
    },
}

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

    /// Removes the contents that an earlier process has set aside for its forks.
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

    fn step(&self, step: &Step, touched: &mut BTreeSet<PathBuf>) -> Result<()> {
        match step {
            Step::MakeBucket { bucket } => {
                let path = self.bucket(bucket)?;
                match fs::create_dir(&path) {
                    Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                        return Err(Error::file("cannot create the folder", &path)(error));
                    }
                    _ => {}
                }
                touched.insert(self.root.clone());
            }
            Step::RemoveBucket { bucket } => {
                let folder = self.bucket(bucket)?;
                for path in [self.manifest(bucket), self.manifest_log(bucket)] {
                    absent_is_fine(fs::remove_file(&path))
                        .map_err(Error::file("cannot remove", &path))?;
                }
                remove_folders(&folder)?;
                touched.insert(self.root.clone());
            }
            Step::MoveFile {
                staged,
                bucket,
                key,
            } => {
                let path = self.file(bucket, key)?;
                let parent = path.parent().unwrap_or(&self.root);
                fs::create_dir_all(parent)
                    .map_err(Error::file("cannot create the folder", parent))?;
                let below = parent.ancestors().take_while(|folder| *folder != self.root);
                touched.extend(below.map(Path::to_owned));
                self.move_staged(staged, &path)?;
            }
            Step::RemoveFile { bucket, key } => {
                let path = self.file(bucket, key)?;
                absent_is_fine(fs::remove_file(&path))
                    .map_err(Error::file("cannot remove", &path))?;
                let bucket = self.bucket(bucket)?;
                let folders = path
                    .ancestors()
                    .skip(1)
                    .take_while(|folder| *folder != bucket);
                // S3 has no folders, so those that only held this file go with it.
                let mut left =
                    folders.skip_while(|folder| fs::remove_dir(folder).is_ok() || !folder.exists());
                touched.insert(left.next().map_or(bucket.clone(), Path::to_owned));
            }
            Step::MoveBlob {
                staged,
                bucket,
                key,
            } => {
                let path = self.blob(bucket, key);
                self.move_staged(staged, &path)?;
                touched.insert(self.hidden("blobs"));
            }
            Step::RemoveBlob { bucket, key } => {
                let path = self.blob(bucket, key);
                absent_is_fine(fs::remove_file(&path))
                    .map_err(Error::file("cannot remove", &path))?;
            }
            Step::MoveManifest { staged, bucket } => {
                self.bucket(bucket)?;
                self.move_staged(staged, &self.manifest(bucket))?;
                touched.insert(self.hidden("buckets"));
            }
            Step::AppendManifest {
                bucket,
                offset,
                text,
            } => {
                self.bucket(bucket)?;
                self.append(&self.manifest_log(bucket), *offset, text)?;
                touched.insert(self.hidden("buckets"));
            }
        }
        Ok(())
    }

    fn append(&self, path: &Path, offset: u64, text: &str) -> Result<()> {
        let failed = || Error::file("cannot write", path);
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed())?;
        if file.metadata().map_err(failed())?.len() < offset {
            return Err(self.damaged(format!("{} is too short", path.display())));
        }
        let written = file
            .set_len(offset)
            .and_then(|()| file.seek(SeekFrom::Start(offset)))
            .and_then(|_| file.write_all(text.as_bytes()))
            .and_then(|()| file.sync_all());
        written.map_err(failed())
    }

    /// Moves a staged file. If it is missing, it was moved before the interruption.
    fn move_staged(&self, staged: &str, to: &Path) -> Result<()> {
        if !staged.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.damaged(format!("\"{staged}\" is not the name of a staged file")));
        }
        let from = self.hidden("staged").join(staged);
        absent_is_fine(fs::rename(&from, to)).map_err(Error::file("cannot write", to))
    }

    fn bucket(&self, bucket: &str) -> Result<PathBuf> {
        if names::is_bucket_name(bucket) {
            return Ok(self.root.join(bucket));
        }
        Err(self.damaged(format!("\"{bucket}\" is no bucket's name")))
    }

    /// The file of a key, which must not lead through a link.
    fn file(&self, bucket: &str, key: &str) -> Result<PathBuf> {
        tree::place(&self.root, bucket, key, true).ok_or_else(|| {
            self.damaged(format!(
                "{bucket}/{key} has no place among the world's files any more"
            ))
        })
    }

    /// The file of a key's content that has no place in the tree.
    pub fn blob(&self, bucket: &str, key: &str) -> PathBuf {
        self.hidden("blobs").join(blob_name(bucket, key))
    }

    fn damaged(&self, problem: String) -> Error {
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

    /// Writes a file beside the tree. Returns its name for a step.
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
        // Too late for an error: the change is committed.
        let synced = sync_dir(&self.journal.hidden);
        Ok(Committed {
            steps: self.steps,
            synced,
        })
    }
}

/// A committed change, whose steps are still to be done.
pub struct Committed {
    steps: Vec<Step>,
    synced: Result<()>,
}

impl Committed {
    /// Does the steps. If this fails, the next change or opening does the rest.
    pub fn finish(self, journal: &Journal) -> Result<()> {
        self.synced?;
        journal.carry_out(&self.steps)
    }

    /// Does the first steps only, as if the power failed then. Returns whether there are more.
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

/// Makes renames and removals in a folder survive a power cut.
fn sync_dir(folder: &Path) -> Result<()> {
    if cfg!(unix) {
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        // The folder may be gone again.
        absent_is_fine(synced).map_err(Error::file("cannot write", folder))?;
    }
    Ok(())
}

/// Removes a folder and its subfolders, except those with files.
fn remove_folders(folder: &Path) -> Result<()> {
    if let Ok(entries) = fs::read_dir(folder) {
        for entry in entries.flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                remove_folders(&entry.path())?;
            }
        }
    }
    match fs::remove_dir(folder) {
        // Somebody has put a file there meanwhile.
        Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => Ok(()),
        other => absent_is_fine(other).map_err(Error::file("cannot remove", folder)),
    }
}

fn absent_is_fine(result: std::io::Result<()>) -> std::io::Result<()> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
