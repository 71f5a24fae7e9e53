//! The process of a server. It is killed when its owner is dropped.

use super::server::{Command, INHERITED, Server, variable};
use super::watch::Watch;
use crate::error::{Error, Result};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::collections::VecDeque;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;

/// The last lines of standard error that are kept, and the bytes kept of each.
const LINES: usize = 6;
const LINE: usize = 200;
/// The wait for the rest of standard error after a server has failed.
const DRAIN: Duration = Duration::from_millis(500);
/// The time that a server has to end after its input is closed.
const END: Duration = Duration::from_secs(3);

/// A running server. Dropping it kills the process and those that it started, and so does the
/// end of this program, whatever ends it.
pub struct Process {
    child: Child,
    group: Option<Pid>,
    watch: Option<Watch>,
    last: Arc<Mutex<Lines>>,
    listening: JoinHandle<()>,
}

impl Process {
    /// Starts a program. It is the head of a process group of its own: Ctrl-C in a terminal
    /// does not reach it, and a wrapper such as `npx` does not outlive the server.
    ///
    /// # Errors
    /// It cannot be started, or a variable of the environment is missing.
    pub fn start(command: &Command, server: &Server) -> Result<(Process, ChildStdout, ChildStdin)> {
        let mut builder = tokio::process::Command::new(&command.program);
        builder.args(&command.arguments).env_clear();
        for name in INHERITED {
            builder.envs(std::env::var_os(name).map(|value| (name, value)));
        }
        for name in &command.pass {
            builder.env(name, variable(name, server)?);
        }
        builder.envs(&command.environment);
        if let Some(folder) = &command.folder {
            builder.current_dir(folder);
        }
        builder
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let failed = |problem: String| {
            Error::world(format!(
                "cannot start the MCP server `{server}`: {problem}; check its command"
            ))
        };
        let mut child = builder.spawn().map_err(|error| failed(error.to_string()))?;
        let group = child.id().and_then(|id| i32::try_from(id).ok());
        let watch = group.and_then(Watch::over);
        let pipes = (child.stdout.take(), child.stdin.take(), child.stderr.take());
        let (Some(stdout), Some(stdin), Some(stderr)) = pipes else {
            return Err(failed("it has no pipes".to_owned()));
        };
        let last = Arc::new(Mutex::new(Lines::default()));
        let listening = tokio::spawn(listen(stderr, last.clone()));
        let process = Process {
            child,
            group: group.map(Pid::from_raw),
            watch,
            last,
            listening,
        };
        Ok((process, stdout, stdin))
    }

    /// The last words of the server on standard error, as the end of a sentence; empty if it
    /// said nothing. A server that `is_gone` has ended by itself, and that is said too.
    pub async fn last_words(&mut self, is_gone: bool) -> String {
        let mut ended = String::new();
        if let Ok(Ok(status)) = tokio::time::timeout(DRAIN, self.child.wait()).await {
            self.kill_group();
            let _ = tokio::time::timeout(DRAIN, &mut self.listening).await;
            if is_gone {
                ended = format!("; it ended with {status}");
            }
        }
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match last.text() {
            text if text.is_empty() => ended,
            text => format!("{ended}. Its last words: {text}"),
        }
    }

    /// Waits until the server ends by itself, and kills it if it does not. Its input has to
    /// be closed first.
    pub async fn end(mut self) {
        if tokio::time::timeout(END, self.child.wait()).await.is_ok() {
            self.kill_group();
        }
    }

    /// Kills the process and its children, once. Call it before the process is waited for, or
    /// right after: later its number may belong to another process.
    fn kill_group(&mut self) {
        if let Some(group) = self.group.take() {
            let _ = killpg(group, Signal::SIGKILL);
        }
        self.watch = None;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill_group();
        self.listening.abort();
    }
}

/// Keeps the last lines of a stream until it ends.
async fn listen(mut stream: impl AsyncRead + Unpin, last: Arc<Mutex<Lines>>) {
    let mut piece = [0; 4096];
    while let Ok(size @ 1..) = stream.read(&mut piece).await {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        last.add(piece.get(..size).unwrap_or_default());
    }
}

/// The last lines of a text that comes in pieces.
#[derive(Default)]
struct Lines {
    whole: VecDeque<Vec<u8>>,
    begun: Vec<u8>,
}

impl Lines {
    fn add(&mut self, piece: &[u8]) {
        for &byte in piece {
            if byte == b'\n' {
                let line = std::mem::take(&mut self.begun);
                if !line.trim_ascii().is_empty() {
                    self.whole.push_back(line);
                }
                while self.whole.len() > LINES {
                    self.whole.pop_front();
                }
            } else if self.begun.len() < LINE {
                self.begun.push(byte);
            }
        }
    }

    /// The lines, as one line that is safe to show.
    fn text(&self) -> String {
        let lines = self.whole.iter().chain([&self.begun]);
        let lines = lines.map(|line| {
            let line = String::from_utf8_lossy(line);
            line.replace(char::is_control, " ").trim().to_owned()
        });
        let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
        lines.join(" | ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_lines_are_kept() {
        let mut lines = Lines::default();
        for number in 0..20 {
            lines.add(format!("line {number}\r\n\n").as_bytes());
        }
        lines.add(b"and a begun one\x1b[0m");
        assert_eq!(
            lines.text(),
            "line 14 | line 15 | line 16 | line 17 | line 18 | line 19 | and a begun one [0m"
        );
    }

    #[test]
    fn long_lines_are_cut() {
        let mut lines = Lines::default();
        lines.add(&vec![b'x'; 10_000]);
        assert_eq!(lines.text().len(), LINE);
    }
}
