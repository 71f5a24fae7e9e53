//! Rules for programs, which hold whatever a model or a program says: a [`Policy`], and a [`Guard`]
//! around a world that holds every call to it.
//!
//! A call is judged before the world sees it, by the places that it touches
//! ([`Domain::touches()`]). It may be made if each of these holds for every touch. The
//! first one that fails is the reason that is given:
//!
//! 1. The operation is one of the domain's. If it writes, deletes or shares, the call names a
//!    place at which it does so.
//! 2. The touch is a read, or the [`Mode`] is not read-only.
//! 3. The touch is a read, or its place is not protected. No rule lifts a protection.
//! 4. No rule denies it. If several do, the first is named.
//! 5. A rule allows it, or there is no allow rule for its kind of access. As soon as one
//!    allow rule is about reads (its `access` contains `read`, or is left out), only what an
//!    allow rule is about can be read; the same goes for writes, deletions and sharing.
//! 6. The program stays below every ceiling with it.
//!
//! Sharing (`share`) lets others see something, or sends it elsewhere. A rule that denies
//! writes denies it, too, and where allow rules limit writes, only a rule that is about
//! sharing allows it. A call that signs a link is judged twice: as sharing, and as the call
//! that the link lets anybody make. A link must not be valid for longer than `longest_link`.
//!
//! So a denial always wins over a permission, and the order of the rules decides only which
//! of them is named. A call with several touches is refused as a whole if one of them is
//! denied, and a refused call is not counted.
//!
//! A place is a path of segments. A rule's `paths` are globs of whole paths, its `containers`
//! and `names` are globs of the first segment and of the rest; `protected_containers` protects
//! by the first segment, `protected_paths` by the path of the place or of anything that
//! contains it, up to any `/`. Some parts have a second name for domains with buckets, such as S3: `buckets`,
//! `keys`, `protected_buckets` and those of four ceilings. Every domain reads both names, and
//! shows those that fit its words ([`Spelling`]).
//!
//! In a domain whose calls may change all that is below the place that they name
//! ([`Touches::reaches_below()`]), a write is also denied if something below its place is
//! protected, or denied by a rule: with `protected_paths = ["orders/1"]`, one to `orders` or to
//! the world as a whole. Anything may contain what `**/b` matches, so it denies every write
//! there, and `*/b` does not. A rule that allows is about the path of the place alone.
//!
//! [`Touches::reaches_below()`]: crate::domain::Touches::reaches_below
//!
//! What a call makes its environment do later ([`PlaceRole::Later`]) is judged as if the call did it,
//! at all that begins with the path: with `protected_paths = ["zoo/keep"]`, a lifecycle that
//! deletes `zoo/keep/a`, or all of `zoo`, is denied. A call may also change what it does not name
//! ([`Beside`]): then everything that is protected or denied may be among that.
//!
//! Where segments are single values ([`Touches::has_whole_segments()`]), a `/` within one is a
//! character like others: `items/*` is about the item `a/b`. A rule that denies is about it with
//! the `/` as a separator as well.
//!
//! To write to a container of somebody else is to share: the [`Guard`] asks a world whose a
//! container is if the policy has a rule about sharing ([`Touches::ownership()`]). What lets in no
//! others than the accounts in `own_accounts` does not share.
//!
//! [`PlaceRole::Later`]: crate::domain::PlaceRole::Later
//! [`Beside`]: crate::domain::Beside
//! [`Touches::has_whole_segments()`]: crate::domain::Touches::has_whole_segments
//! [`Touches::ownership()`]: crate::domain::Touches::ownership
//!
//! A *listing* reads the names of everything that begins with its prefix. A rule with
//! `names` or `paths` denies it if the rule denies any name that could be listed, and allows
//! it if the rule allows all of them. To let names be listed but not read, deny by
//! operation: `operations = ["get_object", "head_object", "copy_object"]`. *Listing the
//! outermost containers* touches the world as a whole, and rules with `containers`, `names` or
//! `paths` are not about that.
//!
//! Some S3 servers keep objects as files, so that `a//b`, `./a/b` and `c/../a/b` are the
//! same object as `a/b` there. Such names are judged in both readings, and both must be
//! allowed. A policy sees names, not what a name *refers to*: an access point of S3 may stand for
//! any bucket, so a write there is denied if any bucket is protected, or denied by a rule. Reads
//! are judged by the name of the access point: a policy that denies reading a bucket should deny
//! `buckets = ["arn:**", "*-s3alias"]`, too.

