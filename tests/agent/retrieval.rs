//! Which examples are found.

use dialog2api::dialogue::{Conversation, Stack, read_conversation, read_stack};
use dialog2api::domain::s3::S3;
use dialog2api::retrieval::{ExamplePool, Excluded, Query, Task};
use expect_test::{Expect, expect};

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
    let found: Vec<String> = (pool.nearest(&query, 5).unwrap().iter())
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
            copy-object: Duplicate an object for me
            bucket-life: make me a new bucket
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
            change-extension: make that rst, not md
            rename-deer: land_animals/mammals/deer.txt
            change-extension: Correct
            rename-deer: no, make it moose.txt
            rename-deer: yep
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
            copy-object: actually forget that. just read me sea_animals/seahorse.txt
            read-text: Good to know. And which animal was counted most often in that file?
            read-text: zoology-bucket
            read-text: oh, it must be sightings.csv then
            read-text: sighting.csv
        "#]],
    );
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
        let nearest = pool.nearest(&query, 5).unwrap();
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
