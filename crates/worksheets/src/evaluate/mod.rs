//! How well turn programs are read from what users say, measured on recorded dialogues without
//! a judge (section 6.4 of the specification; the paper's metrics are in its appendix D.1).
//!
//! | figure | definition | the paper's |
//! |---|---|---|
//! | parse precision, recall, F1 | over [`Operation`]s: what a program changes, by paths | |
//! | parse recall without values | the same, values left out | ≈ SP Acc |
//! | act precision, recall, F1 | over acts by kind, path and field; reasons do not count | recall ≈ DA Acc |
//! | execution precision, recall | over backend calls (function and arguments) and the rows of queries | precision ≈ Ex Acc |
//! | exact | the sets are equal | |
//! | state-only EMR, acts-only EMR, EMR | the canonical state, the acts, both are equal after the turn | |
//! | grounded replies | the replies without unsupported claims that perform every act (section 5) | |
//! | goal completion | in the end the backend's state is the gold one, and so are the task records that are done | Goal CR |
//!
//! Where a user gives up before anything is done, a parser that understands nothing reaches the
//! goal as well: compare goal completion with that of `pass`.
//!
//! Values of `str` fields are compared in any case, those of `text` fields by their presence;
//! [`token_f1`] says apart how near texts are.

mod errors;
mod operations;
mod report;
mod tally;
mod text;

pub use errors::{Errors, Mistake};
pub use operations::{Operation, acts, executions, operations};
pub use report::{Figures, Report, parts};
pub use tally::Tally;
pub use text::token_f1;

use crate::agenda::{Settings, Turned};
use crate::canonical::{Names, canonical};
use crate::dialogue::{Backend, Dialogue, Play, Played, Recorded, Turn};
use crate::knowledge::Knowledge;
use crate::sheets::{Sheets, Type};
use crate::state::{Record, State, Status, Value};

/// From which state a predicted program begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// From that which the programs before it left.
    EndToEnd,
    /// From that which the gold programs before it left.
    TeacherForced,
}

/// What came of one turn.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnScore {
    /// Operations.
    pub parse: Tally,
    /// Operations without values.
    pub slots: Tally,
    /// Acts.
    pub acts: Tally,
    /// Calls and queries.
    pub execution: Tally,
    /// Whether the canonical states are equal.
    pub same_state: bool,
    /// How near the values of text fields are that both programs set.
    pub texts: Vec<f64>,
    /// Whether the reply says nothing that nothing supports and performs every act; none where it
    /// was not judged.
    pub grounded: Option<bool>,
}

/// What came of one dialogue.
#[derive(Clone, Debug, PartialEq)]
pub struct DialogueScore {
    /// Its name.
    pub uid: String,
    /// Its turns.
    pub turns: Vec<TurnScore>,
    /// Whether the goal was reached; only where it was played end to end.
    pub completed: Option<bool>,
    /// What was wrong.
    pub errors: Errors,
}

/// Scores what was predicted for the turns of a dialogue: programs, and in their results the
/// formal queries that a model wrote for their questions. A turn that lacks counts as `pass`.
///
/// # Errors
/// A recorded call of the gold dialogue cannot be read.
pub fn dialogue<'s>(
    sheets: &'s Sheets,
    settings: Settings,
    knowledge: &mut Knowledge<'s>,
    gold: &Dialogue,
    predicted: &[Turn],
    mode: Mode,
) -> Result<DialogueScore, String> {
    let unjudged = &mut |_: usize, _: &Turned| None;
    dialogue_with(sheets, settings, knowledge, gold, predicted, mode, unjudged)
}

