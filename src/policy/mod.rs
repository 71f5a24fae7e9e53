//! What may happen, whatever a model or a program says: a [`Policy`], and a [`Guard`]
//! around a world that holds every call to it.
//!
//! A call is judged by the places that it touches
//! ([`Domain::touches`]), before the world sees it. It
//! may happen when each of these holds for every touch, in this order of telling:
//!
//! 1. It is an operation of the domain.
//! 2. The [`Mode`] is not read-only, or the touch is a read.
//! 3. The touch is a read, or its container is not protected. No rule lifts that.
//! 4. No rule denies it. The first of several is named.
//! 5. Some rule allows it, or no allow rule speaks of such an access: as soon as one
//!    allow rule is about reads (its `access` has `read`, or is left out), what no allow
//!    rule is about is not to be read; the same for writes and deletions.
//! 6. No ceiling is passed with it.
//!
//! So a denial always wins over a permission, and the order of the rules matters for
//! nothing but which is named. A call that touches several things is refused as a whole
//! for one of them, and a call that is refused counts for nothing.
//!
//! A *listing* reads the names of all that begins as it says. A rule with `keys` denies
//! it where one of them might be shown, and allows it where it allows every one. What is
//! to be listed but not read is denied by operation: `operations = ["get_object",
//! "head_object", "copy_object"]`. *Listing the containers* touches the world as a whole,
//! which rules with `buckets` are not about.
//!
//! Some S3 servers keep objects as files, so that `a//b`, `./a/b` and `c/../a/b` are
//! there the same object as `a/b`. Such names are judged in both readings, and each must
//! be allowed. What a name *stands for* is not seen: an access point of S3 is judged by
//! its own name, so that a policy for accounts that have some denies
//! `buckets = ["arn:**", "*-s3alias"]`.

mod amount;
mod ceiling;
mod denied;
mod glob;
mod guard;
mod judge;
mod mode;
mod raise;
mod reading;
mod rule;

pub use amount::read_size;
pub use ceiling::{Ceiling, Ceilings, Count};
pub use denied::{Denied, Why};
pub use glob::Glob;
pub use guard::Guard;
pub use mode::Mode;
pub use raise::{By, Raise, Raised, Who};
pub use rule::{Effect, Rule, Several};

use crate::domain::Domain;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What may happen. Read from TOML, and shown as such.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// The version of the form: 1.
    pub version: u32,
    /// Whether anything is written at all, and who is asked before.
    #[serde(default)]
    pub mode: Mode,
    /// Containers in which nothing is written or deleted, and which are not deleted.
    #[serde(rename = "protected_buckets")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub protected: Vec<Glob>,
    /// What is allowed and what is denied.
    #[serde(default, rename = "rule", skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// How much one program may do.
    #[serde(default)]
    pub ceilings: Ceilings,
    /// What may be raised while a dialogue is under way. In a file nothing that it does
    /// not name.
    #[serde(default)]
    pub raise: Raise,
}

/// The only version of the form.
const VERSION: u32 = 1;

impl Default for Policy {
    /// Writes are confirmed, the ceilings are those of [`Ceilings::default`], and the
    /// person at the terminal may change both.
    fn default() -> Self {
        Policy {
            version: VERSION,
            mode: Mode::default(),
            protected: Vec::new(),
            rules: Vec::new(),
            ceilings: Ceilings::default(),
            raise: Raise {
                mode: Who::User,
                ceilings: Who::User,
                rules: Who::Nobody,
            },
        }
    }
}

impl Policy {
    /// Reads a policy.
    ///
    /// # Errors
    /// What is wrong, in which line where there is one, and what there could be.
    pub fn read(text: &str) -> Result<Self, String> {
        let policy: Policy =
            toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        if policy.version != VERSION {
            return Err(format!(
                "it says version = {}, and this program knows version = {VERSION}",
                policy.version
            ));
        }
        for (index, rule) in policy.rules.iter().enumerate() {
            if rule.name.trim().is_empty() || rule.name.chars().any(char::is_control) {
                let number = index + 1;
                return Err(format!(
                    "rule {number} needs a name, on one line: it is what people are told"
                ));
            }
            let earlier = policy.rules.iter().take(index);
            if earlier.into_iter().any(|other| other.name == rule.name) {
                return Err(format!("two rules have the name {:?}", rule.name));
            }
        }
        Ok(policy)
    }

    /// Whether the operations that its rules name are ones of a domain: one that is not
    /// would make a rule that is about nothing.
    ///
    /// # Errors
    /// The first that is not, and what there is.
    pub fn check(&self, domain: &Domain) -> Result<(), String> {
        for rule in &self.rules {
            let globs = rule.operations.as_ref().map(Several::list);
            for glob in globs.unwrap_or_default() {
                let operations: Vec<&str> = domain.operation_names().collect();
                if !operations.iter().any(|operation| glob.matches(operation)) {
                    return Err(format!(
                        "rule {:?}: no operation is {:?}; there are {}",
                        rule.name,
                        glob.to_string(),
                        operations.join(", ")
                    ));
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Policy {
    /// The TOML that it is read from, with everything in it that was left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = toml::to_string(self).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}
