//! Files as places of plans and policies: `file:photos` is the folder, `file:photos/2024/a.jpg`
//! a file in it. No bucket has a colon in its name.

use super::folders::{Folder, Folders, Named};
use crate::domain::Place;

const ROOT: &str = "file:";

/// The root of the places in a folder.
pub fn root(folder: &Folder) -> String {
    format!("{ROOT}{}", folder.name)
}

/// The place of a file.
pub fn of(named: &Named<'_>) -> Place {
    let root = root(named.folder);
    match named.path.as_str() {
        "" => Place::container(root),
        path => Place::thing(root, path),
    }
}

/// The file at a place; none for the places of the world itself.
pub fn file<'f>(folders: &'f Folders, place: &Place) -> Option<Named<'f>> {
    let folder = folders.folder(place.root().strip_prefix(ROOT)?)?;
    let path = place.name().unwrap_or_default().into_owned();
    Some(Named { folder, path })
}

/// Whether a place is a file, also one in a folder that is not granted now.
pub fn is_file(place: &Place) -> bool {
    place.root().starts_with(ROOT)
}
