//! The part that aids had in a run.

use super::sheet::Sheet;
use super::turn;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The part that aids had in the finished passes of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Assistance {
    /// The aids that were on.
    pub on: Vec<String>,
    /// Turns in which an aid changed an answer or sent it back.
    pub turns: usize,
    /// For each aid that did, the number of turns.
    pub by_aid: BTreeMap<String, usize>,
    /// Passes that an aid took another way while all first answers were right. How they would
    /// have gone on is not known.
    pub departed: usize,
    /// The strict EMR if those passes had been right to their end.
    pub strict_emr_high: Option<f64>,
}

impl Assistance {
    /// None for a log that does not record it.
    pub fn of(sheet: &Sheet<'_>) -> Option<Self> {
        let on = sheet.run.settings.assist.as_ref()?;
        let mut found = Assistance {
            on: on.names().map(str::to_owned).collect(),
            turns: 0,
            by_aid: BTreeMap::new(),
            departed: 0,
            strict_emr_high: None,
        };
        let (mut sum, mut dialogues) = (0.0, 0.0);
        for runs in &sheet.dialogues {
            let mut of_dialogue = 0.0;
            for pass in &runs.passes {
                let kept = turn::strictly_kept(&pass.turns, sheet.run.mode);
                found.departed += usize::from(kept.departed);
                of_dialogue += if kept.departed {
                    1.0
                } else {
                    kept.turns as f64 / pass.turns.len().max(1) as f64
                };
            }
            if !runs.passes.is_empty() {
                sum += of_dialogue / runs.passes.len() as f64;
                dialogues += 1.0;
            }
            for log in runs.turns().filter(|log| !log.aided.is_empty()) {
                found.turns += 1;
                let names: BTreeSet<&str> = log.aided.iter().map(|one| one.aid.as_str()).collect();
                for name in names {
                    *found.by_aid.entry(name.to_owned()).or_default() += 1;
                }
            }
        }
        found.strict_emr_high = (dialogues > 0.0).then(|| sum / dialogues);
        Some(found)
    }
}
