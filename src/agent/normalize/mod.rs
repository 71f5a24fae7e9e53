//! Normalizers: they correct the form of predictions whose meaning is clear.
//!
//! Small models need them. A repair is worse, because a small model that is asked again often
//! gives another program.

mod final_placeholder;
mod invented_name;
mod quoted_placeholder;
mod reused_uid;

pub(super) use invented_name::INVENTED_NAME;

use super::{Assist, TurnReport};
use crate::dialogue::{self, Stack, Update};
use crate::domain::Domain;
use crate::retrieval::Task;

/// The turn that a prediction was made in.
pub(super) struct Turn<'a> {
    /// The stack before the turn.
    pub stack: &'a Stack,
    /// What the user said in it.
    pub user: &'a str,
    /// The dialogue so far, with the turn at hand.
    pub turns: &'a [dialogue::Turn],
    pub domain: &'a Domain,
    /// Whether the model was told the rules.
    pub is_instructed: bool,
}

/// Corrects one kind of slip.
pub(super) trait Normalizer: Sync {
    /// The name, as [`Assist`] has it.
    fn name(&self) -> &'static str;

    /// The corrected updates; the same ones where nothing is wrong.
    fn normalize(&self, updates: Vec<Update>, turn: &Turn<'_>) -> Vec<Update>;
}

/// Every normalizer, in the order in which they are applied.
pub(super) fn normalizers() -> [&'static dyn Normalizer; 4] {
    [
        &quoted_placeholder::QuotedPlaceholder,
        &invented_name::InventedName,
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
