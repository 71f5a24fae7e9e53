//! What an evaluation costs beside the model: every turn of the test dialogues, with the
//! truth for a model, and 10,000 examples to choose from; with the usual aids and without any.
//!
//! Target, in release on a quiet machine with two cores: a turn ≤ 5 ms at the median,
//! including retrieval for both questions, prompts, sandbox, signature and log.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark's output is what it prints"
)]

use dialog2api::agent::Assist;
use dialog2api::dataset::{ExampleDialogues, Set, Split};
use dialog2api::dialogue::Transcript;
use dialog2api::domain::s3::S3;
use dialog2api::eval::baseline;
use dialog2api::eval::folder::read_timings;
use dialog2api::eval::log::{EvalMode, RunSettings};
use dialog2api::eval::runner::{Examples, RunOptions, RunStop, Runner};
use dialog2api::exec::{Cache, Engine};
use dialog2api::retrieval::ExamplePool;
use std::path::Path;
use std::sync::Arc;

/// The number of turns to choose examples from.
const EXAMPLES: usize = 10_000;

/// The training dialogues over and over, each time a little different, as in a dataset
/// that has so many.
fn many(dialogues: &[Transcript], turns: usize) -> Vec<Transcript> {
    let mut many = Vec::new();
    let mut count = 0;
    for round in 0.. {
        for dialogue in dialogues {
            if count >= turns || dialogue.turns.is_empty() {
                return many;
            }
            let mut copy = dialogue.clone();
            copy.uid = format!("{}-{round}", dialogue.uid);
            for turn in &mut copy.turns {
                turn.user = format!("{} (case {round})", turn.user);
            }
            count += copy.turns.len();
            many.push(copy);
        }
    }
    many
}

/// Seconds of a turn: the median, and what 95 of 100 stay below.
async fn measure(
    engine: &Engine,
    set: &Set,
    examples: &Examples,
    mode: EvalMode,
    assist: Assist,
) -> (f64, f64) {
    let wanted = RunOptions {
        mode,
        settings: RunSettings {
            similarity: "words".to_owned(),
            assist: Some(assist),
            ..RunSettings::default()
        },
        split: Some(Split::Test),
        ..RunOptions::default()
    };
    let candidate = baseline::named("ground-truth").expect("a baseline");
    let sandbox = Arc::new(engine.clone());
    let runner = Runner::new(set, examples, candidate, sandbox, wanted).await;
    let runner = Arc::new(runner.expect("a run"));
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("run");
    let tally = runner.run(&out, false, RunStop::default(), Arc::new(|_| ()));
    assert_eq!(
        tally.await.expect("a run").emr(),
        Some(1.0),
        "the truth is right"
    );
    let timings = read_timings(&out).into_iter();
    let mut seconds: Vec<f64> = timings.map(|timing| timing.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let at = |share: usize| seconds.get(seconds.len() * share / 100).copied();
    (at(50).unwrap_or(0.0), at(95).unwrap_or(0.0))
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let cache = Cache::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-cache/sandbox"));
    let engine = Engine::prepare(&S3.api.client, &cache, &mut |_| ()).await;
    let engine = engine.expect("the sandbox can be prepared");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3");
    let set = Set::read(&folder, &S3).expect("the dataset");
    let dialogues = ExampleDialogues::training_part(&set);
    let few = dialogues.transcripts();
    for examples in [few.clone(), many(&few, EXAMPLES)] {
        let turns: usize = examples.iter().map(|dialogue| dialogue.turns.len()).sum();
        let pool = Arc::new(ExamplePool::new(&examples, &S3).expect("a pool"));
        let examples = Examples {
            dialogues: dialogues.clone(),
            pool,
        };
        for mode in [EvalMode::EndToEnd, EvalMode::TeacherForced] {
            for assist in [Assist::usual(), Assist::none()] {
                let aids = assist.to_string();
                let (median, most) = measure(&engine, &set, &examples, mode, assist).await;
                println!(
                    "{turns:>6} examples, {mode:?}, aids {aids}: a turn {:.2} ms at the median, \
                     95 % below {:.2} ms",
                    median * 1e3,
                    most * 1e3
                );
            }
        }
    }
}
