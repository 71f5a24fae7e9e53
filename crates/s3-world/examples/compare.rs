//! What a program of one's own did to S3: two worlds from one state, and their difference.

use s3_world::domain::{Value, World, signature};
use s3_world::{Result, world};
use std::io::Write;

#[tokio::main]
async fn main() -> Result<()> {
    let before = world::memory("zoology")?;
    let after = before.fork();
    let bucket = Value::Map(vec![("Bucket".into(), Value::Str("new-bucket".into()))]);
    let answer = after.call("create_bucket", &bucket).await?;
    // As in us-east-1, where the owner may make a bucket twice.
    let again = after.call("create_bucket", &bucket).await?;
    let lines = [
        format!("made: {}", answer.is_ok()),
        match again {
            Ok(_) => "made again".to_owned(),
            Err(refusal) => format!("again: {} ({})", refusal.code, refusal.status),
        },
        // Equal if, and only if, an S3 client sees the same in both.
        format!(
            "same: {}",
            signature(&before, []).await? == signature(&after, []).await?
        ),
    ];
    for line in lines {
        // Without a reader there is nobody to tell.
        let _ = writeln!(std::io::stdout(), "{line}");
    }
    Ok(())
}
