//! The steps of a change to a world's folder.

use super::files::absent_is_fine;
use super::journal::Journal;
use super::tree;
use crate::error::{Error, Result};
use dialog2api_core::files::AppendLog;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// One step. It contains keys instead of paths: paths are made and checked when the step
/// is carried out.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// Creates a bucket's folder.
    MakeBucket { bucket: String },
    /// Removes a bucket's folder, which contains no more files, and its manifest.
    RemoveBucket { bucket: String },
    /// Moves a staged file into the tree.
    MoveFile {
        staged: String,
        bucket: String,
        key: String,
    },
    /// Removes a file from the tree, and folders that are then empty.
    RemoveFile { bucket: String, key: String },
    /// Moves a staged file into the blob folder.
    MoveBlob {
        staged: String,
        bucket: String,
        key: String,
    },
    /// Removes a blob.
    RemoveBlob { bucket: String, key: String },
    /// Moves a file of the tree to the contents of older versions, unless the content is
    /// there already.
    KeepFile {
        bucket: String,
        key: String,
        sha256: String,
    },
    /// Moves a blob there.
    KeepBlob {
        bucket: String,
        key: String,
        sha256: String,
    },
    /// Moves a staged file there.
    MoveVersion { staged: String, sha256: String },
    /// Removes the content that no version has any more.
    RemoveVersion { sha256: String },
    /// Replaces the manifest of a bucket.
    MoveManifest { staged: String, bucket: String },
    /// Writes `text` at byte `offset` of the log of a bucket's manifest. The log then
    /// ends after `text`.
    AppendManifest {
        bucket: String,
        offset: u64,
        text: String,
    },
}

