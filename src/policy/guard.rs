//! The guard: a world that holds every call to a policy.

use super::judge::Found;
use super::owners::Owners;
use super::{Ceiling, Count, Policy};
use crate::domain::{Answer, Counts, Domain, Layer, Onward, Value, World};
use crate::error::Result;
use async_trait::async_trait;
use std::collections::{BTreeSet, HashMap};
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
    /// The bytes that were counted for parts of what is not a record yet, by its path.
    parts: Mutex<HashMap<String, u64>>,
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
            parts: Mutex::default(),
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
        found: &Found,
    ) -> Result<Count, super::Denied> {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let before = *count;
        self.policy
            .judge_knowing(&self.domain, operation, params, found, &mut count)?;
        Ok(count.less(before))
    }

    /// The bytes that a call writes and does not bring, if they count. Nothing is looked at for
    /// a call that is denied without them.
    async fn bytes_inside(&self, operation: &str, params: &Value, found: &Found) -> Result<u64> {
        let most = self.policy.ceilings.get(Ceiling::BytesWritten);
        let (Some(_), Some(planning), true) = (
            most,
            &self.domain.effects.planning,
            self.domain.writes(operation),
        ) else {
            return Ok(0);
        };
        let (policy, domain, mut count) = (&self.policy, &self.domain, self.count());
        let judged = policy.judge_knowing(domain, operation, params, found, &mut count);
        if judged.is_err() {
            return Ok(0);
        }
        let inside = planning.inside(&*self.world, operation, params).await?;
        let of_parts = match inside.parts {
            0 => 0,
            bytes => bytes.saturating_sub(self.counted_parts(operation, params)),
        };
        Ok(inside.copied.saturating_add(of_parts))
    }

    /// The bytes that were counted for parts of what a call makes of them.
    fn counted_parts(&self, operation: &str, params: &Value) -> u64 {
        let touches = self.domain.touches(operation, params);
        let mut paths = touches.iter().map(|touch| touch.place.path());
        let parts = self.parts();
        paths
            .find_map(|path| parts.get(&path).copied())
            .unwrap_or_default()
    }

    /// Notes what a call was counted for that is a part of something.
    fn note_parts(&self, operation: &str, params: &Value, counted: Count) {
        let bytes = counted.get(Ceiling::BytesWritten);
        let touches = self.domain.touches(operation, params).into_iter();
        for touch in touches.filter(|it| bytes > 0 && it.counts == Counts::Bytes) {
            let mut parts = self.parts();
            let known = parts.entry(touch.place.path()).or_default();
            *known = known.saturating_add(bytes);
        }
    }

    fn parts(&self) -> std::sync::MutexGuard<'_, HashMap<String, u64>> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
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

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        let foreign = match self.policy.is_about_sharing() {
            true => {
                let (owners, domain) = (&self.owners, &self.domain);
                owners
                    .foreign(
                        domain,
                        &*self.world,
                        operation,
                        params,
                        &self.policy.own_accounts,
                    )
                    .await?
            }
            false => BTreeSet::new(),
        };
        let mut found = Found { foreign, bytes: 0 };
        found.bytes = self.bytes_inside(operation, params, &found).await?;
        let counted = match self.judge(operation, params, &found) {
            Ok(counted) => counted,
            Err(denied) => return Ok(Err(denied.into())),
        };
        // After a failure of ours it is not known what was done, so it counts.
        let answer = onward.call(operation, params).await?;
        match answer {
            Ok(_) => self.note_parts(operation, params, counted),
            Err(_) => self.uncount(counted),
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
            let (found, mut counted) = (Found::default(), counted);
            let judged =
                (self.policy).judge_knowing(&self.domain, operation, params, &found, &mut counted);
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
            parts: Mutex::new(self.parts().clone()),
            owners: Owners::default(),
        }))
    }
}
