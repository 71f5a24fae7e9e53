//! One hostile program: its file, and what it may do.

use dialog2api::dialogue::Outcome;
use dialog2api::exec::{Execution, Limits};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Where the programs are.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hostile");

/// What the names of the files begin with.
pub const GROUPS: [&str; 8] = [
    "file",
    "process",
    "network",
    "introspection",
    "exhaustion",
    "host",
    "terminal",
    "secret",
];

/// A hostile program.
pub struct Program {
    /// The file's name without `.py`: `file-open`.
    pub name: String,
    pub text: String,
    /// Whether it may change the world: its second line is `# Writes.`
    pub writes: bool,
    pub limits: Limits,
}

impl Program {
    /// All programs, in the order of their names.
    pub fn all() -> Vec<Program> {
        let entries = std::fs::read_dir(FOLDER).expect("the folder is there");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let mut paths: Vec<_> = paths
            .filter(|path| path.extension().is_some_and(|extension| extension == "py"))
            .collect();
        paths.sort();
        paths.iter().map(|path| Program::read(path)).collect()
    }

    /// Those of one group.
    pub fn group(name: &str) -> Vec<Program> {
        let mut programs = Program::all();
        programs.retain(|program| program.group_name() == name);
        programs
    }

    pub fn group_name(&self) -> &str {
        self.name.split('-').next().unwrap_or_default()
    }

    /// What it tries and what must come of it.
    pub fn purpose(&self) -> (&str, &str) {
        let first = self.text.lines().next().unwrap_or_default();
        let said = first
            .strip_prefix("# ")
            .and_then(|said| said.split_once(": "));
        said.unwrap_or_else(|| panic!("{}: its first line is to say `# what: outcome`", self.name))
    }

    fn read(path: &Path) -> Program {
        let text = std::fs::read_to_string(path).expect("a program");
        let second = text.lines().nth(1).unwrap_or_default();
        let deadline = second.strip_prefix("# Deadline: ");
        let deadline = deadline.and_then(|said| said.strip_suffix(" ms."));
        let limits = match deadline {
            // Fuel is the same on every machine, so it is what ends the other ones.
            None => Limits {
                fuel: 3_000_000_000,
                deadline: Duration::from_secs(120),
                ..Limits::default()
            },
            Some(millis) => Limits {
                deadline: Duration::from_millis(millis.parse().expect("milliseconds")),
                ..Limits::default()
            },
        };
        Program {
            name: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into(),
            writes: second == "# Writes.",
            limits,
            text,
        }
    }
}

/// What came of a program, on one line: the outcome, what it printed, what it called.
pub fn line(ran: &Execution) -> String {
    const SHOWN: usize = 400;
    let (kind, said) = match &ran.outcome {
        Outcome::Result(json) => ("result".to_owned(), json.to_string()),
        Outcome::Error(error) => (one_line(&error.error, 80), error.message.clone()),
    };
    let mut line = format!("{kind}: {}", without_addresses(&one_line(&said, SHOWN)));
    if !ran.output.is_empty() {
        line += &format!(" | printed {}", one_line(&ran.output, 60));
    }
    let mut calls: BTreeMap<String, usize> = BTreeMap::new();
    for call in ran.calls.iter() {
        let refused = call.error.as_deref().map(|code| format!(" {code}"));
        let call = format!("{}{}", call.operation, refused.unwrap_or_default());
        *calls.entry(one_line(&call, 120)).or_default() += 1;
    }
    for (call, count) in calls {
        line += &format!(" | {call} × {count}");
    }
    line
}

/// A text without the addresses of Python's objects, which any change moves.
fn without_addresses(text: &str) -> String {
    let mut parts = text.split("at 0x");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        shown += "at 0x…";
        shown += part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
    shown
}

/// Text on one line, with every control character visible, and cut.
fn one_line(text: &str, most: usize) -> String {
    let mut shown = String::new();
    for c in text.chars().take(most) {
        match c {
            '"' | '\'' | '\\' => shown.push(c),
            _ => shown.extend(c.escape_debug()),
        }
    }
    let length = text.chars().count();
    match length > most {
        true => format!("{shown}… ({length} characters)"),
        false => shown,
    }
}
