//! Adapters: what a model has learned of a domain, in a small file of its own.

use crate::error::{Error, Result};
use std::path::{Path, PathBuf};

/// A LoRA adapter (Hu et al., 2021) for one model, as a GGUF file for llama.cpp. A model with
/// one is asked in the form of the texts it was trained on.
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
    /// [`Error::usage`] if there is no such file.
    pub fn of_file(file: &Path, model: &str) -> Result<Adapter> {
        if !file.is_file() {
            return Err(Error::usage(format!(
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
}
