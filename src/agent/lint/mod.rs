//! Lints: heuristics on valid predictions. The first that fires is sent back to the model.
//! Later answers are not linted; if they break a rule, the first one stays.

mod open_question;
mod ungiven_name;
mod unknown_call;
mod unneeded_draft;

pub(super) use open_question::OPEN_QUESTION;
pub(super) use ungiven_name::{UNGIVEN_NAME, ungiven_containers, unsaid_containers};
pub(super) use unneeded_draft::UNNEEDED_DRAFT;

use super::ask::Finding;
use super::{Agent, Prediction, Session};
use crate::dialogue::{Program, Status, Turn, Update};
use crate::domain::{Calls, Domain};

/// A program that a lint looks at.
pub(super) struct Suspect<'a> {
    pub program: &'a Program,
    pub status: Status,
    /// The calls in the program, from its syntax tree.
    pub calls: Calls,
    /// The dialogue so far, with the turn at hand.
    pub turns: &'a [Turn],
    pub domain: &'a Domain,
}

/// Looks for one kind of probable mistake.
pub(super) trait Lint: Sync {
    /// The name, as [`Assist`](super::Assist) has it.
    fn name(&self) -> &'static str;

    /// Whether it knows the programs of this domain. Those of an agent with a conduct are others.
    fn fits(&self, domain: &Domain) -> bool {
        domain.conduct.is_none()
    }

    /// The mistake, as a clause after "the program".
    fn check(&self, suspect: &Suspect<'_>) -> Option<String>;
}

/// Every lint, in the order in which they are asked.
pub(super) fn lints() -> [&'static dyn Lint; 4] {
    [
        &unknown_call::UnknownCall,
        &unneeded_draft::UnneededDraft,
        &ungiven_name::UngivenName,
        &open_question::OpenQuestion,
    ]
}

impl Agent {
    /// The first probable mistake in the programs of a prediction, and the lint that found
    /// it.
    pub(super) fn lint(
        &self,
        session: &Session,
        prediction: &Prediction,
    ) -> Option<(&'static str, Finding)> {
        let is_live = |update: &&Update| update.status != Status::Abandoned;
        prediction
            .updates
            .iter()
            .filter(is_live)
            .find_map(|update| {
                let program = update.program.as_ref()?;
                let suspect = Suspect {
                    program,
                    status: update.status,
                    calls: Calls::of(program, &self.domain),
                    turns: session.turns(),
                    domain: &self.domain,
                };
                let mut lints = lints()
                    .into_iter()
                    .filter(|lint| lint.fits(&self.domain))
                    .filter(|lint| self.settings.assist.has(lint.name()));
                lints.find_map(|lint| {
                    let mistake = lint.check(&suspect)?;
                    let finding = format!("the program of goal {} {mistake}", update.uid);
                    Some((lint.name(), Finding(finding)))
                })
            })
    }
}
