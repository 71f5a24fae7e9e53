//! Reading ahead without an overlay: a write of the program ends it, since what was read may be
//! another one then.

use super::{Ahead, AheadLimits, is_read, question};
use crate::domain::{Answer, Layer, Onward, Value, World};
use crate::error::Result;
use async_trait::async_trait;
use std::sync::Arc;

/// A server for one program, which reads ahead for it.
pub struct ReadingAhead {
    world: Arc<dyn World>,
    ahead: Ahead,
}

impl ReadingAhead {
    /// Reads ahead in this world, within these limits.
    pub fn around(world: Arc<dyn World>, limits: AheadLimits) -> ReadingAhead {
        ReadingAhead {
            ahead: Ahead::new(world.clone(), limits),
            world,
        }
    }
}

#[async_trait]
impl Layer for ReadingAhead {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        if !is_read(operation) {
            self.ahead.forget();
            return onward.call(operation, params).await;
        }
        match self.ahead.take(&question(operation, params)).await {
            Some(answer) => Ok(answer),
            None => onward.call(operation, params).await,
        }
    }

    fn followed(
        &self,
        operation: &str,
        params: &Value,
        answer: &Value,
        may: &(dyn Fn(&str, &Value) -> bool + Sync),
    ) {
        let asks = |params| may(operation, &params).then_some(params);
        self.ahead.follow(operation, params, answer, &asks);
    }
}
