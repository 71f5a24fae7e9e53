//! The figures of a run (paper, section 3), and how much they depend on the choice of dialogues.

use super::journal::{RUNS, read_dialogues};
use super::log::{DeskEnd, DeskRun, DeskTurn};
use crate::domain::{counted, plural};
use crate::error::{Error, Result};
use crate::eval::folder::LOG;
use crate::eval::score::{Bootstrap, interval};
use crate::llm::{Prices, Usage};
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use typed_claims::Flags;

/// A run as it was read from a folder.
#[derive(Debug, Clone)]
pub struct RecordedDesk {
    /// The folder.
    pub folder: PathBuf,
    /// What ran.
    pub run: DeskRun,
    /// The dialogues that are done, by name.
    pub dialogues: BTreeMap<String, Vec<DeskTurn>>,
}

/// A figure: a share of turns or dialogues.
#[derive(Debug, Clone, Serialize)]
pub struct DeskFigure {
    /// What it is the share of.
    pub name: &'static str,
    /// Those that have the property, and all.
    pub of: (usize, usize),
    /// The share; none of nothing.
    pub value: Option<f64>,
    /// Its 95 % interval over dialogues.
    pub interval: Option<(f64, f64)>,
}

/// The figures of a run. `Display` is a table.
#[derive(Debug, Clone, Serialize)]
pub struct DeskScore {
    /// What ran.
    pub run: DeskRun,
    /// Dialogues that are done.
    pub done: usize,
    /// The shares.
    pub figures: Vec<DeskFigure>,
    /// How dialogues ended.
    pub ended: BTreeMap<String, usize>,
    /// Claims that the rows contradict, by kind and slot.
    pub contradicted: BTreeMap<String, usize>,
    /// Lists that leave out rows, by kind.
    pub incomplete: BTreeMap<String, usize>,
    /// Claims whose words the rows do not have, by kind and slot.
    pub unknown: BTreeMap<String, usize>,
    /// Replies that are the host's, since the model's could not be used. No share counts them.
    pub plain: usize,
    /// Turns of which a server read only a part of a prompt.
    pub cut_prompts: usize,
    /// Users who said what neither the goal nor a reply has.
    pub strayed: usize,
    /// Requests to the model.
    pub requests: u32,
    /// Their tokens.
    pub usage: Usage,
    /// What they cost, if the model's price is known.
    pub cost: Option<String>,
}

/// Reads the folder of a run.
///
/// # Errors
/// It is none, has another version, or is damaged.
pub fn read(folder: &Path) -> Result<RecordedDesk> {
    let run: DeskRun = RUNS.read(folder)?;
    let path = folder.join(LOG);
    let dialogues = read_dialogues(&path)?;
    if dialogues.len() > run.dialogues.count {
        let problem = "has dialogues of another run: it is damaged".to_owned();
        return Err(Error::Content { path, problem });
    }
    Ok(RecordedDesk {
        folder: folder.to_owned(),
        run,
        dialogues,
    })
}

impl RecordedDesk {
    /// Whether all dialogues of the run are there.
    ///
    /// # Errors
    /// They are not: the sentence counts them.
    pub fn check_complete(&self) -> Result<()> {
        let (done, all) = (self.dialogues.len(), self.run.dialogues.count);
        if done >= all {
            return Ok(());
        }
        Err(Error::Content {
            path: self.folder.clone(),
            problem: format!(
                "{done} of {} {} done: go on with `dialog2api claims simulate … --resume`, or take \
                 what is there with --partial",
                counted(all, "dialogue"),
                plural(all, "is", "are")
            ),
        })
    }
}

