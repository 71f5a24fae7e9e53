//! Games step by step, request in, answer out.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use decision_games::serve::Server;
use serde_json::{Value, json};

fn ask(server: &mut Server, request: Value) -> Value {
    server.answer(&request.to_string())
}

/// Plays to the end: the agent proposes the first flights, and both accept.
fn play(server: &mut Server) -> Value {
    for (seat, text) in [
        ("user0", "[message] hi"),
        ("agent", "all: [propose] user 0: id 0, user 1: id 0"),
    ] {
        assert_eq!(
            ask(server, json!({"op": "step", "seat": seat, "text": text}))["done"],
            false
        );
    }
    ask(
        server,
        json!({"op": "step", "seat": "user0", "text": "[accept]"}),
    );
    ask(
        server,
        json!({"op": "step", "seat": "user1", "text": "[accept]"}),
    )
}

#[test]
fn a_game_is_played_to_its_score() {
    let mut server = Server::default();
    let begun = ask(
        &mut server,
        json!({"op": "reset", "game": "mediation", "seed": 1}),
    );
    assert_eq!(begun["movers"], json!(["user0", "user1"]));
    assert!(
        begun["observation"]["agent"]
            .as_str()
            .unwrap()
            .starts_with("User 0 Information")
    );
    let last = play(&mut server);
    assert_eq!(
        (last["done"].clone(), last["info"]["end"].clone()),
        (json!(true), json!("accepted"))
    );
    assert!(last["info"]["norm"].as_f64().unwrap() <= 1.0);
    assert_eq!(last["info"]["moves"], 4);
}

#[test]
fn an_illegal_turn_is_data_and_changes_nothing() {
    let mut server = Server::default();
    ask(
        &mut server,
        json!({"op": "reset", "game": "planning", "seed": 1}),
    );
    let refused = ask(
        &mut server,
        json!({"op": "step", "seat": "agent", "text": "[message] hi"}),
    );
    assert_eq!(refused["info"]["code"], "not-your-turn");
    assert_eq!(refused["movers"], json!(["user"]));
    for _ in 0..3 {
        ask(
            &mut server,
            json!({"op": "step", "seat": "user", "text": "nothing"}),
        );
    }
    let stuck = ask(
        &mut server,
        json!({"op": "step", "seat": "user", "text": "[message] hi"}),
    );
    assert_eq!(
        (stuck["info"]["end"].clone(), stuck["info"]["code"].clone()),
        (json!("stuck"), json!("game-over"))
    );
}

#[test]
fn a_state_begins_the_same_game_again_and_a_fork_goes_its_own_way() {
    let mut server = Server::default();
    ask(
        &mut server,
        json!({"op": "reset", "game": "mediation", "seed": 3}),
    );
    ask(
        &mut server,
        json!({"op": "step", "seat": "user1", "text": "[message] evening please"}),
    );
    let state = ask(&mut server, json!({"op": "state"}))["state"].clone();
    let copy = ask(&mut server, json!({"op": "fork"}))["id"].clone();
    ask(
        &mut server,
        json!({"op": "step", "id": copy, "seat": "user0", "text": "[message] hm"}),
    );
    assert_eq!(
        ask(&mut server, json!({"op": "state", "id": 1}))["state"],
        state
    );
    let again = ask(&mut server, json!({"op": "reset", "state": state}));
    assert_eq!(again["movers"], json!(["user0", "agent"]));
    assert_eq!(ask(&mut server, json!({"op": "state"}))["state"], state);
}

#[test]
fn the_words_of_a_game_are_those_of_its_messages() {
    let mut server = Server::default();
    ask(
        &mut server,
        json!({"op": "reset", "game": "planning", "seed": 7}),
    );
    for (seat, text, words) in [
        ("user", "[think] What do I want?", 0),
        ("user", "[think] Parks.\n[message] I like parks.", 3),
        ("agent", "[tool] Search(fields=[name, price], limit=3)", 3),
        ("agent", "[message]", 3),
        (
            "agent",
            "[propose] [Atlas Park, Lincoln Park, The Arboretum]\n[message] For you",
            5,
        ),
        ("user", "[accept] Great!", 6),
    ] {
        let step = ask(
            &mut server,
            json!({"op": "step", "seat": seat, "text": text}),
        );
        assert_eq!(step["info"]["words"], words, "{text}");
    }
}

