//! The datasets of the repository.

use super::report;
use dialog2api::dataset::check::duplicates::{Duplicates, UTTERANCES};
use dialog2api::dataset::{ExampleDialogues, Set};
use dialog2api::domain::s3::S3;
use std::path::Path;

async fn check(dataset: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(dataset);
    let set = Set::read(&folder, &S3).expect("a dataset");
    let report = report(&set).await;
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    // A dataset that has everything lets every check look at all of it.
    let skipped: Vec<&str> = report.skipped.iter().map(|it| &*it.reason).collect();
    assert!(skipped.is_empty(), "{}", skipped.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_wrong_with_the_dataset() {
    check("datasets/s3").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_wrong_with_the_dialogues_about_managing() {
    check("datasets/s3-manage").await;
}

/// A dataset with one part has nothing to compare with.
async fn check_only_part(dataset: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(dataset);
    let set = Set::read(&folder, &S3).expect("a dataset");
    let report = report(&set).await;
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert_eq!(findings, Vec::<String>::new());
    let skipped: Vec<&str> = report.skipped.iter().map(|it| it.check).collect();
    assert_eq!(skipped, ["duplicates"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_wrong_with_the_everyday_requests() {
    check_only_part("datasets/s3-everyday").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_wrong_with_the_requests_that_ask_for_nothing() {
    check_only_part("datasets/s3-idle").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_wrong_with_the_injections() {
    check_only_part("datasets/s3-injections").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_wrong_with_the_lessons() {
    check_only_part("datasets/s3-lessons").await;
}

/// A model that learned from the lessons is scored on these.
const SCORED_ON: [&str; 5] = ["s3", "s3-manage", "s3-everyday", "s3-idle", "s3-injections"];

#[test]
fn no_lesson_says_what_a_test_dialogue_says() {
    let datasets = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets");
    let lessons = ExampleDialogues::named(&datasets.join("s3-lessons"), &S3).expect("lessons");
    for name in SCORED_ON {
        let set = Set::read(&datasets.join(name), &S3).expect("a dataset");
        let alike = Duplicates::of(&set, &lessons.dialogues).utterances;
        assert!(alike[0].similarity < UTTERANCES, "{name}: {:?}", alike[0]);
    }
}
