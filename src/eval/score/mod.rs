//! Computes figures from a log: pure functions, without a model, a sandbox or the dataset.
//!
//! [`load`](super::read::load) reads the folder of a run, [`score()`] computes all its figures,
//! [`compare()`] compares two runs. The same turns give the same figures in any order, and the
//! same log gives the same bytes.
//!
//! ```text
//! load ─► sheet (dialogues, passes, turns in order) ─► metrics/ ─► bootstrap (intervals)
//!                                                   ├► breakdown/ by complexity, API, turn
//!                                                   └► errors, epochs, failures, tokens
//! ```
//!
//! The definitions of the figures:
//!
#![doc = include_str!("../definitions.md")]

mod assistance;
mod bootstrap;
mod bounds;
mod breakdown;
mod compare;
mod do_nothing;
mod epochs;
mod errors;
mod failures;
pub mod metrics;
mod paper;
pub mod sheet;
pub mod turn;

pub use assistance::Assistance;
pub use bootstrap::{Bootstrap, interval};
pub use bounds::Bounds;
pub use breakdown::{ByApi, ByComplexity, ByTurn, Tally};
pub use compare::{Comparison, MetricDifference, Side, compare};
pub use do_nothing::DoNothing;
pub use epochs::Epochs;
pub use errors::{ErrorClass, Errors, classes};
pub use failures::{Failures, RequestUsage, Tokens};
pub use paper::{DATASETS_DIFFER, PAPER, PaperRow, paper_beside};

use crate::domain::{Domain, counted};
use crate::eval::log::{Run, TurnLog};
use bootstrap::Table;
use metrics::{Metric, Unit, metrics};
use serde::Serialize;
use sheet::{CutShort, Missing, Runs, Sheet};
use std::sync::Arc;

/// The version of `definitions.md`, which changes with the meaning of a figure.
pub const DEFINITIONS_VERSION: u32 = 1;

/// How a log is scored.
#[derive(Clone, Default)]
pub struct Options {
    /// Whether a log with missing turns is scored too, by its finished dialogues.
    pub partial: bool,
    /// How the intervals are drawn.
    pub bootstrap: Bootstrap,
    /// The domain of the run, if it is not one that comes with the program.
    pub domain: Option<Arc<Domain>>,
}

/// All figures of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    /// EMR, 0 to 1; `None` if no dialogue is finished.
    pub emr: Option<f64>,
    /// [`DEFINITIONS_VERSION`].
    pub definitions: u32,
    /// The settings of the run.
    pub run: Run,
    /// How much of the run is scored.
    pub coverage: Coverage,
    /// The metrics, each with its interval.
    pub metrics: Vec<Figure>,
    /// The range of the EMR if every dialogue had been finished; `None` if none was cut short.
    pub bounds: Option<Bounds>,
    /// The part that aids had; none for a log that does not record it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assistance: Option<Assistance>,
    /// The figures of an agent that does nothing.
    pub nothing: DoNothing,
    /// The spread over the epochs.
    pub epochs: Epochs,
    /// The wrong turns by class.
    pub errors: Errors,
    /// By conversational complexity.
    pub by_complexity: Vec<ByComplexity>,
    /// By operation.
    pub by_api: Vec<ByApi>,
    /// By position of the turn.
    pub by_turn: Vec<ByTurn>,
    /// The failures.
    pub failures: Failures,
    /// Requests and tokens.
    pub tokens: Tokens,
    /// How the intervals were drawn.
    pub bootstrap: Bootstrap,
    /// Every finished pass.
    pub dialogues: Vec<DialogueScore>,
}

/// How much of a run is scored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// Whether turns are missing, so that the figures are of a part of the run.
    pub partial: bool,
    /// Passes (a dialogue in an epoch) that the run has.
    pub expected: u64,
    /// Those that are finished, and scored.
    pub scored: usize,
    /// Dialogues with a pass that is scored.
    pub dialogues: usize,
    /// Turns that are scored.
    pub turns: usize,
    /// The passes that a failure ended which is not the model's. They are not scored.
    pub cut_short: Vec<CutShort>,
    /// The gaps in the log.
    pub missing: Missing,
}

/// A metric of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// Its key: `emr`.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The unit of the figure.
    pub unit: Unit,
    /// The figure; none where no dialogue has it.
    pub value: Option<f64>,
    /// The lower end of the 95 % interval.
    pub low: Option<f64>,
    /// The upper end of the 95 % interval.
    pub high: Option<f64>,
    /// The dialogues that it is a figure of.
    pub dialogues: usize,
}

/// The result of one dialogue in one epoch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DialogueScore {
    /// The dialogue's uid.
    pub dialogue: String,
    /// Which repetition, from 1.
    pub epoch: u32,
    /// How many turns it has: T.
    pub turns: usize,
    /// The number of right turns before the first wrong one: t_last.
    pub kept: usize,
    /// t_last / T.
    pub emr: Option<f64>,
    /// The class of the first wrong turn.
    pub error: Option<ErrorClass>,
}

