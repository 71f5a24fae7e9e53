//! Who is let in by a call, or gets what it sends: the one place that says so, for policies
//! (`share`) and for the marks of plans.
//!
//! A call is known by its parameters alone, so what they do not say counts as somebody: a
//! policy that cannot be read, an access list with an unknown name. Only the account of the
//! embedded store is known as one's own. On a server, naming one's own account lets in an account,
//! unless a policy names it in `own_accounts`.
//!
//! - `policy.rs`: the statements of a bucket policy; `condition.rs`: what narrows them
//! - `grants.rs`: access lists
//! - `elsewhere.rs`: settings that send things to other places
//! - `own.rs`: accounts that are one's own, too
//! - `newly.rs`: whether that is more than before
//! - `keys.rs`: keys of other accounts that what is written is encrypted with

mod condition;
mod elsewhere;
mod grants;
mod keys;
mod newly;
mod own;
mod policy;

pub(super) use elsewhere::{destinations, prefix};
pub(super) use newly::shares as shares_more;
pub(super) use own::accounts;
pub(super) use policy::{DOCUMENT_BYTES, of_statement, shared_by};

use super::links;
use super::memory::answer::{ACCOUNT, OWNER_ID};
use crate::domain::Value;
use std::fmt;

/// Somebody who is let in, or a place that gets what is sent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Party {
    /// One's own account.
    Own,
    /// Everybody, or everybody with an account.
    Public,
    /// An account or one of its users, by the name that the call has for it.
    Account(String),
    /// All accounts of an organisation.
    Organisation(String),
    /// Whoever is in a network.
    Network(String),
    /// A service of Amazon, or a provider of identities.
    Service(String),
    /// Web pages of this origin, in the browsers of people who are let in.
    Origin(String),
    /// A place that gets what is sent: a bucket, a queue.
    Place(String),
    /// The account that owns the key with which S3 encrypts, and that can read or refuse it.
    Key(String),
    /// Whoever has a link.
    Bearer,
    /// Somebody whom the call does not name: a clause that says who it may be.
    Unknown(&'static str),
}

impl Party {
    /// An account, by its number, the ARN of one of its users, or its canonical ID.
    fn account(name: &str) -> Party {
        let number = match name.strip_prefix("arn:") {
            Some(rest) => rest.split(':').nth(3).unwrap_or_default(),
            None => name,
        };
        match number == ACCOUNT || name == OWNER_ID {
            true => Party::Own,
            false => Party::Account(name.to_owned()),
        }
    }

    /// The account of a key, by the ARN of the key. A name without an account is one's own.
    fn key(name: &str) -> Option<Party> {
        let is_arn = name.starts_with("arn:");
        is_arn.then(|| match Party::account(name) {
            Party::Own => Party::Own,
            _ => Party::Key(name.to_owned()),
        })
    }

    /// Whether it is somebody else.
    pub fn is_other(&self) -> bool {
        *self != Party::Own
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Party::Own => f.write_str("your own account"),
            Party::Public => f.write_str("everybody"),
            Party::Account(name) => write!(f, "the account {name}"),
            Party::Organisation(name) => write!(f, "the organisation {name}"),
            Party::Network(name) => write!(f, "the network {name}"),
            Party::Service(name) => write!(f, "the service {name}"),
            Party::Origin(name) => write!(f, "web pages of {name}"),
            Party::Place(name) => f.write_str(name),
            Party::Key(name) => write!(f, "the account of the key {name}"),
            Party::Bearer => f.write_str("whoever has the link"),
            Party::Unknown(who) => f.write_str(who),
        }
    }
}

/// Who is let in by a call, or gets what it sends, each once: everybody first.
pub fn who_is_let_in(operation: &str, params: &Value) -> Vec<Party> {
    let mut found = grants::of_call(params);
    if operation == "put_bucket_policy" {
        let text = params.get("Policy").and_then(Value::as_str);
        found.extend(text.into_iter().flat_map(policy::of_text));
    }
    found.extend(elsewhere::of_call(operation, params));
    found.extend(keys::of_call(operation, params));
    if links::describing(operation).is_some() {
        found.push(Party::Bearer);
    }
    found.sort();
    found.dedup();
    found
}

/// Whether a policy lets everybody do something (S3 user guide, "The meaning of public").
pub(super) fn is_public(text: &str) -> bool {
    policy::of_text(text).contains(&Party::Public)
}

/// Whether a call lets others in than these own accounts, or sends something to them.
pub(super) fn shares(operation: &str, params: &Value, own: &[String]) -> bool {
    !own::others(operation, params, own).is_empty()
}
