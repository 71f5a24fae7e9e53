//! A dialogue of a run, turn by turn, beside the truth.

use super::percent;
use crate::dataset::rows::RowGoal;
use crate::dataset::stats::complexities;
use crate::dialogue::{Program, Status, Transcript};
use crate::domain::counted;
use crate::error::{Error, Result};
use crate::eval::log::TurnLog;
use crate::eval::report::Shown;
use crate::eval::report::code::{self, Line};
use crate::eval::report::states::{DialogueKey, StateDifference};
use crate::eval::score::sheet::{Pass, Sheet};
use crate::eval::score::{ErrorClass, classes, turn};
use crate::retrieval::Task;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A dialogue in the list.
#[derive(Debug, Serialize)]
pub struct Entry {
    run: usize,
    label: String,
    pub uid: String,
    goal: Option<String>,
    world: Option<String>,
    /// The epoch, where the run has several.
    epoch: Option<u32>,
    /// EMR in per cent; none where the dialogue did not end.
    emr: Option<String>,
    is_right: bool,
    /// The class of its first mistake.
    first_class: Option<&'static str>,
    kinds: Vec<&'static str>,
    turns: Vec<Turn>,
}

#[derive(Debug, Serialize)]
struct Turn {
    number: u32,
    /// `right`, `wrong` or `failed`.
    mark: &'static str,
    class: Option<&'static str>,
    utterance: String,
    stack: Vec<Goal>,
    code: Vec<Line>,
    is_same: bool,
    signature: String,
    truth_signature: String,
    is_state_right: bool,
    response: String,
    truth_response: String,
    is_plain: bool,
    failure: Option<String>,
    answers: Vec<Answer>,
    /// The differences between the worlds, where this is the first wrong turn.
    differences: Option<Vec<String>>,
    /// Why that is not known.
    unknown: Option<String>,
}

#[derive(Debug, Serialize)]
struct Goal {
    head: String,
    code: String,
    outcome: Option<String>,
}

/// The answer of a model.
#[derive(Debug, Serialize)]
struct Answer {
    about: String,
    text: Option<String>,
    problem: Option<String>,
}

/// The dialogues of a run: those that ended, then those that did not.
///
/// # Errors
/// The log contradicts itself.
pub fn entries(
    run: usize,
    shown: &Shown,
    states: &BTreeMap<DialogueKey, StateDifference>,
) -> Result<Vec<Entry>> {
    let sheet = Sheet::new(&shown.log.run, &shown.log.turns, shown.domain.as_ref());
    let sheet = sheet.map_err(|problem| Error::Content {
        path: shown.folder.join("log.jsonl"),
        problem,
    })?;
    let several = shown.log.run.epochs > 1;
    let mut entries = Vec::new();
    for runs in &sheet.dialogues {
        let kinds = kinds_of(&runs.truth, &sheet);
        for pass in &runs.passes {
            let place = (run, runs.uid.to_owned(), pass.epoch);
            let first = pass.turns.first();
            entries.push(Entry {
                run,
                label: shown.label.clone(),
                uid: runs.uid.to_owned(),
                goal: first.and_then(|log| log.truth.goal.clone()),
                world: first.and_then(|log| log.truth.world.clone()),
                epoch: several.then_some(pass.epoch),
                emr: pass.emr().map(percent),
                is_right: pass.is_complete(),
                kinds: kinds.clone(),
                first_class: classes(pass)
                    .into_iter()
                    .flatten()
                    .next()
                    .map(ErrorClass::title),
                turns: turns(pass, states.get(&place)),
            });
        }
    }
    for (cut, logs) in sheet.cut_short.iter().zip(&sheet.cut_turns) {
        let pass = Pass {
            epoch: cut.epoch,
            turns: logs.clone(),
        };
        let first = logs.first();
        entries.push(Entry {
            run,
            label: shown.label.clone(),
            uid: cut.dialogue.clone(),
            goal: first.and_then(|log| log.truth.goal.clone()),
            world: first.and_then(|log| log.truth.world.clone()),
            epoch: several.then_some(cut.epoch),
            emr: None,
            is_right: false,
            first_class: None,
            kinds: Vec::new(),
            turns: turns(&pass, None),
        });
    }
    Ok(entries)
}

