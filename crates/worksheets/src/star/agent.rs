use std::collections::BTreeMap;
use std::convert::Infallible;

use super::{Prediction, Side, StarDialogue, StarTask, StarTurn};
use crate::act::Act;
use crate::agenda::{Agenda, Effect, Host, Next, Settings, follow};
use crate::desk::Desk;
use crate::program::Carried;
use crate::sheets::Sheets;
use crate::simulate::written;
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
    let mut out = Vec::new();
    for dialogue in dialogues.iter().enumerate() {
        let mut play = StarPlay::new(task, &sheets, dialogue, protocol);
        while play.hear().is_some() {
            let truth = play.truth();
            out.extend(play.turn(truth));
        }
    }
    out
}

/// A recorded dialogue under way: the user says what was recorded, and the agent does what it
/// makes of that.
///
/// ```
/// use worksheets::program;
/// use worksheets::star::{Protocol, StarDialogue, StarPlay, StarTask};
///
/// let line = r#"{"dialogue_id": 1, "events": [{"kind": "user"}], "turns": [
///     {"event": 0, "user": "Question 3, please", "gold_pick_last": "trivia_ask_question"}]}"#;
/// let dialogues = StarDialogue::read(&line.replace('\n', " ")).unwrap();
/// let sheets = StarTask::Trivia.sheets();
/// let mut play = StarPlay::new(StarTask::Trivia, &sheets, (0, &dialogues[0]), Protocol::Own);
/// assert_eq!(play.hear().map(|turn| turn.user.as_str()), Some("Question 3, please"));
/// let truth = play.truth();
/// assert_eq!(play.program(&truth), "Main(starting_question_number=3)");
/// let parsed = program::turn(play.desk(), "pass");
/// let done = play.turn(parsed).unwrap();
/// assert_eq!(done.strict, "trivia_ask_question_number");
/// assert!(play.hear().is_none());
/// ```
pub struct StarPlay<'d> {
    sheets: &'d Sheets,
    number: usize,
    dialogue: &'d StarDialogue,
    protocol: Protocol,
    side: Box<dyn Side>,
    state: State,
    /// How many turns were heard.
    heard: usize,
}

impl<'d> StarPlay<'d> {
    /// Begins a dialogue, which has a number among others.
    pub fn new(
        task: StarTask,
        sheets: &'d Sheets,
        (number, dialogue): (usize, &'d StarDialogue),
        protocol: Protocol,
    ) -> Self {
        Self {
            sheets,
            number,
            dialogue,
            protocol,
            side: task.side(),
            state: State::default(),
            heard: 0,
        }
    }

    /// The user's next turn; none at the end.
    pub fn hear(&mut self) -> Option<&'d StarTurn> {
        let (dialogue, at) = (self.dialogue, self.heard);
        let turn = dialogue.turns.get(at)?;
        self.heard += 1;
        self.side.hear(dialogue, at);
        if self.protocol == Protocol::Gold && at > 0 {
            self.state = State::of(&self.side.state()).unwrap_or_default();
        }
        let said = turn.prev_system.as_deref();
        let said = said.and_then(|label| self.side.act(label));
        let said = said.and_then(|act| Act::parse(act).ok());
        self.state.acts = said.into_iter().collect();
        Some(turn)
    }

    /// The wizard's last words before this turn; none at the start.
    pub fn said(&self) -> Option<&'d str> {
        let dialogue = self.dialogue;
        let turn = dialogue.turns.get(self.heard.checked_sub(1)?)?;
        let mut before = dialogue.events.get(..turn.event)?.iter().rev();
        let said = before.find(|event| ["wizard", "wizard_custom"].contains(&&*event.kind))?;
        Some(said.text.trim())
    }

    /// The state before this turn. Its act is the one that the wizard's last label stands for.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The desk on which a program of this turn is carried out.
    pub fn desk(&self) -> Desk<'d> {
        Desk::open(self.sheets, &self.state)
    }

    /// What the user says in this turn, as the record has it.
    pub fn truth(&self) -> Carried<'d> {
        let mut truth = Carried {
            desk: self.desk(),
            ops: Vec::new(),
            raised: None,
            sql: BTreeMap::new(),
        };
        truth.raised = self.side.program(&mut truth).err();
        truth
    }

    /// The program that comes to this on the desk of this turn.
    pub fn program(&self, carried: &Carried<'_>) -> String {
        written(self.sheets, &self.state, &carried.ops, &carried.ended())
    }

    /// How near a program of this turn comes to another one, whatever the agenda does after it.
    #[cfg(feature = "knowledge")]
    pub fn compared(&self, truth: &Carried<'_>, found: &Carried<'_>) -> crate::evaluate::TurnScore {
        let [truth, found] = [truth, found].map(|carried| self.played(carried));
        crate::evaluate::turn(self.sheets, &truth, &found)
    }

    #[cfg(feature = "knowledge")]
    fn played(&self, carried: &Carried<'_>) -> crate::dialogue::Played {
        let mut placed = match carried.ended() {
            crate::agenda::Ended::Failed => self.desk(),
            _ => carried.desk.clone(),
        };
        placed.adopt();
        let programmed = placed.state().clone();
        crate::dialogue::Played {
            before: self.state.clone(),
            turned: crate::agenda::Turned {
                state: programmed.clone(),
                acts: Vec::new(),
                productive: false,
                problems: Vec::new(),
                notes: Vec::new(),
            },
            programmed,
            ops: carried.ops.clone(),
            raised: carried.raised.clone(),
            needed: Vec::new(),
            calls: Vec::new(),
        }
    }

    /// What the agent does after the program of this turn; none where the wizard
    /// picked no reply.
    pub fn turn(&mut self, parsed: Carried<'d>) -> Option<Prediction> {
        let ended = parsed.ended();
        let agenda = Agenda::begin(parsed.desk, &self.state, ended.clone(), Settings::default());
        let mut host = Recorded {
            side: self.side.as_mut(),
            protocol: self.protocol,
        };
        let Ok(turned) = follow(agenda, &mut host);
        let label = self.side.label(&turned, &ended);
        self.state = turned.state;
        let turn = self.dialogue.turns.get(self.heard.checked_sub(1)?)?;
        Some(Prediction {
            dialogue: self.number,
            gold: turn.gold.clone()?,
            strict: label.strict.to_owned(),
            lenient: label
                .lenient
                .iter()
                .map(|&label| label.to_owned())
                .collect(),
        })
    }
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
