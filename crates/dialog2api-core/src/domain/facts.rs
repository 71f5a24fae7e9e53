//! What replies are checked by.

use super::World;
use crate::error::Result;
use async_trait::async_trait;
use indexmap::IndexMap;

/// A row: the text of each slot. A slot without a text is unknown.
pub type Row = IndexMap<String, String>;

/// The rows that replies are checked by, and what they have.
#[async_trait]
pub trait Facts: Send + Sync {
    /// The slots of the rows and the words for them, in the form that `dialog2api claims --schema`
    /// takes.
    fn schema(&self) -> &str;

    /// The rows that `words` may be about, as the world has them now. `words` are the reply and
    /// the utterances before it: they say which part of a large world has to be read.
    ///
    /// # Errors
    /// The world's. A world that refuses to be read has no rows.
    async fn rows(&self, world: &dyn World, words: &str) -> Result<Vec<Row>>;
}
