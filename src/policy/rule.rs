//! Rules: what is allowed and what is denied.

use super::Glob;
use crate::domain::{Access, Touch};
use serde::{Deserialize, Serialize};

/// What a rule does with what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// It may happen, as far as this rule goes.
    Allow,
    /// It may not, whatever other rules say.
    Deny,
}

/// One rule. It is about the touches that all of its parts are about, and a part that is
/// left out is about every touch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// What people and models are told that it was.
    pub name: String,
    /// What it does.
    pub effect: Effect,
    /// The operations: names, or globs such as `delete_*`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations: Option<Several<Glob>>,
    /// What is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<Several<Access>>,
    /// The containers. What names none, as listing the containers does, is not in any.
    #[serde(rename = "buckets")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub containers: Option<Several<Glob>>,
    /// The names in them. A container itself has no such name. A listing has all names
    /// that begin as it says: one that is denied denies it, and it is allowed where all
    /// are.
    #[serde(rename = "keys")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<Several<Glob>>,
}

/// A list that is not empty: one that is would mean nothing to some, all to others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<T>", into = "Vec<T>")]
#[serde(bound(serialize = "T: Serialize + Clone"))]
pub struct Several<T>(Vec<T>);

impl<T> TryFrom<Vec<T>> for Several<T> {
    type Error = &'static str;

    fn try_from(list: Vec<T>) -> Result<Self, Self::Error> {
        match list.is_empty() {
            true => Err("an empty list means nothing: leave it out to mean all"),
            false => Ok(Several(list)),
        }
    }
}

impl<T> From<Several<T>> for Vec<T> {
    fn from(several: Several<T>) -> Vec<T> {
        several.0
    }
}

impl<T> Several<T> {
    /// What is in it.
    pub fn list(&self) -> &[T] {
        &self.0
    }
}

/// Whether any of them is so; where there are none, everything is.
fn any<T>(several: Option<&Several<T>>, is: impl Fn(&T) -> bool) -> bool {
    several.is_none_or(|several| several.0.iter().any(is))
}

impl Rule {
    /// Whether it says anything of an access at all.
    pub fn speaks_of(&self, access: Access) -> bool {
        any(self.access.as_ref(), |known| *known == access)
    }

    /// Whether it is about a touch of an operation.
    pub fn is_about(&self, operation: &str, touch: &Touch) -> bool {
        let container = &touch.place.container;
        self.speaks_of(touch.access)
            && any(self.operations.as_ref(), |glob| glob.matches(operation))
            && any(self.containers.as_ref(), |glob| {
                !container.is_empty() && glob.matches(container)
            })
            && any(self.names.as_ref(), |glob| self.is_named(glob, touch))
    }

    fn is_named(&self, glob: &Glob, touch: &Touch) -> bool {
        let name = touch.place.name.as_deref();
        match (touch.prefix, self.effect) {
            (false, _) => name.is_some_and(|name| glob.matches(name)),
            (true, Effect::Deny) => glob.may_begin(name.unwrap_or_default()),
            (true, Effect::Allow) => glob.covers(name.unwrap_or_default()),
        }
    }
}
