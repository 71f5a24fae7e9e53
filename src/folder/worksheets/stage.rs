//! The world of one run in the sandbox: a turn program, an action or a backend call.
//!
//! The sandbox is not trusted, so what code may do is decided here. A turn program reaches the
//! dialogue state alone. The owner's code reaches the operations of the backend, too.

use crate::domain::{Answer, Layer, Onward, Refusal, Value, World};
use crate::error::{Error, Result};
use async_trait::async_trait;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

/// A call that the driver of the turn answers.
pub struct Ask {
    pub operation: String,
    pub params: Value,
    pub answer: oneshot::Sender<Answer>,
}

/// The world of one run.
pub struct Stage {
    /// The world with the backend.
    pub world: Arc<dyn World>,
    /// The operations of the backend that the code may call.
    pub backend: Arc<BTreeSet<String>>,
    /// Where calls on the dialogue state go.
    pub asks: UnboundedSender<Ask>,
}

#[async_trait]
impl Layer for Stage {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        if self.backend.contains(operation) {
            return onward.call(operation, params).await;
        }
        let gone = || Error::world("the turn of this program is over");
        let (answer, answered) = oneshot::channel();
        let ask = Ask {
            operation: operation.to_owned(),
            params: params.clone(),
            answer,
        };
        self.asks.send(ask).map_err(|_| gone())?;
        answered.await.map_err(|_| gone())
    }
}

/// A refusal that becomes an exception of this class.
pub fn refusal(code: &str, message: impl Into<String>) -> Refusal {
    Refusal {
        code: code.to_owned(),
        message: message.into(),
        status: 400,
        details: Vec::new(),
    }
}