impl Journal {
    /// Carries out one step. Adds the folders that it has changed to `touched`.
    pub(super) fn step(&self, step: &Step, touched: &mut BTreeSet<PathBuf>) -> Result<()> {
        match step {
            Step::MakeBucket { bucket } => {
                let path = self.bucket(bucket)?;
                match fs::create_dir(&path) {
                    Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                        return Err(Error::file("cannot create the folder", &path)(error));
                    }
                    Err(_) => {}
                    Ok(()) => self.modes.give(self.root(), &path, &path)?,
                }
                touched.insert(self.root().to_owned());
            }
            Step::RemoveBucket { bucket } => {
                let folder = self.bucket(bucket)?;
                for path in [self.manifest(bucket), self.manifest_log(bucket)] {
                    absent_is_fine(fs::remove_file(&path))
                        .map_err(Error::file("cannot remove", &path))?;
                }
                self.remove_folders(&folder)?;
                touched.insert(self.root().to_owned());
            }
            Step::MoveFile {
                staged,
                bucket,
                key,
            } => {
                let path = self.file(bucket, key)?;
                let parent = path.parent().unwrap_or(self.root());
                self.make_folders(parent)?;
                let below = parent
                    .ancestors()
                    .take_while(|folder| *folder != self.root());
                touched.extend(below.map(Path::to_owned));
                // Before the move, so that an interruption never leaves a file open to others.
                let staged_at = self.staged(staged)?;
                self.modes.give(self.root(), &path, &staged_at)?;
                self.move_staged(staged, &path)?;
            }
            Step::RemoveFile { bucket, key } => {
                let path = self.file(bucket, key)?;
                self.modes.keep(self.root(), &path)?;
                absent_is_fine(fs::remove_file(&path))
                    .map_err(Error::file("cannot remove", &path))?;
                let bucket = self.bucket(bucket)?;
                let folders = path
                    .ancestors()
                    .skip(1)
                    .take_while(|folder| *folder != bucket);
                // S3 has no folders, so folders that only contained this file are removed
                // with it.
                let mut left = folders
                    .skip_while(|folder| self.remove_empty(folder).is_ok() || !folder.exists());
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
            Step::KeepFile {
                bucket,
                key,
                sha256,
            } => {
                let path = self.file(bucket, key)?;
                self.modes.keep(self.root(), &path)?;
                self.keep(&path, sha256)?;
                touched.insert(path.parent().unwrap_or(self.root()).to_owned());
                touched.insert(self.hidden("versions"));
            }
            Step::KeepBlob {
                bucket,
                key,
                sha256,
            } => {
                self.keep(&self.blob(bucket, key), sha256)?;
                touched.insert(self.hidden("blobs"));
                touched.insert(self.hidden("versions"));
            }
            Step::MoveVersion { staged, sha256 } => {
                self.move_staged(staged, &self.kept(sha256)?)?;
                touched.insert(self.hidden("versions"));
            }
            Step::RemoveVersion { sha256 } => {
                let path = self.kept(sha256)?;
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
        if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(self.damaged(format!("{} is not a file but a link", path.display())));
        }
        let opened = OpenOptions::new().append(true).create(true).open(path);
        let file = opened.map_err(failed())?;
        if file.metadata().map_err(failed())?.len() < offset {
            return Err(self.damaged(format!("{} is too short", path.display())));
        }
        // An interrupted try may have left bytes behind the offset: they are cut off.
        let log = AppendLog::after(Box::new(file), offset);
        let written = log.and_then(|mut log| log.append(text.as_bytes()));
        written.map_err(failed())
    }

    /// Moves a staged file. If the file is missing, it was moved before the interruption.
    fn move_staged(&self, staged: &str, to: &Path) -> Result<()> {
        let from = self.staged(staged)?;
        absent_is_fine(fs::rename(&from, to)).map_err(Error::file("cannot write", to))
    }

    fn staged(&self, name: &str) -> Result<PathBuf> {
        if !name.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.damaged(format!("\"{name}\" is not the name of a staged file")));
        }
        Ok(self.hidden("staged").join(name))
    }

    /// Makes a folder and those that it lies in, each with the mode that it had.
    fn make_folders(&self, folder: &Path) -> Result<()> {
        let missing = folder.ancestors().take_while(|folder| !folder.exists());
        let missing: Vec<&Path> = missing.collect();
        fs::create_dir_all(folder).map_err(Error::file("cannot create the folder", folder))?;
        // The innermost first: one that nobody may enter is still to be entered.
        let mut missing = missing.into_iter();
        missing.try_for_each(|folder| self.modes.give(self.root(), folder, folder))
    }

    /// Removes a folder in which nothing is.
    fn remove_empty(&self, folder: &Path) -> std::io::Result<()> {
        let kept = self.modes.keep(self.root(), folder);
        kept.map_err(std::io::Error::other)?;
        fs::remove_dir(folder)
    }

    /// Moves a file to the contents of older versions. If the content is there, it was moved
    /// before the interruption, and the file may be a newer one.
    fn keep(&self, from: &Path, sha256: &str) -> Result<()> {
        let to = self.kept(sha256)?;
        if fs::symlink_metadata(&to).is_ok() {
            return Ok(());
        }
        absent_is_fine(fs::rename(from, &to)).map_err(Error::file("cannot write", &to))
    }

    /// The file of a content among those of older versions.
    fn kept(&self, sha256: &str) -> Result<PathBuf> {
        match const_hex::decode_to_array(sha256) {
            Ok(sha256) => Ok(self.version(&sha256)),
            Err(_) => Err(self.damaged(format!("\"{sha256}\" is not a SHA-256"))),
        }
    }

    fn bucket(&self, bucket: &str) -> Result<PathBuf> {
        self.folder(bucket)
            .ok_or_else(|| self.damaged(format!("\"{bucket}\" is no bucket's name")))
    }

    /// The file of a key, which must not lead through a link.
    fn file(&self, bucket: &str, key: &str) -> Result<PathBuf> {
        let folder = self.bucket(bucket)?;
        tree::place(self.root(), &folder, key, true).ok_or_else(|| {
            self.damaged(format!(
                "{bucket}/{key} has no place among the world's files any more"
            ))
        })
    }

    /// Removes a folder and its subfolders, except those with files.
    fn remove_folders(&self, folder: &Path) -> Result<()> {
        if let Ok(entries) = fs::read_dir(folder) {
            for entry in entries.flatten() {
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    self.remove_folders(&entry.path())?;
                }
            }
        }
        match self.remove_empty(folder) {
            // Somebody has added a file in the meantime.
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => Ok(()),
            other => absent_is_fine(other).map_err(Error::file("cannot remove", folder)),
        }
    }
}
