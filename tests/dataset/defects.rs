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
    check("<turn>User: go on", "<turn>go on", expect![[r#"
        [form] train/good.xml: is no dialogue: line 46, column 7: expected `User:` or `Agent:`, found `go on</turn>`
    "#]]).await;
    check("<turns>\n", "<turns>\n\n", expect![[r#"
        [form] train/good.xml: line 6 is "\n" and would be written "<turn>Agent: How can I help you?</turn>\n"; `dialog2api dataset annotate --write` writes it so
    "#]]).await;
    check(
        "</turns>\n</conversation>\n",
        "</turns>\n</conversation>",
        expect![[r#"
            [form] train/good.xml: line 76 is "</conversation>" and would be written "</conversation>\n"; `dialog2api dataset annotate --write` writes it so
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_dialogue_says_what_it_is() {
    check(
        "uid=\"good\"",
        "uid=\"better\"",
        expect![[r#"
        [identity] train/good.xml: its uid is "better"; make it "good", as its file
    "#]],
    )
    .await;
    check(
        " goal=\"move-one\"",
        "",
        expect![[r#"
        [identity] train/good.xml: names no goal; write <conversation uid=… goal="…" world=…>
    "#]],
    )
    .await;
    check("world=\"zoology\"", "world=\"atlantis\"", expect![[r#"
        [identity] train/good.xml: starts from a world "atlantis", and there is none of that name: neither in worlds nor with the program (`dialog2api world list` names those)
    "#]]).await;
    check(
        "world=\"zoology\"",
        "world=\"../worlds/zoology\"",
        expect![[r#"
            [identity] train/good.xml: starts from a world "../worlds/zoology", and there is none of that name: neither in worlds nor with the program (`dialog2api world list` names those)
        "#]],
    )
    .await;
    check(
        " world=\"zoology\"",
        "",
        expect![[r#"
            [identity] train/good.xml: names no world to start from: write <conversation uid="…" world="NAME">
        "#]],
    )
    .await;
}

#[tokio::test]
async fn nothing_is_missing_in_a_dialogue() {
    check(
        "<turn>Agent: How can I help you?</turn>\n",
        "",
        expect![[r#"
        [completeness] train/good.xml: begins without a greeting of the agent; add one
    "#]],
    )
    .await;
    let response = "<turn>Agent: The object \"sea_animals/otter.txt\" has been deleted.</turn>\n";
    check(
        response,
        "",
        expect![[r#"
        [completeness] train/good.xml, turn 5: has no response of the agent; write one
    "#]],
    )
    .await;
    check(
        "<turn>User: go on",
        "<turn>User: ",
        expect![[r#"
        [completeness] train/good.xml, turn 5: the user says nothing; write what they say
    "#]],
    )
    .await;
    let outcome = "<result>3</result>\n<error/>\n<signature>c8318598</signature>\n";
    check(outcome, "", expect![[r#"
        [completeness] train/good.xml, turn 6, goal 4: has no outcome; `dialog2api dataset annotate --write` fills it in
        [completeness] train/good.xml, turn 6, goal 4: has no signature; `dialog2api dataset annotate --write` fills it in
    "#]]).await;
    let metadata = "<metadata>\n<initial_signature>42ac7332</initial_signature>\n</metadata>\n";
    check(metadata, "", expect![[r#"
        [completeness] train/good.xml: has no initial signature; `dialog2api dataset annotate --write` fills it in
    "#]]).await;
}

#[tokio::test]
async fn updates_keep_the_status_rules() {
    check("<goal uid=\"4\"", "<goal uid=\"1\"", expect![[r#"
        [status] train/good.xml, turn 6: goal 1 is final and can not change any more; for a new wish start a new goal, such as uid="6"
    "#]]).await;
    check(
        "<goal uid=\"4\"",
        "<goal uid=\"7\"",
        expect![[r#"
        [status] train/good.xml, turn 6, goal 7: is new, so its uid is to be "4"
    "#]],
    )
    .await;
    check(
        "Key=\"sea_animals/otter.txt\")\n</program>\n</goal>\n<turn>Agent: Can",
        "Key=?1)\n</program>\n</goal>\n<turn>Agent: Can",
        expect![[r#"
            [status] train/good.xml, turn 5: goal 3 can not be final: its program still has the placeholder ?1; fill in what the user said, or keep the status "drafting" until it is known
            [destruction] train/good.xml, turn 5, goal 3: calls delete_object, and the draft before it was not complete; draft it with all values, and let the agent ask for confirmation
        "#]],
    )
    .await;
}

#[tokio::test]
async fn placeholders_are_numbered_as_they_appear() {
    let first = "s3.copy_object(Bucket=?1, CopySource={\"Bucket\": ?1, \"Key\": ?2}, Key=?3, IfNoneMatch=\"*\")";
    let swapped = "s3.copy_object(Bucket=?1, CopySource={\"Bucket\": ?1, \"Key\": ?3}, Key=?2, IfNoneMatch=\"*\")";
    check(first, swapped, expect![[r#"
        [placeholders] train/good.xml, turn 1, goal 1: its placeholders appear as ?1, ?3, ?2; number them ?1, ?2, ?3 in order of first appearance
        [placeholders] train/good.xml, turn 2, goal 1: what was ?2 in the draft before is now ?3; keep the number ?2
    "#]]).await;
    let late = "s3.copy_object(Bucket=?2, CopySource={\"Bucket\": ?2, \"Key\": ?3}, Key=?4)";
    check(first, late, expect![[r#"
        [placeholders] train/good.xml, turn 1, goal 1: its placeholders appear as ?2, ?3, ?4; number them ?1, ?2, ?3 in order of first appearance
        [placeholders] train/good.xml, turn 2, goal 1: what was ?3 in the draft before is now ?2; keep the number ?3
    "#]]).await;
}

#[tokio::test]
async fn an_open_placeholder_keeps_its_number() {
    check(
        "\"Key\": ?2}, Key=?3, IfNoneMatch=\"*\")\n</program>\n</goal>\n<goal",
        "\"Key\": ?1}, Key=?2, IfNoneMatch=\"*\")\n</program>\n</goal>\n<goal",
        expect![[r#"
            [placeholders] train/good.xml, turn 2, goal 1: what was ?2 in the draft before is now ?1; keep the number ?2
        "#]],
    )
    .await;
    // Not only filled in, but still asked for the same key.
    let filled = "s3.copy_object(Bucket=\"zoology-bucket\", CopySource={\"Bucket\": \"zoology-bucket\", \"Key\": ?2}, Key=?3, IfNoneMatch=\"*\")";
    let other = "s3.list_buckets()\ns3.copy_object(Bucket=\"zoology-bucket\", CopySource=?1, Key=?2, IfNoneMatch=\"*\")";
    check(filled, other, expect![[r#"
        [placeholders] train/good.xml, turn 2, goal 1: what was ?3 in the draft before is now ?2; keep the number ?3
    "#]]).await;
}

#[tokio::test]
async fn a_placeholder_is_a_token() {
    check(
        "\"Key\": ?2}, Key=?3, IfNoneMatch=\"*\")\n</program>\n</goal>\n<goal",
        "\"Key\": \"?2\"}, Key=?3, IfNoneMatch=\"*\")\n</program>\n</goal>\n<goal",
        expect![[r#"
            [placeholders] train/good.xml, turn 2, goal 1: has a placeholder in a string or a comment, where it is text; take it out of the quotes: Prefix=?1 instead of Prefix="?1"
        "#]],
    )
    .await;
}

#[tokio::test]
async fn programs_are_python() {
    check(
        "CopySource={\"Bucket\": ?1,",
        "CopySource={\"Bucket\" ?1,",
        expect![[r#"
            [python] train/good.xml, turn 1, goal 1: its program is not valid Python: invalid syntax (line 1, column 55)
        "#]],
    )
    .await;
}

#[tokio::test]
async fn missing_values_are_asked_for_in_the_order_of_the_api() {
    let sound = "s3.copy_object(Bucket=?1, CopySource={\"Bucket\": ?1, \"Key\": ?2}, Key=?3, IfNoneMatch=\"*\")";
    let defect = "s3.copy_object(Bucket=?1, Key=?2, CopySource={\"Bucket\": ?1, \"Key\": ?3}, IfNoneMatch=\"*\")";
    check(sound, defect, expect![[r#"
        [placeholders] train/good.xml, turn 2, goal 1: what was ?2 in the draft before is now ?3; keep the number ?2
        [keyword order] train/good.xml, turn 1, goal 1: copy_object has its keywords in the order Bucket, Key, CopySource, IfNoneMatch; write Bucket, CopySource, Key, IfNoneMatch, and number the placeholders so
    "#]]).await;
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
    // Not drafted, and the call is written so that it is hard to see.
    let hidden = |call: &str| {
        let place = "where = {\"Bucket\": \"zoology-bucket\", \"Key\": \"sea_animals/otter.txt\"}";
        let written = format!("<program>\n{place}\n{call}\n</program>\n");
        at_once.replacen(program, &written, 1)
    };
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
        (
            at_once.clone(),
            expect![
                "[destruction] train/good.xml, turn 5, goal 3: calls delete_object without a draft in an earlier turn; draft it, and let the agent ask for confirmation"
            ],
        ),
        (
            changed,
            expect![[
                r#"[destruction] train/good.xml, turn 5, goal 3: calls delete_object with other code than was confirmed; write status="final" without a program, or draft the new code and ask again"#
            ]],
        ),
        (
            open,
            expect![
                "[destruction] train/good.xml, turn 5, goal 3: calls delete_object, and the draft before it was not complete; draft it with all values, and let the agent ask for confirmation"
            ],
        ),
        (
            hidden("getattr(s3, \"delete_object\")(**where)"),
            expect![
                "[destruction] train/good.xml, turn 5, goal 3: calls delete_object without a draft in an earlier turn; draft it, and let the agent ask for confirmation"
            ],
        ),
        (
            hidden("delete = s3.delete_object\ndelete(**where)"),
            expect![
                "[destruction] train/good.xml, turn 5, goal 3: calls delete_object without a draft in an earlier turn; draft it, and let the agent ask for confirmation"
            ],
        ),
        (
            hidden("getattr(s3, \"_\".join([\"delete\", \"object\"]))(**where)"),
            expect![
                "[destruction] train/good.xml, turn 5, goal 3: looks up a method by a computed name in line 2, which may hide a destructive call; call the operation by its name"
            ],
        ),
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
    check("<result>3</result>", "<result>4</result>", expect![[r#"
        [outcomes] train/good.xml, turn 6, goal 4: its outcome is the result 3, recorded is the result 4; find out why, or run `dialog2api dataset annotate --write` to record the new outcome
    "#]]).await;
    check("(NoSuchKey)", "(NoSuchLock)", expect![[r#"
        [outcomes] train/good.xml, turn 6, goal 5: its outcome is the error NoSuchKey ("An error occurred (NoSuchKey) when calling the GetObject operation: The specified key does not exist."), recorded is the error NoSuchKey ("An error occurred (NoSuchLock) when calling the GetObject operation: The specified key does not exist."); find out why, or run `dialog2api dataset annotate --write` to record the new outcome
    "#]]).await;
    check("c8318598", "00000000", expect![[r#"
        [outcomes] train/good.xml, turn 6, goal 4: its signature is c8318598, recorded is 00000000; find out why, or run `dialog2api dataset annotate --write` to record the new outcome
    "#]]).await;
    check("42ac7332", "00000000", expect![[r#"
        [outcomes] train/good.xml: its initial signature is 00000000, and its world's is 42ac7332; find out why, or run `dialog2api dataset annotate --write` to record the new outcome
    "#]]).await;
}

#[tokio::test]
async fn outcomes_do_not_depend_on_the_clock_or_on_chance() {
    let program = "raise ChitChat()";
    for (code, expected) in [
        (
            "import datetime\nreturn datetime.date.today().year",
            expect![
                "[clock] train/good.xml, turn 2, goal 2: depends on the clock or on chance; take what it needs from the world or from what the user said"
            ],
        ),
        (
            "import random\nreturn random.random()",
            expect![
                "[clock] train/good.xml, turn 2, goal 2: depends on the clock or on chance; take what it needs from the world or from what the user said"
            ],
        ),
        ("import time\nreturn time.time() > 0", expect![[""]]),
    ] {
        let text = GOOD.replacen(program, code, 1);
        let findings = findings(&set(&[("train/good.xml", &text)], None)).await;
        let about = findings.lines().filter(|line| line.starts_with("[clock]"));
        expected.assert_eq(&about.collect::<Vec<_>>().join("\n"));
    }
}
