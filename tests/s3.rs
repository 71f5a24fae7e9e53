//! S3 together with plans, policies and real boto3. What S3 answers is tested in `crates/s3-world`.
//!
//! - `s3/files.rs`: files of the user in plans, and after them
//! - `s3/tables.rs`: the tables of the API are those of botocore
//! - `s3/waits.rs`: whose time a call takes

mod files;
mod tables;
mod waits;
