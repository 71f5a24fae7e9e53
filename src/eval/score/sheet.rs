//! A log, sorted: dialogues by uid, their passes by epoch, the turns of each.
//!
//! A **pass** is one dialogue in one epoch. It is *finished* when it has all its turns,
//! *cut short* when a failure that is not the model's ended it, and else *missing*.

use super::turn;
use crate::dialogue::{Transcript, Turn};
use crate::domain::{self, Domain, counted, domains};
use crate::eval::log::{FailureKind, Run, TurnLog};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The finished passes of a log, and those that are not.
pub struct Sheet<'a> {
    /// The settings of the run.
    pub run: &'a Run,
    /// The domain of the programs.
    pub domain: Arc<Domain>,
    /// The dialogues with a finished pass, in the order of their uids.
    pub dialogues: Vec<Runs<'a>>,
    /// The passes that ended before their dialogue did.
    pub cut_short: Vec<CutShort>,
    /// The turns of these passes.
    pub cut_turns: Vec<Vec<&'a TurnLog>>,
    /// The gaps in the log.
    pub missing: Missing,
}

/// A dialogue and its finished passes.
pub struct Runs<'a> {
    /// The dialogue's uid.
    pub uid: &'a str,
    /// The dialogue as it truly is, without its greeting and attributes.
    pub truth: Transcript,
    /// The finished passes, in the order of their epochs.
    pub passes: Vec<Pass<'a>>,
}

/// One dialogue in one epoch, finished.
pub struct Pass<'a> {
    /// Which repetition, from 1.
    pub epoch: u32,
    /// All turns of the dialogue, in order.
    pub turns: Vec<&'a TurnLog>,
}

/// A pass that ended with a failure that is not the model's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CutShort {
    /// The dialogue's uid.
    pub dialogue: String,
    /// Which repetition, from 1.
    pub epoch: u32,
    /// The turn that failed, from 1.
    pub turn: u32,
    /// How many turns the dialogue has.
    pub turns: u32,
    /// The kind of the failure.
    pub kind: FailureKind,
    /// Why, as a sentence.
    pub message: String,
}

/// The gaps in a log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// Dialogues without a single turn.
    pub dialogues: u32,
    /// Passes that have some of their turns, or none although another epoch has the
    /// dialogue: `backup-1, epoch 2: turn 3`.
    pub passes: Vec<String>,
}

impl Runs<'_> {
    /// All turns of all passes.
    pub fn turns(&self) -> impl Iterator<Item = &TurnLog> {
        self.passes
            .iter()
            .flat_map(|pass| pass.turns.iter().copied())
    }
}

impl Pass<'_> {
    /// Turns that are right without a gap, from the first on: `t_last`.
    pub fn kept(&self) -> usize {
        turn::kept(self.turns.iter().copied(), turn::matches)
    }

    /// `t_last / T`.
    pub fn emr(&self) -> Option<f64> {
        turn::prefix(self.turns.iter().copied(), turn::matches)
    }

    /// Whether every turn is right.
    pub fn is_complete(&self) -> bool {
        self.kept() == self.turns.len()
    }
}

impl Missing {
    /// Whether nothing is missing.
    pub fn is_nothing(&self) -> bool {
        self.dialogues == 0 && self.passes.is_empty()
    }
}

impl<'a> Sheet<'a> {
    /// Sorts the turns of a log. `own` is the domain of the run, if it does not come with
    /// the program.
    ///
    /// # Errors
    /// A sentence: the turns contradict each other, or `run`.
    pub fn new(
        run: &'a Run,
        turns: &'a [TurnLog],
        own: Option<&Arc<Domain>>,
    ) -> Result<Self, String> {
        let own = own.filter(|domain| domain.name == run.domain).cloned();
        let domain = own.or_else(|| domain::named(&run.domain)).ok_or_else(|| {
            let known = domains();
            let names: Vec<&str> = known.iter().map(|domain| &*domain.name).collect();
            let (name, names) = (&run.domain, names.join(", "));
            format!(
                "the run is about the domain {name:?}, and this program knows {names}; if it is a \
                 folder, name it: --domain DIR"
            )
        })?;
        let mut sheet = Sheet {
            run,
            domain,
            dialogues: Vec::new(),
            cut_short: Vec::new(),
            cut_turns: Vec::new(),
            missing: Missing::default(),
        };
        let grouped = grouped(run, turns)?;
        let found = u32::try_from(grouped.len()).unwrap_or(u32::MAX);
        let all = run.dataset.dialogues;
        if found > all {
            return Err(format!(
                "the log has {}, and its run.json says that there are {all}",
                counted(found, "dialogue")
            ));
        }
        sheet.missing.dialogues = all - found;
        for (uid, passes) in grouped {
            sheet.add(uid, passes)?;
        }
        Ok(sheet)
    }

