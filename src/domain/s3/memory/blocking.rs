//! Moves long work off the threads that answer everybody else.

use crate::error::{Error, Result};
use std::panic::resume_unwind;
use tokio::runtime::Handle;

/// Work on at most so many bytes is done in place.
///
/// The checksums of an object take roughly 3 ns a byte, so 64 KiB are some 0.2 ms: about
/// as long as a task may hold its thread. Another thread costs some 20 µs, which a small
/// object would notice and a large one does not.
pub const IN_PLACE: usize = 64 << 10;

/// Does `work` on so many bytes: in place where they are few, else on a thread for such
/// work, while the caller's thread serves others.
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

/// Does `work` that waits, for a disk say, on a thread for such work. Without a runtime it
/// is done in place.
///
/// # Errors
/// The runtime is shutting down, so that the work was not done.
pub async fn waiting<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let Ok(runtime) = Handle::try_current() else {
        return Ok(work());
    };
    match runtime.spawn_blocking(work).await {
        Ok(done) => Ok(done),
        Err(failed) => match failed.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(_) => Err(Error::World("the program is shutting down".to_owned())),
        },
    }
}