mod allowance;
mod amount;
mod ask_above;
mod ceiling;
mod denied;
mod glob;
mod guard;
mod idle;
mod judge;
mod lines;
mod mode;
mod owners;
mod paths;
mod raise;
mod reading;
mod rule;
mod spelling;

pub use allowance::Allowance;
pub use amount::read_size;
pub use ask_above::AskAbove;
pub use ceiling::{Ceiling, Ceilings, Count};
pub(crate) use denied::REFUSED;
pub use denied::{Denied, Why};
pub use glob::Glob;
pub use guard::Guard;
pub use idle::Idle;
pub(crate) use lines::Lines;
pub use mode::Mode;
pub use raise::{Raise, Raised, RaisedBy, Who};
pub use rule::{Rule, RuleEffect, Several};
pub use spelling::{Spelled, Spelling};

use crate::domain::{Access, Domain};
use crate::error::{Error, Result};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use std::cell::LazyCell;
use std::fmt;

/// The rules about what programs may do. They are read from TOML, and shown as TOML.
///
/// ```
/// use dialog2api::domain::{self, Value};
/// use dialog2api::policy::{Count, Policy};
///
/// let domain = domain::named("s3").ok_or("no such domain")?;
/// let policy = Policy::read(
///     r#"
///     version = 1
///     [[rule]]
///     name = "keep-the-logs"
///     effect = "deny"
///     access = ["write", "delete"]
///     paths = ["*/logs/**"]
///     "#,
/// )?;
/// policy.check(&domain)?;
/// let object = Value::Map(vec![
///     ("Bucket".into(), "zoo".into()),
///     ("Key".into(), "logs/monday.txt".into()),
/// ]);
/// let mut count = Count::default();
/// assert!(policy.judge(&domain, "get_object", &object, &mut count).is_ok());
/// let denied = policy.judge(&domain, "delete_object", &object, &mut count).unwrap_err();
/// assert_eq!(
///     denied.to_string(),
///     "The policy does not allow this: rule \"keep-the-logs\" denies delete_object on \
///      zoo/logs/monday.txt."
/// );
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// The version of the file's form: 1.
    pub version: u32,
    /// Whether programs write at all, and who is asked first.
    #[serde(default)]
    pub mode: Mode,
    /// Outermost containers that are neither changed nor deleted, nor anything in them.
    #[serde(rename = "protected_containers", alias = "protected_buckets")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub protected: Vec<Glob>,
    /// Paths of places at which nothing is written or deleted, nor anywhere below them. What
    /// contains them is not either, in domains where that would change them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub protected_paths: Vec<Glob>,
    /// The accounts that are one's own, beside that of the world: what is shared only with them is
    /// not shared. A number of 12 digits, or a canonical ID.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own_accounts: Vec<String>,
    /// How long a link may be valid that lets anybody who has it make a call: `"24h"`.
    #[serde(default = "amount::longest_link", with = "amount::time")]
    pub longest_link: SignedDuration,
    /// The rules that allow and deny, beyond the above.
    #[serde(default, rename = "rule", skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// How much one program may do.
    #[serde(default)]
    pub ceilings: Ceilings,
    /// How much one program may ask of a server before its user is asked.
    #[serde(default)]
    pub ask_above: AskAbove,
    /// The settings that may be raised during a dialogue. A file that does not name one forbids
    /// raising it.
    #[serde(default)]
    pub raise: Raise,
}

/// The only version that can be read.
const VERSION: u32 = 1;

impl Default for Policy {
    /// Writes are confirmed, the ceilings are those of [`Ceilings::default`], and the
    /// user may change both.
    fn default() -> Self {
        Policy {
            version: VERSION,
            mode: Mode::default(),
            protected: Vec::new(),
            protected_paths: Vec::new(),
            own_accounts: Vec::new(),
            longest_link: amount::longest_link(),
            rules: Vec::new(),
            ceilings: Ceilings::default(),
            ask_above: AskAbove::default(),
            raise: Raise {
                mode: Who::User,
                ceilings: Who::User,
                rules: Who::Nobody,
            },
        }
    }
}

impl Policy {
    /// Whether a call is judged by more than its operation: by the places that it names.
    pub fn is_about_places(&self) -> bool {
        let is_about = |rule: &Rule| rule.is_about_places();
        !self.protected.is_empty()
            || !self.protected_paths.is_empty()
            || self.rules.iter().any(is_about)
    }

