//! Turns a final program that still has a placeholder into a draft.

use super::{Normalizer, Turn};
use crate::dialogue::{Program, Status, Update};

pub(super) struct FinalPlaceholder;

impl Normalizer for FinalPlaceholder {
    fn name(&self) -> &'static str {
        "final-placeholder"
    }

    fn normalize(&self, mut updates: Vec<Update>, _: &Turn<'_>) -> Vec<Update> {
        let lacks_value = |program: &Program| !program.placeholders().is_empty();
        for update in &mut updates {
            if update.status == Status::Final && update.program.as_ref().is_some_and(lacks_value) {
                update.status = Status::Drafting;
            }
        }
        updates
    }
}
