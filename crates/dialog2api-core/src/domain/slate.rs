//! What an agent keeps beside the state of a world.

use super::World;
use serde_json::Value as Json;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What an agent's [`Conduct`](crate::conduct::Conduct) keeps with a world: part of the state that
/// is signed and copied, and no place of any plan. Nothing that is written here needs a consent.
///
/// A program runs on a draft first. What its conduct would keep if the plan is agreed to is
/// *pending*. A copy has pages of its own and shares what is pending, so that the draft can say
/// it and the world can take it.
///
/// ```
/// use dialog2api_core::domain::Slate;
/// use serde_json::json;
///
/// let slate = Slate::default();
/// let draft = slate.copy();
/// draft.keep(json!({"turn": 1}));
/// draft.set_pending(Some(json!("agreed")));
/// assert!(slate.kept().is_null());
/// assert_eq!(slate.pending(), Some(json!("agreed")));
/// ```
#[derive(Debug, Default)]
pub struct Slate {
    kept: Mutex<Arc<Json>>,
    pending: Mutex<Arc<Mutex<Option<Json>>>>,
}

/// Copies a world for another dialogue. The copy shares nothing with the world, not even what is
/// pending. `None` if the world cannot be copied.
pub fn separate(world: &dyn World) -> Option<Arc<dyn World>> {
    let copy = world.fork()?;
    if let Some(slate) = copy.slate() {
        *held(&slate.pending) = Arc::default();
    }
    Some(copy)
}

impl Slate {
    /// What is kept; null before anything is.
    pub fn kept(&self) -> Arc<Json> {
        held(&self.kept).clone()
    }

    /// Keeps this in the place of what was kept.
    pub fn keep(&self, kept: Json) {
        *held(&self.kept) = Arc::new(kept);
    }

    /// What is kept once a plan is decided on.
    pub fn pending(&self) -> Option<Json> {
        held(&self.shared()).clone()
    }

    fn shared(&self) -> Arc<Mutex<Option<Json>>> {
        held(&self.pending).clone()
    }

    /// Replaces what is pending, here and in all copies.
    pub fn set_pending(&self, pending: Option<Json>) {
        *held(&self.shared()) = pending;
    }

    /// A copy whose pages change independently.
    #[must_use]
    pub fn copy(&self) -> Slate {
        Slate {
            kept: Mutex::new(self.kept()),
            pending: Mutex::new(self.shared()),
        }
    }
}

fn held<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
