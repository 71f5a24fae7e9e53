//! The same work by s5cmd, rclone and boto3, where they are found.

use super::weed::{KEY, SECRET};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The tools that were found.
pub struct Others {
    endpoint: String,
    s5cmd: Option<PathBuf>,
    rclone: Option<PathBuf>,
    python: Option<PathBuf>,
}

/// The work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    List,
    Read,
    Move,
    Delete,
    Upload,
}

/// A tool that does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    S5cmd,
    Rclone,
    Boto3,
}

impl Tool {
    pub const ALL: [Tool; 3] = [Tool::S5cmd, Tool::Rclone, Tool::Boto3];
}

/// A program that a variable names, or that is on `PATH`.
pub fn named(variable: &str, name: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| PathBuf::from(name), PathBuf::from)
}

/// Whether a program starts and says its version.
pub fn says(path: &Path, version: &str) -> bool {
    let mut says = Command::new(path);
    let says = says
        .arg(version)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    says.status().is_ok_and(|status| status.success())
}

fn found(variable: &str, name: &str, version: &str) -> Option<PathBuf> {
    Some(named(variable, name)).filter(|path| says(path, version))
}

impl Others {
    /// Looks for them.
    pub fn at(endpoint: &str) -> Others {
        let python = found("DIALOG2API_BENCH_PYTHON", "python3", "--version").filter(|python| {
            let mut imports = Command::new(python);
            let imports = imports.args(["-c", "import boto3"]).stderr(Stdio::null());
            imports.status().is_ok_and(|status| status.success())
        });
        Others {
            endpoint: endpoint.to_owned(),
            s5cmd: found("DIALOG2API_BENCH_S5CMD", "s5cmd", "version"),
            rclone: found("DIALOG2API_TEST_RCLONE", "rclone", "version"),
            python,
        }
    }

    /// Does the work by a tool: the time it takes, if the tool is there and can do it.
    pub fn time(&self, tool: Tool, work: Work, folder: &Path) -> Option<Duration> {
        let mut command = self.command(tool, work, folder)?;
        command
            .env("AWS_ACCESS_KEY_ID", KEY)
            .env("AWS_SECRET_ACCESS_KEY", SECRET)
            .env("AWS_REGION", "us-east-1")
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        let begun = Instant::now();
        let ended = command.output().ok()?;
        let took = begun.elapsed();
        let error = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success(), "{tool:?}, {work:?}: {error}");
        Some(took)
    }

    fn command(&self, tool: Tool, work: Work, folder: &Path) -> Option<Command> {
        let words: &[&str] = match (tool, work) {
            (Tool::S5cmd, Work::List) => &["ls", "s3://many/*"],
            (Tool::S5cmd, Work::Read) => &["cat", "s3://wire/in/*"],
            (Tool::S5cmd, Work::Move) => &["mv", "s3://wire/in/*", "s3://wire/out/"],
            (Tool::S5cmd, Work::Delete) => &["rm", "s3://wire/in/*"],
            (Tool::S5cmd, Work::Upload) => &["cp", "*", "s3://wire/up/"],
            (Tool::Rclone, Work::List) => &["lsf", "-R", "s:many"],
            (Tool::Rclone, Work::Read) => return None,
            (Tool::Rclone, Work::Move) => &["move", "s:wire/in", "s:wire/out"],
            (Tool::Rclone, Work::Delete) => &["delete", "s:wire/in"],
            (Tool::Rclone, Work::Upload) => &["copy", ".", "s:wire/up"],
            (Tool::Boto3, Work::List) => &["list"],
            (Tool::Boto3, Work::Read) => &["read"],
            (Tool::Boto3, Work::Move) => &["move"],
            (Tool::Boto3, Work::Delete) => &["delete"],
            (Tool::Boto3, Work::Upload) => &["upload"],
        };
        let path = match tool {
            Tool::S5cmd => &self.s5cmd,
            Tool::Rclone => &self.rclone,
            Tool::Boto3 => &self.python,
        };
        let mut command = Command::new(path.as_ref()?);
        command.current_dir(folder);
        match tool {
            Tool::S5cmd => {
                command.args(["--endpoint-url", &self.endpoint]).args(words);
            }
            Tool::Rclone => {
                command
                    .args(words)
                    .args(["--transfers", "32", "--checkers", "32", "--fast-list"])
                    .env("RCLONE_CONFIG_S_TYPE", "s3")
                    .env("RCLONE_CONFIG_S_PROVIDER", "Other")
                    .env("RCLONE_CONFIG_S_ENDPOINT", &self.endpoint)
                    .env("RCLONE_CONFIG_S_ENV_AUTH", "true");
            }
            Tool::Boto3 => {
                let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/wire/boto.py");
                command.arg(script).arg(&self.endpoint).args(words);
            }
        }
        Some(command)
    }
}
