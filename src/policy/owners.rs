//! Whose containers calls write to, where a world says it.

use crate::domain::{Access, Domain, Ownership, Value, World};
use crate::error::Result;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The containers whose owner is known. It is asked for when a call first writes to one.
#[derive(Debug, Default)]
pub(super) struct Owners(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    own: BTreeSet<String>,
    /// Those that somebody else has.
    foreign: BTreeSet<String>,
}

impl Known {
    /// Whether a container belongs to somebody else, if that is known.
    fn says(&self, root: &str) -> Option<bool> {
        let is_own = self.own.contains(root).then_some(false);
        is_own.or(self.foreign.contains(root).then_some(true))
    }
}

impl Owners {
    /// Those of the containers that a call writes to which belong to others. A world that does
    /// not list one's own does not say; then none do. `accounts` are one's own, too.
    ///
    /// # Errors
    /// The world's.
    pub async fn foreign(
        &self,
        domain: &Domain,
        world: &dyn World,
        operation: &str,
        params: &Value,
        accounts: &[String],
    ) -> Result<BTreeSet<String>> {
        let mut found = BTreeSet::new();
        let Some(ownership) = domain
            .effects
            .touches
            .as_ref()
            .and_then(|it| it.ownership())
        else {
            return Ok(found);
        };
        let touches = domain.touches(operation, params).into_iter();
        let written = touches.filter(|touch| {
            let is_made = touch.place.is_container();
            touch.access == Access::Write && !is_made && !touch.is_later()
        });
        let roots: BTreeSet<String> = written.map(|it| it.place.root().to_owned()).collect();
        for root in roots {
            if self.is_foreign(ownership, world, &root, accounts).await? {
                found.insert(root);
            }
        }
        Ok(found)
    }

    async fn is_foreign(
        &self,
        of: Ownership,
        world: &dyn World,
        root: &str,
        accounts: &[String],
    ) -> Result<bool> {
        if let Some(is_foreign) = self.lock().says(root) {
            return Ok(is_foreign);
        }
        let Ok(listed) = world.call(of.list, &Value::Map(Vec::new())).await? else {
            return Ok(false);
        };
        let listed = listed.get(of.field).and_then(Value::as_list);
        let names = listed.unwrap_or_default().iter();
        let names = names.filter_map(|it| it.get(of.name)?.as_str().map(str::to_owned));
        let own: BTreeSet<String> = names.collect();
        let is_own = own.contains(root);
        self.lock().own = own;
        if is_own {
            return Ok(false);
        }
        let params = Value::Map(vec![(of.parameter.into(), root.into())]);
        let is_there = match world.call(of.look, &params).await? {
            Ok(_) => true,
            Err(refusal) => matches!(refusal.status, 301 | 403),
        };
        if is_there && is_of_any(of, world, root, accounts).await? {
            self.lock().own.insert(root.to_owned());
            return Ok(false);
        }
        // One that is not there may be made by the next call.
        if is_there {
            self.lock().foreign.insert(root.to_owned());
        }
        Ok(is_there)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An account that nobody has. A world that says that a container is this one's does not look.
const NOBODY: &str = "000000000000";

/// Whether a container belongs to one of these accounts, as far as the world says it.
async fn is_of_any(
    of: Ownership,
    world: &dyn World,
    root: &str,
    accounts: &[String],
) -> Result<bool> {
    let numbers = accounts
        .iter()
        .filter(|account| account.len() == NOBODY.len());
    for account in numbers {
        if is_of(of, world, root, account).await? {
            return Ok(!is_of(of, world, root, NOBODY).await?);
        }
    }
    Ok(false)
}

async fn is_of(of: Ownership, world: &dyn World, root: &str, account: &str) -> Result<bool> {
    let params = Value::Map(vec![
        (of.parameter.into(), root.into()),
        (of.owner.into(), account.into()),
    ]);
    Ok(world.call(of.look, &params).await?.is_ok())
}
