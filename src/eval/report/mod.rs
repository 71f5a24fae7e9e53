//! Runs for people: one HTML file, a table, or the log of another program.
//!
//! ```text
//! log folders ─► score ─┬─► page: one HTML file ◄─ states: what differs in the worlds
//!                       ├─► table: JSON, CSV, Markdown
//!                       └─► inspect: a log that inspect_ai reads
//! ```
//!
//! Nothing here asks a model. The texts of a log were written by users, models and programs:
//! they reach a page only through `page`, which escapes them.

mod code;
mod inspect;
mod page;
mod paper;
mod states;
mod table;
mod view;

pub use inspect::inspect;
pub use page::page;
pub use states::{DialogueKey, ReportWorlds, StateDifference, differences};
pub use table::{Format, table};

use super::log::{EvalMode, Run};
use super::read::{RunLog, load};
use super::score::{self, Options, Score};
use crate::domain::Domain;
use crate::error::{Error, Result};
use crate::llm::Prices;
use std::path::PathBuf;
use std::sync::Arc;

/// Runs with their figures, in the order in which they are shown.
pub struct Report {
    /// The runs.
    pub runs: Vec<Shown>,
}

/// A run as it is shown.
pub struct Shown {
    /// Its unique name in the report: `openai:qwen2.5-coder (c)`.
    pub label: String,
    /// The folder.
    pub folder: PathBuf,
    /// The log.
    pub log: RunLog,
    /// The domain, if it does not come with the program.
    pub domain: Option<Arc<Domain>>,
    /// The figures.
    pub score: Score,
    /// The cost of the tokens, if [`Report::price`] knows the model's price.
    pub cost: Option<String>,
}

impl Report {
    /// Reads the folders of runs, and computes their figures.
    ///
    /// # Errors
    /// A folder is not a run, or its log is damaged, or incomplete without
    /// [`Options::partial`].
    pub fn read(folders: &[PathBuf], options: &Options) -> Result<Self> {
        let mut logs = Vec::new();
        for folder in folders {
            logs.push((folder.clone(), load(folder, options.partial)?));
        }
        Self::new(logs, options)
    }

    /// The figures of these runs, each with the folder that it lies in.
    ///
    /// # Errors
    /// As for [`Report::read`].
    pub fn new(logs: Vec<(PathBuf, RunLog)>, options: &Options) -> Result<Self> {
        let labels = labels(&logs);
        let mut runs = Vec::new();
        for ((folder, log), label) in logs.into_iter().zip(labels) {
            let score = score::score(&log.run, &log.turns, options);
            let score = score.map_err(|problem| Error::Content {
                path: folder.join("log.jsonl"),
                problem,
            })?;
            runs.push(Shown {
                label,
                folder,
                log,
                domain: options.domain.clone(),
                score,
                cost: None,
            });
        }
        Ok(Report { runs })
    }

    /// Adds the cost of the tokens of each run whose model has a known price.
    pub fn price(&mut self, prices: &Prices) {
        for shown in &mut self.runs {
            let cost = prices.cost(&shown.log.run.model, shown.score.tokens.all.usage);
            shown.cost = cost.map(|cost| format!("{cost} ({})", prices.date()));
        }
    }
}

/// The model and how it was asked.
fn label(run: &Run) -> String {
    let mode = match run.mode {
        EvalMode::EndToEnd => "",
        EvalMode::TeacherForced => ", teacher-forced",
    };
    format!("{} ({}{mode})", run.model, run.settings.asked())
}

/// The label that tells each run from the others: model and setting, and where that is not enough
/// its folder, or its place.
fn labels(logs: &[(PathBuf, RunLog)]) -> Vec<String> {
    let short: Vec<String> = logs.iter().map(|(_, log)| label(&log.run)).collect();
    let folders = logs.iter().map(|(folder, _)| {
        let name = folder.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    });
    let places = (1..).map(|place: usize| place.to_string());
    let long = told_apart(short, folders);
    told_apart(long, places)
}

/// Extends each label that occurs more than once.
fn told_apart(labels: Vec<String>, more: impl Iterator<Item = String>) -> Vec<String> {
    let is_only = |label: &String| labels.iter().filter(|other| *other == label).count() == 1;
    let told = labels.iter().zip(more);
    told.map(|(label, more)| {
        if is_only(label) {
            label.clone()
        } else {
            format!("{label} · {more}")
        }
    })
    .collect()
}
