//! The commands of a page.

use super::visitor::Visitor;
use crate::support::Served;
use serde_json::{Value, json};

#[test]
fn a_plan_is_decided_once() {
    let served = Served::new();
    let visitor = Visitor::of(&served);
    assert_eq!(visitor.order("say", json!({"text": "tidy"})).0, 202);
    visitor.events("", "plan");
    let (status, said) = visitor.order("decide", json!({"plan": 7, "apply": true}));
    assert_eq!(status, 409);
    assert_eq!(
        said,
        json!({"error": "Plan 7 does not wait any more. Plan 1 does.", "session": "monday", "waiting_plan": 1})
    );
    assert_eq!(
        visitor
            .order(
                "decide",
                json!({"plan": 1, "apply": true, "session": "friday"})
            )
            .0,
        409
    );
    assert_eq!(
        visitor.order("decide", json!({"plan": 1, "apply": true})).0,
        202
    );
    let (status, said) = visitor.order("decide", json!({"plan": 1, "apply": false}));
    assert_eq!(status, 409);
    assert_eq!(
        said["error"],
        "Plan 1 was decided already. Nothing more is done."
    );
    assert_eq!(said["waiting_plan"], Value::Null);
    assert_eq!(served.tape.heard(), ["say tidy", "decide 1 true"]);
}

#[test]
fn two_pages_that_decide_at_once_decide_once() {
    let served = Served::new();
    let visitor = Visitor::of(&served);
    visitor.order("say", json!({"text": "tidy"}));
    visitor.events("", "plan");
    let decide = || {
        visitor
            .post("/api/decide")
            .json(&json!({"session": "monday", "plan": 1, "apply": true}))
            .send()
    };
    let answers = served
        .runtime
        .block_on(async { futures_util::future::join_all((0..8).map(|_| decide())).await });
    let mut statuses: Vec<u16> = answers
        .into_iter()
        .map(|it| it.unwrap().status().as_u16())
        .collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [202, 409, 409, 409, 409, 409, 409, 409]);
    assert_eq!(served.tape.heard(), ["say tidy", "decide 1 true"]);
}

#[test]
fn a_page_of_another_session_changes_nothing() {
    let served = Served::new();
    let visitor = Visitor::of(&served);
    assert_eq!(visitor.order("open", json!({"open": "friday"})).0, 202);
    for (name, what) in [
        ("say", json!({"text": "hello"})),
        ("settle", json!({"finish": true})),
        ("cancel", json!({})),
        ("undo", json!({"undo": {"plan": 1}})),
        ("open", json!({"open": null})),
        ("propose", json!({"text": "x", "program": "y"})),
        (
            "delete",
            json!({"paths": ["zoo/index.csv"], "version": null}),
        ),
        ("restore", json!({"path": "zoo/index.csv", "version": "v1"})),
        ("make", json!({"name": "barn"})),
        ("move", json!({"paths": ["zoo/index.csv"], "to": "zoo/a"})),
        ("share", json!({"path": "zoo/index.csv", "seconds": 60})),
        ("upload", json!({"folder": "zoo/", "files": []})),
        ("cost", json!({"go_on": true})),
    ] {
        let (status, said) = visitor.order(name, what);
        assert_eq!(
            (status, &said["session"]),
            (409, &json!("friday")),
            "{name}"
        );
    }
    let file = visitor.post("/api/receive?session=monday").body("x");
    assert_eq!(visitor.status(file), 409);
    assert_eq!(served.tape.received(), 0);
    assert_eq!(served.tape.heard(), Vec::<String>::new());
}

#[test]
fn commands_reach_the_desk_as_they_were_sent() {
    let served = Served::new();
    let visitor = Visitor::of(&served);
    visitor.order("say", json!({"text": "something costly"}));
    visitor.events("", "costly");
    assert_eq!(visitor.order("say", json!({"text": "more"})).0, 409);
    assert_eq!(visitor.order("cost", json!({"go_on": false})).0, 202);
    assert_eq!(visitor.order("cost", json!({"go_on": true})).0, 409);
    let ended = visitor.events("", "turn_ended");
    assert_eq!(
        ended.last().unwrap().1["end"]["replied"]["text"],
        "It was ended."
    );
    assert_eq!(visitor.order("settle", json!({"finish": true})).0, 202);
    assert_eq!(visitor.order("undo", json!({"undo": "last"})).0, 400);
    assert_eq!(visitor.order("undo", json!({"undo": "draft"})).0, 400);
    assert_eq!(visitor.order("undo", json!({"undo": "all"})).0, 422);
    assert_eq!(visitor.order("cancel", json!({})).0, 409);
    let heard = [
        "say something costly",
        "say more",
        "cost false",
        "settle true",
        "undo Last",
        "undo Draft",
        "cancel",
    ];
    assert_eq!(served.tape.heard(), heard);
}
