//! Opens worlds: built-in ones, description files and folders.

mod aliases;
mod bodies;
mod by_hand;
#[cfg(test)]
mod crash;
mod description;
pub mod disk;
mod edits;
mod extras_manifest;
mod files;
mod filler;
mod folders;
mod index;
mod journal;
mod left_out;
mod limits;
mod lock;
mod manifest;
mod manifest_log;
mod manifests;
mod modes;
mod refresh;
mod steps;
mod streamed;
mod template_lists;
mod tree;
mod upload_manifest;
mod version_manifest;
mod write;

pub(super) use aliases::alias;
pub use disk::DiskWorld;
pub use limits::DiskLimits;
pub(super) use template_lists::lists;
pub use tree::content_type;

use super::clock::Clock;
use super::memory::{Memory, Store};
use crate::domain::{Opened, World, WorldKind};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Names the descriptions of one folder.
macro_rules! descriptions {
    ($($name:literal),+ $(,)?) => {
        &[$((
            $name,
            include_str!(concat!("../../worlds/", $name, ".toml")),
        )),+]
    };
}

/// The built-in worlds: name and description, in the form of `datasets/s3/worlds`. The
/// first is the default.
pub const BUILT_IN: &[(&str, &str)] = descriptions![
    "zoology",
    "empty",
    "backups",
    "data-lake",
    "fresh-account",
    "photo-archive",
    "web-logs",
    "website",
];

/// Opens the world that `spec` names:
///
/// - `zoology`, `empty` or another of [`BUILT_IN`], in memory;
/// - a file: a description (`datasets/s3/worlds/zoology.toml` is an example), in memory;
/// - a folder: its subfolders are buckets, their files objects, and every write of a
///   program is kept there ([`DiskWorld`]). A folder that is missing is created.
///
/// # Errors
/// The path of a file or folder that cannot be read or is not a world, and what was
/// expected.
///
/// # Examples
///
/// ```
/// let opened = s3_world::world::open("zoology")?;
/// assert_eq!(opened.world.describe(), "zoology (embedded S3, in memory)");
/// # Ok::<(), s3_world::Error>(())
/// ```
pub fn open(spec: &str) -> Result<Opened> {
    let kind = kind(spec);
    let world: Arc<dyn World> = match kind {
        WorldKind::Memory => Arc::new(memory(spec)?),
        WorldKind::Disk | WorldKind::Remote => {
            return open_folder(spec).map(|(opened, _)| opened);
        }
    };
    Ok(Opened {
        world,
        kind,
        identity: identity(spec),
        folders: BTreeMap::new(),
    })
}

/// Opens a world in memory with the machine's time in the place of its own.
///
/// # Errors
/// Those of [`memory`].
pub fn open_with_machine_time(spec: &str) -> Result<Opened> {
    let world = memory(spec)?;
    let store = Store {
        clock: Clock::System,
        ..world.snapshot()
    };
    world.restore(store);
    Ok(Opened {
        world: Arc::new(world),
        kind: WorldKind::Memory,
        identity: identity(spec),
        folders: BTreeMap::new(),
    })
}

/// Opens a folder, with a sentence about what programs do not see of it, if there is such.
///
/// # Errors
/// Those of [`open`].
pub fn open_folder(spec: &str) -> Result<(Opened, Option<String>)> {
    let world = DiskWorld::open(Path::new(spec), Clock::System)?;
    let note = world.note().map(str::to_owned);
    let opened = Opened {
        world: Arc::new(world),
        kind: WorldKind::Disk,
        identity: identity(spec),
        folders: BTreeMap::new(),
    };
    Ok((opened, note))
}

/// A folder as it is, whoever has it open. It is not written.
///
/// # Errors
/// Those of [`open`]; a folder that does not exist is one, too.
pub fn reading(folder: &Path) -> Result<DiskWorld> {
    DiskWorld::open_reading(folder, Clock::System)
}

/// Where the world `spec` keeps its state. Only this function distinguishes folders from
/// descriptions. Opens nothing. A folder may have any name, even one that ends in
/// `.toml`.
pub fn kind(spec: &str) -> WorldKind {
    let path = Path::new(spec);
    if built_in(spec).is_some() || path.is_file() || is_description(path) {
        WorldKind::Memory
    } else {
        WorldKind::Disk
    }
}

/// The [identity](Opened::identity) of the world `spec`. Opens nothing.
pub fn identity(spec: &str) -> String {
    if built_in(spec).is_some() {
        return spec.to_owned();
    }
    let path = Path::new(spec);
    // A path that does not exist yet has no links to resolve.
    let path = (path.canonicalize())
        .or_else(|_| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_owned());
    path.display().to_string()
}

/// Loads the world `spec` into memory. Accepts the same names as [`open`]. A folder is
/// read and never written.
///
/// # Errors
/// Those of [`open`]; a folder that does not exist is one, too.
pub fn memory(spec: &str) -> Result<Memory> {
    let path = Path::new(spec);
    let store = if let Some(text) = built_in(spec) {
        store_from(text, path)?
    } else if path.is_dir() {
        DiskWorld::open_reading(path, Clock::System)?
            .fork()
            .snapshot()
    } else {
        let text = std::fs::read_to_string(path).map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound => Error::Content {
                path: path.to_owned(),
                problem: "there is no such file; a world is `zoology`, `empty`, a description \
                          (FILE.toml) or a folder whose subfolders are buckets"
                    .to_owned(),
            },
            std::io::ErrorKind::InvalidData => Error::Content {
                path: path.to_owned(),
                problem: "is not UTF-8 text; a world's description (TOML) was expected".to_owned(),
            },
            _ => Error::file("cannot read the world's description", path)(source),
        })?;
        store_from(&text, path)?
    };
    Ok(Memory::new(spec, store))
}

/// Makes a store from the text of a description; `path` is for error messages.
///
/// # Errors
/// The mistake in the text, and its place.
pub fn store_from(text: &str, path: &Path) -> Result<Store> {
    description::load(text).map_err(|problem| Error::Content {
        path: path.to_owned(),
        problem,
    })
}

/// The first line of the text `description` in a built-in world.
pub(super) fn about(text: &str) -> String {
    let table: toml::Table = text.parse().unwrap_or_default();
    let description = table.get("description").and_then(toml::Value::as_str);
    let first = description.unwrap_or_default().lines().next();
    first.unwrap_or_default().to_owned()
}

fn built_in(name: &str) -> Option<&'static str> {
    let (_, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
    Some(text)
}

fn is_description(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "toml")
        && !path.is_dir()
}