/// What a share counts in a dialogue: those that have the property, and all.
type Share = (&'static str, fn(&[DeskTurn]) -> (usize, usize));

/// The shares, those of the paper first.
pub(super) const SHARES: [Share; 11] = [
    ("KB-alignment", |it| of_referring(it, |flags| flags.aligned)),
    ("KB-grounding", |it| {
        of_referring(it, |flags| flags.grounded)
    }),
    ("correct turns", |it| of_referring(it, Flags::correct)),
    ("correct dialogues", correct),
    ("strict grounding", |it| {
        of_referring(it, |flags| flags.strict)
    }),
    ("supported by what was looked up", |it| {
        of(it, |flags| flags.evidenced)
    }),
    ("complete lists", |it| {
        of_referring(it, |flags| flags.complete)
    }),
    ("consistent", |it| of_all(it, |flags| flags.consistent)),
    ("true bookings", |it| of(it, |flags| flags.booking)),
    ("referring turns", |it| of_all(it, |flags| flags.refers)),
    ("goals reached", reached),
];

fn of_referring(turns: &[DeskTurn], holds: fn(&Flags) -> bool) -> (usize, usize) {
    of(turns, |flags| flags.refers.then(|| holds(flags)))
}

fn of_all(turns: &[DeskTurn], holds: fn(&Flags) -> bool) -> (usize, usize) {
    of(turns, |flags| Some(holds(flags)))
}

/// The model's replies that have a property, and those that can have it.
fn of(turns: &[DeskTurn], holds: impl Fn(&Flags) -> Option<bool>) -> (usize, usize) {
    let own = turns.iter().filter(|turn| !turn.plain);
    let found: Vec<bool> = own.filter_map(|turn| holds(&turn.flags)).collect();
    (found.iter().filter(|holds| **holds).count(), found.len())
}

/// A dialogue without a turn that refers is left out.
fn correct(turns: &[DeskTurn]) -> (usize, usize) {
    let (correct, referring) = of_referring(turns, Flags::correct);
    (
        usize::from(referring > 0 && correct == referring),
        usize::from(referring > 0),
    )
}

fn reached(turns: &[DeskTurn]) -> (usize, usize) {
    match end(turns).and_then(|end| end.reached) {
        Some(reached) => (usize::from(reached), 1),
        None => (0, 0),
    }
}

fn end(turns: &[DeskTurn]) -> Option<&DeskEnd> {
    turns.last()?.end.as_ref()
}

/// A share of the dialogues, each counted so often.
#[expect(clippy::cast_precision_loss, reason = "counts of turns")]
pub(super) fn share(counts: &[(usize, usize)], times: &[f64]) -> Option<f64> {
    let (mut some, mut all) = (0.0, 0.0);
    for ((part, whole), times) in counts.iter().zip(times) {
        some += *part as f64 * times;
        all += *whole as f64 * times;
    }
    (all > 0.0).then(|| some / all)
}

/// The 95 % interval of a value of each share, by its value in a resample of so many dialogues.
pub(super) fn intervals(
    dialogues: usize,
    value: impl Fn(usize, &[f64]) -> Option<f64>,
) -> Vec<Option<(f64, f64)>> {
    let mut resampled: Vec<Vec<f64>> = vec![Vec::new(); SHARES.len()];
    Bootstrap::default().each(dialogues, |times| {
        for (at, values) in resampled.iter_mut().enumerate() {
            values.extend(value(at, times));
        }
    });
    resampled.into_iter().map(interval).collect()
}

/// What each share counts in these dialogues.
pub(super) fn counts<'t>(
    dialogues: impl Iterator<Item = &'t Vec<DeskTurn>> + Clone,
) -> Vec<Vec<(usize, usize)>> {
    let of_share = |(_, count): &Share| dialogues.clone().map(|turns| count(turns)).collect();
    SHARES.iter().map(of_share).collect()
}

/// The figures of a run. Without `partial`, all its dialogues have to be there.
///
/// # Errors
/// A sentence says what is missing.
pub fn score(recorded: &RecordedDesk, prices: &Prices, partial: bool) -> Result<DeskScore> {
    if !partial {
        recorded.check_complete()?;
    }
    let (run, dialogues) = (&recorded.run, &recorded.dialogues);
    let counts = counts(dialogues.values());
    let of_share = |at: usize, times: &[f64]| share(counts.get(at)?, times);
    let intervals = intervals(dialogues.len(), of_share);
    let once = vec![1.0; dialogues.len()];
    let figures = SHARES.iter().zip(&counts).zip(intervals);
    let figures = figures.map(|(((name, _), counts), interval)| DeskFigure {
        name,
        of: (
            counts.iter().map(|(some, _)| some).sum(),
            counts.iter().map(|(_, all)| all).sum(),
        ),
        value: share(counts, &once),
        interval,
    });
    let mut score = DeskScore {
        run: run.clone(),
        done: dialogues.len(),
        figures: figures.collect(),
        ended: BTreeMap::new(),
        contradicted: BTreeMap::new(),
        incomplete: BTreeMap::new(),
        unknown: BTreeMap::new(),
        plain: 0,
        cut_prompts: 0,
        strayed: 0,
        requests: 0,
        usage: Usage::default(),
        cost: None,
    };
    for turn in dialogues.values().flatten() {
        score.plain += usize::from(turn.plain);
        score.cut_prompts += usize::from(turn.cut_prompt);
        for claim in &turn.claims {
            score.count(claim);
        }
        if let Some(end) = &turn.end {
            *score.ended.entry(end.outcome.clone()).or_default() += 1;
            score.strayed += usize::from(end.strayed);
            score.requests += end.requests;
            score.usage += end.usage;
        }
    }
    let model = run.model.as_deref();
    let cost = model.and_then(|model| prices.cost(model, score.usage));
    score.cost = cost.map(|cost| cost.to_string());
    Ok(score)
}

impl DeskScore {
    /// Counts what is wrong with a claim.
    fn count(&mut self, claim: &Json) {
        let kind = claim["kind"].as_str().unwrap_or_default();
        let what = match claim["slot"].as_str() {
            Some(slot) => format!("{kind} {slot}"),
            None => kind.to_owned(),
        };
        let verdicts = [
            (claim["verdict"] == "false", &mut self.contradicted),
            (claim["verdict"] == "incomplete", &mut self.incomplete),
            (claim["known"] == false, &mut self.unknown),
        ];
        for (_, counts) in verdicts.into_iter().filter(|(is_so, _)| *is_so) {
            *counts.entry(what.clone()).or_default() += 1;
        }
    }
}
