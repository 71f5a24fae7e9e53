//! The mode: whether programs write, and who is asked first.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Whether programs write at all, and who is asked first. Later variants allow more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Nothing is written or deleted.
    ReadOnly,
    /// The user sees what a program would write and is asked. The overseer of the agent
    /// does that; the guard refuses no call for it.
    #[default]
    Confirm,
    /// Programs write whatever the rest of the policy allows.
    Auto,
}

impl Mode {
    /// The name in a policy.
    pub fn name(self) -> &'static str {
        match self {
            Mode::ReadOnly => "read-only",
            Mode::Confirm => "confirm",
            Mode::Auto => "auto",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Mode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let modes = [Mode::ReadOnly, Mode::Confirm, Mode::Auto];
        let known = modes.into_iter().find(|mode| mode.name() == text);
        known.ok_or_else(|| {
            format!("there is no mode {text:?}: there are read-only, confirm and auto")
        })
    }
}
