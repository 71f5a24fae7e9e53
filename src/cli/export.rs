//! Plans that somebody else carries out: `run --overlay --manifest`, and `/plan export` in a chat.

use crate::domain::{World, Write};
use crate::error::{Error, Result};
use std::fs;
use std::path::Path;

/// The option of `run`.
pub const MANIFEST: &str = "--manifest";

/// Whether the folder can be made. `name` is what the user called this by.
pub fn check(name: &str, folder: &Path) -> Result<()> {
    match folder.exists() {
        true => Err(Error::usage(format!(
            "{name} {}: it exists; name a folder that does not",
            folder.display()
        ))),
        false => Ok(()),
    }
}

/// Makes the writes of a draft in the overlay, which shows what they change.
pub async fn repeat(overlay: &dyn World, writes: &[Write]) -> Result<()> {
    for write in writes {
        if let Err(refusal) = overlay.call(&write.operation, &write.params).await? {
            return Err(Error::world(format!(
                "{}: {} was refused the second time: {}",
                overlay.describe(),
                write.operation,
                refusal.message
            )));
        }
    }
    Ok(())
}

/// Writes the files of a plan into a new folder. Returns a sentence about them.
pub fn write(files: &[(String, String)], folder: &Path) -> Result<String> {
    if files.is_empty() {
        return Ok("There is nothing to export: the program changes nothing.".to_owned());
    }
    fs::create_dir_all(folder).map_err(Error::file("cannot make the folder", folder))?;
    for (name, content) in files {
        let file = folder.join(name);
        fs::write(&file, content).map_err(Error::file("cannot write", &file))?;
    }
    let names = files.iter().map(|(name, _)| name.as_str());
    let names: Vec<&str> = names.filter(|name| name.ends_with(".sh")).collect();
    let (count, shown) = (files.len(), folder.display());
    Ok(format!(
        "{count} files are in {shown}: read them, and then run {}.",
        names.join(", and after its jobs ")
    ))
}
