//! The embedded S3.
//!
//! [`Buckets`] is a persistent value: a copy is O(1), and a write copies only the objects that
//! stand near the one that changes ([`ObjectMap`]). [`perform`] implements S3's operations as
//! one function on a [`Store`]. [`Memory`] is a world around both.

mod acl;
pub(crate) mod answer;
pub(crate) mod buckets;
mod checksums;
mod completion;
mod conditions;
mod content;
mod copy;
mod customer_key;
mod delete;
pub mod extras;
mod file_content;
mod file_pieces;
mod file_stamp;
pub mod history;
pub(crate) mod list;
pub(crate) mod listing;
mod locate;
mod lock;
pub(crate) mod multipart;
mod multipart_lists;
mod object_map;
pub(crate) mod part_checksums;
pub mod parts;
pub(crate) mod pieces;
pub(crate) mod put;
pub(crate) mod range;
pub(crate) mod read;
pub mod restoration;
pub mod settings;
pub mod spool;
pub mod state;
mod status;
mod tagging;
mod upload_limits;
pub mod uploads;
pub(crate) mod versions;

pub(crate) use acl::is_owners_alone;
pub use acl::{is_granted_to_everybody, is_public as is_public_grant};
pub(crate) use checksums::checksum_field;
pub(crate) use content::in_pieces;
pub use content::{Blob, Checksums, Content, Elsewhere};
pub use file_content::{FileContent, Revisited};
pub(crate) use file_stamp::NO_WAITING;
pub use file_stamp::{FileStamp, now as now_of_files, open_regular};
pub use multipart::copied_range;
pub use object_map::{ObjectDifference, ObjectMap};
pub use state::{Attributes, Bucket, Buckets, Object};
pub use upload_limits::UploadLimits;

use super::clock::Clock;
use super::names::{DEFAULT_REGION, MAX_OBJECT_BYTES};
use super::operations;
use super::params::Params;
use super::refusal;
use super::{checks, links};
use crate::blocking;
use crate::domain::{Answer, Signer, Touched, Value, World};
use crate::error::Result;
use async_trait::async_trait;
use jiff::Timestamp;
use pieces::Pieces;
use put::Prepared;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An S3 account in memory.
///
/// # Examples
///
/// ```
/// use s3_world::domain::Value;
/// use s3_world::clock::Clock;
/// use s3_world::memory::{Memory, Store};
///
/// let world = Memory::new("example", Store::new(Clock::System));
/// let bucket = Value::Map(vec![("Bucket".into(), "photos".into())]);
/// world.perform("create_bucket", &bucket).expect("the name is free");
/// let refused = world.perform("create_bucket", &Value::Map(Vec::new()));
/// assert!(refused.is_err());
///
/// // A fork starts with the same state and goes its own way.
/// let fork = world.fork();
/// fork.perform("delete_bucket", &bucket).expect("it is empty");
/// assert!(world.perform("head_bucket", &bucket).is_ok());
/// ```
pub struct Memory {
    store: Mutex<Store>,
    name: Arc<str>,
}

/// The state that a call reads and changes, with its clock and region.
#[derive(Debug, Clone)]
pub struct Store {
    /// Buckets and objects.
    pub state: Buckets,
    /// The clock that gives the times of writes.
    pub clock: Clock,
    /// The region of the endpoint that the client talks to. It decides which location
    /// constraints `create_bucket` accepts.
    pub region: Arc<str>,
    /// The limits on uploads in progress.
    pub upload_limits: UploadLimits,
    /// The newest time of what a description put here. It may be after that of the clock.
    pub described: Option<Timestamp>,
    /// The most bytes of an object that comes in parts.
    pub object_bytes: usize,
    /// Whether contents may be in files that were not read yet, so that a call may take long.
    pub is_unread: bool,
    /// Whether contents are in files of a folder, so that calls wait for the disk.
    pub is_on_disk: bool,
}

impl Store {
    /// A store without buckets, in us-east-1.
    pub fn new(clock: Clock) -> Self {
        Store {
            state: Buckets::default(),
            clock,
            region: Arc::from(DEFAULT_REGION),
            upload_limits: UploadLimits::default(),
            described: None,
            object_bytes: MAX_OBJECT_BYTES,
            is_unread: false,
            is_on_disk: false,
        }
    }

    /// The time of this store, if its clock is not the system's: after everything in it.
    pub fn own_time(&self) -> Option<Timestamp> {
        let own = self.clock.own()?;
        let second = jiff::SignedDuration::from_secs(1);
        let after = self.described.and_then(|it| it.checked_add(second).ok());
        Some(after.map_or(own, |after| after.max(own)))
    }

    /// The time that programs have at least.
    pub fn reached_time(&self) -> Option<Timestamp> {
        match self.clock {
            Clock::Held(now) => Some(now),
            _ => self.own_time(),
        }
    }
}

impl Memory {
    /// A world around a store. `name` is for display.
    pub fn new(name: &str, store: Store) -> Self {
        Memory {
            store: Mutex::new(store),
            name: Arc::from(name),
        }
    }

    /// A world that starts with this state and then changes independently, in O(1).
    pub fn fork(&self) -> Memory {
        Memory {
            store: Mutex::new(self.lock().clone()),
            name: self.name.clone(),
        }
    }

