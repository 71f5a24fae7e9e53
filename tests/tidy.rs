//! Style that matters is a test: the files of the project, read as text.
//!
//! What belongs here: what must be absent from a file, and what a compiler or a
//! lint cannot see. The numbers are those of the invariants in `src/lib.rs`.

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

/// The imports of a folder from modules of the crate that are not these.
fn imports_beyond(folder: &str, known: &[&str]) -> Vec<String> {
    let files = rust(&[folder]);
    let imports = files.iter().flat_map(|file| {
        file.code().filter_map(|(number, line)| {
            let (_, path) = line.split_once("crate::")?;
            let found = !known.iter().any(|module| path.starts_with(module));
            found.then(|| format!("{}:{number}: {}", file.path, line.trim()))
        })
    });
    imports.collect()
}

/// Code of the library and binary outside these folders and files.
fn outside(allowed: &[&str]) -> Vec<File> {
    let mut found = rust(&["src"]);
    let all = found.len();
    found.retain(|file| !allowed.iter().any(|place| file.path.starts_with(place)));
    assert!(found.len() < all, "none of {allowed:?} exists any more");
    found
}

#[test]
fn the_dialogue_core_imports_nothing_of_the_crate() {
    // Invariant 1.
    let files = rust(&["src/dialogue"]);
    none(
        "`dialogue` stands alone",
        imports_beyond("src/dialogue", &["dialogue::"]),
    );
    let effects = [
        "std::fs",
        "std::net",
        "std::env",
        "std::process",
        "stdin",
        "tokio",
        "async ",
    ];
    none("`dialogue` does no I/O", mentions(&files, &effects));
}

#[test]
fn what_looks_claims_up_knows_dialogues_and_no_more() {
    // Invariant 1.
    let files = rust(&["src/claims"]);
    let imports = files.iter().flat_map(|file| {
        file.code().filter_map(|(number, line)| {
            let (_, path) = line.split_once("crate::")?;
            let found = !path.starts_with("dialogue::");
            found.then(|| format!("{}:{number}: {}", file.path, line.trim()))
        })
    });
    none("`claims` knows `dialogue` alone", imports);
    let domain = ["bucket", "s3", "boto", "std::fs", "std::net", "async "];
    none("`claims` is of no domain", mentions(&files, &domain));
}

#[test]
fn the_sandbox_knows_no_domain() {
    // Invariant 2. The guest's own files count as well.
    let files = files(&["src/exec", "sandbox/src"]);
    none(
        "`exec` knows no domain",
        mentions(&files, &["s3", "bucket", "boto"]),
    );
}

#[test]
fn a_domain_knows_no_python_engine() {
    // Invariant 2.
    let files = rust(&["src/domain"]);
    let engine = ["crate::exec", "wasmtime", "minicbor"];
    none("a domain knows no Python engine", mentions(&files, &engine));
}

#[test]
fn a_policy_knows_domains_and_nothing_else() {
    // Invariant 6.
    none(
        "`policy` imports only `domain`",
        imports_beyond("src/policy", &["policy::", "domain::", "error::"]),
    );
    let below = rust(&["src/domain", "src/exec"]);
    none(
        "a policy is around a world and not in it",
        mentions(&below, &["crate::policy"]),
    );
}

#[test]
fn a_journal_knows_what_it_keeps() {
    let kept = [
        "journal::",
        "dialogue::",
        "domain::",
        "exec::",
        "plan::",
        "llm::",
        "agent::",
    ];
    let known: Vec<&str> = kept.into_iter().chain(["error::", "lock::"]).collect();
    none(
        "`journal` imports only what it keeps",
        imports_beyond("src/journal", &known),
    );
    let below = rust(&["src/domain", "src/exec", "src/plan", "src/llm", "src/agent"]);
    none(
        "what is kept does not know the journal",
        mentions(&below, &["crate::journal"]),
    );
}

#[test]
fn what_serves_every_domain_names_none() {
    let files = rust(&[
        "src/agent",
        "src/dataset",
        "src/eval",
        "src/journal",
        "src/llm",
        "src/policy",
        "src/prompts",
    ]);
    none(
        "these serve every domain",
        mentions(&files, &["domain::s3", "s3::"]),
    );
}

#[test]
fn the_words_of_the_prompts_are_of_no_domain() {
    let mut files = files(&["src/prompts"]);
    files.retain(|file| !file.is(&["rs"]));
    assert!(!files.is_empty(), "the templates are gone");
    none(
        "templates serve every domain",
        mentions(&files, &["bucket", "s3", "boto"]),
    );
}

#[test]
fn each_outside_party_is_spoken_to_in_one_place() {
    // Invariant 8. `Url` and `StatusCode` are data types and send nothing.
    let mut files = outside(&["src/llm/", "src/weights/"]);
    for file in &mut files {
        file.text = file.text.replace("reqwest::Url", "");
        file.text = file.text.replace("reqwest::StatusCode", "");
    }
    none(
        "only `llm` and `weights` speak HTTP",
        mentions(&files, &["reqwest"]),
    );
    let files = outside(&["src/domain/s3/remote/", "src/llm/bedrock/", "src/aws.rs"]);
    none(
        "only `remote` speaks to S3, and only `llm` to Bedrock",
        mentions(&files, &["aws_sdk", "aws_config"]),
    );
    let files = outside(&[
        "src/domain/s3/remote/",
        "src/domain/s3/serve/direct.rs",
        "src/llm/bedrock/",
        "src/aws.rs",
    ]);
    none(
        "only these and what stands in for their network know the SDK's parts",
        mentions(&files, &["aws_smithy"]),
    );
    let files = outside(&["src/domain/s3/serve/"]);
    none(
        "only `serve` answers S3's requests",
        mentions(&files, &["s3s", "hyper"]),
    );
    let files = outside(&["src/exec/"]);
    none(
        "only `exec` knows the engine",
        mentions(&files, &["wasmtime"]),
    );
}

#[test]
fn the_boundary_of_the_sandbox_is_one_file() {
    // Invariant 4.
    let files = outside(&["src/exec/link.rs"]);
    none(
        "only `exec/link.rs` links host functions",
        mentions(&files, &["func_wrap", "func_new"]),
    );
}

#[test]
fn unsafe_code_is_in_one_place() {
    let files = outside(&["src/exec/prepare.rs"]);
    none(
        "only loading a compiled module is unsafe",
        mentions(&files, &["unsafe"]),
    );
}

#[test]
fn only_the_program_knows_the_command_line() {
    let files = outside(&["src/cli", "src/main.rs"]);
    none(
        "the library does not know the command line",
        mentions(&files, &["crate::cli", "super::cli"]),
    );
}

#[test]
fn only_the_command_line_prints() {
    let files = outside(&["src/cli", "src/main.rs"]);
    none(
        "only `cli` prints",
        mentions(&files, &["println!", "print!", "stdout()", "stderr()"]),
    );
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
    let files = rust(&["src", "tests", "benches", "fuzz", "sandbox/src", "build.rs"]);
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
fn the_changelog_has_a_place_for_what_comes() {
    let files = files(&["CHANGELOG.md"]);
    let [changelog] = files.as_slice() else {
        panic!("CHANGELOG.md is not text")
    };
    assert!(changelog.text.contains("\n## [Unreleased]\n"));
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
