//! Files of games that were played.

use crate::error::{Error, Result};
use crate::files::AppendLog;
use decision_games::Recorded;
use std::fs::OpenOptions;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The game so far, as it is recorded.
#[derive(Clone, Default)]
pub struct Kept(Arc<Mutex<Option<Recorded>>>);

impl Kept {
    pub fn set(&self, game: Recorded) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(game);
    }

    pub fn take(&self) -> Option<Recorded> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Adds a game to a file. Its number is the seed of its world, or one that is free.
pub fn append(path: &Path, mut game: Recorded) -> Result<()> {
    let (text, known) = read(path)?;
    let same = || known.iter().filter(|other| other.game == game.game);
    if same().any(|other| other.index == game.index) {
        let last = same().map(|other| other.index).max().unwrap_or_default();
        game.index = last.saturating_add(1);
    }
    let line = serde_json::to_string(&game).map_err(Error::bug("a game cannot be written"))?;
    let between = if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    let file = OpenOptions::new().create(true).append(true).open(path);
    let added = file.and_then(|file| {
        // What somebody else adds meanwhile stays: it waits.
        file.lock()?;
        let whole = file.metadata()?.len();
        let line = format!("{between}{line}\n");
        AppendLog::after(Box::new(file), whole)?.append_soon(line.as_bytes())
    });
    added.map_err(Error::file("cannot write", path))
}

/// The games that a file has already, with its text. It is looked at before
/// anybody plays.
///
/// # Errors
/// It has something else, or is in no folder.
pub fn read(path: &Path) -> Result<(String, Vec<Recorded>)> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Error::file("cannot read", path)(error)),
    };
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let shown = folder.display();
        return Err(Error::usage(format!(
            "there is no folder {shown}: make it first"
        )));
    }
    let wrong = |error| {
        let path = path.display();
        Error::usage(format!("{path} has no games to add one to: {error}"))
    };
    let known = Recorded::read(&text).map_err(wrong)?;
    Ok((text, known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_gets_a_line_and_a_number_of_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mine.jsonl");
        let line = r#"{"game":"restaurant","index":3,"world":{},"turns":[],"recorded":null}"#;
        // An editor may have left out the last line break.
        std::fs::write(&path, line).expect("written");
        let game = Recorded::read(line).expect("a game").remove(0);
        for _ in 0..2 {
            append(&path, game.clone()).expect("added");
        }
        let lines = ["3", "4", "5"].map(|index| line.replace('3', index) + "\n");
        let text = std::fs::read_to_string(&path).expect("a file");
        assert_eq!(text, lines.concat());
    }
}
