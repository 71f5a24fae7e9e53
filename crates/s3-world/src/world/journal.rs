//! Changes several files atomically: either the whole change is on disk, or none of it.
//!
//! New contents are first written outside of the tree (`staged/`). Then `journal.json`,
//! which lists the steps, is renamed into place; this commits the change. Then the steps
//! are carried out, and the journal is removed. Each step can be repeated. So if the next
//! opening finds a journal, it carries out all steps again.

use super::aliases::Aliases;
use super::files::{
    absent_is_fine, expect_folder, make_private, new_file, remove_files, sync_dir, write_new,
};
use super::left_out::LeftOut;
use super::manifest::{blob_name, sealed_line, unsealed};
use super::manifests::read_regular;
use super::modes::Modes;
use super::steps::Step;
use super::tree;
use crate::error::{Error, Result};
use crate::memory::{Content, FileStamp};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::ErrorKind;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// The hidden folder within a world's folder.
pub const HIDDEN: &str = ".dialog2api";

/// The subfolders of the hidden folder.
const FOLDERS: [&str; 6] = [
    "buckets", "blobs", "versions", "staged", "replaced", INCOMING,
];

/// The file with the buckets that are called otherwise than their folders.
const NAMES: &str = "names.json";

/// The subfolder for contents that come before the call that they are for.
const INCOMING: &str = "incoming";

/// The hidden folder of a world. A world that is only read has none.
pub struct Journal {
    root: PathBuf,
    hidden: PathBuf,
    /// The buckets that are called otherwise than their folders.
    aliases: RwLock<Arc<Aliases>>,
    /// The modes of what is gone.
    pub(super) modes: Modes,
}

/// A change that is being staged.
pub struct Change<'j> {
    journal: &'j Journal,
    steps: Vec<Step>,
    staged: usize,
}

impl Journal {
    /// Looks at the hidden folder, if there is one. Nothing is written.
    ///
    /// # Errors
    /// A link or a file is in its place.
    pub fn open(root: &Path) -> Result<Self> {
        let journal = Journal {
            root: root.to_owned(),
            hidden: root.join(HIDDEN),
            aliases: RwLock::default(),
            modes: Modes::of(root.join(HIDDEN).join("modes.jsonl")),
        };
        // A change that was interrupted is finished by these names. A folder that cannot be read is
        // an error where it is read.
        if let Ok(top) = tree::top(root, &mut LeftOut::default()) {
            journal.call(Arc::new(top.aliases), &top.names);
        }
        journal.each_folder(|folder| match fs::symlink_metadata(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            found => {
                let found = found.map_err(Error::file("cannot read", folder))?;
                expect_folder(folder, &found)
            }
        })?;
        Ok(journal)
    }

