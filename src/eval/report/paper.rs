//! The paper's rows, each with one setting, as they stand beside runs.

use super::Report;
use crate::eval::score::metrics::edits::Edits;
use crate::eval::score::metrics::{Metric, Unit};
use crate::eval::score::{DATASETS_DIFFER, paper_beside};
use serde::Serialize;

/// A model of the paper in one setting.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Row {
    pub model: &'static str,
    /// `a` (API document), `b` (examples) or `c` (both).
    pub setting: char,
    /// EMR, 0 to 1.
    pub emr: f64,
    /// The share of dialogues with EMR = 1, where the paper says it (section 5.2).
    pub complete: Option<f64>,
    /// BLEU, 0 to 100, where the paper says it.
    pub bleu: Option<f64>,
    /// Code edits in tokens, where the paper says it.
    pub code_edits: Option<f64>,
}

/// The paper's Table 4, by model and setting, if one of the runs can stand beside it.
pub fn rows(report: &Report) -> Vec<Row> {
    let beside = report.runs.iter();
    let mut beside = beside.map(|shown| paper_beside(&shown.log.run.domain));
    let beside = beside.find(|rows| !rows.is_empty()).unwrap_or_default();
    let of_model = beside.iter().flat_map(|row| {
        ['a', 'b', 'c'].into_iter().filter_map(|setting| {
            let all = setting == 'c';
            Some(Row {
                model: row.model,
                setting,
                emr: row.emr(setting)? / 100.0,
                complete: row
                    .complete
                    .filter(|_| all)
                    .map(|complete| complete / 100.0),
                bleu: all.then_some(row.bleu),
                code_edits: all.then_some(row.code_edits),
            })
        })
    });
    of_model.collect()
}

/// The caution that belongs beside these rows.
pub fn caution(rows: &[Row]) -> Option<&'static str> {
    (!rows.is_empty()).then_some(DATASETS_DIFFER)
}

impl Row {
    /// The figure of the metric with this key, in the metric's unit.
    pub fn figure(&self, name: &str) -> Option<f64> {
        match name {
            "emr" => Some(self.emr),
            "complete" => self.complete,
            "bleu" => self.bleu,
            "code_edits" => self.code_edits,
            _ => None,
        }
    }
}

/// A metric as the head of a column.
pub struct Column {
    /// Its key: `emr`.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The unit of the figure.
    pub unit: Unit,
}

/// The metrics that any run has, in order, and those of the paper that none may have: code
/// edits are only of teacher-forced runs.
pub fn columns(report: &Report) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    let figures = report.runs.iter().flat_map(|shown| &shown.score.metrics);
    let of_runs = figures.map(|figure| Column {
        name: figure.name.clone(),
        title: figure.title.clone(),
        unit: figure.unit,
    });
    let edits = (!rows(report).is_empty()).then(|| Column {
        name: Edits.name(),
        title: Edits.title(),
        unit: Edits.unit(),
    });
    for column in of_runs.chain(edits) {
        if !columns.iter().any(|other| other.name == column.name) {
            columns.push(column);
        }
    }
    columns
}
