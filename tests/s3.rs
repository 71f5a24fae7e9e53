//! The embedded S3: calls in, answers out.
//!
//! - `s3/support.rs`: `check` and what it needs
//! - `s3/api.rs`: the table of the API, and random calls through its codecs
//! - `s3/buckets.rs`, `objects.rs`, `listing.rs`: behaviour of the operations
//! - `s3/encryption.rs`: keys of callers
//! - `s3/locks.rs`: locked versions
//! - `s3/parts.rs`: uploads in parts
//! - `s3/upload_limits.rs`: limits on uploads in progress
//! - `s3/restorations.rs`: archived objects that are brought back
//! - `s3/worlds.rs`: built-in worlds, descriptions, summaries, differences, signatures
//! - `s3/described.rs`: versions, tags, settings and uploads in descriptions
//! - `s3/blocking.rs`: long work does not hold up other calls
//! - `s3/repeated_pages.rs`: servers that repeat a page of a listing
//! - `s3/configurations.rs`: buckets with more configurations than one answer lists
//! - `s3/disk.rs`: worlds on disk, what a person does to them, crashes, hostile keys
//! - `s3/disk_contents.rs`: contents on disk, limits, folders of older versions
//! - `s3/disk_folders.rs`: folders as people have them, and what changes by hand
//! - `s3/files.rs`, `file_faults.rs`: files of the user; transfers that break off
//! - `s3/disk_versions.rs`, `disk_uploads.rs`: versions and unfinished uploads in a world on
//!   disk
//! - `s3/overlay.rs`: a world over another, compared with the store itself

mod support;

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
mod files;
mod listing;
mod locks;
mod objects;
mod overlay;
mod parts;
mod repeated_pages;
mod restorations;
mod special_files;
mod upload_limits;
mod waits;
mod worlds;
