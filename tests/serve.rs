//! A world as an S3 server, as clients of S3 see it.
//!
//! What belongs here: the service with the AWS SDK for Rust (without a socket), raw
//! HTTP, real boto3, aws-cli and rclone. What S3 answers belongs in `crates/s3-world/tests`.
//!
//! - `serve/sdk.rs`: calls in, answers out, through `Remote` and the service
//! - `serve/raw.rs`: requests as bytes, whole and half
//! - `serve/pages.rs`: requests that a web page makes a browser send
//! - `serve/clients.rs`: boto3 (`serve/*.py`), aws-cli and rclone; `serve/s3api.rs`: the commands
//!   of `aws s3api`; `serve/more_clients.rs`: s3fs and the client of MinIO
//! - `serve/resumed.rs`: downloads that are resumed, and addresses in answers
//! - `serve/signed.rs`: what signatures cover, of requests that `serve/signing.rs` signs
//! - `serve/forms.rs`: uploads from HTML forms
//! - `serve/folders.rs`: large objects of a folder, and changes by hand
//! - `serve/guests.rs`: requests without a signature
//! - `serve/cors.rs`: pages that the rules of a bucket let in
//! - `serve/refused_reads.rs`: the headers of refused reads
//! - `serve/cut_off.rs`: uploads in parts whose client or server ends
//! - `serve/binary.rs`: `dialog2api world serve`

mod binary;
mod clients;
mod cors;
mod cut_off;
mod folders;
mod forms;
mod guests;
mod more_clients;
mod pages;
mod raw;
mod refused_reads;
mod resumed;
mod s3api;
mod sdk;
mod signed;
mod signing;
pub mod support;
