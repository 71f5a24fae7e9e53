//! The granted folders, and what a file name of a program means.

use super::place;
use crate::domain::Refusal;
use crate::error::{Error, Result};
use crate::memory::NO_WAITING;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions, OpenOptionsExt};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The granted folders.
#[derive(Default)]
pub struct Folders(Vec<Folder>);

/// A granted folder.
pub struct Folder {
    /// Its name in programs, plans and policies: the last part of its path.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// The folder itself: nothing outside of it can be opened through it.
    pub dir: Dir,
    /// Whether files in it may be made and replaced.
    pub is_writable: bool,
    /// Whether models and people are told of it. One that is not holds files for programs of our
    /// own, which name it in full.
    pub is_listed: bool,
}

/// The end of a grant for a folder that is not listed.
pub const UNLISTED: &str = ":unlisted";

/// A file in a granted folder. It may not exist.
#[derive(Clone, Copy)]
pub struct Named<'f, P = String> {
    pub folder: &'f Folder,
    /// The path in the folder, with `/`; empty for the folder itself.
    pub path: P,
}

impl Folders {
    /// Opens the folders of these grants, each `DIR` or `DIR:rw`, or of our own `DIR:unlisted`.
    ///
    /// # Errors
    /// [`Error::usage`]: it is no folder, or two have the same name.
    pub fn open<'a>(grants: impl IntoIterator<Item = &'a str>) -> Result<Folders> {
        let mut folders: Vec<Folder> = Vec::new();
        for grant in grants {
            let unlisted = grant.strip_suffix(UNLISTED);
            let (path, is_writable) = match grant.strip_suffix(":rw") {
                Some(path) => (path, true),
                None => (grant.strip_suffix(":r").unwrap_or(grant), false),
            };
            let path = unlisted.unwrap_or(path);
            let unusable = |problem: String| Error::usage(format!("--files {grant}: {problem}"));
            let path = Path::new(path)
                .canonicalize()
                .map_err(|error| unusable(error.to_string()))?;
            let dir = Dir::open_ambient_dir(&path, ambient_authority());
            let dir = dir.map_err(|_| unusable("it is no folder that can be read".to_owned()))?;
            let name = path.file_name().and_then(OsStr::to_str);
            let name = name.ok_or_else(|| unusable("its name is not a plain text".to_owned()))?;
            if let Some(other) = folders.iter().find(|known| known.name == name) {
                return Err(unusable(format!(
                    "{} has the same name; grant the folder that holds both",
                    other.path.display()
                )));
            }
            folders.push(Folder {
                name: name.to_owned(),
                path,
                dir,
                is_writable,
                is_listed: unlisted.is_none(),
            });
        }
        Ok(Folders(folders))
    }

    /// The folders that models and people are told of.
    pub fn listed(&self) -> impl Iterator<Item = &Folder> {
        self.0.iter().filter(|folder| folder.is_listed)
    }

    /// The folder of this name.
    pub fn folder(&self, name: &str) -> Option<&Folder> {
        self.0.iter().find(|folder| folder.name == name)
    }

    /// The folders as a session keeps them: their paths by the root of their places.
    pub fn kept(&self) -> BTreeMap<String, String> {
        let folders = self.0.iter();
        let kept = folders.map(|it| (place::root(it), it.path.display().to_string()));
        kept.collect()
    }

    /// The names of the listed folders as a Python list.
    pub fn python_list(&self) -> String {
        python(self.listed())
    }

    /// The names for the client of programs, which asks for files only where it knows of a folder.
    pub fn client_list(&self) -> String {
        match self.listed().next() {
            Some(_) => self.python_list(),
            None => python(self.0.iter()),
        }
    }

    /// The name of the only listed folder; empty if there are several or none.
    pub fn only_name(&self) -> String {
        let only = self.only().map(|folder| folder.name.clone());
        only.unwrap_or_default()
    }

    fn only(&self) -> Option<&Folder> {
        let mut listed = self.listed();
        listed.next().filter(|_| listed.next().is_none())
    }

    /// The file that a name means: an absolute path in a granted folder, a path that begins with a
    /// folder's name, one from the working directory that leads into a folder, or, if a
    /// single folder is granted, one in it.
    ///
    /// # Errors
    /// The name leads out of every granted folder.
    pub fn named(&self, name: &str) -> Result<Named<'_>, Refusal> {
        let outside = || {
            let granted: Vec<&str> = self.listed().map(|folder| folder.name.as_str()).collect();
            if granted.is_empty() {
                let why = "programs see no files until a folder is granted with --files DIR";
                let message = format!("No such file or directory; {why}: {name:?}");
                return Refusal::new(404, "FileNotFoundError", message);
            }
            Refusal::new(
                403,
                "PermissionError",
                format!(
                    "{name:?} is in none of the granted folders: {}",
                    granted.join(", ")
                ),
            )
        };
        if name.contains('\0') {
            return Err(outside());
        }
        let plain = plain(Path::new(name)).ok_or_else(outside)?;
        if let Some(named) = self.absolute(&plain) {
            return Ok(named);
        }
        if plain.is_absolute() {
            return Err(outside());
        }
        let mut parts = plain.components();
        let first = parts.next().and_then(|part| part.as_os_str().to_str());
        if let Some(folder) = first.and_then(|first| self.folder(first)) {
            return Ok(Named {
                folder,
                path: text(parts.as_path()).ok_or_else(outside)?,
            });
        }
        let here = std::env::current_dir().ok();
        if let Some(named) = here.and_then(|here| self.absolute(&here.join(&plain))) {
            return Ok(named);
        }
        let folder = self.only().ok_or_else(outside)?;
        Ok(Named {
            folder,
            path: text(&plain).ok_or_else(outside)?,
        })
    }

    /// The file at an absolute path. Where folders are granted within each other, one that may
    /// be changed counts: a plan that was made through its name must not be refused through its
    /// path.
    fn absolute(&self, path: &Path) -> Option<Named<'_>> {
        let around = self.0.iter().filter_map(|folder| {
            let path = text(path.strip_prefix(&folder.path).ok()?)?;
            Some(Named { folder, path })
        });
        around.min_by_key(|named| !named.folder.is_writable)
    }
}

