//! Annotating new dialogues.

use super::{GOOD, replayer};
use dialog2api::dataset;
use dialog2api::dialogue::{read_transcript, write_transcript};
use dialog2api::domain::s3::S3;
use expect_test::{Expect, expect};

/// Annotates a text; the outcomes alone, or what is wrong.
async fn annotate(text: &str) -> Result<String, String> {
    let transcript = read_transcript(text).expect("a dialogue");
    let world = S3.initial_world("zoology").expect("a world");
    let annotated = dataset::annotate(&transcript, &replayer().await, world).await;
    match annotated.expect("it can be run") {
        Ok(transcript) => Ok(write_transcript(&transcript)),
        Err(broken) => Err(broken.iter().map(|broken| format!("{broken}\n")).collect()),
    }
}

/// A text without what is filled in.
fn bare(text: &str) -> String {
    let mut bare = String::new();
    let mut in_metadata = false;
    for line in text.lines() {
        in_metadata |= line == "<metadata>";
        let filled_in = ["<result>", "<error", "<signature>"];
        if !in_metadata && !filled_in.iter().any(|tag| line.starts_with(tag)) {
            bare.push_str(line);
            bare.push('\n');
        }
        in_metadata &= line != "</metadata>";
    }
    bare
}

#[tokio::test]
async fn outcomes_and_signatures_are_filled_in() {
    let bare = bare(GOOD);
    assert!(bare.len() < GOOD.len() - 400);
    assert_eq!(annotate(&bare).await.as_deref(), Ok(GOOD));
}

#[tokio::test]
async fn what_was_recorded_does_not_matter() {
    let wrong = GOOD
        .replace("<result>3</result>", "<result>4</result>")
        .replace("42ac7332", "00000000")
        .replace("c8318598", "00000000");
    assert_eq!(annotate(&wrong).await.as_deref(), Ok(GOOD));
    assert_eq!(annotate(GOOD).await.as_deref(), Ok(GOOD));
}

async fn check_broken(sound: &str, defect: &str, expected: Expect) {
    assert!(
        GOOD.contains(sound),
        "{sound:?} is not in the good dialogue"
    );
    let broken = annotate(&GOOD.replace(sound, defect)).await;
    expected.assert_eq(&broken.expect_err("it breaks a rule"));
}

#[tokio::test]
async fn broken_rules_are_told_with_their_turn() {
    check_broken("<goal uid=\"4\"", "<goal uid=\"3\"", expect![[r#"
        turn 6: goal 3 is final and can not change any more; for a new wish start a new goal, such as uid="6"
    "#]]).await;
    check_broken(
        "Bucket=?1, CopySource={",
        "Bucket=?1, CopySource=",
        expect![[r#"
            turn 1: the draft of goal 1 is no Python once its placeholders are filled in: closing parenthesis '}' does not match opening parenthesis '(' (line 1, column 82)
        "#]],
    )
    .await;
    check_broken("Key=\"river/otter.txt\", IfNoneMatch", "Key=?3, IfNoneMatch", expect![[r#"
        turn 3: goal 1 can not be final: its program still has the placeholder ?3; fill in what the user said, or keep the status "drafting" until it is known
    "#]]).await;
}
