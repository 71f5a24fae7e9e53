//! The embedded S3: calls in, answers out.
//!
//! - `support.rs`: `check` and what it needs; `value.rs`: values as text
//! - `api.rs`: random calls through the codecs of the API
//! - `buckets.rs`, `objects.rs`, `listing.rs`: behaviour of the operations
//! - `encryption.rs`: keys of callers
//! - `locks.rs`: locked versions
//! - `parts.rs`: uploads in parts
//! - `upload_limits.rs`: limits on uploads in progress
//! - `restorations.rs`: archived objects that are brought back
//! - `worlds.rs`: built-in worlds, descriptions, summaries, differences, signatures
//! - `described.rs`: versions, tags, settings and uploads in descriptions
//! - `blocking.rs`: long work does not hold up other calls
//! - `repeated_pages.rs`: servers that repeat a page of a listing
//! - `configurations.rs`: buckets with more configurations than one answer lists
//! - `disk.rs`: worlds on disk, what a person does to them, crashes, hostile keys
//! - `disk_contents.rs`: contents on disk, limits, folders of older versions
//! - `disk_folders.rs`: folders as people have them, and what changes by hand
//! - `file_faults.rs`, `special_files.rs`: transfers of files of the user that break off
//! - `disk_versions.rs`, `disk_uploads.rs`: versions and unfinished uploads in a world on
//!   disk
//! - `overlay.rs`: a world over another, compared with the store itself

#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

mod support;
mod value;

mod api;
mod blocking;
mod buckets;
mod configurations;
mod described;
mod disk;
mod disk_contents;
mod disk_folders;
mod disk_links;
mod disk_modes;
mod disk_names;
mod disk_settings;
mod disk_uploads;
mod disk_versions;
mod encryption;
mod file_faults;
mod listing;
mod locks;
mod objects;
mod overlay;
mod parts;
mod repeated_pages;
mod restorations;
mod special_files;
mod upload_limits;
mod worlds;
