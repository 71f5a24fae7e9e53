//! Dialogues from templates: the same seed, the same bytes; every kind; nothing wrong.

use super::{replayer, report};
use dialog2api::dataset::generate::{Generated, Generator, Templates};
use dialog2api::dataset::{self, Set};
use dialog2api::domain::s3::S3;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn s3_dataset() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3")
}

fn everyday() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3-everyday")
}

async fn generate(seed: u64, count: usize) -> Generated {
    let folder = s3_dataset();
    let templates = Templates::read(&folder).expect("templates");
    let mut known = dataset::read(&folder).expect("dialogues");
    known.extend(dataset::read(&everyday()).expect("dialogues"));
    let generator = Arc::new(Generator::new(templates, &known, replayer().await, &S3));
    let generated = generator.generate(seed, count, |_| ()).await;
    generated.expect("dialogues that fit")
}

#[tokio::test]
async fn the_same_seed_makes_the_same_bytes() {
    let (one, again, other) = (
        generate(5, 16).await,
        generate(5, 16).await,
        generate(6, 16).await,
    );
    assert_eq!(one.files, again.files);
    assert_ne!(one.files, other.files);
}

#[tokio::test]
async fn a_longer_set_begins_with_the_shorter() {
    let (short, long) = (generate(5, 8).await, generate(5, 16).await);
    let dialogues = |set: &Generated| -> Vec<_> {
        let files = set.files.iter();
        let trained = files.filter(|(path, _)| path.starts_with("train"));
        trained.cloned().collect()
    };
    assert_eq!(dialogues(&short), dialogues(&long)[..8]);
}

#[tokio::test]
async fn two_hundred_dialogues_have_every_kind_and_nothing_wrong() {
    let generated = generate(1, 200).await;
    let folder = tempfile::tempdir().expect("a folder");
    let files: Vec<(PathBuf, String)> = (generated.files.into_iter())
        .map(|(path, text)| (folder.path().join(path), text))
        .collect();
    dataset::write(&files, false).expect("written");
    let set = Set::read(folder.path(), &S3).expect("a set");
    let findings: Vec<String> = (report(&set).await.findings.iter())
        .map(|finding| format!("[{}] {finding}", finding.check))
        .collect();
    assert_eq!(findings, Vec::<String>::new());

    let figures = generated.figures;
    assert_eq!(figures.dialogues, 200);
    assert!(figures.idle_share() >= 40.0, "{}", figures.idle_share());
    let missing: Vec<&str> = [
        "plain",
        "write",
        "destroy",
        "faq",
        "chitchat",
        "out of scope",
        "ambiguous",
        "over-specified",
        "end",
        "missing value",
        "any order",
        "revision",
        "confirmation",
        "refusal",
        "change",
        "interruption",
        "abandon",
        "error",
        "repair",
        "follow-up",
    ]
    .into_iter()
    .filter(|kind| !figures.kinds.contains_key(*kind))
    .collect();
    assert_eq!(missing, Vec::<&str>::new());
    let plain = figures.kinds["plain"];
    let others = ["write", "destroy", "faq", "chitchat", "ambiguous"];
    assert!(others.iter().all(|kind| figures.kinds[*kind] < plain));
}

#[tokio::test]
async fn no_utterance_is_near_to_a_test_part() {
    let generated = generate(2, 40).await;
    let test = [s3_dataset().join("test"), everyday().join("test")];
    let mut compared = 0;
    for (uid, nearest) in generated.nearest {
        // Utterances of fewer than four words are not compared.
        let Some(nearest) = nearest else { continue };
        compared += 1;
        assert!(nearest.similarity < 0.5, "{uid}: {nearest:?}");
        let is_of_test = test.iter().any(|part| nearest.place.0.starts_with(part));
        assert!(is_of_test, "{uid}: {nearest:?}");
    }
    assert!(compared >= 36, "{compared} of 40");
}

#[test]
fn a_mistake_in_a_template_names_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let goals = folder.path().join("generator/goals");
    std::fs::create_dir_all(&goals).expect("a folder");
    std::fs::write(goals.join("odd.toml"), "[[goal]]\nid = 1\n").expect("a file");
    let error = Templates::read(folder.path()).err().expect("a mistake");
    let text = error.to_string();
    assert!(
        text.contains("odd.toml") && text.contains("line 2"),
        "{text}"
    );
}
