//! Bytes of a journal in, what is read of them out.

use crate::journal::lab::{store, whole};
use dialog2api::journal::{Damage, Lines, SessionState, Torn, read, seal, write};
use expect_test::{Expect, expect};

/// The bytes of a session with every kind of entry.
fn bytes() -> Vec<u8> {
    let (_folder, store) = store();
    whole(&store, "it");
    std::fs::read(store.folder().join("it/journal.jsonl")).unwrap()
}

/// The bytes of its first lines: what is tried at every byte is to end soon.
fn some_bytes() -> Vec<u8> {
    let bytes = bytes();
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').take(9);
    lines.collect::<Vec<_>>().concat()
}

#[test]
fn a_log_cut_off_at_every_byte_keeps_its_whole_lines() {
    let bytes = some_bytes();
    let all = read(&bytes).unwrap();
    let mut whole = 0;
    let mut start = 0;
    for end in 0..=bytes.len() {
        if end > 0 && bytes[end - 1] == b'\n' {
            (whole, start) = (whole + 1, end);
        }
        let cut = read(&bytes[..end]).unwrap();
        assert!(cut.lines == all.lines[..whole], "cut off at {end}");
        assert_eq!(cut.bytes, start);
        let torn = (end > start).then_some(Torn {
            line: whole as u64 + 1,
            bytes: end - start,
        });
        assert_eq!(cut.torn, torn, "cut off at {end}");
    }
}

#[test]
fn a_log_cut_off_is_cut_back_and_written_on() {
    let (_folder, store) = store();
    whole(&store, "it");
    let path = store.folder().join("it/journal.jsonl");
    let bytes = std::fs::read(&path).unwrap();
    let cut = bytes.len() - 3;
    std::fs::write(&path, &bytes[..cut]).unwrap();
    let journal = store.resume("it").unwrap();
    let torn = journal.torn().unwrap();
    assert_eq!(torn.line, read(&bytes).unwrap().lines.len() as u64);
    drop(journal);
    let now = read(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(now.torn, None);
    assert_eq!(now.lines.len(), read(&bytes).unwrap().lines.len());
}

#[test]
fn a_changed_byte_is_found_wherever_it_is() {
    let bytes = some_bytes();
    let all = read(&bytes).unwrap();
    let last = all.lines.len() as u64;
    let mut line = 1;
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x01;
        match read(&changed) {
            Err(Damage { line: found, .. }) => assert_eq!(found, line, "at {at}"),
            // The last line may as well have been cut off: what was kept is the rest.
            Ok(Lines { lines, torn, .. }) => {
                assert_eq!(torn.map(|torn| torn.line), Some(line), "at {at}");
                assert!(line == last && lines == all.lines[..lines.len()], "at {at}");
            }
        }
        line += u64::from(bytes[at] == b'\n');
    }
}

#[test]
fn lines_that_are_dropped_or_swapped_are_found() {
    let bytes = bytes();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    for at in 0..lines.len() - 2 {
        let mut dropped = lines.clone();
        dropped.remove(at);
        let damage = read(&dropped.concat()).unwrap_err();
        assert_eq!(damage.line, at as u64 + 1);
        let mut swapped = lines.clone();
        swapped.swap(at, at + 1);
        assert_eq!(read(&swapped.concat()).unwrap_err().line, at as u64 + 1);
    }
}

#[test]
fn what_is_read_and_written_reads_the_same() {
    let bytes = bytes();
    let all = read(&bytes).unwrap();
    let mut sum = 0;
    let mut again = Vec::new();
    for line in &all.lines {
        let (bytes, next) = write(line, sum).unwrap();
        again.extend(bytes);
        sum = next;
    }
    assert!(again == bytes, "other bytes");
    assert_eq!(
        SessionState::of(all.lines),
        SessionState::of(read(&again).unwrap().lines)
    );
}

/// Reads lines that have the right checksums, whatever they say.
#[track_caller]
fn check(heads: &[&str], expected: Expect) {
    let (mut bytes, mut sum) = (Vec::new(), 0);
    for head in heads {
        let (line, next) = seal(head.as_bytes().to_vec(), sum);
        bytes.extend(line);
        sum = next;
    }
    let text = match read(&bytes).and_then(|read| SessionState::of(read.lines)) {
        Ok(state) => format!("{} turns", state.turns.len()),
        Err(damage) => damage.to_string(),
    };
    expected.assert_eq(&text);
}

const BEGIN: &str = r#"{"n":1,"at":"2026-11-21T20:13:01Z","entry":{"begin":{"version":1,"dialog2api":"0","world":"w","model":"m"}}"#;

#[test]
fn what_means_nothing_is_named_with_its_line() {
    let at = r#""at":"2026-11-21T20:13:01Z""#;
    let line = |n: u32, entry: &str| format!("{{\"n\":{n},{at},\"entry\":{entry}");
    check(&[BEGIN, &line(2, r#"{"ended":{}}"#)], expect!["0 turns"]);
    check(
        &[BEGIN, &line(3, r#"{"ended":{}}"#)],
        expect!["line 2: it says that it is line 3"],
    );
    check(
        &[&BEGIN.replace("\"version\":1", "\"version\":2")],
        expect![
            "line 1: the journal has version 2, and this program reads version 1: use the dialog2api that wrote it"
        ],
    );
    check(
        &[r#"{"n":1,"anything":"else""#],
        expect!["line 1: it is not the beginning of a journal"],
    );
    check(
        &[BEGIN, &BEGIN.replace("\"n\":1", "\"n\":2")],
        expect!["line 2: a journal begins once"],
    );
    check(
        &[BEGIN, &line(2, r#"{"said":{"turn":2,"user":"x"}}"#)],
        expect!["line 2: turn 2 begins where turn 1 should"],
    );
    check(
        &[BEGIN, &line(2, r#"{"replied":{"turn":1,"text":"x"}}"#)],
        expect!["line 2: turn 1 is not under way"],
    );
    check(
        &[
            BEGIN,
            &line(2, r#"{"done":{"plan":1,"number":0,"left":[]}}"#),
        ],
        expect!["line 2: there is no plan 1"],
    );
    check(
        &[
            BEGIN,
            &line(2, r#"{"ended":{}}"#).replace("2026-11", "2026-31"),
        ],
        expect![[r#"line 2: "2026-31-21T20:13:01Z" is not a time"#]],
    );
}
