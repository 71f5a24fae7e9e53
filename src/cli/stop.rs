//! Signals that ask the process to stop.

use crate::error::{Error, Result};
use crate::eval::runner::RunStop;

/// Lets Ctrl-C end this process, even if whoever started it ignores that signal. A background job of a
/// shell script inherits that it is ignored, and so would everything here that says "Ctrl-C ends
/// it". It is asked for before anything else is done.
#[cfg(unix)]
#[allow(
    unsafe_code,
    reason = "the system has no other way to ask for a signal without a handler of one's own"
)]
pub fn hear_ctrl_c() {
    use nix::sys::signal::{SigHandler, Signal, signal};
    // SAFETY: no handler is installed, only the way of the system, and nothing else runs yet. Without
    // the right to ask for it, the signal stays as it was.
    let _ = unsafe { signal(Signal::SIGINT, SigHandler::SigDfl) };
}

/// Lets Ctrl-C end this process.
#[cfg(not(unix))]
pub fn hear_ctrl_c() {}

/// Ctrl-C, and the signal that job schedulers and containers send to end a process.
pub struct Signals {
    #[cfg(unix)]
    signals: [tokio::signal::unix::Signal; 2],
}

impl Signals {
    /// Catches the signals. From now on they do not end the process.
    #[cfg(unix)]
    pub fn new() -> Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let hear = |kind| signal(kind).map_err(Error::system("cannot wait for Ctrl-C"));
        Ok(Signals {
            signals: [
                hear(SignalKind::interrupt())?,
                hear(SignalKind::terminate())?,
            ],
        })
    }

    /// Waits for the next signal.
    #[cfg(unix)]
    pub async fn wait(&mut self) {
        let [interrupt, terminate] = &mut self.signals;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    }

    /// Catches the signals. From now on they do not end the process.
    #[cfg(not(unix))]
    pub fn new() -> Result<Self> {
        Ok(Signals {})
    }

    /// Waits for the next signal.
    #[cfg(not(unix))]
    pub async fn wait(&mut self) {
        // Without a signal handler there is nothing to wait for.
        let _ = tokio::signal::ctrl_c().await;
    }
}

/// Waits for a run. The first Ctrl-C stops it after what is under way, which `note` says; the second
/// one at once, and then there is no answer.
pub async fn until_stopped<T>(
    run: impl Future<Output = Result<T>>,
    stop: &RunStop,
    note: impl Fn(&str),
) -> Result<Option<T>> {
    let mut signals = Signals::new()?;
    tokio::pin!(run);
    loop {
        tokio::select! {
            biased;
            done = &mut run => return done.map(Some),
            () = signals.wait() => {
                if stop.is_stopped() {
                    return Ok(None);
                }
                stop.stop();
                note("Stopping after the turns under way. Ctrl-C again stops at once.");
            }
        }
    }
}
