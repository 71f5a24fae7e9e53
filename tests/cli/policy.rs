//! `dialog2api policy`, and what `run` and `chat` make of a policy.

use crate::cli::support::{Home, goal, model};
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
    check(
        "policy show",
        "",
        expect![[r#"
            version = 1
            mode = "confirm"
            longest_link = "168h"

            [ceilings]
            objects_written = 1000
            objects_deleted = 1000
            bytes_written = "100 GiB"
            buckets_created = 10
            buckets_deleted = 10

            [ask_above]
            requests = 2000
            names_listed = 50000
            bytes_read = "100 MiB"

            [raise]
            mode = "user"
            ceilings = "user"
            rules = "nobody"
            -- exit 0 --
        "#]],
    );
    check(
        "policy show policy.toml",
        "",
        expect![[r#"
            version = 1
            mode = "confirm"
            protected_buckets = ["zoology-archive"]
            longest_link = "168h"

            [[rule]]
            name = "keep-the-sea"
            effect = "deny"
            access = ["delete"]
            keys = ["sea_animals/**"]

            [ceilings]
            objects_written = 2
            objects_deleted = 1000
            bytes_written = "100 GiB"
            buckets_created = 10
            buckets_deleted = 10

            [ask_above]
            requests = 2000
            names_listed = 50000
            bytes_read = "100 MiB"

            [raise]
            mode = "user"
            ceilings = "nobody"
            rules = "nobody"
            -- exit 0 --
        "#]],
    );
    check(
        "policy show missing.toml",
        "",
        expect![[r#"
        -- stderr --
        error: cannot read missing.toml: No such file or directory (os error 2)
        -- exit 1 --
    "#]],
    );
}

#[test]
fn a_folder_has_the_names_that_fit_every_domain() {
    let home = Home::new();
    dialog2api::folder::create(&home.path("library")).expect("a folder");
    home.check(
        home.command("policy --domain ./library show"),
        "",
        expect![[r#"
            version = 1
            mode = "confirm"
            longest_link = "168h"

            [[rule]]
            name = "keep-the-spare-key"
            effect = "deny"
            access = ["write", "delete"]
            paths = ["items/spare key"]

            [ceilings]
            records_written = 1000
            records_deleted = 1000
            bytes_written = "100 GiB"
            containers_created = 10
            containers_deleted = 10

            [ask_above]
            requests = 2000
            names_listed = 50000
            bytes_read = "100 MiB"

            [raise]
            mode = "nobody"
            ceilings = "nobody"
            rules = "nobody"
            -- exit 0 --
        "#]],
    );
}

#[test]
fn a_policy_that_is_wrong_is_refused_before_anything_runs() {
    let home = Home::new();
    home.write("wrong.toml", "version = 1\nmodus = \"auto\"\n");
    home.check(home.command("policy show wrong.toml"), "", expect![[r#"
        -- stderr --
        error: wrong.toml: TOML parse error at line 2, column 1
          |
        2 | modus = "auto"
          | ^^^^^
        unknown field `modus`, expected one of `version`, `mode`, `protected_buckets`, `protected_containers`, `protected_paths`, `own_accounts`, `longest_link`, `rule`, `ceilings`, `ask_above`, `raise`
        -- exit 1 --
    "#]]);
    home.write(
        "wrong.toml",
        "version = 1\n[[rule]]\nname = \"r\"\neffect = \"deny\"\noperations = [\"remove_*\"]\n",
    );
    home.check(
        home.command("run - --policy wrong.toml"),
        "return 1",
        expect![[r#"
            -- stderr --
            error: wrong.toml: rule "r": no operation is "remove_*"; there are restore_object, create_bucket, get_object_acl, get_object, head_object and 87 others
            -- exit 1 --
        "#]],
    );
}

#[test]
fn it_explains_what_a_policy_says_of_a_call() {
    let explain =
        |words: &str, expected| check(&format!("policy explain policy.toml {words}"), "", expected);
    explain(
        "delete_object a/sea_animals/orca.txt",
        expect![[r#"
        The policy does not allow this: rule "keep-the-sea" denies delete_object on a/sea_animals/orca.txt.
        -- exit 3 --
    "#]],
    );
    explain(
        "put_object a/sea_animals/orca.txt",
        expect![[r#"
        The policy allows this.
        -- exit 0 --
    "#]],
    );
    explain(
        "copy_object zoology-archive/x a/b",
        expect![[r#"
        The policy does not allow this: protected_buckets has "zoology-archive", which denies copy_object on zoology-archive/x.
        -- exit 3 --
    "#]],
    );
    explain(
        "delete_objects a/sea_animals/x",
        expect![[r#"
        The policy does not allow this: rule "keep-the-sea" denies delete_objects on a/sea_animals/x.
        -- exit 3 --
    "#]],
    );
    explain(
        "list_buckets",
        expect![[r#"
        The policy allows this.
        -- exit 0 --
    "#]],
    );
    explain(
        "list_objects a/sea",
        expect![[r#"
        The policy allows this.
        -- exit 0 --
    "#]],
    );
    explain(
        "get_object",
        expect![[r#"
        -- stderr --
        error: get_object needs the PLACE that it is called for
        -- exit 2 --
    "#]],
    );
    explain(
        "generate_presigned_url a/secret.txt",
        expect![[r#"
        The policy allows this.
        -- exit 0 --
    "#]],
    );
    explain(
        "put_bucket_lifecycle_configuration a",
        expect![[r#"
        The policy allows this at its place. What put_bucket_lifecycle_configuration says beyond that is judged when it is called.
        -- exit 0 --
    "#]],
    );
    explain(
        "remove a/b",
        expect![[r#"
            -- stderr --
            error: there is no operation remove; there are restore_object, get_object, head_object, create_bucket, delete_object and 87 others
            -- exit 2 --
        "#]],
    );
}

#[test]
fn a_program_is_held_to_it() {
    let run = "run - --policy policy.toml";
    check(
        run,
        "s3.delete_object(Bucket='zoology-bucket', Key='sea_animals/orca.txt')",
        expect![[r#"
            error      AccessDenied (line 1): An error occurred (AccessDenied) when calling the DeleteObject operation: The policy does not allow this: rule "keep-the-sea" denies delete_object on zoology-bucket/sea_animals/orca.txt.
            traceback  File "program.py", line 1, in program
                         s3.delete_object(Bucket='zoology-bucket', Key='sea_animals/orca.txt')
            calls      delete_object → AccessDenied
            signature  2e76e64e
            elapsed    TIME
            -- exit 3 --
        "#]],
    );
    check(
        run,
        "for n in 'abc':\n    s3.put_object(Bucket='zoology-bucket', Key=n, Body=b'')",
        expect![[r#"
            error      AccessDenied (line 2): An error occurred (AccessDenied) when calling the PutObject operation: The policy does not allow this: with this put_object the program would come to 3, and the ceiling is objects_written = 2 of one program.
            traceback  File "program.py", line 2, in program
                         s3.put_object(Bucket='zoology-bucket', Key=n, Body=b'')
            calls      put_object × 2, put_object → AccessDenied
            signature  7bae4aae
            elapsed    TIME
            -- stderr --
            The program made 2 writes before it ended, and they stay.
            -- exit 3 --
        "#]],
    );
    let many = "for n in range(1001):\n    s3.put_object(Bucket='zoology-bucket', Key=str(n))\n\
                return 'done'";
    check(
        "run -",
        many,
        expect![[r#"
        result     "done"
        calls      put_object × 1001
        signature  8571f4c4
        elapsed    TIME
        -- exit 0 --
    "#]],
    );
    check(
        "run - --read-only",
        "print(len(s3.list_objects(Bucket='zoology-bucket')['Contents']))\n\
         s3.delete_bucket(Bucket='zoology-bucket')",
        expect![[r#"
            output     11
            error      AccessDenied (line 2): An error occurred (AccessDenied) when calling the DeleteBucket operation: The policy does not allow this: the mode is read-only, which denies delete_bucket on zoology-bucket/.
            traceback  File "program.py", line 2, in program
                         s3.delete_bucket(Bucket='zoology-bucket')
            calls      list_objects, delete_bucket → AccessDenied
            signature  2e76e64e
            elapsed    TIME
            -- exit 3 --
        "#]],
    );
    check(
        "run - --read-only --mode auto",
        "",
        expect![[r#"
        -- stderr --
        error: the argument '--read-only' cannot be used with '--mode <MODE>'

        Usage: dialog2api run --read-only <PROGRAM>

        For more information, try '--help'.
        -- exit 2 --
    "#]],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn what_is_done_without_a_question_is_shown_afterwards() {
    let home = Home::new();
    let program = |uid, code: &str| goal(uid, "final", code);
    let twice = [
        program(
            1,
            "for n in range(3):\n    s3.put_object(Bucket='zoology-bucket', Key=f'{n}', Body='abc')\n\
             s3.delete_object(Bucket='zoology-bucket', Key='photos/otter.jpg')",
        ),
        program(2, "return len(s3.list_buckets()['Buckets'])"),
        program(3, "s3.delete_object(Bucket='zoology-bucket', Key='1')"),
    ];
    let server = model(&[&twice.join("\n"), "All three are done."]).await;
    let mut command = home.ready("chat --model openai:fake --mode auto");
    command.args(["--base-url", &server.base_url()]);
    home.check(
        command,
        "do three things with photos/otter.jpg in zoology-bucket\n/undo\n",
        expect![[r#"
        Agent: How can I help you?

        You: do three things with photos/otter.jpg in zoology-bucket

          goal 1  final · TIME
          │ for n in range(3):
          │     s3.put_object(Bucket='zoology-bucket', Key=f'{n}', Body='abc')
          │ s3.delete_object(Bucket='zoology-bucket', Key='photos/otter.jpg')
          result   null
          changed  3 created, 1 deleted; 9 B written; 125 B destroyed

          goal 2  final · TIME
          │ return len(s3.list_buckets()['Buckets'])
          result   2

          goal 3  final · TIME
          │ s3.delete_object(Bucket='zoology-bucket', Key='1')
          result   null
          changed  1 deleted; 3 B destroyed

          world    + zoology-bucket/0 (3 bytes)
                   + zoology-bucket/2 (3 bytes)
                   - zoology-bucket/photos/otter.jpg (125 bytes)

        Agent: All three are done.

        You: /undo
          world    + zoology-bucket/1 (3 bytes)
        Undone: 1 created; 3 B written.

        -- exit 0 --
    "#]],
    );
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
        "delete sea_animals/orca.txt in zoology-bucket\n/policy mode read-only\n/policy raise objects_written 5\n/policy\ndelete land_animals/bat.txt\n",
    );
    let mut command = home.ready(words);
    command.args(["--base-url", &server.base_url()]);
    home.check(command, "", expect![[r#"
        Agent: How can I help you?

        You: delete sea_animals/orca.txt in zoology-bucket

          goal 1  final · TIME
          │ s3.delete_object(Bucket='zoology-bucket', Key='sea_animals/orca.txt')
          error    AccessDenied (line 1): An error occurred (AccessDenied) when calling the DeleteObject operation: The policy does not allow this: rule "keep-the-sea" denies delete_object on zoology-bucket/sea_animals/orca.txt.

        Agent: The rule "keep-the-sea" does not let me.

        You: /policy mode read-only
        From now on: mode read-only

        You: /policy raise objects_written 5
        The policy lets nobody raise the ceilings: see `raise` in it.

        You: /policy
        version = 1
        mode = "read-only"
        protected_buckets = ["zoology-archive"]
        longest_link = "168h"

        [[rule]]
        name = "keep-the-sea"
        effect = "deny"
        access = ["delete"]
        keys = ["sea_animals/**"]

        [ceilings]
        objects_written = 2
        objects_deleted = 1000
        bytes_written = "100 GiB"
        buckets_created = 10
        buckets_deleted = 10

        [ask_above]
        requests = 2000
        names_listed = 50000
        bytes_read = "100 MiB"

        [raise]
        mode = "user"
        ceilings = "nobody"
        rules = "nobody"

        You: delete land_animals/bat.txt

          goal 2  final · TIME
          │ s3.delete_object(Bucket='zoology-bucket', Key='land_animals/bat.txt')
          error    AccessDenied (line 1): An error occurred (AccessDenied) when calling the DeleteObject operation: The policy does not allow this: the mode is read-only, which denies delete_object on zoology-bucket/land_animals/bat.txt.

        Agent: The mode is read-only.

        -- exit 0 --
    "#]]);
}

#[test]
fn a_program_that_is_run_by_hand_is_not_asked_about() {
    check(
        "run - --world empty --mode confirm",
        "return 1",
        expect![[r#"
            -- stderr --
            error: a program that you run yourself needs no confirmation. --overlay shows what it would change, --mode read-only keeps it from writing, and `chat` asks before it writes
            -- exit 2 --
        "#]],
    );
}
