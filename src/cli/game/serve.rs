//! Games for other programs, over standard input and output.

use super::own::with_own;
use crate::cli::{Exit, terminal};
use crate::error::{Error, Result};
use decision_games::Kinds;
use decision_games::serve::Server;
use std::io::BufRead;
use std::path::PathBuf;

/// Answers requests until the input ends.
pub fn serve(folders: &[PathBuf], quiet: bool) -> Result<Exit> {
    let kinds = folders.iter().try_fold(Kinds::default(), |kinds, folder| {
        with_own(kinds, folder, quiet).map(|(kinds, _)| kinds)
    });
    let mut server = Server::of(kinds?);
    // A line of other bytes than text is a wrong request, and those behind it are answered, too.
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line.map_err(Error::file("cannot read", "standard input"))?;
        terminal::print(format_args!("{}\n", server.answer_bytes(&line)))?;
    }
    Ok(Exit::Done)
}
