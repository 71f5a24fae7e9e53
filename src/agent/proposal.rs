//! Proposals: what a complete draft would change is planned while the agent asks about it, so that a
//! plain yes agrees to what was shown, and nothing is asked twice.
//!
//! A yes counts for the program of the same goal, if that makes the same writes where the same was
//! before ([`Plan::makes_the_same`]), and only in the next turn. Every other program has a plan of
//! its own, which is shown and asked about.

use super::confirmation::waits;
use super::execute::Program;
use super::oversee::Overseen;
use super::{Agent, Now, Prediction, Session, Unwatched};
use crate::domain::Write;
use crate::error::Result;
use crate::exec::Execution;
use crate::plan::{Plan, Reads, planning};
use crate::policy::Mode;

/// What a complete draft would change.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// Its goal.
    pub uid: u32,
    /// Its plan, which is not carried out.
    pub plan: Plan,
}

impl Agent {
    /// Plans the complete draft of this turn, if it has one and no other. There is no proposal where
    /// nobody would be asked, where the draft changes nothing, fails or costs too much, or where it
    /// cannot be tried out.
    pub(super) async fn propose(&self, session: &mut Session, prediction: &Prediction) {
        session.propose(None);
        let Some(overseer) = self.overseer.as_deref() else {
            return;
        };
        let policy = self.settings.policy.as_ref();
        let is_unasked = policy.is_some_and(|policy| policy.mode == Mode::Auto);
        if is_unasked || self.domain.effects.is_stepwise || self.domain.conduct.is_some() {
            return;
        }
        let goals = prediction.updates.iter();
        let goals = goals.filter_map(|update| prediction.stack.get(update.uid));
        let mut drafts = goals.filter(|goal| waits(goal));
        let (Some(goal), None) = (drafts.next(), drafts.next()) else {
            return;
        };
        let program = Program {
            turn: session.turns().len(),
            uid: goal.uid,
            code: goal.program.code(),
            seed: self.seed(session, goal.uid),
            is_timeless: session.now() == Now::Unknown,
            is_after_yes: false,
            proposed: None,
        };
        let overseen = Overseen {
            agent: self,
            overseer,
            program: &program,
        };
        // The turn goes on without a proposal if the world fails here.
        if let Ok(Some(plan)) = overseen.proposal().await {
            session.propose(Some(Proposal {
                uid: goal.uid,
                plan,
            }));
        }
    }
}

impl Overseen<'_> {
    /// The plan of a program that ran on a draft, with what the draft recorded.
    pub(super) fn plan_of(
        &self,
        writes: Vec<Write>,
        reads: Reads,
        execution: &Execution,
    ) -> Result<Plan> {
        Ok(Plan {
            reads,
            ..Plan::new(
                Some(&**planning(&self.agent.domain)?),
                writes,
                execution.calls.clone(),
                execution.outcome.clone(),
                self.agent.settings.keeping,
            )
        })
    }

    /// What the program would change, without asking anybody about anything. None for one that
    /// changes nothing, fails, or comes to the cost at which its user would be asked.
    async fn proposal(&self) -> Result<Option<Plan>> {
        let (fresh, most) = self.untouched();
        let (draft, world) = self.draft_of(&fresh)?;
        let ran = self
            .agent
            .run_within(self.program, &world, most, &mut Unwatched)
            .await?;
        let Ok(execution) = ran else {
            return Ok(None);
        };
        let (writes, reads) = draft.take_recorded();
        if writes.is_empty() || execution.outcome.is_error() {
            return Ok(None);
        }
        self.plan_of(writes, reads, &execution).map(Some)
    }
}
