//! Reads a folder as a world: each subfolder is a bucket, each file in it an object.
//!
//! Symbolic links are neither followed nor listed, so that nothing outside the folder is
//! read or written. What is left out is counted, for a note.

use super::aliases::Aliases;
use super::by_hand;
use super::folders::{Folder, Folders};
use super::index::Index;
use super::journal::HIDDEN;
use super::left_out::LeftOut;
use super::limits::{DiskLimits, Usage};
use super::manifest::{BucketManifest, ObjectManifest, is_named};
use super::manifests::Manifests;
use crate::clock::whole_seconds;
use crate::error::{Error, Result};
use crate::memory::history::History;
use crate::memory::{
    Attributes, Bucket, Buckets, Content, FileContent, FileStamp, Object, open_regular,
};
use crate::names::{self, MAX_KEY_BYTES};
use crate::setting_json::from_json;
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The contents of a folder.
pub struct Tree {
    pub state: Buckets,
    /// The buckets whose history a person has changed, so that it is not what their manifest
    /// says.
    pub stale: BTreeSet<String>,
    /// The folders that were read.
    pub folders: Folders,
    /// The buckets that are called otherwise than their folders.
    pub aliases: Arc<Aliases>,
    /// What is in none of the buckets.
    pub left_out: LeftOut,
    /// Whether there are contents whose checksums are not known.
    pub is_unread: bool,
}

/// Reads a folder that holds at most `limits`. If a file has not changed since the
/// manifest was written, its type, metadata and time come from the manifest. For a file
/// that a person has added or changed, they come from the file itself. Such a file is not read.
pub fn read(
    root: &Path,
    manifests: &Manifests,
    index: &Index,
    limits: &DiskLimits,
) -> Result<Tree> {
    let mut state = Buckets::default();
    let mut stale = BTreeSet::new();
    let mut folders = Folders {
        top: Folder::look(root),
        ..Folders::default()
    };
    let mut left_out = LeftOut::default();
    let Top { names, aliases } = top(root, &mut left_out)?;
    let aliases = Arc::new(aliases);
    let mut reading = Reading {
        root,
        aliases: aliases.clone(),
        index,
        limits,
        left_out,
        usage: Usage::default(),
        is_unread: false,
    };
    for name in names {
        let (bucket, seen, is_changed) = reading.bucket(&name, manifests)?;
        if is_changed {
            stale.insert(name.clone());
        }
        state.insert(&name, bucket);
        folders.of.insert(name, seen);
    }
    Ok(Tree {
        state,
        stale,
        folders,
        aliases,
        left_out: reading.left_out,
        is_unread: reading.is_unread,
    })
}

/// The subfolders that are buckets.
#[derive(Default)]
pub struct Top {
    /// The names of the buckets, in their order.
    pub names: Vec<String>,
    /// Those that are called otherwise than their folders.
    pub aliases: Aliases,
}

/// Finds the subfolders that are buckets.
pub fn top(root: &Path, left_out: &mut LeftOut) -> Result<Top> {
    let (mut names, mut others) = (Vec::new(), Vec::new());
    for (name, path) in entries(root, left_out)? {
        let kind = fs::symlink_metadata(&path).map_err(Error::file("cannot read", &path))?;
        if name == HIDDEN {
            continue;
        }
        if name.starts_with('.') {
            left_out.hidden += 1;
        } else if kind.is_symlink() {
            left_out.links += 1;
        } else if kind.is_file() {
            left_out.top += 1;
        } else if !kind.is_dir() {
            left_out.special += 1;
        } else if names::is_folder_bucket_name(&name) {
            names.push(name);
        } else {
            others.push(name);
        }
    }
    let (aliases, left) = Aliases::of(others, &names);
    left_out.folders.extend(left);
    names.extend(aliases.names().cloned());
    names.sort();
    Ok(Top { names, aliases })
}

/// A folder that is being read.
pub struct Reading<'a> {
    pub root: &'a Path,
    pub aliases: Arc<Aliases>,
    pub index: &'a Index,
    pub limits: &'a DiskLimits,
    pub left_out: LeftOut,
    pub usage: Usage,
    pub is_unread: bool,
}

