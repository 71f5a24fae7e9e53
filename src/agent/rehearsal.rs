//! Rehearsals: the programs of a prediction run on a draft of the world, before the prediction
//! is accepted.
//!
//! They show the changes and the outcome of a program. There is no rehearsal on worlds whose
//! calls cost something, or that cannot be copied.

use super::confirmation::waits;
use super::execute::Program;
use super::{Agent, Now, Prediction, Session, Unwatched};
use crate::dialogue::{Goal, Outcome};
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
    /// Runs the final programs of a prediction in order, on one draft, and each of its complete
    /// drafts after them. They run once, however often this is asked. Empty if there are none,
    /// or if the world has no rehearsal.
    pub(super) async fn rehearse<'p>(
        &self,
        session: &Session,
        prediction: &'p Prediction,
    ) -> &'p [Rehearsed] {
        let rehearse = async || {
            let goal = |uid: u32| prediction.stack.get(uid);
            let finals = prediction.execute.iter().filter_map(|uid| goal(*uid));
            let finals: Vec<_> = finals.collect();
            let drafts = prediction.updates.iter();
            let drafts = drafts.filter_map(|update| goal(update.uid));
            let drafts: Vec<_> = drafts.filter(|goal| waits(goal)).collect();
            if finals.is_empty() && drafts.is_empty() {
                return Vec::new();
            }
            let Some(draft) = self.draft_of(&self.world) else {
                return Vec::new();
            };
            let mut rehearsed = self.rehearse_on(&draft, session, &finals).await;
            if rehearsed.len() < finals.len() {
                return rehearsed;
            }
            let after: Arc<dyn World> = draft;
            for goal in drafts {
                // Other drafts may never run, so they do not run before it.
                rehearsed.extend(self.rehearse_alone(session, &after, goal).await);
            }
            rehearsed
        };
        prediction.rehearsed.get_or_init(rehearse).await
    }

    /// Runs the program of a goal on a draft of this world.
    pub(super) async fn rehearse_alone(
        &self,
        session: &Session,
        world: &Arc<dyn World>,
        goal: &Goal,
    ) -> Option<Rehearsed> {
        let draft = self.draft_of(world)?;
        self.rehearse_on(&draft, session, &[goal]).await.pop()
    }

    /// A draft of this world to rehearse on, if it has rehearsals.
    fn draft_of(&self, world: &Arc<dyn World>) -> Option<Arc<Draft>> {
        if world.spent().is_some() || self.domain.effects.is_stepwise {
            return None;
        }
        Draft::of(world, &self.domain).ok()
    }

    /// Runs the programs of these goals in order, on one draft.
    async fn rehearse_on(
        &self,
        draft: &Arc<Draft>,
        session: &Session,
        goals: &[&Goal],
    ) -> Vec<Rehearsed> {
        let mut rehearsed = Vec::new();
        let world: Arc<dyn World> = draft.clone();
        let turn = session.turns().len();
        for goal in goals {
            let uid = goal.uid;
            let program = Program {
                turn,
                uid,
                code: goal.program.code(),
                seed: self.seed(session, uid),
                is_timeless: session.now() == Now::Unknown,
                is_after_yes: false,
                proposed: None,
            };
            draft.hold_time(program.seed.now);
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
