//! What was said and done in a dialogue, turn by turn: the content of a dataset
//! file (paper, appendix D).

use super::{Goal, Outcome, Program, Stack, Status, Update, Violation};

/// One dialogue, as a dataset file holds it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conversation {
    /// The name of the dialogue: `ListObjects_10`.
    pub uid: String,
    /// Further attributes in the order written: `goal`, `world`. Names are XML
    /// names other than `uid`, each at most once.
    pub attributes: Vec<(String, String)>,
    /// The environment's signature before the first turn.
    pub initial_signature: Option<String>,
    /// What the agent says before the user says anything.
    pub greeting: Option<String>,
    /// The turns, oldest first.
    pub turns: Vec<Turn>,
}

/// One turn: what the user said, what became of the programs, what the agent said.
///
/// White space around the two texts means nothing and is not kept in a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Turn {
    /// The user's utterance U_t.
    pub user: String,
    /// The goals updated in this turn, in the order of execution.
    pub goals: Vec<GoalRecord>,
    /// The agent's response R_t; none where the dialogue ends without one.
    pub response: Option<String>,
}

/// One goal as a turn updated it, and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalRecord {
    /// The goal.
    pub uid: u32,
    /// The status it took in this turn.
    pub status: Status,
    /// Its new program; none where the turn kept the code and changed the status.
    pub program: Option<Program>,
    /// The outcome, where the turn executed the program.
    pub outcome: Option<Outcome>,
    /// The environment's signature after the execution: 8 hex digits.
    pub signature: Option<String>,
}

impl GoalRecord {
    /// The update without its consequences.
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
    /// The updates of this turn, as a model would have predicted them.
    pub fn updates(&self) -> Vec<Update> {
        self.goals.iter().map(GoalRecord::update).collect()
    }
}

impl Conversation {
    /// The value of a further attribute: `goal`, `world`.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        let (_, value) = attributes.find(|(known, _)| known == name)?;
        Some(value)
    }

    /// The stack before the turn with this index (0 for the first), with the
    /// outcomes recorded so far. An index past the end gives the last stack.
    ///
    /// Fails with the reasons if the recorded updates break the status rules.
    pub fn stack_before(&self, turn: usize) -> Result<Stack, Vec<Violation>> {
        self.turns
            .iter()
            .take(turn)
            .try_fold(Stack::default(), |stack, turn| stack.replayed(turn))
    }
}
