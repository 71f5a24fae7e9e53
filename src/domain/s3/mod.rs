//! The first domain: Amazon S3 and what speaks like it.

use super::Domain;

/// The domain `s3`.
pub struct S3;

impl Domain for S3 {
    fn name(&self) -> &'static str {
        "s3"
    }
    fn api_doc(&self) -> &'static str {
        ""
    }
    fn client(&self) -> &'static str {
        ""
    }
    fn operations(&self) -> &'static [&'static str] {
        &[]
    }
}
