//! Rehearsals: the programs of a prediction run on a draft of the world, before the prediction
//! is accepted.
//!
//! They show the changes and the outcome of a program. There is no rehearsal on worlds whose
//! calls cost something, or that cannot be copied.

use super::execute::Program;
use super::{Agent, Prediction, Session, Unwatched};
use crate::dialogue::{Outcome, Program as Code};
use crate::domain::World;
use crate::plan::{Draft, Effect, effects};
use std::sync::Arc;

/// A program that ran on a draft.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rehearsed {
    /// Its goal.
    pub uid: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// Its changes, without those of the programs before it.
    pub effects: Vec<Effect>,
}

impl Agent {
    /// Runs the final programs of a prediction in order, on one draft. They run once, however
    /// often this is asked. Empty if there are none, or if the world has no rehearsal.
    pub(super) async fn rehearse<'p>(
        &self,
        session: &Session,
        prediction: &'p Prediction,
    ) -> &'p [Rehearsed] {
        if prediction.execute.is_empty() {
            return &[];
        }
        let rehearse = async || {
            let programs = prediction.execute.iter().filter_map(|uid| {
                let goal = prediction.stack.get(*uid)?;
                Some((*uid, &goal.program))
            });
            self.rehearse_programs(session, programs).await
        };
        prediction.rehearsed.get_or_init(rehearse).await
    }

    /// Runs these programs in order, on one draft, like [`rehearse`](Self::rehearse).
    pub(super) async fn rehearse_programs<'p>(
        &self,
        session: &Session,
        programs: impl Iterator<Item = (u32, &'p Code)> + Send,
    ) -> Vec<Rehearsed> {
        let mut rehearsed = Vec::new();
        if self.world.spent().is_some() || self.domain.is_stepwise {
            return rehearsed;
        }
        let Ok(draft) = Draft::of(&self.world, &self.domain) else {
            return rehearsed;
        };
        let world: Arc<dyn World> = draft.clone();
        let turn = session.turns().len();
        for (uid, code) in programs {
            let program = Program {
                turn,
                uid,
                code: code.code(),
                seed: self.settings.seed.of_program(turn, uid),
            };
            let earlier = draft.writes().len();
            let Ok(execution) = self.run(&program, &world, &mut Unwatched).await else {
                break;
            };
            rehearsed.push(Rehearsed {
                uid,
                outcome: execution.outcome,
                effects: effects(draft.writes().get(earlier..).unwrap_or_default()),
            });
        }
        rehearsed
    }
}
