//! A sandbox whose programs are followed by what a conduct does.

use super::{Asks, Conduct, Following};
use crate::agent::Sandbox;
use crate::dialogue::{Outcome, ProgramError};
use crate::domain::{Domain, World};
use crate::error::Result;
use crate::exec::{Execution, Limits, Seed};
use async_trait::async_trait;
use serde_json::json;
use std::sync::Arc;

/// The sandbox for programs of turns of this domain: the given one, or one that also does what
/// the domain's conduct does after a program. No model is asked.
pub fn around(domain: &Domain, sandbox: Arc<dyn Sandbox>) -> Arc<dyn Sandbox> {
    with_model(domain, sandbox, None)
}

/// The same with a model that the conduct may ask.
pub(super) fn with_model(
    domain: &Domain,
    sandbox: Arc<dyn Sandbox>,
    model: Option<Arc<dyn Asks>>,
) -> Arc<dyn Sandbox> {
    match &domain.conduct {
        Some(conduct) => Arc::new(Conducted {
            conduct: conduct.clone(),
            sandbox,
            model,
        }),
        None => sandbox,
    }
}

/// Gives a conduct the recorded outcome of a program before the program runs again. The outcome
/// has the answers of the model, so that a replay needs no model. Worlds without a slate ignore it.
pub fn recall(world: &dyn World, outcome: &Outcome) {
    if let (Some(slate), Outcome::Result(outcome)) = (world.slate(), outcome) {
        slate.set_pending(Some(json!({ "outcome": outcome })));
    }
}

/// A sandbox with a conduct.
struct Conducted {
    conduct: Arc<dyn Conduct>,
    sandbox: Arc<dyn Sandbox>,
    model: Option<Arc<dyn Asks>>,
}

#[async_trait]
impl Sandbox for Conducted {
    async fn run(
        &self,
        program: &str,
        world: &Arc<dyn World>,
        limits: &Limits,
        seed: &Seed,
    ) -> Result<Execution> {
        let turn = Following {
            program,
            world,
            limits,
            seed,
            model: self.model.as_deref(),
            sandbox: &*self.sandbox,
        };
        let execution = self.conduct.follow(turn).await?;
        match self.model {
            // An agent settles when the plan is decided on.
            Some(_) => Ok(execution),
            None => self.conduct.settle(&**world, execution),
        }
    }

    async fn check(&self, program: &str) -> Result<Option<ProgramError>> {
        self.sandbox.check(program).await
    }
}
