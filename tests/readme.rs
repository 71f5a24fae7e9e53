//! The README, CONTRIBUTING.md and the pages in `src/documentation/` are true: every command is run and
//! prints what they say, and every link leads somewhere (`readme/links.rs`).
//!
//! A `console` block has commands behind `$ ` and what they print below. A line
//! `...` stands for any number of lines. `cargo run … -- ARGS` and
//! `dialog2api ARGS` run the program that was built for the tests; `cargo test`
//! is what is running this very test.

mod links;

use crate::support::command;
use std::path::Path;

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
        _ if line.contains(" dialogues, ") || line.contains(" games, ") => {
            match line.rsplit_once(", ") {
                Some((counts, _)) => format!("{counts}, TIME"),
                None => line.to_owned(),
            }
        }
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

/// The README, CONTRIBUTING.md and the pages, by their paths. What `own_dataset.md`, `own_domain.md`,
/// `own_policy.md` and `own_replies.md` show is run by tests of their own, in folders of their own.
fn documents() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = std::fs::read_dir(root.join("src/documentation")).expect("pages");
    let pages = pages.map(|entry| entry.expect("an entry").file_name());
    let mut paths: Vec<String> = pages
        .filter_map(|name| name.into_string().ok())
        .filter(|name| name.ends_with(".md") && !name.starts_with("own_"))
        .map(|name| format!("src/documentation/{name}"))
        .collect();
    paths.sort();
    paths.insert(0, "README.md".to_owned());
    paths.insert(1, "CONTRIBUTING.md".to_owned());
    let read = |path: String| {
        let text = std::fs::read_to_string(root.join(&path)).expect("a document");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn every_command_prints_what_the_document_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut run = 0;
    for (path, text) in documents() {
        for Block {
            line,
            command,
            expected,
        } in blocks(&text)
        {
            let arguments = command.strip_prefix("dialog2api ").or_else(|| {
                let (cargo, arguments) = command.split_once(" -- ")?;
                cargo.starts_with("cargo run").then_some(arguments)
            });
            let Some(arguments) = arguments else {
                let known = command.starts_with("cargo test");
                assert!(known, "{path}:{line}: no test runs `{command}`");
                continue;
            };
            let output = command::dialog2api()
                .current_dir(root)
                .args(arguments.split_whitespace())
                .output()
                .expect("the program starts");
            let printed = String::from_utf8_lossy(&output.stdout);
            let lines = printed.lines().map(|line| timeless(line.trim_end()));
            let expected: Vec<String> = expected.iter().map(|line| timeless(line)).collect();
            assert!(
                matches(&expected, &lines.collect::<Vec<_>>()),
                "{path}:{line}: `{command}` printed\n{printed}\n{}",
                String::from_utf8_lossy(&output.stderr)
            );
            run += 1;
        }
    }
    assert!(run >= 8, "the documents show what the program does");
}

/// Commands that run for ever or need a model are in `sh` blocks: each must at least be
/// one that the program takes.
#[test]
fn every_other_command_is_one_that_the_program_takes() {
    let mut taken = 0;
    for (path, text) in documents() {
        let blocks = text.split("```sh\n").skip(1);
        let blocks = blocks.filter_map(|rest| Some(rest.split_once("```")?.0));
        for line in blocks.flat_map(str::lines) {
            let line = line.split_once(" #").map_or(line, |(command, _)| command);
            let cargo = line.strip_prefix("cargo run --locked -- ");
            let Some(arguments) = cargo.or(line.strip_prefix("dialog2api ")) else {
                continue;
            };
            let mut command = command::dialog2api();
            command.args(arguments.split_whitespace()).arg("--help");
            let output = command.output().expect("the program starts");
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{path}: `{line}`: {complaint}");
            taken += 1;
        }
    }
    assert!(taken >= 20, "the documents say how to use the program");
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
    check_scores("datasets/s3/results", "src/documentation/evaluation.md", 54);
    for (version, dialogues) in [("version-2", 54), ("version-1", 18)] {
        let folder = format!("datasets/s3/results/{version}");
        check_scores(&folder, &format!("{folder}/README.md"), dialogues);
    }
}

/// The scores in a folder are those of the table on a page, whose rows are of so many
/// dialogues or say of how many they are.
fn check_scores(folder: &str, page: &str, dialogues: u64) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join(page)).expect("the page");
    let mut rows = 0;
    for entry in std::fs::read_dir(root.join(folder)).expect("results") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let score = std::fs::read_to_string(&path).expect("a score");
        let score: serde_json::Value = serde_json::from_str(&score).expect("JSON");
        let model = text_of(&score["run"]["model"]);
        let settings = &score["run"]["settings"];
        let (model, setting) = match model.split_once(':') {
            Some((_, model)) if settings["form"] == "trained" => {
                let votes = settings["votes"].as_u64();
                let votes = votes.map_or(String::new(), |votes| format!(", `--votes {votes}`"));
                let names = match settings["known_names"] == true {
                    true => ", `--known-names`",
                    false => "",
                };
                (model, format!("adapter{votes}{names}"))
            }
            Some((_, model)) => (model, format!("({})", text_of(&settings["setting"]))),
            None => (model, String::new()),
        };
        let figures = ["emr", "turn_match", "bleu"].map(|name| figure(&score, name));
        let row = format!("| {setting} | {} |", figures.join(" | "));
        let part = match score["coverage"]["scored"].as_u64() {
            Some(all) if all == dialogues => String::new(),
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
    assert!(rows >= 4, "what costs nothing, and real models");
}

#[test]
fn the_readme_has_the_two_commands_that_everything_hangs_on() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("README.md")).expect("there is a README");
    let commands: Vec<String> = blocks(&text).into_iter().map(|b| b.command).collect();
    assert!(text.contains("\n```sh\ncargo run --locked -- chat --yes\n```\n"));
    let test = commands.iter().find(|c| c.starts_with("cargo test"));
    let test = test.expect("how to test");
    let ci = std::fs::read_to_string(root.join(".ci/run")).expect("there is a CI script");
    assert!(ci.contains(test.as_str()), ".ci/run does not call `{test}`");
}
