//! What worksheets do on the dialogues of STAR: `cargo run -p worksheets --example star --
//! FOLDER`, a folder with `bank.jsonl`, `trip.jsonl` and `trivia.jsonl`. `-- FOLDER labels` adds
//! each label, `-- FOLDER json` prints everything as JSON, a line a task. `-- FOLDER bank gold`
//! lists the turns in which the sheets do something else than the wizard.

#[path = "shared/ended.rs"]
mod ended;

use std::process::ExitCode;

use ended::ended;
use worksheets::star::{Prediction, Protocol, StarDialogue, StarTask, predictions, report};

fn main() -> ExitCode {
    ended(run())
}

fn run() -> Result<(), String> {
    const USAGE: &str = "usage: star FOLDER [labels | json | TASK own|gold]";
    let args: Vec<String> = std::env::args().skip(1).collect();
    let folder = args.first().ok_or(USAGE)?;
    for task in StarTask::ALL {
        let path = format!("{folder}/{}.jsonl", task.name());
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        let dialogues = StarDialogue::read(&text).map_err(|why| format!("{path}: {why}"))?;
        let words: Vec<&str> = args.iter().skip(1).map(String::as_str).collect();
        match words.as_slice() {
            [] => print!("{}", report(task, &dialogues).text()),
            ["labels"] => {
                let report = report(task, &dialogues);
                print!("{}{}", report.text(), report.labels_text());
            }
            ["json"] => println!("{}", report(task, &dialogues).json()),
            [only, state @ ("own" | "gold")] => {
                let protocol = match *state {
                    "own" => Protocol::Own,
                    _ => Protocol::Gold,
                };
                if *only == task.name() {
                    differences(&dialogues, &predictions(task, &dialogues, protocol));
                }
            }
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok(())
}

/// The turns in which the sheets do something else than the wizard. A star marks those that are
/// wrong leniently as well.
fn differences(dialogues: &[StarDialogue], predictions: &[Prediction]) {
    let turns = dialogues.iter().flat_map(|dialogue| {
        let turns = dialogue.turns.iter().filter(|turn| turn.gold.is_some());
        turns.map(move |turn| (dialogue.dialogue_id, turn))
    });
    for ((id, turn), one) in turns.zip(predictions) {
        if one.gold != one.strict {
            let mark = if one.is_right() { ' ' } else { '*' };
            let prev = turn.prev_system.as_deref().unwrap_or("-");
            println!(
                "{mark} {id}\t{prev}\t{:?}\twizard {}, sheets {}",
                turn.user, one.gold, one.strict
            );
        }
    }
}
