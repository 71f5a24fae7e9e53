//! Questions of the user that a program leaves open, by the word of the domain's conduct.

use super::{Lint, Suspect};
use crate::domain::Domain;

/// The name of this aid.
pub(in crate::agent) const OPEN_QUESTION: &str = "open-question";

pub(super) struct OpenQuestion;

impl Lint for OpenQuestion {
    fn name(&self) -> &'static str {
        OPEN_QUESTION
    }

    fn fits(&self, domain: &Domain) -> bool {
        domain.conduct.is_some()
    }

    fn check(&self, suspect: &Suspect<'_>) -> Option<String> {
        let conduct = suspect.domain.conduct.as_ref()?;
        let (now, past) = suspect.turns.split_last()?;
        let said = past.last().and_then(|turn| turn.response.as_deref());
        conduct.open_question(suspect.program.code(), &now.user, said.unwrap_or_default())
    }
}
