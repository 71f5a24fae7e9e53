//! Statistics over dialogues: recorded turns in, text and JSON out.

use serde_json::{Value as Json, json};
use worksheets::{Format, Settings, Sheets, Stats, read, simulate};

const CSV: &str = "WS Name,Kind,Type,Name,Required\nOrder,task,,go(self.size),\n\
                   ,input,str,size,TRUE\n,input,int,count,TRUE\n,input,confirm,sure,TRUE\n";

fn sheets() -> Sheets {
    read(CSV.as_bytes(), Format::Csv).unwrap()
}

fn state(turn: u64, status: &str, fields: Json, acts: &[&str]) -> Json {
    let record = json!({"var": "order", "sheet": "Order", "status": status, "fields": fields});
    let mut record = record;
    if status == "open" {
        record.as_object_mut().unwrap().remove("status");
    }
    json!({"turn": turn, "records": [record], "focus": [], "acts": acts})
}

/// Records turns from one state to the next, and the end of the dialogue.
fn record(stats: &mut Stats<'_>, states: &[Json]) {
    let mut before = json!({"turn": 0, "records": [], "focus": [], "acts": []});
    for after in states {
        stats
            .recorded(&json!({"before": before, "after": after}))
            .unwrap();
        before = after.clone();
    }
    stats.end();
}

#[test]
fn what_becomes_of_fields_is_counted() {
    let sheets = sheets();
    let mut stats = Stats::new(&sheets);
    let invalid = json!({"asked": 1, "invalid": {"value": "many", "why": "not an integer"}});
    record(
        &mut stats,
        &[
            state(
                1,
                "open",
                json!({"size": {"asked": 1}}),
                &["Ask(order, size)"],
            ),
            state(
                2,
                "open",
                json!({"size": {"value": "L"}, "count": {"asked": 1}}),
                &["Ask(order, count)"],
            ),
            state(
                3,
                "open",
                json!({"size": {"value": "M"}, "count": invalid}),
                &["Ask(order, count)"],
            ),
            state(
                4,
                "exited",
                json!({"size": {"value": "M"}, "count": {"declined": true}}),
                &[],
            ),
        ],
    );
    record(
        &mut stats,
        &[
            state(
                1,
                "open",
                json!({"size": {"value": "L"}, "count": {"asked": 1}}),
                &["Ask(order, count)"],
            ),
            state(
                2,
                "open",
                json!({"size": {"value": "L"}, "count": {"asked": 1}}),
                &["Handoff(\"x\")"],
            ),
        ],
    );
    assert_eq!(
        stats.text(),
        "2 dialogues, 6 turns\n\
         Order: begun 2, finished 0, given up 2, failed 0, handed off 1\n  \
         field     asked  answered   refused   invalid corrected     stale  given up     human\n  \
         size          1         2         .         .         1         .         .         .\n  \
         count         3         .         1         1         .         .         1         1\n  \
         sure          .         .         .         .         .         .         .         .\n"
    );
    let json = stats.json();
    assert_eq!(json["sheets"][0]["fields"][0]["field"], "size");
    assert_eq!(json["sheets"][0]["fields"][0]["corrected"], 1);
    assert_eq!(json["sheets"][0]["handed_off"], 1);
}

#[test]
fn a_turn_that_is_none_is_refused() {
    let sheets = sheets();
    let mut stats = Stats::new(&sheets);
    let why = stats.recorded(&json!({"before": {}})).unwrap_err();
    assert!(why.contains("before") || why.contains("after"), "{why}");
    assert_eq!(stats.size(), (0, 0));
}

/// Every record that was begun is finished or given up in the end.
#[test]
fn simulated_dialogues_add_up() {
    let sheets = sheets();
    let mut stats = Stats::new(&sheets);
    for seed in 0..60 {
        for played in simulate::dialogue(&sheets, Settings::default(), seed).turns {
            stats.turn(&played.before, &played.turned.state);
        }
        stats.end();
    }
    let order = stats.sheet("Order");
    assert_eq!(stats.size().0, 60);
    assert_eq!(order.begun, order.finished + order.given_up);
    assert!(order.finished > 5 && order.given_up > 5, "{order:?}");
}
