//! The embedded S3: a store in memory that answers calls as functions.
//!
//! [`State`] is a persistent value: copying it is O(1), writing copies only the
//! bucket that changes. [`perform`] is the whole of S3's behaviour as one function
//! over it. [`Memory`] is a world around both.

pub(in crate::domain::s3) mod answer;
pub(in crate::domain::s3) mod buckets;
mod conditions;
mod copy;
mod delete;
pub(in crate::domain::s3) mod list;
pub(in crate::domain::s3) mod listing;
pub(in crate::domain::s3) mod put;
pub(in crate::domain::s3) mod range;
pub(in crate::domain::s3) mod read;
pub mod state;

pub use state::{Attributes, Blob, Bucket, Content, Elsewhere, Object, State};

use super::clock::Clock;
use super::names::DEFAULT_REGION;
use super::operations;
use super::params::Params;
use super::refusal;
use crate::domain::{Answer, Signer, Value, World};
use crate::error::Result;
use async_trait::async_trait;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An S3 account in memory.
pub struct Memory {
    store: Mutex<Store>,
    name: Arc<str>,
}

/// What a call sees and changes.
#[derive(Debug, Clone)]
pub struct Store {
    /// Buckets and objects.
    pub state: State,
    /// Where the times of writes come from.
    pub clock: Clock,
    /// The region whose endpoint the client talks to: decides which location
    /// constraints `create_bucket` takes.
    pub region: Arc<str>,
}

impl Store {
    /// A store without buckets, in us-east-1.
    pub fn new(clock: Clock) -> Self {
        Store {
            state: State::default(),
            clock,
            region: Arc::from(DEFAULT_REGION),
        }
    }
}

impl Memory {
    /// A world around a store. `name` says to people what it is.
    pub fn new(name: &str, store: Store) -> Self {
        Memory {
            store: Mutex::new(store),
            name: Arc::from(name),
        }
    }

    /// A world that starts as this one and goes its own way, in O(1).
    pub fn fork(&self) -> Memory {
        Memory {
            store: Mutex::new(self.lock().clone()),
            name: self.name.clone(),
        }
    }

    /// [`World::call`] without the future: the store never waits.
    pub fn perform(&self, operation: &str, params: &Value) -> Answer {
        perform(&mut self.lock(), operation, params)
    }

    /// The store as it is now; later calls do not change what was returned.
    pub fn snapshot(&self) -> Store {
        self.lock().clone()
    }

    /// Goes back to a snapshot, in O(1).
    pub fn restore(&self, snapshot: Store) {
        *self.lock() = snapshot;
    }

    fn lock(&self) -> MutexGuard<'_, Store> {
        // A call that panicked has left a state between two writes, which is a state.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl World for Memory {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        Ok(self.perform(operation, params))
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(self.fork()))
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        let state = self.lock().state.clone();
        state.sign(signer)
    }

    fn writes(&self, operation: &str) -> bool {
        operations::writes(operation)
    }

    fn describe(&self) -> String {
        format!("{} (embedded S3, in memory)", self.name)
    }
}

/// Carries out one operation with boto3's keyword arguments and answers what boto3
/// returns, without `ResponseMetadata`. A refused call has changed nothing.
pub fn perform(store: &mut Store, operation: &str, params: &Value) -> Answer {
    let params = Params::new(params)?;
    match operation {
        "list_buckets" => buckets::list(store, params),
        "create_bucket" => buckets::create(store, params),
        "delete_bucket" => buckets::delete(store, params),
        "head_bucket" => buckets::head(store, params).map_err(|e| e.without_body()),
        "get_bucket_location" => buckets::location(store, params),
        "list_objects" => list::first_version(store, params),
        "list_objects_v2" => list::second_version(store, params),
        "get_object" => read::get(store, params),
        "head_object" => read::head(store, params).map_err(|e| e.without_body()),
        "put_object" => put::put(store, params),
        "copy_object" => copy::copy(store, params),
        "delete_object" => delete::one(store, params),
        "delete_objects" => delete::many(store, params),
        _ => Err(refusal::malformed("operation", "one of this domain's")),
    }
}
