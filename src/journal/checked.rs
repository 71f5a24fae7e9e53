//! What the reply checks found, as the journal keeps it with a reply.

use crate::claims::Claim;
use serde::{Deserialize, Serialize};

/// What was found in a reply.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckedReply {
    /// The statements in doubt, with what decides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Claim>,
    /// Whether the text is not the model's but a plain account of what happened.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plain: bool,
}
