//! Reply checks: they find statements in a reply that nothing supports. Such a reply is sent
//! back to the model once.

mod unsupported_claim;

pub(super) use unsupported_claim::UNSUPPORTED_CLAIM;

use super::{Agent, Session};
use crate::claims::Claim;
use crate::dialogue::Turn;
use crate::domain::Domain;
use jiff::civil::Date;

/// The dialogue that a reply belongs to.
pub(super) struct Context<'a> {
    /// The turns so far, with the outcomes of this one.
    pub turns: &'a [Turn],
    /// The day, if the model is told it.
    pub today: Option<Date>,
    pub domain: &'a Domain,
}

/// Looks for one kind of wrong statement.
pub(super) trait ReplyCheck: Sync {
    /// The name, as [`Assist`](super::Assist) has it.
    fn name(&self) -> &'static str;

    /// The statements to be doubted, in the order of the reply.
    fn check(&self, reply: &str, context: &Context<'_>) -> Vec<Claim>;

    /// The doubts, as a sentence for the model.
    fn finding(&self, claims: &[Claim]) -> String;
}

/// Every reply check, in the order in which they are made.
pub(super) fn reply_checks() -> [&'static dyn ReplyCheck; 1] {
    [&unsupported_claim::UnsupportedClaim]
}

/// A reply check that fired, and the statements that it doubts.
pub(super) type Doubt = (&'static dyn ReplyCheck, Vec<Claim>);

impl Agent {
    /// The doubts that the checks which are on have about a reply.
    pub(super) fn doubts(&self, reply: &str, session: &Session) -> Vec<Doubt> {
        let context = Context {
            turns: session.turns(),
            today: self.today(session),
            domain: &self.domain,
        };
        (reply_checks().into_iter())
            .filter(|check| self.settings.assist.has(check.name()))
            .map(|check| (check, check.check(reply, &context)))
            .filter(|(_, claims)| !claims.is_empty())
            .collect()
    }
}
