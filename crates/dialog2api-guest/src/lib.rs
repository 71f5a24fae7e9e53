#![doc = include_str!("../README.md")]

/// The module, compressed by xz.
pub static PACKED: &[u8] = include_bytes!("../guest.wasm.xz");

/// Of which sources it was built: the digest that `dialog2api`'s build script takes of them.
pub static DIGEST: &str = include_str!("../guest.digest");
