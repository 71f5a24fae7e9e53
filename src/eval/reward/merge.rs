//! Joins the shards of a run of games, as [`merge`](mod@crate::eval::merge) does for dialogues.

use super::journal::{RUNS, write};
use super::log::{GameLine, GameRun};
use crate::domain::{counted, plural};
use crate::error::{Error, Result};
use crate::eval::folder::{LOG, fields_differ, write_run};
use crate::eval::kinds::read_lines;
use crate::eval::log::Shard;
use crate::eval::merge::{Sharded, shards, wrong};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

impl Sharded for GameRun {
    fn shard(&self) -> Option<Shard> {
        self.shard
    }

    fn whole(&self) -> GameRun {
        GameRun {
            shard: None,
            ..self.clone()
        }
    }

    fn differences(&self, other: &GameRun) -> Vec<String> {
        fields_differ(self, other)
    }
}

/// Joins the shards in `folders` into a run in `out`, a new folder. Cached answers are not
/// copied.
///
/// # Errors
/// The folders are not all shards of one run, each once, or games are missing.
pub fn merge(out: &Path, folders: &[PathBuf]) -> Result<GameRun> {
    let (whole, shards) = shards(out, folders, |folder| RUNS.read::<GameRun>(folder))?;
    let (mut all, mut owners) = (Vec::new(), BTreeMap::new());
    for (index, (folder, _)) in &shards {
        for line in read_lines::<GameLine>(&folder.join(LOG))? {
            if line.sample().is_some()
                && let Some(other) = owners.insert(line.unit.clone(), *index)
            {
                let unit = &line.unit;
                let problem = format!("has {unit}, which shard {other} has, too");
                return Err(wrong(folder, &problem));
            }
            all.push(line);
        }
    }
    let (done, units) = (owners.len(), whole.games.units);
    if done != units {
        return Err(Error::usage(format!(
            "{done} of {} {} done: go on with the shards that lack some, with `dialog2api game \
             eval … --shard I/N --resume`",
            counted(units, "unit"),
            plural(units, "is", "are")
        )));
    }
    all.retain(|line| owners.contains_key(&line.unit));
    std::fs::create_dir_all(out).map_err(Error::file("cannot make", out))?;
    write(&out.join(LOG), &mut all)?;
    // Last, so that what was interrupted is no run.
    write_run(out, &whole)?;
    Ok(whole)
}