/// The same with a judge of replies, who is given the number of a turn and what its program came to.
///
/// # Errors
/// A recorded call of the gold dialogue cannot be read.
pub fn dialogue_with<'s>(
    sheets: &'s Sheets,
    settings: Settings,
    knowledge: &mut Knowledge<'s>,
    gold: &Dialogue,
    predicted: &[Turn],
    mode: Mode,
    is_grounded: &mut dyn FnMut(usize, &Turned) -> Option<bool>,
) -> Result<DialogueScore, String> {
    let mut ours = Recorded::of(gold)?;
    let mut golds = played(sheets, settings, knowledge, gold, ours.clone());
    let calls = golds.turns.iter().flat_map(|played| &played.calls);
    for made in calls {
        let backends = golds.backends.iter_mut().chain([&mut ours]);
        backends.for_each(|backend| backend.learn(made));
    }
    let mut play = Play::new(sheets, settings, knowledge);
    let mut out = DialogueScore {
        uid: gold.uid.clone(),
        turns: Vec::new(),
        completed: None,
        errors: Errors::default(),
    };
    for (at, wanted) in golds.turns.iter().enumerate() {
        if mode == Mode::TeacherForced {
            play.go_on_from(&wanted.before, &golds.sql[at]);
            ours = golds.backends[at].clone();
        }
        let predicted = predicted.get(at);
        play.take_sql(predicted.and_then(|turn| turn.result.as_ref()));
        let program = predicted.map_or("pass", |turn| &turn.program);
        let found = play.turn(program, &mut ours);
        out.turns.push(TurnScore {
            grounded: is_grounded(at, &found.turned),
            ..turn(sheets, wanted, &found)
        });
        out.errors.add(sheets, wanted, &found);
    }
    if mode == Mode::EndToEnd {
        let end = golds.turns.last().map(|played| &played.turned.state);
        let done = end.is_none_or(|end| done(sheets, end) == done(sheets, play.state()));
        let mut wanted = golds.backends.last().cloned().unwrap_or_default();
        out.completed = Some(done && wanted.state() == ours.state());
    }
    Ok(out)
}

/// A gold dialogue as it was played.
struct Golds {
    turns: Vec<Played>,
    /// The queries known before each turn.
    sql: Vec<std::collections::BTreeMap<String, String>>,
    /// The backend before each turn, and after the last.
    backends: Vec<Recorded>,
}

fn played<'s>(
    sheets: &'s Sheets,
    settings: Settings,
    knowledge: &mut Knowledge<'s>,
    gold: &Dialogue,
    mut backend: Recorded,
) -> Golds {
    let mut play = Play::new(sheets, settings, knowledge);
    let mut out = Golds {
        turns: Vec::new(),
        sql: Vec::new(),
        backends: vec![backend.clone()],
    };
    for turn in &gold.turns {
        out.sql.push(play.sql().clone());
        out.turns.push(play.turn(&turn.program, &mut backend));
        out.backends.push(backend.clone());
    }
    out
}

/// Compares a turn with the gold one.
pub fn turn(sheets: &Sheets, gold: &Played, found: &Played) -> TurnScore {
    let [wanted, ours] = [gold, found].map(|played| operations(sheets, played));
    let without = |all: &std::collections::BTreeSet<Operation>| {
        all.iter().map(Operation::without_value).collect()
    };
    let state = |played: &Played| canonical(sheets, &played.turned.state);
    TurnScore {
        parse: Tally::of(&wanted, &ours),
        slots: Tally::of(&without(&wanted), &without(&ours)),
        acts: Tally::of(&acts(gold), &acts(found)),
        execution: Tally::of(&executions(gold), &executions(found)),
        same_state: state(gold) == state(found),
        texts: texts(sheets, gold, found),
        grounded: None,
    }
}

/// The task records that are done, in their canonical form. A side question is no goal.
fn done(sheets: &Sheets, state: &State) -> Vec<serde_json::Value> {
    let done = |record: &&Record| record.status == Status::Done && record.task().is_some();
    let records = state.records.iter().filter(done);
    let names = Names { state };
    records.map(|record| names.record(sheets, record)).collect()
}

/// How near the texts are that the gold program sets and that stand in the same places.
fn texts(sheets: &Sheets, gold: &Played, found: &Played) -> Vec<f64> {
    let before = prose(sheets, &gold.before);
    let found = prose(sheets, &found.programmed);
    let set = prose(sheets, &gold.programmed);
    let set = set.iter().filter(|text| !before.contains(text));
    let both = set.filter_map(|(place, wanted)| {
        let ours = found.iter().find(|(other, _)| other == place)?;
        Some(token_f1(wanted, &ours.1))
    });
    both.collect()
}

fn prose(sheets: &Sheets, state: &State) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for record in &state.records {
        let Some(task) = record.task() else { continue };
        let sheet = sheets.get(&task.sheet);
        for (name, slot) in &task.fields {
            let field = sheet.and_then(|s| s.fields.get(s.field(name)?));
            if let Some(Value::Plain(serde_json::Value::String(text))) = &slot.value
                && field.is_some_and(|field| field.ty == Type::Text)
            {
                let path = Names { state }.path(&record.var);
                out.push((format!("{path}.{name}"), text.clone()));
            }
        }
    }
    out
}
