//! `dialog2api run`.

use crate::cli::support::Home;
use crate::support::command::kill;
use crate::support::scripted_http::{Answer, Server};
use expect_test::{Expect, expect};
use std::process::Stdio;

/// Runs a program that comes on standard input.
fn check(words: &str, program: &str, expected: Expect) {
    let home = Home::new();
    home.check(home.ready(&format!("run - {words}")), program, expected);
}

#[test]
fn a_result_with_its_calls_and_signature() {
    check(
        "",
        "print('two\\nlines')\n\
         keys = [o['Key'] for o in s3.list_objects(Bucket='zoology-bucket', Prefix='sea')['Contents']]\n\
         for key in keys:\n    s3.head_object(Bucket='zoology-bucket', Key=key)\n\
         return keys",
        expect![[r#"
            output     two
                       lines
            result     [
                         "sea_animals/dolphin.txt",
                         "sea_animals/orca.txt",
                         "sea_animals/otter.txt",
                         "sea_animals/seahorse.txt"
                       ]
            calls      list_objects, head_object × 4
            signature  b86b650f
            elapsed    TIME
            -- exit 0 --
        "#]],
    );
}

#[test]
fn an_error_with_its_traceback_ends_with_exit_code_3() {
    check(
        "--world empty",
        "def f():\n    return s3.get_object(Bucket='nope', Key='x')\nreturn f()",
        expect![[r#"
            error      NoSuchBucket (line 2): An error occurred (NoSuchBucket) when calling the GetObject operation: The specified bucket does not exist
            traceback  File "program.py", line 3, in program
                         return f()
                       File "program.py", line 2, in f
                         return s3.get_object(Bucket='nope', Key='x')
            calls      get_object → NoSuchBucket
            signature  bc6b8118
            elapsed    TIME
            -- exit 3 --
        "#]],
    );
    check(
        "",
        "x = = 1",
        expect![[r#"
        error      SyntaxError: invalid syntax (line 1, column 5)
        signature  a1beb772
        elapsed    TIME
        -- exit 3 --
    "#]],
    );
}

#[test]
fn limits_are_outcomes_of_the_program() {
    check(
        "--deadline 200ms",
        "while True: pass",
        expect![[r#"
        error      DeadlineExceeded: the program ran longer than 200ms
        signature  daa86bd7
        elapsed    TIME
        -- exit 3 --
    "#]],
    );
    check(
        "--fuel 1_000_000",
        "while True: pass",
        expect![[r#"
        error      FuelExhausted: the program did more than 1000000 steps of work
        signature  437d5238
        elapsed    TIME
        -- exit 3 --
    "#]],
    );
    check(
        "--memory 64MiB",
        "x = 'x' * 10**8",
        expect![[r#"
            error      MemoryError (line 1): the program needs more memory than it may use
            traceback  File "program.py", line 1, in program
                         x = 'x' * 10**8
            signature  d7170111
            elapsed    TIME
            -- exit 3 --
        "#]],
    );
}

#[test]
fn json_is_one_object_for_scripts() {
    check(
        "--json",
        "print('a')\ns3.head_bucket(Bucket='zoology-bucket')\nreturn {'n': 1}",
        expect![[r#"
            {
              "result": {
                "n": 1
              },
              "error": null,
              "signature": "0623bd2a",
              "calls": [
                {
                  "operation": "head_bucket",
                  "error": null
                }
              ],
              "elapsed": TIME,
              "output": "a\n"
            }
            -- exit 0 --
        "#]],
    );
    check(
        "--json",
        "print('\\x1b[2J')\nraise AmbiguousRequestError('which?\\x9b')",
        expect![[r#"
            {
              "result": null,
              "error": {
                "error": "AmbiguousRequestError",
                "message": "which?\u009b",
                "traceback": "Traceback (most recent call last):\n  File \"program.py\", line 2, in program\n    raise AmbiguousRequestError('which?\\x9b')\nAmbiguousRequestError: which?\u009b"
              },
              "signature": "7b7c568d",
              "calls": [],
              "elapsed": TIME,
              "output": "\u001b[2J\n"
            }
            -- exit 3 --
        "#]],
    );
}

#[test]
fn a_listing_that_was_not_read_to_its_end_is_noted() {
    let world = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/datasets/s3-everyday/worlds/zoo.toml"
    );
    let words = format!("--world {world}");
    check(
        &words,
        "return len(s3.list_objects(Bucket='zoo-photos')['Contents'])",
        expect![[r#"
            result     1000
            calls      list_objects
            signature  1f0b77a9
            elapsed    TIME
            -- stderr --
            Only the first 1000 objects of "zoo-photos" were read; there are more.
            -- exit 0 --
        "#]],
    );
    check(
        &format!("{words} --json"),
        "return len(s3.list_objects(Bucket='zoo-photos', MaxKeys=1000)['Contents'])",
        expect![[r#"
            {
              "result": 1000,
              "error": null,
              "signature": "1f0b77a9",
              "calls": [
                {
                  "operation": "list_objects",
                  "error": null
                }
              ],
              "elapsed": TIME,
              "output": "",
              "unread": [
                "Only the first 1000 objects of \"zoo-photos\" were read; there are more."
              ]
            }
            -- exit 0 --
        "#]],
    );
    // Neither one that was read whole, nor one that the program wanted short, nor one of a
    // program that failed.
    check(
        &words,
        "pages = s3.get_paginator('list_objects_v2').paginate(Bucket='zoo-photos')\n\
         return sum(len(page['Contents']) for page in pages)",
        expect![[r#"
            result     1205
            calls      list_objects_v2 × 2
            signature  a329a4e3
            elapsed    TIME
            -- exit 0 --
        "#]],
    );
    check(
        &words,
        "return len(s3.list_objects(Bucket='zoo-photos', MaxKeys=5)['Contents'])",
        expect![[r#"
            result     5
            calls      list_objects
            signature  969922d8
            elapsed    TIME
            -- exit 0 --
        "#]],
    );
    check(
        &words,
        "s3.list_objects(Bucket='zoo-photos')\nraise KeyError('x')",
        expect![[r#"
            error      KeyError (line 2): 'x'
            traceback  File "program.py", line 2, in program
                         raise KeyError('x')
            calls      list_objects
            signature  ca270722
            elapsed    TIME
            -- exit 3 --
        "#]],
    );
}

#[test]
fn what_a_program_says_cannot_steer_the_terminal() {
    check(
        "--color always",
        "print('\\x1b[2J\\x9b31m\\u202egnp.exe')\nraise KeyError('\\x1b]0;owned\\x07')",
        expect![[r#"
            [2moutput    [0m ␛[2J\u{9b}31m\u{202e}gnp.exe
            [31merror     [0m KeyError (line 2): '\x1b]0;owned\x07'
            [2mtraceback [0m File "program.py", line 2, in program
            [2m          [0m   raise KeyError('\x1b]0;owned\x07')
            [2msignature [0m e332487d
            [2melapsed    TIME
            -- exit 3 --
        "#]],
    );
}

#[test]
fn a_folder_keeps_what_a_program_changed() {
    let home = Home::new();
    let program = "s3.create_bucket(Bucket='notes')\n\
                   s3.put_object(Bucket='notes', Key='a.txt', Body=b'hello')";
    home.check(
        home.ready("run - --world kept"),
        program,
        expect![[r#"
            result     null
            calls      create_bucket, put_object
            signature  31b2565c
            elapsed    TIME
            -- stderr --
            note: there was no folder kept, so it is made
            -- exit 0 --
        "#]],
    );
    assert_eq!(home.read("kept/notes/a.txt"), "hello");
    let program = "return s3.get_object(Bucket='notes', Key='a.txt')['Body'].read().decode()";
    home.write("read.py", program);
    home.check(
        home.command("run read.py --world kept"),
        "",
        expect![[r#"
        result     "hello"
        calls      get_object
        signature  473b6812
        elapsed    TIME
        -- exit 0 --
    "#]],
    );
}

#[test]
fn what_cannot_be_done_is_said_in_a_sentence() {
    check(
        "--deadline soon",
        "",
        expect![[r#"
        -- stderr --
        error: invalid value 'soon' for '--deadline <TIME>': a duration is a number with its unit: 30s, 500ms, 1m 30s

        For more information, try '--help'.
        -- exit 2 --
    "#]],
    );
    check(
        "--memory 2GiB",
        "",
        expect![[r#"
        -- stderr --
        error: a program can have 1024 MiB at most
        -- exit 2 --
    "#]],
    );
    check(
        "--world nope.toml",
        "",
        expect![[r#"
        -- stderr --
        error: nope.toml: there is no such file; a world is `zoology`, `empty`, a description (FILE.toml) or a folder whose subfolders are buckets
        -- exit 1 --
    "#]],
    );
    check(
        "--profile work",
        "",
        expect![[r#"
        -- stderr --
        error: --profile is for a real S3, and the world is zoology: use --world s3
        -- exit 2 --
    "#]],
    );
    let home = Home::new();
    home.check(
        home.command("run nope.py"),
        "",
        expect![[r#"
        -- stderr --
        error: cannot read the program nope.py: No such file or directory (os error 2)
        -- exit 1 --
    "#]],
    );
    home.write("broken.toml", "[[bucket]]\nname = 5");
    home.check(
        home.ready("run - --world broken.toml"),
        "",
        expect![[r#"
            -- stderr --
            error: broken.toml: line 2, column 8: invalid type: integer `5`, expected a string
            -- exit 1 --
        "#]],
    );
}

#[test]
fn on_an_overlay_changes_are_listed_and_made_nowhere() {
    let home = Home::new();
    home.write(
        "write.py",
        "s3.create_bucket(Bucket='beta')\ns3.put_object(Bucket='beta', Key='k', Body=b'12345')",
    );
    std::fs::create_dir_all(home.path("world/alpha")).expect("a folder");
    home.check(
        home.ready("run write.py --world world --overlay"),
        "",
        expect![[r#"
            result     null
            calls      create_bucket, put_object
            changes    + beta/
                       + beta/k (5 bytes)
            signature  89d2ce01
            elapsed    TIME
            -- exit 0 --
        "#]],
    );
    home.write(
        "settings.py",
        "s3.put_bucket_tagging(Bucket='alpha', Tagging={'TagSet': [{'Key': 'team', 'Value': 'red'}]})\n\
         s3.put_bucket_versioning(Bucket='alpha', VersioningConfiguration={'Status': 'Enabled'})",
    );
    home.check(
        home.command("run settings.py --world world --overlay"),
        "",
        expect![[r#"
            result     null
            calls      put_bucket_tagging, put_bucket_versioning
            changes    ~ alpha/ (tags): team=red
                       ~ alpha/ (versioning): Enabled
            signature  6544a53d
            elapsed    TIME
            -- exit 0 --
        "#]],
    );
    home.check(
        home.command("run write.py --world empty --overlay --json"),
        "",
        expect![[r#"
            {
              "result": null,
              "error": null,
              "changes": [
                {
                  "change": "bucket_created",
                  "bucket": "beta",
                  "region": "us-east-1"
                },
                {
                  "change": "created",
                  "bucket": "beta",
                  "key": "k",
                  "now": {
                    "size": 5,
                    "etag": "\"827ccb0eea8a706c4c34a16891f84e7b\"",
                    "modified": "2024-05-01T09:00:01Z"
                  }
                }
              ],
              "signature": "a9dbc3e5",
              "calls": [
                {
                  "operation": "create_bucket",
                  "error": null
                },
                {
                  "operation": "put_object",
                  "error": null
                }
              ],
              "elapsed": TIME,
              "output": ""
            }
            -- exit 0 --
        "#]],
    );
    assert!(!home.path("world/beta").exists());
    home.check(
        home.command("run write.py --world nowhere --overlay"),
        "",
        expect![[r#"
            -- stderr --
            error: nowhere: there is no such file; a world is `zoology`, `empty`, a description (FILE.toml) or a folder whose subfolders are buckets
            -- exit 1 --
        "#]],
    );
    assert!(!home.path("nowhere").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_while_the_signature_is_read_keeps_the_result() {
    let home = Home::new();
    home.write("five.py", "return 5");
    let server = Server::start(vec![Answer::Silence(Vec::new())]).await;
    let mut command = home.ready("run five.py --region us-east-1 --signature etag");
    let running = command
        .args(["--endpoint-url", &format!("http://{}", server.address)])
        .env("AWS_ACCESS_KEY_ID", "AKIATEST")
        .env("AWS_SECRET_ACCESS_KEY", "secret")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    while server.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    kill("-INT", running.id());
    let output = running.wait_with_output().expect("it ends");
    expect![[r#"
        result     5
        signature  not known
        elapsed    TIME
        -- stderr --
        Stopped while the world was read for its signature.
        -- exit 1 --
    "#]]
    .assert_eq(&home.seen(&output));
}
