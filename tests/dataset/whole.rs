//! The dataset of the repository.

use super::report;
use dialog2api::dataset::Set;
use dialog2api::domain::s3::S3;
use std::path::Path;

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_wrong_with_the_dataset() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3");
    let set = Set::read(&folder, &S3).expect("a dataset");
    let findings = report(&set).await.findings;
    let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
