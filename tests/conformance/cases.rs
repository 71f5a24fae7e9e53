//! The cases as they are in the files.

use serde::Deserialize;
use serde_json::Value as Json;

/// The cases that came with real botocore's answers.
pub const GIVEN: &str = include_str!("s3-cases.jsonl");

/// The cases of all the other operations.
pub const FULL: &str = include_str!("full-cases.jsonl");

/// Further cases, recorded by `record.py`.
pub const OWN: &str = include_str!("own-cases.jsonl");

/// One program and what boto3 made of it.
#[derive(Clone, Deserialize)]
pub struct Case {
    pub id: String,
    /// Python that runs first, as a program of its own.
    #[serde(default)]
    pub setup: String,
    pub program: String,
    /// The region of the client's endpoint.
    #[serde(default = "us_east_1")]
    pub client_region: String,
    /// What was recorded.
    #[serde(default)]
    expect: Json,
    /// What AWS does where the recording server does something else.
    #[serde(default)]
    aws_expect: Json,
    #[serde(default)]
    moto_deviation: bool,
}

fn us_east_1() -> String {
    "us-east-1".to_owned()
}

impl Case {
    /// The cases of a file, in its order.
    pub fn read(file: &str) -> Vec<Case> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        file.lines().map(parse).collect()
    }

    /// `{"return": …}` or `{"error": {…}}`.
    pub fn expected(&self) -> &Json {
        match self.moto_deviation {
            true => &self.aws_expect,
            false => &self.expect,
        }
    }
}

/// The cases in the folder that the variable `DIALOG2API_EXTRA_CASES` names: every file there
/// whose name ends with `.jsonl` and whose first line is a case, with its name.
pub fn extra() -> Vec<(String, String)> {
    let Some(folder) = std::env::var_os("DIALOG2API_EXTRA_CASES") else {
        return Vec::new();
    };
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{folder:?}: {e}"));
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "jsonl")
    });
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        (path.display().to_string(), text)
    };
    let is_of_cases = |(_, text): &(String, String)| {
        let first = text.lines().next().unwrap_or_default();
        serde_json::from_str::<Case>(first).is_ok()
    };
    paths.iter().map(read).filter(is_of_cases).collect()
}

/// The ids of the cases that the divergences page lists: `` - `id`: why ``.
pub fn divergences() -> Vec<&'static str> {
    include_str!("../../crates/s3-world/src/divergences.md")
        .lines()
        .filter_map(|line| line.strip_prefix("- `")?.split_once("`:"))
        .map(|(id, _)| id)
        .filter(|id| id.contains('.') && !id.contains(' '))
        .collect()
}
