//! Folders of the user that programs may name: `--files DIR`, or `--files DIR:rw` where
//! downloads may change them.
//!
//! A program only names files. The host opens them and streams their contents to and from the
//! world in parts, so that no content passes through the sandbox. Names are resolved by
//! [`Folders`], which never leaves a granted folder, whatever links lie in it.
//!
//! - `folders.rs`: the granted folders, and what a name means; `place.rs`: files as places
//! - `world.rs`: a world with files; `upload.rs`, `download.rs`, `listing.rs`: its operations
//! - `draft.rs`: uploads and downloads of a plan, before they are carried out
//! - `touches.rs`, `planning.rs`: files in policies, plans and undo

mod download;
mod draft;
mod folders;
mod listing;
mod place;
mod planning;
mod stamp;
mod touches;
mod upload;
mod world;

pub use folders::{Folders, UNLISTED};
pub use world::WithFiles;

use super::selection;
use crate::domain::{Access, Domain, Operation, Planning};
use std::sync::Arc;

/// The API document about files, for models.
const DOCUMENT: &str = include_str!("../../api-docs/s3-files.pyi");

/// The domain with these folders: with the operations on files, their documentation, and
/// their part in plans and policies.
pub fn granted(domain: &Domain, folders: &Arc<Folders>) -> Domain {
    let mut domain = domain.clone();
    domain.api.setup = folders.client_list().into();
    if folders.listed().next().is_some() {
        domain.api.selection = Some(Arc::new(selection::ChosenParts {
            always: DOCUMENT.replace("{folders}", &folders.python_list()),
        }));
    }
    domain.api.operations.extend(operations());
    domain.effects.restoring.extend([
        Operation::new(
            "write_file",
            Access::Write,
            ["Filename", "Body", "Modified"],
            2,
        ),
        Operation::new("remove_file", Access::Delete, ["Filename"], 1),
    ]);
    domain.effects.touches = domain.effects.touches.map(|inner| {
        let folders = folders.clone();
        Arc::new(touches::FileTouches { inner, folders }) as _
    });
    domain.effects.planning = domain.effects.planning.map(|inner| {
        let folders = folders.clone();
        Arc::new(planning::FilePlanning { inner, folders }) as _
    });
    domain
}

/// The planning of a domain without folders. A plan of a session that had some is refused: no
/// bucket has the name of its place, so that the file would look as if it were gone.
pub fn ungranted(inner: Arc<dyn Planning>) -> Arc<dyn Planning> {
    let folders = Arc::new(Folders::default());
    Arc::new(planning::FilePlanning { inner, folders })
}

fn operations() -> [Operation; 4] {
    let place = ["Filename", "Bucket", "Key", "ExtraArgs", "Config"];
    [
        Operation::new("upload_file", Access::Write, place, 3),
        Operation::new("download_file", Access::Write, place, 3),
        Operation::new("list_files", Access::Read, ["Path"], 0),
        Operation::new("read_file", Access::Read, ["Filename", "Start", "Size"], 1),
    ]
}

/// Whether an operation is about files.
fn is_about_files(operation: &str) -> bool {
    let known = operations();
    known.iter().any(|it| it.name == operation) || matches!(operation, "write_file" | "remove_file")
}
