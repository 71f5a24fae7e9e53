//! A chat on a machine that has programs of the right names that are of no use.

use crate::cli::support::{Home, goal};
use crate::local::machine::{Machine, NOWHERE};
use crate::support::command::program;
use crate::support::tools::{PYTHON, needs};
use std::path::{Path, PathBuf};
use std::process::Command;

const BROKEN: &str = "#!/bin/sh\necho \"decoy $0\" >&2\nexit 1\n";
const POISON: &str = "raise SystemExit('a decoy was imported')\n";

/// A folder with broken programs.
fn decoys(home: &Home, names: &[&str]) -> PathBuf {
    let folder = home.path("decoys");
    std::fs::create_dir_all(&folder).unwrap();
    for name in names {
        program(&folder.join(name), BROKEN);
    }
    folder
}

/// A working directory and a `PYTHONPATH` with modules that end whatever imports them.
fn poisoned(home: &Home, command: &mut Command) {
    let folder = home.path("poison");
    std::fs::create_dir_all(folder.join("venv")).unwrap();
    for module in [
        "json",
        "sitecustomize",
        "usercustomize",
        "venv/__init__",
        "pip",
        "runpy",
    ] {
        std::fs::write(folder.join(format!("{module}.py")), POISON).unwrap();
    }
    command.env("PYTHONPATH", &folder).current_dir(&folder);
}

/// Standard output and standard error.
fn said(mut command: Command) -> String {
    let output = command.output().expect("it starts");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    out + &String::from_utf8_lossy(&output.stderr)
}

fn with_path(command: &mut Command, folder: &Path) {
    let path = command.get_envs().find(|(name, _)| *name == "PATH");
    let path = path
        .and_then(|(_, value)| value)
        .expect("a PATH")
        .to_owned();
    let mut all = vec![folder.to_owned()];
    all.extend(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(all).expect("a PATH"));
}

#[test]
fn broken_programs_are_passed_over() {
    needs!(PYTHON);
    let machine = Machine::new();
    let home = &machine.home;
    let answer = goal(1, "final", "return len(s3.list_buckets()[\"Buckets\"])");
    home.write("script.txt", "how many buckets have I?\n");
    let script = home.path("script.txt").display().to_string();
    let chat = format!("chat --yes --script {script}");
    let mut command = machine.command(&chat, &[&answer, "Two buckets."]);
    with_path(
        &mut command,
        &decoys(home, &["ollama", "llama-server", "pip", "node"]),
    );
    poisoned(home, &mut command);
    // There is no room for temporary files.
    command.env("TMPDIR", "/dev/null");
    let said = said(command);
    assert!(said.ends_with("Agent: Two buckets.\n\n"), "{said}");
    machine.running().ended();
}

#[test]
fn without_a_python_that_works_the_ways_out_are_said() {
    let machine = Machine::new();
    let home = &machine.home;
    let mut command = home.ready("chat --yes");
    let decoys = decoys(home, &["ollama", "llama-server", "python3", "pip"]);
    let path = std::env::join_paths([decoys, "/usr/bin".into(), "/bin".into()]).unwrap();
    command
        .env("PATH", path)
        .env("DIALOG2API_LOCAL_PORTS", NOWHERE);
    let said = said(command);
    let shown = home.path("decoys/python3").display().to_string();
    let error = format!(
        "error: python3 makes no virtual environment (decoy {shown}): install Python 3.10 or \
         later with its venv module (Debian's package python3-venv), or llama.cpp's `llama-server`"
    );
    // The small model is the default for S3; this machine has the other one alone.
    assert!(said.contains(&error), "{said}");
}

/// The environment is made by a Python that sees neither the working directory nor `PYTHONPATH`,
/// and with room of its own for temporary files.
#[test]
fn the_environment_of_the_server_depends_on_nothing_of_the_users() {
    needs!(PYTHON);
    let machine = Machine::new();
    let home = &machine.home;
    let mut command = home.ready("chat --yes");
    let folder = decoys(home, &["ollama", "llama-server"]);
    let python = PYTHON.path().display().to_string();
    program(
        &folder.join("python3"),
        &format!("#!/bin/sh\nexec '{python}' \"$@\"\n"),
    );
    let path = std::env::join_paths([folder, "/usr/bin".into(), "/bin".into()]).unwrap();
    command
        .env("PATH", path)
        .env("DIALOG2API_LOCAL_PORTS", NOWHERE);
    poisoned(home, &mut command);
    command.env("TMPDIR", "/dev/null");
    // Nothing is asked for over the network.
    command.env("PIP_NO_INDEX", "1");
    let said = said(command);
    assert!(!said.contains("a decoy was imported"), "{said}");
    // Debian has `venv` in a package of its own.
    let is_python_without_venv = said.contains("python3 makes no virtual environment");
    assert!(
        is_python_without_venv || said.contains("pip cannot install the server"),
        "{said}"
    );
    assert!(said.contains("`llama-server`"), "{said}");
}

/// A home in which nobody can make a folder, not even root.
#[test]
fn a_home_that_cannot_be_written_to_is_said() {
    let home = Home::new();
    let mut command = home.ready("chat --yes");
    (command.env("HOME", "/proc/no-home")).env("DIALOG2API_LOCAL_PORTS", NOWHERE);
    let said = said(command);
    let place = "error: cannot make the folder /proc/no-home/";
    assert!(said.contains(place), "{said}");
    let way_out = "set HOME or DIALOG2API_STATE_DIR to a folder that can be written to";
    assert!(said.contains(way_out), "{said}");
}
