//! The program as a user starts it, in a home of its own.

use std::path::Path;
use std::process::Command;

/// A command for the program under test: no colour, no configuration of whoever
/// runs the tests, and the prepared sandbox shared between tests.
pub fn dialog2api() -> Command {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_dialog2api"));
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", scratch.join("home"))
        .env("DIALOG2API_CACHE_DIR", scratch)
        .env("NO_COLOR", "1");
    command
}

/// Sends a signal, such as `-INT`, with the `kill` that every shell has built in.
pub fn kill(signal: &str, pid: impl ToString) {
    let mut shell = Command::new("sh");
    shell.args(["-c", "kill \"$1\" \"$2\"", "sh", signal, &pid.to_string()]);
    assert!(shell.status().expect("a shell").success());
}

/// Writes a script that can be run. A shell writes it: while this process has it open, another
/// thread may start a program, which then has it open, too, and a file that is open for writing
/// cannot be run.
pub fn program(path: &Path, text: &str) {
    let mut shell = Command::new("sh");
    shell.args(["-c", "printf %s \"$2\" >\"$1\" && chmod 755 \"$1\"", "sh"]);
    let status = shell.arg(path).arg(text).status();
    assert!(status.expect("a shell").success());
}
