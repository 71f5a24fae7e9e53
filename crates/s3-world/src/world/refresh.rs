//! Takes over what a person has done to the files of a world while it is open.
//!
//! Before a call, the files of the keys that it names are looked at; before a listing, the
//! folders of the bucket, and the files on the page. A look costs no reading, unless the file
//! system says that a file may have changed.

use super::aliases::Aliases;
use super::by_hand;
use super::folders::{Folder, Folders};
use super::index::Index;
use super::journal::Journal;
use super::left_out::LeftOut;
use super::limits::{DiskLimits, Usage};
use super::manifests::Manifests;
use super::tree::{self, Reading, Seen, Top};
use crate::domain::Value;
use crate::error::Result;
use crate::memory::list::{Request, Token};
use crate::memory::listing::Query;
use crate::memory::{Bucket, Buckets, FileStamp, Revisited};
use crate::params::Params;
use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The places that a call is about.
#[derive(Debug, Default)]
pub struct Scope {
    /// The keys that it names, with their buckets.
    keys: Vec<(String, String)>,
    /// The bucket that it is about as a whole.
    bucket: Option<String>,
    /// Whether it is about everything.
    is_all: bool,
}

impl Scope {
    /// Everything.
    pub fn all() -> Self {
        Scope {
            is_all: true,
            ..Scope::default()
        }
    }

    /// What a call names.
    pub fn of(params: &Value) -> Self {
        let mut scope = Scope::default();
        let Ok(params) = Params::new(params) else {
            return scope;
        };
        let text = |name: &str| params.optional(name).ok().flatten();
        let Some(bucket) = text("Bucket") else {
            return scope;
        };
        if let Some(key) = text("Key") {
            scope.keys.push((bucket.to_owned(), key.to_owned()));
        } else if let Some(delete) = params.get("Delete") {
            let objects = delete.get("Objects").and_then(Value::as_list);
            let keys = objects.unwrap_or_default().iter();
            let keys = keys.filter_map(|it| it.get("Key").and_then(Value::as_str));
            scope
                .keys
                .extend(keys.map(|key| (bucket.to_owned(), key.to_owned())));
        } else {
            scope.bucket = Some(bucket.to_owned());
        }
        if params.get("CopySource").is_some()
            && let Ok(source) = params.copy_source()
        {
            scope.keys.push((source.bucket, source.key));
        }
        scope
    }
}

/// A world whose files are looked at.
pub struct Refresh<'a> {
    pub journal: &'a Journal,
    pub limits: &'a DiskLimits,
    pub folders: &'a mut Folders,
    /// The state as it is known, and then as it is.
    pub state: Buckets,
    /// Whether anything is not as it was known.
    pub is_changed: bool,
    /// Whether there are contents that nobody has read.
    pub is_unread: bool,
    /// The buckets whose history a person has changed.
    pub stale: BTreeSet<String>,
    /// The manifests of the buckets in which something was found.
    pub found: Manifests,
    /// The folders that were read, to be remembered once the state is.
    read: Vec<(String, String, Option<Folder>)>,
    top: Option<Folder>,
    aliases: Arc<Aliases>,
}

/// How often a page is looked at again, because something on it went and the next keys came.
const ROUNDS: usize = 8;

impl<'a> Refresh<'a> {
    pub fn new(
        journal: &'a Journal,
        limits: &'a DiskLimits,
        folders: &'a mut Folders,
        state: Buckets,
    ) -> Self {
        Refresh {
            journal,
            limits,
            folders,
            state,
            is_changed: false,
            is_unread: false,
            stale: BTreeSet::new(),
            found: Manifests::default(),
            read: Vec::new(),
            top: None,
            aliases: journal.aliases(),
        }
    }

    /// Remembers the folders that were read. What was found in them is not looked for again.
    pub fn remember(&mut self) {
        if let Some(top) = self.top {
            self.folders.top = Some(top);
            let buckets: Vec<String> = self.state.buckets().map(|it| it.0.to_owned()).collect();
            self.journal.call(self.aliases.clone(), &buckets);
        }
        self.folders
            .of
            .retain(|name, _| self.state.bucket(name).is_some());
        for (name, prefix, folder) in self.read.drain(..) {
            let known = self.folders.of.entry(name).or_default();
            match folder {
                Some(folder) => known.insert(prefix, folder),
                None => known.remove(&prefix),
            };
        }
    }

    /// Looks at the places of a call.
    ///
    /// # Errors
    /// The folder is gone, or cannot be read.
    pub fn look(&mut self, scope: &Scope, params: &Value) -> Result<()> {
        self.top()?;
        for (bucket, key) in &scope.keys {
            self.key(bucket, key)?;
        }
        if let Some(bucket) = &scope.bucket {
            self.bucket(bucket)?;
            for _ in 0..ROUNDS {
                let mut has_changed = false;
                for key in page(&self.state, bucket, params) {
                    has_changed |= self.key(bucket, &key)?;
                }
                if !has_changed {
                    break;
                }
            }
        }
        if scope.is_all {
            let names: Vec<String> = self
                .state
                .buckets()
                .map(|(name, _)| name.to_owned())
                .collect();
            for name in names {
                self.bucket(&name)?;
                let bucket = self.state.bucket(&name).cloned();
                for key in bucket.iter().flat_map(|bucket| bucket.objects.keys()) {
                    self.key(&name, key)?;
                }
            }
        }
        Ok(())
    }

