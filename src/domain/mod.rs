//! What a program can act on: a static [`Domain`] and a live [`World`] of it.
//!
//! A new domain is a folder here, a page in `api-docs/`, a folder in `datasets/`
//! and one line in [`domains`]. Nothing in `agent`, `exec` or `llm` changes.

mod code;
mod layer;
mod place;
mod planning;
mod signature;
mod value;

pub mod s3;

pub use code::{CallSite, call_sites, lines, methods_of};
pub use layer::Layer;
pub use place::{Access, Mark, Place, Touch};
pub use planning::{Image, Planning, Touched, Write};
pub use signature::{Signature, Signer};
pub use value::{Map, Name, Value};

use crate::error::Result;
use async_trait::async_trait;
use std::sync::Arc;

/// What is always true of a kind of environment.
#[async_trait]
pub trait Domain: Send + Sync {
    /// The name: of the folder in `datasets/`, of the page in `api-docs/`.
    fn name(&self) -> &'static str;

    /// What the model reads about the operations: Python stubs with docstrings.
    fn api_doc(&self) -> &'static str;

    /// What programs see: Python source that runs once, before any program,
    /// with `_host` importable. Its dict `PROGRAM_GLOBALS` names what programs
    /// have as globals beside Python's builtins.
    fn client(&self) -> &'static str;

    /// The training dialogues that come with it: file name and text in the exchange
    /// format, in the order of the names. May be empty.
    fn examples(&self) -> &'static [(&'static str, &'static str)];

    /// The operations as programs spell them (`list_objects`).
    fn operations(&self) -> &'static [&'static str];

    /// The parameters of an operation, in the order in which a user is asked for those
    /// that are missing: first the required ones, each group as the API defines it. Empty
    /// for what is no operation.
    fn parameters(&self, operation: &str) -> &'static [&'static str];

    /// Whether a call of the operation may have this parameter, also where the API document
    /// does not name it.
    fn accepts(&self, operation: &str, parameter: &str) -> bool {
        self.parameters(operation).contains(&parameter)
    }

    /// The global of programs whose methods are the operations, and those of its methods
    /// that are none (`s3`, and `get_paginator` …): to call another one cannot succeed.
    /// `None` where nobody can say that.
    fn handle(&self) -> Option<(&'static str, &'static [&'static str])> {
        None
    }

    /// Whether an operation takes away what cannot be had back, so that a user is asked
    /// to confirm it.
    fn destroys(&self, operation: &str) -> bool;

    /// The methods of the client that are given an operation's name and call it
    /// themselves (`get_paginator("list_objects")`).
    fn callers_by_name(&self) -> &'static [&'static str] {
        &[]
    }

    /// The names of the initial worlds that come with it.
    fn worlds(&self) -> Vec<&'static str>;

    /// Opens an initial world in memory, by its name or as the path of its description.
    /// It can be forked, and nothing that is done to it stays anywhere.
    ///
    /// # Errors
    /// There is no such world, or its description is wrong.
    fn initial_world(&self, spec: &str) -> Result<Arc<dyn World>>;

    /// Names the largest things that a world has (for S3: its buckets). Nothing is
    /// named of an empty world, and of no other.
    ///
    /// # Errors
    /// The world's, also when it refuses to be looked at.
    async fn holdings(&self, world: &dyn World) -> Result<Vec<String>>;

    /// Makes what `into` holds the same as what `from` holds, whatever was there before;
    /// the two may be of different backends. Where it fails, a part of it is done.
    ///
    /// # Errors
    /// Those of both worlds, also when one of them refuses something.
    async fn restore(&self, from: &dyn World, into: &dyn World) -> Result<()>;

    /// Takes away all that a world holds.
    ///
    /// # Errors
    /// The world's, also when it refuses something. A part may be gone then.
    async fn clear(&self, world: &dyn World) -> Result<()>;

    /// The places that a call names, and what it does to each: what a policy judges,
    /// before the call is made. A call that names none is one on the world as a whole.
    fn touches(&self, operation: &str, params: &Value) -> Vec<Touch>;

    /// How writes of this domain are planned before they are carried out. `None` where
    /// they cannot be: then a program that is to be confirmed must not write.
    fn planning(&self) -> Option<&'static dyn Planning> {
        None
    }

    /// What leads from one world to the other, for people: a line for each difference
    /// that their signatures see. `None` where the domain cannot say it.
    ///
    /// # Errors
    /// A world's own.
    async fn difference(
        &self,
        _one: &dyn World,
        _other: &dyn World,
    ) -> Result<Option<Vec<String>>> {
        Ok(None)
    }
}

/// One live state of a domain.
#[async_trait]
pub trait World: Send + Sync {
    /// Carries out one operation. The outer error is ours (connection lost);
    /// the inner one is the environment's answer to the program.
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer>;

    /// The same, but a world that by itself tries again what was not answered does not do
    /// so here: for who looks first whether it was carried out although no answer came.
    async fn call_once(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.call(operation, params).await
    }

    /// A world that starts as this one and goes its own way. O(1) for embedded
    /// stores. `None` where the world can not be copied (a remote server).
    fn fork(&self) -> Option<Arc<dyn World>>;

    /// Appends the canonical state to the stream. Reads leave no trace in it.
    async fn state(&self, signer: &mut Signer) -> Result<()>;

    /// Whether an operation can change the state. Of one that is not known it is said
    /// that it can; to say so of every one is never wrong.
    fn writes(&self, _operation: &str) -> bool {
        true
    }

    /// One line for people: what this is and where.
    fn describe(&self) -> String;
}

/// What an environment answers to a call.
pub type Answer = std::result::Result<Value, Refusal>;

/// The environment refused a call: an outcome of the program, not our failure.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The error's code: `NoSuchBucket`.
    pub code: String,
    /// The error's text, without the operation's name.
    pub message: String,
    /// The HTTP status, where there is one; else 0.
    pub status: u16,
    /// Further fields of the error (`BucketName`, `Key`).
    pub details: Map,
}

/// Every domain there is.
pub fn domains() -> &'static [&'static dyn Domain] {
    &[&s3::S3]
}

/// The signature of a world after programs with these outcomes ran in it.
pub async fn signature(
    world: &dyn World,
    outcomes: impl IntoIterator<Item = &crate::dialogue::Outcome>,
) -> Result<Signature> {
    let mut signer = Signer::new();
    world.state(&mut signer).await?;
    outcomes
        .into_iter()
        .for_each(|outcome| signer.outcome(outcome));
    Ok(signer.signature())
}
