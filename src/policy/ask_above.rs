//! When the user is asked before a program goes on reading from a server.

use super::amount;
use crate::domain::Spent;
use serde::{Deserialize, Serialize};

/// How much one program may ask of a world on a server before its user is asked whether it
/// goes on; `None` is never. Ceilings refuse, these only ask: what a program would read is not
/// known before, and stopping it at some number would be wrong as often as right.
///
/// A world in memory or in a folder costs nothing, and nobody is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AskAbove {
    /// [`Spent::requests`]
    #[serde(with = "amount::count")]
    pub requests: Option<u64>,
    /// [`Spent::names_listed`]
    #[serde(with = "amount::count")]
    pub names_listed: Option<u64>,
    /// [`Spent::bytes_read`]
    #[serde(with = "amount::size")]
    pub bytes_read: Option<u64>,
}

impl Default for AskAbove {
    /// Fifty pages of a listing, or what comes to about as much time.
    fn default() -> Self {
        AskAbove {
            requests: Some(2_000),
            names_listed: Some(50_000),
            bytes_read: Some(100 << 20),
        }
    }
}

impl AskAbove {
    /// Nobody is ever asked.
    pub const NEVER: AskAbove = AskAbove {
        requests: None,
        names_listed: None,
        bytes_read: None,
    };

    /// Whether this much is a reason to ask.
    pub fn is_reached(&self, spent: Spent) -> bool {
        let reached = |most: Option<u64>, so_far| most.is_some_and(|most| so_far >= most);
        reached(self.requests, spent.requests)
            || reached(self.names_listed, spent.names_listed)
            || reached(self.bytes_read, spent.bytes_read)
    }

    /// The same limits, each multiplied by `factor`.
    #[must_use]
    pub fn times(self, factor: u64) -> AskAbove {
        let times = |most: Option<u64>| most.map(|most| most.saturating_mul(factor));
        AskAbove {
            requests: times(self.requests),
            names_listed: times(self.names_listed),
            bytes_read: times(self.bytes_read),
        }
    }
}
