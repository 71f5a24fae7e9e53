//! S3 as programs see it, compared with what boto3 gave for the same programs.
//!
//! - `conformance/s3-cases.jsonl`, `own-cases.jsonl`: the cases; `README.md` there
//!   says what their fields mean and which ground they cover
//! - `conformance/harness.rs`: `check`, which runs cases in the sandbox
//! - `conformance/embedded.rs`: all cases on the embedded store
//! - `conformance/backends.rs`: all cases over the wire and on overlays
//! - `conformance/boto.rs`: all cases on real boto3, against the store as a server
//! - `conformance/hostile.rs`: programs that pass nonsense
//! - `conformance/pages.rs`: listings page by page, compared with a look at all keys

mod backends;
mod boto;
mod cases;
mod embedded;
mod harness;
mod hostile;
mod pages;
