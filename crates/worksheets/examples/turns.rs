//! Prints the turns of recorded dialogues, one line of JSON each: the states before and after,
//! the program, the acts, the results of queries and calls. The first line is the sheets, in the
//! JSON of the original. `dialog2api worksheet stats` counts such lines (without the first), and
//! `scripts/original.py` plays them through the original's code:
//! `cargo run -p worksheets --example turns -- FOLDER`. In the place of a folder stand the cases
//! of the crate (`tests/data/cases.jsonl`), whose acts are those that a case wants.

#[path = "shared/ended.rs"]
mod ended;
mod folder;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use ended::ended;
use folder::Folder;
use serde_json::{Value as Json, json};
use worksheets::dialogue::{Play, Recorded, outcome};
use worksheets::{Format, Settings, Sheets, read, write};

fn main() -> ExitCode {
    ended(run())
}

fn run() -> Result<(), String> {
    let path = std::env::args().nth(1).ok_or("usage: turns FOLDER")?;
    match path.ends_with(".jsonl") {
        true => cases(&path),
        false => dialogues(Path::new(&path)),
    }
}

fn dialogues(path: &Path) -> Result<(), String> {
    let folder = Folder::open(path)?;
    let mut knowledge = folder.knowledge()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    println!(
        "{}",
        json!({ "sheets": { &*name: original(&folder.sheets)? } })
    );
    for (_, dialogue) in &folder.dialogues {
        let mut backend = Recorded::of(dialogue)?;
        let mut play = Play::new(&folder.sheets, Settings::default(), &mut knowledge);
        for (number, turn) in (1..).zip(&dialogue.turns) {
            let played = play.turn(&turn.program, &mut backend);
            let (before, after) = (played.before.json(), played.turned.state.json());
            let outcome = outcome(&played);
            let line = json!({
                "id": format!("{}, turn {number}", dialogue.uid),
                "sheets": name,
                "before": before,
                "after": after,
                "program": turn.program,
                "acts": outcome["acts"],
                "outcome": outcome,
            });
            println!("{line}");
        }
    }
    Ok(())
}

fn cases(path: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    for (number, line) in (0..).zip(text.lines()) {
        let case: Json = serde_json::from_str(line).map_err(|error| error.to_string())?;
        if number == 0 {
            let books = case["sheets"].as_object().ok_or("there are no sheets")?;
            let of = |csv: &Json| {
                let csv = csv.as_str().unwrap_or_default().as_bytes();
                original(&read(csv, Format::Csv).map_err(|problems| format!("{problems:?}"))?)
            };
            let books = books.iter().map(|(name, csv)| Ok((name.clone(), of(csv)?)));
            let books = books.collect::<Result<BTreeMap<String, Json>, String>>()?;
            println!("{}", json!({ "sheets": books }));
        } else if case.get("kind").is_none() {
            println!("{case}");
        }
    }
    Ok(())
}

fn original(sheets: &Sheets) -> Result<Json, String> {
    let text = write(sheets, Format::Original).unwrap_or_default();
    serde_json::from_str(&text).map_err(|error| error.to_string())
}