    fn add(&mut self, uid: &'a str, mut passes: Passes<'a>) -> Result<(), String> {
        let mut finished = Vec::new();
        for epoch in 1..=self.run.epochs {
            let turns = passes.remove(&epoch).unwrap_or_default();
            if let Some(log) = turns.values().find(|log| turn::is_cut_short(log)) {
                let failure = log.failure.as_ref();
                self.cut_short.extend(failure.map(|failure| CutShort {
                    dialogue: uid.to_owned(),
                    epoch,
                    turn: log.truth.turn,
                    turns: log.truth.turns,
                    kind: failure.kind,
                    message: failure.message.clone(),
                }));
                self.cut_turns.push(turns.into_values().collect());
                continue;
            }
            match first_gap(&turns) {
                Some(turn) => {
                    let place = format!("{uid}, epoch {epoch}: turn {turn}");
                    self.missing.passes.push(place);
                }
                None => finished.push(Pass {
                    epoch,
                    turns: turns.into_values().collect(),
                }),
            }
        }
        if let Some(first) = finished.first() {
            let truth = truth(uid, &first.turns)?;
            if let Some(other) = finished.iter().find(|pass| !has_same_truth(first, pass)) {
                let (one, other) = (first.epoch, other.epoch);
                return Err(format!(
                    "the truth of {uid} is not the same in the epochs {one} and {other}"
                ));
            }
            self.dialogues.push(Runs {
                uid,
                truth,
                passes: finished,
            });
        }
        Ok(())
    }

    /// How many passes a complete log has.
    pub fn expected(&self) -> u64 {
        u64::from(self.run.dataset.dialogues) * u64::from(self.run.epochs)
    }

    /// How many passes are finished.
    pub fn finished(&self) -> usize {
        self.dialogues.iter().map(|runs| runs.passes.len()).sum()
    }

    /// Every finished pass.
    pub fn passes(&self) -> impl Iterator<Item = &Pass<'a>> {
        self.dialogues.iter().flat_map(|runs| runs.passes.iter())
    }
}

/// The turns of a dialogue by epoch and number.
type Passes<'a> = BTreeMap<u32, BTreeMap<u32, &'a TurnLog>>;

/// The turns by dialogue, epoch and number.
fn grouped<'a>(run: &Run, turns: &'a [TurnLog]) -> Result<BTreeMap<&'a str, Passes<'a>>, String> {
    let mut grouped: BTreeMap<&str, Passes<'_>> = BTreeMap::new();
    for log in turns {
        let (uid, turn, turns) = (&log.truth.dialogue, log.truth.turn, log.truth.turns);
        let place = format!("turn {turn} of {uid}, epoch {}", log.epoch);
        if turn == 0 || turn > turns {
            let turns = counted(turns, "turn");
            return Err(format!("{place}: the dialogue has {turns}"));
        }
        if log.epoch == 0 || log.epoch > run.epochs {
            let epochs = counted(run.epochs, "epoch");
            return Err(format!("{place}: the run has {epochs} by its run.json"));
        }
        let pass = grouped.entry(uid).or_default().entry(log.epoch);
        let pass = pass.or_default();
        if pass.values().any(|other| other.truth.turns != turns) {
            return Err(format!("{place}: the dialogue's turns are counted twice"));
        }
        if pass.insert(turn, log).is_some() {
            return Err(format!("{place}, stands twice in the log"));
        }
    }
    Ok(grouped)
}

/// The first turn of a pass that is not there.
fn first_gap(turns: &BTreeMap<u32, &TurnLog>) -> Option<u32> {
    let Some(first) = turns.values().next() else {
        return Some(1);
    };
    (1..=first.truth.turns).find(|turn| !turns.contains_key(turn))
}

/// The dialogue as it truly is.
fn truth(uid: &str, turns: &[&TurnLog]) -> Result<Transcript, String> {
    let turn = |log: &&TurnLog| {
        let row = &log.truth;
        let goals = row.programs.iter().map(|goal| goal.record());
        let goals = goals.collect::<Result<_, _>>();
        Ok(Turn {
            user: row.utterance.clone(),
            goals: goals.map_err(|problem| format!("turn {} of {uid}: {problem}", row.turn))?,
            response: row.response.clone(),
        })
    };
    Ok(Transcript {
        uid: uid.to_owned(),
        turns: turns.iter().map(turn).collect::<Result<_, String>>()?,
        ..Transcript::default()
    })
}

fn has_same_truth(one: &Pass<'_>, other: &Pass<'_>) -> bool {
    let pairs = one.turns.iter().zip(&other.turns);
    one.turns.len() == other.turns.len()
        && pairs.into_iter().all(|(one, other)| {
            one.truth == other.truth
                && one.truth_signature == other.truth_signature
                && one.truth_state == other.truth_state
        })
}
