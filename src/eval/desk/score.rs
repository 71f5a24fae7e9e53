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
use std::fmt;
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
    /// Claims whose words the rows do not have, by kind and slot.
    pub unknown: BTreeMap<String, usize>,
    /// Replies that are the host's, since the model's could not be used.
    pub plain: usize,
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
    Ok(RecordedDesk {
        folder: folder.to_owned(),
        run: RUNS.read(folder)?,
        dialogues: read_dialogues(&folder.join(LOG))?,
    })
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
        of_referring(it, |flags| flags.evidenced != Some(false))
    }),
    ("complete lists", |it| {
        of_referring(it, |flags| flags.complete)
    }),
    ("consistent", |it| of_all(it, |flags| flags.consistent)),
    ("true bookings", |it| {
        of_all(it, |flags| flags.booking != Some(false))
    }),
    ("referring turns", |it| of_all(it, |flags| flags.refers)),
    ("goals reached", reached),
];

fn of_referring(turns: &[DeskTurn], holds: fn(&Flags) -> bool) -> (usize, usize) {
    let referring = || {
        turns
            .iter()
            .map(|turn| &turn.flags)
            .filter(|flags| flags.refers)
    };
    (
        referring().filter(|flags| holds(flags)).count(),
        referring().count(),
    )
}

fn of_all(turns: &[DeskTurn], holds: fn(&Flags) -> bool) -> (usize, usize) {
    (
        turns.iter().filter(|turn| holds(&turn.flags)).count(),
        turns.len(),
    )
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
    let (run, dialogues) = (&recorded.run, &recorded.dialogues);
    if dialogues.len() < run.dialogues.count && !partial {
        return Err(Error::Content {
            path: recorded.folder.clone(),
            problem: format!(
                "{} of {} {} done: go on with `dialog2api claims simulate … --resume`, or take what \
                 is there with --partial",
                dialogues.len(),
                counted(run.dialogues.count, "dialogue"),
                plural(run.dialogues.count, "is", "are")
            ),
        });
    }
    let counts = counts(dialogues.values());
    let mut resampled: Vec<Vec<f64>> = vec![Vec::new(); counts.len()];
    Bootstrap::default().each(dialogues.len(), |times| {
        for (counts, values) in counts.iter().zip(&mut resampled) {
            values.extend(share(counts, times));
        }
    });
    let once = vec![1.0; dialogues.len()];
    let figures = SHARES.iter().zip(&counts).zip(resampled);
    let figures = figures.map(|(((name, _), counts), values)| DeskFigure {
        name,
        of: (
            counts.iter().map(|(some, _)| some).sum(),
            counts.iter().map(|(_, all)| all).sum(),
        ),
        value: share(counts, &once),
        interval: interval(values),
    });
    let mut score = DeskScore {
        run: run.clone(),
        done: dialogues.len(),
        figures: figures.collect(),
        ended: BTreeMap::new(),
        contradicted: BTreeMap::new(),
        unknown: BTreeMap::new(),
        plain: 0,
        strayed: 0,
        requests: 0,
        usage: Usage::default(),
        cost: None,
    };
    for turn in dialogues.values().flatten() {
        score.plain += usize::from(turn.plain);
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
        if claim["verdict"] == "false" || claim["verdict"] == "incomplete" {
            *self.contradicted.entry(what.clone()).or_default() += 1;
        }
        if claim["known"] == false {
            *self.unknown.entry(what).or_default() += 1;
        }
    }
}

/// `65.2 (50.0 to 80.1)` percent.
pub(super) fn percent(value: Option<f64>, interval: Option<(f64, f64)>) -> String {
    let value = value.map_or_else(String::new, |value| format!("{:.1}", 100.0 * value));
    match interval {
        Some((low, high)) => format!("{value} ({:.1} to {:.1})", 100.0 * low, 100.0 * high),
        None => value,
    }
}

/// `area 3, phone 1`: the most frequent first.
fn listed(counts: &BTreeMap<String, usize>) -> String {
    let mut counts: Vec<_> = counts.iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let each = counts
        .into_iter()
        .map(|(what, count)| format!("{what} {count}"));
    each.collect::<Vec<_>>().join(", ")
}

impl fmt::Display for DeskScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run = &self.run;
        write!(f, "{}", run.assistant)?;
        if let Some(model) = &run.model {
            write!(f, " by {model}")?;
        }
        let dialogues = counted(run.dialogues.count, "dialogue");
        writeln!(
            f,
            ", rows: {}, language: {}: {} of {dialogues}",
            run.rows, run.language, self.done
        )?;
        for DeskFigure {
            name,
            of,
            value,
            interval,
        } in &self.figures
        {
            if let (some, all @ 1..) = of {
                let percent = percent(*value, *interval);
                writeln!(f, "  {name:<32} {:>9}  {percent}", format!("{some}/{all}"))?;
            }
        }
        for (title, counts) in [
            ("ended", &self.ended),
            ("contradicted", &self.contradicted),
            ("not in the rows", &self.unknown),
        ] {
            if !counts.is_empty() {
                writeln!(f, "{title}: {}", listed(counts))?;
            }
        }
        if self.plain > 0 {
            writeln!(f, "replies of the host: {}", self.plain)?;
        }
        if self.strayed > 0 {
            writeln!(f, "users who strayed from the goal: {}", self.strayed)?;
        }
        if self.requests > 0 {
            let Usage {
                prompt_tokens,
                completion_tokens,
                ..
            } = self.usage;
            let requests = counted(self.requests, "request");
            write!(
                f,
                "{requests}, {prompt_tokens} + {completion_tokens} tokens"
            )?;
            if let Some(cost) = &self.cost {
                write!(f, ", {cost}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
