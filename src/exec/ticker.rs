//! Makes running programs yield at regular intervals, so that deadlines can end them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a running program yields.
const BEAT: Duration = Duration::from_millis(10);
/// How many beats without a program the thread stays awake. Waking it takes longer than
/// starting a program, and usually the next program comes at once.
const IDLE_BEATS: u32 = 20;

/// A thread that advances the engine's epoch while programs run, and a little longer.
pub struct Ticker {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    running: AtomicUsize,
    /// Whether the thread waits for a program. The thread sets it before it reads `running`
    /// for the last time, and a program counts itself before it reads this, so at least one
    /// of them sees the other.
    asleep: AtomicBool,
    over: Mutex<bool>,
    changed: Condvar,
}

impl Ticker {
    pub fn new(engine: &wasmtime::Engine) -> Self {
        let shared = Arc::<Shared>::default();
        let engine = engine.weak();
        let of_thread = shared.clone();
        std::thread::spawn(move || {
            let mut over = of_thread.lock();
            let mut idle = 0;
            while !*over {
                over = of_thread.wait(over, idle);
                // After waking up the thread stays awake, even if the program has ended already.
                idle = match of_thread.running.load(Ordering::SeqCst) {
                    0 if idle < IDLE_BEATS => idle + 1,
                    _ => 0,
                };
                let Some(engine) = engine.upgrade() else {
                    return;
                };
                engine.increment_epoch();
            }
        });
        Ticker { shared }
    }

    /// Keeps ticking until the returned guard is dropped.
    pub fn tick(&self) -> Ticking<'_> {
        self.shared.running.fetch_add(1, Ordering::SeqCst);
        if self.shared.asleep.load(Ordering::SeqCst) {
            // With the lock taken once, the thread is either waiting or will read `running`.
            drop(self.shared.lock());
            self.shared.changed.notify_all();
        }
        Ticking(&self.shared)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.over.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for one beat, or for the next program if `idle` beats have passed without one.
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
        *self.shared.lock() = true;
        self.shared.changed.notify_all();
    }
}

/// Keeps the ticker running until it is dropped.
pub struct Ticking<'a>(&'a Shared);

impl Drop for Ticking<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}
