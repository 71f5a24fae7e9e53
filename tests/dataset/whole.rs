//! The datasets of the repository.

use super::replayer;
use crate::support::is_whole;
use dialog2api::dataset::{ExampleDialogues, Set, check};
use dialog2api::domain::s3::S3;
use std::path::Path;

/// Of more dialogues a tenth is checked where a part is enough.
const MANY: usize = 1_000;

/// Checks a dataset. A model that learned from the lessons is scored on its test part, so that
/// is compared with them as well.
async fn check(dataset: &str, skipped: &[&str]) {
    let datasets = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets");
    let lessons = ExampleDialogues::named(&datasets.join("s3-lessons"), &S3).expect("lessons");
    let mut set = Set::read(&datasets.join(dataset), &S3).expect("a dataset");
    let is_part = !is_whole() && set.dialogues.len() > MANY;
    if is_part {
        let all = std::mem::take(&mut set.dialogues);
        set.dialogues = all.into_iter().step_by(10).collect();
        // The others have goals of their own.
        set.catalogue = None;
    }
    let report = check::check(&set, &lessons.dialogues, &replayer().await).await;
    let report = report.expect("it can be checked");
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    let found: Vec<&str> = report.skipped.iter().map(|it| it.check).collect();
    assert!(is_part || found == skipped, "{:?}", report.skipped);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_wrong_with_the_dataset() {
    check("s3", &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_wrong_with_the_dialogues_about_managing() {
    check("s3-manage", &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_wrong_with_the_everyday_requests() {
    check("s3-everyday", &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_wrong_with_the_requests_that_ask_for_nothing() {
    check("s3-idle", &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_wrong_with_the_injections() {
    check("s3-injections", &[]).await;
}

/// Without a test part there is nothing to compare.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_wrong_with_the_lessons() {
    check("s3-lessons", &["duplicates"]).await;
}
