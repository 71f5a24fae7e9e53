//! The configurations of a bucket: kept, checked, and returned as S3 returns them.
//!
//! Most differ in few facts, which [`ALL`] lists. A configuration with rules of its own has
//! a file with its check.

mod cors;
mod encryption;
mod identified;
mod lifecycle;
mod lifecycle_rule;
mod list;
mod lock;
mod logging;
mod notification;
mod ownership;
pub mod policy;
mod policy_actions;
pub(crate) mod policy_form;
mod replication;
mod tags;
mod versioning;
mod website;

pub use identified::{
    kinds as identified_kinds, of_bucket as identified_of, page as identified_page,
    parameter as identified_parameter, perform as perform_identified,
};
pub use lifecycle::expiration;
pub use list::ALL;
pub use tags::{check as check_tags, read as read_tags};

use super::extras::Encryption;
use super::state::{Bucket, Buckets};
use super::{Store, buckets};
use crate::api::canonical_parameter;
use crate::domain::{Answer, Map, Refusal, Value};
use crate::params::Params;
use crate::refusal;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock};

/// The name of the setting that says whether the bucket keeps versions.
pub const VERSIONING: &str = "versioning";
/// The name of the setting that locks objects.
pub const OBJECT_LOCK: &str = "object-lock";
/// The name of the setting that says who owns objects.
pub const OWNERSHIP: &str = "ownershipControls";
/// The name of the setting that keeps the public out.
pub const PUBLIC_ACCESS: &str = "publicAccessBlock";
/// The name of the setting that says how objects are encrypted.
pub const ENCRYPTION: &str = "encryption";
/// The name of the setting with the bucket's tags.
pub const TAGGING: &str = "tagging";
/// The name of the setting that says where access logs go.
pub const LOGGING: &str = "logging";
/// The name of the setting that says where objects are copied to.
pub const REPLICATION: &str = "replication";
/// The name of the setting with the rules of objects' lives.
pub const LIFECYCLE: &str = "lifecycle";
/// The name of the setting that says where events go.
pub const NOTIFICATION: &str = "notification";
/// The name of the setting that says who may do what.
pub const POLICY: &str = "policy";
/// The name of the setting with the bucket's grants.
pub const ACL: &str = "acl";
/// The name under which a bucket keeps whether transfers to it are accelerated.
pub const ACCELERATE: &str = "accelerate";

/// The settings of a bucket by name. A setting that was never made is absent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BucketSettings(BTreeMap<String, Arc<Value>>);

