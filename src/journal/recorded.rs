//! The apply of a plan, as it is written to the journal.

use super::conversion::keep_steps;
use super::entry::Entry;
use super::recorder::Journal;
use super::writer::JournalWriter;
use crate::error::Result;
use crate::plan::{Record, Step};
use async_trait::async_trait;

impl Journal {
    /// The record of a plan's apply.
    pub fn record(&self, plan: u64) -> Box<dyn Record + '_> {
        Box::new(Recorded {
            journal: self,
            plan,
        })
    }
}

/// Writes the apply of one plan to the journal.
struct Recorded<'a> {
    journal: &'a Journal,
    plan: u64,
}

#[async_trait]
impl Record for Recorded<'_> {
    async fn intent(&mut self, number: usize, step: &Step) -> Result<()> {
        debug_assert_eq!(number, step.number, "a step knows its number");
        self.intents(&[step]).await
    }

    async fn done(&mut self, number: usize, step: &Step) -> Result<()> {
        debug_assert_eq!(number, step.number, "a step knows its number");
        self.all_done(&[step]).await
    }

    async fn intents(&mut self, steps: &[&Step]) -> Result<()> {
        let plan = self.plan;
        let kept = keep_steps(steps, self.journal.contents())?;
        let entries = steps.iter().zip(kept).map(|(step, kept)| Entry::Intent {
            plan,
            number: step.number,
            step: kept,
        });
        self.journal.append_all(entries.collect())
    }

    // Not waited for: without this entry the write is one that was begun, and what became of it
    // is looked up.
    async fn all_done(&mut self, steps: &[&Step]) -> Result<()> {
        let entries = steps.iter().map(|step| Entry::Done {
            plan: self.plan,
            number: step.number,
            left: step.left.clone(),
            ids: step.ids.clone(),
        });
        self.journal
            .add(entries.collect(), JournalWriter::keep_soon)
    }
}
