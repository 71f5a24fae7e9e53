//! A world on top of another one. Reads go through to it, writes do not.
//!
//! Writes go into a layer: an embedded store of the buckets and keys that were touched,
//! together with what the base had there. An operation on objects first looks up in the
//! base which of its keys exist (never their contents) and puts them into the layer's
//! store. Then it runs there, through [`memory::perform`](super::memory::perform), so
//! that S3's behaviour is implemented only once.
//!
//! - `layer.rs`: the layer
//! - `base.rs`: calls to the base
//! - `lookup.rs`: looks up what a write depends on in the base
//! - `writes.rs`, `reads.rs`, `listing.rs`, `buckets.rs`: the operations
//! - `continued.rs`: uploads of the base that go on here
//! - `settings.rs`, `versions.rs`, `uploads.rs`: writes on these; `setting_reads.rs`: reads of them
//! - `version_pages.rs`: the listing of versions
//! - `pages.rs`: the pages of the base's listing, without entries that the layer hides
//! - `resume.rs`: continuation tokens
//! - `asked.rs`, `kept.rs`, `spans.rs`: what a server has said, and is not asked again
//! - `glimpse.rs`: what its listings tell of a key; `fill_in.rs` reads the rest where it matters
//! - `state.rs`: the canonical state; `changes.rs`: the net changes of the layer

mod asked;
mod base;
mod buckets;
mod changes;
mod continued;
mod fill_in;
mod glimpse;
mod kept;
mod layer;
mod listing;
mod lookup;
mod pages;
mod reads;
mod resume;
mod setting_reads;
mod settings;
mod spans;
mod state;
mod uploads;
mod version_pages;
mod versions;
mod writes;

use super::api;
use super::change::S3Change;
use super::clock::Clock;
use super::links;
use super::memory::perform;
use super::operations;
use crate::ahead::{Ahead, AheadLimits, question};
use crate::domain::{Answer, Signer, Spent, Touched, Value, World};
use crate::error::Result;
use asked::Asked;
use async_trait::async_trait;
use base::{Base, Trouble, answered};
use jiff::Timestamp;
use kept::Kept;
use layer::Layer;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use versions::{Route, route};

/// A world over another one, its base, which is never written to.
///
/// For buckets without writes, the base itself answers each call. Only continuation
/// tokens differ: the overlay's tokens also name the last entry, so that a listing can
/// continue after one of its keys was written.
///
/// # Examples
///
/// ```
/// use s3_world::clock::Clock;
/// use s3_world::{Overlay, world};
/// use s3_world::domain::{Value, World};
/// # async fn example() -> s3_world::Result<()> {
/// let base = world::open("empty")?.world;
/// let overlay = Overlay::over(base.clone(), Clock::System, "us-east-1");
/// let bucket = Value::Map(vec![("Bucket".into(), "photos".into())]);
/// overlay.call("create_bucket", &bucket).await?.expect("the name is free");
/// assert!(base.call("head_bucket", &bucket).await?.is_err());
/// assert_eq!(overlay.changes()[0].to_string(), "+ photos/");
/// # Ok(())
/// # }
/// # tokio::runtime::Runtime::new().unwrap().block_on(example()).unwrap();
/// ```
pub struct Overlay {
    base: Base,
    /// What the base has said, if it is asked each question once.
    kept: Option<Arc<Kept>>,
    ahead: Option<Arc<Ahead>>,
    layer: Mutex<Layer>,
    /// A write holds this lock from its first lookup in the base to its end.
    writing: tokio::sync::Mutex<()>,
}

impl Overlay {
    /// An overlay without changes. `region` is the region of the base's endpoint, which
    /// decides the location constraints that `create_bucket` accepts. `clock` gives the
    /// times of writes.
    pub fn over(base: Arc<dyn World>, clock: Clock, region: &str) -> Overlay {
        Overlay::with(base, None, None, Layer::new(clock, region))
    }

    /// An overlay of a server, for one program: the server is asked each question once, and is
    /// for the program as it was then. What its listings tell of objects is not asked of each of
    /// them, and what it reads in their order is read ahead within `limits`. Only a plan may come
    /// of it, which looks at the places again before it writes.
    pub fn for_program(
        base: Arc<dyn World>,
        clock: Clock,
        region: &str,
        limits: AheadLimits,
    ) -> Overlay {
        let kept = Arc::<Kept>::default();
        let ahead = Arc::new(Ahead::new(base.clone(), limits));
        let asked = Asked {
            world: base,
            kept: kept.clone(),
            ahead: ahead.clone(),
        };
        let layer = Layer::new(clock, region);
        Overlay::with(Arc::new(asked), Some(kept), Some(ahead), layer)
    }

