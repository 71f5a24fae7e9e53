//! A folder as a world: each subfolder is a bucket, each file below it an object.
//!
//! Symbolic links are neither followed nor listed, so nothing outside the folder is
//! read or written. Hidden folders at the top are not buckets; loose files there
//! are left alone.

use super::manifest::{BucketManifest, is_named};
use crate::domain::s3::clock::whole_seconds;
use crate::domain::s3::memory::{Attributes, Bucket, Object, State};
use crate::domain::s3::names::{self, MAX_KEY_BYTES, MAX_OBJECT_BYTES};
use crate::error::{Error, Result};
use bytes::Bytes;
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the hidden folder knows about each bucket.
pub struct Manifests {
    /// By bucket.
    pub by_bucket: BTreeMap<String, BucketManifest>,
    /// Where contents lie that have no place in the tree.
    pub blobs: PathBuf,
}

impl Manifests {
    /// For a folder that is only a tree.
    pub fn none() -> Self {
        Manifests {
            by_bucket: BTreeMap::new(),
            blobs: PathBuf::new(),
        }
    }
}

/// What was read.
#[derive(Default)]
pub struct Loaded {
    /// Buckets and objects.
    pub state: State,
    /// The keys, by bucket, whose content is not in the tree.
    pub blobs: BTreeMap<String, BTreeSet<String>>,
}

/// Reads a folder. Where a file is as the manifest says, the manifest also says its
/// type, metadata and time; else a person has put it there, and the file speaks.
pub fn read(root: &Path, manifests: &Manifests) -> Result<Loaded> {
    let mut loaded = Loaded::default();
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
        walk(&path, "", manifest, &mut bucket)?;
        let mut blobs = BTreeSet::new();
        for (key, entry) in manifest.iter().flat_map(|manifest| &manifest.objects) {
            if !entry.blob || bucket.objects.contains_key(key.as_str()) {
                continue;
            }
            let path = manifests.blobs.join(super::manifest::blob_name(&name, key));
            let content = fs::read(&path).map_err(Error::file("cannot read", &path))?;
            let object = Object::new(content.into(), entry.modified, entry.attributes());
            if !is_named(&object, &entry.sha256) {
                return Err(Error::Content {
                    path,
                    problem: format!("damaged: it should hold the content of {name}/{key}"),
                });
            }
            bucket
                .objects
                .insert(Arc::from(key.as_str()), Arc::new(object));
            blobs.insert(key.clone());
        }
        loaded.state.insert(&name, bucket);
        loaded.blobs.insert(name, blobs);
    }
    Ok(loaded)
}

fn walk(
    folder: &Path,
    prefix: &str,
    manifest: Option<&BucketManifest>,
    bucket: &mut Bucket,
) -> Result<()> {
    for (name, path) in entries(folder)? {
        let key = format!("{prefix}{name}");
        let metadata = fs::symlink_metadata(&path).map_err(Error::file("cannot read", &path))?;
        let problem = if key.len() > MAX_KEY_BYTES {
            format!("its key is longer than {MAX_KEY_BYTES} bytes")
        } else if metadata.is_dir() {
            walk(&path, &format!("{key}/"), manifest, bucket)?;
            continue;
        } else if !metadata.is_file() {
            continue;
        } else if metadata.len() > MAX_OBJECT_BYTES as u64 {
            format!("larger than {MAX_OBJECT_BYTES} bytes, more than an object may have here")
        } else {
            let content = fs::read(&path).map_err(Error::file("cannot read", &path))?;
            let object = object(&key, content.into(), &path, manifest)?;
            bucket.objects.insert(Arc::from(key), Arc::new(object));
            continue;
        };
        return Err(Error::Content { path, problem });
    }
    Ok(())
}

fn object(
    key: &str,
    content: Bytes,
    path: &Path,
    manifest: Option<&BucketManifest>,
) -> Result<Object> {
    let mut object = Object::new(content, Timestamp::UNIX_EPOCH, Attributes::default());
    let entry = manifest.and_then(|manifest| manifest.objects.get(key));
    match entry.filter(|entry| is_named(&object, &entry.sha256)) {
        Some(entry) => {
            object.modified = entry.modified;
            object.attributes = entry.attributes();
        }
        None => {
            object.modified = modified(path)?;
            object.attributes.content_type = Cow::Borrowed(content_type(key));
        }
    }
    Ok(object)
}

/// The entries of a folder in the order of their names.
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

/// Where in the tree the content of `key` can lie. `None` when it cannot: the key is
/// no file's path, or something else is in the way. `present` says that the key's
/// content lies there already; otherwise a file there is not ours to overwrite.
pub fn place(root: &Path, bucket: &str, key: &str, present: bool) -> Option<PathBuf> {
    // Nobody wants to meet such a name in a shell.
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

/// The first thing in a bucket's folder that is neither a folder nor known as an
/// object: a link, or a file that came after the world was opened.
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

/// The path that a key spells, when it spells one below its bucket's folder.
pub fn path(root: &Path, bucket: &str, key: &str) -> Option<PathBuf> {
    if !names::is_bucket_name(bucket) || !key.split('/').all(is_file_name) {
        return None;
    }
    Some(root.join(bucket).join(key))
}

/// Whether every file system of this platform takes `name` as the name of one file.
fn is_file_name(name: &str) -> bool {
    let foreign = |c: char| c == '\0' || (cfg!(windows) && r#"\:*?"<>|"#.contains(c));
    !matches!(name, "" | "." | "..") && name.len() <= 255 && !name.contains(foreign)
}

/// The content type that a file's name suggests; S3's default for names that suggest none.
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
