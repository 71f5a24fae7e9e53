//! The beat at which running programs yield, so that deadlines can end them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How often a running program yields.
const BEAT: Duration = Duration::from_millis(10);

/// A thread that moves the engine's epoch while at least one program runs.
pub struct Ticker {
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    running: AtomicUsize,
    over: Mutex<bool>,
    changed: Condvar,
}

impl Ticker {
    pub fn new(engine: &wasmtime::Engine) -> Self {
        let state = Arc::<State>::default();
        let engine = engine.weak();
        let shared = state.clone();
        std::thread::spawn(move || {
            let mut over = shared.over.lock().unwrap_or_else(PoisonError::into_inner);
            while !*over {
                over = if shared.running.load(Ordering::Relaxed) == 0 {
                    shared
                        .changed
                        .wait(over)
                        .unwrap_or_else(PoisonError::into_inner)
                } else {
                    let waited = shared.changed.wait_timeout(over, BEAT);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                };
                let Some(engine) = engine.upgrade() else {
                    return;
                };
                engine.increment_epoch();
            }
        });
        Ticker { state }
    }

    /// Ticks until the guard is dropped.
    pub fn tick(&self) -> Ticking<'_> {
        if self.state.running.fetch_add(1, Ordering::Relaxed) == 0 {
            // Taking the lock makes sure that the thread is waiting, or will look again.
            drop(
                self.state
                    .over
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner),
            );
            self.state.changed.notify_all();
        }
        Ticking(&self.state)
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        *self
            .state
            .over
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = true;
        self.state.changed.notify_all();
    }
}

/// While this lives, the ticker ticks.
pub struct Ticking<'a>(&'a State);

impl Drop for Ticking<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::Relaxed);
    }
}
