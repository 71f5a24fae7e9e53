//! Between an agent and its front end: plans wait here for their answer, and
//! cancellations arrive here.

use super::event::Event;
use super::feed::Feed;
use super::phase::{Doing, Phase};
use super::view::{CostView, PlanAnswer, PlanView, TurnUsage};
use crate::agent::{Decided, Decision};
use crate::domain::Costly;
use crate::error::{Error, Result};
use crate::journal::DecidedBy;
use crate::plan::{NOTHING_CHANGED, Stop};
use crate::policy::{Mode, Policy};
use std::future::pending;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{oneshot, watch};

/// The time that an abandoned apply has to write down what is known.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The effect of [`cancel`](super::Conversation::cancel).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancelled {
    /// Nothing was under way.
    Nothing,
    /// An apply ends before its next write. Cancelling again abandons it.
    Stopping,
    /// The turn, undo or apply ends at once.
    Leaving,
}

/// Shared by a conversation, its overseer, and threads that cancel.
pub(super) struct TurnControl {
    pub feed: Arc<Feed>,
    policy: Mutex<Option<Arc<Policy>>>,
    doing: watch::Sender<Doing>,
    /// How many questions about costs there were.
    costs: AtomicU64,
    /// What the conversation has cost since it was opened.
    usage: Mutex<TurnUsage>,
    /// Ends the apply that runs. The only one of the conversation.
    pub stop: Stop,
}

impl TurnControl {
    pub fn new(policy: Option<Arc<Policy>>, feed: Arc<Feed>) -> Arc<TurnControl> {
        let (doing, _) = watch::channel(Doing::Idle);
        Arc::new(TurnControl {
            feed,
            policy: Mutex::new(policy),
            doing,
            costs: AtomicU64::new(0),
            usage: Mutex::default(),
            stop: Stop::default(),
        })
    }

    /// Tells the front ends an event. It does not matter whether one listens.
    pub fn tell(&self, event: Event) -> u64 {
        self.feed.tell(event)
    }

    pub fn policy(&self) -> Option<Arc<Policy>> {
        self.held().clone()
    }

    pub fn set_policy(&self, policy: Arc<Policy>) {
        *self.held() = Some(policy);
    }

    fn held(&self) -> MutexGuard<'_, Option<Arc<Policy>>> {
        self.policy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the cost of a turn.
    pub fn spend(&self, usage: TurnUsage) {
        *self.usage.lock().unwrap_or_else(PoisonError::into_inner) += usage;
    }

