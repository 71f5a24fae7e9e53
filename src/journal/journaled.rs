//! An overseer that writes an agent's turns to a journal, and a model that writes its
//! answers to one.

use super::checked::CheckedReply;
use super::entry::{Origin, PlanVerdict};
use super::recorder::Journal;
use crate::agent::{Decided, DecidedBy, Decision, Executed, Known, Left, Overseer, TurnReport};
use crate::dialogue::Update;
use crate::domain::{Costly, Domain, Slate};
use crate::error::Result;
use crate::llm::{Completion, Model, Progress, Request, request_key};
use crate::plan::{Applied, Plan, Record, Stop, Unrecorded};
use async_trait::async_trait;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

/// Oversees an agent: writes everything to the journal first, and leaves decisions to another
/// overseer.
pub struct Journaled<O> {
    journal: Arc<Journal>,
    domain: Arc<Domain>,
    overseer: O,
    /// The plan of the last decision, or of the interrupted apply that is continued.
    current: Mutex<Option<u64>>,
}

impl<O> Journaled<O> {
    /// Oversees with this journal. Only decisions and the end of applies are asked of the other
    /// overseer.
    pub fn new(journal: Arc<Journal>, domain: Arc<Domain>, overseer: O) -> Self {
        Journaled {
            journal,
            domain,
            overseer,
            current: Mutex::default(),
        }
    }

    /// A plan as the journal keeps it: its names have to mean the same places when another
    /// process reads it.
    fn kept_plan<'p>(&self, plan: &'p Plan) -> Cow<'p, Plan> {
        let mut kept = Cow::Borrowed(plan);
        let Some(planning) = &self.domain.effects.planning else {
            return kept;
        };
        for (number, write) in plan.writes.iter().enumerate() {
            // Most writes name no file. The plan is copied only for one that does.
            if let Some(params) = planning.kept(write)
                && let Some(write) = kept.to_mut().writes.get_mut(number)
            {
                write.params = params;
            }
        }
        kept
    }

    fn current(&self) -> Option<u64> {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_current(&self, plan: Option<u64>) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = plan;
    }

    /// The number of an equal plan of this goal from before an interruption.
    fn begun(&self, turn: usize, uid: u32, plan: &Plan) -> Result<Option<u64>> {
        let Some(id) = self.current() else {
            return Ok(None);
        };
        let origin = Origin::Program { turn, uid };
        let is_its = self.journal.with_state(|state| {
            let known = state.plan(id);
            known.is_some_and(|known| known.planned.origin == origin && known.end.is_none())
        });
        let is_same = is_its && self.journal.plan_and_steps(id)?.0 == *plan;
        Ok(is_same.then_some(id))
    }

    /// The number of a plan that is to be decided on. The inner error is the decision against it
    /// from before: it stays declined if the process ended before the agent could say so.
    fn planned(&self, turn: usize, uid: u32, plan: &Plan) -> Result<Result<u64, Decided>> {
        if let Some(declined) = self.declined(turn, uid) {
            return Ok(Err(declined));
        }
        let id = match self.begun(turn, uid, plan)? {
            Some(id) => id,
            None => (self.journal).plan(Origin::Program { turn, uid }, plan)?,
        };
        self.set_current(Some(id));
        Ok(Ok(id))
    }

    /// The decision against the plan of this goal in the turn that was interrupted.
    fn declined(&self, turn: usize, uid: u32) -> Option<Decided> {
        self.journal.with_state(|state| {
            let known = state.plan_of(turn, uid)?;
            match &known.decided {
                Some((PlanVerdict::Decline { why }, by)) => {
                    Some(Decision::Decline(why.clone()).by(*by))
                }
                _ => None,
            }
        })
    }
}

#[async_trait]
impl<O: Overseer> Overseer for Journaled<O> {
    async fn said(&self, turn: usize, user: &str) -> Result<()> {
        self.set_current(None);
        self.journal.said(turn, user)
    }

    async fn predicted(&self, turn: usize, updates: &[Update]) -> Result<()> {
        self.journal.predicted(turn, updates)
    }

    async fn earlier(&self, turn: usize, uid: u32) -> Result<Known> {
        let (known, plan) = self.journal.earlier(turn, uid)?;
        self.set_current(plan);
        Ok(known)
    }

    fn left(&self, turn: usize, uid: u32) -> Option<Left> {
        Some(self.journal.with_state(|state| state.left(turn, uid)))
    }

    async fn decide(&self, turn: usize, uid: u32, plan: &Plan) -> Result<Decided> {
        let id = match self.planned(turn, uid, &self.kept_plan(plan))? {
            Ok(id) => id,
            Err(declined) => return Ok(declined),
        };
        let decided = self.overseer.decide(turn, uid, plan).await?;
        self.journal.decided(id, &decided.decision, decided.by)?;
        Ok(decided)
    }

    async fn agreed(&self, turn: usize, uid: u32, plan: &Plan) -> Result<Decided> {
        let id = match self.planned(turn, uid, &self.kept_plan(plan))? {
            Ok(id) => id,
            Err(declined) => return Ok(declined),
        };
        let decided = Decision::Apply(self.overseer.stop()).by(DecidedBy::Words);
        self.journal.decided(id, &decided.decision, decided.by)?;
        Ok(decided)
    }

    async fn kept(&self, turn: usize, slate: &Slate) -> Result<()> {
        self.journal.kept(turn, slate)
    }

    async fn go_on(&self, turn: usize, uid: u32, costly: &Costly) -> Result<bool> {
        self.overseer.go_on(turn, uid, costly).await
    }

    fn stop(&self) -> Stop {
        self.overseer.stop()
    }

    fn record(&self) -> Box<dyn Record + '_> {
        match self.current() {
            Some(plan) => self.journal.record(plan),
            // Only plans with a decision are applied.
            None => Box::new(Unrecorded),
        }
    }

    async fn applied(&self, _: usize, _: u32, applied: &Applied) -> Result<()> {
        match self.current() {
            Some(plan) => self.journal.applied(plan, applied),
            None => Ok(()),
        }
    }

    async fn executed(&self, turn: usize, executed: &Executed) -> Result<()> {
        self.journal.executed(turn, executed)
    }

    async fn replied(&self, turn: usize, report: &TurnReport) -> Result<()> {
        let checked = CheckedReply {
            doubts: report.unsupported.clone(),
            plain: report.plain,
        };
        self.journal.replied(turn, &report.reply, Some(checked))
    }
}

/// A model whose answers are written to a journal. The answers of an interrupted turn are
/// given again without a request.
pub struct AskedOnce {
    model: Arc<dyn Model>,
    journal: Arc<Journal>,
    traffic: bool,
}

impl AskedOnce {
    /// Puts a journal before a model. With `traffic`, whole requests are kept, and not only
    /// their digests.
    pub fn new(model: Arc<dyn Model>, journal: Arc<Journal>, traffic: bool) -> Self {
        AskedOnce {
            model,
            journal,
            traffic,
        }
    }
}

#[async_trait]
impl Model for AskedOnce {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn window(&self) -> Option<u32> {
        self.model.window()
    }

    async fn complete(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let name = self.model.name();
        let key = request_key(name, request)?;
        let digest: String = const_hex::encode(key);
        if let Some(completion) = self.journal.owed(&digest) {
            return Ok(completion);
        }
        let completion = self.model.complete(request, progress).await?;
        let kept = self.traffic.then_some(request);
        self.journal.asked((name, &digest), kept, &completion)?;
        Ok(completion)
    }
}
