//! What calls do to a world: what is planned, judged and taken back.

use super::{Access, Operation, Planning, Target, Value};
use std::sync::Arc;
use std::time::Duration;

/// How the writes of programs are judged, planned and taken back.
#[derive(Clone, Default)]
pub struct Effects {
    /// Which places a call names. Without it a policy denies every write.
    pub touches: Option<Arc<dyn Touches>>,
    /// How writes are planned before they are carried out. Without it a program that has
    /// to be confirmed must not write.
    pub planning: Option<Arc<dyn Planning>>,
    /// Calls that are no operations of the API: [`Planning`] makes them to take changes back.
    /// Programs cannot make them, and policies judge them like operations.
    pub restoring: Vec<Operation>,
    /// Whether worlds cannot be copied, so that a program is stopped at each of its writes,
    /// which is a plan of its own.
    pub is_stepwise: bool,
}

/// Which places a call names: what a policy judges before the call is made.
pub trait Touches: Send + Sync {
    /// The places that the call names. Empty for a call that names none, such as one
    /// without its required parameters. What it does to each follows from the operation's
    /// [`effect`](Operation::effect).
    fn targets(&self, operation: &str, params: &Value) -> Vec<Target>;

    /// The same for somebody who also has these other accounts: what is shared only with them is
    /// not shared.
    fn targets_owning(&self, operation: &str, params: &Value, _own: &[String]) -> Vec<Target> {
        self.targets(operation, params)
    }

    /// The accounts that the call shares with and names, without these own ones.
    fn named_accounts(&self, _operation: &str, _params: &Value, _own: &[String]) -> Vec<String> {
        Vec::new()
    }

    /// The parameters of a call of the operation that names a place and, if it copies, a
    /// source, both as users write them: `bucket/key`. What `policy explain` judges.
    fn call(&self, operation: &str, place: Option<&str>, source: Option<&str>) -> Value;

    /// The access that the call grants to others; none for most calls.
    fn grant<'a>(&self, _operation: &str, _params: &'a Value) -> Option<Grant<'a>> {
        None
    }

    /// Whether a write to a place may change or delete what lies below it, so that a policy
    /// that protects or denies something there denies the write. By default it may not: a
    /// bucket of S3 can be deleted only when it is empty.
    fn reaches_below(&self) -> bool {
        false
    }

    /// Whether a segment of a place is one value, so that a `/` in it separates nothing. By
    /// default it is a path, as a key of S3 is.
    fn has_whole_segments(&self) -> bool {
        false
    }

    /// Whether a call has no effect, because the world refuses it whatever it holds. Such a call
    /// is not judged, so that its program reads the world's own refusal.
    fn is_void(&self, _operation: &str, _params: &Value) -> bool {
        false
    }

    /// Why no outermost container can have this name, as a sentence without its end; `None` if one
    /// can. A policy for such a name would protect nothing.
    fn no_container(&self, _name: &str) -> Option<String> {
        None
    }

    /// Whether what a call of this operation may do follows from more of its parameters than those
    /// that name places: a lifecycle says what is deleted later.
    fn is_judged_by_more(&self, _operation: &str) -> bool {
        false
    }

    /// How to find out which outermost containers are one's own, where a world also lets calls
    /// reach those of others. A write to one of theirs sends something to them.
    fn ownership(&self) -> Option<Ownership> {
        None
    }

    /// The forms of the paths that calls of an operation can touch, with what they can do
    /// there. `None` if that is not known.
    fn forms(&self, _operation: &Operation) -> Option<Vec<PathForm>> {
        None
    }
}

/// The calls that say whose outermost containers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ownership {
    /// The operation that lists one's own, all of them at once.
    pub list: &'static str,
    /// The field of its answer with the list.
    pub field: &'static str,
    /// The field of each with its name.
    pub name: &'static str,
    /// The operation that fails with status 404 where nobody has such a container.
    pub look: &'static str,
    /// Its parameter for the name.
    pub parameter: &'static str,
    /// Its parameter for an account: it fails where the container is not that account's.
    pub owner: &'static str,
}

/// The form of the paths that calls can touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathForm {
    /// What calls can do there.
    pub accesses: Vec<Access>,
    /// The segments, from the outermost container on.
    pub segments: Vec<Segment>,
}

/// A segment of a [`PathForm`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// This text.
    Text(String),
    /// Any value.
    Value,
    /// Any path, which may have a `/`.
    Path,
}

/// A call that another call lets anybody make later: that of a link which is signed ahead.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grant<'a> {
    /// The operation.
    pub operation: &'static str,
    /// Its parameters.
    pub params: &'a Value,
    /// How long it can be made.
    pub lasts: Duration,
}
