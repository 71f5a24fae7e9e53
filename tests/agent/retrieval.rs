//! Which examples are found.

use dialog2api::dialogue::{Conversation, Stack, read_conversation, read_stack};
use dialog2api::domain::s3::S3;
use dialog2api::retrieval::{ExamplePool, Excluded, Query, Selection};
use expect_test::{Expect, expect};

fn selection(fixed: usize, nearest: usize) -> Selection {
    Selection {
        fixed,
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
    let found: Vec<String> = (pool.select(&query, &selection(0, 5)).unwrap().iter())
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

/// What is the same in every prompt, and so read once by a server that caches.
#[track_caller]
fn check_fixed(k: usize, expected: Expect) {
    let pool = ExamplePool::built_in(&S3).unwrap();
    let fixed = |said, user| -> Vec<String> {
        let stack = &Stack::default();
        let query = Query {
            stack,
            said,
            user,
            excluded: None,
        };
        (pool.select(&query, &selection(k, 0)).unwrap().iter())
            .map(|example| format!("{}: {}\n", example.dialogue, example.user))
            .collect()
    };
    assert_eq!(fixed("", "list my buckets"), fixed("Sure?", "no"));
    expected.assert_eq(&fixed("", "").concat());
}

#[test]
fn fixed_examples_show_every_kind_of_turn() {
    check_fixed(
        10,
        expect![[r#"
            buckets-overview-2: Ah no, my professor could still ask for it. Leave everything as it is and send him the table by e-mail.
            delete-temporary-2: Bonjour! I am Inès, the new assistant of Mr. Marlow.
            drop-partition-2: now yes, off with them
            missing-partitions-2: zoology-bucket vs zoology-archive, whats missing
            write-marker-1: Is it normal that such marker has content? I thought it is always empty file
            write-marker-1: Then take over what stands in the April one, and tell me what it is. If April has none, make it empty
            allow-web-page-2: Go on.
            clean-uploads-2: clean up all broken uploads older than june in one of my buckets, and say what went
            expire-logs-2: deploy logs in pebble-logs may go after 14 days, add that. what's there for access/ stays as it is!
            why-public-1: why can anybody on the internet read pebble-uploads?? a client just found his own brief with google
        "#]],
    );
}

#[test]
fn a_fixed_example_is_not_repeated_as_a_near_one() {
    let pool = ExamplePool::built_in(&S3).unwrap();
    let query = Query {
        stack: &Stack::default(),
        said: "How can I help you?",
        user: "make me a new bucket",
        excluded: None,
    };
    let count = pool.examples().len();
    let mut all = pool.select(&query, &selection(10, count)).unwrap();
    assert_eq!(all.len(), count);
    all.sort_by_key(|example| (&example.dialogue, example.turn));
    all.dedup_by_key(|example| (&example.dialogue, example.turn));
    assert_eq!(all.len(), count);
}

/// Two dialogues that differ only in their names.
fn twins() -> [Conversation; 2] {
    let dialogue = |uid: &str, goal: &str| {
        read_conversation(&format!(
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
        let nearest = pool.select(&query, &selection(0, 5)).unwrap();
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
    let all = count(selection(0, usize::MAX));
    assert!(all > 100, "{all}");
    assert_eq!(count(selection(usize::MAX, 0)), all);
    assert_eq!(count(selection(1, usize::MAX)), all);
}
