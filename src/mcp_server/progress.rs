//! What a client is told while it waits for the sandbox. A first preparation takes about a minute, and
//! clients give up after half of one of which they hear nothing.

use super::Inner;
use crate::error::Result;
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use std::pin::pin;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// What it is told.
const SAID: &str = "The sandbox is being prepared. That is done once, and takes about a minute.";

impl Inner {
    /// Waits until programs can run. A client that wants to hear of progress does meanwhile.
    pub async fn prepared(&self, context: &RequestContext<RoleServer>) -> Result<()> {
        let begun = Instant::now();
        let mut sandbox = pin!(self.parts.host.sandbox());
        loop {
            tokio::select! {
                biased;
                sandbox = &mut sandbox => return sandbox.map(drop),
                () = sleep(self.parts.told_every) => tell(context, begun.elapsed()).await,
            }
        }
    }
}

async fn tell(context: &RequestContext<RoleServer>, waited: Duration) {
    let Some(token) = context.meta.get_progress_token() else {
        return;
    };
    let progress = ProgressNotificationParam::new(token, waited.as_secs_f64());
    let progress = progress.with_message(SAID);
    // Whoever does not listen any more is told by the answer.
    let _ = context.peer.notify_progress(progress).await;
}
