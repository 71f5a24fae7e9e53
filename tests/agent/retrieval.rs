//! Which examples are found.

use dialog2api::dialogue::{Conversation, Stack, read_conversation, read_stack};
use dialog2api::domain::s3::S3;
use dialog2api::retrieval::{ExamplePool, Excluded, Query, Selection, Task};
use expect_test::{Expect, expect};

fn selection(fixed: usize, nearest: usize) -> Selection {
    Selection {
        fixed,
        nearest,
        ..Selection::default()
    }
}

#[track_caller]
fn check(stack: &str, said: &str, user: &str, task: Task, expected: Expect) {
    let pool = ExamplePool::built_in(&S3).unwrap();
    let stack = match stack {
        "" => Stack::default(),
        goals => read_stack(&format!("<stack>\n{goals}\n</stack>")).unwrap(),
    };
    let excluded = Excluded {
        dialogue: "delete-one".into(),
        goal: None,
    };
    let query = Query {
        task,
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
        Task::Program,
        expect![[r#"
            read-text: I'd like to see what is in a file
            bucket-life: make me a new bucket
            copy-object: Duplicate an object for me
            rename-deer: i want to rename a file
            put-note: Please create a new text file for me.
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
        Task::Program,
        expect![[r#"
            rename-deer: no, make it moose.txt
            rename-deer: yep
            rename-deer: land_animals/mammals/deer.txt
            tidy-up: yes, do it
            tidy-up: yes
        "#]],
    );
}

#[test]
fn an_error_finds_how_errors_are_answered() {
    check(
        r#"<goal uid="1" status="final"><program>
return s3.get_object(Bucket="b", Key="k")["Body"].read().decode()
</program><result>null</result><error>{"error":"NoSuchKey","message":""}</error></goal>"#,
        "What is the key of the object?",
        "k",
        Task::Response,
        expect![[r#"
            read-text: how long can the name of a file be at most?
            read-text: Good to know. And which animal was counted most often in that file?
            read-text: zoology-bucket
            read-text: oh, it must be sightings.csv then
            read-text: sighting.csv
        "#]],
    );
}

/// What is the same in every prompt, and so read once by a server that caches.
#[track_caller]
fn check_fixed(task: Task, k: usize, expected: Expect) {
    let pool = ExamplePool::built_in(&S3).unwrap();
    let fixed = |said, user| -> Vec<String> {
        let stack = &Stack::default();
        let query = Query {
            task,
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
        Task::Program,
        10,
        expect![[r#"
        bucket-life: sure
        change-extension: in zoology-bucket I want all the txt files under land_animals/mammals to end in md
        copy-backup: Create a bucket named zoo-backup-2024 and tell me all the buckets I have afterwards
        delete-many: "zoology-bucket"
        delete-one: hold on, how big is it?
        put-note: Please create a new text file for me.
        put-note: It's zoology-bucket.
        read-text: sighting.csv
        small-talk: Hi there, how is it going?
        small-talk: What's the weather like in Paris?
    "#]],
    );
    check_fixed(
        Task::Response,
        10,
        expect![[r#"
        bucket-life: make me a new bucket
        copy-backup: Create a bucket named zoo-backup-2024 and tell me all the buckets I have afterwards
        copy-object: actually forget that. just read me sea_animals/seahorse.txt
        delete-one: land_animals/pinniped.txt
        delete-one: hold on, how big is it?
        delete-one: no, I changed my mind, keep it
        read-text: sighting.csv
        small-talk: Hi there, how is it going?
        small-talk: What's the weather like in Paris?
        small-talk: I want to do something with my files
    "#]],
    );
}

#[test]
fn a_fixed_example_is_not_repeated_as_a_near_one() {
    let pool = ExamplePool::built_in(&S3).unwrap();
    let query = Query {
        task: Task::Program,
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
    let found = |task, excluded: Option<&Excluded>| -> Vec<String> {
        let query = Query {
            task,
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
    assert_eq!(found(Task::Program, None), ["two", "one"]);
    let mut excluded = Excluded {
        dialogue: "one".into(),
        goal: None,
    };
    assert_eq!(found(Task::Program, Some(&excluded)), ["two"]);
    excluded.goal = Some("list".into());
    assert_eq!(found(Task::Program, Some(&excluded)), [""; 0]);
    // Their outcomes are not recorded, so they can not teach how to answer.
    assert_eq!(found(Task::Response, None), [""; 0]);
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