impl Score {
    /// The metric with this key.
    pub fn figure(&self, name: &str) -> Option<&Figure> {
        self.metrics.iter().find(|figure| figure.name == name)
    }
}

/// Computes every figure of a run from its turns, which may be in any order.
///
/// ```no_run
/// use dialog2api::eval::read::load;
/// use dialog2api::eval::score::{Options, score};
///
/// let log = load("runs/name".as_ref(), false)?;
/// let score = score(&log.run, &log.turns, &Options::default())?;
/// println!("EMR: {:?}", score.emr);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A sentence: the turns contradict each other or `run`, or some are missing and
/// [`Options::partial`] is not set.
pub fn score(run: &Run, turns: &[TurnLog], options: &Options) -> Result<Score, String> {
    let sheet = Sheet::new(run, turns, options.domain.as_ref())?;
    if !options.partial
        && let Some(problem) = incomplete(&sheet)
    {
        return Err(problem);
    }
    let dialogues: Vec<&Runs<'_>> = sheet.dialogues.iter().collect();
    let metrics = figures(&metrics(run), &dialogues, &options.bootstrap);
    let emr = metrics.iter().find(|figure| figure.name == "emr");
    Ok(Score {
        emr: emr.and_then(|figure| figure.value),
        definitions: DEFINITIONS_VERSION,
        run: run.clone(),
        coverage: Coverage {
            partial: run.shard.is_some() || !sheet.missing.is_nothing(),
            expected: sheet.expected(),
            scored: sheet.finished(),
            dialogues: sheet.dialogues.len(),
            turns: sheet.passes().map(|pass| pass.turns.len()).sum(),
            cut_short: sheet.cut_short.clone(),
            missing: sheet.missing.clone(),
        },
        metrics,
        bounds: Bounds::of(&sheet),
        assistance: Assistance::of(&sheet),
        nothing: DoNothing::of(&sheet),
        epochs: Epochs::of(&sheet),
        errors: Errors::of(&sheet),
        by_complexity: breakdown::by_complexity(&sheet),
        by_api: breakdown::by_api(&sheet),
        by_turn: breakdown::by_turn(&sheet),
        failures: Failures::of(turns),
        tokens: Tokens::of(turns),
        bootstrap: options.bootstrap,
        dialogues: of_dialogues(&sheet),
    })
}

/// A sentence about what is missing in a log, and the way out.
fn incomplete(sheet: &Sheet<'_>) -> Option<String> {
    let missing = &sheet.missing;
    let way_out = "finish the run with `dialog2api eval --resume`, or score what is finished \
                   with --partial";
    if let Some(shard) = sheet.run.shard {
        let (index, of) = (shard.index, shard.of);
        return Some(format!(
            "this is part {index} of {of} of a run: join the parts with `dialog2api eval merge`, \
             or score this one with --partial"
        ));
    }
    let mut said = Vec::new();
    if missing.dialogues > 0 {
        let all = counted(sheet.run.dataset.dialogues, "dialogue");
        said.push(format!("{} of {all}", missing.dialogues));
    }
    if let Some(first) = missing.passes.first() {
        said.push(match missing.passes.len() {
            1 => first.clone(),
            n => format!("{first}, and {} more like it", n - 1),
        });
    }
    let said = said.join("; ");
    (!missing.is_nothing())
        .then(|| format!("the log is not complete: missing are {said}; {way_out}"))
}

/// The figures of metrics over all dialogues, each with its interval.
fn figures(
    metrics: &[Box<dyn Metric>],
    dialogues: &[&Runs<'_>],
    bootstrap: &Bootstrap,
) -> Vec<Figure> {
    let table = Table::of(metrics, dialogues);
    let (mut resampled, mut sums) = (vec![Vec::new(); metrics.len()], Vec::new());
    bootstrap.each(dialogues.len(), |times| {
        for (figures, figure) in resampled.iter_mut().zip(table.resampled(times, &mut sums)) {
            figures.extend(figure);
        }
    });
    let of_all = table.figures().into_iter().zip(&table.counted);
    let all = metrics.iter().zip(of_all).zip(resampled);
    let figures = all.map(|((metric, (value, counted)), resampled)| {
        let interval = interval(resampled);
        Figure {
            name: metric.name(),
            title: metric.title(),
            unit: metric.unit(),
            value,
            low: interval.map(|(low, _)| low),
            high: interval.map(|(_, high)| high),
            dialogues: *counted,
        }
    });
    figures.collect()
}

fn of_dialogues(sheet: &Sheet<'_>) -> Vec<DialogueScore> {
    let passes = sheet.dialogues.iter().flat_map(|runs| {
        let passes = runs.passes.iter();
        passes.map(|pass| DialogueScore {
            dialogue: runs.uid.to_owned(),
            epoch: pass.epoch,
            turns: pass.turns.len(),
            kept: pass.kept(),
            emr: pass.emr(),
            error: classes(pass).into_iter().flatten().next(),
        })
    });
    passes.collect()
}
