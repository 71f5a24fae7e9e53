//! Reads a folder as a world: each subfolder is a bucket, each file in it an object.
//!
//! Symbolic links are neither followed nor listed, so that nothing outside the folder is
//! read or written. Hidden files and folders at the top level are ignored.

use super::by_hand;
use super::limits::{DiskLimits, Usage};
use super::manifest::{BucketManifest, ObjectManifest, is_named};
use super::manifests::Manifests;
use crate::domain::s3::clock::whole_seconds;
use crate::domain::s3::memory::history::History;
use crate::domain::s3::memory::{Attributes, Blob, Bucket, Content, FileContent, Object, State};
use crate::domain::s3::names::{self, MAX_KEY_BYTES, MAX_OBJECT_BYTES};
use crate::domain::s3::setting_json::from_json;
use crate::error::{Error, Result};
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where the contents are after a folder has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Contents {
    /// In memory.
    Loaded,
    /// In their files.
    InFiles,
}

impl Contents {
    fn read(self, path: &Path, is_blob: bool) -> Result<Content> {
        let content = match self {
            Contents::Loaded => {
                fs::read(path).map(|content| Content::Here(Blob::new(content.into())))
            }
            Contents::InFiles => FileContent::of_file(path.to_owned(), is_blob)
                .map(|content| Content::InFile(Arc::new(content))),
        };
        content.map_err(Error::file("cannot read", path))
    }
}

/// The contents of a folder.
pub struct Tree {
    /// The buckets.
    pub state: State,
    /// The buckets whose history a person has changed, so that it is not what their manifest
    /// says.
    pub stale: BTreeSet<String>,
}

/// Reads a folder that holds at most `limits`. If a file has not changed since the
/// manifest was written, its type, metadata and time come from the manifest. For a file
/// that a person has added or changed, they come from the file itself.
pub fn read(
    root: &Path,
    manifests: &Manifests,
    contents: Contents,
    limits: &DiskLimits,
) -> Result<Tree> {
    let mut state = State::default();
    let mut stale = BTreeSet::new();
    let mut reading = Reading {
        root,
        contents,
        limits,
        usage: Usage::default(),
    };
    for (name, path) in entries(root)? {
        if name.starts_with('.') || !is_real_dir(&path)? {
            continue;
        }
        if !names::is_bucket_name(&name) {
            return Err(Error::Content {
                path,
                problem: "each folder of a world is a bucket, and this is not a bucket's name: \
                          3 to 63 of a-z, 0-9, '.' and '-'"
                    .to_owned(),
            });
        }
        let manifest = manifests.by_bucket.get(&name);
        let created = match manifest {
            Some(manifest) => manifest.created,
            None => modified(&path)?,
        };
        let mut bucket = Bucket::new(manifest.and_then(|m| m.location.as_deref()), created);
        for (name, value) in manifest.iter().flat_map(|manifest| &manifest.settings) {
            bucket.settings.set(name, from_json(value));
        }
        if let Some(manifest) = manifest {
            bucket.history = reading.history(&name, manifest, manifests)?;
            reading.uploads(&mut bucket, manifest, manifests)?;
        }
        reading.walk(&path, "", manifest, &mut bucket)?;
        for (key, entry) in manifest.iter().flat_map(|manifest| &manifest.objects) {
            if !entry.blob || bucket.objects.contains_key(key.as_str()) {
                continue;
            }
            let path = manifests.blobs.join(super::manifest::blob_name(&name, key));
            let object = reading.blob(&path, entry)?.ok_or_else(|| Error::Content {
                path,
                problem: format!("damaged: it should hold the content of {name}/{key}"),
            })?;
            bucket
                .objects
                .insert(Arc::from(key.as_str()), Arc::new(object));
        }
        if let Some(manifest) = manifest
            && by_hand::mend(&mut bucket, manifest, modified(&path)?)
        {
            stale.insert(name.clone());
        }
        state.insert(&name, bucket);
    }
    Ok(Tree { state, stale })
}

/// A folder that is being read.
struct Reading<'a> {
    root: &'a Path,
    contents: Contents,
    limits: &'a DiskLimits,
    usage: Usage,
}

