//! The embedded S3: calls in, answers out.
//!
//! - `s3/support.rs`: `check` and what it needs
//! - `s3/buckets.rs`, `objects.rs`, `listing.rs`: behaviour of the operations
//! - `s3/worlds.rs`: built-in worlds, descriptions, summaries, differences, signatures
//! - `s3/disk.rs`: worlds on disk, what a person does to them, crashes, hostile keys
//! - `s3/overlay.rs`: a world over another, compared with the store itself

#[path = "s3/support.rs"]
mod support;
#[path = "support/value.rs"]
mod value;

#[path = "s3/buckets.rs"]
mod buckets;
#[path = "s3/disk.rs"]
mod disk;
#[path = "s3/listing.rs"]
mod listing;
#[path = "s3/objects.rs"]
mod objects;
#[path = "s3/overlay.rs"]
mod overlay;
#[path = "s3/worlds.rs"]
mod worlds;
