//! `domain new`: makes a folder with a small working domain.

use super::definition::is_name;
use crate::domain::is_keyword;
use crate::error::{Error, Result};
use std::path::Path;

/// The files of a new folder. `NAME` and `HANDLE` stand for its names.
const FILES: &[(&str, &str)] = &[
    ("domain.toml", include_str!("skeleton/domain.toml")),
    ("api.pyi", include_str!("skeleton/api.pyi")),
    ("world.py", include_str!("skeleton/world.py")),
    ("guide.md", include_str!("skeleton/guide.md")),
    ("policy.toml", include_str!("skeleton/policy.toml")),
    ("gold.jsonl", include_str!("skeleton/gold.jsonl")),
    (
        "worlds/start.json",
        include_str!("skeleton/worlds/start.json"),
    ),
    (
        "examples/add.xml",
        include_str!("skeleton/examples/add.xml"),
    ),
    (
        "examples/small-talk.xml",
        include_str!("skeleton/examples/small-talk.xml"),
    ),
];

/// Makes a folder with a small domain: a list of items, to be changed into one's own. The
/// name of the folder becomes the name of the domain. Returns the files that were made.
///
/// # Errors
/// The folder is there and not empty, its name cannot be that of a domain, or it cannot be
/// written.
pub fn create(path: &Path) -> Result<Vec<&'static str>> {
    make(path, FILES)
}

/// Makes a folder with these files, in which `NAME` and `HANDLE` stand for its names.
///
/// # Errors
/// Those of [`create`].
pub fn make(path: &Path, files: &[(&'static str, &str)]) -> Result<Vec<&'static str>> {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let name = name
        .filter(|name| is_name(name) && !is_keyword(&name.replace('-', "_")))
        .ok_or_else(|| no_name(path))?;
    make_empty(path)?;
    let handle = name.replace('-', "_");
    for (file, text) in files {
        let target = path.join(file);
        let folder = target.parent().unwrap_or(path);
        std::fs::create_dir_all(folder).map_err(Error::file("cannot write", folder))?;
        let text = text.replace("NAME", &name).replace("HANDLE", &handle);
        std::fs::write(&target, text).map_err(Error::file("cannot write", &target))?;
    }
    Ok(files.iter().map(|(file, _)| *file).collect())
}

/// The error of a folder whose name cannot be that of a domain.
pub fn no_name(path: &Path) -> Error {
    Error::usage(format!(
        "{} cannot name a domain: a name has lower-case letters, digits and hyphens, begins with \
         a letter, and is no keyword of Python",
        path.display()
    ))
}

/// Makes a folder that is empty.
///
/// # Errors
/// It is there and not empty, or cannot be made.
pub fn make_empty(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(Error::file("cannot make", path))?;
    let mut entries = std::fs::read_dir(path).map_err(Error::file("cannot read", path))?;
    match entries.next() {
        Some(_) => Err(Error::usage(format!(
            "{} is there, and is not empty",
            path.display()
        ))),
        None => Ok(()),
    }
}