impl Reading<'_> {
    fn walk(
        &mut self,
        folder: &Path,
        prefix: &str,
        manifest: Option<&BucketManifest>,
        bucket: &mut Bucket,
    ) -> Result<()> {
        for (name, path) in entries(folder)? {
            let key = format!("{prefix}{name}");
            let metadata =
                fs::symlink_metadata(&path).map_err(Error::file("cannot read", &path))?;
            let problem = if key.len() > MAX_KEY_BYTES {
                format!("its key is longer than {MAX_KEY_BYTES} bytes")
            } else if metadata.is_dir() {
                self.walk(&path, &format!("{key}/"), manifest, bucket)?;
                continue;
            } else if !metadata.is_file() {
                continue;
            } else if metadata.len() > MAX_OBJECT_BYTES as u64 {
                format!("larger than {MAX_OBJECT_BYTES} bytes, more than an object may have here")
            } else {
                let entry = manifest.and_then(|manifest| manifest.objects.get(&key));
                let mut object = self.file(&key, &path, metadata.len(), entry)?;
                if !entry.is_some_and(|entry| is_named(&object.content, &entry.sha256)) {
                    object.version = by_hand::version(bucket, &key, object.sha256());
                }
                bucket.objects.insert(Arc::from(key), Arc::new(object));
                continue;
            };
            return Err(Error::Content { path, problem });
        }
        Ok(())
    }

    fn file(
        &mut self,
        key: &str,
        path: &Path,
        size: u64,
        entry: Option<&ObjectManifest>,
    ) -> Result<Object> {
        self.count(size)?;
        let content = self.contents.read(path, false)?;
        match entry {
            Some(entry) if is_named(&content, &entry.sha256) => Ok(entry.object(content)),
            _ => Ok(Object {
                content,
                modified: modified(path)?,
                attributes: Attributes {
                    content_type: Cow::Borrowed(content_type(key)),
                    ..Attributes::default()
                },
                version: None,
                extras: None,
            }),
        }
    }

    /// The older versions of a bucket's keys. Their contents are not read.
    fn history(
        &mut self,
        name: &str,
        manifest: &BucketManifest,
        manifests: &Manifests,
    ) -> Result<History> {
        let mut history = Vec::new();
        for (key, entries) in &manifest.history {
            let mut versions = Vec::new();
            for entry in entries {
                let version = entry.version(&manifests.versions);
                let version = version.ok_or_else(|| Error::Content {
                    path: self.root.to_owned(),
                    problem: format!(
                        "damaged: the manifest of {name} has a version of {key} without \
                         checksums"
                    ),
                })?;
                self.count(version.object().map_or(0, |object| object.size() as u64))?;
                versions.push(version);
            }
            history.push((Arc::from(key.as_str()), versions));
        }
        Ok(History::restored(history, manifest.made))
    }

    /// Adds the uploads in progress. Their parts are read one by one, for their checksums, and
    /// stay in their files.
    fn uploads(
        &mut self,
        bucket: &mut Bucket,
        manifest: &BucketManifest,
        manifests: &Manifests,
    ) -> Result<()> {
        for (id, entry) in &manifest.uploads {
            let (id, mut upload) = entry.upload(id);
            for (number, entry) in &entry.parts {
                let path = manifests.versions.join(&entry.sha256);
                let read = entry.part(&manifests.versions, upload.checksum);
                let part = read.map_err(Error::file("cannot read", &path))?;
                let part = part.ok_or_else(|| Error::Content {
                    path,
                    problem: format!("damaged: it should hold part {number} of an upload"),
                })?;
                self.count(part.blob.bytes.len() as u64)?;
                upload.parts.insert(*number, part);
            }
            bucket.uploads.begin(id, upload);
        }
        Ok(())
    }

    /// The object in a blob; `None` if the blob's content differs from the manifest.
    fn blob(&mut self, path: &Path, entry: &ObjectManifest) -> Result<Option<Object>> {
        let metadata = fs::symlink_metadata(path).map_err(Error::file("cannot read", path))?;
        self.count(metadata.len())?;
        let content = self.contents.read(path, true)?;
        let is_same = is_named(&content, &entry.sha256);
        Ok(is_same.then(|| entry.object(content)))
    }

    /// Counts an object before it is read.
    fn count(&mut self, size: u64) -> Result<()> {
        self.usage.add(usize::try_from(size).unwrap_or(usize::MAX));
        self.usage.check_folder(self.limits, self.root)
    }
}

