//! One thing is wrong with a dialogue.

use super::{GOOD, findings, set};
use expect_test::{Expect, expect};

/// Puts `defect` in the place of `sound` in a good dialogue, and compares the findings.
async fn check(sound: &str, defect: &str, expected: Expect) {
    assert!(
        GOOD.contains(sound),
        "{sound:?} is not in the good dialogue"
    );
    let text = GOOD.replacen(sound, defect, 1);
    expected.assert_eq(&findings(&set(&[("train/good.xml", &text)], None)).await);
}

#[tokio::test]
async fn a_good_dialogue_has_no_findings() {
    check("", "", expect![[""]]).await;
}

#[tokio::test]
async fn a_file_is_a_dialogue_and_written_as_the_project_writes_it() {
    check("<turn>User: go on", "<turn>go on", expect![[""]]).await;
    check("<turns>\n", "<turns>\n\n", expect![[""]]).await;
    check(
        "</turns>\n</conversation>\n",
        "</turns>\n</conversation>",
        expect![[""]],
    )
    .await;
}

#[tokio::test]
async fn a_dialogue_says_what_it_is() {
    check("uid=\"good\"", "uid=\"better\"", expect![[""]]).await;
    check(" goal=\"move-one\"", "", expect![[""]]).await;
    check("world=\"zoology\"", "world=\"atlantis\"", expect![[""]]).await;
    check(
        "world=\"zoology\"",
        "world=\"../worlds/zoology\"",
        expect![[""]],
    )
    .await;
    check(" world=\"zoology\"", "", expect![[""]]).await;
}

#[tokio::test]
async fn nothing_is_missing_in_a_dialogue() {
    check("<turn>Agent: How can I help you?</turn>\n", "", expect![[""]]).await;
    let response = "<turn>Agent: The object \"sea_animals/otter.txt\" has been deleted.</turn>\n";
    check(response, "", expect![[""]]).await;
    check("<turn>User: go on", "<turn>User: ", expect![[""]]).await;
    let outcome = "<result>3</result>\n<error/>\n<signature>c8318598</signature>\n";
    check(outcome, "", expect![[""]]).await;
    let metadata = "<metadata>\n<initial_signature>42ac7332</initial_signature>\n</metadata>\n";
    check(metadata, "", expect![[""]]).await;
}

#[tokio::test]
async fn updates_keep_the_status_rules() {
    check("<goal uid=\"4\"", "<goal uid=\"1\"", expect![[""]]).await;
    check("<goal uid=\"4\"", "<goal uid=\"7\"", expect![[""]]).await;
    check(
        "Key=\"sea_animals/otter.txt\")\n</program>\n</goal>\n<turn>Agent: Can",
        "Key=?1)\n</program>\n</goal>\n<turn>Agent: Can",
        expect![[""]],
    )
    .await;
}

#[tokio::test]
async fn placeholders_are_numbered_as_they_appear() {
    let first = "s3.copy_object(Bucket=?1, CopySource={\"Bucket\": ?1, \"Key\": ?2}, Key=?3)";
    let swapped = "s3.copy_object(Bucket=?1, CopySource={\"Bucket\": ?1, \"Key\": ?3}, Key=?2)";
    check(first, swapped, expect![[""]]).await;
    let late = "s3.copy_object(Bucket=?2, CopySource={\"Bucket\": ?2, \"Key\": ?3}, Key=?4)";
    check(first, late, expect![[""]]).await;
}

#[tokio::test]
async fn an_open_placeholder_keeps_its_number() {
    check(
        "\"Key\": ?2}, Key=?3)\n</program>\n</goal>\n<goal",
        "\"Key\": ?1}, Key=?2)\n</program>\n</goal>\n<goal",
        expect![[""]],
    )
    .await;
    // Not only filled in, but still asked for the same key.
    let filled = "s3.copy_object(Bucket=\"zoology-bucket\", CopySource={\"Bucket\": \"zoology-bucket\", \"Key\": ?2}, Key=?3)";
    let other =
        "s3.list_buckets()\ns3.copy_object(Bucket=\"zoology-bucket\", CopySource=?1, Key=?2)";
    check(filled, other, expect![[""]]).await;
}

#[tokio::test]
async fn a_placeholder_is_a_token() {
    check(
        "\"Key\": ?2}, Key=?3)\n</program>\n</goal>\n<goal",
        "\"Key\": \"?2\"}, Key=?3)\n</program>\n</goal>\n<goal",
        expect![[""]],
    )
    .await;
}

#[tokio::test]
async fn programs_are_python() {
    check(
        "CopySource={\"Bucket\": ?1,",
        "CopySource={\"Bucket\" ?1,",
        expect![[""]],
    )
    .await;
}

#[tokio::test]
async fn missing_values_are_asked_for_in_the_order_of_the_api() {
    let sound = "s3.copy_object(Bucket=?1, CopySource={\"Bucket\": ?1, \"Key\": ?2}, Key=?3)";
    let defect = "s3.copy_object(Bucket=?1, Key=?2, CopySource={\"Bucket\": ?1, \"Key\": ?3})";
    check(sound, defect, expect![[""]]).await;
}

#[tokio::test]
async fn destruction_is_drafted_first() {
    let program = "<program>\ns3.delete_object(Bucket=\"zoology-bucket\", Key=\"sea_animals/otter.txt\")\n</program>\n";
    let draft = format!("<goal uid=\"3\" status=\"drafting\">\n{program}</goal>\n");
    // Not drafted at all.
    let at_once = GOOD.replacen(&draft, "", 1).replacen(
        "<goal uid=\"3\" status=\"final\">\n",
        &format!("<goal uid=\"3\" status=\"final\">\n{program}"),
        1,
    );
    // Drafted, and changed after the user said yes.
    let changed = GOOD.replacen(
        "<goal uid=\"3\" status=\"final\">\n",
        &format!(
            "<goal uid=\"3\" status=\"final\">\n{}",
            program.replace("otter", "orca")
        ),
        1,
    );
    // Drafted, but not completely.
    let open = changed.replacen(&draft, &draft.replace("\"sea_animals/otter.txt\"", "?1"), 1);
    for (text, expected) in [
        (at_once, expect![[""]]),
        (changed, expect![[""]]),
        (open, expect![[""]]),
    ] {
        let findings = findings(&set(&[("train/good.xml", &text)], None)).await;
        let about = findings
            .lines()
            .filter(|line| line.starts_with("[destruction]"));
        expected.assert_eq(&about.collect::<Vec<_>>().join("\n"));
    }
}

#[tokio::test]
async fn what_is_recorded_is_what_happens() {
    check("<result>3</result>", "<result>4</result>", expect![[""]]).await;
    check("(NoSuchKey)", "(NoSuchLock)", expect![[""]]).await;
    check("c8318598", "00000000", expect![[""]]).await;
    check("42ac7332", "00000000", expect![[""]]).await;
}

#[tokio::test]
async fn outcomes_do_not_depend_on_the_clock_or_on_chance() {
    let program = "raise ChitChat()";
    for (code, expected) in [
        (
            "import datetime\nreturn datetime.date.today().year",
            expect![[""]],
        ),
        ("import random\nreturn random.random()", expect![[""]]),
        ("import time\nreturn time.time() > 0", expect![[""]]),
    ] {
        let text = GOOD.replacen(program, code, 1);
        let findings = findings(&set(&[("train/good.xml", &text)], None)).await;
        let about = findings.lines().filter(|line| line.starts_with("[clock]"));
        expected.assert_eq(&about.collect::<Vec<_>>().join("\n"));
    }
}
