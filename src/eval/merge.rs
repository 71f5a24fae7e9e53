//! Joins the shards of a run. The result is byte for byte what one run would have written.

use super::folder::{self, LOG, differences, read_run, read_timings};
use super::lines::Lines;
use super::log::{Run, Shard};
use super::read::check;
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The description of a run that may be a part of one.
pub(super) trait Sharded: Clone {
    /// The part.
    fn shard(&self) -> Option<Shard>;

    /// The description of the whole run.
    fn whole(&self) -> Self;

    /// The differences between two of them, one sentence for each field.
    fn differences(&self, other: &Self) -> Vec<String>;
}

impl Sharded for Run {
    fn shard(&self) -> Option<Shard> {
        self.shard
    }

    fn whole(&self) -> Run {
        Run {
            shard: None,
            ..self.clone()
        }
    }

    fn differences(&self, other: &Run) -> Vec<String> {
        differences(self, other)
    }
}

/// The shards of a run by their numbers, with their folders and descriptions.
pub(super) type Shards<'a, R> = BTreeMap<u32, (&'a Path, R)>;

/// The description of the run that these shards make, and the shards. `out` must be new.
///
/// # Errors
/// The folders are not all shards of one run, each once.
pub(super) fn shards<'a, R: Sharded>(
    out: &Path,
    folders: &'a [PathBuf],
    read: impl Fn(&Path) -> Result<R>,
) -> Result<(R, Shards<'a, R>)> {
    if out.join(folder::RUN).exists() {
        return Err(Error::usage(format!(
            "{} has a run already; name another folder",
            out.display()
        )));
    }
    let mut shards: Shards<'a, R> = BTreeMap::new();
    let mut whole: Option<(&Path, R)> = None;
    for folder in folders {
        let run = read(folder)?;
        let Some(shard) = run.shard() else {
            return Err(wrong(folder, "is a whole run, and no shard of one"));
        };
        let joined = run.whole();
        if let Some((first, whole)) = &whole {
            let mut found = joined.differences(whole);
            if let Some((_, other)) = shards.values().next()
                && let Some(Shard { of, .. }) = other.shard()
                && of != shard.of
            {
                found.push(format!("shard.of is {of} there and {} here", shard.of));
            }
            if !found.is_empty() {
                let first = first.display();
                return Err(wrong(
                    folder,
                    &format!("is not of the same run as {first}: {}", found.join("; ")),
                ));
            }
        } else {
            whole = Some((folder, joined));
        }
        if let Some((other, _)) = shards.insert(shard.index, (folder, run)) {
            return Err(wrong(
                folder,
                &format!(
                    "is shard {} of {}, as is {}",
                    shard.index,
                    shard.of,
                    other.display()
                ),
            ));
        }
    }
    let Some((_, whole)) = whole else {
        return Err(Error::usage("name the folders of the shards"));
    };
    let of = shards.values().find_map(|(_, run)| run.shard());
    let of = of.map_or(0, |shard| shard.of);
    let missing = (1..=of).filter(|index| !shards.contains_key(index));
    let missing: Vec<String> = missing.map(|index| format!("{index}/{of}")).collect();
    if !missing.is_empty() {
        return Err(Error::usage(format!(
            "of the {of} shards {} missing: {}",
            if missing.len() == 1 {
                "one is"
            } else {
                "some are"
            },
            missing.join(", ")
        )));
    }
    Ok((whole, shards))
}

/// Joins the shards in `folders` into a run in `out`, a new folder. Cached answers are not
/// copied.
///
/// # Errors
/// The folders are not all shards of one run, each once and each complete: the error names
/// the folder and the difference.
pub fn merge(out: &Path, folders: &[PathBuf]) -> Result<Run> {
    let (whole, shards) = shards(out, folders, read_run)?;
    let mut all = Lines::default();
    let mut timings = Vec::new();
    let mut owners = BTreeMap::new();
    for (index, (folder, run)) in &shards {
        let lines = at_its_end(folder, run)?;
        for line in &lines.lines {
            let owner = owners.insert(line.place.dialogue.clone(), (*index, *folder));
            if let Some((other, path)) = owner.filter(|(other, _)| other != index) {
                let (dialogue, path) = (&line.place.dialogue, path.display());
                return Err(wrong(
                    folder,
                    &format!("has dialogue {dialogue:?}, which shard {other} in {path} has, too"),
                ));
            }
        }
        all.lines.extend(lines.lines);
        timings.extend(read_timings(folder));
    }
    std::fs::create_dir_all(out).map_err(Error::file("cannot make", out))?;
    all.write(&out.join(LOG))?;
    folder::write_timings(out, &mut timings)?;
    // Last, so that what was interrupted is no run.
    folder::write_run(out, &whole)?;
    Ok(whole)
}

/// The lines of a shard that came to its end: a dialogue may have failed, but none is left
/// to run.
fn at_its_end(folder: &Path, run: &Run) -> Result<Lines> {
    let path = folder.join(LOG);
    let lines = Lines::read(&path)?;
    check(run, &lines).map_err(|problem| Error::Content {
        path: path.clone(),
        problem,
    })?;
    let completeness = super::read::Completeness::of(run, &lines);
    let left = completeness.unfinished.len() - completeness.failed() + completeness.missing();
    if left > 0 || completeness.cut_off.is_some() {
        Err(wrong(
            folder,
            &format!("did not come to its end: {completeness}"),
        ))
    } else {
        Ok(lines)
    }
}

pub(super) fn wrong(folder: &Path, problem: &str) -> Error {
    Error::Content {
        path: folder.to_owned(),
        problem: problem.to_owned(),
    }
}
