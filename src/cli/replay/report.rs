//! A replayed dialogue as one line of JSON.

use super::{ReplaySetup, Tally, verify};
use crate::cli::terminal;
use crate::dataset::{Dialogue, play};
use crate::error::{Error, Result};
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// Replays all dialogues concurrently, and prints a line for each.
pub async fn all(
    setup: &Arc<ReplaySetup>,
    dialogues: Vec<Dialogue>,
    tally: &mut Tally,
) -> Result<()> {
    let work = |setup: Arc<ReplaySetup>, dialogue: Arc<Dialogue>| async move {
        let world = setup.world(&dialogue).await?;
        play(&setup.domain, &setup.replayer, &dialogue, world, ()).await
    };
    verify::each(setup, dialogues, work, |dialogue, came, bar| {
        let line = match &came {
            Ok(played) => {
                tally.count(played.programs, &played.differences);
                played.report(dialogue)
            }
            Err(error) => {
                tally.failed += 1;
                failure(dialogue, error)
            }
        };
        let line = terminal::clean_json(&line.to_string());
        bar.aside(|| terminal::print(format_args!("{line}\n")))
    })
    .await
}

/// A dialogue that could not be replayed has only an `error`.
fn failure(dialogue: &Dialogue, error: &Error) -> Json {
    json!({
        "path": dialogue.path.to_string_lossy(),
        "uid": dialogue.transcript.uid,
        "world": dialogue.world(),
        "matches": false,
        "error": error.to_string(),
    })
}
