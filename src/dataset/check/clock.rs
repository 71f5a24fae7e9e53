//! Programs do not depend on time or chance.

use super::runs::{self, Run};
use super::{Check, Checked, Found, Looked};
use crate::dataset::ReplayedTurn;
use crate::domain::Signature;
use crate::error::Result;
use crate::exec::Seed;
use async_trait::async_trait;

/// Every program gives the same outcome at another time and with other random numbers.
pub struct Clock;

/// 2031-07-16T13:45:59Z, unlike the default seed in every field.
const LATER: jiff::Timestamp = jiff::Timestamp::constant(1_941_975_959, 0);

#[async_trait]
impl Check for Clock {
    fn name(&self) -> &'static str {
        "clock"
    }

    fn rule(&self) -> &'static str {
        "every final program gives the same at another time and with other random numbers"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        let set = checked.set;
        let mut later = checked.replayer.clone();
        later.seed = Seed {
            now: LATER,
            random: later.seed.random.wrapping_add(1),
        };
        let again = runs::all(set, &later).await?;
        found.skip(runs::not_run(&again));
        let runs = checked.runs().await?.iter().zip(&again);
        for (dialogue, (run, again)) in set.dialogues.iter().zip(runs) {
            let (Some(first), Some(second)) = (signatures(run), signatures(again)) else {
                continue;
            };
            let differs = first
                .into_iter()
                .zip(second)
                .find(|(one, other)| one != other);
            // Later programs may differ because this one did.
            if let Some(((turn, uid, _), _)) = differs {
                let problem = "depends on the clock or on chance; take what it needs from the \
                               world or from what the user said";
                found.on(set, dialogue, turn, uid, problem);
            }
        }
        found.end()
    }
}

/// The signature of each program that ran, with its turn (from 1) and goal.
fn signatures(run: &Option<Run>) -> Option<Vec<(usize, u32, Signature)>> {
    let turns = run.as_ref()?.turns.as_ref().ok()?;
    let of_turn = |(index, turn): (usize, &ReplayedTurn)| {
        let done = turn.done.iter();
        let signed = done.map(move |done| (index + 1, done.uid, done.signature));
        signed.collect::<Vec<_>>()
    };
    Some(turns.iter().enumerate().flat_map(of_turn).collect())
}
