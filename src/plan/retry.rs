//! Reads that are tried again while the world does not answer.

use super::Patience;
use super::write::is_passing;
use crate::domain::{Answer, Layer, Onward, Value, World};
use crate::error::Result;
use async_trait::async_trait;

/// A world that is asked again while it does not answer. Only for reads: a write that was
/// not answered may have been made.
pub(super) struct Retrying<'a> {
    pub world: &'a dyn World,
    pub patience: Patience,
}

#[async_trait]
impl Layer for Retrying<'_> {
    fn under(&self) -> &dyn World {
        self.world
    }

    /// An apply looks at the world itself: what listings have told may be old.
    async fn told(&self, _operation: &str, _params: &Value) -> Result<Option<Answer>> {
        Ok(None)
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        let mut wait = self.patience.first_wait;
        for _ in 1..self.patience.attempts {
            let answer = onward.call(operation, params).await;
            let is_in_vain = match &answer {
                Ok(Ok(_)) => false,
                Ok(Err(refusal)) => is_passing(refusal),
                Err(_) => true,
            };
            if !is_in_vain {
                return answer;
            }
            tokio::time::sleep(wait).await;
            wait *= 2;
        }
        onward.call(operation, params).await
    }
}
