//! Rules about the files of the project that neither the compiler nor a lint holds. Unsafe
//! code, printing macros and `unwrap` are lints in `Cargo.toml`; licences and sources are in
//! `.deny.toml`.
//!
//! - `tidy/layers.rs`: the modules that each module may know
//! - `tidy/names.rs`: the names of public types
//! - `tidy/pages.rs`: the titles and outlines of pages

mod layers;
mod names;
mod pages;

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

#[test]
fn tests_do_not_sleep() {
    // Invariant 9. A sleep of a Python program moves only the program's own clock.
    let files = rust(&["tests", "crates/s3-world/tests"]);
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
        "crates/dialog2api-core",
        "crates/s3-world",
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
        "crates",
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
        "crates",
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
