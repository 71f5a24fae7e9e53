//! Games of the user's own: folders with one, and the kinds of games with it.

use crate::blocking::apart;
use crate::cli::prepare;
use crate::error::{Error, Result};
use crate::games::{domains, in_python};
use decision_games::{Kinds, declared};
use std::path::{Path, PathBuf};

/// The files that define a game, each in a folder of its own.
const FILES: [&str; 2] = ["game.py", "game.json"];

/// Whether the text names a folder with a game of the user's own, or the file of one.
pub fn is_game(text: &str) -> bool {
    let path = Path::new(text);
    FILES
        .iter()
        .any(|file| path.join(file).is_file() || path.ends_with(file) && path.is_file())
}

/// The kinds of games, and the name of the one that was typed: a name, or a folder with a game. A
/// folder that only has the name of a game is none.
pub fn kinds(game: &str, quiet: bool) -> Result<(Kinds, String)> {
    let kinds = Kinds::default();
    let path = Path::new(game);
    let known = kinds.find(game).map(|_| ());
    match known {
        Ok(()) if !is_game(game) => Ok((kinds, game.to_owned())),
        Err(problem) if !path.exists() => Err(Error::usage(format!(
            "{problem}; a game of your own is a folder with a game.py or a game.json"
        ))),
        _ => with_own(kinds, path, quiet),
    }
}

/// These kinds and the game of a folder or of its file, with its name.
pub(super) fn with_own(kinds: Kinds, path: &Path, quiet: bool) -> Result<(Kinds, String)> {
    let path = file(path)?;
    let wrong = |error| Error::usage(format!("{}: {error}", path.display()));
    let kind = if path.extension().is_some_and(|extension| extension == "py") {
        // All games share one client, and this one makes no calls.
        let domain = &domains()[0];
        let engine = apart(|| prepare::engine(domain, quiet))?.with_setup("");
        in_python(&path, engine)?
    } else {
        let text = std::fs::read_to_string(&path).map_err(Error::file("cannot read", &path))?;
        declared::read(&text).map_err(wrong)?
    };
    let name = kind.name().to_owned();
    Ok((kinds.with(kind).map_err(wrong)?, name))
}

/// The file that defines the game of a folder.
fn file(path: &Path) -> Result<PathBuf> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let found = FILES.map(|file| Some(path.join(file)).filter(|file| file.is_file()));
    match found {
        [Some(_), Some(_)] => Err(Error::usage(format!(
            "{} has a game.py and a game.json: keep the one that is meant",
            path.display()
        ))),
        [Some(file), None] | [None, Some(file)] => Ok(file),
        [None, None] => Err(Error::usage(format!(
            "{} has no game: write a game.py or a game.json",
            path.display()
        ))),
    }
}
