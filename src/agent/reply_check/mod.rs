//! Reply checks: they find statements in a reply that the domain's rows contradict or that nothing
//! supports. Such a reply is sent back to the model once.

mod doings;
mod unsupported_claim;

pub(super) use unsupported_claim::UNSUPPORTED_CLAIM;

use super::{Agent, Session, TurnReport};
use crate::claims::{Claim, Doings, Evidence, Knowledge, language_of};
use crate::dialogue::Turn;

/// What the replies to a turn are checked by. A turn has one, for its first reply and its second.
pub(super) struct Context<'a> {
    /// The checks that are on.
    checks: Vec<&'static dyn ReplyCheck>,
    /// The turns so far, with the outcomes of this one.
    pub turns: &'a [Turn],
    /// What they give a reply to state.
    pub evidence: Evidence,
    /// What the programs of this turn did.
    pub doings: Doings,
}

/// Looks for one kind of wrong statement.
pub(super) trait ReplyCheck: Sync {
    /// The name, as [`Assist`](super::Assist) has it.
    fn name(&self) -> &'static str;

    /// The statements to be doubted, in the order of the reply. `known` is what the domain's rows
    /// say of what the reply is about.
    fn check(&self, reply: &str, context: &Context<'_>, known: Option<&Knowledge>) -> Vec<Claim>;

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
    pub(super) async fn doubts(&self, reply: &str, context: &Context<'_>) -> Vec<Doubt> {
        let known = self.known(reply, context.turns).await;
        let doubts = context.checks.iter();
        doubts
            .map(|check| (*check, check.check(reply, context, known.as_ref())))
            .filter(|(_, claims)| !claims.is_empty())
            .collect()
    }

    /// What the replies to this turn are checked by, once its programs have run; `None` if no check
    /// is on.
    pub(super) fn reply_context<'s>(
        &self,
        session: &'s Session,
        report: &TurnReport,
    ) -> Option<Context<'s>> {
        let checks = reply_checks().into_iter();
        let checks = checks.filter(|check| self.settings.assist.has(check.name()));
        let checks: Vec<&'static dyn ReplyCheck> = checks.collect();
        if checks.is_empty() {
            return None;
        }
        let mut evidence = Evidence::of(session.turns()).with_facts(&self.domain.api.document);
        if let Some(today) = self.today(session) {
            evidence = evidence.on(today.to_string());
        }
        Some(Context {
            checks,
            turns: session.turns(),
            evidence,
            doings: self.doings(session, report),
        })
    }

    /// What the domain knows of what a reply is about, as the policy lets it be read. Nothing if
    /// it cannot be read now: the turn has done its work, and a check is no reason to fail it.
    async fn known(&self, reply: &str, turns: &[Turn]) -> Option<Knowledge> {
        let facts = self.domain.facts.as_ref()?;
        let mut words = String::from(reply);
        for turn in turns.iter().rev().take(RECENT) {
            words.push('\n');
            words.push_str(&turn.user);
        }
        let world = self.guarded(self.world.clone());
        let rows = facts.rows(&*world, &words).await.ok()?;
        Knowledge::read(facts.schema(), language_of(reply), rows).ok()
    }
}

/// The turns whose utterances a reply may answer to.
const RECENT: usize = 3;
