//! The JSON form, and that it is the same each time.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use typed_claims::{report, restaurant};

fn rows() -> String {
    let rows = restaurant::rows().unwrap();
    rows.iter()
        .map(|row| serde_json::to_string(row).unwrap() + "\n")
        .collect()
}

#[test]
fn a_whole_list_that_leaves_a_row_out_is_incomplete() {
    let reply =
        "There are two British restaurants in the west: Graffiti and Saint John's Chop House.";
    let json =
        String::from_utf8(report(rows().as_bytes(), reply.as_bytes(), "en").unwrap()).unwrap();
    assert!(
        json.contains(r#""verdict":"incomplete","row":["travellers rest"]"#),
        "{json}"
    );
    let reply = "There are three British restaurants in the west: Graffiti, Travellers Rest and Saint John's Chop House.";
    let json =
        String::from_utf8(report(rows().as_bytes(), reply.as_bytes(), "en").unwrap()).unwrap();
    assert!(
        json.contains(r#""complete":true"#) && json.contains(r#""kind":"all""#),
        "{json}"
    );
}

#[test]
fn what_cannot_be_read_is_said() {
    let error = |rows: &[u8], reply: &[u8], language| {
        report(rows, reply, language).unwrap_err().to_string()
    };
    assert_eq!(error(b"{}", b"", "en"), "row 1: it has no `name`");
    assert!(error(b"", b"\xff", "en").contains("byte 0"));
    assert!(error(b"", b"", "xx").contains("`xx`"));
}

#[test]
fn the_same_bytes_come_out_each_time() {
    let rows = rows();
    let reply = "There are 12 cheap places: Kohinoor, Rice House and Curry Garden.".as_bytes();
    let first = report(rows.as_bytes(), reply, "en").unwrap();
    for _ in 0..10 {
        assert_eq!(report(rows.as_bytes(), reply, "en").unwrap(), first);
    }
}
