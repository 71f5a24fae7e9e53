//! The server program: `llama-server`, or llama.cpp from a Python package in a virtual
//! environment of this program.

use crate::error::{Error, Result};
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The packages to install, with versions and digests.
const REQUIREMENTS: &str = include_str!("requirements.txt");
const RUNNER: &str = include_str!("runner.py");

/// The folder for temporary files of the installation, beside the environment.
const SCRATCH: &str = "server-scratch";

/// How long a `llama-server` may take to print its help.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(5);

/// A program that serves a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerProgram {
    /// llama.cpp's own server.
    LlamaServer(PathBuf),
    /// A Python interpreter with the package of llama.cpp.
    Python(PathBuf),
}

/// The settings of a server.
#[derive(Debug, Clone)]
pub(super) struct Told<'a> {
    pub(super) model: &'a Path,
    pub(super) adapter: Option<&'a Path>,
    pub(super) alias: &'a str,
    pub(super) port: u16,
    pub(super) key: &'a str,
    pub(super) threads: u32,
    pub(super) context: u32,
    pub(super) slots: u32,
    /// The options of a `llama-server` for look-up decoding. `runner.py` has its own.
    pub(super) look_up: &'a [&'static str],
}

impl ServerProgram {
    /// The program on this machine: the first `llama-server` on `PATH` that starts, else the one
    /// of [`install`].
    pub fn find() -> Option<ServerProgram> {
        on_path().map(ServerProgram::LlamaServer).or_else(|| {
            let folder = environment().ok()?;
            is_installed(&folder).then(|| ServerProgram::Python(python(&folder)))
        })
    }

    /// The command line and the variables. The key is in a variable, because every user of
    /// the machine can read command lines.
    pub(super) fn words(&self, told: &Told<'_>) -> (Vec<OsString>, Vec<(&'static str, String)>) {
        let key = ("LLAMA_API_KEY", told.key.to_owned());
        match self {
            ServerProgram::LlamaServer(program) => {
                let mut words = vec![program.into(), "--model".into(), told.model.into()];
                let numbers = [
                    ("--port", u32::from(told.port)),
                    ("--threads", told.threads),
                    ("--ctx-size", told.context),
                    ("--parallel", told.slots),
                ];
                for (option, number) in numbers {
                    words.extend([option.into(), number.to_string().into()]);
                }
                if let Some(adapter) = told.adapter {
                    words.extend(["--lora".into(), adapter.into()]);
                }
                words.extend(told.look_up.iter().map(OsString::from));
                let rest = ["--host", "127.0.0.1", "--alias", told.alias, "--jinja"];
                words.extend(rest.map(OsString::from));
                (words, vec![key])
            }
            ServerProgram::Python(python) => {
                let settings = serde_json::json!({
                    "model": told.model.to_string_lossy(),
                    "adapter": told.adapter.map(Path::to_string_lossy),
                    "alias": told.alias,
                    "port": told.port,
                    "threads": told.threads,
                    "context": told.context,
                    "slots": told.slots,
                });
                let words = [python.into(), "-I".into(), "-c".into(), RUNNER.into()];
                let settings = ("DIALOG2API_SERVER", settings.to_string());
                (words.to_vec(), vec![key, settings])
            }
        }
    }
}

/// The first `llama-server` on `PATH` that starts. It is looked for once: its help takes a while.
fn on_path() -> Option<PathBuf> {
    static FOUND: Mutex<Option<(OsString, Option<PathBuf>)>> = Mutex::new(None);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, program)) = &*found
        && *known == path
    {
        return program.clone();
    }
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let mut programs = folders.map(|folder| folder.join("llama-server"));
    let program = programs.find(|program| program.is_file() && starts(program));
    *found = Some((path, program.clone()));
    program
}

/// Whether a program prints its help: one for another machine, or without its libraries, does not.
fn starts(program: &Path) -> bool {
    let mut command = Command::new(program);
    command.arg("--help").stdin(Stdio::null());
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = child else {
        return false;
    };
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => std::thread::sleep(PAUSE),
            Err(_) => break,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    false
}

