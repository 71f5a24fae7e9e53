//! A domain in Rust: a counter that programs read and raise.
//! `cargo run --locked --example own_domain`.
//!
//! A domain is data, here made from Python stubs. Its code is a world: a call, a copy, and a state
//! that tells two worlds apart. What people usually bring is a folder, which needs no Rust: see
//! [Your API in twenty minutes](../src/documentation/own_domain.md).
#![allow(clippy::print_stdout, reason = "it shows what it did")]

use async_trait::async_trait;
use dialog2api::dialogue::write_outcome;
use dialog2api::domain::{Answer, Map, Refusal, Signer, Value, World};
use dialog2api::exec::{Cache, Engine, Limits, Seed};
use dialog2api::folder::{Answered, answered};
use dialog2api::{Error, Result};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// What models read, and what programs can call.
const API: &str = r#"
def value() -> int:
    """Returns the number."""

def add(by: int) -> int:
    """Raises the number, and returns it."""
"#;

/// A world: one number.
struct Counter(AtomicI64);

#[async_trait]
impl World for Counter {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        let value = match (operation, params.get("by").and_then(Value::as_int)) {
            ("value", _) => self.0.load(Relaxed),
            // What a program did wrong is an answer to it, and no `Error`.
            ("add", Some(by)) if by < 0 => {
                return Ok(Err(Refusal {
                    code: "OnlyUpwards".to_owned(),
                    message: "a counter only grows: use a number above 0".to_owned(),
                    status: 400,
                    details: Map::new(),
                }));
            }
            ("add", Some(by)) => self.0.fetch_add(by, Relaxed) + by,
            _ => return Err(Error::world(format!("no operation {operation}"))),
        };
        Ok(Ok(Value::Int(value)))
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(Counter(self.0.load(Relaxed).into())))
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        signer.field(b'n', self.0.load(Relaxed).to_string().as_bytes());
        Ok(())
    }

    fn describe(&self) -> String {
        "a counter".to_owned()
    }
}

/// Runs programs on a copy of the world and on the world itself; answers with what they gave.
pub async fn count(cache: &Cache) -> Result<String> {
    let domain = answered(&Answered {
        name: "counter",
        title: "A counter",
        handle: "counter",
        api: API,
        errors: vec!["OnlyUpwards".to_owned()],
        writes: &["add"],
    })?;
    let engine = Engine::prepare(&domain.api.client, cache, &mut |_| ()).await?;
    let engine = engine.with_setup(&domain.api.setup);
    let world: Arc<dyn World> = Arc::new(Counter(40.into()));
    let draft = world.fork().ok_or_else(|| Error::usage("no copy"))?;
    let mut said = String::new();
    for (name, world) in [("draft", draft), ("world", world)] {
        for program in ["return counter.add(2)", "counter.add(-1)"] {
            let ran = engine
                .run(program, &world, &Limits::default(), &Seed::default())
                .await?;
            let _ = writeln!(said, "{name}: {}", write_outcome(&ran.outcome));
        }
    }
    Ok(said)
}

#[tokio::main]
async fn main() -> Result<()> {
    print!("{}", count(&Cache::of_user()?).await?);
    Ok(())
}
