//! Whether the replies of a run are grounded: nothing in them is unsupported, and they do what they
//! have to.

use crate::claims::{Evidence, unsupported};
use crate::dialogue::Turn;
use crate::domain::Domain;
use crate::error::Result;
use crate::eval::log::TurnLog;
use crate::folder::{Definition, worksheets_findings};
use std::path::Path;
use worksheets::{Sheets, Turned};

/// Words that say that there is nothing.
const NOTHING: [&str; 2] = ["no", "none"];

/// Judges the replies of runs.
pub(super) struct Judge<'a> {
    sheets: &'a Sheets,
    domain: &'a Domain,
    handoff: String,
    /// The day of its worlds, which the model was told.
    today: Option<String>,
}

impl<'a> Judge<'a> {
    /// The judge of a folder with these sheets.
    ///
    /// # Errors
    /// `domain.toml` is wrong.
    pub fn new(folder: &Path, sheets: &'a Sheets, domain: &'a Domain) -> Result<Judge<'a>> {
        let handoff = Definition::read(folder)?.worksheets.handoff;
        Ok(Judge {
            sheets,
            domain,
            handoff: handoff.unwrap_or_default(),
            today: domain.own_date().map(|date| date.to_string()),
        })
    }

    /// Whether the reply of the last of these turns is grounded, by what its program came to. One
    /// that is not the model's is not. A turn that failed has none.
    pub fn is_grounded(&self, turns: &[&TurnLog], turned: &Turned) -> Option<bool> {
        let last = turns.last()?;
        if last.failure.is_some() {
            return None;
        }
        let findings = worksheets_findings(self.sheets, turned, &last.response, &self.handoff);
        let turns: Vec<Turn> = turns.iter().map(|log| spoken(log)).collect();
        let mut evidence = Evidence::of(&turns).with_facts(&self.domain.api.document);
        if let Some(today) = &self.today {
            evidence = evidence.on(today.clone());
        }
        let mut claims = unsupported(&last.response, &evidence);
        // That there is nothing is what an act says, and the findings compare with acts.
        claims.retain(|claim| !NOTHING.contains(&&*claim.text.to_lowercase()));
        let is_supported = claims.is_empty();
        Some(!last.plain && findings.is_empty() && is_supported)
    }
}

/// A turn as it was played. What cannot be read is no evidence.
fn spoken(log: &TurnLog) -> Turn {
    let goals = log.programs.iter();
    Turn {
        user: log.truth.utterance.clone(),
        goals: goals.filter_map(|goal| goal.record().ok()).collect(),
        response: Some(log.response.clone()),
    }
}
