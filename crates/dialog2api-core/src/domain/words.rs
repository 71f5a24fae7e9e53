//! The nouns of a domain for its containers and records.

use super::Text;
use serde::{Deserialize, Serialize};

/// The nouns of a domain for its containers and for the records in them. Plans and policies
/// are shown in these words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Words {
    /// One outermost container: for S3 `bucket`.
    pub container: Text,
    /// Several of them: `buckets`.
    pub containers: Text,
    /// One thing in a container: for S3 `object`.
    pub record: Text,
    /// Several of them: `objects`.
    pub records: Text,
}

impl Default for Words {
    fn default() -> Self {
        Words {
            container: "container".into(),
            containers: "containers".into(),
            record: "record".into(),
            records: "records".into(),
        }
    }
}