    /// [`World::call`] without a future: blocks while checksums are computed or a file is
    /// read.
    pub fn perform(&self, operation: &str, params: &Value) -> Answer {
        let prepared = match self.pieces(operation, params) {
            // If they cannot be read, the call itself is refused.
            Some(pieces) => Prepared::join(pieces, None).unwrap_or_default(),
            None => Prepared::new(operation, params),
        };
        perform_prepared(&mut self.lock(), operation, params, prepared)
    }

    /// A copy of the current store, in O(1).
    pub fn snapshot(&self) -> Store {
        self.lock().clone()
    }

    /// Returns to a snapshot, in O(1).
    pub fn restore(&self, snapshot: Store) {
        *self.lock() = snapshot;
    }

    /// What a call joins, if it makes a content of others.
    fn pieces(&self, operation: &str, params: &Value) -> Option<Pieces> {
        if !Pieces::are_of(operation) {
            return None;
        }
        Pieces::of_call(&self.lock(), operation, params)
    }

    fn lock(&self) -> MutexGuard<'_, Store> {
        // A call that panics leaves a consistent state behind.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl World for Memory {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        if operation == "get_object" {
            let Ok(read) = Params::new(params) else {
                return Ok(self.perform(operation, params));
            };
            let wanted = read::wanted(&self.lock(), read);
            return read::load(wanted, read).await;
        }
        let snapshot = self.snapshot();
        if snapshot.is_unread && !operations::writes(operation) {
            return perform_waiting(snapshot, operation, params).await;
        }
        let prepared = match self.pieces(operation, params) {
            Some(pieces) => blocking::waiting(move || Prepared::join(pieces, None)).await??,
            None => Prepared::load(operation, params).await?,
        };
        let mut store = self.lock();
        Ok(perform_prepared(&mut store, operation, params, prepared))
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
        let state = self.lock().state.clone();
        state.sign(signer)
    }

    fn waits(&self) -> bool {
        self.lock().is_on_disk
    }

    fn own_time(&self) -> Option<Timestamp> {
        self.lock().own_time()
    }

    fn reached_time(&self) -> Option<Timestamp> {
        self.lock().reached_time()
    }

    fn hold_time(&self, now: Timestamp) {
        self.lock().clock.hold(now);
    }

    fn describe(&self) -> String {
        format!("{} (embedded S3, in memory)", self.name)
    }
}

/// Carries out a read, which may read files for it, without blocking other tasks.
///
/// # Errors
/// The runtime is shutting down.
pub(crate) async fn perform_waiting(
    mut store: Store,
    operation: &str,
    params: &Value,
) -> Result<Answer> {
    let (operation, params) = (operation.to_owned(), params.clone());
    blocking::waiting(move || perform(&mut store, &operation, &params)).await
}

/// Carries out one operation. `params` are boto3's keyword arguments. The answer is what
/// boto3 returns, without `ResponseMetadata`. A refused call changes nothing.
pub fn perform(store: &mut Store, operation: &str, params: &Value) -> Answer {
    perform_prepared(store, operation, params, Prepared::default())
}

/// [`perform`] with a content and its checksums that were computed before.
pub(crate) fn perform_prepared(
    store: &mut Store,
    operation: &str,
    params: &Value,
    prepared: Prepared,
) -> Answer {
    let params = Params::new(params)?;
    checks::check_sizes(operation, params)?;
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
        "put_object" => put::put(store, params, prepared),
        "copy_object" => copy::copy(store, params),
        "delete_object" => delete::one(store, params),
        "delete_objects" => delete::many(store, params),
        "upload_part" => multipart::part(store, params, prepared),
        _ => perform_rarer(store, operation, params, prepared),
    }
}

/// The operations that most programs do without.
fn perform_rarer(
    store: &mut Store,
    operation: &str,
    params: Params<'_>,
    prepared: Prepared,
) -> Answer {
    if let Some(answer) = settings::perform(store, operation, params) {
        return answer;
    }
    match operation {
        "get_object_tagging" => tagging::get(store, params),
        "put_object_tagging" => tagging::put(store, params),
        "delete_object_tagging" => tagging::delete(store, params),
        "list_object_versions" => versions::list(store, params),
        "create_multipart_upload" => multipart::create(store, params),
        "upload_part_copy" => multipart::part_copy(store, params, prepared),
        "complete_multipart_upload" => completion::complete(store, params, prepared),
        "abort_multipart_upload" => multipart::abort(store, params),
        "list_parts" => multipart_lists::list_parts(store, params),
        "list_multipart_uploads" => multipart_lists::list(store, params),
        "get_object_acl" => acl::get_of_object(store, params),
        "put_object_acl" => acl::put_of_object(store, params),
        "get_bucket_acl" => acl::get_of_bucket(store, params),
        "put_bucket_acl" => acl::put_of_bucket(store, params),
        "get_object_retention" => lock::get_retention(store, params),
        "put_object_retention" => lock::put_retention(store, params),
        "get_object_legal_hold" => lock::get_hold(store, params),
        "put_object_legal_hold" => lock::put_hold(store, params),
        "get_object_attributes" => status::attributes(store, params),
        "get_bucket_policy_status" => status::of_policy(store, params),
        "restore_object" => restoration::restore(store, params),
        _ if links::describing(operation).is_some() => links::describe(store, operation, params),
        _ => match settings::perform_identified(store, operation, params) {
            Some(answer) => answer,
            None => Err(refusal::malformed("operation", "one of this domain's")),
        },
    }
}
