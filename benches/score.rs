//! Scoring a finished log of 100 dialogues, reading included. Target, in release on a quiet
//! machine: < 1 s for everything.
//!
//! The log is made of the dataset, the truth as the model with planted mistakes, and every
//! request with a prompt of 20 kB.

use criterion::Criterion;
use dialog2api::dataset::{read, rows};
use dialog2api::eval::log::{
    DatasetId, EvalMode, ExchangeLog, Run, RunSettings, SIGNATURE_VERSION, TurnLog, VERSION,
};
use dialog2api::eval::read::load;
use dialog2api::eval::score::{Options, score};
use dialog2api::llm::{Message, Request, Role, Usage};
use dialog2api::retrieval::Task;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;

/// Bytes of a prompt.
const PROMPT: usize = 20_000;

fn exchange(task: Task, prompt: &str, text: &str) -> ExchangeLog {
    ExchangeLog {
        task,
        request: Request {
            messages: vec![Message {
                role: Role::User,
                content: prompt.to_owned(),
            }],
            max_tokens: 1024,
            temperature: 0.0,
            stop: vec!["</output>".to_owned()],
            seed: Some(0),
            grammar: None,
        },
        text: Some(text.to_owned()),
        error: None,
        finding: None,
        usage: Usage::default(),
    }
}

/// The 100 dialogues as a log.
fn log() -> (Run, Vec<TurnLog>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3");
    let dialogues = read(&root).expect("the dataset");
    // Dialogues as examples are what a prompt is made of: lines, quotes and brackets.
    let texts: String = dialogues.iter().map(|dialogue| &*dialogue.text).collect();
    let texts: Vec<char> = texts.chars().collect();
    let rows = rows::rows(&root, &dialogues).expect("rows");
    let turns = rows.into_iter().enumerate().map(|(index, row)| {
        let start = (index * 97) % (texts.len() - PROMPT);
        let prompt: String = texts.iter().skip(start).take(PROMPT).collect();
        let signature = row.signature.clone().unwrap_or_else(|| "none".to_owned());
        let mistake = if index % 7 == 0 { "!" } else { "" };
        let response = row.response.clone().unwrap_or_default();
        TurnLog {
            epoch: 1,
            truth_signature: signature.clone(),
            truth_state: signature.clone(),
            stack: row.stack.clone(),
            previous_response: row.previous_response.clone().unwrap_or_default(),
            exchanges: vec![
                exchange(Task::Program, &prompt, "<goal …>"),
                exchange(Task::Response, &prompt, &response),
            ],
            programs: row.programs.clone(),
            calls: BTreeMap::new(),
            response,
            limits: None,
            plain: false,
            doubts: Vec::new(),
            failure: None,
            signature: format!("{signature}{mistake}"),
            state: signature,
            aided: Vec::new(),
            strict: None,
            truth: row,
        }
    });
    let run = Run {
        version: VERSION,
        dialog2api: "bench".to_owned(),
        revision: None,
        signature: SIGNATURE_VERSION,
        domain: "s3".to_owned(),
        model: "bench".to_owned(),
        mode: EvalMode::TeacherForced,
        dataset: DatasetId {
            name: None,
            split: None,
            dialogues: 100,
            digest: String::new(),
            examples: None,
            examples_digest: String::new(),
        },
        settings: RunSettings {
            assist: None,
            ..RunSettings::default()
        },
        epochs: 1,
        shard: None,
    };
    (run, turns.collect())
}

fn main() {
    let (run, turns) = log();
    let folder = tempfile::tempdir().expect("a folder");
    let lines = turns.iter().map(|turn| {
        let line = serde_json::to_string(turn).expect("JSON");
        format!("{line}\n")
    });
    std::fs::write(folder.path().join("log.jsonl"), lines.collect::<String>()).expect("a file");
    let json = serde_json::to_string(&run).expect("JSON");
    std::fs::write(folder.path().join("run.json"), json).expect("a file");

    let mut criterion = Criterion::default().configure_from_args().sample_size(10);
    criterion.bench_function("score/read", |b| {
        b.iter(|| black_box(load(folder.path(), false).expect("a log")))
    });
    criterion.bench_function("score/figures", |b| {
        b.iter(|| black_box(score(&run, &turns, &Options::default()).expect("a score")))
    });
    criterion.bench_function("score/all", |b| {
        b.iter(|| {
            let log = load(folder.path(), false).expect("a log");
            black_box(score(&log.run, &log.turns, &Options::default()).expect("a score"))
        })
    });
    criterion.final_summary();
}
