//! Every command of the README is run, and prints what the README says.
//!
//! A `console` block has commands behind `$ ` and what they print below. A line
//! `...` stands for any number of lines. `cargo run … -- ARGS` and
//! `dialog2api ARGS` run the program that was built for the tests; `cargo test`
//! is what is running this very test.

use crate::support::command;
use std::path::Path;

/// Commands that a test cannot run, and why it need not.
const ELSEWHERE: &[(&str, &str)] = &[
    ("cargo test", "it runs this test"),
    (
        "cargo bench",
        "it takes a release build; the workflow runs it",
    ),
    (
        "pip install",
        "it installed the S3 server of tests/remote.rs",
    ),
];

struct Block {
    line: usize,
    command: String,
    expected: Vec<String>,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match line.strip_prefix("$ ") {
                Some(command) => blocks.push(Block {
                    line: index + 1,
                    command: command.to_owned(),
                    expected: Vec::new(),
                }),
                None => {
                    let block = blocks.last_mut().expect("a block begins with a command");
                    block.expected.push(line.to_owned());
                }
            },
        }
    }
    blocks
}

/// A line without the time that a program took.
fn timeless(line: &str) -> String {
    match line.rsplit_once(" · ") {
        Some((before, time)) if time.ends_with("s") => format!("{before} · TIME"),
        _ if line.starts_with("elapsed ") => "elapsed TIME".to_owned(),
        _ if line.contains(" dialogues, ") => match line.rsplit_once(", ") {
            Some((counts, _)) => format!("{counts}, TIME"),
            None => line.to_owned(),
        },
        _ => line.to_owned(),
    }
}

/// Whether `printed` is `expected`, where `...` stands for any number of lines.
fn matches(expected: &[String], printed: &[String]) -> bool {
    match expected.split_first() {
        None => printed.iter().all(|line| line.is_empty()),
        Some((wild, rest)) if wild == "..." => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        Some((first, rest)) => printed
            .split_first()
            .is_some_and(|(line, others)| line == first && matches(rest, others)),
    }
}

#[test]
fn every_command_prints_what_the_readme_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("README.md")).expect("there is a README");
    let blocks = blocks(&text);
    let mut run = 0;
    for Block {
        line,
        command,
        expected,
    } in &blocks
    {
        let arguments = command.strip_prefix("dialog2api ").or_else(|| {
            command
                .starts_with("cargo run")
                .then(|| command.split_once(" -- "))?
                .map(|(_, a)| a)
        });
        let Some(arguments) = arguments else {
            let known = ELSEWHERE
                .iter()
                .any(|(start, _)| command.starts_with(start));
            assert!(known, "README.md:{line}: no test runs `{command}`");
            continue;
        };
        let output = command::dialog2api()
            .current_dir(root)
            .args(arguments.split_whitespace())
            .output()
            .expect("the program starts");
        let printed = String::from_utf8_lossy(&output.stdout);
        let lines: Vec<String> = printed
            .lines()
            .map(|line| timeless(line.trim_end()))
            .collect();
        let expected: Vec<String> = expected.iter().map(|line| timeless(line)).collect();
        assert!(
            matches(&expected, &lines),
            "README.md:{line}: `{command}` printed\n{printed}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        run += 1;
    }
    assert!(run >= 3, "the README shows what the program does");
}

/// Commands that run for ever or need a model are in `sh` blocks: each must at least be
/// one that the program takes.
#[test]
fn every_other_command_is_one_that_the_program_takes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("README.md")).expect("there is a README");
    let mut blocks = text.split("```sh\n").skip(1);
    let mut taken = 0;
    while let Some((block, _)) = blocks.next().and_then(|rest| rest.split_once("```")) {
        for line in block.lines() {
            let line = line.split_once(" #").map_or(line, |(command, _)| command);
            let cargo = line.strip_prefix("cargo run --locked -- ");
            let Some(arguments) = cargo.or(line.strip_prefix("dialog2api ")) else {
                continue;
            };
            let mut command = command::dialog2api();
            command.args(arguments.split_whitespace()).arg("--help");
            let output = command.output().expect("the program starts");
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "`{line}`: {complaint}");
            taken += 1;
        }
    }
    assert!(taken >= 3, "the README says how to use the program");
}

/// A figure in per cent or points, with its interval.
fn figure(score: &serde_json::Value, name: &str) -> String {
    let metrics = score["metrics"].as_array().expect("metrics");
    let metric = metrics.iter().find(|metric| metric["name"] == name);
    let metric = metric.expect("a metric of this name");
    let scale = if metric["unit"] == "share" {
        100.0
    } else {
        1.0
    };
    let [value, low, high] = ["value", "low", "high"].map(|key| {
        let number = metric[key].as_f64().expect("a number");
        format!("{:.1}", number * scale)
    });
    format!("{value} ({low} to {high})")
}

fn text_of(value: &serde_json::Value) -> &str {
    value.as_str().expect("a text")
}

#[test]
fn the_scores_are_those_of_the_results() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("README.md")).expect("there is a README");
    let mut rows = 0;
    for entry in std::fs::read_dir(root.join("datasets/s3/results")).expect("results") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let score = std::fs::read_to_string(&path).expect("a score");
        let score: serde_json::Value = serde_json::from_str(&score).expect("JSON");
        let model = text_of(&score["run"]["model"]);
        let (model, setting) = match model.strip_prefix("openai:") {
            Some(model) => (
                model,
                format!("({})", text_of(&score["run"]["settings"]["setting"])),
            ),
            None => (model, String::new()),
        };
        let figures = ["emr", "turn_match", "bleu"].map(|name| figure(&score, name));
        let row = format!("| {setting} | {} |", figures.join(" | "));
        // A row is of the third that the README speaks of, or says how much it is of.
        let part = match score["coverage"]["scored"].as_u64() {
            Some(18) => String::new(),
            scored => format!(", {} dialogues", scored.expect("a number")),
        };
        let has = |line: &str| {
            let cells = line.strip_prefix("| ");
            let name = cells.and_then(|cells| cells.split_once(" |"));
            let name = name.and_then(|(name, _)| name.strip_suffix(part.as_str()));
            name.is_some_and(|name| {
                let name = name.to_lowercase().replace(' ', "-");
                !name.is_empty() && model.starts_with(&name) && line.ends_with(&row)
            })
        };
        assert!(
            text.lines().any(has),
            "{}: no row of it ends {row}",
            path.display()
        );
        rows += 1;
    }
    assert!(rows >= 5, "real models and what costs nothing");
}

#[test]
fn the_readme_has_the_two_commands_that_everything_hangs_on() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("README.md")).expect("there is a README");
    let commands: Vec<String> = blocks(&text).into_iter().map(|b| b.command).collect();
    assert!(commands[0].starts_with("cargo run"), "{}", commands[0]);
    let test = commands
        .iter()
        .find(|c| c.starts_with("cargo test"))
        .expect("how to test");
    let ci = std::fs::read_to_string(root.join(".ci/run")).expect("there is a CI script");
    assert!(ci.contains(test.as_str()), ".ci/run does not call `{test}`");
}
