//! Normalizers: predictions whose meaning is plain, brought into the right form.
//!
//! Small models need them, and a repair costs them more than it mends: asked again, they
//! often give another program.

mod final_placeholder;
mod quoted_placeholder;
mod reused_uid;

use super::{Assist, TurnReport};
use crate::dialogue::{Stack, Update};
use crate::retrieval::Task;

/// The turn that a prediction was made in.
pub(super) struct Turn<'a> {
    /// S_{t-1}.
    pub stack: &'a Stack,
    /// U_t.
    pub user: &'a str,
}

/// Corrects one kind of slip.
pub(super) trait Normalizer: Sync {
    /// The name, as [`Assist`] has it.
    fn name(&self) -> &'static str;

    /// The corrected updates; the same ones where nothing is wrong.
    fn normalize(&self, updates: Vec<Update>, turn: &Turn<'_>) -> Vec<Update>;
}

/// Every normalizer, in the order in which they are applied.
pub(super) fn normalizers() -> [&'static dyn Normalizer; 3] {
    [
        &quoted_placeholder::QuotedPlaceholder,
        &final_placeholder::FinalPlaceholder,
        &reused_uid::ReusedUid,
    ]
}

/// The updates after all normalizers that are on. Those that changed something are noted.
pub(super) fn normalized(
    mut updates: Vec<Update>,
    turn: &Turn<'_>,
    assist: &Assist,
    report: &mut TurnReport,
) -> Vec<Update> {
    for normalizer in normalizers() {
        if !assist.has(normalizer.name()) {
            continue;
        }
        let after = normalizer.normalize(updates.clone(), turn);
        if after != updates {
            report.note_aid(normalizer.name(), Task::Program);
        }
        updates = after;
    }
    updates
}
