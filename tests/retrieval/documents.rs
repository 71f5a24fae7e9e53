//! The part of S3's API document that prompts show: whether it has what the right programs
//! call, and how long it is.

use dialog2api::domain::s3::S3;
use dialog2api::prompts::coverage;
use dialog2api::retrieval::{ExamplePool, Selection, dialogues_in};
use expect_test::expect;
use std::fmt::Write;
use std::path::Path;

#[test]
fn prompts_describe_what_the_right_programs_call() {
    let examples = ExamplePool::built_in(&S3).expect("a pool");
    let mut said = String::new();
    for part in ["s3/train", "s3/test", "s3-manage/train", "s3-manage/test"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("datasets")
            .join(part);
        let dialogues = dialogues_in(&folder).expect("dialogues");
        let pool = ExamplePool::new(&dialogues, &S3).expect("a pool");
        let found = coverage(&S3, &examples, pool.examples(), &Selection::default());
        let found = found.expect("a coverage");
        let at = |share: usize| found.bytes.get(found.bytes.len() * share / 100);
        let bytes: Vec<usize> = [0, 50, 99]
            .iter()
            .filter_map(|share| at(*share))
            .copied()
            .collect();
        writeln!(
            said,
            "{part}: {} of {} turns; bytes {bytes:?}",
            found.covered, found.turns
        )
        .expect("a text");
        for (dialogue, turn, missing) in &found.missed {
            let name = dialogue.rsplit('/').next().unwrap_or_default();
            writeln!(said, "  {name}, turn {turn}: {}", missing.join(", ")).expect("a text");
        }
    }
    expect![[r#"
        s3/train: 142 of 142 turns; bytes [6017, 6017, 8427]
        s3/test: 167 of 167 turns; bytes [6017, 6017, 8427]
        s3-manage/train: 127 of 128 turns; bytes [6017, 7667, 10772]
          replication-status-1, turn 4: get_bucket_replication, put_bucket_replication
        s3-manage/test: 60 of 63 turns; bytes [6017, 8267, 10397]
          compare-versions-2, turn 1: list_object_versions
          extend-lock-1, turn 1: get_object_retention, put_object_retention
          retag-1, turn 1: get_object_tagging, put_object_tagging
    "#]]
    .assert_eq(&said);
}
