//! A base that is asked each question once.

use super::base::text;
use super::kept::Kept;
use crate::domain::{Answer, Layer, Value, World};
use crate::error::Result;
use crate::{api, operations};
use async_trait::async_trait;
use std::sync::Arc;

/// A base whose answers are kept.
pub(super) struct Asked {
    pub world: Arc<dyn World>,
    pub kept: Arc<Kept>,
}

/// A call as a text.
pub(super) fn question(operation: &str, params: &Value) -> String {
    format!("{operation} {params:?}")
}

#[async_trait]
impl Layer for Asked {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value) -> Result<Answer> {
        // Of an operation that is not known, nobody can say that it only reads.
        if operations::writes(operation) || api::operation(operation).is_none() {
            return self.world.call(operation, params).await;
        }
        let question = question(operation, params);
        if let Some(answer) = self.kept.answer(&question) {
            return Ok(answer);
        }
        let answer = self.world.call(operation, params).await?;
        if let (Ok(page), Some(bucket)) = (&answer, text(params, "Bucket"))
            && matches!(operation, "list_objects" | "list_objects_v2")
        {
            let keys = page.get("Contents").and_then(Value::as_list);
            self.kept.expect_keys(keys.map_or(0, <[Value]>::len));
            (self.kept).of_bucket(bucket, |known| known.spans.note(params, page));
        }
        // A server that is busy may say something else the next time.
        let is_passing = |status: u16| matches!(status, 0 | 408 | 429 | 500..);
        if !answer
            .as_ref()
            .is_err_and(|refusal| is_passing(refusal.status))
        {
            self.kept.keep(question, &answer);
        }
        Ok(answer)
    }
}
