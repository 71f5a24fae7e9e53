//! Moves long work off the threads that serve other calls.

use crate::error::{Error, Result};
use std::panic::resume_unwind;
use std::thread;
use tokio::runtime::{Builder, Handle};

/// Work on at most this many bytes is done in place.
///
/// The checksums of an object take roughly 3 ns a byte, so 64 KiB take about 0.2 ms: as
/// long as a task may hold its thread. Another thread costs about 20 µs, which matters
/// for a small object but not for a large one.
pub const IN_PLACE: usize = 64 << 10;

/// Does `work` on this many bytes: in place if they are few, otherwise on a thread for
/// blocking work, so that the caller's thread can serve others.
///
/// # Errors
/// The runtime is shutting down, so that the work was not done.
pub async fn over<T: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    if bytes <= IN_PLACE {
        return Ok(work());
    }
    waiting(work).await
}

/// Does `work` that waits, for example for a disk, on a thread for blocking work. Without
/// a runtime it is done in place.
///
/// # Errors
/// The runtime is shutting down, so that the work was not done.
pub async fn waiting<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let Ok(runtime) = Handle::try_current() else {
        return Ok(work());
    };
    match runtime.spawn_blocking(work).await {
        Ok(done) => Ok(done),
        Err(failed) if failed.is_panic() => resume_unwind(failed.into_panic()),
        Err(failed) => Err(Error::lost(failed)),
    }
}

/// Waits for what `begin` begins, on a thread with a runtime of its own: for plain functions that may
/// be called on any thread, also on one that serves others.
///
/// # Errors
/// Those of the work, or the runtime cannot be made.
pub fn apart<T, F>(begin: impl FnOnce() -> F + Send) -> Result<T>
where
    T: Send,
    F: Future<Output = Result<T>>,
{
    let work = || {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Error::world(error.to_string()))?;
        runtime.block_on(begin())
    };
    thread::scope(|scope| match scope.spawn(work).join() {
        Ok(done) => done,
        Err(panic) => resume_unwind(panic),
    })
}
