//! The guard: a world that holds every call to a policy.

use super::owners::Owners;
use super::{Count, Policy};
use crate::domain::{Answer, Domain, Layer, Value, World};
use crate::error::Result;
use async_trait::async_trait;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// A world around a world: a call that the policy does not allow is refused with
/// `AccessDenied` and the policy's reason, and never reaches the world inside.
///
/// Each program needs a guard of its own: it keeps the count for the ceilings.
pub struct Guard {
    world: Arc<dyn World>,
    domain: Arc<Domain>,
    policy: Arc<Policy>,
    count: Mutex<Count>,
    owners: Owners,
}

impl Guard {
    /// Holds calls to `world` to the policy. Nothing is counted yet.
    pub fn new(world: Arc<dyn World>, domain: &Arc<Domain>, policy: Arc<Policy>) -> Self {
        Guard {
            world,
            domain: domain.clone(),
            policy,
            count: Mutex::default(),
            owners: Owners::default(),
        }
    }

    /// The counts of the calls through it so far.
    pub fn count(&self) -> Count {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Judges a call, and counts it if it may be made. Returns what it counted for.
    fn judge(
        &self,
        operation: &str,
        params: &Value,
        foreign: &BTreeSet<String>,
    ) -> Result<Count, super::Denied> {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let before = *count;
        self.policy
            .judge_among(&self.domain, operation, params, foreign, &mut count)?;
        Ok(count.less(before))
    }

    /// Takes back what a refused call was counted for.
    fn uncount(&self, counted: Count) {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        *count = count.less(counted);
    }
}

#[async_trait]
impl Layer for Guard {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value) -> Result<Answer> {
        let foreign = match self.policy.is_about_sharing() {
            true => {
                let (owners, domain) = (&self.owners, &self.domain);
                owners
                    .foreign(domain, &*self.world, operation, params)
                    .await?
            }
            false => BTreeSet::new(),
        };
        let counted = match self.judge(operation, params, &foreign) {
            Ok(counted) => counted,
            Err(denied) => return Ok(Err(denied.into())),
        };
        // After a failure of ours it is not known what was done, so it counts.
        let answer = self.world.call(operation, params).await?;
        if answer.is_err() {
            self.uncount(counted);
        }
        Ok(answer)
    }

    /// What the policy denies is not read for a program before it asks, either.
    fn followed(
        &self,
        operation: &str,
        params: &Value,
        answer: &Value,
        may: &(dyn Fn(&str, &Value) -> bool + Sync),
    ) {
        let counted = self.count();
        let may = |operation: &str, params: &Value| {
            let (policy, none) = (&self.policy, BTreeSet::new());
            let judged =
                policy.judge_among(&self.domain, operation, params, &none, &mut counted.clone());
            judged.is_ok() && may(operation, params)
        };
        self.world.follow(operation, params, answer, &may);
    }

    fn split(&self) -> Option<Arc<dyn World>> {
        let world = self.world.fork()?;
        Some(Arc::new(Guard {
            world,
            domain: self.domain.clone(),
            policy: self.policy.clone(),
            count: Mutex::new(self.count()),
            owners: Owners::default(),
        }))
    }
}
