//! The first domain: Amazon S3 and what speaks like it.

pub mod canonical;
pub mod clock;
pub mod memory;
pub mod names;
pub mod operations;
pub mod params;
mod refusal;
pub mod show;
pub mod world;

pub use memory::Memory;
pub use operations::OPERATIONS;
pub use world::open;

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
        OPERATIONS
    }
}
