//! `rclone serve s3` on loopback, in memory. Dropping it ends it.

use super::tools::RCLONE;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub const KEY: &str = "AKIAEXAMPLE";
pub const SECRET: &str = "secret-of-the-test";

const UP_WITHIN: Duration = Duration::from_secs(60);

/// The running server.
pub struct Rclone {
    child: Child,
    pub endpoint: String,
}

impl Rclone {
    /// Starts a server on a free port and waits until it answers there.
    pub fn start() -> Rclone {
        // A port that was free may be taken by another test before the server has it.
        (0..3)
            .find_map(|_| Self::try_start())
            .expect("three servers in a row ended before they answered")
    }

    fn try_start() -> Option<Rclone> {
        let free = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = free.local_addr().expect("its address").port();
        drop(free);
        let child = Command::new(RCLONE.path())
            .args(["serve", "s3", "--config", "/dev/null"])
            .args(["--addr", &format!("127.0.0.1:{port}")])
            .args(["--auth-key", &format!("{KEY},{SECRET}")])
            .arg(":memory:")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|problem| {
                panic!("{} does not start: {problem}", RCLONE.path().display())
            });
        let mut server = Rclone {
            child,
            endpoint: format!("http://127.0.0.1:{port}"),
        };
        let deadline = Instant::now() + UP_WITHIN;
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if server.child.try_wait().expect("its state").is_some() {
                return None;
            }
            assert!(Instant::now() < deadline, "no answer within {UP_WITHIN:?}");
            std::thread::yield_now();
        }
        Some(server)
    }
}

impl Drop for Rclone {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
