use serde::Deserialize;
use serde_json::{Map, Value as Json};

/// A recorded dialogue of STAR between a user and a wizard, who plays the agent.
#[derive(Clone, Debug, Deserialize)]
pub struct StarDialogue {
    /// Its number.
    pub dialogue_id: u64,
    /// What the user was told to do.
    #[serde(default)]
    pub user_task: String,
    /// Everything that happened, in order.
    pub events: Vec<StarEvent>,
    /// The user's turns, in order.
    pub turns: Vec<StarTurn>,
}

/// One thing that happened.
#[derive(Clone, Debug, Deserialize)]
pub struct StarEvent {
    /// What it is: `user`, `instruct`, `wizard`, `wizard_custom`, `query`, `return`, …
    pub kind: String,
    /// What was said.
    #[serde(default)]
    pub text: String,
    /// What the backend gave to a query.
    #[serde(default)]
    pub item: Option<Map<String, Json>>,
}

/// A turn of the user and what the wizard did next.
#[derive(Clone, Debug, Deserialize)]
pub struct StarTurn {
    /// The event that has the utterance.
    pub event: usize,
    /// The utterance.
    pub user: String,
    /// The label of what the wizard had said last; `custom` for words of its own.
    pub prev_system: Option<String>,
    /// The label of the reply that the wizard picked; none where it picked none.
    #[serde(rename = "gold_pick_last")]
    pub gold: Option<String>,
    /// The values of the next query that the user has given by now: it looks ahead.
    #[serde(default)]
    pub derived_belief: Map<String, Json>,
}

impl StarDialogue {
    /// Reads dialogues, one a line. The sentence of an error names the line.
    pub fn read(jsonl: &str) -> Result<Vec<Self>, String> {
        let lines = (1..).zip(jsonl.lines());
        let lines = lines.filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(number, line)| {
                serde_json::from_str(line)
                    .map_err(|error| format!("line {number} is no dialogue: {error}"))
            })
            .collect()
    }

    /// The events from one user turn to the next.
    pub(super) fn after(&self, turn: usize) -> &[StarEvent] {
        let at = |turn: usize| self.turns.get(turn).map(|turn| turn.event);
        let end = at(turn + 1).unwrap_or(self.events.len());
        let start = at(turn).unwrap_or(end);
        self.events.get(start..end).unwrap_or(&[])
    }
}
