//! A world over another: what it answers, what it would change, what it asks the base.

mod base_calls;
mod same;
mod scripts;
mod versions;

use s3_world::domain::{Answer, Signature, Value, World, signature};
use s3_world::{Memory, Overlay};
use std::future::Future;
use std::sync::Arc;

/// Waits for a future that needs no other thread.
fn wait<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    runtime.expect("a runtime").block_on(future)
}

fn call(world: &dyn World, operation: &str, params: &Value) -> Answer {
    wait(world.call(operation, params)).expect("an answer")
}

fn signed(world: &dyn World) -> Signature {
    wait(signature(world, [])).expect("a state")
}

/// An overlay on a copy of a store, which goes on with the store's clock.
fn over(store: &Memory) -> (Arc<Memory>, Overlay) {
    let base = Arc::new(store.fork());
    let overlay = Overlay::over(base.clone(), store.snapshot().clock, "us-east-1");
    (base, overlay)
}
