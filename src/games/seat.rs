//! A seat as a world: what programs of one party can see and do.

use crate::domain::{Answer, Refusal, Signer, Slate, StateValue, Value, World};
use crate::error::Result;
use async_trait::async_trait;
use decision_games::programs::{Made, Party};
use decision_games::{Illegal, Table};
use serde_json::json;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One party of a table as a [`World`]. Illegal moves are refusals with the codes of the game.
///
/// The move of a program reaches the others with the words of the reply, when the whole
/// [turn](SeatWorld::turn) is made. So a fork reaches nobody. Its state is what the seat knows and
/// has done; nothing that is hidden from it is in there.
pub struct SeatWorld {
    party: Mutex<Party>,
    /// What came of the program of a turn, for the words of the reply.
    slate: Slate,
}

impl SeatWorld {
    /// The world of this party.
    pub fn new(party: Party) -> SeatWorld {
        SeatWorld {
            party: Mutex::new(party),
            slate: Slate::default(),
        }
    }

    /// Begins a turn at the table as it stands, with all that reached the seat since its last one.
    pub fn sit(&self, table: Table, news: &str) {
        self.lock().sit(table, news);
        self.slate.keep(json!(null));
    }

    /// The move that was made in this turn.
    pub fn made(&self) -> Option<Made> {
        self.lock().made().cloned()
    }

    /// Proposes the best by what the seat believes, if it may.
    ///
    /// # Errors
    /// It may not, now or ever.
    pub fn propose_best(&self) -> std::result::Result<(), Illegal> {
        let mut party = self.lock();
        let best = party.call("suggest", &json!({"k": 1}))?;
        party.call("propose", &json!({"decision": best[0]}))?;
        Ok(())
    }

    /// The turn in text form: the move, with the words of the reply.
    pub fn turn(&self, reply: &str) -> String {
        self.lock().turn(reply)
    }

    fn lock(&self) -> MutexGuard<'_, Party> {
        self.party.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl World for SeatWorld {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        let Some(params) = StateValue::from_value(params.clone()) else {
            let text = "Arguments are JSON: texts, numbers, lists, dicts.";
            return Ok(Err(Refusal::new(400, "bad-query", text)));
        };
        let answer = self.lock().call(operation, &params.to_json());
        let refusal = |Illegal { code, text }| Refusal::new(400, code.name(), text);
        Ok(answer.map(Value::from_json).map_err(refusal))
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(SeatWorld {
            party: Mutex::new(self.lock().clone()),
            slate: self.slate.copy(),
        }))
    }

    /// What was noted belongs to the seat alone, and is no part of it.
    async fn state(&self, signer: &mut Signer) -> Result<()> {
        let state = self.lock().state();
        signer.field(b'g', &StateValue::from_json(&state).canonical());
        Ok(())
    }

    fn state_value(&self) -> Option<StateValue> {
        let party = self.lock();
        let mut state = party.state();
        state["facts"] = party.facts().into();
        state["names"] = party.names().into();
        state["must_answer"] = party.must_answer().into();
        Some(StateValue::from_json(&state))
    }

    fn slate(&self) -> Option<&Slate> {
        Some(&self.slate)
    }

    fn describe(&self) -> String {
        let party = self.lock();
        format!("the seat {} of {}", party.name(), party.game().name())
    }
}
