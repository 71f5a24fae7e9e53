//! Signals that ask the process to stop.

use crate::error::{Error, Result};

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
        let hear = |kind| {
            signal(kind).map_err(|error| Error::World(format!("cannot wait for Ctrl-C: {error}")))
        };
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
