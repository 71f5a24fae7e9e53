//! The names of the parts of a policy. Some parts have a second name, for domains that speak
//! of buckets.

use super::Policy;
use crate::domain::Words;
use serde_json::Value;
use std::fmt;

/// The names that a policy has for its parts. Every domain reads all of them, and shows those
/// that fit its words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Spelling {
    /// The names that fit every domain: `containers_created`.
    #[default]
    Common,
    /// The names for domains whose containers are buckets with objects: `buckets_created`.
    Buckets,
}

/// The parts with two names: the common one, and that for domains with buckets. The second is
/// an alias of the field that is read.
const NAMES: &[(&str, &str)] = &[
    ("protected_containers", "protected_buckets"),
    ("containers", "buckets"),
    ("names", "keys"),
    ("records_written", "objects_written"),
    ("records_deleted", "objects_deleted"),
    ("containers_created", "buckets_created"),
    ("containers_deleted", "buckets_deleted"),
];

impl Spelling {
    /// The spelling for a domain with these words.
    pub fn of(words: &Words) -> Self {
        if words.containers == "buckets" && words.records == "objects" {
            Spelling::Buckets
        } else {
            Spelling::Common
        }
    }

    /// The name of the part that has this common name.
    pub fn name(self, common: &str) -> &str {
        let second = NAMES.iter().find(|(name, _)| *name == common);
        match (self, second) {
            (Spelling::Buckets, Some((_, name))) => name,
            _ => common,
        }
    }

    /// The same value with the names of this spelling. Every name in it is that of a part.
    fn spell(self, value: Value) -> Value {
        match value {
            Value::Object(parts) => {
                let spelled = parts
                    .into_iter()
                    .map(|(name, value)| (self.name(&name).to_owned(), self.spell(value)));
                Value::Object(spelled.collect())
            }
            Value::Array(items) => {
                Value::Array(items.into_iter().map(|item| self.spell(item)).collect())
            }
            value => value,
        }
    }
}

/// A policy with the names of a spelling. `Display` gives its TOML.
pub struct Spelled<'a> {
    policy: &'a Policy,
    spelling: Spelling,
}

impl Policy {
    /// The policy as a domain with these words shows it.
    pub fn spelled(&self, words: &Words) -> Spelled<'_> {
        Spelled {
            policy: self,
            spelling: Spelling::of(words),
        }
    }
}

impl fmt::Display for Spelled<'_> {
    /// The TOML that the policy can be read from, with every default written out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Objects of JSON keep the order of their fields here.
        let policy = serde_json::to_value(self.policy).map_err(|_| fmt::Error)?;
        let text = toml::to_string(&self.spelling.spell(policy)).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}
