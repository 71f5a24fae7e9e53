//! `dialog2api run`.

use crate::support::Home;
use expect_test::{Expect, expect};

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
        expect![[]],
    );
}

#[test]
fn an_error_with_its_traceback_ends_with_exit_code_3() {
    check(
        "--world empty",
        "def f():\n    return s3.get_object(Bucket='nope', Key='x')\nreturn f()",
        expect![[]],
    );
    check("", "x = = 1", expect![[]]);
}

#[test]
fn limits_are_outcomes_of_the_program() {
    check("--deadline 200ms", "while True: pass", expect![[]]);
    check("--fuel 1_000_000", "while True: pass", expect![[]]);
    check("--memory 64MiB", "x = 'x' * 10**8", expect![[]]);
}

#[test]
fn json_is_one_object_for_scripts() {
    check(
        "--json",
        "print('a')\ns3.head_bucket(Bucket='zoology-bucket')\nreturn {'n': 1}",
        expect![[]],
    );
    check(
        "--json",
        "print('\\x1b[2J')\nraise AmbiguousRequestError('which?\\x9b')",
        expect![[]],
    );
}

#[test]
fn what_a_program_says_cannot_steer_the_terminal() {
    check(
        "--color always",
        "print('\\x1b[2J\\x9b31m\\u202egnp.exe')\nraise KeyError('\\x1b]0;owned\\x07')",
        expect![[]],
    );
}

#[test]
fn a_folder_keeps_what_a_program_changed() {
    let home = Home::new();
    let program = "s3.create_bucket(Bucket='notes')\n\
                   s3.put_object(Bucket='notes', Key='a.txt', Body=b'hello')";
    home.check(home.ready("run - --world kept"), program, expect![[]]);
    assert_eq!(home.read("kept/notes/a.txt"), "hello");
    let program = "return s3.get_object(Bucket='notes', Key='a.txt')['Body'].read().decode()";
    home.write("read.py", program);
    home.check(home.command("run read.py --world kept"), "", expect![[]]);
}

#[test]
fn what_cannot_be_done_is_said_in_a_sentence() {
    check("--deadline soon", "", expect![[]]);
    check("--memory 2GiB", "", expect![[]]);
    check("--world nope.toml", "", expect![[]]);
    check("--profile work", "", expect![[]]);
    let home = Home::new();
    home.check(home.command("run nope.py"), "", expect![[]]);
    home.write("broken.toml", "[[bucket]]\nname = 5");
    home.check(home.ready("run - --world broken.toml"), "", expect![[]]);
}