    /// Creates what is missing of the hidden folder.
    ///
    /// # Errors
    /// The folder of the world cannot be written.
    pub fn prepare(&self) -> Result<()> {
        let mode = self.mode()?;
        self.each_folder(|folder| {
            match make_private(folder, mode) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                    return Err(Error::file("cannot create the folder", folder)(error));
                }
                _ => {}
            }
            let found = fs::symlink_metadata(folder).map_err(Error::file("cannot read", folder))?;
            expect_folder(folder, &found)
        })?;
        let aliases = self.aliases();
        match *aliases == self.remembered() {
            true => Ok(()),
            false => self.remember(&aliases),
        }
    }

    /// The mode of the hidden folder, which keeps old contents of files that few may read. Others
    /// get in only where they write the world, too.
    fn mode(&self) -> Result<u32> {
        #[cfg(unix)]
        {
            let found = fs::metadata(&self.root).map_err(Error::file("cannot read", &self.root))?;
            let mode = found.permissions().mode();
            let of_group = if mode & 0o020 == 0 { 0 } else { mode & 0o2070 };
            if let Ok(hidden) = fs::symlink_metadata(&self.hidden)
                && hidden.is_dir()
                && hidden.permissions().mode() & 0o077 & !of_group != 0
            {
                // Whose folder it is not cannot change it, and could not before.
                drop(fs::set_permissions(
                    &self.hidden,
                    fs::Permissions::from_mode(0o700 | of_group),
                ));
            }
            Ok(0o700 | of_group)
        }
        #[cfg(not(unix))]
        Ok(0o700)
    }

    fn each_folder(&self, work: impl Fn(&Path) -> Result<()>) -> Result<()> {
        work(&self.hidden)?;
        let mut names = FOLDERS.iter();
        names.try_for_each(|name| work(&self.hidden.join(name)))
    }

    /// Whether there is a hidden folder: the world was written before.
    pub fn exists(&self) -> bool {
        self.hidden.exists()
    }

    /// The folder for contents that come before the call that they are for.
    pub fn incoming(&self) -> PathBuf {
        self.hidden.join(INCOMING)
    }

    /// The folder of the world.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The buckets that are called otherwise than their folders.
    pub fn aliases(&self) -> Arc<Aliases> {
        let aliases = self.aliases.read();
        aliases.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on these are, and those that were before whose folders are gone. `buckets` are the
    /// buckets that there are.
    pub fn call(&self, aliases: Arc<Aliases>, buckets: &[String]) {
        let before = self.remembered();
        let aliases = Arc::unwrap_or_clone(aliases).after(&before, buckets, &self.root);
        if self.exists() && aliases != before {
            // Without it, a bucket that a later process makes again has a folder of its own name.
            drop(self.remember(&aliases));
        }
        let mut known = self.aliases.write().unwrap_or_else(PoisonError::into_inner);
        *known = Arc::new(aliases);
    }

    /// The names of buckets that a process before this one knew.
    fn remembered(&self) -> Aliases {
        let known = read_regular(&self.hidden(NAMES)).ok();
        let known = known.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        known.unwrap_or_default()
    }

    fn remember(&self, aliases: &Aliases) -> Result<()> {
        let (path, part) = (self.hidden(NAMES), self.hidden("names.json.part"));
        let bytes = serde_json::to_vec(aliases)
            .map_err(Error::bug("the names of buckets cannot be written"))?;
        fs::write(&part, bytes).map_err(Error::file("cannot write", &part))?;
        fs::rename(&part, &path).map_err(Error::file("cannot write", &path))
    }

    /// The folder of a bucket; `None` if no bucket can have this name.
    pub fn folder(&self, bucket: &str) -> Option<PathBuf> {
        self.aliases().folder(&self.root, bucket)
    }

    /// A path in the hidden folder.
    pub fn hidden(&self, name: &str) -> PathBuf {
        self.hidden.join(name)
    }

    pub fn manifest(&self, bucket: &str) -> PathBuf {
        self.hidden.join("buckets").join(format!("{bucket}.json"))
    }

    pub fn manifest_log(&self, bucket: &str) -> PathBuf {
        self.hidden.join("buckets").join(format!("{bucket}.log"))
    }

    /// Removes contents that an earlier process set aside for its forks, or received and did
    /// not use.
    pub fn forget_replaced(&self) -> Result<()> {
        remove_files(&self.hidden("replaced"))?;
        remove_files(&self.hidden("staged"))?;
        remove_files(&self.incoming())
    }

    /// Whether a change was interrupted.
    pub fn is_interrupted(&self) -> bool {
        fs::symlink_metadata(self.hidden("journal.json")).is_ok()
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
        match read_regular(&path) {
            Ok(text) => {
                let text = text.strip_suffix(b"\n").unwrap_or(&text);
                let steps = unsealed(text).and_then(|json| {
                    serde_json::from_slice::<Vec<Step>>(json).map_err(|error| error.to_string())
                });
                let steps = steps.map_err(|problem| Error::Content {
                    path: path.clone(),
                    problem: format!(
                        "damaged, so an interrupted change cannot be finished: {problem}"
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
        write_new(&self.journal.hidden("staged").join(&name), content)?;
        Ok(name)
    }

    /// Brings a content to a file outside of the tree, piece by piece. Returns its name, for use
    /// in a step, and the state of the file.
    pub fn stage_content(&mut self, content: &Content) -> Result<(String, FileStamp)> {
        let name = self.staged.to_string();
        let path = self.journal.hidden("staged").join(&name);
        let failed = || Error::file("cannot write", &path);
        if let Content::InFile(file) = content
            && let Ok(stamp) = file.link_own(&path)
        {
            self.staged += 1;
            let synced = File::open(&path).and_then(|file| file.sync_all());
            synced.map_err(failed())?;
            return Ok((name, stamp));
        }
        match content {
            Content::InFile(file) => {
                self.staged += 1;
                let mut reader = file.reader(0..file.size)?;
                let written = new_file(&path).and_then(|mut out| {
                    // A copy is as private as what it is of.
                    if let Some(mode) = file.permissions() {
                        out.set_permissions(mode)?;
                    }
                    std::io::copy(&mut reader, &mut out)?;
                    out.sync_all()
                });
                written.map_err(failed())?;
            }
            content => {
                self.stage(&content.read()?)?;
            }
        }
        let found = fs::symlink_metadata(&path).map_err(failed())?;
        Ok((name, FileStamp::of(&found)))
    }

    /// Commits the change. If this fails, nothing has changed.
    pub fn commit(self) -> Result<Committed> {
        let text = serde_json::to_string(&self.steps)
            .map_err(Error::bug("a journal cannot be written"))?;
        let staged = self.journal.hidden("staged").join("journal");
        write_new(&staged, sealed_line(&text).as_bytes())?;
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
