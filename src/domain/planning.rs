//! What a domain knows of planning writes, carrying them out, and taking them back. What
//! is made of it is in [`plan`](crate::plan).

use super::{Mark, Place, Refusal, Value, World};
use crate::error::Result;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

/// One write, with what it depends on: a call, and what was seen at every place that it
/// touches.
#[derive(Debug, Clone, PartialEq)]
pub struct Write {
    /// The operation.
    pub operation: String,
    /// Its parameters.
    pub params: Value,
    /// The places that it changes or depends on, each once.
    pub touched: Vec<Touched>,
}

/// A place that a write changes or depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touched {
    /// The place.
    pub place: Place,
    /// What was there before the write, the plan's earlier writes included.
    pub before: Option<Mark>,
    /// What it leaves there, as far as can be told before. Equal to `before` for what is
    /// only depended on, such as the source of a copy.
    pub after: Option<Mark>,
    /// Whether the write changes the place, and does not only depend on it.
    pub changed: bool,
}

impl Touched {
    /// Whether a content that was there is gone after the write.
    pub fn destroys(&self) -> bool {
        self.changed
            && self.before.is_some()
            && !Mark::same(self.before.as_ref(), self.after.as_ref())
    }
}

/// What was at a place: enough to bring it back.
#[derive(Debug, Clone, PartialEq)]
pub enum Image {
    /// Nothing was there.
    Nothing,
    /// A call that makes it again, with all that it held.
    Call {
        /// The operation.
        operation: String,
        /// The parameters, with the content.
        params: Value,
    },
    /// It cannot be brought back, and why: a clause that follows "because".
    Lost(String),
}

/// What a domain knows of planning writes, carrying them out, and taking them back.
#[async_trait]
pub trait Planning: Send + Sync {
    /// Looks at places: what is at each now, if anything, in their order.
    ///
    /// # Errors
    /// The world's, also when it refuses to be looked at.
    async fn marks(&self, world: &dyn World, places: &[&Place]) -> Result<Vec<Option<Mark>>>;

    /// What a write that was answered well has left at each place that it touches, in the
    /// order of [`Write::touched`]: as planned, but for what only the answer tells. A refusal
    /// where the answer says that a part of the write was refused.
    fn left(&self, write: &Write, answer: &Value) -> Result<Vec<Option<Mark>>, Refusal>;

    /// The parameters of a write, so that a world that can do it refuses the call where a
    /// place is not as `before` says (in the order of [`Write::touched`]).
    fn guarded(&self, write: &Write, before: &[Option<Mark>]) -> Value;

    /// Whether what is at a place has the content that a write was to give it: asked where
    /// it is not known whether the write was carried out, and marks alone do not tell.
    ///
    /// # Errors
    /// The world's.
    async fn holds(&self, world: &dyn World, write: &Write, place: &Place) -> Result<bool>;

    /// What is at a place, to be kept before a write destroys it: its content of at most
    /// `most_bytes`, or where an old version of it stays.
    ///
    /// # Errors
    /// The world's.
    async fn image(&self, world: &dyn World, place: &Place, most_bytes: u64) -> Result<Image>;

    /// The call that takes away what is at a place.
    fn removal(&self, place: &Place) -> (String, Value);
}
