//! A base that is asked each question once.

use super::base::text;
use super::kept::Kept;
use crate::ahead::{Ahead, is_passing, is_read, question};
use crate::domain::{Answer, Layer, Onward, Value, World};
use crate::error::Result;
use async_trait::async_trait;
use std::sync::Arc;

/// A base whose answers are kept.
pub(super) struct Asked {
    pub world: Arc<dyn World>,
    pub kept: Arc<Kept>,
    /// What is read before the program asks.
    pub ahead: Arc<Ahead>,
}

#[async_trait]
impl Layer for Asked {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        // Of an operation that is not known, nobody can say that it only reads.
        if !is_read(operation) {
            return onward.call(operation, params).await;
        }
        let question = question(operation, params);
        if let Some(answer) = self.kept.answer(&question) {
            return Ok(answer);
        }
        let answer = match self.ahead.take(&question).await {
            Some(answer) => answer,
            None => onward.call(operation, params).await?,
        };
        if let (Ok(page), Some(bucket)) = (&answer, text(params, "Bucket"))
            && matches!(operation, "list_objects" | "list_objects_v2")
        {
            let keys = page.get("Contents").and_then(Value::as_list);
            self.kept.expect_keys(keys.map_or(0, <[Value]>::len));
            (self.kept).of_bucket(bucket, |known| known.spans.note(params, page));
        }
        // A server that is busy may say something else the next time.
        if !is_passing(&answer) {
            self.kept.keep(question, &answer);
        }
        Ok(answer)
    }
}
