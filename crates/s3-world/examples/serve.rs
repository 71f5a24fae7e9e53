//! Serves a world as an S3 server until Ctrl-C: `cargo run --example serve -- ./buckets`.
//!
//! The world is a folder, a description in TOML, or one that is built in (`zoology`, `empty`).
//! Any S3 client can use it: `aws --endpoint-url http://127.0.0.1:PORT s3 ls`.

use s3_world::serve::{Service, listen};
use s3_world::{AccessKey, open};
use std::io::Write;
use std::net::SocketAddr;

#[tokio::main]
async fn main() -> s3_world::Result<()> {
    let world = std::env::args().nth(1).unwrap_or_else(|| "empty".into());
    let key = AccessKey {
        id: "test".into(),
        secret: "test".into(),
    };
    let service = Service::new(open(&world)?.world, &key);
    let server = listen(service, SocketAddr::from(([127, 0, 0, 1], 0))).await?;
    let told = writeln!(
        std::io::stdout(),
        "http://{}, access key test, secret test",
        server.address()
    );
    if told.is_ok() {
        let _ = tokio::signal::ctrl_c().await;
    }
    server.stop().await;
    Ok(())
}
