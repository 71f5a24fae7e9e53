//! Rules about the files of the project that neither the compiler nor a lint holds.
//!
//! The tables say which module knows which other, and who alone speaks to whom; the
//! invariants are those of `src/lib.rs`. Unsafe code, printing macros and `unwrap` are
//! lints in `Cargo.toml`; licences and sources are in `.deny.toml`.

use std::fs;
use std::path::{Path, PathBuf};

const MAX_LINES: usize = 500;

/// A file of the project.
struct File {
    /// Relative to the root of the project, with `/`.
    path: String,
    text: String,
}

impl File {
    /// The lines that are not comments, with their numbers.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let comment = if self.is(&["py"]) { "#" } else { "//" };
        let numbered = self.text.lines().enumerate();
        numbered
            .map(|(index, line)| (index + 1, line))
            .filter(move |(_, line)| !line.trim_start().starts_with(comment))
    }

    fn is(&self, extensions: &[&str]) -> bool {
        let extension = Path::new(&self.path).extension();
        extensions
            .iter()
            .any(|known| extension.is_some_and(|e| e == *known))
    }
}

/// The files in these folders, or these files, in order.
fn files(places: &[&str]) -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for place in places {
        let path = root.join(place);
        assert!(path.exists(), "{place} is missing");
        collect(path, &mut paths);
    }
    paths.sort();
    let read = paths.into_iter().filter_map(|path| {
        let relative = path.strip_prefix(root).unwrap_or(&path);
        let path_text = relative.to_string_lossy().replace('\\', "/");
        // What is not text has no style.
        let text = String::from_utf8(fs::read(&path).expect("a readable file")).ok()?;
        Some(File {
            path: path_text,
            text,
        })
    });
    read.collect()
}

fn collect(path: PathBuf, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(&path) else {
        return paths.push(path);
    };
    for entry in entries {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default();
        if name != "target" && name != "__pycache__" {
            collect(path, paths);
        }
    }
}

fn rust(places: &[&str]) -> Vec<File> {
    let mut found = files(places);
    found.retain(|file| file.is(&["rs"]));
    found
}

/// Fails with one line for every finding.
fn none(rule: &str, findings: impl IntoIterator<Item = String>) {
    let findings: Vec<String> = findings.into_iter().collect();
    assert!(findings.is_empty(), "{rule}:\n{}", findings.join("\n"));
}

/// The lines of code that have any of these words, whatever their case.
fn mentions<'a>(files: &'a [File], words: &'a [&str]) -> impl Iterator<Item = String> + 'a {
    files.iter().flat_map(move |file| {
        file.code().filter_map(move |(number, line)| {
            let lower = line.to_lowercase();
            let word = words.iter().find(|word| lower.contains(**word))?;
            Some(format!("{}:{number}: has `{word}`", file.path))
        })
    })
}

/// Code of the library and binary outside these folders and files.
fn outside(allowed: &[&str]) -> Vec<File> {
    let mut found = rust(&["src"]);
    let all = found.len();
    found.retain(|file| !allowed.iter().any(|place| file.path.starts_with(place)));
    assert!(found.len() < all, "none of {allowed:?} exists any more");
    found
}

/// Folders, and the modules of the crate that they may import.
const IMPORTS: &[(&str, &[&str])] = &[
    // Invariant 1.
    ("src/dialogue", &["dialogue"]),
    ("src/claims", &["dialogue"]),
    // Invariant 6.
    ("src/policy", &["policy", "domain", "error"]),
    (
        "src/journal",
        &[
            "journal", "dialogue", "domain", "exec", "plan", "llm", "agent", "error", "files",
            "lock",
        ],
    ),
];

#[test]
fn modules_import_only_what_is_below_them() {
    for (folder, known) in IMPORTS {
        let files = rust(&[folder]);
        let imports = files.iter().flat_map(|file| {
            file.code().filter_map(|(number, line)| {
                let (_, path) = line.split_once("crate::")?;
                let module = path
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .next()?;
                let found = !known.contains(&module);
                found.then(|| format!("{}:{number}: {}", file.path, line.trim()))
            })
        });
        none(&format!("{folder} knows only {known:?}"), imports);
    }
}

