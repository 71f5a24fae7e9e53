//! The first domain: Amazon S3 and what speaks like it.

mod remote;

pub use remote::{AccessKey, Remote, RemoteOptions};

use super::Domain;

/// The domain `s3`.
pub struct S3;

/// What programs see of S3, in reading order: one module, kept in several files.
const CLIENT: &str = concat!(
    include_str!("client/errors.py"),
    "\n",
    include_str!("client/shapes.py"),
    "\n",
    include_str!("client/validate.py"),
    "\n",
    include_str!("client/body.py"),
    "\n",
    include_str!("client/pages.py"),
    "\n",
    include_str!("client/calls.py"),
    "\n",
    include_str!("client/modules.py"),
);

/// The operations, as `client/shapes.py` has them.
const OPERATIONS: &[&str] = &[
    "list_buckets",
    "create_bucket",
    "delete_bucket",
    "head_bucket",
    "get_bucket_location",
    "list_objects",
    "list_objects_v2",
    "get_object",
    "put_object",
    "copy_object",
    "delete_object",
    "delete_objects",
    "head_object",
];

impl Domain for S3 {
    fn name(&self) -> &'static str {
        "s3"
    }
    fn api_doc(&self) -> &'static str {
        include_str!("../../../api-docs/s3.pyi")
    }
    fn client(&self) -> &'static str {
        CLIENT
    }
    fn operations(&self) -> &'static [&'static str] {
        OPERATIONS
    }
}
