//! Who has accepted a proposal has accepted that one, and no other.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use decision_games::serve::Server;
use serde_json::{Value, json};

/// What happens between two turns of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Between {
    Nothing,
    /// The process starts anew from the state.
    Restart,
    /// The game goes on in a copy.
    Fork,
    /// An acceptance is sent once more.
    Retry,
}

/// Plays a mediation, a line a turn. Shows after each the code of a refusal, or who may move, or how
/// the game ended.
fn play(order: &str, between: Between, turns: &str) -> String {
    let mut server = Server::default();
    let mut ask = |request: Value| {
        let answer = server.answer(&request.to_string());
        assert_eq!(answer["error"], Value::Null, "{request}");
        answer
    };
    let mut id =
        ask(json!({"op": "reset", "game": "mediation", "seed": 1, "order": order}))["id"].clone();
    let mut shown = String::new();
    for line in turns.lines() {
        let (seat, text) = line.trim().split_once(' ').unwrap();
        let step = json!({"op": "step", "id": id, "seat": seat, "text": text});
        let answer = ask(step.clone());
        shown += &format!("{seat} {text} -> {}\n", stands(&answer));
        match between {
            Between::Nothing => {}
            Between::Fork => id = ask(json!({"op": "fork", "id": id}))["id"].clone(),
            Between::Restart => {
                let state = ask(json!({"op": "state", "id": id}))["state"].clone();
                ask(json!({"op": "close", "id": id}));
                id = ask(json!({"op": "reset", "state": state}))["id"].clone();
            }
            Between::Retry if text == "[accept]" && answer["info"]["code"].is_null() => {
                let again = ask(step);
                assert!(again["info"]["code"].is_string(), "{again}");
                assert_eq!(again["movers"], answer["movers"]);
            }
            Between::Retry => {}
        }
    }
    shown
}

fn stands(answer: &Value) -> String {
    let info = &answer["info"];
    let said = info["code"].as_str().or(info["end"].as_str());
    let movers = answer["movers"].as_array().unwrap().iter();
    let movers: Vec<&str> = movers.filter_map(Value::as_str).collect();
    said.map_or_else(|| movers.join(", "), str::to_owned)
}

fn check(order: &str, between: &[Between], expected: &str) {
    let lines = || expected.trim().lines().map(str::trim);
    let turns: Vec<&str> = lines()
        .map(|line| line.split(" -> ").next().unwrap())
        .collect();
    let expected: String = lines().map(|line| format!("{line}\n")).collect();
    for between in between {
        let shown = play(order, *between, &turns.join("\n"));
        assert_eq!(shown, expected, "{order}, {between:?}\n{shown}");
    }
}

const ALL: [Between; 4] = [
    Between::Nothing,
    Between::Restart,
    Between::Fork,
    Between::Retry,
];

#[test]
fn an_acceptance_never_carries_over_to_another_proposal() {
    check(
        "strict",
        &ALL,
        "agent all: [propose] user 0: id 0, user 1: id 0 -> user0, user1
        user0 [accept] -> user1
        agent all: [propose] user 0: id 1, user 1: id 1 -> user0, user1
        user1 [accept] -> user0
        agent all: [propose] user 0: id 2, user 1: id 2 -> user0, user1
        user0 [accept] -> user1
        user0 [accept] -> not-your-turn
        user1 [accept] -> accepted",
    );
}

#[test]
fn an_acceptance_of_what_was_rejected_does_not_hold_when_it_is_proposed_again() {
    check(
        "strict",
        &ALL,
        "agent all: [propose] user 0: id 0, user 1: id 0 -> user0, user1
        user0 [accept] -> user1
        user1 [reject] -> user1, agent
        user0 [accept] -> not-your-turn
        agent all: [propose] user 0: id 0, user 1: id 0 -> user0, user1
        user1 [accept] -> user0
        user0 [accept] -> accepted",
    );
}

#[test]
fn a_late_acceptance_does_not_hold_for_the_next_proposal() {
    // People may send an answer twice: the second one is late, too.
    check(
        "free",
        &[Between::Nothing, Between::Restart, Between::Fork],
        "agent all: [propose] user 0: id 0, user 1: id 0 -> user0, user1, agent
        user1 [reject] -> user0, user1, agent
        user0 [accept] -> user0, user1, agent
        agent all: [propose] user 0: id 1, user 1: id 1 -> user0, user1, agent
        user1 [accept] -> user0, user1, agent
        user1 [accept] -> nothing-to-answer
        user0 [accept] -> accepted",
    );
}