    fn root(&self) -> &'a Path {
        self.journal.root()
    }

    /// The folder of a bucket that is there.
    fn folder_of(&self, bucket: &str) -> PathBuf {
        let folder = self.aliases.folder(self.root(), bucket);
        folder.unwrap_or_else(|| self.root().join(bucket))
    }

    /// Finds the buckets that came and went.
    fn top(&mut self) -> Result<()> {
        let root = self.root();
        if self.folders.top.is_some_and(|top| top.is_same(root)) {
            return Ok(());
        }
        let looked = Folder::look(root);
        let Top { names, aliases } = tree::top(root, &mut LeftOut::default())?;
        let aliases = aliases.after(&self.aliases, &names, root);
        let known: Vec<String> = self
            .state
            .buckets()
            .map(|(name, _)| name.to_owned())
            .collect();
        let is_there =
            |name: &String| names.binary_search(name).is_ok() && aliases.agree(&self.aliases, name);
        for name in known.iter().filter(|name| !is_there(name)) {
            self.state.remove(name);
            self.folders.of.remove(name);
            self.is_changed = true;
        }
        self.aliases = Arc::new(aliases);
        let is_new = |name: &&String| self.state.bucket(name).is_none();
        let new: Vec<&String> = names.iter().filter(is_new).collect();
        for name in new {
            self.load_manifest(name)?;
            let mut reading = self.reading();
            let (bucket, seen, is_stale) = reading.bucket(name, &self.found)?;
            self.is_unread |= reading.is_unread;
            self.state.insert(name, bucket);
            self.saw(name, seen);
            if is_stale {
                self.stale.insert(name.clone());
            }
            self.is_changed = true;
        }
        self.top = looked;
        Ok(())
    }

    fn saw(&mut self, name: &str, seen: Seen) {
        let seen = seen.into_iter();
        let seen = seen.map(|(prefix, folder)| (name.to_owned(), prefix, Some(folder)));
        self.read.extend(seen);
    }

    /// Reads the manifest of a bucket, once.
    fn load_manifest(&mut self, name: &str) -> Result<()> {
        if self.found.by_bucket.is_empty() || !self.found.by_bucket.contains_key(name) {
            self.found.load(self.journal, name)?;
        }
        Ok(())
    }

    fn reading(&self) -> Reading<'a> {
        Reading {
            root: self.root(),
            aliases: self.aliases.clone(),
            // What has changed is in no index.
            index: Index::none(),
            limits: self.limits,
            left_out: LeftOut::default(),
            usage: Usage::default(),
            is_unread: false,
        }
    }

    /// Finds the files of a bucket that came and went.
    fn bucket(&mut self, name: &str) -> Result<()> {
        let Some(known) = self.folders.of.get(name) else {
            return Ok(());
        };
        let root = self.folder_of(name);
        let other: Vec<String> = known
            .iter()
            .filter(|(prefix, folder)| !folder.is_same(&root.join(prefix)))
            .map(|(prefix, _)| prefix.clone())
            .collect();
        for prefix in other {
            self.folder(name, &prefix)?;
        }
        Ok(())
    }

    /// Finds the files of one folder that came and went.
    fn folder(&mut self, name: &str, prefix: &str) -> Result<()> {
        let path = self.folder_of(name).join(prefix);
        let looked = Folder::look(&path);
        let mut left_out = LeftOut::default();
        let entries = match looked {
            Some(_) => tree::entries(&path, &mut left_out)?,
            None => Vec::new(),
        };
        let names: BTreeSet<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
        let Some(bucket) = self.state.bucket(name).cloned() else {
            return Ok(());
        };
        let within = Query {
            prefix,
            delimiter: Some("/"),
            after: "",
            limit: usize::MAX,
        };
        let there = within.run(&bucket.objects);
        for (key, object) in &there.objects {
            let is_file = object.content.file().is_some_and(|file| !file.is_blob);
            let file_name = key.get(prefix.len()..).unwrap_or_default();
            if is_file && !names.contains(file_name) {
                self.key(name, key)?;
            }
        }
        for (entry, path) in &entries {
            let key = format!("{prefix}{entry}");
            let inner = format!("{key}/");
            let known = self.folders.of.get(name);
            if known.is_some_and(|known| known.contains_key(&inner)) {
                continue;
            }
            let is_known = bucket
                .objects
                .get(&key)
                .is_some_and(|object| object.content.file().is_some_and(|file| !file.is_blob));
            if is_known {
                continue;
            }
            match fs::symlink_metadata(path) {
                Ok(found) if found.is_dir() => self.walk(name, &inner)?,
                Ok(found) if found.is_file() => {
                    self.key(name, &key)?;
                }
                _ => {}
            }
        }
        self.read.push((name.to_owned(), prefix.to_owned(), looked));
        Ok(())
    }

    /// Adds a folder that was not there before.
    fn walk(&mut self, name: &str, prefix: &str) -> Result<()> {
        let Some(bucket) = self.state.bucket(name) else {
            return Ok(());
        };
        let mut bucket = Bucket::clone(bucket);
        self.load_manifest(name)?;
        let mut seen = Seen::new();
        let mut reading = self.reading();
        let manifest = self.found.by_bucket.get(name);
        reading.walk(name, prefix, manifest, &mut bucket, &mut seen)?;
        self.is_unread |= reading.is_unread;
        self.is_changed = true;
        self.put_back(name, bucket);
        self.saw(name, seen);
        Ok(())
    }

    /// Looks at the file of a key. Returns whether it is another one.
    fn key(&mut self, name: &str, key: &str) -> Result<bool> {
        let folder = self.aliases.folder(self.root(), name);
        let Some(path) = folder.and_then(|folder| tree::path(&folder, key)) else {
            return Ok(false);
        };
        let Some(bucket) = self.state.bucket(name) else {
            return Ok(false);
        };
        let known = bucket.object(key).cloned();
        let file = known.as_ref().and_then(|object| object.content.file());
        if file.is_some_and(|file| file.is_blob) {
            // A person may have put a file where the blob had no place.
            return match regular(self.root(), &path) {
                Some(found) => self.appear(name, key, &path, &found),
                None => Ok(false),
            };
        }
        // Most files are as they were, and the places above them, too.
        if let Some(file) = file
            && fs::symlink_metadata(&path).is_ok_and(|it| it.is_file() && file.is_as_seen(&it))
        {
            return Ok(false);
        }
        match (file, regular(self.root(), &path)) {
            (None, None) => Ok(false),
            (None, Some(found)) => self.appear(name, key, &path, &found),
            (Some(file), Some(found)) => match file.revisit(&path, &FileStamp::of(&found)) {
                Revisited::Same => Ok(false),
                Revisited::Other => self.appear(name, key, &path, &found),
            },
            (Some(_), None) => {
                let mut bucket = Bucket::clone(bucket);
                bucket.objects.remove(key);
                self.is_changed = true;
                self.put_back(name, bucket);
                Ok(true)
            }
        }
    }

    /// Takes a file for the content of its key.
    fn appear(&mut self, name: &str, key: &str, path: &Path, found: &Metadata) -> Result<bool> {
        let Some(bucket) = self.state.bucket(name) else {
            return Ok(false);
        };
        let mut bucket = Bucket::clone(bucket);
        self.load_manifest(name)?;
        let manifest = self.found.by_bucket.get(name);
        let entry = manifest.and_then(|manifest| manifest.objects.get(key));
        let mut reading = self.reading();
        let object = reading.file((name, key), path, found, entry, &bucket)?;
        self.is_unread |= reading.is_unread;
        bucket.objects.insert(Arc::from(key), Arc::new(object));
        self.is_changed = true;
        self.put_back(name, bucket);
        Ok(true)
    }

    fn put_back(&mut self, name: &str, mut bucket: Bucket) {
        let now = tree::modified(&self.folder_of(name)).unwrap_or(bucket.created);
        if by_hand::mend(&mut bucket, now) {
            self.stale.insert(name.to_owned());
        }
        self.state.insert(name, bucket);
    }
}

