//! The contents of worlds: to show, compare, copy and empty them.

use super::World;
use crate::error::Result;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt;

/// The part of a domain that reads and replaces what worlds hold.
///
/// A summary is owned JSON, in the form that `world show --json` prints. Only the domain
/// knows its form; everybody else keeps it, compares it by [`changes`](Self::changes) and
/// shows it by [`entries`](Self::entries).
#[async_trait]
pub trait Contents: Send + Sync {
    /// Reads what a world holds.
    ///
    /// # Errors
    /// The world's, also when it refuses to be read.
    async fn summary(&self, world: &dyn World) -> Result<Json>;

    /// The changes that lead from one summary to a later one, in the order of the things.
    ///
    /// # Errors
    /// One of them is no summary of this domain.
    fn changes(&self, before: &Json, after: &Json) -> Result<Vec<Change>>;

    /// A summary for people: containers, each followed by the things in it.
    ///
    /// # Errors
    /// It is no summary of this domain.
    fn entries(&self, summary: &Json) -> Result<Vec<ContentEntry>>;

    /// The words for an empty world: for S3 "no buckets".
    fn nothing(&self) -> &str {
        "nothing"
    }

    /// How many things of each kind a summary has: `buckets`, `objects`.
    ///
    /// # Errors
    /// It is no summary of this domain.
    fn counts(&self, summary: &Json) -> Result<BTreeMap<String, usize>>;

    /// Names the largest things that a world has (for S3: its buckets). Empty exactly for
    /// an empty world.
    ///
    /// # Errors
    /// The world's, also when it refuses to be read.
    async fn holdings(&self, world: &dyn World) -> Result<Vec<String>>;

    /// Makes `into` hold the same as `from`, whatever was there before; the two may be of
    /// different backends. A failure can leave a part of it done.
    ///
    /// # Errors
    /// Those of both worlds, also when one of them refuses a call.
    async fn restore(&self, from: &dyn World, into: &dyn World) -> Result<()>;

    /// Removes everything that a world holds.
    ///
    /// # Errors
    /// The world's, also when it refuses a call. A part may be gone then.
    async fn clear(&self, world: &dyn World) -> Result<()>;

    /// How the second world differs from the first, for people: one line for each
    /// difference that their signatures see.
    ///
    /// # Errors
    /// A world's own.
    async fn difference(&self, one: &dyn World, other: &dyn World) -> Result<Vec<String>> {
        let (one, other) = (self.summary(one).await?, self.summary(other).await?);
        let changes = self.changes(&one, &other)?.into_iter();
        let seen = changes.filter(|change| !change.keeps_state);
        Ok(seen.map(|change| change.line).collect())
    }
}

/// The net effect on one thing of a world, not how it came about. `Display` gives its line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The kind of change.
    pub kind: ChangeKind,
    /// One line for people, without control characters: `+ bucket/key (5 bytes)`.
    pub line: String,
    /// Whether the world's signature is the same before and after, as when the same
    /// content was written again.
    pub keeps_state: bool,
    /// The change for programs, in the domain's own form.
    pub details: Json,
}

/// The kinds of changes to a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// It was not there before.
    Created,
    /// It was written again, with the same content or another.
    Overwritten,
    /// It is gone.
    Deleted,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line)
    }
}

/// One line of what a world holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContentEntry {
    /// Whether it is a container. The things in it follow.
    pub is_container: bool,
    /// The name, as the world has it: it can hold any character.
    pub name: String,
    /// A remark about it: for a container of S3 its region and the number of objects,
    /// for an object its size.
    pub about: String,
}
