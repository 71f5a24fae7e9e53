//! Scores predicted turn programs on the recorded dialogues of a folder:
//! `cargo run -p worksheets --example evaluate -- FOLDER [PREDICTED]`. PREDICTED is a folder with
//! the same dialogues (files of the same names) and programs that a parser predicted. Without
//! it three baselines are scored: the gold programs, which must reach everything, a parser that
//! reads the first line of each only, and one that understands nothing.

#[path = "shared/ended.rs"]
mod ended;
mod folder;

use std::collections::HashMap;
use std::path::Path;
use std::process::ExitCode;

use ended::ended;
use folder::Folder;
use worksheets::Settings;
use worksheets::dialogue::Turn;
use worksheets::evaluate::{self, Mode, Report};

fn main() -> ExitCode {
    ended(run())
}

fn run() -> Result<(), String> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("usage: evaluate FOLDER [PREDICTED]")?;
    let folder = Folder::open(Path::new(&path))?;
    let programs = |folder: &Folder| -> HashMap<String, Vec<Turn>> {
        let dialogues = folder.dialogues.iter();
        dialogues
            .map(|(_, dialogue)| (dialogue.uid.clone(), dialogue.turns.clone()))
            .collect()
    };
    let systems = match args.next() {
        Some(predicted) => vec![("predicted", programs(&Folder::open(Path::new(&predicted))?))],
        None => {
            let gold = programs(&folder);
            let mut first = gold.clone();
            for Turn {
                program, result, ..
            } in first.values_mut().flatten()
            {
                program.truncate(program.find('\n').unwrap_or(program.len()));
                *result = None;
            }
            vec![
                ("gold", gold),
                ("first line", first),
                ("pass", HashMap::new()),
            ]
        }
    };
    for (system, programs) in systems {
        for (mode, named) in [
            (Mode::EndToEnd, "end to end"),
            (Mode::TeacherForced, "teacher-forced"),
        ] {
            let report = score(&folder, &programs, mode)?;
            println!("{system}, {named}: {}", report.text());
        }
    }
    Ok(())
}

fn score(
    folder: &Folder,
    programs: &HashMap<String, Vec<Turn>>,
    mode: Mode,
) -> Result<Report, String> {
    let mut knowledge = folder.knowledge()?;
    let mut scores = Vec::new();
    for (_, dialogue) in &folder.dialogues {
        let programs = programs.get(&dialogue.uid).map_or(&[][..], Vec::as_slice);
        let (sheets, settings) = (&folder.sheets, Settings::default());
        scores.push(evaluate::dialogue(
            sheets,
            settings,
            &mut knowledge,
            dialogue,
            programs,
            mode,
        )?);
    }
    Ok(Report::of(&scores))
}
