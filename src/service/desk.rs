//! The desk between an agent and its front end: plans wait here for their answer, and
//! cancellations arrive here.

use super::event::Event;
use super::view::{Answer, PlanView};
use crate::agent::Decision;
use crate::domain::Costly;
use crate::error::{Error, Result};
use crate::journal::DecidedBy;
use crate::plan::{Flag, Stop};
use crate::policy::{Mode, Policy};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

/// The events of a conversation, in order. They are kept until they are read.
pub type Events = UnboundedReceiver<Event>;

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
pub(super) struct Desk {
    events: UnboundedSender<Event>,
    inner: Mutex<Inner>,
    /// Ends the apply that runs. The only one of the conversation.
    pub stop: Stop,
    /// The turn, undo or apply under way has to end.
    leaving: Flag,
    /// The model is asked, after an apply was abandoned.
    asking: Flag,
}

#[derive(Default)]
struct Inner {
    policy: Option<Arc<Policy>>,
    pending: Option<Pending>,
    /// The program that waits for permission to go on.
    costly: Option<oneshot::Sender<bool>>,
    /// Whether a turn or an undo is under way.
    is_busy: bool,
}

struct Pending {
    plan: PlanView,
    answer: oneshot::Sender<Answer>,
}

impl Desk {
    pub fn new(policy: Option<Arc<Policy>>) -> (Arc<Desk>, Events) {
        let (events, receiver) = unbounded_channel();
        let desk = Desk {
            events,
            inner: Mutex::new(Inner {
                policy,
                ..Inner::default()
            }),
            stop: Stop::default(),
            leaving: Flag::default(),
            asking: Flag::default(),
        };
        (Arc::new(desk), receiver)
    }

    /// Sends an event to the front end. It does not matter whether the front end still listens.
    pub fn tell(&self, event: Event) {
        let _ = self.events.send(event);
    }

    pub fn policy(&self) -> Option<Arc<Policy>> {
        self.inner().policy.clone()
    }

    pub fn set_policy(&self, policy: Arc<Policy>) {
        self.inner().policy = Some(policy);
    }

    /// The plan that waits for an answer.
    pub fn pending(&self) -> Option<PlanView> {
        let inner = self.inner();
        inner.pending.as_ref().map(|pending| pending.plan.clone())
    }

    /// Answers the plan of this number.
    pub fn answer(&self, plan: u64, answer: Answer) -> Result<()> {
        let pending = (self.inner().pending).take_if(|pending| pending.plan.plan == plan);
        match pending {
            Some(pending) => {
                // A turn that was left meanwhile has no use for it.
                let _ = pending.answer.send(answer);
                Ok(())
            }
            None => Err(Error::Usage(format!("no plan {plan} waits for an answer"))),
        }
    }

    /// The decision on a plan. In the mode `auto` it is carried out, else the front end is
    /// asked.
    pub async fn decide(&self, plan: PlanView) -> (Decision, DecidedBy) {
        let (id, is_step) = (plan.plan, plan.is_step());
        let is_auto = (self.policy()).is_some_and(|policy| policy.mode == Mode::Auto);
        let (answer, by) = if is_auto {
            (Answer::Apply, DecidedBy::Policy)
        } else {
            (self.ask(plan).await, DecidedBy::User)
        };
        let apply = answer == Answer::Apply;
        self.tell(Event::Decided {
            plan: id,
            apply,
            by,
        });
        let why = match answer {
            Answer::Apply => return (Decision::Apply(self.stop.clone()), by),
            Answer::Decline => "said no",
            Answer::Unanswered => "did not agree",
        };
        let why = match is_step {
            true => format!("The call was not made: the user was shown it, and {why}."),
            false => format!(
                "Nothing was changed: the user was shown what this would change, and {why}."
            ),
        };
        (Decision::Decline(why), by)
    }

    async fn ask(&self, plan: PlanView) -> Answer {
        /// Nothing waits when nobody waits for it any more.
        struct Asked<'a>(&'a Desk);
        impl Drop for Asked<'_> {
            fn drop(&mut self) {
                self.0.inner().pending = None;
            }
        }
        let (answer, answered) = oneshot::channel();
        let asked = Asked(self);
        self.inner().pending = Some(Pending {
            plan: plan.clone(),
            answer,
        });
        self.tell(Event::Plan(plan));
        let answer = answered.await;
        drop(asked);
        answer.unwrap_or(Answer::Unanswered)
    }

    /// Asks the front end whether a program that has cost this much goes on. This does not
    /// depend on the mode, which is only about writes.
    pub async fn go_on(&self, uid: u32, costly: &Costly) -> bool {
        /// Nothing waits when nobody waits for it any more.
        struct Asked<'a>(&'a Desk);
        impl Drop for Asked<'_> {
            fn drop(&mut self) {
                self.0.inner().costly = None;
            }
        }
        let (answer, answered) = oneshot::channel();
        let _asked = Asked(self);
        self.inner().costly = Some(answer);
        self.tell(Event::Costly {
            uid,
            costly: costly.clone(),
        });
        answered.await.unwrap_or(false)
    }

    /// Answers whether the program that waits goes on.
    pub fn let_go_on(&self, go_on: bool) -> Result<()> {
        let asked = self.inner().costly.take();
        let asked = asked.ok_or_else(|| Error::Usage("no program waits to go on".to_owned()))?;
        // A turn that was left meanwhile has no use for it.
        let _ = asked.send(go_on);
        Ok(())
    }

    /// Ends the turn, undo or apply under way. An apply ends before its next write, unless this
    /// was called before. Everything else ends at once.
    pub fn cancel(&self) -> Cancelled {
        if !self.inner().is_busy {
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
        self.leaving.set();
        Cancelled::Leaving
    }

    /// The model is asked. A turn whose apply was abandoned ends here at the latest.
    pub fn asking(&self) {
        self.asking.set();
    }

    /// Carries out work; `None` if it was cancelled. By then the journal says how far an apply
    /// came.
    pub async fn unless_cancelled<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let _busy = Busy::new(self);
        tokio::pin!(work);
        tokio::select! {
            biased;
            done = &mut work => return Some(done),
            () = self.leaving.wait() => {}
        }
        if !self.stop.is_applying() {
            return None;
        }
        self.asking.clear();
        let last_words = async {
            tokio::select! {
                biased;
                done = &mut work => Some(done),
                () = self.asking.wait() => None,
            }
        };
        tokio::time::timeout(LAST_WORDS, last_words)
            .await
            .unwrap_or_default()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A turn or an undo that can be cancelled.
struct Busy<'a>(&'a Desk);

impl<'a> Busy<'a> {
    fn new(desk: &'a Desk) -> Self {
        desk.inner().is_busy = true;
        Busy(desk)
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.inner().is_busy = false;
        self.0.leaving.clear();
        self.0.stop.clear();
    }
}
