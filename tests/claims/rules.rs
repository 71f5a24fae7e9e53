//! Each rule of support, with what it takes and what it does not.

use super::marked;
use dialog2api::claims::{Evidence, unsupported};
use dialog2api::dialogue::read_transcript;
use expect_test::{Expect, expect};

/// A turn in the words of the exchange format, and replies with the marks that they get.
fn check(turn: &str, replies: &[&str], expected: Expect) {
    let text = format!(
        "<conversation uid=\"x\">\n<metadata>\n</metadata>\n<turns>\n{turn}\n</turns>\n</conversation>"
    );
    let transcript = read_transcript(&text).unwrap();
    let evidence = Evidence::of(&transcript.turns)
        .with_facts("A name has 3 to 63 letters, digits and hyphens.\nA page has 1000 keys.");
    let marked = replies
        .iter()
        .map(|reply| marked(reply, &unsupported(reply, &evidence)) + "\n");
    expected.assert_eq(&marked.collect::<String>());
}

/// What the user says, a program, and its outcome.
fn turn(user: &str, program: &str, outcome: &str) -> String {
    let outcome = match outcome.strip_prefix("error ") {
        Some(name) => format!(
            "<result>null</result>\n<error>{{\"error\": \"{name}\", \"message\": \"\"}}</error>"
        ),
        None => format!("<result>{outcome}</result>\n<error/>"),
    };
    format!(
        "<turn>Agent: How can I help you?</turn>\n<turn>User: {user}</turn>\n\
         <goal uid=\"1\" status=\"final\">\n<program>\n{program}\n</program>\n{outcome}\n</goal>"
    )
}

