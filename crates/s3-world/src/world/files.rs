//! Files and folders of the hidden folder: private, no links, and on the disk for sure.

use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes a file that was not there.
///
/// # Errors
/// There is one, or it cannot be written.
pub fn write_new(path: &Path, content: &[u8]) -> Result<()> {
    let written = new_file(path).and_then(|mut file| {
        file.write_all(content)?;
        file.sync_all()
    });
    written.map_err(Error::file("cannot write", path))
}

/// Makes a folder with this mode, whatever the mask of the process is.
pub fn make_private(folder: &Path, mode: u32) -> std::io::Result<()> {
    fs::create_dir(folder)?;
    #[cfg(unix)]
    fs::set_permissions(folder, fs::Permissions::from_mode(mode))?;
    #[cfg(not(unix))]
    let _ = mode;
    Ok(())
}

/// A file that was not there, so that no link in its place is followed.
pub fn new_file(path: &Path) -> std::io::Result<File> {
    File::options().write(true).create_new(true).open(path)
}

/// A folder is here, and not a link.
///
/// # Errors
/// Something else is.
pub fn expect_folder(path: &Path, found: &fs::Metadata) -> Result<()> {
    match found.is_dir() {
        true => Ok(()),
        false => Err(Error::Content {
            path: path.to_owned(),
            problem: "a folder was expected, not a file or a link".to_owned(),
        }),
    }
}

/// Removes all files of a folder.
pub fn remove_files(folder: &Path) -> Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(Error::file("cannot read", folder))?,
    };
    for entry in entries {
        let path = entry.map_err(Error::file("cannot read", folder))?.path();
        fs::remove_file(&path).map_err(Error::file("cannot remove", &path))?;
    }
    Ok(())
}

/// Makes sure that renames and removals in a folder survive a power failure.
pub fn sync_dir(folder: &Path) -> Result<()> {
    if cfg!(unix) {
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        // The folder may have been removed.
        absent_is_fine(synced).map_err(Error::file("cannot write", folder))?;
    }
    Ok(())
}

/// Treats a missing file as success.
pub fn absent_is_fine(result: std::io::Result<()>) -> std::io::Result<()> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
