//! All cases on what stands on the embedded store: the store over the wire, through the
//! AWS SDK, and overlays.

use crate::conformance::cases::{Case, FULL, GIVEN, OWN};
use crate::conformance::embedded::Embedded;
use crate::conformance::harness::{Backend, check, difference, run};
use crate::support::sandbox;
use async_trait::async_trait;
use dialog2api::domain::World;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::serve::{Service, http_client};
use dialog2api::domain::s3::world::DiskWorld;
use dialog2api::domain::s3::{AccessKey, Overlay, Remote, RemoteOptions};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// The store behind an S3 service, without a socket: every call becomes a signed
/// request of the AWS SDK and is read by the service.
struct Wire;

#[async_trait]
impl Backend for Wire {
    fn name(&self) -> &str {
        "the store over the wire"
    }

    async fn start(&self, region: &str) -> Arc<dyn World> {
        let key = AccessKey {
            id: "AKIAEXAMPLE".to_owned(),
            secret: "secret-of-the-test".to_owned(),
        };
        let service = Service::new(Arc::new(Embedded::world(region)), &key);
        let options = RemoteOptions {
            endpoint_url: Some("http://localhost".to_owned()),
            region: Some(region.to_owned()),
            access_key: Some(key),
            ..RemoteOptions::default()
        };
        let remote = Remote::connect_through(&options, http_client(service)).await;
        Arc::new(remote.expect("nothing is sent yet"))
    }
}

/// A world in a folder that is closed and opened again between the setup of a case and its
/// program.
#[derive(Default)]
struct Folder(Mutex<Option<TempDir>>);

impl Folder {
    fn open(&self) -> Arc<dyn World> {
        let folder = self.0.lock().expect("no test has panicked");
        let path = folder.as_ref().expect("a folder").path();
        let time = "2024-01-01T00:00:00Z".parse().expect("a time");
        Arc::new(DiskWorld::open(path, Clock::Stands(time)).expect("a world"))
    }
}

#[async_trait]
impl Backend for Folder {
    fn name(&self) -> &str {
        "a folder that is opened again"
    }

    async fn start(&self, _region: &str) -> Arc<dyn World> {
        let folder = tempfile::tempdir().expect("a folder");
        *self.0.lock().expect("no test has panicked") = Some(folder);
        self.open()
    }

    async fn after_setup(&self, world: Arc<dyn World>, _region: &str) -> Arc<dyn World> {
        drop(world);
        self.open()
    }
}

/// An overlay over an empty store: all that a case does is kept in the overlay.
struct OverNothing;

#[async_trait]
impl Backend for OverNothing {
    fn name(&self) -> &str {
        "an overlay over an empty store"
    }

    async fn start(&self, region: &str) -> Arc<dyn World> {
        over(Arc::new(Embedded::world(region)), region)
    }
}

/// An overlay over a store on which the setup of the case ran: the program reads
/// through it.
struct OverSetup;

#[async_trait]
impl Backend for OverSetup {
    fn name(&self) -> &str {
        "an overlay over the store of the setup"
    }

    async fn start(&self, region: &str) -> Arc<dyn World> {
        Arc::new(Embedded::world(region))
    }

    async fn after_setup(&self, world: Arc<dyn World>, region: &str) -> Arc<dyn World> {
        over(world, region)
    }
}

/// The same over the wire: what an overlay over a real server is.
struct OverWire;

#[async_trait]
impl Backend for OverWire {
    fn name(&self) -> &str {
        "an overlay over the store over the wire"
    }

    async fn start(&self, region: &str) -> Arc<dyn World> {
        Wire.start(region).await
    }

    async fn after_setup(&self, world: Arc<dyn World>, region: &str) -> Arc<dyn World> {
        over(world, region)
    }
}

fn over(base: Arc<dyn World>, region: &str) -> Arc<dyn World> {
    let time = "2024-01-01T00:00:00Z".parse().expect("a time");
    Arc::new(Overlay::over(base, Clock::Stands(time), region))
}

#[tokio::test]
async fn the_given_cases_over_the_wire() {
    check(&Wire, GIVEN).await;
}

#[tokio::test]
async fn our_own_cases_over_the_wire() {
    check(&Wire, OWN).await;
}

/// Runs the cases of all operations: a program gets what it gets from the store itself,
/// whether or not that is what was recorded.
async fn check_same(backend: &dyn Backend) {
    check_these(backend, |_| true).await;
}

/// The same, of the cases that `selected` selects.
async fn check_these(backend: &dyn Backend, selected: fn(&Case) -> bool) {
    let engine = sandbox().await;
    let mut report = String::new();
    for case in Case::read(FULL).into_iter().filter(selected) {
        let here = run(&engine, &Embedded, &case).await;
        let there = run(&engine, backend, &case).await;
        let same = difference(&here, &there).is_none() || here == there;
        if !same {
            let _ = writeln!(report, "{}\n  here  {here}\n  there {there}", case.id);
        }
    }
    assert!(report.is_empty(), "{}:\n{report}", backend.name());
}

/// Without the links of [`Wire`]: they name its server, and nobody is shown any.
fn is_about_no_link(case: &Case) -> bool {
    !case.id.starts_with("presign.url.")
}

#[tokio::test]
async fn the_cases_of_all_operations_over_the_wire() {
    check_these(&Wire, is_about_no_link).await;
}

/// The endpoint of a folder is in us-east-1.
#[tokio::test]
async fn the_cases_of_all_operations_in_a_folder() {
    let selected = |case: &Case| case.client_region == "us-east-1";
    check_these(&Folder::default(), selected).await;
}

#[tokio::test]
async fn the_cases_of_all_operations_on_overlays() {
    check_same(&OverNothing).await;
    check_same(&OverSetup).await;
    check_these(&OverWire, is_about_no_link).await;
}

#[tokio::test]
async fn the_given_cases_on_overlays() {
    check(&OverNothing, GIVEN).await;
    check(&OverSetup, GIVEN).await;
    check(&OverWire, GIVEN).await;
}

#[tokio::test]
async fn our_own_cases_on_overlays() {
    check(&OverNothing, OWN).await;
    check(&OverSetup, OWN).await;
    check(&OverWire, OWN).await;
}
