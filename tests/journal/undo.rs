//! `dialog2api session undo`: what a session did, taken back from the command line.

use crate::chats::{Home, goal, reply};
use expect_test::{Expect, expect};

/// Three programs: one writes, one is declined, one deletes and overwrites.
fn session(home: &Home, words: &str) {
    let program = |uid, code: &str| goal(uid, "final", code);
    let answers = [
        program(
            1,
            "s3.put_object(Bucket='zoology-bucket', Key='new.txt', Body='fresh')",
        ),
        reply("Done."),
        program(
            2,
            "s3.delete_bucket(Bucket='zoology-archive')\n\
             s3.delete_object(Bucket='zoology-bucket', Key='new.txt')",
        ),
        reply("Then not."),
        program(
            3,
            "s3.delete_object(Bucket='zoology-bucket', Key='sea_animals/orca.txt')\n\
             s3.put_object(Bucket='zoology-bucket', Key='new.txt', Body='newer still')",
        ),
        reply("Gone."),
    ];
    let input = "make a file\nyes\nthrow it away\nno\ndelete the orca\nyes\n";
    let said = home.chat(&format!("--session it {words}"), &answers, input);
    assert!(said.ends_with("Agent: Gone.\n\n-- exit 0 --\n"), "{said}");
}

#[track_caller]
fn check(home: &Home, words: &str, input: &str, expected: Expect) {
    expected.assert_eq(&home.seen(words, input));
}

#[test]
fn the_last_program_is_taken_back_then_the_one_before() {
    let home = Home::new();
    session(&home, "");
    check(&home, "session undo it", "no\n", expect![[]]);
    check(&home, "session undo it", "yes\n", expect![[]]);
    check(&home, "session undo it --yes", "", expect![[]]);
    check(&home, "session undo it --yes", "", expect![[]]);
    // The journal has it, and the chat goes on with the world as it is now.
    let shown = home.seen("session show it", "");
    let (_, after) = shown.split_once("Agent: Gone.").unwrap();
    let lines = after.lines().filter_map(|line| line.get(10..));
    let lines: Vec<&str> = lines.collect();
    expect![[]].assert_eq(&lines.join("\n"));
    let said = home.chat("--session it", &[], "/undo\n/world\n");
    expect![[]].assert_eq(&said);
}

#[test]
fn a_plan_is_named_and_what_cannot_be_taken_back_is_said() {
    let home = Home::new();
    session(&home, "");
    check(&home, "session undo it --plan 1 --yes", "", expect![[]]);
    for plan in ["2", "9", "4"] {
        let words = format!("session undo it --yes --plan {plan}");
        check(
            &home,
            &words,
            "",
            match plan {
                "2" => expect![[]],
                "9" => expect![[]],
                _ => expect![[]],
            },
        );
    }
    check(&home, "session undo none", "", expect![[]]);
    check(&home, "session undo it --world empty", "", expect![[]]);
    check(&home, "session undo it --read-only", "", expect![[]]);
}

#[test]
fn programs_read_it_as_json() {
    let home = Home::new();
    session(&home, "");
    let state = |home: &Home| home.seen("session show it", "");
    let before = state(&home);
    check(&home, "session undo it --json", "", expect![[]]);
    assert_eq!(state(&home), before, "nothing was done");
    check(&home, "session undo it --json --yes", "", expect![[]]);
    assert_ne!(state(&home), before);
}
