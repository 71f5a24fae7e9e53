//! `dialog2api world`.

use crate::support::Home;
use expect_test::{Expect, expect};

fn check(home: &Home, words: &str, expected: Expect) {
    home.check(home.command(words), "", expected);
}

#[test]
fn a_world_is_shown_with_its_buckets_and_keys() {
    check(&Home::new(), "world show", expect![[]]);
    check(&Home::new(), "world show --world empty", expect![[]]);
}

#[test]
fn scripts_get_json() {
    let home = Home::new();
    std::fs::create_dir_all(home.path("files/letters")).expect("a folder");
    home.write("files/letters/a\u{1b}[2Jb.txt", "x");
    let shown = home
        .command("world show --json --world files")
        .output()
        .expect("it starts");
    let json: serde_json::Value = serde_json::from_slice(&shown.stdout).expect("JSON");
    assert_eq!(json["buckets"][0]["name"], "letters");
    assert_eq!(json["buckets"][0]["objects"][0]["key"], "a\u{1b}[2Jb.txt");
    assert!(!shown.stdout.contains(&0x1b));
    check(&home, "world signature --json", expect![[]]);
}

#[test]
fn the_signature_is_that_of_the_state() {
    check(&Home::new(), "world signature", expect![[]]);
    check(&Home::new(), "world signature --world empty", expect![[]]);
}

#[test]
fn the_worlds_are_listed() {
    check(&Home::new(), "world list", expect![[]]);
    check(&Home::new(), "world list --json", expect![[]]);
}

#[test]
fn looking_creates_nothing() {
    let home = Home::new();
    check(&home, "world show --world nowhere", expect![[]]);
    assert!(!home.path("nowhere").exists());
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let home = Home::new();
    let mut command = home.command("world show");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    command.stdout(writer);
    let status = command.status().expect("it starts");
    assert_eq!(status.code(), Some(0));
}
