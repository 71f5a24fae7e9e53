//! What ends a server whose user has gone.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// Waits for the end of its input, which is that of this program, and ends a process group. A
/// server gets a second to end by itself.
const SCRIPT: &str = "trap '' INT HUP TERM; read -r _; kill -s TERM -- \"-$1\"; sleep 1; \
                      kill -s KILL -- \"-$1\"";

/// A process that ends a group of processes when this program has gone without doing so: by
/// Ctrl-C, a closed terminal, `kill -9`. A server that waits for the end of its input can be
/// busy for ever. Dropping it leaves the group alone.
pub struct Watch(Child);

impl Watch {
    /// Watches over the group of this number. Without a shell nothing watches.
    pub fn over(group: i32) -> Option<Self> {
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", SCRIPT, "dialog2api-watch", &group.to_string()])
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0);
        command.spawn().ok().map(Watch)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // Its input is open until it is gone, so that it does nothing.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
