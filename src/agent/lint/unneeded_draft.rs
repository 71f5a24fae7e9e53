//! Drafts that could run: no value is missing, and a program that only reads needs no
//! confirmation. The dataset has no such drafts. Those of trained models run without another
//! request ([`confirmation`](crate::agent::confirmation)).

use super::{Lint, Suspect};
use crate::dialogue::Status;
use crate::prompts::Form;

/// The name of this aid.
pub(in crate::agent) const UNNEEDED_DRAFT: &str = "unneeded-draft";

pub(super) struct UnneededDraft;

impl Lint for UnneededDraft {
    fn name(&self) -> &'static str {
        UNNEEDED_DRAFT
    }

    fn check(&self, suspect: &Suspect<'_>) -> Option<String> {
        let mut sites = suspect.calls.sites.iter();
        // A call that cannot be named may write.
        let may_write = suspect.calls.unresolved.is_some()
            || sites.any(|site| suspect.domain.writes(&site.operation));
        let is_unneeded = suspect.status == Status::Drafting
            && suspect.form != Form::Trained
            && suspect.program.placeholders().is_empty()
            && !may_write;
        is_unneeded.then(|| {
            "is drafting, but lacks no value and changes nothing: there is nothing to ask the \
             user, so it is final"
                .to_owned()
        })
    }
}
