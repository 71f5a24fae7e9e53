//! Adapters: what a model has learned of a domain, in a small file of its own.

use super::models_folder;
use crate::error::{Error, Result};
use crate::files::{self, Readers};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A LoRA adapter (Hu et al., 2021) for one model, as a GGUF file for llama.cpp. A model with
/// one is asked in [`Form::Trained`](crate::prompts::Form::Trained).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adapter {
    /// The name in messages and logs: of the domain, or of the file.
    pub name: String,
    /// The name of the model that it was trained on: `qwen2.5-coder-0.5b`.
    pub model: String,
    /// Where it is.
    pub content: AdapterContent,
}

/// Where an adapter is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdapterContent {
    /// In the program.
    BuiltIn(&'static [u8]),
    /// In a file.
    File(PathBuf),
}

impl Adapter {
    /// The adapter in a file, for whatever model it is applied to.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no such file.
    pub fn of_file(file: &Path, model: &str) -> Result<Adapter> {
        if !file.is_file() {
            return Err(Error::Usage(format!(
                "there is no adapter {}; --adapter none does without one",
                file.display()
            )));
        }
        let stem = file.file_stem().unwrap_or_default();
        let file = std::path::absolute(file).map_err(Error::file("cannot read", file))?;
        Ok(Adapter {
            name: stem.to_string_lossy().into_owned(),
            model: model.to_owned(),
            content: AdapterContent::File(file),
        })
    }

    /// The file for llama.cpp. A built-in adapter is written to the folder of models, unless
    /// it is there.
    ///
    /// # Errors
    /// [`Error::Usage`] if the user has no home folder or the file is no GGUF file,
    /// [`Error::File`] if it cannot be read or written.
    pub fn file(&self) -> Result<PathBuf> {
        let bytes = match &self.content {
            AdapterContent::File(file) => return checked(file),
            AdapterContent::BuiltIn(bytes) => *bytes,
        };
        let digest = const_hex::encode(&Sha256::digest(bytes)[..8]);
        let folder = models_folder()?.join("adapters");
        let file = folder.join(format!("{}-{}-{digest}.gguf", self.model, self.name));
        let is_whole = |there: std::fs::Metadata| there.len() == bytes.len() as u64;
        if !std::fs::metadata(&file).is_ok_and(is_whole) {
            std::fs::create_dir_all(&folder)
                .map_err(Error::file("cannot make the folder", &folder))?;
            files::replace(&file, bytes, Readers::Umask)?;
        }
        Ok(file)
    }
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
        false => Err(Error::Usage(format!(
            "{} is no adapter: it does not begin like a GGUF file; --adapter none does without one",
            file.display()
        ))),
    }
}