/// The complexities that any of the dialogues has, in the order of the methods.
pub fn kinds(entries: &[Entry]) -> Vec<&'static str> {
    let found: BTreeSet<&str> = entries
        .iter()
        .flat_map(|e| e.kinds.iter().copied())
        .collect();
    let all = crate::dataset::stats::Complexity::names();
    all.into_iter()
        .filter(|name| found.contains(name))
        .collect()
}

fn kinds_of(truth: &Transcript, sheet: &Sheet<'_>) -> Vec<&'static str> {
    let found = complexities(truth, &sheet.domain);
    let found: BTreeSet<_> = found.into_iter().map(|(_, kind)| kind).collect();
    found.into_iter().map(|kind| kind.name()).collect()
}

fn turns(pass: &Pass<'_>, difference: Option<&StateDifference>) -> Vec<Turn> {
    let classes = classes(pass);
    let wrong = pass.turns.iter().position(|log| !turn::matches(log));
    let turns = pass.turns.iter().zip(classes).enumerate();
    turns
        .map(|(index, (log, class))| {
            let difference = difference.filter(|_| wrong == Some(index));
            of_turn(log, class, difference)
        })
        .collect()
}

fn of_turn(log: &TurnLog, class: Option<ErrorClass>, difference: Option<&StateDifference>) -> Turn {
    let (truth, mine) = (in_words(&log.truth.programs), in_words(&log.programs));
    let is_failed = turn::is_cut_short(log);
    let (differences, unknown) = match difference {
        Some(StateDifference::Lines(lines)) => (Some(lines.clone()), None),
        Some(StateDifference::Unknown(problem)) => (None, Some(problem.clone())),
        None => (None, None),
    };
    Turn {
        number: log.truth.turn,
        mark: match (is_failed, turn::matches(log)) {
            (true, _) => "failed",
            (false, true) => "right",
            (false, false) => "wrong",
        },
        class: class.filter(|_| !is_failed).map(ErrorClass::title),
        utterance: log.truth.utterance.clone(),
        stack: log.stack.iter().map(goal).collect(),
        code: code::lines(&truth, &mine),
        is_same: truth == mine,
        signature: log.signature.clone(),
        truth_signature: log.truth_signature.clone(),
        is_state_right: turn::state_matches(log),
        response: log.response.clone(),
        truth_response: log.truth.response.clone().unwrap_or_default(),
        is_plain: log.plain,
        failure: log.failure.as_ref().map(|failure| failure.message.clone()),
        answers: answers(log),
        differences,
        unknown,
    }
}

/// Goals as text, so that two turns can be compared line by line.
fn in_words(goals: &[RowGoal]) -> String {
    let mut text = Vec::new();
    for goal in goals.iter().map(goal) {
        text.push(goal.head);
        text.extend(goal.code.lines().map(|line| format!("    {line}")));
        text.extend(goal.outcome);
    }
    text.join("\n")
}

fn goal(goal: &RowGoal) -> Goal {
    let code = goal.program.clone().map(Program::from_text);
    let kept = match (&code, goal.status) {
        (None, Status::Final) => ", as drafted",
        _ => "",
    };
    Goal {
        head: format!("goal {} · {}{kept}", goal.uid, goal.status),
        code: code.map_or_else(String::new, |code| code.code().to_owned()),
        outcome: match (&goal.result, &goal.error) {
            (Some(result), _) => Some(format!("→ {result}")),
            (None, Some(error)) => {
                let message = goal.message.as_deref().unwrap_or_default();
                let more = if message.is_empty() { "" } else { ": " };
                Some(format!("→ {error}{more}{message}"))
            }
            (None, None) => None,
        },
    }
}

fn answers(log: &TurnLog) -> Vec<Answer> {
    let answers = log.exchanges.iter().map(|exchange| {
        let task = match exchange.task {
            Task::Program => "programs",
            Task::Response => "response",
        };
        let usage = &exchange.usage;
        let (read, written) = (usage.prompt_tokens, usage.completion_tokens);
        Answer {
            about: match (read, written) {
                (0, 0) => task.to_owned(),
                _ => format!("{task}, {} read, {written} written", counted(read, "token")),
            },
            text: exchange.text.clone(),
            problem: exchange.error.clone().or_else(|| exchange.finding.clone()),
        }
    });
    answers.collect()
}