/// The folders of one bucket.
pub type Seen = BTreeMap<String, Folder>;

impl Reading<'_> {
    fn folder(&self, bucket: &str) -> PathBuf {
        let folder = self.aliases.folder(self.root, bucket);
        folder.unwrap_or_else(|| self.root.join(bucket))
    }

    /// One bucket, with its folders, and whether a person has changed its history.
    pub fn bucket(&mut self, name: &str, manifests: &Manifests) -> Result<(Bucket, Seen, bool)> {
        let path = self.folder(name);
        let manifest = manifests.by_bucket.get(name);
        let created = match manifest {
            Some(manifest) => manifest.created,
            None => modified(&path)?,
        };
        let mut bucket = Bucket::new(manifest.and_then(|m| m.location.as_deref()), created);
        for (name, value) in manifest.iter().flat_map(|manifest| &manifest.settings) {
            bucket.settings.set(name, from_json(value));
        }
        if let Some(manifest) = manifest {
            bucket.history = self.history(name, manifest, manifests)?;
            self.uploads(&mut bucket, manifest, manifests)?;
        }
        let mut seen = Seen::new();
        self.walk(name, "", manifest, &mut bucket, &mut seen)?;
        for (key, entry) in manifest.iter().flat_map(|manifest| &manifest.objects) {
            if !entry.blob || bucket.objects.contains_key(key.as_str()) {
                continue;
            }
            let path = manifests.blobs.join(super::manifest::blob_name(name, key));
            let object = self.blob(&path, entry)?.ok_or_else(|| Error::Content {
                path,
                problem: format!("damaged: it should hold the content of {name}/{key}"),
            })?;
            bucket
                .objects
                .insert(Arc::from(key.as_str()), Arc::new(object));
        }
        let is_changed = by_hand::mend(&mut bucket, modified(&path)?);
        Ok((bucket, seen, is_changed))
    }

    /// Adds the files below a prefix, which is empty or ends with a slash.
    pub fn walk(
        &mut self,
        name: &str,
        prefix: &str,
        manifest: Option<&BucketManifest>,
        bucket: &mut Bucket,
        seen: &mut Seen,
    ) -> Result<()> {
        let folder = self.folder(name).join(prefix);
        let Some(looked) = Folder::look(&folder) else {
            return Ok(());
        };
        let entries = match entries(&folder, &mut self.left_out) {
            // The folder of a bucket is there, whatever is in it.
            Err(Error::File { source, .. })
                if source.kind() == std::io::ErrorKind::PermissionDenied =>
            {
                self.left_out.closed += 1;
                return Ok(());
            }
            entries => entries?,
        };
        seen.insert(prefix.to_owned(), looked);
        for (entry, path) in entries {
            let key = format!("{prefix}{entry}");
            let Ok(metadata) = fs::symlink_metadata(&path) else {
                // It was removed meanwhile.
                continue;
            };
            if key.len() > MAX_KEY_BYTES {
                self.left_out.long += 1;
            } else if metadata.is_dir() {
                self.walk(name, &format!("{key}/"), manifest, bucket, seen)?;
            } else if metadata.is_file() {
                let entry = manifest.and_then(|manifest| manifest.objects.get(&key));
                let object = self.file((name, &key), &path, &metadata, entry, bucket)?;
                bucket.objects.insert(Arc::from(key), Arc::new(object));
            } else if metadata.is_symlink() {
                self.left_out.links += 1;
            } else {
                self.left_out.special += 1;
            }
        }
        Ok(())
    }

    /// The object in a file.
    pub fn file(
        &mut self,
        (name, key): (&str, &str),
        path: &Path,
        metadata: &Metadata,
        entry: Option<&ObjectManifest>,
        bucket: &Bucket,
    ) -> Result<Object> {
        self.count(metadata.len())?;
        let stamp = FileStamp::of(metadata);
        let content = FileContent::found(path.to_owned(), stamp, false);
        let content = match self.index.checksums(name, key, &stamp) {
            Some(checksums) => content.known(checksums),
            None => content,
        };
        let content = Content::InFile(Arc::new(content));
        if let Some(entry) = entry.filter(|entry| !entry.blob)
            && is_named(&content, &entry.sha256)
        {
            return Ok(entry.object(content));
        }
        self.is_unread |= content.known_checksums().is_none();
        Ok(of_person(key, content, metadata, bucket))
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
        let failed = || Error::file("cannot read", path);
        let file = open_regular(path).map_err(failed())?;
        let stamp = FileStamp::of(&file.metadata().map_err(failed())?);
        self.count(stamp.size)?;
        let content = FileContent::found(path.to_owned(), stamp, true);
        content.checksums()?;
        let content = Content::InFile(Arc::new(content));
        let is_same = is_named(&content, &entry.sha256);
        Ok(is_same.then(|| entry.object(content)))
    }

    /// Counts an object before it is read.
    fn count(&mut self, size: u64) -> Result<()> {
        self.usage.add(usize::try_from(size).unwrap_or(usize::MAX));
        self.usage.check_folder(self.limits, self.root)
    }
}