/// Installs the Python package in a virtual environment in the user's data folder, unless it
/// is installed. Reports each step to `say`.
///
/// # Errors
/// [`Error::usage`] if there is no Python with `venv`, [`Error::model`] if pip cannot
/// install the package.
pub fn install(say: &mut dyn FnMut(&str)) -> Result<ServerProgram> {
    let folder = environment()?;
    let parent = folder.parent().unwrap_or(&folder);
    fs::create_dir_all(parent).map_err(Error::no_folder(parent, "XDG_DATA_HOME"))?;
    let lock = parent.join("server.lock");
    let file = File::create(&lock).map_err(Error::file("cannot write", &lock))?;
    // Held until the end: another process waits for it, and then finds the package
    // installed.
    file.lock().map_err(Error::file("cannot lock", &lock))?;
    let python = python(&folder);
    if is_installed(&folder) {
        return Ok(ServerProgram::Python(python));
    }
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(Error::file("cannot remove", &folder))?;
    }
    say("making a virtual environment for the server");
    let way_out = "install Python 3.10 or later with its venv module (Debian's package \
                   python3-venv), or llama.cpp's `llama-server`";
    let mut made = Command::new("python3");
    // Isolated: the working directory may have a folder `venv`, and PYTHONPATH anything.
    made.args(["-I", "-m", "venv"]).arg(&folder);
    alone(&mut made, parent)?;
    match made.output() {
        Ok(output) if output.status.success() => {}
        Ok(output) => {
            let problem = first_line(&output.stderr).or_else(|| first_line(&output.stdout));
            let problem = problem.unwrap_or_else(|| output.status.to_string());
            return Err(Error::usage(format!(
                "python3 makes no virtual environment ({problem}): {way_out}"
            )));
        }
        Err(_) => {
            return Err(Error::usage(format!("there is no python3 here: {way_out}")));
        }
    }
    say("installing llama.cpp's server (xllamacpp, 34 MB) from the Python index");
    let wanted = folder.join("requirements.txt");
    fs::write(&wanted, REQUIREMENTS).map_err(Error::file("cannot write", &wanted))?;
    let mut pip = Command::new(&python);
    pip.args(["-I", "-m", "pip", "install", "--disable-pip-version-check"])
        .args(["--no-input", "--no-deps", "--only-binary", ":all:"])
        .args(["--require-hashes", "--quiet", "-r"])
        .arg(&wanted);
    alone(&mut pip, parent)?;
    let installed = (pip.output()).map_err(Error::file("cannot run", &python))?;
    let _ = fs::remove_dir_all(parent.join(SCRATCH));
    if !installed.status.success() {
        let errors = String::from_utf8_lossy(&installed.stderr);
        let named = errors.lines().find(|line| line.starts_with("ERROR:"));
        let problem = named
            .map(str::to_owned)
            .or_else(|| first_line(&installed.stderr));
        return Err(Error::model(format!(
            "pip cannot install the server ({}); llama.cpp's `llama-server` on PATH is taken as well",
            problem.unwrap_or_else(|| installed.status.to_string())
        )));
    }
    let mark = mark(&folder);
    fs::write(&mark, REQUIREMENTS).map_err(Error::file("cannot write", &mark))?;
    Ok(ServerProgram::Python(python))
}

/// Lets a Python depend on nothing of the user's that has other purposes: neither on variables for
/// Python, nor on the room in the folder for temporary files.
fn alone(python: &mut Command, parent: &Path) -> Result<()> {
    let scratch = parent.join(SCRATCH);
    fs::create_dir_all(&scratch).map_err(Error::file("cannot make the folder", &scratch))?;
    (python.stdin(Stdio::null()).env("TMPDIR", scratch))
        .env_remove("PYTHONPATH")
        .env_remove("PYTHONHOME");
    Ok(())
}

/// The folder of the virtual environment.
fn environment() -> Result<PathBuf> {
    let models = crate::weights::models_folder()?;
    Ok(models.with_file_name("server"))
}

fn python(folder: &Path) -> PathBuf {
    folder.join("bin/python")
}

/// The file that marks an environment as complete, for one version of the packages.
fn mark(folder: &Path) -> PathBuf {
    folder.join("installed.txt")
}

fn is_installed(folder: &Path) -> bool {
    fs::read_to_string(mark(folder)).is_ok_and(|text| text == REQUIREMENTS)
        && python(folder).exists()
}

fn first_line(output: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(output);
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    Some(line.trim().to_owned())
}
