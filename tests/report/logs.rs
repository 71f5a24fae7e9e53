//! Logs of runs, made of the dataset: the truth as prediction, with mistakes planted.
//! Programs really run, so that outcomes, signatures and states are what they would be.

use crate::support;
use dialog2api::dataset::rows::{RowGoal, TurnRow, rows};
use dialog2api::dataset::{self, Dialogue, ReplayedTurn, Replayer};
use dialog2api::dialogue::{GoalRecord, Program, Status, Turn};
use dialog2api::domain::s3::S3;
use dialog2api::domain::{self, World};
use dialog2api::eval::log::{
    DatasetId, EvalMode, ExchangeLog, FailureKind, Run, RunSettings, SIGNATURE_VERSION,
    TurnFailure, TurnLog, VERSION,
};
use dialog2api::eval::read::RunLog;
use dialog2api::llm::{Message, Request, Role, Usage};
use dialog2api::retrieval::Task;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::OnceCell;

/// A mistake: changes the turn (from 0) of a dialogue (its place) before it runs.
pub type Mistake = fn(dialogue: usize, turn: usize, &mut Turn);

pub fn no_mistake(_: usize, _: usize, _: &mut Turn) {}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3")
}

/// What ran: a model in a setting.
pub fn run(model: &str, setting: char, dialogues: usize) -> Run {
    Run {
        version: VERSION,
        dialog2api: "0.1.0".to_owned(),
        revision: Some("0123456".to_owned()),
        signature: SIGNATURE_VERSION,
        domain: "s3".to_owned(),
        model: model.to_owned(),
        mode: EvalMode::EndToEnd,
        dataset: DatasetId {
            name: None,
            split: Some(dataset::Split::Test),
            dialogues: u32::try_from(dialogues).unwrap(),
            digest: "d1".repeat(32),
            examples: None,
            examples_digest: "e5".repeat(32),
        },
        settings: RunSettings {
            setting,
            k: 5,
            alpha: 1.0,
            similarity: "bm25".to_owned(),
            temperature: 0.0,
            seed: 0,
            program_tokens: 1024,
            response_tokens: 1024,
            form: Default::default(),
            budget: None,
            assist: None,
            earlier: BTreeMap::new(),
        },
        epochs: 1,
        shard: None,
    }
}

/// A dialogue of the dataset that has been run: its rows, and what happened in each turn.
struct Truth {
    dialogue: Dialogue,
    rows: Vec<TurnRow>,
    turns: Vec<(ReplayedTurn, String)>,
}

/// The number of dialogues used: the first ones of the test part.
pub const DIALOGUES: usize = 12;

pub async fn replayer() -> Replayer {
    static SANDBOX: OnceCell<Replayer> = OnceCell::const_new();
    let made = SANDBOX.get_or_init(async || Replayer::new(Arc::new(support::sandbox().await), &S3));
    made.await.clone()
}

fn world(dialogue: &Dialogue) -> Arc<dyn World> {
    let name = dialogue.world().expect("a world");
    dataset::InitialWorlds::new(&S3)
        .named(&root(), name)
        .expect("a world of the dataset")
}

async fn state(world: &Arc<dyn World>) -> String {
    let state = domain::signature(&**world, []).await.expect("a state");
    state.to_string()
}

async fn truths() -> &'static [Truth] {
    static TRUTHS: OnceCell<Vec<Truth>> = OnceCell::const_new();
    let truths = TRUTHS.get_or_init(async || {
        let mut dialogues = dataset::read(&root().join("test")).expect("dialogues");
        dialogues.truncate(DIALOGUES);
        let mut truths = Vec::new();
        for dialogue in dialogues {
            let replayer = replayer().await;
            let mut replay = replayer.start(world(&dialogue));
            let mut turns = Vec::new();
            for turn in &dialogue.transcript.turns {
                let done = replay.turn(turn).await.expect("it runs").expect("legal");
                turns.push((done, state(replay.world()).await));
            }
            let rows = rows(&root().join("test"), std::slice::from_ref(&dialogue));
            truths.push(Truth {
                rows: rows.expect("rows"),
                dialogue,
                turns,
            });
        }
        truths
    });
    truths.await
}

/// The log of a run that makes these mistakes.
pub async fn log(model: &str, setting: char, mistake: Mistake) -> RunLog {
    let mut turns = Vec::new();
    for (index, truth) in truths().await.iter().enumerate() {
        turns.extend(of_dialogue(index, truth, mistake).await);
    }
    RunLog {
        run: run(model, setting, DIALOGUES),
        turns,
    }
}