/// The object in a file that a person has added or changed.
fn of_person(key: &str, content: Content, metadata: &Metadata, bucket: &Bucket) -> Object {
    let modified = metadata.modified().map(Timestamp::try_from);
    let modified = match modified {
        Ok(Ok(time)) => whole_seconds(time),
        _ => Timestamp::UNIX_EPOCH,
    };
    let mut object = Object {
        content,
        modified,
        attributes: Attributes {
            content_type: Cow::Borrowed(content_type(key)),
            ..Attributes::default()
        },
        version: None,
        extras: None,
    };
    object.version = by_hand::version(bucket, key, || object.sha256().copied());
    object
}

/// The entries of a folder by name. Those whose names are not UTF-8 are left out.
pub fn entries(folder: &Path, left_out: &mut LeftOut) -> Result<Vec<(String, PathBuf)>> {
    let failed = || Error::file("cannot read the folder", folder);
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed())? {
        let path = entry.map_err(failed())?.path();
        match path.file_name().and_then(|name| name.to_str()) {
            Some(name) => entries.push((name.to_owned(), path)),
            None => left_out.unnamed += 1,
        }
    }
    entries.sort();
    Ok(entries)
}

pub fn modified(path: &Path) -> Result<Timestamp> {
    let failed = || Error::file("cannot read the time of", path);
    let metadata = fs::symlink_metadata(path).map_err(failed())?;
    let time = metadata.modified().map_err(failed())?;
    Ok(Timestamp::try_from(time).map_or(Timestamp::UNIX_EPOCH, whole_seconds))
}

/// The file for the content of `key`. `None` if the key is not a file's path, or
/// something else is in the way. `present` says that this file already holds the content
/// of the key; any other existing file must not be overwritten.
pub fn place(root: &Path, bucket: &Path, key: &str, present: bool) -> Option<PathBuf> {
    // Control characters in file names are a nuisance in a shell.
    if !present && key.contains(char::is_control) {
        return None;
    }
    let path = path(bucket, key)?;
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

/// The first thing in a bucket's folder that is neither a folder nor a known object, so that the folder
/// cannot go: a link, a file whose name is not UTF-8, one that came after the world was opened.
pub fn stranger(folder: &Path, is_object: &dyn Fn(&str) -> bool) -> Option<PathBuf> {
    stranger_below(folder, "", is_object)
}

fn stranger_below(
    folder: &Path,
    prefix: &str,
    is_object: &dyn Fn(&str) -> bool,
) -> Option<PathBuf> {
    for entry in fs::read_dir(folder).ok()?.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let kind = entry.file_type().ok();
        let key = name.to_str().map(|name| format!("{prefix}{name}"));
        let found = match key {
            _ if kind.is_some_and(|kind| kind.is_dir()) => {
                let prefix = format!("{prefix}{}/", name.to_string_lossy());
                stranger_below(&path, &prefix, is_object)
            }
            Some(key) if kind.is_some_and(|kind| kind.is_file()) && is_object(&key) => None,
            _ => Some(path),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The path of a key in its bucket's folder, if the key can be a path.
pub fn path(bucket: &Path, key: &str) -> Option<PathBuf> {
    key.split('/').all(is_file_name).then(|| bucket.join(key))
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
        _ => crate::memory::state::DEFAULT_CONTENT_TYPE,
    }
}