    fn with(
        base: Arc<dyn World>,
        kept: Option<Arc<Kept>>,
        ahead: Option<Arc<Ahead>>,
        layer: Layer,
    ) -> Overlay {
        Overlay {
            base: Base(base),
            kept,
            ahead,
            layer: Mutex::new(layer),
            writing: tokio::sync::Mutex::default(),
        }
    }

    /// An overlay on the same base that starts with the same changes and then changes
    /// independently. Takes O(1).
    pub fn fork(&self) -> Overlay {
        let (kept, ahead) = (self.kept.clone(), self.ahead.clone());
        Overlay::with(self.base.0.clone(), kept, ahead, self.snapshot())
    }

    /// The changes that would make the base equal to this world: buckets by name, and in
    /// each bucket the keys in byte order. They are net changes: a key that was written
    /// and deleted again is not among them.
    ///
    /// If a bucket of the base was deleted and created again, its old keys come first, as
    /// deleted. If a content was never loaded, its key names the source of the copy,
    /// which another change may delete.
    pub fn changes(&self) -> Vec<S3Change> {
        self.snapshot().changes()
    }

    /// The current layer, in O(1).
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
        if let Err(trouble) = self.fill_in(operation, params).await {
            return answered(Err(trouble));
        }
        if operations::writes(operation) {
            let _turn = self.writing.lock().await;
            return answered(match operation {
                "create_bucket" => self.create_bucket(params).await,
                "delete_bucket" => self.delete_bucket(params).await,
                "abort_multipart_upload" => self.abort(params).await,
                "upload_part_copy" => self.copy_part(params).await,
                "upload_part" => self.write_part(params).await,
                "complete_multipart_upload" => match self.parts_of_base(params).await {
                    Ok(Some(all)) => self.complete_base(params, &all).await,
                    Ok(None) => self.write_objects(operation, params).await,
                    Err(trouble) => Err(trouble),
                },
                _ => self.write_objects(operation, params).await,
            });
        }
        if let Some(describing) = links::describing(operation) {
            return answered(self.base.pass(describing, params).await);
        }
        answered(match operation {
            "list_buckets" => self.list_buckets(params).await,
            "list_objects" | "list_objects_v2" => self.list_objects(operation, params).await,
            "list_object_versions" => self.list_versions(params).await,
            "get_object" | "head_object" => self.read_object(operation, params).await,
            "head_bucket" | "get_bucket_location" => self.read_bucket(operation, params).await,
            _ if api::operation(operation).is_some() => self.read_other(operation, params).await,
            // Unknown operations are not passed on, because they may write.
            _ => perform(&mut self.snapshot().store, operation, params).map_err(Trouble::from),
        })
    }

    fn follow(
        &self,
        operation: &str,
        params: &Value,
        answer: &Value,
        may: &(dyn Fn(&str, &Value) -> bool + Sync),
    ) {
        if let (Some(ahead), Some(kept)) = (&self.ahead, &self.kept) {
            let layer = self.snapshot();
            // What the program has written itself is not the base's.
            let asks = |params: Value| {
                let theirs = match route(&layer, &params) {
                    Route::Base(theirs) if may(operation, &params) => theirs.into_owned(),
                    _ => return None,
                };
                let is_new = !kept.has_asked(&question(operation, &theirs));
                is_new.then_some(theirs)
            };
            ahead.follow(operation, params, answer, &asks);
        }
    }

    async fn known(&self, operation: &str, params: &Value) -> Result<Option<Answer>> {
        match self.known_answer(operation, params).await {
            Ok(answer) => Ok(answer),
            // Whoever asks then makes the call.
            Err(Trouble::Refused(_)) => Ok(None),
            Err(Trouble::Failed(error)) => Err(error),
        }
    }

    async fn call_observed(
        &self,
        operation: &str,
        params: &Value,
    ) -> Result<(Answer, Option<Vec<Touched>>)> {
        let answer = self.call(operation, params).await?;
        let touched = links::observed(operation, params, &answer);
        Ok((answer, touched))
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(self.fork()))
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        self.fork().sign(signer).await
    }

    fn spent(&self) -> Option<Spent> {
        self.base.0.spent()
    }

    fn waits(&self) -> bool {
        self.base.0.waits()
    }

    fn own_time(&self) -> Option<Timestamp> {
        let own = self.lock().store.own_time()?;
        Some(self.base.0.own_time().map_or(own, |base| base.max(own)))
    }

    fn reached_time(&self) -> Option<Timestamp> {
        let held = self.lock().store.reached_time();
        self.own_time().or(held)
    }

    fn hold_time(&self, now: Timestamp) {
        self.lock().store.clock.hold(now);
    }

    fn describe(&self) -> String {
        format!("{}, with all changes kept apart", self.base.0.describe())
    }
}
