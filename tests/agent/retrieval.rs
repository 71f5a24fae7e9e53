//! Which examples are found.

use dialog2api::dialogue::{Stack, Transcript, read_stack, read_transcript};
use dialog2api::domain::s3::S3;
use dialog2api::retrieval::{ExamplePool, Excluded, Query, Selection};
use expect_test::{Expect, expect};

fn selection(nearest: usize) -> Selection {
    Selection {
        nearest,
        ..Selection::default()
    }
}

#[track_caller]
fn check(stack: &str, said: &str, user: &str, expected: Expect) {
    let pool = ExamplePool::built_in(&S3).unwrap();
    let stack = match stack {
        "" => Stack::default(),
        goals => read_stack(&format!("<stack>\n{goals}\n</stack>")).unwrap(),
    };
    let excluded = Excluded {
        dialogue: "delete-one".into(),
        goal: None,
        ..Excluded::default()
    };
    let query = Query {
        stack: &stack,
        said,
        user,
        excluded: Some(&excluded),
    };
    let found: Vec<String> = (pool.select(&query, &selection(5)).unwrap().iter())
        .map(|example| format!("{}: {}\n", example.dialogue, example.user))
        .collect();
    expected.assert_eq(&found.concat());
}

#[test]
fn the_first_turn_finds_first_turns() {
    check(
        "",
        "How can I help you?",
        "please rename a file for me",
        expect![[r#"
            album-bucket-2: I'm starting an album about otters. Please make the bucket otter-album with a file index.txt in it saying "Otters of the estuary", painted green so I can find it, and closed for everybody at weekends.
            restore-file-2: I need a file back from my archive bucket please.
            rename-page-2: Good morning. I plan to rename land_animals/mammals/primate.txt in zoology-bucket, but please read me its first line before.
            undelete-object-2: undelete a file for me pls
            read-csv-column-2: Hello, in the bucket zoology-bucket is a file sightings.csv. Please tell me how many sightings it has for the outer bay.
        "#]],
    );
}

#[test]
fn a_confirmation_finds_confirmations() {
    check(
        r#"<goal uid="1" status="drafting"><program>
s3.delete_object(Bucket="b", Key="k")
</program></goal>"#,
        "Can you confirm that you want to delete \"k\" from \"b\"?",
        "yes",
        expect![[r#"
            rename-page-2: Yes, there it belongs.
            find-by-tag-1: right
            prune-backups-2: That is what I meant, yes.
            version-sizes-2: both, yes
            lock-refuses-1: yes
        "#]],
    );
}

#[test]
fn what_is_settled_does_not_count() {
    check(
        r#"<goal uid="1" status="final"><program>
return s3.get_object(Bucket="b", Key="k")["Body"].read().decode()
</program><result>null</result><error>{"error":"NoSuchKey","message":""}</error></goal>"#,
        "What is the key of the object?",
        "k",
        expect![[r#"
            set-encryption-2: what does one pay for that key per month, exactly, in euros, for us
            set-encryption-2: they want kms, the key is alias/spoke
            replication-status-2: yeah do that
            logs-of-a-day-1: which logs do we have for 2024/03/01? the date is part of the key, written just like that
            tag-objects-2: k thx bye
        "#]],
    );
}

/// Two dialogues that differ only in their names.
fn twins() -> [Transcript; 2] {
    let dialogue = |uid: &str, goal: &str| {
        read_transcript(&format!(
            r#"<conversation uid="{uid}" goal="{goal}">
<turns>
<turn>User: list my buckets</turn>
<goal uid="1" status="final">
<program>
return s3.list_buckets()
</program>
</goal>
<turn>Agent: Here.</turn>
</turns>
</conversation>"#
        ))
        .unwrap()
    };
    [dialogue("one", "list"), dialogue("two", "list")]
}

#[test]
fn ties_keep_the_order_of_the_pool_and_the_goal_under_test_is_left_out() {
    let pool = ExamplePool::new(&twins(), &S3).unwrap();
    let stack = Stack::default();
    let found = |excluded: Option<&Excluded>| -> Vec<String> {
        let query = Query {
            stack: &stack,
            said: "",
            user: "list my buckets",
            excluded,
        };
        let nearest = pool.select(&query, &selection(5)).unwrap();
        nearest
            .iter()
            .map(|example| example.dialogue.clone())
            .collect()
    };
    assert_eq!(found(None), ["two", "one"]);
    let mut excluded = Excluded {
        dialogue: "one".into(),
        goal: None,
        ..Excluded::default()
    };
    assert_eq!(found(Some(&excluded)), ["two"]);
    excluded.operations = ["list_buckets".into()].into();
    assert_eq!(found(Some(&excluded)), [""; 0]);
    excluded.operations = ["delete_bucket".into()].into();
    assert_eq!(found(Some(&excluded)), ["two"]);
    excluded.goal = Some("list".into());
    assert_eq!(found(Some(&excluded)), [""; 0]);
}

#[test]
fn a_folder_of_examples_names_what_is_wrong_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let error = |dir: &std::path::Path| {
        let error = ExamplePool::from_dir(dir, &S3).err().unwrap().to_string();
        error.replace(&dir.display().to_string(), "DIR")
    };
    expect!["DIR: expected a folder with example dialogues (*.xml), and has none"]
        .assert_eq(&error(dir.path()));
    std::fs::write(dir.path().join("a.xml"), "<conversation>").unwrap();
    expect![[r#"DIR/a.xml: line 1, column 1: the conversation needs a uid="…""#]]
        .assert_eq(&error(dir.path()));
}

/// As many as can be typed.
#[test]
fn more_examples_than_there_are_is_all_of_them() {
    let pool = ExamplePool::built_in(&S3).unwrap();
    let stack = Stack::default();
    let query = Query {
        stack: &stack,
        said: "How can I help you?",
        user: "please rename a file for me",
        excluded: None,
    };
    let count = |selection| pool.select(&query, &selection).unwrap().len();
    let all = count(selection(usize::MAX));
    assert!(all > 100, "{all}");
}