/// What is known of the file at a path to which no link leads; `None` if there is no file.
fn regular(root: &Path, path: &Path) -> Option<Metadata> {
    let found = fs::symlink_metadata(path).ok().filter(Metadata::is_file)?;
    let mut above = path
        .ancestors()
        .skip(1)
        .take_while(|folder| *folder != root);
    let is_real = |folder: &Path| fs::symlink_metadata(folder).is_ok_and(|it| it.is_dir());
    above.all(is_real).then_some(found)
}

/// The keys on the page that a listing answers.
fn page(state: &Buckets, name: &str, params: &Value) -> Vec<String> {
    let Ok(params) = Params::new(params) else {
        return Vec::new();
    };
    let (Ok(request), Some(bucket)) = (Request::read(params), state.bucket(name)) else {
        return Vec::new();
    };
    let text = |name: &str| params.filled(name).ok().flatten();
    let token = text("ContinuationToken").and_then(|token| Token::read(token).ok());
    let marker = text("Marker").map(|marker| request.past(marker));
    let version = text("KeyMarker");
    let after = token
        .as_deref()
        .or(text("StartAfter"))
        .or(marker)
        .or(version);
    let page = request.query(after.unwrap_or_default());
    let keys = page.run(&bucket.objects).objects;
    let keys = keys.into_iter().map(|(key, _)| key.to_owned());
    keys.chain(version.map(str::to_owned)).collect()
}