#[test]
fn names_stand_in_what_was_said_done_and_found() {
    check(
        &turn(
            "what is in zoo-one, zoo-bat, and in the Outer Bay?",
            "# not zoo-tree\nreturn list(\"zoo-two\", f\"logs/{2 + 3}/x\")",
            r#"["land/bat.txt", "sea/seal.txt"]"#,
        ),
        &[
            "zoo-one and zoo-two have \"land/bat.txt\", bat.txt, \"land/\", \"land\" and .txt files.",
            "zoo-bone, zoo-tree, \"zoo\", Zoo-bat, land/seal.txt, land/bat, at.txt, land/bat.csv",
            "The \"outer bay\" has \"logs/\" and \"outer\".",
            "The \"inner bay\" has \"Seal.txt\".",
        ],
        expect![[r#"
            zoo-one and zoo-two have "land/bat.txt", bat.txt, "land/", "land" and .txt files.
            ⟨zoo-bone⟩, ⟨zoo-tree⟩, "⟨zoo⟩", ⟨Zoo-bat⟩, ⟨land/seal.txt⟩, ⟨land/bat⟩, ⟨at.txt⟩, ⟨land/bat.csv⟩
            The "outer bay" has "logs/" and "outer".
            The "⟨inner bay⟩" has "⟨Seal.txt⟩".
        "#]],
    );
}

#[test]
fn an_address_is_the_names_in_it() {
    check(
        &turn(
            "what is in zoo-one?",
            "return list(\"zoo-one\")",
            r#"["land/bat.txt", "sea/seal.txt"]"#,
        ),
        &[
            "s3://zoo-one/land/bat.txt and `s3://zoo-one/sea/seal.txt`, so s3://zoo-one, \
             \"s3://zoo-one/\", s3://zoo-one/land/, s3://zoo-one/sea and \"s3://zoo-one/sea/*\".",
            "s3://zoo-one/land/seal.txt, `s3://zoo-one/bat.txt`, s3://zoo-two/land/bat.txt, \
             s3://land/bat.txt, s3://zoo-one/mud/ and https://zoo-one/land/bat.txt.",
        ],
        expect![[r#"
            s3://zoo-one/land/bat.txt and `s3://zoo-one/sea/seal.txt`, so s3://zoo-one, "s3://zoo-one/", s3://zoo-one/land/, s3://zoo-one/sea and "s3://zoo-one/sea/*".
            ⟨s3://zoo-one/land/seal.txt⟩, `⟨s3://zoo-one/bat.txt⟩`, ⟨s3://zoo-two/land/bat.txt⟩, ⟨s3://land/bat.txt⟩, ⟨s3://zoo-one/mud/⟩ and ⟨https://zoo-one/land/bat.txt⟩.
        "#]],
    );
    check(
        &turn(
            "sizes in zoo-one?",
            "return x",
            r#"{"a.txt": 40, "b.txt": 50}"#,
        ),
        &[
            "- s3://zoo-one/a.txt: 40 bytes\n- `s3://zoo-one/b.txt`: 40 bytes",
            "s3://zoo-one/a.txt has 50 bytes.",
        ],
        expect![[r#"
            - s3://zoo-one/a.txt: 40 bytes
            - `s3://zoo-one/b.txt`: ⟨40 bytes⟩
            s3://zoo-one/a.txt has ⟨50 bytes⟩.
        "#]],
    );
}

#[test]
fn names_are_made_of_literals_and_of_what_the_user_counts_on() {
    check(
        &turn(
            "copy day/01.log, and the one of March 2nd, and back up recipes",
            "make(\"recipes\" + \"-backup\")\nmove(\"new/\", \"/a.txt\")",
            "null",
        ),
        &[
            "\"recipes-backup\" has \"new/a.txt\"; \"day/02.log\" was copied.",
            "\"recipes-copy\" has \"new/b.txt\"; \"day/03.log\" and \"day/2.log\" were copied.",
        ],
        expect![[r#"
            "recipes-backup" has "new/a.txt"; "day/02.log" was copied.
            "⟨recipes-copy⟩" has "⟨new/b.txt⟩"; "⟨day/03.log⟩" and "⟨day/2.log⟩" were copied.
        "#]],
    );
}

#[test]
fn dates_may_be_written_in_other_ways() {
    check(
        &turn("the newest?", "return x", r#""db/2024-02-28.dump""#),
        &[
            "The one of 2024/02/28, of 20240228, of 28 February 2024, of February 28, 2024.",
            "The one of 2024/02/27, of 27 February 2024; it has 28 rows and 2024 columns.",
        ],
        expect![[r#"
            The one of 2024/02/28, of 20240228, of 28 February 2024, of February 28, 2024.
            The one of ⟨2024/02/27⟩, of ⟨27⟩ February 2024; it has ⟨28⟩ rows and ⟨2024⟩ columns.
        "#]],
    );
}

#[test]
fn numbers_are_rounded_and_counted() {
    check(
        &turn(
            "the 3 largest of more than 5 KB?",
            "return [[\"name\", 1]]",
            r#"[["a.bin", 1258291], ["b.bin", 41.64]]"#,
        ),
        &[
            "Two of your three are over 5 KB: 1,258,291 bytes (1.2 MB, 1.3 MB, 1229 KiB) and 41.6.",
            "Four of your 6 are over 7 KB: 1,258,292 bytes (1.1 MB, 2 MB) and 41.7.",
        ],
        expect![[r#"
            Two of your three are over 5 KB: 1,258,291 bytes (1.2 MB, 1.3 MB, 1229 KiB) and 41.6.
            ⟨Four⟩ of your ⟨6⟩ are over ⟨7 KB⟩: ⟨1,258,292 bytes⟩ (⟨1.1 MB⟩, 2 MB) and ⟨41.7⟩.
        "#]],
    );
    check(
        &turn(
            "how full?",
            "return {\"used\": 1, \"free\": 2}",
            r#"{"used": 0.25, "free": 7}"#,
        ),
        &["25 % are used and 7 free.", "26 % are used and 2 free."],
        expect![[r#"
            25 % are used and 7 free.
            ⟨26 %⟩ are used and ⟨2⟩ free.
        "#]],
    );
}

#[test]
fn programs_have_numbers_too() {
    check(
        &turn(
            "the old and large ones?",
            "# 55\nreturn find(\"x66\", days=30, skip=3, size=1_000_000, share=.5)[0]",
            "null",
        ),
        &["Nothing is older than 30 days or over 1 MB; not 3, 55 or 66 and 0.5."],
        expect![[r#"
            Nothing is older than 30 days or over 1 MB; not ⟨3⟩, ⟨55⟩ or ⟨66⟩ and ⟨0.5⟩.
        "#]],
    );
}

#[test]
fn sums_are_sums_where_they_are_called_so() {
    check(
        &turn("sizes?", "return x", r#"{"a": 10, "b": 32}"#),
        &[
            "Together they take 42 bytes.",
            "They take 42 bytes.",
            "In total 43 bytes.",
        ],
        expect![[r#"
            Together they take 42 bytes.
            They take ⟨42 bytes⟩.
            In total ⟨43 bytes⟩.
        "#]],
    );
}

#[test]
fn the_reply_counts_what_it_names() {
    check(
        &turn("which?", "return x", "null"),
        &[
            "It is below 5 and above 7. Which of the two limits do you mean?",
            "It is below 5 and above 7. Which of the three limits do you mean?",
            "Shall I delete these 2 objects:\n- one\n- another",
            "Shall I delete these 3 objects:\n- one\n- another",
        ],
        expect![[r#"
            It is below ⟨5⟩ and above ⟨7⟩. Which of the two limits do you mean?
            It is below ⟨5⟩ and above ⟨7⟩. Which of the ⟨three⟩ limits do you mean?
            Shall I delete these 2 objects:
            - one
            - another
            Shall I delete these ⟨3⟩ objects:
            - one
            - another
        "#]],
    );
}

#[test]
fn an_item_states_the_numbers_of_its_entry() {
    check(
        &turn(
            "sizes?",
            "return x",
            r#"{"anvil": {"files": 3, "bytes": 70}, "lathe": {"files": 2, "bytes": 50}}"#,
        ),
        &[
            "- anvil: 3 files, 70 bytes\n- `lathe`: 2 files, 50 bytes",
            "- anvil: 2 files, 70 bytes\n- `lathe`: 2 files, 70 bytes",
        ],
        expect![[r#"
            - anvil: 3 files, 70 bytes
            - `lathe`: 2 files, 50 bytes
            - anvil: ⟨2⟩ files, 70 bytes
            - `lathe`: 2 files, ⟨70 bytes⟩
        "#]],
    );
    check(
        &turn(
            "the last lines?",
            "return x",
            r#"["2024-03-04T10:33:58Z ERROR worker 3 killed", "2024-03-04T17:26:44Z expires in 2 days"]"#,
        ),
        &[
            "- 2024-03-04T10:33:58Z ERROR worker 3 killed\n- 2024-03-04T17:26:44Z expires in 2 days",
            "- 2024-03-04T10:33:58Z ERROR worker 2 killed\n- 2024-03-04T17:26:44Z expires in 3 days",
        ],
        expect![[r#"
            - 2024-03-04T10:33:58Z ERROR worker 3 killed
            - 2024-03-04T17:26:44Z expires in 2 days
            - 2024-03-04T10:33:58Z ERROR worker ⟨2⟩ killed
            - 2024-03-04T17:26:44Z expires in ⟨3⟩ days
        "#]],
    );
}

#[test]
fn there_is_none_of_what_is_there() {
    let replies = ["There are no logs.", "I found no logs."];
    check(
        &turn("logs?", "return x", "[]"),
        &replies,
        expect![[r#"
        There are no logs.
        I found no logs.
    "#]],
    );
    check(
        &turn("logs?", "return x", r#"["a.log"]"#),
        &replies,
        expect![[r#"
            There are ⟨no⟩ logs.
            I found ⟨no⟩ logs.
        "#]],
    );
}

#[test]
fn facts_explain_failures() {
    let replies = [
        "Sorry, a name has 3 to 63 letters and hyphens.",
        "Sorry, a name has 3 to 64 letters and hyphens.",
        "There are 63 logs.",
        "A page has 1000 keys, and \"logs-x\" is one.",
    ];
    check(
        &turn("make x", "make(\"x\")", "error InvalidName"),
        &replies,
        expect![[r#"
            Sorry, a name has 3 to 63 letters and hyphens.
            Sorry, a name has ⟨3⟩ to ⟨64⟩ letters and hyphens.
            There are ⟨63⟩ logs.
            A page has 1000 keys, and "⟨logs-x⟩" is one.
        "#]],
    );
    check(
        &turn("make x", "make(\"x\")", "null"),
        &replies,
        expect![[r#"
        Sorry, a name has ⟨3⟩ to ⟨63⟩ letters and hyphens.
        Sorry, a name has ⟨3⟩ to ⟨64⟩ letters and hyphens.
        There are ⟨63⟩ logs.
        A page has ⟨1000⟩ keys, and "⟨logs-x⟩" is one.
    "#]],
    );
    // What is asked in general has no outcome to be held against; names have.
    check(
        &turn("how long?", "raise FAQ()", "error FAQ"),
        &replies,
        expect![[r#"
            Sorry, a name has 3 to 63 letters and hyphens.
            Sorry, a name has 3 to 64 letters and hyphens.
            There are 63 logs.
            A page has 1000 keys, and "⟨logs-x⟩" is one.
        "#]],
    );
}

#[test]
fn what_the_agent_said_before_supports_nothing() {
    let before = turn("logs?", "return x", "[]");
    check(
        &format!(
            "{before}\n<turn>Agent: There are 7 in \"web-logs\".</turn>\n<turn>User: really?</turn>"
        ),
        &["Yes, 7 in \"web-logs\"."],
        expect![[r#"
            Yes, ⟨7⟩ in "⟨web-logs⟩".
        "#]],
    );
}

#[test]
fn a_number_belongs_to_what_its_sentence_names() {
    check(
        &turn(
            "how many objects are in web-logs, and how large is it?",
            "return counts()",
            r#"{"web-logs": {"objects": 12, "bytes": 4096}, "raw-data": {"objects": 7, "bytes": 81920}}"#,
        ),
        &[
            "web-logs has 12 objects with 4 KiB; raw-data has 7 with 80 KiB.",
            "There are 7 objects in web-logs.",
            "web-logs has 12 objects (80 KiB).",
            "There are 2 buckets. web-logs has 12 of the 19 objects in total.",
        ],
        expect![[r#"
            web-logs has 12 objects with 4 KiB; raw-data has 7 with 80 KiB.
            There are ⟨7⟩ objects in web-logs.
            web-logs has 12 objects (⟨80 KiB⟩).
            There are 2 buckets. web-logs has 12 of the 19 objects in total.
        "#]],
    );
    check(
        &turn(
            "which files changed?",
            "return rows()",
            r#"[{"key": "a/x.txt", "size": 10, "day": "2024-05-01"}, {"key": "a/y.txt", "size": 20, "day": "2024-05-03"}]"#,
        ),
        &[
            "a/x.txt has 10 bytes and a/y.txt has 20.",
            "a/x.txt has 20 bytes. a/y.txt has 10 bytes.",
        ],
        expect![[r#"
            a/x.txt has 10 bytes and a/y.txt has 20.
            a/x.txt has ⟨20 bytes⟩. a/y.txt has ⟨10 bytes⟩.
        "#]],
    );
}

#[test]
fn a_list_that_says_it_is_whole_leaves_nothing_out() {
    check(
        &turn(
            "which buckets do I have?",
            "return names()",
            r#"["raw-data", "web-logs", "my-photos", "old-photos"]"#,
        ),
        &[
            "Your buckets are raw-data, web-logs, my-photos and old-photos.",
            "Your buckets are raw-data, web-logs and my-photos.",
            "You have these buckets:\n- raw-data\n- web-logs",
            "Your buckets are, for example, raw-data and web-logs.",
            "The first two are raw-data and web-logs.",
            "raw-data and web-logs, among others, are yours.",
            "I looked at raw-data.",
        ],
        expect![[r#"
            Your buckets are raw-data, web-logs, my-photos and old-photos.
            Your buckets are raw-data, web-logs and ⟨my-photos⟩.
            You have these buckets:
            - raw-data
            - ⟨web-logs⟩
            Your buckets are, for example, raw-data and web-logs.
            The first ⟨two⟩ are raw-data and web-logs.
            raw-data and web-logs, among others, are yours.
            I looked at raw-data.
        "#]],
    );
    check(
        &turn(
            "what is in web-logs?",
            "return rows()",
            r#"[{"Key": "a/x.txt", "Size": 10}, {"Key": "a/y.txt", "Size": 20}, {"Key": "b.txt", "Size": 5}]"#,
        ),
        &[
            "There are 3 objects:\n- a/x.txt (10 bytes)\n- a/y.txt (20 bytes)\n- b.txt (5 bytes)",
            "There are 3 objects:\n- a/x.txt (10 bytes)\n- a/y.txt (20 bytes)",
        ],
        expect![[r#"
            There are 3 objects:
            - a/x.txt (10 bytes)
            - a/y.txt (20 bytes)
            - b.txt (5 bytes)
            There are 3 objects:
            - a/x.txt (10 bytes)
            - ⟨a/y.txt⟩ (20 bytes)
        "#]],
    );
}
