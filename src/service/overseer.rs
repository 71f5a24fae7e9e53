//! Asks the front end before a program writes to the world.

use super::control::TurnControl;
use super::event::Event;
use super::view::PlanView;
use crate::agent::{self, Decided, Executed, Observer, Overseer};
use crate::domain::{Costly, Domain};
use crate::error::Result;
use crate::exec::Execution;
use crate::journal::{Journal, Origin};
use crate::plan::{Plan, Stop};
use async_trait::async_trait;
use std::sync::Arc;

/// Decides on the plans of a conversation's programs by asking the front end.
pub(super) struct FrontEndOverseer {
    control: Arc<TurnControl>,
    journal: Arc<Journal>,
    domain: Arc<Domain>,
}

impl FrontEndOverseer {
    pub fn new(control: Arc<TurnControl>, journal: Arc<Journal>, domain: Arc<Domain>) -> Self {
        FrontEndOverseer {
            control,
            journal,
            domain,
        }
    }
}

#[async_trait]
impl Overseer for FrontEndOverseer {
    async fn decide(&self, turn: usize, uid: u32, plan: &Plan) -> Result<Decided> {
        let id = self.journal.with_state(|state| {
            let known = state.plan_of(turn, uid);
            known.map(|known| known.planned.id).unwrap_or_default()
        });
        let origin = Origin::Program { turn, uid };
        let view = PlanView::new(id, origin, plan, &self.domain.words);
        let view = view.with_file(self.journal.folder());
        Ok(self.control.decide(view).await)
    }

    async fn go_on(&self, _turn: usize, uid: u32, costly: &Costly) -> Result<bool> {
        Ok(self.control.go_on(uid, costly).await)
    }

    fn stop(&self) -> Stop {
        self.control.stop.clone()
    }
}

/// Tells a front end what an agent does, and remembers which program runs and which has ended.
pub(super) struct Watch<'a> {
    control: &'a TurnControl,
    /// How often the model was asked.
    pub asked: usize,
    /// The goal whose program runs.
    pub running: Option<u32>,
    /// The last program that ended, without its signature.
    pub ended: Option<Executed>,
}

impl<'a> Watch<'a> {
    pub fn new(control: &'a TurnControl) -> Self {
        Watch {
            control,
            asked: 0,
            running: None,
            ended: None,
        }
    }
}

impl Observer for Watch<'_> {
    fn event(&mut self, event: agent::TurnEvent<'_>) {
        match &event {
            agent::TurnEvent::Started { uid } => self.running = Some(*uid),
            agent::TurnEvent::Executed { uid, execution } => {
                self.running = None;
                self.ended = Some(Executed {
                    uid: *uid,
                    execution: Execution::clone(execution),
                    signature: None,
                });
            }
            agent::TurnEvent::Asking { .. } => {
                self.asked += 1;
                self.control.asking();
            }
            _ => {}
        }
        self.control.tell(Event::from(event));
    }
}
