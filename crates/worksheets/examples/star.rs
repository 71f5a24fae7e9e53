//! What worksheets do on the dialogues of STAR: `cargo run -p worksheets --example star --
//! FOLDER`, a folder with `bank.jsonl`, `trip.jsonl` and `trivia.jsonl`. `-- FOLDER
//! bank gold` lists the turns in which they do something else than the wizard.

use std::process::ExitCode;

use worksheets::star::{
    Dialogue, Interval, Prediction, Protocol, Task, after_label, commonest, predictions, scores,
};

/// The F1 that the paper reports, of other annotations (Genie, table 1).
const REPORTED: [f64; 3] = [82.5, 83.4, 92.7];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let folder = args.first().ok_or("usage: star FOLDER [TASK own|gold]")?;
    for (task, reported) in Task::ALL.into_iter().zip(REPORTED) {
        let path = format!("{folder}/{}.jsonl", task.name());
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        let dialogues = Dialogue::read(&text).map_err(|why| format!("{path}: {why}"))?;
        if let [_, only, protocol] = args.as_slice() {
            let protocol = match protocol.as_str() {
                "own" => Protocol::Own,
                _ => Protocol::Gold,
            };
            if only == task.name() {
                differences(&dialogues, &predictions(task, &dialogues, protocol));
            }
            continue;
        }
        let rows = [
            ("commonest label", commonest(&dialogues)),
            ("label after label", after_label(&dialogues)),
            (
                "worksheets, own state",
                predictions(task, &dialogues, Protocol::Own),
            ),
            (
                "worksheets, gold state (oracle)",
                predictions(task, &dialogues, Protocol::Gold),
            ),
        ];
        println!("{}, {} dialogues", task.name(), dialogues.len());
        for (name, predictions) in rows {
            let scores = scores(&predictions);
            println!(
                "  {name:32} n {}  strict: accuracy {} F1 {}  lenient: accuracy {} F1 {}",
                scores.turns,
                shown(scores.strict.accuracy),
                shown(scores.strict.f1),
                shown(scores.lenient.accuracy),
                shown(scores.lenient.f1),
            );
        }
        println!("  reported (Genie, GPT-4 Turbo, other annotations): F1 {reported}");
    }
    Ok(())
}

fn shown(of: Interval) -> String {
    let [value, low, high] = [of.value, of.low, of.high].map(|figure| 100.0 * figure);
    format!("{value:.2} [{low:.1}, {high:.1}]")
}

/// The turns in which the sheets do something else than the wizard. A star marks those that are
/// wrong leniently as well.
fn differences(dialogues: &[Dialogue], predictions: &[Prediction]) {
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
