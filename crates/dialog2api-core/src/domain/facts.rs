//! What replies are checked by.

use super::World;
use crate::error::Result;
use async_trait::async_trait;
use indexmap::IndexMap;

/// A row: slot to text. What it has no text for is not known.
pub type Row = IndexMap<String, String>;

/// The rows that replies are checked by, and what they have.
#[async_trait]
pub trait Facts: Send + Sync {
    /// The slots of the rows and the words for them, in the form that `dialog2api claims --schema`
    /// takes.
    fn schema(&self) -> &str;

    /// The rows as a world has them now: all that these words may be about. They are the reply and
    /// what it answers to, so that a world that is large or far away need not be read as a whole.
    ///
    /// # Errors
    /// The world's. A world that refuses to be read has no rows.
    async fn rows(&self, world: &dyn World, words: &str) -> Result<Vec<Row>>;
}
