//! Adapters: what a model has learned of a domain, in a small file of its own.

use super::models_folder;
use crate::error::{Error, Result};
use crate::files::{self, Readers};
pub use dialog2api_core::domain::{Adapter, AdapterContent};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The file of an adapter for llama.cpp. A built-in adapter is written to the folder of models, unless
/// it is there.
///
/// # Errors
/// [`Error::usage`] if the user has no home folder or the file is no GGUF file,
/// [`Error::File`] if it cannot be read or written.
pub fn adapter_file(adapter: &Adapter) -> Result<PathBuf> {
    let bytes = match &adapter.content {
        AdapterContent::File(file) => return checked(file),
        AdapterContent::BuiltIn(bytes) => *bytes,
    };
    let digest = const_hex::encode(&Sha256::digest(bytes)[..8]);
    let folder = models_folder()?.join("adapters");
    let file = folder.join(format!("{}-{}-{digest}.gguf", adapter.model, adapter.name));
    let is_whole = |there: std::fs::Metadata| there.len() == bytes.len() as u64;
    if !std::fs::metadata(&file).is_ok_and(is_whole) {
        std::fs::create_dir_all(&folder).map_err(Error::file("cannot make the folder", &folder))?;
        files::replace(&file, bytes, Readers::Umask)?;
    }
    Ok(file)
}

/// The file, if it begins with the four letters of the format.
fn checked(file: &Path) -> Result<PathBuf> {
    let beginning = || {
        let mut beginning = Vec::new();
        File::open(file)?.take(4).read_to_end(&mut beginning)?;
        Ok(beginning)
    };
    match beginning().map_err(Error::file("cannot read", file))? == b"GGUF" {
        true => Ok(file.to_owned()),
        false => Err(Error::usage(format!(
            "{} is no adapter: it does not begin like a GGUF file; --adapter none does without one",
            file.display()
        ))),
    }
}
