//! The dry run: programs run on a draft of the world before their answer is accepted.
//!
//! A program that ends by accident there (`NameError`, a datetime that is no JSON) would do so
//! in the world as well, and small models write such programs often. It is sent back once, as
//! by a lint. Worlds on which calls cost something, or which cannot be copied, have no dry run.

use super::ask::Finding;
use super::execute::Program;
use super::{Agent, Prediction, Session, Unwatched};
use crate::dialogue::Outcome;
use crate::exec::is_accident;
use crate::plan::Draft;
use std::sync::Arc;

/// The name of this aid.
pub(super) const DRY_RUN: &str = "dry-run";

impl Agent {
    /// The first program of a prediction that ends by accident, and how.
    pub(super) async fn accident(
        &self,
        session: &Session,
        prediction: &Prediction,
    ) -> Option<Finding> {
        let costs = self.world.spent().is_some() || self.domain.is_stepwise;
        if costs || !self.settings.assist.has(DRY_RUN) || prediction.execute.is_empty() {
            return None;
        }
        let draft = Draft::of(&self.world, &self.domain).ok()?;
        let draft: Arc<dyn crate::domain::World> = draft;
        let turn = session.turns().len();
        for uid in &prediction.execute {
            let code = &prediction.stack.get(*uid)?.program;
            let program = Program {
                turn,
                uid: *uid,
                code: code.code(),
                seed: self.settings.seed.of_program(turn, *uid),
            };
            let ran = self.run(&program, &draft, &mut Unwatched).await.ok()?;
            if let Outcome::Error(error) = &ran.outcome
                && is_accident(&error.error, Some(code))
            {
                let (name, message) = (&error.error, &error.message);
                return Some(Finding(format!(
                    "the program of goal {uid} would end with {name}: {message}"
                )));
            }
        }
        None
    }
}
