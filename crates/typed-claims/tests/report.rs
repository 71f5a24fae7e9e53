//! The JSON form, and that it is the same each time.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use typed_claims::{Catalogue, Tracker, report, report_with, restaurant};

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
fn a_slot_claim_says_its_slot() {
    let reply = "Graffiti is not in the east.";
    let json =
        String::from_utf8(report(rows().as_bytes(), reply.as_bytes(), "en").unwrap()).unwrap();
    let said =
        r#""about":"graffiti","slot":"area","values":["east"],"negated":true,"verdict":"true""#;
    assert!(json.contains(said), "{json}");
    assert_eq!(json.matches(r#""slot":"#).count(), 1, "{json}");
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
    // The rows once, and the reply a thousand times.
    let schema = restaurant::schema().unwrap();
    let lexicon = restaurant::lexicon("en", &schema).unwrap();
    let catalogue = Catalogue::new(restaurant::rows().unwrap(), &schema, &lexicon).unwrap();
    let check = || {
        let mut tracker = Tracker::new(&schema, &lexicon, &catalogue, catalogue.full());
        tracker.hear("I want something cheap in the centre, or anything Asian.");
        let reply = "There are 12 cheap places: Kohinoor, Rice House and Curry Garden. \
                     Its number is 01223 351241. No, sorry, there is no Thai place in the west.";
        format!("{:?}", tracker.check(reply, None))
    };
    let first = check();
    assert!((0..1_000).all(|_| check() == first));
}

/// The verdicts on a reply about files, by a schema of sizes, times, days and money.
fn files(reply: &str) -> Vec<String> {
    let rows = r#"{"name": "atlas", "status": "Archived", "size": "1258291", "age": "5400", "made": "2026-11-28", "price": "12.50"}
{"name": "borealis", "status": "active", "size": "500", "age": "60", "made": "2026-11-01", "price": "3"}"#;
    let schema = r#"{"key": "name", "slots": {"status": {"kind": "value"},
        "size": {"kind": "quantity", "unit": "bytes"}, "age": {"kind": "quantity", "unit": "seconds"},
        "made": {"kind": "quantity", "unit": "date"}, "price": {"kind": "quantity", "unit": "money"}}}"#;
    let json = report_with(rows.as_bytes(), reply.as_bytes(), "en", schema.as_bytes()).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let claims = json["claims"].as_array().unwrap().iter();
    let slots = claims.filter(|claim| claim["kind"] == "slot");
    slots
        .map(|claim| claim["verdict"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn quantities_are_judged_by_the_digits_written() {
    for (reply, verdict) in [
        ("Atlas is archived.", "true"),
        ("Atlas is active.", "false"),
        ("Atlas is 1.2 MiB.", "true"),
        ("Atlas is 1.2 MB.", "true"),
        ("Atlas is 1.26 MB.", "true"),
        ("Atlas is 1.4 MB.", "false"),
        ("Atlas is 90 minutes old.", "true"),
        ("Atlas is 80 minutes old.", "false"),
        ("Atlas is from 28 November 2026.", "true"),
        ("Atlas is from 2026-11-27.", "false"),
        ("Atlas costs £12.50.", "true"),
        ("Atlas costs £13.50.", "false"),
    ] {
        assert_eq!(files(reply), [verdict], "{reply}");
    }
}

#[test]
fn a_schema_that_cannot_be_read_is_said() {
    let error = report_with(b"", b"", "en", b"{").unwrap_err().to_string();
    assert!(error.starts_with("the schema cannot be used"), "{error}");
}

#[test]
fn rows_that_are_no_text_are_named() {
    let error = report(b"{\"name\": \"atlas\"}\n\xff\xfe", b"Hello.", "en").unwrap_err();
    assert!(error.to_string().starts_with("row 2: "), "{error}");
}

#[test]
fn rows_are_json_as_programs_write_it() {
    let rows = "\u{feff}{\"name\": \"o1\", \"size\": 5, \"area\": null, \"open\": true}\n";
    let rows = typed_claims::rows_of_lines(rows.as_bytes()).unwrap();
    let row: Vec<_> = rows[0]
        .iter()
        .map(|(slot, value)| format!("{slot}={value}"))
        .collect();
    assert_eq!(row, ["name=o1", "size=5", "open=true"]);
    let parts = typed_claims::rows_of_lines(br#"{"name": ["o1"]}"#).unwrap_err();
    assert_eq!(
        parts.to_string(),
        "row 1: name has parts: write them as one text"
    );
}
