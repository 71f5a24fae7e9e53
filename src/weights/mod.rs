//! Files of models: which there are, where they lie on this machine, and how they get
//! here.
//!
//! A [`Manifest`] names a model's files with their digests, so that it does not matter
//! where they come from: the Hugging Face hub, a Python package, a folder. They lie in a
//! folder of the model's name in the user's data folder ([`models_folder`]).

mod http;
mod index;
mod pull;

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
    /// The licence of the model, as an SPDX expression.
    pub licence: String,
    /// Where it is described.
    pub page: String,
    /// The files that are needed.
    #[serde(rename = "file")]
    pub files: Vec<ModelFile>,
    /// Where it is on the Hugging Face hub.
    pub hub: Hub,
    /// The Python package that has the same files.
    pub pip: Pip,
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

/// A Python package with a model in it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pip {
    /// The package's name.
    pub package: String,
    /// The wheel.
    pub wheel: ModelFile,
    /// The folder of the model's files in it.
    pub folder: String,
}

/// The models that the program knows.
///
/// # Errors
/// A manifest that comes with the program is none.
pub fn manifests() -> Result<Vec<Manifest>> {
    [("minilm.toml", include_str!("minilm.toml"))]
        .map(|(name, text)| {
            toml::from_str(text).map_err(|error| Error::Content {
                path: name.into(),
                problem: error.to_string(),
            })
        })
        .into_iter()
        .collect()
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