    /// Whether sharing is judged otherwise than writing: it is denied, or not allowed where
    /// writes are.
    fn is_about_sharing(&self) -> bool {
        let named = |rule: &Rule, access| {
            let accesses = rule.access.as_ref().map(Several::list);
            accesses.is_some_and(|accesses| accesses.contains(&access))
        };
        let mut rules = self.rules.iter();
        rules.any(|rule| named(rule, Access::Share) || named(rule, Access::Write))
    }

    /// The policy that comes with a domain, or else the built-in one.
    ///
    /// # Errors
    /// The text of the domain's is wrong.
    pub fn of_domain(domain: &Domain) -> Result<Self> {
        let Some(text) = &domain.policy else {
            return Ok(Policy::default());
        };
        let policy = Policy::read(text).and_then(|policy| policy.check(domain).map(|()| policy));
        policy.map_err(|problem| Error::Content {
            path: "policy.toml".into(),
            problem,
        })
    }

    /// Reads a policy.
    ///
    /// # Errors
    /// A clause with the mistake, the line if it is known, and the expectation.
    pub fn read(text: &str) -> Result<Self, String> {
        let policy: Policy =
            toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        // Only a mistake needs the lines.
        let lines = LazyCell::new(|| Lines::of(text));
        let before = |line: Option<usize>| line.map_or(String::new(), |it| format!("line {it}: "));
        if policy.version != VERSION {
            return Err(format!(
                "{}it says version = {}, and this program knows version = {VERSION}",
                before(lines.version()),
                policy.version
            ));
        }
        if let Some(other) = policy.own_accounts.iter().find(|it| !is_account(it)) {
            return Err(format!(
                "own_accounts has {other:?}: an account is a number of 12 digits, in quotes, or a \
                 canonical ID of 64 hexadecimal digits"
            ));
        }
        for (index, rule) in policy.rules.iter().enumerate() {
            let line = before(lines.rule(index));
            if rule.name.trim().is_empty() || rule.name.chars().any(char::is_control) {
                let number = index + 1;
                return Err(format!(
                    "{line}rule {number} needs a name, on one line: it is what people are told"
                ));
            }
            let earlier = policy.rules.iter().take(index);
            if earlier.into_iter().any(|other| other.name == rule.name) {
                return Err(format!("{line}two rules have the name {:?}", rule.name));
            }
        }
        Ok(policy)
    }

    /// Checks that a domain has the operations that the rules name. A rule for an unknown
    /// operation would never apply.
    ///
    /// # Errors
    /// The first unknown operation, and the ones there are.
    pub fn check(&self, domain: &Domain) -> Result<(), String> {
        match self.unknown_operations(domain).next() {
            Some((_, _, problem)) => Err(problem),
            None => Ok(()),
        }
    }

    /// The operations of rules that a domain does not have: the number of the rule from 0,
    /// its glob, and a sentence.
    pub(crate) fn unknown_operations(
        &self,
        domain: &Domain,
    ) -> impl Iterator<Item = (usize, &Glob, String)> {
        let named = self.rules.iter().enumerate().flat_map(|(number, rule)| {
            let globs = rule.operations.as_ref().map(Several::list);
            let globs = globs.unwrap_or_default().iter();
            globs.map(move |glob| (number, rule, glob))
        });
        // Some calls are judged, and no program of this domain makes them.
        let is_unknown = |glob: &Glob| {
            let judged = domain.effects.restoring.iter().map(|call| &*call.name);
            let mut names = domain.operation_names().chain(judged);
            !names.any(|name| glob.matches(name))
        };
        let unknown = named.filter(move |(_, _, glob)| is_unknown(glob));
        unknown.map(|(number, rule, glob)| {
            let named = glob.to_string();
            let problem = format!(
                "rule {:?}: no operation is {named:?}; there are {}",
                rule.name,
                domain.operations_like(&named)
            );
            (number, glob, problem)
        })
    }
}

/// Whether a name is that of one account.
fn is_account(name: &str) -> bool {
    match name.len() {
        12 => name.bytes().all(|byte| byte.is_ascii_digit()),
        64 => name.bytes().all(|byte| byte.is_ascii_hexdigit()),
        _ => false,
    }
}

impl fmt::Display for Policy {
    /// The TOML that the policy can be read from, with every default written out, and the names
    /// that fit every domain: [`spelled`](Self::spelled) has those of one domain.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = toml::to_string(self).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}
