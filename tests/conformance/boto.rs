//! All cases on real boto3, against the store behind an S3 service on loopback:
//! what programs see in the sandbox is what boto3's users see of the same store.

use crate::conformance::cases::{Case, FULL, GIVEN, OWN};
use crate::conformance::embedded::Embedded;
use crate::conformance::harness::difference;
use crate::support::tools::{BOTO3, needs};
use dialog2api::domain::s3::serve::{S3Server, Service, listen};
use dialog2api::domain::s3::{AccessKey, Memory};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

const REGIONS: [&str; 2] = ["us-east-1", "us-west-2"];

/// Cases that give something else here, and why.
const OTHERWISE: &[(&str, &str)] = &[
    ("misc.presigned_url", "boto3 has credentials here"),
    (
        "presign.url.default_is_version_2",
        "the bucket is in the path of an endpoint of one's own",
    ),
    (
        "presign.url.needs_no_object",
        "the bucket is in the path of an endpoint of one's own",
    ),
    (
        "presign.url.key_is_quoted",
        "the bucket is in the path of an endpoint of one's own",
    ),
    (
        "presign.url.put_object",
        "the bucket is in the path of an endpoint of one's own",
    ),
    (
        "put_object.content_length_too_long",
        "the service refuses the 5 GiB that are announced, and does not wait for them",
    ),
];

/// The files of the cases, in the order in which they run.
const FILES: [&str; 3] = ["s3-cases.jsonl", "own-cases.jsonl", "full-cases.jsonl"];

/// A store at the endpoint of a region, served.
struct Place {
    world: Arc<Memory>,
    server: S3Server,
}

async fn place(region: &str, key: &AccessKey) -> Place {
    let world = Arc::new(Embedded::world(region));
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let server = listen(Service::new(world.clone(), key), address).await;
    Place {
        world,
        server: server.expect("a free port"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_cases_on_boto3() {
    needs!(BOTO3);
    let key = AccessKey {
        id: "AKIAEXAMPLE".to_owned(),
        secret: "secret-of-the-test".to_owned(),
    };
    let mut places = BTreeMap::new();
    for region in REGIONS {
        places.insert(region, place(region, &key).await);
    }
    let endpoints: BTreeMap<_, _> = places
        .iter()
        .map(|(region, place)| (*region, place.server.endpoint()))
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let mut command = BOTO3.python();
    command
        .arg(folder.join("boto.py"))
        .arg(serde_json::to_string(&endpoints).expect("text"))
        .args([&key.id, &key.secret])
        .args(FILES.map(|file| folder.join(file)))
        // For the clients that programs make.
        .env("AWS_ENDPOINT_URL", &endpoints["us-east-1"])
        .env("AWS_ACCESS_KEY_ID", &key.id)
        .env("AWS_SECRET_ACCESS_KEY", &key.secret)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    // The servers run on beside it.
    let run = tokio::task::spawn_blocking(move || converse(command, &places));
    let report = run.await.expect("no panic");
    assert!(report.is_empty(), "{report}");
}

/// Empties the world before each case, and says what came out different.
fn converse(mut command: Command, places: &BTreeMap<&str, Place>) -> String {
    let mut child = command.spawn().expect("Python starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut next = || {
        let line = lines.next().expect("boto.py goes on");
        line.expect("text")
    };
    let mut report = String::new();
    for case in [GIVEN, OWN, FULL].map(Case::read).concat() {
        let region = next();
        let place = places.get(&*region).expect("a region that is served");
        place.world.restore(Embedded::world(&region).snapshot());
        writeln!(input).expect("it listens");
        let got = serde_json::from_str(&next()).expect("JSON");
        let (id, want) = (&*case.id, case.expected());
        let otherwise = OTHERWISE.iter().any(|(known, _)| *known == id);
        match difference(want, &got) {
            Some(what) if !otherwise => {
                let _ = writeln!(report, "{id}: {what}\n  want {want}\n  got  {got}");
            }
            None if otherwise => report.push_str(&format!("{id}: no longer differs\n")),
            _ => {}
        }
    }
    assert!(child.wait().expect("it ends").success());
    report
}