impl BucketSettings {
    /// The value of a setting; `Null` if it was taken away and its absence means something.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).map(|value| &**value)
    }

    /// All settings in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Arc<Value>)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Makes a setting.
    pub fn set(&mut self, name: &str, value: Value) {
        self.0.insert(name.to_owned(), Arc::new(value));
    }

    /// Takes a setting away.
    pub fn remove(&mut self, name: &str) -> Option<Arc<Value>> {
        self.0.remove(name)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The description of one setting.
pub struct Setting {
    /// Its name: S3's sub-resource.
    pub name: &'static str,
    /// The name for people.
    pub label: &'static str,
    /// The operations that return it, make it, and take it away.
    pub operations: [&'static str; 3],
    /// The parameter that it is made with.
    pub parameter: &'static str,
    /// The field of the answer that holds it; none where its own fields are the answer.
    pub field: Option<&'static str>,
    /// The answer of a bucket without it.
    unset: Unset,
    /// Runs before the canonical form is made: refuses what S3 refuses first, and rewrites
    /// forms that this setting alone accepts.
    first: fn(Value) -> Result<Value, Refusal>,
    /// Checks a new value, in its canonical form.
    check: fn(&Context<'_>, Value) -> Result<Value, Refusal>,
}

/// The answer of a bucket without the setting.
enum Unset {
    /// An error: its code and its message.
    Refused(&'static str, &'static str),
    /// A setting, which every new bucket has; taking it away leads to the error, if there is
    /// one.
    Default(fn() -> Value, Option<(&'static str, &'static str)>),
}

/// The surroundings of a new value that a check looks at.
pub struct Context<'a> {
    /// The account.
    pub state: &'a Buckets,
    /// The bucket.
    pub bucket: &'a Bucket,
    /// Its name.
    pub name: &'a str,
    /// All parameters of the call.
    pub params: Params<'a>,
}

fn map<const N: usize>(pairs: [(&'static str, Value); N]) -> Value {
    Value::Map(
        pairs
            .into_iter()
            .map(|(name, it)| (name.into(), it))
            .collect(),
    )
}

/// The act of an operation on a setting.
enum Act {
    Get,
    Put,
    Delete,
}

static BY_OPERATION: LazyLock<HashMap<&str, (Act, &Setting)>> = LazyLock::new(|| {
    let acts = |setting: &'static Setting| {
        let [get, put, delete] = setting.operations;
        [
            (get, (Act::Get, setting)),
            (put, (Act::Put, setting)),
            (delete, (Act::Delete, setting)),
        ]
    };
    ALL.iter()
        .flat_map(acts)
        .filter(|(name, _)| !name.is_empty())
        .collect()
});

/// Carries out an operation on a setting; `None` if it is about none.
pub fn perform(store: &mut Store, operation: &str, params: Params<'_>) -> Option<Answer> {
    let (act, setting) = BY_OPERATION.get(operation)?;
    Some(match act {
        Act::Get => setting.get(store, params),
        Act::Put => setting.put(store, params),
        Act::Delete => setting.delete(store, params),
    })
}

impl Setting {
    /// Its value in a new bucket, if it has one there.
    pub fn of_new_bucket(&self) -> Option<Value> {
        match self.unset {
            Unset::Default(default, _) => Some(default()),
            Unset::Refused(..) => None,
        }
    }

    /// Whether a bucket from which it was taken away answers otherwise than a new one.
    pub fn is_told_when_gone(&self) -> bool {
        matches!(self.unset, Unset::Default(_, Some(_)))
    }

    /// Whether an error says that the setting was taken away, which differs from never made.
    pub fn is_gone(&self, code: &str) -> bool {
        matches!(self.unset, Unset::Default(_, Some((known, _))) if known == code)
    }

    fn get(&self, store: &Store, params: Params<'_>) -> Answer {
        let name = params.text("Bucket")?;
        let bucket = buckets::find(&store.state, params, name)?;
        let refused = |(code, message): (&str, &str)| {
            Err(Refusal::new(404, code, message).with("BucketName", name))
        };
        let value = match (bucket.settings.get(self.name), &self.unset) {
            (None, Unset::Refused(code, message)) => return refused((code, message)),
            (Some(Value::Null), Unset::Default(_, Some(gone))) => return refused(*gone),
            (None | Some(Value::Null), Unset::Default(default, _)) => default(),
            (Some(value), _) => value.clone(),
        };
        Ok(match self.field {
            Some(field) => Value::Map(vec![(field.into(), value)]),
            None => value,
        })
    }

    fn put(&self, store: &mut Store, params: Params<'_>) -> Answer {
        let name = params.text("Bucket")?;
        let bucket = buckets::find(&store.state, params, name)?;
        let given = params
            .get(self.parameter)
            .ok_or_else(refusal::malformed_xml)?;
        let [_, operation, _] = self.operations;
        let given = (self.first)(given.clone())?;
        let value = canonical_parameter(operation, self.parameter, &given)?;
        let context = Context {
            state: &store.state,
            bucket,
            name,
            params,
        };
        let value = (self.check)(&context, value)?;
        let answer = match self.name {
            LIFECYCLE => lifecycle::put_answer(&value),
            _ => Value::Map(Map::new()),
        };
        if let Some(bucket) = store.state.bucket_mut(name) {
            match self.name {
                // S3 stores an empty tag set as no tag set.
                TAGGING if tags::is_empty(&value) => drop(bucket.settings.remove(TAGGING)),
                _ => bucket.settings.set(self.name, value),
            }
        }
        Ok(answer)
    }

    fn delete(&self, store: &mut Store, params: Params<'_>) -> Answer {
        let name = params.text("Bucket")?;
        buckets::find(&store.state, params, name)?;
        if let Some(bucket) = store.state.bucket_mut(name) {
            match self.unset {
                Unset::Default(_, Some(_)) => bucket.settings.set(self.name, Value::Null),
                _ => drop(bucket.settings.remove(self.name)),
            }
        }
        Ok(Value::Map(Map::new()))
    }
}

/// Ownership controls with one rule.
pub fn owned(ownership: &str) -> Value {
    let rule = map([("ObjectOwnership", ownership.into())]);
    map([("Rules", Value::List(vec![rule]))])
}

/// The encryption of new objects, if it is not with the server's own keys.
pub fn encryption_of(bucket: &Bucket) -> Option<Encryption> {
    let rules = bucket.settings.get(ENCRYPTION)?.get("Rules")?.as_list()?;
    let rule = rules.first()?;
    let by_default = rule.get("ApplyServerSideEncryptionByDefault")?;
    let algorithm = by_default.get("SSEAlgorithm")?.as_str()?;
    (algorithm != "AES256").then(|| Encryption::Service {
        algorithm: algorithm.to_owned(),
        key: by_default
            .get("KMSMasterKeyID")
            .and_then(Value::as_str)
            .map(str::to_owned),
        bucket_key: rule
            .get("BucketKeyEnabled")
            .and_then(Value::as_bool)
            .unwrap_or(false),
    })
}

/// Turns on object lock in a new bucket, and with it versioning.
pub fn lock_new(bucket: &mut Bucket) {
    bucket
        .settings
        .set(OBJECT_LOCK, map([("ObjectLockEnabled", "Enabled".into())]));
    bucket
        .settings
        .set(VERSIONING, map([("Status", "Enabled".into())]));
}

/// Gives tags to a new bucket.
///
/// # Errors
/// S3 would refuse them.
pub fn tag_new(
    state: &Buckets,
    bucket: &mut Bucket,
    name: &str,
    tags: &Value,
    params: Params<'_>,
) -> Result<(), Refusal> {
    let tagging = map([("TagSet", tags.clone())]);
    let context = Context {
        state,
        bucket,
        name,
        params,
    };
    let tagging = tags::of_new_bucket(&context, tagging)?;
    if !tags::is_empty(&tagging) {
        bucket.settings.set(TAGGING, tagging);
    }
    Ok(())
}

impl Bucket {
    /// Whether objects can have access control lists of their own.
    pub fn has_acls(&self) -> bool {
        let ownership = match self.settings.get(OWNERSHIP) {
            None => return false,
            Some(controls) => controls.get("Rules").and_then(Value::as_list),
        };
        let rule = ownership.and_then(<[Value]>::first);
        let ownership = rule.and_then(|rule| rule.get("ObjectOwnership")?.as_str());
        ownership != Some("BucketOwnerEnforced")
    }

    /// One of the four switches that keep the public out: on in a new bucket.
    pub fn blocks_public(&self, switch: &str) -> bool {
        match self.settings.get(PUBLIC_ACCESS) {
            None => true,
            Some(block) => block.get(switch).and_then(Value::as_bool).unwrap_or(false),
        }
    }
}
