//! Dialogues as a model learns them: recorded ones, and those of the user without a model.

use super::Worksheets;
use super::record::Kept;
use crate::agent::{GREETING, Taught};
use crate::dialogue::{Transcript, write_transcript};
use crate::error::{Error, Result};
use worksheets::dialogue::{Dialogue, Play, Recorded};
use worksheets::{Ended, simulate};

/// The turns of a recorded dialogue.
///
/// # Errors
/// It is no dialogue with forms, or the tables cannot be opened.
pub fn recorded(worksheets: &Worksheets, dialogue: &Transcript) -> Result<Vec<Taught>> {
    let wrong = |why: String| Error::usage(format!("the dialogue {}: {why}", dialogue.uid));
    let dialogue = Dialogue::read(&write_transcript(dialogue)).map_err(wrong)?;
    let mut backend = Recorded::of(&dialogue).map_err(wrong)?;
    let mut knowledge = worksheets.knowledge.open().map_err(wrong)?;
    let mut play = Play::new(&worksheets.sheets, worksheets.settings, &mut knowledge);
    let mut teaching = Teaching::new(worksheets, dialogue.greeting);
    for turn in dialogue.turns {
        let played = play.turn(&turn.program, &mut backend);
        let raised = played.raised.map(|raised| Ended::by(raised.error));
        let ended = raised.unwrap_or(Ended::Kept);
        let kept = Kept::after(&worksheets.digest, played.turned, &ended);
        teaching.turn(Some((turn.user, turn.program)), kept, Some(turn.agent));
    }
    Ok(teaching.taught)
}

/// The turns of a simulated dialogue. The agent's words are those that it says without a model.
pub fn simulated(worksheets: &Worksheets, seed: u64) -> Vec<Taught> {
    let sheets = &worksheets.sheets;
    let tables = worksheets.knowledge.tables();
    let played = simulate::dialogue_about(sheets, worksheets.settings, seed, tables);
    let mut teaching = Teaching::new(worksheets, GREETING.to_owned());
    for (at, turn) in (0..).zip(&played.turns) {
        let kept = Kept::after(&worksheets.digest, turn.turned.clone(), &turn.ended);
        let words = turn.words(sheets, seed.rotate_left(32) ^ at);
        // Nobody has said anything before the agent's first words.
        let words = words.filter(|_| at > 0 || !turn.ops.is_empty());
        let said = words.map(|words| (words, turn.program(sheets)));
        teaching.turn(said, kept, None);
    }
    teaching.taught
}

struct Teaching<'w> {
    worksheets: &'w Worksheets,
    before: Kept,
    said: String,
    taught: Vec<Taught>,
}

impl<'w> Teaching<'w> {
    fn new(worksheets: &'w Worksheets, greeting: String) -> Self {
        Teaching {
            worksheets,
            before: Kept::default(),
            said: greeting,
            taught: Vec::new(),
        }
    }

    /// Takes a turn on: the user's words and the program, unless nothing is to be learnt from it;
    /// what is kept after it; the reply, or else a plain one.
    fn turn(&mut self, said: Option<(String, String)>, after: Kept, reply: Option<String>) {
        let situation = self.worksheets.situation_of(&after);
        let reply = match situation.says_again(&self.said) {
            true => self.said.clone(),
            false => reply.unwrap_or_else(|| situation.plain.clone()),
        };
        if let Some((user, program)) = said {
            self.taught.push(Taught {
                before: self.worksheets.situation_of(&self.before),
                said: std::mem::take(&mut self.said),
                user,
                program,
                after: situation,
                reply: reply.clone(),
            });
        }
        self.before = after;
        self.said = reply;
    }
}
