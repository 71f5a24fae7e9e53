//! Outcomes depend on the world alone.

use super::{Check, Checked, Finding, Found, runs};
use crate::dataset::Replayer;
use crate::error::Result;
use crate::exec::Seed;
use async_trait::async_trait;

/// At another time, and with other random numbers, every program gives the same.
pub struct Clock;

/// Another time than the usual seed's: 2031-07-16T13:45:59Z, a Wednesday in summer.
const LATER: jiff::Timestamp = jiff::Timestamp::constant(1_941_975_959, 0);

#[async_trait]
impl Check for Clock {
    fn name(&self) -> &'static str {
        "clock"
    }

    fn rule(&self) -> &'static str {
        "every final program gives the same at another time and with other random numbers"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Vec<Finding>> {
        let mut found = Found::by(self);
        let set = checked.set;
        let later = Replayer {
            seed: Seed {
                now: LATER,
                random: checked.replayer.seed.random.wrapping_add(1),
            },
            ..checked.replayer.clone()
        };
        let again = runs::all(set, &later).await?;
        let runs = checked.runs().await?.iter().zip(&again);
        for (dialogue, (run, again)) in set.dialogues.iter().zip(runs) {
            let turns = |run: &'_ Option<runs::Run>| {
                run.as_ref()
                    .and_then(|run| run.turns.as_ref().ok())
                    .map(|turns| {
                        turns
                            .iter()
                            .map(|turn| {
                                turn.done
                                    .iter()
                                    .map(|done| (done.uid, done.signature))
                                    .collect::<Vec<_>>()
                            })
                            .collect::<Vec<_>>()
                    })
            };
            let (Some(first), Some(second)) = (turns(run), turns(again)) else {
                continue;
            };
            let differs = (first.iter().zip(&second).enumerate()).find_map(|(index, (a, b))| {
                let (done, _) = a.iter().zip(b).find(|(a, b)| a != b)?;
                Some((index + 1, done.0))
            });
            // What follows may differ only because of this.
            if let Some((turn, uid)) = differs {
                let problem = "depends on the clock or on chance; take what it needs from the \
                               world or from what the user said";
                found.on(set, dialogue, turn, uid, problem);
            }
        }
        found.end()
    }
}