#[test]
fn a_wrong_request_says_what_is_wrong() {
    let mut server = Server::default();
    for (request, expected) in [
        ("{", "the request is no JSON"),
        ("{}", "op is one of"),
        (
            r#"{"op": "step", "seat": "user", "text": "x"}"#,
            "send reset first",
        ),
        (
            r#"{"op": "reset", "game": "chess", "seed": 1}"#,
            "there is no game \"chess\"",
        ),
        (r#"{"op": "reset", "game": "planning"}"#, "needs a seed"),
        (
            r#"{"op": "reset", "game": "planning", "seed": 1, "partners": {"user": "rude"}}"#,
            "there is no partner \"rude\"; partners are agent, scripted, numbers, top, shy",
        ),
        (
            r#"{"op": "reset", "game": "planning", "seed": 1, "partners": {"user": "agent"}}"#,
            "cannot be user",
        ),
        (
            r#"{"op": "reset", "game": "planning", "seed": 1, "partners": {"cook": "shy"}}"#,
            "there is no seat \"cook\"; the seats are user, agent",
        ),
        (
            r#"{"op": "reset", "game": "planning", "seed": 1, "order": "free", "partners": {"user": "shy"}}"#,
            "leave out",
        ),
        (
            r#"{"op": "reset", "game": "planning", "world": {"sites": 3}}"#,
            "the world: ",
        ),
        (
            r#"{"op": "reset", "game": "planning", "world": {"sites": [], "preferences": []}}"#,
            "at least 3 sites",
        ),
    ] {
        let answer = server.answer(request);
        let error = answer["error"].as_str().unwrap();
        assert!(error.contains(expected), "{request}: {error}");
    }
}

#[test]
fn an_option_that_means_nothing_is_refused_with_the_way_out() {
    let mut server = Server::default();
    let begun = json!({"op": "reset", "game": "planning", "seed": 1});
    ask(&mut server, begun.clone());
    let state = ask(&mut server, json!({"op": "state"}))["state"].clone();
    for (option, value, expected) in [
        (
            "rules",
            json!("Released"),
            r#"rules is "released" or left out, not "Released""#,
        ),
        (
            "order",
            json!("loose"),
            r#"order is "strict", "free" or left out, not "loose""#,
        ),
        (
            "limits",
            json!("none"),
            r#"limits is true, false or left out, not "none""#,
        ),
        ("partners", json!("shy"), r#"as {"user": "shy"}, not "shy""#),
        ("turns", json!("abc"), "turns is a list of turns"),
        (
            "turns",
            json!([["user", "[think] a", 1]]),
            "turns is a list of turns",
        ),
        ("seed", json!(-1), "from 0 to 18446744073709551615, not -1"),
        ("seed", json!(1.5), "seed is a whole number"),
        ("world", json!({}), "a seed or a world, not both"),
        (
            "partner",
            json!({}),
            r#"reset has no "partner", only game, rules, order"#,
        ),
        ("id", json!(1), r#"reset has no "id""#),
        (
            "state",
            json!(3),
            "state is the object that the op state gives",
        ),
        (
            "state",
            state.clone(),
            "a state has all of its game: leave seed out",
        ),
    ] {
        let mut request = begun.clone();
        request[option] = value;
        let error = ask(&mut server, request.clone())["error"].clone();
        let error = error.as_str().unwrap_or_default();
        assert!(error.contains(expected), "{request}: {error}");
    }
    let mut wrong = state.clone();
    wrong["limit"] = json!(false);
    for (request, expected) in [
        (
            json!({"op": "state", "id": "1"}),
            r#"id is the number that reset gave, not "1""#,
        ),
        (
            json!({"op": "close", "Id": 1}),
            r#"close has no "Id", only op, id"#,
        ),
        (
            json!({"op": "step", "seat": "user", "text": "", "to": 1}),
            r#"step has no "to""#,
        ),
        (
            json!({"op": "reset", "state": wrong}),
            r#"a state has no "limit", only game"#,
        ),
        (
            json!({"op": "reset", "game": "mediation", "state": state}),
            "leave game out",
        ),
    ] {
        let error = ask(&mut server, request.clone())["error"].clone();
        let error = error.as_str().unwrap_or_default();
        assert!(error.contains(expected), "{request}: {error}");
    }
    // Nothing of this has begun a game, or ended the first one.
    let again = json!({"op": "reset", "game": "planning", "state": state, "rules": null});
    assert_eq!(ask(&mut server, again)["id"], 2);
}

#[test]
fn a_line_that_is_no_text_ends_nothing() {
    let mut server = Server::default();
    let answer = server.answer_bytes(b"{\"op\": \"\xff\"}");
    let error = answer["error"].as_str().unwrap();
    assert!(error.starts_with("the request is no UTF-8"), "{error}");
    let begun = server.answer_bytes(br#"{"op": "reset", "game": "planning", "seed": 1}"#);
    assert_eq!(begun["id"], 1);
}

#[test]
fn partners_play_by_themselves_and_come_back_with_a_state() {
    let mut server = Server::default();
    let begun = ask(
        &mut server,
        json!({"op": "reset", "game": "mediation", "seed": 1, "partners": {"user0": "shy", "user1": "scripted"}}),
    );
    assert_eq!(begun["movers"], json!(["agent"]));
    let heard = begun["observation"]["agent"].as_str().unwrap();
    assert!(
        heard.contains("User 0: [message]") && heard.contains("User 1: [message]"),
        "{heard}"
    );
    let turn =
        json!({"op": "step", "seat": "agent", "text": "all: [propose] user 0: id 0, user 1: id 0"});
    let first = ask(&mut server, turn.clone());
    assert!(
        first["observation"]["agent"]
            .as_str()
            .unwrap()
            .contains("User 0: [reject]"),
        "{first}"
    );
    let state = ask(&mut server, json!({"op": "state"}))["state"].clone();
    assert_eq!(state["turns"].as_array().unwrap().len(), 1);
    let fork = ask(&mut server, json!({"op": "fork", "id": 1}));
    ask(&mut server, json!({"op": "reset", "state": state}));
    let mut turns = [1, 2, 3].map(|id| {
        let mut turn = turn.clone();
        turn["id"] = json!(id);
        ask(&mut server, turn)
    });
    assert_eq!(fork["id"], 2);
    turns
        .iter_mut()
        .for_each(|turn| turn["info"]["id"] = json!(0));
    assert!(turns[0] == turns[1] && turns[1] == turns[2], "{turns:?}");
}
