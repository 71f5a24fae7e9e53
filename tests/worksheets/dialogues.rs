//! The dialogues of the applications: their programs run in the sandbox, and what follows
//! them is what is recorded.

use super::lab::cache;
use dialog2api::dataset::{self, Dialogue, InitialWorlds, Replayer, Split};
use dialog2api::dialogue::write_transcript;
use dialog2api::exec::Engine;
use dialog2api::folder;
use std::path::Path;
use std::sync::Arc;

/// The programs of an application; where one does something else, the test fails.
async fn programs(name: &str) -> usize {
    let path = Path::new("datasets").join(name);
    let domain = folder::load(&path, &cache()).unwrap();
    let engine = Engine::prepare(&domain.api.client, &cache(), &mut |_| ()).await;
    let sandbox = engine.unwrap().with_setup(&domain.api.setup);
    let (replayer, worlds) = (
        Replayer::new(Arc::new(sandbox), &domain),
        InitialWorlds::new(&domain),
    );
    let mut programs = 0;
    for part in ["examples", "tests"] {
        for dialogue in dataset::read(&path.join(part)).unwrap() {
            let world = worlds.of(&dialogue).unwrap();
            let Dialogue {
                path,
                transcript,
                text,
                ..
            } = dialogue;
            // Evaluations take no other form.
            assert_eq!(text, write_transcript(&transcript), "{}", path.display());
            let replayed = replayer.replay(&transcript, world).await.unwrap().unwrap();
            for (turn, replayed) in transcript.turns.iter().zip(replayed) {
                for (goal, done) in turn.goals.iter().zip(replayed.done) {
                    let place = format!("{}, goal {}", path.display(), goal.uid);
                    assert_eq!(Some(done.execution.outcome), goal.outcome, "{place}");
                    assert_eq!(Some(done.signature.to_string()), goal.signature, "{place}");
                    programs += 1;
                }
            }
        }
    }
    programs
}

#[test]
fn the_tests_of_a_folder_are_its_test_part() {
    let dialogues = dataset::read(Path::new("datasets/worksheets-restaurant")).unwrap();
    for split in [Split::Train, Split::Test] {
        let part = dialogues.iter().filter(|it| it.split == Some(split));
        assert_eq!(part.count(), 12, "{split}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tables() {
    assert_eq!(programs("worksheets-restaurant").await, 167);
}

#[tokio::test(flavor = "multi_thread")]
async fn tickets() {
    assert_eq!(programs("worksheets-tickets").await, 166);
}

#[tokio::test(flavor = "multi_thread")]
async fn courses() {
    assert_eq!(programs("worksheets-courses").await, 176);
}

#[tokio::test(flavor = "multi_thread")]
async fn archive() {
    assert_eq!(programs("worksheets-archive").await, 42);
}
