//! Changes of a policy during a dialogue.

use super::{Ceiling, Mode, Policy, RuleEffect, Spelling};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Who may make a policy allow more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Who {
    /// Nobody: only another policy file can.
    #[default]
    Nobody,
    /// The user, by a command. Never a model or a program.
    User,
}

/// Who may raise what. Protections can never be lifted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Raise {
    /// The mode.
    pub mode: Who,
    /// The ceilings.
    pub ceilings: Who,
    /// Lifting rules that deny.
    pub rules: Who,
}

/// Who requests a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RaisedBy {
    /// The user, by a command.
    User,
    /// A model, a program, or what they read.
    Program,
}

/// A change: `mode read-only`, `bytes_written 2 GiB`, `lift no-finance`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Raised {
    /// Sets the mode.
    Mode(Mode),
    /// Sets a ceiling; `None` is unlimited.
    Ceiling(Ceiling, Option<u64>),
    /// Removes the rule of this name, which denies.
    Lift(String),
}

impl FromStr for Raised {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Raised::read(text, Spelling::default())
    }
}

impl Raised {
    /// Reads a change. A ceiling may have any of its names; a mistake is told with those of the
    /// spelling.
    ///
    /// # Errors
    /// A sentence about the mistake.
    pub fn read(text: &str, spelling: Spelling) -> Result<Self, String> {
        let text = text.trim();
        let (what, to) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let to = to.trim();
        let is_name = |name: &str| name == what || Spelling::Buckets.name(name) == what;
        let ceiling = || Ceiling::ALL.into_iter().find(|known| is_name(known.name()));
        match what {
            "mode" => Ok(Raised::Mode(to.parse()?)),
            "lift" if !to.is_empty() => Ok(Raised::Lift(to.trim_matches('"').to_owned())),
            "lift" => Err("lift needs the name of a rule".to_owned()),
            _ => match ceiling() {
                Some(ceiling) => Ok(Raised::Ceiling(ceiling, ceiling.read(to)?)),
                None => Err(format!(
                    "{what:?} is nothing that can be changed; there are mode, {} and lift",
                    Ceiling::ALL.map(|it| spelling.name(it.name())).join(", ")
                )),
            },
        }
    }
}

impl Policy {
    /// The policy after a change. A change that allows less is always possible.
    ///
    /// # Errors
    /// Why the change is not possible: a sentence.
    pub fn raised(&self, to: &Raised, by: RaisedBy) -> Result<Policy, String> {
        let mut policy = self.clone();
        let (what, who, lower) = match to {
            Raised::Mode(mode) => {
                policy.mode = *mode;
                ("the mode", self.raise.mode, *mode <= self.mode)
            }
            Raised::Ceiling(ceiling, most) => {
                *policy.ceilings.get_mut(*ceiling) = *most;
                let before = self.ceilings.get(*ceiling).unwrap_or(u64::MAX);
                let lower = most.unwrap_or(u64::MAX) <= before;
                ("the ceilings", self.raise.ceilings, lower)
            }
            Raised::Lift(name) => {
                let found = self.rules.iter().find(|rule| rule.name == *name);
                match found.map(|rule| rule.effect) {
                    None => return Err(format!("The policy has no rule {name:?}.")),
                    Some(RuleEffect::Allow) => {
                        return Err(format!("Rule {name:?} allows: there is nothing to lift."));
                    }
                    Some(RuleEffect::Deny) => {}
                }
                policy.rules.retain(|rule| rule.name != *name);
                ("the rules", self.raise.rules, false)
            }
        };
        match (lower, who, by) {
            (true, _, _) | (false, Who::User, RaisedBy::User) => Ok(policy),
            (false, Who::User, RaisedBy::Program) => Err(format!(
                "Only the person at the terminal may raise {what}, by the command /policy."
            )),
            (false, Who::Nobody, _) => Err(format!(
                "The policy lets nobody raise {what}: see `raise` in it."
            )),
        }
    }
}
