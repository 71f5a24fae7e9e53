//! Things in a world, and what a call does to them: what policies and plans speak of.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A thing in a world: what holds it and what it is called there. For S3 a bucket and a
/// key; without a name it is the bucket itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// What holds the thing; empty for the world as a whole.
    pub container: String,
    /// The thing's name in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Place {
    /// What holds things.
    pub fn container(container: impl Into<String>) -> Self {
        Place {
            container: container.into(),
            name: None,
        }
    }

    /// A thing in a container.
    pub fn thing(container: impl Into<String>, name: impl Into<String>) -> Self {
        Place {
            container: container.into(),
            name: Some(name.into()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{}/{name}", self.container),
            None => write!(f, "{}/", self.container),
        }
    }
}

/// What a call does to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Looks at it.
    Read,
    /// Makes it, or gives it another content.
    Write,
    /// Takes it away.
    Delete,
}

/// A place that a call names, and what the call does to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch {
    /// What is done.
    pub access: Access,
    /// To what. A listing touches what lists: the container, or where it is narrowed to
    /// names that begin alike, these first letters as the name.
    pub place: Place,
    /// Whether it is a listing: the name is only how names begin, and without one every
    /// name begins so.
    pub prefix: bool,
    /// The bytes that the call itself brings; those of a copy are not known before.
    pub bytes: u64,
}

/// What tells the state of a place: equal marks, equal states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Tells contents apart. For an S3 object its ETag without quotes; for a bucket a word.
    pub tag: String,
    /// The content's bytes.
    pub size: u64,
    /// The version, where the world keeps old ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

impl Mark {
    /// Whether two looks at a place saw the same content there. Versions do not count:
    /// the same content may be written again.
    pub fn same(one: Option<&Mark>, other: Option<&Mark>) -> bool {
        match (one, other) {
            (None, None) => true,
            (Some(one), Some(other)) => one.tag == other.tag && one.size == other.size,
            _ => false,
        }
    }
}
