//! A dialogue turn by turn: the content of a dataset file (paper, appendix D).

use super::{Goal, Outcome, Program, Stack, Status, Update, Violation};

/// One dialogue, as a dataset file holds it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Transcript {
    /// The name of the dialogue: `ListObjects_10`.
    pub uid: String,
    /// The other attributes in their order in the file: `goal`, `world`, and those of an
    /// [`Offer`](super::Offer). Each is an XML name and occurs once.
    pub attributes: Vec<(String, String)>,
    /// The world's signature before the first turn.
    pub initial_signature: Option<String>,
    /// The agent's greeting, before the user's first utterance.
    pub greeting: Option<String>,
    /// The turns, oldest first.
    pub turns: Vec<Turn>,
}

/// One turn: the user's utterance, the updated goals and the agent's response.
///
/// White space around the two texts has no meaning, and files do not keep it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Turn {
    /// The user's utterance U_t.
    pub user: String,
    /// The goals updated in this turn, in the order of execution.
    pub goals: Vec<GoalRecord>,
    /// The agent's response R_t. `None` if the dialogue ends without one.
    pub response: Option<String>,
}

/// One goal as a turn updated it, with the outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalRecord {
    /// The goal.
    pub uid: u32,
    /// Its new status.
    pub status: Status,
    /// Its new program. `None` if the turn changed the status and kept the code.
    pub program: Option<Program>,
    /// The outcome, if the program ran in this turn.
    pub outcome: Option<Outcome>,
    /// The world's signature after the program ran: 8 hex digits.
    pub signature: Option<String>,
}

impl GoalRecord {
    /// The update, without outcome and signature.
    pub fn update(&self) -> Update {
        Update {
            uid: self.uid,
            status: self.status,
            program: self.program.clone(),
        }
    }
}

impl From<&Goal> for GoalRecord {
    fn from(goal: &Goal) -> Self {
        GoalRecord {
            uid: goal.uid,
            status: goal.status,
            program: Some(goal.program.clone()),
            outcome: goal.outcome.clone(),
            signature: goal.signature.clone(),
        }
    }
}

impl Turn {
    /// The updates of this turn, as a model would predict them.
    pub fn updates(&self) -> Vec<Update> {
        self.goals.iter().map(GoalRecord::update).collect()
    }
}

impl Transcript {
    /// The value of one of [`attributes`](Self::attributes).
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        let (_, value) = attributes.find(|(known, _)| known == name)?;
        Some(value)
    }

    /// The stack before the turn with this index, from 0, with the outcomes recorded so far.
    /// An index past the end gives the final stack.
    ///
    /// # Errors
    /// The status rules that the recorded updates break.
    pub fn stack_before(&self, turn: usize) -> Result<Stack, Vec<Violation>> {
        self.turns
            .iter()
            .take(turn)
            .try_fold(Stack::default(), |stack, turn| stack.replayed(turn))
    }
}
