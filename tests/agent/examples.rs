//! The training dialogues that come with the program.

use dialog2api::dialogue::{Status, read_transcript, write_transcript};
use dialog2api::domain::s3::S3;
use dialog2api::retrieval::ExamplePool;
use std::path::Path;

#[test]
fn every_file_of_the_folder_is_built_in() {
    let mut names: Vec<String> = Vec::new();
    for folder in ["datasets/s3/train", "datasets/s3-manage/train"] {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let files = std::fs::read_dir(dir).unwrap();
        let mut files: Vec<String> = files
            .map(|entry| format!("{folder}/{}", entry.unwrap().file_name().display()))
            .collect();
        files.sort();
        names.extend(files);
    }
    let listed: Vec<&str> = S3
        .teaching
        .examples
        .iter()
        .map(|(name, _)| &**name)
        .collect();
    assert_eq!(listed, names);
}

#[test]
fn every_dialogue_is_written_as_the_format_writes_it_and_keeps_its_rules() {
    for (name, text) in &S3.teaching.examples {
        let transcript = read_transcript(text).unwrap();
        assert!(
            name.ends_with(&format!("/{}.xml", transcript.uid)),
            "{name}"
        );
        assert_eq!(write_transcript(&transcript), *text, "{name}");
        for attribute in ["goal", "world"] {
            let has = transcript
                .attributes
                .iter()
                .any(|(name, _)| name == attribute);
            assert!(has, "{name} names its {attribute}");
        }
        // A response is learned from an outcome, so each is there.
        for goal in transcript.turns.iter().flat_map(|turn| &turn.goals) {
            assert_eq!(
                goal.outcome.is_some(),
                goal.status == Status::Final,
                "{name}"
            );
        }
    }
    let pool = ExamplePool::built_in(&S3).unwrap();
    assert!(
        pool.examples()
            .iter()
            .all(|example| example.reply.is_some())
    );
}
