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
    match &domain.conduct {
        Some(conduct) => Arc::new(Conducted {
            conduct: conduct.clone(),
            sandbox,
            model: None,
        }),
        None => sandbox,
    }
}

/// Tells the conduct of a program that is about to run again what came of it before: what a model
/// was asked then is in there. Nothing without a slate.
pub fn recall(world: &dyn World, outcome: &Outcome) {
    if let (Some(slate), Outcome::Result(outcome)) = (world.slate(), outcome) {
        slate.set_pending(Some(json!({ "outcome": outcome })));
    }
}

/// A sandbox with a conduct.
pub(super) struct Conducted {
    pub conduct: Arc<dyn Conduct>,
    pub sandbox: Arc<dyn Sandbox>,
    pub model: Option<Arc<dyn Asks>>,
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
