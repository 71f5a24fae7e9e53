use std::convert::Infallible;

use super::{Prediction, Side, StarDialogue, StarTask};
use crate::act::Act;
use crate::agenda::{Agenda, Effect, Ended, Host, Next, Settings, follow};
use crate::desk::Desk;
use crate::sheets::Sheets;
use crate::state::State;

/// Whose state a turn begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The agent's own, from turn to turn, whatever the wizard did.
    Own,
    /// Made anew from what the user has said and the wizard has done: an oracle, as in the
    /// original's evaluation.
    Gold,
}

/// What the agenda does in each turn, where every utterance is parsed as the record says.
pub fn predictions(
    task: StarTask,
    dialogues: &[StarDialogue],
    protocol: Protocol,
) -> Vec<Prediction> {
    let sheets = task.sheets();
    let all = dialogues.iter().enumerate();
    all.flat_map(|(at, dialogue)| play(task, &sheets, dialogue, at, protocol))
        .collect()
}

fn play(
    task: StarTask,
    sheets: &Sheets,
    dialogue: &StarDialogue,
    number: usize,
    protocol: Protocol,
) -> Vec<Prediction> {
    let mut side = task.side();
    let (mut state, mut out) = (State::default(), Vec::new());
    for (at, turn) in dialogue.turns.iter().enumerate() {
        side.hear(dialogue, at);
        if protocol == Protocol::Gold && at > 0 {
            state = State::of(&side.state()).unwrap_or_default();
        }
        let said = turn
            .prev_system
            .as_deref()
            .and_then(|label| side.act(label));
        let said = said.and_then(|act| Act::parse(act).ok());
        state.acts = said.into_iter().collect();
        let mut desk = Desk::open(sheets, &state);
        let ended = side.program(&mut desk).unwrap_or(Ended::Failed);
        let agenda = Agenda::begin(desk, &state, ended.clone(), Settings::default());
        let mut host = Recorded {
            side: side.as_mut(),
            protocol,
        };
        let Ok(turned) = follow(agenda, &mut host);
        let label = side.label(&turned, &ended);
        if let Some(gold) = &turn.gold {
            out.push(Prediction {
                dialogue: number,
                gold: gold.clone(),
                strict: label.strict.to_owned(),
                lenient: label
                    .lenient
                    .iter()
                    .map(|&label| label.to_owned())
                    .collect(),
            });
        }
        state = turned.state;
    }
    out
}

struct Recorded<'a> {
    side: &'a mut dyn Side,
    protocol: Protocol,
}

impl Host for Recorded<'_> {
    type Error = Infallible;

    fn perform(&mut self, next: &Next, desk: Desk<'_>) -> Result<Effect, Infallible> {
        Ok(self.side.effect(next, desk.state(), self.protocol))
    }
}
