//! `dialog2api policy`, and what `run` and `chat` make of a policy.

use crate::support::{Home, goal, model};
use expect_test::{Expect, expect};

const POLICY: &str = r#"version = 1
protected_buckets = ["zoology-archive"]

[[rule]]
name = "keep-the-sea"
effect = "deny"
access = ["delete"]
keys = ["sea_animals/**"]

[ceilings]
objects_written = 2

[raise]
mode = "user"
"#;

fn check(words: &str, input: &str, expected: Expect) {
    let home = Home::new();
    home.write("policy.toml", POLICY);
    home.check(home.ready(words), input, expected);
}

#[test]
fn a_policy_is_shown_with_what_it_leaves_out() {
    check("policy show", "", expect![[r#""#]]);
    check("policy show policy.toml", "", expect![[r#""#]]);
    check("policy show missing.toml", "", expect![[r#""#]]);
}

#[test]
fn a_policy_that_is_wrong_is_refused_before_anything_runs() {
    let home = Home::new();
    home.write("wrong.toml", "version = 1\nmodus = \"auto\"\n");
    home.check(home.command("policy show wrong.toml"), "", expect![[r#""#]]);
    home.write(
        "wrong.toml",
        "version = 1\n[[rule]]\nname = \"r\"\neffect = \"deny\"\noperations = [\"remove_*\"]\n",
    );
    home.check(
        home.command("run - --policy wrong.toml"),
        "return 1",
        expect![[r#""#]],
    );
}

#[test]
fn it_explains_what_a_policy_says_of_a_call() {
    let explain =
        |words: &str, expected| check(&format!("policy explain policy.toml {words}"), "", expected);
    explain("delete_object a/sea_animals/orca.txt", expect![[r#""#]]);
    explain("put_object a/sea_animals/orca.txt", expect![[r#""#]]);
    explain("copy_object zoology-archive/x a/b", expect![[r#""#]]);
    explain("delete_objects a/sea_animals/x", expect![[r#""#]]);
    explain("list_buckets", expect![[r#""#]]);
    explain("list_objects a/sea", expect![[r#""#]]);
    explain("get_object", expect![[r#""#]]);
    explain("remove a/b", expect![[r#""#]]);
}

#[test]
fn a_program_is_held_to_it() {
    let run = "run - --policy policy.toml";
    check(
        run,
        "s3.delete_object(Bucket='zoology-bucket', Key='sea_animals/orca.txt')",
        expect![[r#""#]],
    );
    check(
        run,
        "for n in 'abc':\n    s3.put_object(Bucket='zoology-bucket', Key=n, Body=b'')",
        expect![[r#""#]],
    );
    let many = "for n in range(1001):\n    s3.put_object(Bucket='zoology-bucket', Key=str(n))\n\
                return 'done'";
    check("run -", many, expect![[r#""#]]);
    check(
        "run - --read-only",
        "print(len(s3.list_objects(Bucket='zoology-bucket')['Contents']))\n\
         s3.delete_bucket(Bucket='zoology-bucket')",
        expect![[r#""#]],
    );
    check("run - --read-only --mode auto", "", expect![[r#""#]]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_dialogue_is_held_to_it_and_a_person_changes_what_may_be_changed() {
    let home = Home::new();
    home.write("policy.toml", POLICY);
    let delete = |uid, key: &str| {
        let program = format!("s3.delete_object(Bucket='zoology-bucket', Key='{key}')");
        goal(uid, "final", &program)
    };
    let server = model(&[
        &delete(1, "sea_animals/orca.txt"),
        "The rule \"keep-the-sea\" does not let me.",
        &delete(2, "land_animals/bat.txt"),
        "The mode is read-only.",
    ])
    .await;
    let words = "chat --model openai:fake --policy policy.toml --script script.txt";
    home.write(
        "script.txt",
        "delete the orca\n/policy mode read-only\n/policy raise objects_written 5\n/policy\ndelete the bat\n",
    );
    let mut command = home.ready(words);
    command.args(["--base-url", &server.base_url()]);
    home.check(command, "", expect![[r#""#]]);
}
