//! Plays the recorded dialogues of a folder again, without a model, a box or Python, and says
//! what goes otherwise than recorded and which cells are reached:
//! `cargo run -p worksheets --example rehearse -- FOLDER`.

mod folder;

use std::path::Path;
use std::process::ExitCode;

use folder::Folder;
use worksheets::Settings;
use worksheets::dialogue::{Dialogue, rehearse};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(3),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool, String> {
    let path = std::env::args().nth(1).ok_or("usage: rehearse FOLDER")?;
    let folder = Folder::open(Path::new(&path))?;
    let dialogues = folder.dialogues.iter().map(|(_, dialogue)| dialogue);
    let dialogues: Vec<Dialogue> = dialogues.cloned().collect();
    let mut knowledge = folder.knowledge()?;
    let settings = Settings::default();
    let rehearsed = rehearse(&folder.sheets, settings, &mut knowledge, &dialogues)?;
    print!("{}", rehearsed.text());
    Ok(rehearsed.passed())
}
