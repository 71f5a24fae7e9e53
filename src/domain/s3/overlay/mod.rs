//! A world that reads through to another one and keeps its writes to itself.
//!
//! What was written lies in a layer: an embedded store with the buckets and keys
//! that were touched, and what the base had there. An operation on objects fetches
//! what it depends on from the base (which of its keys are there, never their
//! contents), puts that into the layer's store, and is then carried out there by
//! [`memory::perform`](super::memory::perform): S3's behaviour is written once.
//!
//! - `layer.rs`: the layer, and what happens to it
//! - `base.rs`: the calls to the base
//! - `lookup.rs`: what of the base a write depends on
//! - `writes.rs`, `reads.rs`, `listing.rs`, `buckets.rs`: the operations
//! - `pages.rs`: a listing of the base, without what the layer hides
//! - `state.rs`: the canonical state; `changes.rs`: what the layer would change

mod base;
mod buckets;
mod changes;
mod layer;
mod listing;
mod lookup;
mod pages;
mod reads;
mod resume;
mod state;
mod writes;

use super::change::Change;
use super::clock::Clock;
use super::memory::perform;
use super::operations;
use crate::domain::{Answer, Signer, Value, World};
use crate::error::Result;
use async_trait::async_trait;
use base::{Base, Trouble, answered};
use layer::Layer;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A world over another one, its base, which is never written to.
///
/// What no write has touched is the base's own answer, as it is at the time of the
/// call. Only continuation tokens differ: the overlay's also say where they lead, so
/// that a listing can go on after a key of it was written.
pub struct Overlay {
    base: Base,
    layer: Mutex<Layer>,
    /// Held by a write from its first look at the base to its end.
    writing: tokio::sync::Mutex<()>,
}

impl Overlay {
    /// An overlay without changes. `region` is the one whose endpoint the base is: it
    /// decides which location constraints `create_bucket` takes. `clock` gives the
    /// times of what is written.
    pub fn over(base: Arc<dyn World>, clock: Clock, region: &str) -> Overlay {
        Overlay::with(base, Layer::new(clock, region))
    }

    fn with(base: Arc<dyn World>, layer: Layer) -> Overlay {
        Overlay {
            base: Base(base),
            layer: Mutex::new(layer),
            writing: tokio::sync::Mutex::default(),
        }
    }

    /// An overlay on the same base that starts with the same changes and goes its own
    /// way, in O(1).
    pub fn fork(&self) -> Overlay {
        Overlay::with(self.base.0.clone(), self.snapshot())
    }

    /// What is to be done to the base to make it what this world is: buckets by name,
    /// in each the keys in byte order. It is the net effect: a key that was written
    /// and deleted again is no change.
    ///
    /// Of a bucket of the base that was deleted and created again, the keys that it
    /// had come first, as deleted. A key whose content was never loaded says where it
    /// was copied from, which may be a key that another change deletes.
    pub fn changes(&self) -> Vec<Change> {
        self.snapshot().changes()
    }

    /// The layer as it is now, in O(1).
    fn snapshot(&self) -> Layer {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Layer> {
        self.layer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl World for Overlay {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        if operations::writes(operation) {
            let _turn = self.writing.lock().await;
            return answered(match operation {
                "create_bucket" => self.create_bucket(params).await,
                "delete_bucket" => self.delete_bucket(params).await,
                _ => self.write_objects(operation, params).await,
            });
        }
        answered(match operation {
            "list_buckets" => self.list_buckets(params).await,
            "list_objects" | "list_objects_v2" => self.list_objects(operation, params).await,
            "get_object" | "head_object" => self.read_object(operation, params).await,
            "head_bucket" | "get_bucket_location" => self.read_bucket(operation, params).await,
            // Not to be passed on: nobody knows that it changes nothing.
            _ => perform(&mut self.snapshot().store, operation, params).map_err(Trouble::from),
        })
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(self.fork()))
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        self.fork().sign(signer).await
    }

    fn writes(&self, operation: &str) -> bool {
        operations::writes(operation)
    }

    fn describe(&self) -> String {
        format!("{}, with all changes kept apart", self.base.0.describe())
    }
}