async fn of_dialogue(index: usize, truth: &Truth, mistake: Mistake) -> Vec<TurnLog> {
    let replayer = replayer().await;
    let mut replay = replayer.start(world(&truth.dialogue));
    let mut said = truth
        .dialogue
        .transcript
        .greeting
        .clone()
        .unwrap_or_default();
    let mut logs = Vec::new();
    for (number, row) in truth.rows.iter().enumerate() {
        let mut turn = truth.dialogue.transcript.turns[number].clone();
        mistake(index, number, &mut turn);
        let stack = replay.stack().goals().iter();
        let stack = stack
            .map(|goal| RowGoal::from(&GoalRecord::from(&**goal)))
            .collect();
        let text = dialog2api::dialogue::write_updates(&turn.updates());
        let done = replay.turn(&turn).await.expect("it runs");
        let (programs, calls, signature, failure) = match &done {
            Ok(done) => {
                let goals = turn.goals.iter().map(|goal| happened(goal, done));
                let calls = done.done.iter().map(|one| {
                    let calls = one.execution.calls.iter();
                    (one.uid, calls.map(|call| call.operation.clone()).collect())
                });
                let signature = done.signature.to_string();
                (goals.collect(), calls.collect(), signature, None)
            }
            Err(violations) => (
                Vec::new(),
                Default::default(),
                state(replay.world()).await,
                Some(TurnFailure {
                    kind: FailureKind::Programs,
                    message: violations[0].to_string(),
                }),
            ),
        };
        let response = turn.response.clone().unwrap_or_default();
        let (done, truth_state) = &truth.turns[number];
        logs.push(TurnLog {
            epoch: 1,
            truth: row.clone(),
            truth_signature: done.signature.to_string(),
            truth_state: truth_state.clone(),
            stack,
            previous_response: std::mem::replace(&mut said, response.clone()),
            exchanges: vec![
                exchange(Task::Program, &text),
                exchange(Task::Response, &response),
            ],
            programs,
            calls,
            response,
            limits: None,
            plain: false,
            doubts: Vec::new(),
            failure,
            signature,
            state: state(replay.world()).await,
            aided: Vec::new(),
            strict: None,
        });
    }
    logs
}

/// A goal with what came of it this time.
fn happened(goal: &GoalRecord, done: &ReplayedTurn) -> RowGoal {
    let one = done.done.iter().find(|one| one.uid == goal.uid);
    RowGoal::from(&GoalRecord {
        outcome: one.map(|one| one.execution.outcome.clone()),
        signature: one.map(|one| one.signature.to_string()),
        ..goal.clone()
    })
}

fn exchange(task: Task, text: &str) -> ExchangeLog {
    ExchangeLog {
        task,
        request: Request {
            messages: vec![Message {
                role: Role::User,
                content: "the prompt".to_owned(),
            }],
            max_tokens: 1024,
            temperature: 0.0,
            stop: Vec::new(),
            seed: None,
            grammar: None,
        },
        text: Some(text.to_owned()),
        error: None,
        finding: None,
        usage: Usage {
            prompt_tokens: 2000,
            cached_tokens: 0,
            completion_tokens: 100,
            ..Usage::default()
        },
    }
}

/// Mistakes of all kinds, in about half of the dialogues.
pub fn mistakes(dialogue: usize, turn: usize, it: &mut Turn) {
    let Some(goal) = it.goals.last_mut() else {
        return;
    };
    match (dialogue % 7, turn) {
        // Leaves something behind.
        (1, 1..) if goal.status == Status::Final => prefix(goal, STRAY),
        // Does it without asking.
        (2, _) if goal.status == Status::Drafting => goal.status = Status::Final,
        (3, 2..) if goal.status == Status::Final => prefix(goal, "[][0]"),
        (4, 1..) if goal.status == Status::Final => goal.status = Status::Drafting,
        (5, 2..) if goal.status == Status::Final => prefix(goal, "return 'something else'"),
        _ => {}
    }
    if turn == 2
        && let Some(response) = &mut it.response
    {
        response.insert_str(0, "Well, ");
    }
}

/// A line that leaves something behind.
pub const STRAY: &str = "s3.put_object(Bucket=s3.list_buckets()['Buckets'][0]['Name'], \
                     Key='stray.txt', Body=b'x')";

/// Puts a line before the program of a goal, if it has one in this turn.
pub fn prefix(goal: &mut GoalRecord, line: &str) {
    if let Some(program) = &goal.program {
        goal.program = Some(Program::new(&format!("{line}\n{}", program.code())));
    }
}

/// Writes a log into the folder of a run.
pub fn write(folder: &Path, log: &RunLog) {
    std::fs::create_dir_all(folder).expect("a folder");
    let run = serde_json::to_string_pretty(&log.run).expect("JSON");
    std::fs::write(folder.join("run.json"), run + "\n").expect("a file");
    let lines = log
        .turns
        .iter()
        .map(|turn| serde_json::to_string(turn).expect("JSON") + "\n");
    std::fs::write(folder.join("log.jsonl"), lines.collect::<String>()).expect("a file");
}
