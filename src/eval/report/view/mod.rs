//! The content of the page, from figures and logs: texts and coordinates, no markup.

mod charts;
mod dialogue;
mod heat;
mod runs;

use super::states::{DialogueKey, StateDifference};
use super::{Report, Shown};
use crate::domain::counted;
use crate::error::Result;
use crate::eval::report::paper;
use crate::eval::score::DEFINITIONS_VERSION;
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything that the page shows.
#[derive(Debug, Serialize)]
pub struct Page {
    /// The version of this program.
    version: &'static str,
    labels: Vec<String>,
    settings: runs::Settings,
    coverage: Vec<runs::Coverage>,
    /// Whether the cost of any run is known.
    priced: bool,
    table: runs::Table,
    differ: Option<&'static str>,
    definitions: u32,
    /// Whether a run has several epochs, and so figures of several runs.
    repeated: bool,
    lexical: Option<runs::Lexical>,
    bars: Vec<charts::Group>,
    positions: Vec<charts::Positions>,
    errors: heat::Heat,
    operations: heat::Heat,
    complexities: heat::Heat,
    /// Every complexity that a dialogue here has, for the filter.
    kinds: Vec<&'static str>,
    dialogues: Vec<dialogue::Entry>,
    /// Why no entry says what differs in the worlds, where none does.
    states_note: Option<String>,
}

impl Page {
    /// The view of a report for the page.
    ///
    /// # Errors
    /// A log contradicts itself.
    pub fn new(
        report: &Report,
        states: &Result<BTreeMap<DialogueKey, StateDifference>, String>,
    ) -> Result<Self> {
        let none = BTreeMap::new();
        let known = states.as_ref().unwrap_or(&none);
        let mut dialogues = Vec::new();
        for (index, shown) in report.runs.iter().enumerate() {
            dialogues.extend(dialogue::entries(index, shown, known)?);
        }
        // A dialogue in all runs stands together. Stable, so that runs keep their order.
        dialogues.sort_by(|one, other| one.uid.cmp(&other.uid));
        Ok(Page {
            version: env!("CARGO_PKG_VERSION"),
            labels: report
                .runs
                .iter()
                .map(|shown| shown.label.clone())
                .collect(),
            settings: runs::settings(report),
            priced: report.runs.iter().any(|shown| shown.cost.is_some()),
            coverage: report.runs.iter().map(runs::coverage).collect(),
            table: runs::table(report),
            differ: paper::caution(&paper::rows(report)),
            definitions: DEFINITIONS_VERSION,
            repeated: report.runs.iter().any(|shown| shown.log.run.epochs > 1),
            lexical: runs::lexical(report),
            bars: charts::bars(report),
            positions: report.runs.iter().map(charts::positions).collect(),
            errors: heat::errors(report),
            operations: heat::operations(report),
            complexities: heat::complexities(report),
            kinds: dialogue::kinds(&dialogues),
            dialogues,
            states_note: states.as_ref().err().cloned(),
        })
    }
}

/// A share as per cent: `33.0`.
fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

/// A share as whole per cent, for where there is little room.
fn whole_percent(share: f64) -> String {
    format!("{:.0}", share * 100.0)
}

/// The whole that a run is a part of, or its missing dialogues; none for a complete run.
fn partial(shown: &Shown) -> Option<String> {
    let coverage = &shown.score.coverage;
    let part = shown.log.run.shard.map(|shard| {
        let (index, of) = (shard.index, shard.of);
        format!("part {index} of {of}")
    });
    let (scored, expected) = (coverage.scored, coverage.expected);
    let missing = (scored as u64) < expected;
    let share = || format!("{scored} of {} scored", counted(expected, "dialogue"));
    match (part, missing) {
        (Some(part), _) => Some(format!("{part}: {}", share())),
        (None, true) => Some(share()),
        (None, false) => None,
    }
}
