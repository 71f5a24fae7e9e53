//! A real S3 server for a test: SeaweedFS on loopback. Dropping it ends it.

use super::tools::WEED;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

pub const KEY: &str = "AKIAEXAMPLE";
pub const SECRET: &str = "secret-of-the-test";

/// A server that does not answer within this time never will.
pub const UP_WITHIN: Duration = Duration::from_secs(60);

/// The running server.
pub struct Weed {
    child: Child,
    folder: tempfile::TempDir,
    pub endpoint: String,
}

impl Weed {
    /// Starts a server on free ports and waits until S3 answers there.
    pub fn start() -> Weed {
        // A port that was free may be taken by another test before the server has it.
        (0..3)
            .find_map(|_| Self::try_start())
            .expect("three servers in a row ended before they answered")
    }

    fn try_start() -> Option<Weed> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let config = folder.path().join("s3.json");
        let identity = serde_json::json!({"identities": [{
            "name": "admin",
            "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
            "actions": ["Admin", "Read", "Write", "List", "Tagging"],
        }]});
        fs::write(&config, identity.to_string()).expect("the server's configuration");
        let [s3, ports @ ..] = free_ports::<10>();
        let names = [
            "s3.port.grpc",
            "master.port",
            "master.port.grpc",
            "volume.port",
            "volume.port.grpc",
            "filer.port",
            "filer.port.grpc",
            "admin.port",
            "admin.port.grpc",
        ];
        let log = fs::File::create(folder.path().join("log")).expect("the server's log");
        let child = Command::new(WEED.path())
            .arg("mini")
            .arg(format!("-dir={}", folder.path().display()))
            .args(["-ip=127.0.0.1", "-ip.bind=127.0.0.1"])
            .args([
                "-master.telemetry=false",
                // Every bucket wants several volumes, and this decides how many there are room for.
                "-master.volumeSizeLimitMB=4",
                "-admin.ui=false",
                "-webdav=false",
            ])
            .args(["-s3.port.iceberg=0", "-s3.port.lance=0"])
            .args([
                "-s3.allowDeleteBucketNotEmpty=false",
                "-s3.autoCreateBucket=false",
            ])
            .arg(format!("-s3.config={}", config.display()))
            .arg(format!("-s3.port={s3}"))
            .args(
                names
                    .iter()
                    .zip(ports)
                    .map(|(name, port)| format!("-{name}={port}")),
            )
            .arg(format!(
                "-s3.localSocket={}",
                folder.path().join("s3.sock").display()
            ))
            .arg(format!(
                "-filer.localSocket={}",
                folder.path().join("filer.sock").display()
            ))
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("the server's log"))
            .stderr(log)
            .spawn()
            .unwrap_or_else(|problem| {
                panic!("{} does not start: {problem}", WEED.path().display())
            });
        let mut weed = Weed {
            child,
            folder,
            endpoint: format!("http://127.0.0.1:{s3}"),
        };
        let deadline = Instant::now() + UP_WITHIN;
        while !is_answered(s3) {
            if weed.has_ended() {
                return None;
            }
            assert!(
                Instant::now() < deadline,
                "SeaweedFS did not answer within {UP_WITHIN:?}; its log:\n{}",
                fs::read_to_string(weed.folder.path().join("log")).unwrap_or_default()
            );
            std::thread::yield_now();
        }
        // What answered may be another server, which had the port first.
        (!weed.has_ended()).then_some(weed)
    }

    /// Whether the process is gone. It ends some time after its start if one of its ten ports
    /// was taken meanwhile.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("the server's state").is_some()
    }
}

/// Whether a request gets an answer there, whatever it is: a port is open some time before.
fn is_answered(port: u16) -> bool {
    let ask = || {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        stream.write_all(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")?;
        stream.read_exact(&mut [0; "HTTP/".len()])
    };
    ask().is_ok()
}

impl Drop for Weed {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ports that are free now, all different. They are below those that systems give to
/// outgoing connections (32768 on Linux, 49152 elsewhere): a client could take one of those
/// before the server has it. No two servers of a test process get the same.
fn free_ports<const N: usize>() -> [u16; N] {
    const FIRST: u32 = 12_000;
    const COUNT: u32 = 20_000;
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    // Test processes that run side by side begin at different ports.
    let begin = std::process::id().wrapping_mul(997);
    let next = || {
        let number = begin.wrapping_add(GIVEN.fetch_add(1, Ordering::Relaxed)) % COUNT;
        u16::try_from(FIRST + number).expect("a port")
    };
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    [(); N].map(|()| {
        let mut ports = (0..COUNT).map(|_| next());
        ports.find(is_free).expect("a free port")
    })
}