/// Rules, the places that they hold for, and words that are absent there.
const ABSENT: &[(&str, &[&str], &[&str])] = &[
    (
        "`dialogue` does no I/O (invariant 1)",
        &["src/dialogue"],
        &[
            "std::fs",
            "std::net",
            "std::env",
            "std::process",
            "stdin",
            "tokio",
            "async ",
        ],
    ),
    (
        "`claims` is of no domain, and does no I/O (invariant 1)",
        &["src/claims"],
        &["bucket", "s3", "boto", "std::fs", "std::net", "async "],
    ),
    (
        "`exec` and the guest know no domain (invariant 2)",
        &["src/exec", "sandbox/src"],
        &["s3", "bucket", "boto"],
    ),
    (
        "a domain knows no Python engine (invariant 2)",
        &["src/domain"],
        &["crate::exec", "wasmtime", "minicbor"],
    ),
    (
        "a policy is around a world and not in it (invariant 6)",
        &["src/domain", "src/exec"],
        &["crate::policy"],
    ),
    (
        "an MCP server is no folder, and knows no Python engine",
        &["src/mcp"],
        &["crate::folder", "crate::exec", "wasmtime"],
    ),
    (
        "what is kept does not know the journal",
        &["src/domain", "src/exec", "src/plan", "src/llm", "src/agent"],
        &["crate::journal"],
    ),
    (
        "these serve every domain",
        &[
            "src/agent",
            "src/dataset",
            "src/eval",
            "src/journal",
            "src/llm",
            "src/policy",
            "src/prompts",
            "src/service",
        ],
        &["domain::s3", "s3::"],
    ),
];

#[test]
fn modules_do_not_name_what_they_must_not_know() {
    for (rule, places, words) in ABSENT {
        let mut files = files(places);
        files.retain(|file| file.is(&["rs", "py"]));
        for file in &mut files {
            // The SDK's types for credentials, which Bedrock's client signs with.
            file.text = file.text.replace("aws_sdk_s3::config", "");
        }
        none(rule, mentions(&files, words));
    }
    let mut templates = files(&["src/prompts"]);
    templates.retain(|file| !file.is(&["rs"]));
    assert!(!templates.is_empty(), "the templates are gone");
    none(
        "templates serve every domain",
        mentions(&templates, &["bucket", "s3", "boto"]),
    );
}

/// Rules, the only places that may have these words, and the words. Invariants 4 and 8.
const ONLY: &[(&str, &[&str], &[&str])] = &[
    (
        "only `llm`, `mcp`, `openapi` and `weights` speak HTTP",
        &[
            "src/llm/",
            "src/mcp/http.rs",
            "src/openapi/",
            "src/weights/",
        ],
        &["reqwest"],
    ),
    ("only `mcp` speaks to MCP servers", &["src/mcp/"], &["rmcp"]),
    (
        "only `remote` speaks to S3, and only `llm` to Bedrock",
        &["src/domain/s3/remote/", "src/llm/bedrock/", "src/aws.rs"],
        &["aws_sdk", "aws_config"],
    ),
    (
        "only these and what stands in for their network know the SDK's parts",
        &[
            "src/domain/s3/remote/",
            "src/domain/s3/serve/direct.rs",
            "src/llm/bedrock/",
            "src/aws.rs",
        ],
        &["aws_smithy"],
    ),
    (
        "only the domain S3, the list of domains and `world serve` name S3",
        &["src/domain/", "src/cli/serve.rs"],
        &["domain::s3"],
    ),
    (
        "only `serve` answers S3's requests",
        &["src/domain/s3/serve/"],
        &["s3s", "hyper"],
    ),
    (
        "only `exec` knows the engine",
        &["src/exec/"],
        &["wasmtime"],
    ),
    (
        "only `exec/link.rs` links host functions",
        &["src/exec/link.rs"],
        &["func_wrap", "func_new"],
    ),
    (
        "the library does not know the command line",
        &["src/cli", "src/main.rs"],
        &["crate::cli", "super::cli"],
    ),
    (
        "only `cli` prints; clippy finds the macros",
        &["src/cli", "src/main.rs"],
        &["stdout()", "stderr()"],
    ),
];

