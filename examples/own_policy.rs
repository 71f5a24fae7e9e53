//! A policy around a world: what it does not allow never reaches the world, whatever a model or a
//! program says. `cargo run --locked --example own_policy`.
#![allow(clippy::print_stdout, reason = "it shows what it did")]

use dialog2api::dialogue::write_outcome;
use dialog2api::domain::World;
use dialog2api::domain::s3::S3;
use dialog2api::exec::{Cache, Engine, Limits, Seed};
use dialog2api::policy::{Guard, Policy};
use dialog2api::{Error, Result};
use std::fmt::Write as _;
use std::sync::Arc;

const POLICY: &str = r#"
version = 1
protected_buckets = ["zoology-*"]

[ceilings]
objects_deleted = 1
"#;

const PROGRAMS: [&str; 3] = [
    "return len(s3.list_buckets()['Buckets'])",
    "s3.delete_object(Bucket='zoology-bucket', Key='sea_animals/otter.txt')",
    "s3.create_bucket(Bucket='attic')\nreturn 'made'",
];

/// Runs programs on a world that a policy holds; answers with what they gave.
pub async fn guarded(cache: &Cache) -> Result<String> {
    let policy = Arc::new(Policy::read(POLICY).map_err(Error::usage)?);
    policy.check(&S3).map_err(Error::usage)?;
    let engine = Engine::prepare(&S3.api.client, cache, &mut |_| ()).await?;
    let world = S3.initial_world("zoology")?;
    let mut said = String::new();
    for program in PROGRAMS {
        // Each program has a guard of its own, which counts for the limits.
        let guard: Arc<dyn World> = Arc::new(Guard::new(world.clone(), &S3, policy.clone()));
        let ran = engine
            .run(program, &guard, &Limits::default(), &Seed::default())
            .await?;
        let _ = writeln!(said, "{}", write_outcome(&ran.outcome));
    }
    Ok(said)
}

#[tokio::main]
async fn main() -> Result<()> {
    print!("{}", guarded(&Cache::of_user()?).await?);
    Ok(())
}
