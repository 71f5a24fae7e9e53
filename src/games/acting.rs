//! How a model plays a seat that proposes.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How a model plays a seat that proposes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Acting {
    /// It notes facts by literal calls; code asks and proposes
    #[default]
    Calls,
    /// It writes a program each turn, which runs in the sandbox, and the words of its reply
    Programs,
}

impl Acting {
    /// Whether it is the way of runs that do not say it.
    pub fn is_usual(&self) -> bool {
        *self == Acting::default()
    }
}

impl fmt::Display for Acting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Acting::Calls => "calls",
            Acting::Programs => "programs",
        })
    }
}
