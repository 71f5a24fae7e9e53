//! By conversational complexity, found from the structure of the true dialogue.

use super::{Tally, share};
use crate::dataset::stats::{Complexity, complexities};
use crate::eval::score::sheet::Sheet;
use serde::Serialize;
use std::collections::BTreeSet;

/// How it went where a conversational complexity occurs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ByComplexity {
    /// Which.
    pub complexity: Complexity,
    /// Dialogues in which it occurs.
    pub dialogues: usize,
    /// The EMR of these dialogues.
    pub emr: Option<f64>,
    /// Their share with EMR = 1.
    pub complete: Option<f64>,
    /// The turns in which it occurs.
    #[serde(flatten)]
    pub tally: Tally,
}

/// How it went, for every complexity that there is.
pub fn by_complexity(sheet: &Sheet<'_>) -> Vec<ByComplexity> {
    let occurring: Vec<BTreeSet<(usize, Complexity)>> = sheet
        .dialogues
        .iter()
        .map(|runs| {
            complexities(&runs.truth, &sheet.domain)
                .into_iter()
                .collect()
        })
        .collect();
    let rows = Complexity::ALL.iter().map(|kind| {
        let mut tally = Tally::default();
        let (mut dialogues, mut emr, mut complete) = (0, 0.0, 0.0);
        for (runs, occurring) in sheet.dialogues.iter().zip(&occurring) {
            let turns = occurring.iter().filter(|(_, other)| other == kind);
            let turns: Vec<usize> = turns.map(|(turn, _)| turn - 1).collect();
            if turns.is_empty() {
                continue;
            }
            let passes = runs.passes.len() as f64;
            let rates: f64 = runs.passes.iter().filter_map(|pass| pass.emr()).sum();
            let right = runs.passes.iter().filter(|pass| pass.is_complete()).count();
            dialogues += 1;
            emr += rates / passes;
            complete += right as f64 / passes;
            for (pass, index) in runs
                .passes
                .iter()
                .flat_map(|pass| turns.iter().map(move |index| (pass, *index)))
            {
                tally.count(pass, index);
            }
        }
        let mean = |sum: f64| share(1, dialogues).map(|_| sum / dialogues as f64);
        ByComplexity {
            complexity: *kind,
            dialogues,
            emr: mean(emr),
            complete: mean(complete),
            tally,
        }
    });
    rows.collect()
}
