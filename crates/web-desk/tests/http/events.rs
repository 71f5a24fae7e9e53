//! The stream of events.

use super::visitor::Visitor;
use crate::support::Served;
use serde_json::json;

#[test]
fn a_page_that_comes_back_gets_what_it_missed_and_nothing_twice() {
    let served = Served::new();
    let visitor = Visitor::of(&served);
    visitor.order("say", json!({"text": "tidy"}));
    let first = visitor.events("", "plan");
    assert_eq!(first[0].1["event"], "opened");
    let (middle, _) = &first[3];
    let rest = visitor.events(middle, "plan");
    assert_eq!(rest, first[4..]);
    // What a browser sends that connects again by itself wins over the address.
    let (last, _) = first.last().unwrap();
    visitor.order("decide", json!({"plan": 1, "apply": true}));
    let after = visitor.events(last, "turn_ended");
    assert_eq!(
        after[0].1,
        json!({"event": "decided", "plan": 1, "apply": true, "by": "user"})
    );
    let ids: Vec<u64> = first
        .iter()
        .chain(&after)
        .map(|(id, _)| id.split('.').nth(1).unwrap().parse().unwrap())
        .collect();
    assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
}

#[test]
fn a_page_of_another_process_gets_everything() {
    let served = Served::new();
    let visitor = Visitor::of(&served);
    for after in ["00000000.999", "999", "nonsense", "..", "1.%00"] {
        let events = visitor.events(after, "opened");
        assert_eq!(events.len(), 1, "{after}");
    }
}

#[test]
fn the_progress_of_a_turn_is_dropped_when_it_ends() {
    let served = Served::new();
    let visitor = Visitor::of(&served);
    visitor.order("say", json!({"text": "tidy"}));
    visitor.events("", "plan");
    visitor.order("decide", json!({"plan": 1, "apply": true}));
    visitor.events("", "turn_ended");
    let names: Vec<String> = visitor
        .events("", "turn_ended")
        .iter()
        .map(|(_, event)| event["event"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        names,
        [
            "opened",
            "turn_started",
            "stack",
            "plan",
            "decided",
            "executed",
            "turn_ended"
        ]
    );
}

#[test]
fn the_server_ends_although_pages_listen() {
    let mut served = Served::new();
    let answer = {
        let visitor = Visitor::of(&served);
        visitor.send(visitor.get("/api/events"))
    };
    served.end();
    drop(answer);
}
