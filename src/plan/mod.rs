//! Plans: a program's writes are shown before they are made, made exactly as shown, and can
//! be taken back.
//!
//! A program runs on a [`Draft`] first: a fork of the world that records every write, and
//! what it saw at each place. The recorded writes are a [`Plan`], for people as a table and
//! for programs as JSON. [`Apply`] makes the writes. Those that have nothing to do with each other
//! are under way together, [so many at once](Apply::window); the others keep the order of the plan.
//! Before each one it checks that the places are as the plan saw them; if something has changed,
//! it ends before that write: what is under way comes to its end, and nothing new is begun.
//! [`Stop`] ends it early in the same way, and so does a world that is silent for too long. So
//! the writes that were made are a set, not the first ones: each [`Step`] has its number.
//! [`undo()`] turns an apply into the writes that take it back, to be planned and applied in the
//! same way.

mod apply;
mod back;
mod changes;
mod conditions;
mod copies;
mod digest;
mod draft;
mod effects;
mod ended;
mod lasting;
mod look;
mod memory;
mod names;
mod order;
mod pace;
mod pieces;
mod progress;
mod provenance;
mod queue;
mod reads;
mod resume;
mod retry;
mod stop;
mod undo;
mod window;
mod write;

pub use apply::{Apply, Earlier, Patience, Record, Step, Unrecorded};
pub use back::Back;
pub(crate) use back::with_ways_back;
pub use digest::{Digest, write_lines};
pub use draft::Draft;
pub use effects::{Effect, EffectKind, Gravity, Totals, effects};
pub(crate) use effects::{is_call, is_zero};
pub(crate) use ended::NOTHING_CHANGED;
pub use ended::{Applied, Drift, End};
pub use reads::Reads;
pub use stop::Stop;
pub use undo::{Undo, undo};

use crate::dialogue::Outcome;
use crate::domain::{Domain, Place, Planning, Touched, Write};
use crate::error::{Error, Result};
use crate::exec::CallRecord;
use serde::Serialize;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// The effects that a program would have: its writes, and their totals.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The writes, in order.
    pub writes: Vec<Write>,
    /// Their effects on each place.
    pub effects: Arc<[Effect]>,
    /// Every call that the program made, reads and refused ones included.
    pub calls: Arc<[CallRecord]>,
    /// The outcome that the program would have.
    pub outcome: Outcome,
    /// The places that an undo could not restore, each with a clause that follows "because".
    pub lasting: Vec<(Place, String)>,
    /// What the program read of the world. A plan that was read back from a journal has none: its
    /// apply had begun.
    pub reads: Reads,
}

/// The limits on the destroyed contents that are kept for an undo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keeping {
    /// The largest content that is kept, in bytes.
    pub most_bytes: u64,
    /// The most that is kept for one plan, in bytes.
    pub most_bytes_in_all: u64,
}

impl Default for Keeping {
    fn default() -> Self {
        Keeping {
            most_bytes: 64 << 20,
            most_bytes_in_all: 1 << 30,
        }
    }
}

/// How writes of a domain are planned.
///
/// # Errors
/// [`Error::world`]: the domain does not plan.
pub fn planning(domain: &Domain) -> Result<&Arc<dyn Planning>> {
    let unplanned = || Error::world(format!("writes of {} cannot be planned", domain.name));
    domain.effects.planning.as_ref().ok_or_else(unplanned)
}

impl Plan {
    /// The plan of a program that ran on a draft. `planning` is that of its domain, if that plans.
    pub fn new(
        planning: Option<&dyn Planning>,
        writes: Vec<Write>,
        calls: impl Into<Arc<[CallRecord]>>,
        outcome: Outcome,
        keeping: Keeping,
    ) -> Plan {
        let effects = effects(&writes);
        let lasting = lasting::of(planning, &writes, &effects, keeping);
        Plan {
            effects: with_ways_back(effects, &lasting).into(),
            lasting,
            writes,
            calls: calls.into(),
            outcome,
            reads: Reads::default(),
        }
    }

    /// Whether it makes the writes of another plan, where the same was before: their operations and
    /// parameters with all contents, and the marks of the places that they touch. Ids that a draft
    /// gives may differ.
    pub fn makes_the_same(&self, other: &Plan) -> bool {
        let same_place = |one: &Touched, two: &Touched| {
            (&one.place, &one.before, one.changed, one.shares)
                == (&two.place, &two.before, two.changed, two.shares)
        };
        let same_places = |one: &[Touched], two: &[Touched]| {
            one.len() == two.len() && one.iter().zip(two).all(|(one, two)| same_place(one, two))
        };
        let mut pairs = self.writes.iter().zip(&other.writes);
        self.writes.len() == other.writes.len()
            && pairs.all(|(one, two)| {
                one.operation == two.operation
                    && one.params == two.params
                    && same_places(&one.touched, &two.touched)
            })
    }

    /// The part of the plan whose writes have these numbers: those that were made, or the others.
    #[must_use]
    pub fn only(mut self, numbers: &BTreeSet<usize>) -> Plan {
        if numbers.len() < self.writes.len() {
            let mut number = 0..;
            (self.writes).retain(|_| number.next().is_some_and(|it| numbers.contains(&it)));
            let effects = effects(&self.writes);
            let told = lasting::told(&self.writes, &effects);
            let told: HashSet<(Place, String)> = told.into_iter().collect();
            let changed: HashSet<&Place> = effects.iter().map(|it| &it.place).collect();
            self.lasting
                .retain(|it| changed.contains(&it.0) || told.contains(it));
            self.effects = with_ways_back(effects, &self.lasting).into();
        }
        self
    }

    /// Its totals.
    pub fn totals(&self) -> Totals {
        Totals::of(&self.effects)
    }

    /// The plan for programs: an object whose `version` is 1.
    pub fn json(&self) -> serde_json::Value {
        #[derive(Serialize)]
        struct Lasting<'a> {
            place: &'a Place,
            because: &'a str,
        }
        let lasting: Vec<Lasting<'_>> = (self.lasting.iter())
            .map(|(place, because)| Lasting { place, because })
            .collect();
        let calls: Vec<serde_json::Value> = (self.calls.iter())
            .map(|call| serde_json::json!({"operation": call.operation, "error": call.error}))
            .collect();
        let outcome = match &self.outcome {
            Outcome::Result(result) => serde_json::json!({"result": result}),
            Outcome::Error(error) => {
                serde_json::json!({"error": {"error": error.error, "message": error.message}})
            }
        };
        serde_json::json!({
            "version": 1,
            "effects": self.effects,
            "totals": self.totals(),
            "outcome": outcome,
            "calls": calls,
            "cannot_be_undone": lasting,
        })
    }
}