#[test]
fn each_outside_party_is_spoken_to_in_one_place() {
    for (rule, places, words) in ONLY {
        let mut files = outside(places);
        for file in &mut files {
            // Data types, which send nothing.
            file.text = file.text.replace("reqwest::Url", "");
            file.text = file.text.replace("reqwest::StatusCode", "");
        }
        none(rule, mentions(&files, words));
    }
}

#[test]
fn tests_do_not_sleep() {
    // Invariant 9. A sleep of a Python program moves only the program's own clock.
    let files = rust(&["tests"]);
    let here = |finding: &String| !finding.starts_with("tests/tidy.rs");
    let sleeps = mentions(&files, &["thread::sleep", "time::sleep"]);
    none(
        "tests wait for what happens, not for time",
        sleeps.filter(here),
    );
}

#[test]
fn every_file_says_what_it_is() {
    let files = rust(&[
        "src",
        "tests",
        "benches",
        "examples",
        "fuzz",
        "sandbox/src",
        "build.rs",
    ]);
    let silent = files.iter().filter(|file| !file.text.starts_with("//! "));
    none(
        "a file begins with `//! ` and what it is",
        silent.map(|file| file.path.clone()),
    );
}

#[test]
fn files_are_short() {
    let files = files(&[
        "src",
        "tests",
        "benches",
        "examples",
        "fuzz",
        "sandbox/src",
        "build.rs",
        ".ci/run",
    ]);
    let long = files.iter().filter_map(|file| {
        let lines = file.text.lines().count();
        // Data beside the tests, the recordings above all, is as long as it is.
        let counts = file.is(&["rs", "py", "j2"]) && lines > MAX_LINES;
        counts.then(|| format!("{}: {lines} lines", file.path))
    });
    none("a file of more than 500 lines wants to be two", long);
}

#[test]
fn no_file_names_a_machine() {
    let places = [
        "src",
        "tests",
        "benches",
        "examples",
        "fuzz",
        "sandbox/src",
        "api-docs",
        "datasets",
        ".ci",
        ".github",
        "build.rs",
        "Cargo.toml",
        "sandbox/Cargo.toml",
        ".deny.toml",
        "CHANGELOG.md",
    ];
    let private = ["root", "home", "work", "Users", "workspace"].map(|name| format!("/{name}/"));
    let files = files(&places);
    let found = files.iter().flat_map(|file| {
        let lines = file.text.lines().enumerate();
        lines.filter_map(|(index, line)| {
            let path = private.iter().find(|path| begins_a_path(line, path))?;
            Some(format!("{}:{}: has `{path}`", file.path, index + 1))
        })
    });
    none("paths of one machine work on one machine", found);
}

/// Whether an absolute path in the line begins so: `a/home/b` does not.
fn begins_a_path(line: &str, start: &str) -> bool {
    line.match_indices(start).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "_-.}$~".contains(c))
    })
}

#[test]
fn the_rules_find_what_they_look_for() {
    let file = |text: &str| {
        let path = "src/x.rs".to_owned();
        vec![File {
            path,
            text: text.to_owned(),
        }]
    };
    let found = |text: &str, words: &[&str]| mentions(&file(text), words).collect::<Vec<_>>();
    assert_eq!(
        found("fn a() {}\nlet Bucket = 1;", &["bucket"]),
        ["src/x.rs:2: has `bucket`"]
    );
    assert_eq!(found("    // a bucket", &["bucket"]), [""; 0]);
    let path = format!("/{}/", "root");
    assert!(begins_a_path(&format!("open('{path}x')"), &path));
    assert!(!begins_a_path(&format!("a{path}x"), &path));
}