/// The entries of a folder by name.
fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let failed = || Error::file("cannot read the folder", folder);
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed())? {
        let path = entry.map_err(failed())?.path();
        match path.file_name().and_then(|name| name.to_str()) {
            Some(name) => entries.push((name.to_owned(), path)),
            None => {
                return Err(Error::Content {
                    path,
                    problem: "its name is not UTF-8, which a key must be".to_owned(),
                });
            }
        }
    }
    entries.sort();
    Ok(entries)
}

fn is_real_dir(path: &Path) -> Result<bool> {
    let metadata = fs::symlink_metadata(path).map_err(Error::file("cannot read", path))?;
    Ok(metadata.is_dir())
}

fn modified(path: &Path) -> Result<Timestamp> {
    let failed = || Error::file("cannot read the time of", path);
    let metadata = fs::symlink_metadata(path).map_err(failed())?;
    let time = metadata.modified().map_err(failed())?;
    Ok(Timestamp::try_from(time).map_or(Timestamp::UNIX_EPOCH, whole_seconds))
}

/// The file for the content of `key`. `None` if the key is not a file's path, or
/// something else is in the way. `present` says that this file already holds the content
/// of the key; any other existing file must not be overwritten.
pub fn place(root: &Path, bucket: &str, key: &str, present: bool) -> Option<PathBuf> {
    // Control characters in file names are a nuisance in a shell.
    if !present && key.contains(char::is_control) {
        return None;
    }
    let path = path(root, bucket, key)?;
    for folder in path
        .ancestors()
        .skip(1)
        .take_while(|folder| *folder != root)
    {
        match fs::symlink_metadata(folder) {
            Ok(metadata) if metadata.is_dir() => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            _ => return None,
        }
    }
    match fs::symlink_metadata(&path) {
        Ok(metadata) if metadata.is_file() && present => Some(path),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some(path),
        _ => None,
    }
}

/// The first entry in an empty bucket's folder that is not a folder. It is a link, or a
/// file that was added after the world was opened.
pub fn stranger(folder: &Path) -> Option<PathBuf> {
    for entry in fs::read_dir(folder).ok()?.flatten() {
        let found = match entry.file_type() {
            Ok(kind) if kind.is_dir() => stranger(&entry.path()),
            _ => Some(entry.path()),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The path of a key in its bucket's folder, if the key can be a path.
pub fn path(root: &Path, bucket: &str, key: &str) -> Option<PathBuf> {
    if !names::is_bucket_name(bucket) || !key.split('/').all(is_file_name) {
        return None;
    }
    Some(root.join(bucket).join(key))
}

/// Whether every file system of this platform accepts `name` as a file name.
fn is_file_name(name: &str) -> bool {
    let foreign = |c: char| c == '\0' || (cfg!(windows) && r#"\:*?"<>|"#.contains(c));
    !matches!(name, "" | "." | "..") && name.len() <= 255 && !name.contains(foreign)
}

/// The content type for a file's extension, or S3's default.
pub fn content_type(key: &str) -> &'static str {
    let extension = key.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        "csv" => "text/csv",
        "css" => "text/css",
        "gif" => "image/gif",
        "gz" => "application/gzip",
        "htm" | "html" => "text/html",
        "jpeg" | "jpg" => "image/jpeg",
        "js" => "text/javascript",
        "json" => "application/json",
        "md" => "text/markdown",
        "mp4" => "video/mp4",
        "pdf" => "application/pdf",
        "png" => "image/png",
        "py" => "text/x-python",
        "svg" => "image/svg+xml",
        "txt" => "text/plain",
        "webp" => "image/webp",
        "xml" => "application/xml",
        "zip" => "application/zip",
        _ => crate::domain::s3::memory::state::DEFAULT_CONTENT_TYPE,
    }
}
