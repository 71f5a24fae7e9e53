//! Logs as the tests write them.
//!
//! A line is a turn: `a 1  run:S1:v | run:S1:w`. That is the dialogue, the epoch, what is
//! true, and what the model did. Turns are numbered as they come. What is done is one of
//!
//! - `draft:STATE`: nothing runs, the state is STATE
//! - `run:STATE:VALUE`: a program runs and returns VALUE
//! - `run:STATE:!NAME`: it ends with the error NAME
//! - `fail:KIND:STATE`: (the model) the turn failed; `fail:programs:S0 ANSWER` with the answer
//!
//! `truth: code` after it is the code of the true program, `code:` that of the model. A
//! response is `ok`, and `plain` where the word stands behind.

use dialog2api::dataset::rows::{RowGoal, TurnRow};
use dialog2api::dialogue::Status;
use dialog2api::eval::log::{
    DatasetId, EvalMode, ExchangeLog, FailureKind, Run, RunSettings, TurnFailure, TurnLog, VERSION,
};
use dialog2api::eval::score::{Bootstrap, Options, Score, score};
use dialog2api::llm::{Request, Usage};
use dialog2api::retrieval::Task;
use std::collections::{BTreeMap, BTreeSet};

/// A run of so many dialogues and epochs.
pub fn run(dialogues: u32, epochs: u32) -> Run {
    Run {
        version: VERSION,
        dialog2api: "0.1.0".to_owned(),
        revision: None,
        signature: 1,
        domain: "s3".to_owned(),
        model: "test:model".to_owned(),
        mode: EvalMode::EndToEnd,
        dataset: DatasetId {
            name: None,
            split: None,
            dialogues,
            digest: "d1".to_owned(),
            examples: None,
            examples_digest: "e1".to_owned(),
        },
        settings: RunSettings {
            assist: None,
            ..RunSettings::default()
        },
        epochs,
        shard: None,
    }
}

/// A run that has all dialogues and epochs of these turns.
pub fn run_of(turns: &[TurnLog]) -> Run {
    let dialogues: BTreeSet<&str> = turns.iter().map(|log| &*log.truth.dialogue).collect();
    let epochs = turns.iter().map(|log| log.epoch).max();
    run(u32::try_from(dialogues.len()).unwrap(), epochs.unwrap_or(1))
}

/// The turns of a text.
pub fn turns(text: &str) -> Vec<TurnLog> {
    let mut counts: BTreeMap<(String, u32), u32> = BTreeMap::new();
    let mut turns: Vec<TurnLog> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (place, done) = line
            .trim()
            .split_once("  ")
            .expect("a place and what is done");
        let (dialogue, epoch) = place.split_once(' ').expect("a dialogue and an epoch");
        let epoch = epoch.trim().parse().expect("an epoch");
        let turn = counts.entry((dialogue.to_owned(), epoch)).or_default();
        *turn += 1;
        turns.push(turn_log(dialogue, epoch, *turn, done));
    }
    for log in &mut turns {
        let (_, longest) = counts
            .iter()
            .filter(|((dialogue, _), _)| *dialogue == log.truth.dialogue)
            .max_by_key(|(_, turns)| **turns)
            .unwrap();
        log.truth.turns = *longest;
    }
    turns
}

