//! A served world, and what tests compare.

use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::s3::serve::{S3Server, Service, listen};
use dialog2api::domain::s3::{AccessKey, Memory};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

/// The key of every service here.
pub fn key() -> AccessKey {
    AccessKey {
        id: "AKIATEST".to_owned(),
        secret: "secret-of-the-test".to_owned(),
    }
}

/// An empty world whose clock starts at the same time in every test.
pub fn world() -> Arc<Memory> {
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    Arc::new(Memory::new("test", Store::new(Clock::Steps(start))))
}

/// An empty world with the clock of this machine: clients compare its times with those
/// of files.
pub fn system_world() -> Arc<Memory> {
    Arc::new(Memory::new("test", Store::new(Clock::System)))
}

/// A service on a free port of this machine.
pub async fn serve(world: Arc<Memory>) -> S3Server {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let service = Service::new(world, &key());
    listen(service, address).await.expect("a free port")
}
