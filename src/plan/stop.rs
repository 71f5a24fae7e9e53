//! Ending an apply early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Notify;

/// Ends the apply that runs with it. Clones end the same one. A conversation has one for its
/// whole life: when an apply is over, a stop that was asked for is over as well.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<Flags>);

#[derive(Debug, Default)]
struct Flags {
    is_applying: AtomicBool,
    is_stopped: AtomicBool,
    is_abandoned: Flag,
}

impl Stop {
    /// Ends the apply before its next write. The current write is finished.
    pub fn stop(&self) {
        self.0.is_stopped.store(true, Ordering::SeqCst);
    }

    /// Does not wait for the current write either: the apply ends at once, as
    /// [`End::Unknown`](super::End) if that write had been begun.
    pub fn abandon(&self) {
        self.stop();
        self.0.is_abandoned.set();
    }

    /// Whether an apply runs now.
    pub fn is_applying(&self) -> bool {
        self.0.is_applying.load(Ordering::SeqCst)
    }

    /// Whether no further write is to be begun.
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped.load(Ordering::SeqCst)
    }

    /// Takes back a stop that has ended no apply.
    pub(crate) fn clear(&self) {
        self.0.is_stopped.store(false, Ordering::SeqCst);
        self.0.is_abandoned.clear();
    }

    /// Waits until the apply is to be abandoned.
    pub(crate) async fn abandoned(&self) {
        self.0.is_abandoned.wait().await;
    }

    /// An apply runs until the answer is dropped.
    pub(crate) fn applying(&self) -> Applying<'_> {
        self.0.is_applying.store(true, Ordering::SeqCst);
        Applying(self)
    }
}

/// An apply that runs.
pub(crate) struct Applying<'a>(&'a Stop);

impl Drop for Applying<'_> {
    fn drop(&mut self) {
        self.0.0.is_applying.store(false, Ordering::SeqCst);
        self.0.clear();
    }
}

/// A flag that can be waited for.
#[derive(Debug, Default)]
struct Flag {
    is_set: AtomicBool,
    changed: Notify,
}

impl Flag {
    fn set(&self) {
        self.is_set.store(true, Ordering::SeqCst);
        self.changed.notify_waiters();
    }

    fn clear(&self) {
        self.is_set.store(false, Ordering::SeqCst);
    }

    /// Returns when the flag is set; at once where it is.
    async fn wait(&self) {
        loop {
            let changed = self.changed.notified();
            if self.is_set.load(Ordering::SeqCst) {
                return;
            }
            changed.await;
        }
    }
}
