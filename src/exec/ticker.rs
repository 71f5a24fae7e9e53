//! The beat at which running programs yield, so that deadlines can end them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a running program yields.
const BEAT: Duration = Duration::from_millis(10);
/// The thread sleeps after so many beats without a program: to wake it takes longer than
/// to begin a program, and mostly the next one comes at once.
const IDLE_BEATS: u32 = 20;

/// A thread that moves the engine's epoch while programs run, and a little longer.
pub struct Ticker {
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    running: AtomicUsize,
    /// Whether the thread waits for a program. Set before it looks at `running` for the
    /// last time, as a program counts itself before it looks here: one sees the other.
    asleep: AtomicBool,
    over: Mutex<bool>,
    changed: Condvar,
}

impl Ticker {
    pub fn new(engine: &wasmtime::Engine) -> Self {
        let state = Arc::<State>::default();
        let engine = engine.weak();
        let shared = state.clone();
        std::thread::spawn(move || {
            let mut over = shared.lock();
            let mut idle = 0;
            while !*over {
                over = shared.wait(over, idle);
                // Who has just woken up stays awake, also if the program has ended already.
                idle = match shared.running.load(Ordering::SeqCst) {
                    0 if idle < IDLE_BEATS => idle + 1,
                    _ => 0,
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
        self.state.running.fetch_add(1, Ordering::SeqCst);
        if self.state.asleep.load(Ordering::SeqCst) {
            // Taking the lock makes sure that the thread is waiting, or will look again.
            drop(self.state.lock());
            self.state.changed.notify_all();
        }
        Ticking(&self.state)
    }
}

impl State {
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.over.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits a beat; after `idle` of them without a program, for the next program.
    fn wait<'a>(&self, over: MutexGuard<'a, bool>, idle: u32) -> MutexGuard<'a, bool> {
        if idle < IDLE_BEATS {
            let waited = self.changed.wait_timeout(over, BEAT);
            return waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        self.asleep.store(true, Ordering::SeqCst);
        let over = match self.running.load(Ordering::SeqCst) {
            0 => (self.changed.wait(over)).unwrap_or_else(PoisonError::into_inner),
            _ => over,
        };
        self.asleep.store(false, Ordering::SeqCst);
        over
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        *self.state.lock() = true;
        self.state.changed.notify_all();
    }
}

/// While this lives, the ticker ticks.
pub struct Ticking<'a>(&'a State);

impl Drop for Ticking<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}