fn python<'f>(folders: impl Iterator<Item = &'f Folder>) -> String {
    let names: Vec<&str> = folders.map(|folder| folder.name.as_str()).collect();
    serde_json::to_string(&names).unwrap_or_default()
}

/// Refuses what is no file.
///
/// # Errors
/// It is a folder, or [`special`].
pub fn check(about: &Metadata) -> io::Result<()> {
    match (about.is_dir(), about.is_file()) {
        (true, _) => Err(io::ErrorKind::IsADirectory.into()),
        (false, true) => Ok(()),
        (false, false) => Err(special()),
    }
}

/// The failure for a pipe, a socket or a device.
fn special() -> io::Error {
    let words = "it is a pipe, a socket or a device, and no file";
    io::Error::new(io::ErrorKind::Unsupported, words)
}

/// A path without `.` and `..`; none if it leads above where it starts.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            part => plain.push(part),
        }
    }
    Some(plain)
}

fn text(path: &Path) -> Option<String> {
    path.to_str().map(str::to_owned)
}

impl Named<'_> {
    /// The name that programs, plans and messages have for it.
    pub fn shown(&self) -> String {
        match self.path.as_str() {
            "" => self.folder.name.clone(),
            path => format!("{}/{path}", self.folder.name),
        }
    }

    /// The name that plans keep for it: its absolute path, which means this file from every
    /// working directory and beside every other folder. A path that is no text has none.
    pub fn lasting(&self) -> String {
        let path = self.folder.path.join(&self.path).into_os_string();
        path.into_string().unwrap_or_else(|_| self.shown())
    }

    /// The path for the folder's own operations, which do not take an empty one.
    pub fn inner(&self) -> &str {
        match self.path.as_str() {
            "" => ".",
            path => path,
        }
    }

    /// Opens the file for reading, with what the system says of it.
    ///
    /// # Errors
    /// The file system's, and [`special`] for what is no file: a pipe would keep the reader
    /// waiting for ever.
    pub fn open(&self) -> io::Result<(File, Metadata)> {
        // Looked at first, because opening alone may do something to a device.
        check(&self.folder.dir.metadata(self.inner())?)?;
        let mut options = OpenOptions::new();
        // Somebody may have put a pipe there between the two looks.
        options.read(true).custom_flags(NO_WAITING);
        let file = self.folder.dir.open_with(self.inner(), &options)?;
        let about = file.metadata()?;
        check(&about)?;
        Ok((file, about))
    }

    /// The refusal for a failure of the file system.
    pub fn refused(&self, error: &io::Error) -> Refusal {
        use std::io::ErrorKind;
        let told = error.to_string();
        // In the words of Python, where it has some.
        let (status, code, words) = match error.kind() {
            ErrorKind::NotFound => (404, "FileNotFoundError", "No such file or directory"),
            ErrorKind::PermissionDenied if error.raw_os_error().is_some() => {
                (403, "PermissionError", "Permission denied")
            }
            // The library that stays in the folder says so.
            ErrorKind::PermissionDenied => (
                403,
                "PermissionError",
                "a link leads out of the granted folder",
            ),
            ErrorKind::IsADirectory => (400, "IsADirectoryError", "Is a directory"),
            ErrorKind::NotADirectory => (400, "NotADirectoryError", "Not a directory"),
            ErrorKind::Unsupported => (400, "OSError", told.as_str()),
            _ => (500, "OSError", told.as_str()),
        };
        Refusal::new(status, code, format!("{words}: '{}'", self.shown()))
    }

    /// Refuses to change a folder that is granted for reading alone.
    pub fn writable(&self) -> Result<(), Refusal> {
        if self.folder.is_writable {
            return Ok(());
        }
        let name = &self.folder.name;
        Err(Refusal::new(
            403,
            "PermissionError",
            format!(
                "the folder {name:?} is granted for reading; --files {name}:rw lets it be changed"
            ),
        ))
    }
}
