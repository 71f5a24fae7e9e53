//! The dry run: if a program of a prediction would end by accident, the prediction is sent
//! back.
//!
//! A program that ends by accident in a rehearsal (`NameError`, a result that is not JSON) would
//! do the same in the world. Small models often write such programs. Complete drafts are
//! rehearsed as well, so that the user is not asked to confirm a program that cannot work.

use super::ask::Finding;
use super::rehearsal::Rehearsed;
use super::{Agent, Prediction, Session};
use crate::dialogue::Outcome;
use crate::exec::is_accident;

/// The name of this aid.
pub(super) const DRY_RUN: &str = "dry-run";

impl Agent {
    /// Rehearses the complete programs of a prediction, unless the dry run is switched off.
    pub(super) async fn dry_run<'p>(
        &self,
        session: &Session,
        prediction: &'p Prediction,
    ) -> &'p [Rehearsed] {
        if !self.settings.assist.has(DRY_RUN) {
            return &[];
        }
        self.rehearse(session, prediction).await
    }

    /// The first program of a prediction that ends by accident, and how.
    pub(super) async fn accident(
        &self,
        session: &Session,
        prediction: &Prediction,
    ) -> Option<Finding> {
        let rehearsed = self.dry_run(session, prediction).await;
        rehearsed.iter().find_map(|ran| {
            let code = &prediction.stack.get(ran.uid)?.program;
            let Outcome::Error(error) = &ran.outcome else {
                return None;
            };
            is_accident(error, Some(code)).then(|| {
                let (uid, name, message) = (ran.uid, &error.error, &error.message);
                Finding(format!(
                    "the program of goal {uid} would end with {name}: {message}"
                ))
            })
        })
    }
}
