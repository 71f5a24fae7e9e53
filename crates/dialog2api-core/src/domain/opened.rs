//! A world that was opened, with what a session has to know about it.

use super::World;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A world, where its state lives, and what tells it from every other world.
#[derive(Clone)]
pub struct Opened {
    /// The world.
    pub world: Arc<dyn World>,
    /// Where its state lives.
    pub kind: WorldKind,
    /// The identity of the world, for people and for comparison: the name of a
    /// built-in world, the absolute path of a description or a folder, or a server with the
    /// account and the region. Two openings of one world have the same identity, whatever
    /// the working directory.
    pub identity: String,
    /// The folders of the user that programs may name beside the world: their absolute paths by
    /// the root of their [places](super::Place::root).
    pub folders: BTreeMap<String, String>,
}

/// Where the state of a world lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorldKind {
    /// In this process. A session that is resumed has to make its writes again.
    Memory,
    /// In a folder, which keeps every write.
    Disk,
    /// On a server. Reading all of it may be slow and cost money.
    Remote,
}
