//! Drafts that could run: no value is missing, and a program that only reads needs no
//! confirmation. The dataset has no such drafts: either the status is wrong, or the program does
//! not do all that was asked for. If a trained model gives no better answer, the draft runs
//! ([`confirmation`](crate::agent::confirmation)).

use super::{Lint, Suspect};
use crate::dialogue::Status;

/// The name of this aid.
pub(in crate::agent) const UNNEEDED_DRAFT: &str = "unneeded-draft";

pub(super) struct UnneededDraft;

impl Lint for UnneededDraft {
    fn name(&self) -> &'static str {
        UNNEEDED_DRAFT
    }

    fn check(&self, suspect: &Suspect<'_>) -> Option<String> {
        let is_unneeded = suspect.status == Status::Drafting
            && suspect.program.placeholders().is_empty()
            && !suspect.calls.may_write(suspect.domain);
        is_unneeded.then(|| {
            "is drafting, but lacks no value and changes nothing: there is nothing to ask the \
             user, so it is final"
                .to_owned()
        })
    }
}
