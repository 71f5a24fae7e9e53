//! The first domain: Amazon S3 and compatible servers. The crate `s3-world` has its worlds; here is
//! what models learn from.

mod examples;

pub use s3_world::{
    AccessKey, AheadLimits, Memory, OPERATIONS, Overlay, Party, ReadingAhead, Remote,
    RemoteOptions, S3Planning, api, canonical, change, clock, divergences, files, memory, names,
    open, operations, overlay, params, remote, serve, show, who_is_let_in, world,
};

use super::{Adapter, AdapterContent, Domain, Teaching};
use std::sync::{Arc, LazyLock};

/// The domain `s3`.
pub static S3: LazyLock<Arc<Domain>> = LazyLock::new(|| Arc::new(domain()));

/// The adapter of a small model for S3, as `datasets/s3/training` describes.
#[cfg(has_adapter)]
static ADAPTER: Option<&[u8]> = Some(include_bytes!(
    "../../../datasets/s3/adapters/qwen2.5-coder-0.5b.gguf"
));
/// The archive of this crate has no adapter.
#[cfg(not(has_adapter))]
static ADAPTER: Option<&[u8]> = None;

fn domain() -> Domain {
    let adapter = ADAPTER.map(|content| Adapter {
        name: "s3".into(),
        model: "qwen2.5-coder-0.5b".into(),
        content: AdapterContent::BuiltIn(content),
    });
    Domain {
        teaching: Teaching {
            dataset: "datasets/s3".into(),
            adapters: adapter.into_iter().collect(),
            examples: examples::all()
                .map(|(name, text)| ((*name).into(), (*text).into()))
                .collect(),
        },
        ..Domain::clone(&s3_world::S3)
    }
}