fn turn_log(dialogue: &str, epoch: u32, turn: u32, done: &str) -> TurnLog {
    let (truth, model) = done.split_once('|').expect("the truth | the model");
    let (truth, model) = (Done::of(truth, turn), Done::of(model, turn));
    let exchange = |text: &str| ExchangeLog {
        task: Task::Program,
        request: Request {
            messages: Vec::new(),
            max_tokens: 1024,
            temperature: 0.0,
            stop: Vec::new(),
            seed: Some(0),
            grammar: None,
        },
        text: Some(text.to_owned()),
        error: None,
        finding: model.failure.is_some().then(|| "it is wrong".to_owned()),
        usage: Usage {
            prompt_tokens: 100,
            cached_tokens: 50,
            completion_tokens: 10,
            ..Usage::default()
        },
    };
    TurnLog {
        epoch,
        truth: TurnRow {
            dialogue: dialogue.to_owned(),
            goal: None,
            world: None,
            split: None,
            turn,
            turns: 0,
            stack: Vec::new(),
            previous_response: None,
            utterance: "please".to_owned(),
            programs: vec![truth.goal.clone()],
            signature: truth.ran().then(|| truth.signature.clone()),
            response: Some("ok".to_owned()),
            file: format!("test/{dialogue}.xml"),
            attributes: Vec::new(),
            initial_signature: None,
            greeting: None,
        },
        truth_signature: truth.signature,
        truth_state: truth.state,
        stack: Vec::new(),
        previous_response: String::new(),
        exchanges: vec![exchange(&model.answer)],
        programs: match model.failure {
            Some(_) => Vec::new(),
            None => vec![model.goal],
        },
        calls: BTreeMap::new(),
        response: "ok".to_owned(),
        limits: None,
        plain: model.plain,
        doubts: Vec::new(),
        failure: model.failure.map(|kind| TurnFailure {
            kind,
            message: "the model did not answer".to_owned(),
        }),
        signature: model.signature,
        state: model.state,
        aided: Vec::new(),
        strict: None,
    }
}

/// What one side of a line says.
struct Done {
    goal: RowGoal,
    signature: String,
    state: String,
    failure: Option<FailureKind>,
    answer: String,
    plain: bool,
}

impl Done {
    fn of(text: &str, turn: u32) -> Done {
        let text = text.trim();
        let (text, code) = match text.split_once(" code: ") {
            Some((text, code)) => (text, code.to_owned()),
            None => (text, "return s3.list_objects(Bucket='a')".to_owned()),
        };
        let (what, rest) = text.split_once(' ').unwrap_or((text, ""));
        let mut parts = what.split(':');
        let mut next = || parts.next().unwrap_or_default().to_owned();
        let (kind, first, second) = (next(), next(), next());
        let mut done = Done {
            goal: RowGoal {
                uid: turn,
                status: Status::Final,
                program: Some(format!("\n{code}\n")),
                result: None,
                error: None,
                message: None,
                signature: None,
            },
            signature: first.clone(),
            state: first,
            failure: None,
            answer: rest.to_owned(),
            plain: rest == "plain",
        };
        match kind.as_str() {
            "draft" => done.goal.status = Status::Drafting,
            "run" => {
                done.signature = format!("{}/{second}", done.state);
                match second.strip_prefix('!') {
                    Some(name) => done.goal.error = Some(name.to_owned()),
                    None => done.goal.result = Some(format!("{second:?}")),
                }
            }
            "fail" => {
                let kind = serde_json::from_value(done.state.clone().into());
                done.failure = Some(kind.expect("a kind of failure"));
                (done.signature, done.state) = (second.clone(), second);
            }
            other => panic!("{other:?} is nothing that is done"),
        }
        done
    }

    fn ran(&self) -> bool {
        self.goal.status == Status::Final
    }
}

/// Few resamples: most tests look at other figures.
pub fn options() -> Options {
    Options {
        partial: false,
        bootstrap: Bootstrap {
            resamples: 200,
            seed: 0,
        },
        domain: None,
    }
}

/// The score of a text.
pub fn scored(text: &str) -> Score {
    let turns = turns(text);
    score(&run_of(&turns), &turns, &options()).expect("a score")
}

/// The figures of a score, one a line.
pub fn figures(score: &Score) -> String {
    let figures = score.metrics.iter().map(|figure| {
        let value = figure
            .value
            .map_or("-".to_owned(), |value| format!("{value:.4}"));
        format!("{} {value} of {}\n", figure.name, figure.dialogues)
    });
    figures.collect()
}