    /// What the conversation has cost since it was opened.
    pub fn spent(&self) -> TurnUsage {
        *self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is being done now.
    pub fn phase(&self) -> Phase {
        match &*self.doing.borrow() {
            Doing::Idle => Phase::Idle,
            Doing::Plan(plan, _) => Phase::Plan(plan.plan),
            Doing::Cost(cost, _) => Phase::Cost(cost.id),
            Doing::Leaving { .. } => Phase::Leaving,
            Doing::Working if !self.stop.is_applying() => Phase::Working,
            Doing::Working if self.stop.is_stopped() => Phase::Stopping,
            Doing::Working => Phase::Applying,
        }
    }

    /// The plan that waits for an answer.
    pub fn pending(&self) -> Option<PlanView> {
        match &*self.doing.borrow() {
            Doing::Plan(plan, _) => Some(PlanView::clone(plan)),
            _ => None,
        }
    }

    /// The question about a cost that waits for an answer.
    pub fn pending_cost(&self) -> Option<CostView> {
        match &*self.doing.borrow() {
            Doing::Cost(cost, _) => Some(cost.clone()),
            _ => None,
        }
    }

    /// Takes what waits, if it is this; work goes on then.
    fn take(&self, is_it: impl Fn(&Doing) -> bool) -> Option<Doing> {
        let mut taken = None;
        self.doing.send_if_modified(|doing| {
            let is_it = is_it(doing);
            if is_it {
                taken = Some(std::mem::replace(doing, Doing::Working));
            }
            is_it
        });
        taken
    }

    /// Answers the plan of this number.
    pub fn answer(&self, plan: u64, answer: PlanAnswer) -> Result<()> {
        match self.take(|doing| matches!(doing, Doing::Plan(view, _) if view.plan == plan)) {
            Some(Doing::Plan(_, asked)) => {
                // A turn that was left meanwhile has no use for it.
                let _ = asked.send(answer);
                Ok(())
            }
            _ => Err(Error::usage(format!("no plan {plan} waits for an answer"))),
        }
    }

    /// The decision on a plan. In the mode `auto` it is carried out, else the front end is
    /// asked.
    pub async fn decide(&self, plan: PlanView) -> Decided {
        let (id, is_step) = (plan.plan, plan.is_step());
        let is_auto = (self.policy()).is_some_and(|policy| policy.mode == Mode::Auto);
        let (answer, by) = if is_auto {
            (PlanAnswer::Apply, DecidedBy::Policy)
        } else {
            match self.ask(plan).await {
                PlanAnswer::Dropped => (PlanAnswer::Dropped, DecidedBy::Client),
                answer => (answer, DecidedBy::User),
            }
        };
        let apply = answer == PlanAnswer::Apply;
        self.tell(Event::Decided {
            plan: id,
            apply,
            by,
        });
        let (outcome, shown, dropped) = match is_step {
            true => ("The call was not made", "it", "it"),
            false => (NOTHING_CHANGED, "what this would change", "the plan"),
        };
        let why = match answer {
            PlanAnswer::Apply => return Decision::Apply(self.stop.clone()).by(by),
            PlanAnswer::Decline => format!("the user was shown {shown}, and said no"),
            PlanAnswer::Unanswered => format!("the user was shown {shown}, and did not agree"),
            PlanAnswer::Dropped => format!("{dropped} was dropped, and nobody has agreed to it"),
        };
        Decision::Decline(format!("{outcome}: {why}.")).by(by)
    }

    async fn ask(&self, plan: PlanView) -> PlanAnswer {
        let (answer, answered) = oneshot::channel();
        let id = plan.plan;
        let plan = Box::new(plan);
        let event = Event::Plan(plan.clone());
        let waits = Doing::Plan(plan, answer);
        let is_it = move |doing: &Doing| matches!(doing, Doing::Plan(view, _) if view.plan == id);
        self.until(waits, event, is_it, answered).await
    }

    /// Asks the front end whether a program that has cost this much goes on. This does not
    /// depend on the mode, which is only about writes.
    pub async fn go_on(&self, uid: u32, costly: &Costly) -> bool {
        let (answer, answered) = oneshot::channel();
        let id = self.costs.fetch_add(1, Ordering::SeqCst) + 1;
        let costly = costly.clone();
        let cost = CostView { id, uid, costly };
        let event = Event::Costly(Box::new(cost.clone()));
        let is_it = move |doing: &Doing| matches!(doing, Doing::Cost(cost, _) if cost.id == id);
        self.until(Doing::Cost(cost, answer), event, is_it, answered)
            .await
    }

    /// Waits for the answer to a question.
    async fn until<T>(
        &self,
        waits: Doing,
        event: Event,
        is_it: impl Fn(&Doing) -> bool + Send + Sync,
        answered: oneshot::Receiver<T>,
    ) -> T {
        /// Nothing waits when nobody waits for it any more.
        struct Asked<'a, F: Fn(&Doing) -> bool>(&'a TurnControl, F);
        impl<F: Fn(&Doing) -> bool> Drop for Asked<'_, F> {
            fn drop(&mut self) {
                self.0.take(&self.1);
            }
        }
        let _asked = Asked(self, is_it);
        let is_left = {
            let mut waits = Some(waits);
            self.doing.send_if_modified(|doing| {
                let asks = !doing.is_leaving();
                if let Some(waits) = waits.take_if(|_| asks) {
                    *doing = waits;
                }
                asks
            });
            waits.is_some()
        };
        if !is_left {
            self.tell(event);
            if let Ok(answer) = answered.await {
                return answer;
            }
        }
        // Whoever cancels the turn answers no question of it.
        pending().await
    }

    /// Answers whether the program that waits goes on.
    pub fn let_go_on(&self, id: u64, go_on: bool) -> Result<()> {
        match self.take(|doing| matches!(doing, Doing::Cost(cost, _) if cost.id == id)) {
            Some(Doing::Cost(_, asked)) => {
                // A turn that was left meanwhile has no use for it.
                let _ = asked.send(go_on);
                Ok(())
            }
            _ => Err(Error::usage("no program waits to go on")),
        }
    }

    /// Ends the turn, undo or apply under way. An apply ends before its next write, unless this
    /// was called before. Everything else ends at once.
    pub fn cancel(&self) -> Cancelled {
        if self.doing.borrow().is_idle() {
            return Cancelled::Nothing;
        }
        if self.stop.is_applying() && !self.stop.is_stopped() {
            self.stop.stop();
            return Cancelled::Stopping;
        }
        if self.stop.is_applying() {
            self.stop.abandon();
        }
        // An apply that begins meanwhile ends before its first write.
        self.stop.stop();
        let mut is_under_way = false;
        self.doing.send_if_modified(|doing| {
            is_under_way = !doing.is_idle();
            let is_new = is_under_way && !doing.is_leaving();
            if is_new {
                *doing = Doing::Leaving { has_asked: false };
            }
            is_new
        });
        match is_under_way {
            true => Cancelled::Leaving,
            false => {
                self.stop.clear();
                Cancelled::Nothing
            }
        }
    }

    /// The model is asked. A turn whose apply was abandoned ends here at the latest.
    pub fn asking(&self) {
        self.doing.send_if_modified(|doing| match doing {
            Doing::Leaving { has_asked } => {
                *has_asked = true;
                true
            }
            _ => false,
        });
    }

    /// Carries out work; `None` if it was cancelled. By then the journal says how far an apply
    /// came.
    pub async fn unless_cancelled<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let _working = Working::new(self);
        tokio::pin!(work);
        tokio::select! {
            biased;
            done = &mut work => return Some(done),
            () = self.reached(Doing::is_leaving) => {}
        }
        if !self.stop.is_applying() {
            return None;
        }
        let last_words = async {
            tokio::select! {
                biased;
                done = &mut work => Some(done),
                () = self.reached(|doing| matches!(doing, Doing::Leaving { has_asked: true })) => None,
            }
        };
        tokio::time::timeout(LAST_WORDS, last_words)
            .await
            .unwrap_or_default()
    }

    /// Waits for such a step.
    async fn reached(&self, is_it: impl Fn(&Doing) -> bool) {
        // `TurnControl` keeps the sender.
        let _ = self.doing.subscribe().wait_for(|doing| is_it(doing)).await;
    }
}

/// A turn or an undo that can be cancelled.
struct Working<'a>(&'a TurnControl);

impl<'a> Working<'a> {
    fn new(control: &'a TurnControl) -> Self {
        control.doing.send_replace(Doing::Working);
        Working(control)
    }
}

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.0.doing.send_replace(Doing::Idle);
        self.0.stop.clear();
    }
}
