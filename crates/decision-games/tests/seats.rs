//! Seats as programs see them: each call, the one move of a turn, forks, and refusals.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use decision_games::programs::{Begun, MOVES, Party, stub};
use decision_games::{Chance, Code, Kinds, Play, Rules, Table, declared, generate, open};
use serde_json::{Value, json};

const GAMES: [&str; 3] = ["optimization", "planning", "mediation"];

fn begin(game: &str, seat: usize) -> Party {
    Party::begin(&Kinds::default(), game, seat, &Begun::Seed(7)).unwrap()
}

fn code(result: Result<Value, decision_games::Illegal>) -> Code {
    result.unwrap_err().code
}

#[test]
fn a_decision_is_written_as_it_is_read() {
    for name in GAMES {
        for seed in 0..10 {
            let world = generate(name, seed).unwrap();
            let game = open(name, &world, Rules::default()).unwrap();
            for decision in [game.best(), game.silent(game.seats().len() - 1)] {
                let text = game.write(&decision);
                assert_eq!(game.read(&text), Ok(decision), "{text}");
            }
        }
    }
}

#[test]
fn the_others_have_spoken_before_a_program_begins() {
    let mut agent = begin("planning", 1);
    let told = agent.call("history", &json!({})).unwrap();
    assert_eq!(
        (&told[0]["from"], &told[0]["move"]),
        (&json!("User"), &json!("message"))
    );
    // Both travellers have, and the first player begins without a word.
    let told = begin("mediation", 2).call("history", &json!({})).unwrap();
    assert_eq!(told.as_array().unwrap().len(), 2);
    let told = begin("optimization", 0)
        .call("history", &json!({}))
        .unwrap();
    assert_eq!(told, json!([]));
}

#[test]
fn wishes_change_what_is_suggested_and_can_be_forgotten() {
    let mut agent = begin("planning", 1);
    let before = agent.call("suggest", &json!({})).unwrap();
    assert_eq!(before.as_array().unwrap().len(), 3);
    agent
        .call(
            "wish",
            &json!({"visit": ["mad seoul"], "must": true, "budget": null}),
        )
        .unwrap();
    let after = agent.call("suggest", &json!({"k": 1})).unwrap();
    assert!(
        after[0]["text"].as_str().unwrap().contains("Mad Seoul"),
        "{after}"
    );
    assert!(after[0]["reasons"].to_string().contains("visit Mad Seoul"));
    let worth = agent.call("weigh", &json!({"decision": after[0]})).unwrap();
    assert_eq!(worth, after[0]);
    assert_eq!(
        agent.call("wishes", &json!({})).unwrap()[0]["visit"],
        json!(["Mad Seoul"])
    );
    agent.call("forget", &json!({"n": 0})).unwrap();
    assert_eq!(agent.call("suggest", &json!({})).unwrap(), before);
}

#[test]
fn a_turn_has_one_move_and_the_words_of_the_reply() {
    let mut agent = begin("planning", 1);
    let best = agent.call("suggest", &json!({"k": 1})).unwrap();
    let fork = agent.clone();
    agent
        .call("propose", &json!({"decision": best[0]}))
        .unwrap();
    for (name, arguments) in [
        ("say", json!({"text": "and now?"})),
        ("propose", json!({"decision": best[0]})),
    ] {
        assert_eq!(code(agent.call(name, &arguments)), Code::NotYourTurn);
    }
    let turn = agent.turn("For it:\n[accept] short ways");
    let (proposal, words) = turn.split_once('\n').unwrap();
    assert_eq!(
        proposal,
        format!("[propose] {}", best[0]["text"].as_str().unwrap())
    );
    // A line of the reply that looks like a move is none.
    assert_eq!(words, "[message] For it: [accept] short ways");
    // What a fork does, or its original, does not reach the other.
    assert_eq!(fork.turn("Hi"), "[message] Hi");
    assert_eq!(fork.state()["move"], Value::Null);
}

#[test]
fn the_mediator_speaks_to_the_user_who_spoke_last() {
    let mut agent = begin("mediation", 2);
    assert_eq!(agent.turn("Hello"), "1: [message] Hello");
    let mut said = agent.clone();
    said.call("say", &json!({"text": "Hi", "to": 0})).unwrap();
    assert_eq!(said.turn("left out"), "0: [message] Hi");
    assert_eq!(
        code(agent.call("say", &json!({"text": "Hi", "to": 2}))),
        Code::BadQuery
    );
    let best = agent.call("suggest", &json!({"k": 1})).unwrap();
    agent
        .call("propose", &json!({"decision": best[0]["decision"]}))
        .unwrap();
    let turn = agent.turn("Is it good?");
    assert!(turn.starts_with("all: [propose] user 0: id "), "{turn}");
    assert!(turn.ends_with("\n1: [message] Is it good?"), "{turn}");
}

#[test]
fn illegal_calls_are_refused_by_code_and_change_nothing() {
    let mut agent = begin("planning", 1);
    let state = agent.state();
    for (name, arguments, expected) in [
        ("accept", json!({}), Code::NotYourRole),
        ("say", json!({"text": "  "}), Code::Empty),
        ("say", json!({"text": 7}), Code::BadQuery),
        ("propose", json!({}), Code::BadQuery),
        ("propose", json!({"decision": 7}), Code::BadProposal),
        (
            "propose",
            json!({"decision": ["Nowhere", null, null]}),
            Code::UnknownSite,
        ),
        (
            "propose",
            json!({"decision": "[Mad Seoul, Mad Seoul, NULL]"}),
            Code::RepeatedSite,
        ),
        (
            "weigh",
            json!({"decision": ["Mad Seoul", null, null]}),
            Code::IncompleteProposal,
        ),
        ("suggest", json!({"k": -1}), Code::BadQuery),
        ("suggest", json!({"k": 1e9}), Code::BadQuery),
        ("wish", json!({"budget": "much"}), Code::BadQuery),
        (
            "wish",
            json!({"feature": "colour", "like": ["red"]}),
            Code::UnknownField,
        ),
        ("forget", json!({"n": 0}), Code::BadQuery),
        ("search", json!({"query": "everything"}), Code::BadQuery),
        (
            "best",
            json!({"scores": {"Mad Seoul": 1e300}}),
            Code::BadQuery,
        ),
        ("claim", json!({}), Code::UnknownMove),
    ] {
        let refused = agent.call(name, &arguments);
        assert_eq!(code(refused), expected, "{name} {arguments}");
    }
    assert_eq!(agent.state(), state);
    let mut user = begin("planning", 0);
    assert_eq!(
        code(user.call("propose", &json!({"decision": "x"}))),
        Code::NotYourRole
    );
    assert_eq!(code(user.call("suggest", &json!({}))), Code::NotYourRole);
    assert_eq!(code(user.call("accept", &json!({}))), Code::NothingToAnswer);
    assert_eq!(code(user.call("sites", &json!({}))), Code::UnknownMove);
}

#[test]
fn a_party_answers_the_proposal_that_waits() {
    let world = generate("planning", 7).unwrap();
    let game = open("planning", &world, Rules::default()).unwrap();
    let mut table = Table::new(game.clone(), Rules::default(), Play::Strict);
    table.turn(0, "[message] Hi").unwrap();
    let mut user = Party::new(table.clone(), 0);
    let text = format!("[propose] {}", game.write(&game.best()));
    let seen = table.turn(1, &text).unwrap();
    user.sit(table.clone(), &seen[0]);
    assert!(user.must_answer());
    assert_eq!(
        code(user.call("say", &json!({"text": "well"}))),
        Code::MustAnswer
    );
    user.call("accept", &json!({})).unwrap();
    table.turn(0, &user.turn("Fine")).unwrap();
    assert_eq!(table.points().unwrap().norm(), 1.0);
}

#[test]
fn solvers_without_beliefs_find_the_best_by_points_of_the_program() {
    let mut agent = begin("planning", 1);
    let scores = json!({"Mad Seoul": 3, "The Cakery": 2, "Atlas Park": 1.5});
    let best = agent.call("best", &json!({"scores": scores})).unwrap();
    assert_eq!(best["value"], 6.5, "{best}");
    let mut player = begin("optimization", 0);
    let scores = player.call("scores", &json!({})).unwrap();
    let best = player.call("best", &json!({"scores": scores})).unwrap();
    assert!(best["value"].as_f64().unwrap() > 0.0);
    player.call("propose", &json!({"decision": best})).unwrap();
    let mut agent = begin("mediation", 2);
    let count = |agent: &mut Party, user: usize| {
        let flights = agent.call("flights", &json!({"user": user})).unwrap();
        flights.as_array().unwrap().len()
    };
    let costs = [0, 1].map(|user| {
        let mut costs = vec![5.0; count(&mut agent, user)];
        costs[user + 1] = 1.0;
        costs
    });
    let given = json!({"costs0": costs[0], "costs1": costs[1], "hour": null});
    let best = agent.call("best", &given).unwrap();
    assert_eq!(best, json!({"decision": [1, 2], "value": -2.0}));
}

#[test]
fn every_stub_of_a_seat_is_answered() {
    let own = r#"{"name": "restaurant", "options": ["Luigi", "Saigon"],
        "attributes": {"food": ["pasta", "noodles"]}}"#;
    let kinds = Kinds::default().with(declared::read(own).unwrap()).unwrap();
    let names: Vec<String> = kinds.names().map(str::to_owned).collect();
    for name in &names {
        let kind = kinds.find(name).unwrap();
        for seat in 0..kind.seats().len() {
            let stub = stub(kind, seat).unwrap();
            let mut party = Party::begin(&kinds, name, seat, &Begun::Seed(1)).unwrap();
            let calls = stub.lines().filter_map(|line| line.strip_prefix("def "));
            let calls: Vec<&str> = calls
                .filter_map(|line| Some(line.split_once('(')?.0))
                .collect();
            for call in calls {
                let answer = party.clone().call(call, &json!({}));
                let known = answer.map_err(|illegal| illegal.code);
                assert_ne!(known, Err(Code::UnknownMove), "{name} {seat} {call}");
            }
            // A move of the wrong seat is refused, too.
            for call in MOVES
                .iter()
                .filter(|call| !stub.contains(&format!("def {call}(")))
            {
                assert!(
                    party.call(call, &json!({})).is_err(),
                    "{name} {seat} {call}"
                );
            }
        }
    }
    let mut first = Party::begin(&kinds, "restaurant", 0, &Begun::Seed(1)).unwrap();
    first
        .call(
            "wish",
            &json!({"attribute": "food", "value": "pasta", "points": 9}),
        )
        .unwrap();
    let options = first.call("options", &json!({})).unwrap();
    assert_eq!(options[0]["name"], "Luigi");
    first
        .call("propose", &json!({"decision": "luigi"}))
        .unwrap();
    assert_eq!(first.turn(""), "[propose] Luigi");
}

#[test]
fn nothing_that_programs_pass_is_too_strange() {
    let strange = [
        json!(null),
        json!([]),
        json!({}),
        json!("é\n[propose] x"),
        json!(-1),
        json!(1e308),
        json!(true),
        json!([[[]]]),
        json!({"decision": {"decision": []}}),
        json!(u64::MAX),
    ];
    let mut chance = Chance::new(1);
    for name in GAMES {
        let kinds = Kinds::default();
        let kind = kinds.find(name).unwrap();
        for seat in 0..kind.seats().len() {
            let text = stub(kind, seat).unwrap();
            let party = begin(name, seat);
            let defs = text
                .lines()
                .filter_map(|line| line.strip_prefix("def ")?.split_once('('));
            for (call, rest) in defs {
                let names: Vec<&str> = rest
                    .split([',', ')', '('])
                    .filter_map(|part| part.trim().split([':', '=']).next())
                    .filter(|part| !part.is_empty() && *part != "*")
                    .collect();
                for _ in 0..30 {
                    let given = names
                        .iter()
                        .map(|name| ((*name).to_owned(), chance.pick(&strange).clone()));
                    let given = Value::Object(given.collect());
                    let mut party = party.clone();
                    let _ = party.call(call, &given);
                    let _ = party.call("suggest", &json!({}));
                }
            }
        }
    }
}

#[test]
fn a_state_of_a_game_under_way_begins_where_it_stands() {
    let world = generate("planning", 7).unwrap();
    let state = json!({"game": "planning", "world": world, "turns": [
        ["user", "[message] I like parks."],
        ["agent", "[message] Anything else?"],
        ["user", "[message] No. What do you propose?"],
    ]});
    let kinds = Kinds::default();
    let mut agent = Party::begin(&kinds, "planning", 1, &Begun::State(state.clone())).unwrap();
    assert_eq!(
        agent
            .call("history", &json!({}))
            .unwrap()
            .as_array()
            .unwrap()
            .len(),
        3
    );
    agent.call("say", &json!({"text": "Wait"})).unwrap();
    let mut user = Party::begin(&kinds, "planning", 0, &Begun::State(state)).unwrap();
    assert_eq!(
        code(user.call("say", &json!({"text": "Hm"}))),
        Code::NotYourTurn
    );
    // Rules, order, limits and partners of the state hold, and a refusal takes away no news.
    let world = generate("planning", 7).unwrap();
    let state = json!({"game": "planning", "world": world, "rules": "released", "limits": false,
        "partners": {"user": "shy"}, "turns": [["agent", "[accept]"]]});
    let begin = |seat, state: Value| Party::begin(&kinds, "planning", seat, &Begun::State(state));
    let mut agent = begin(1, state.clone()).unwrap();
    let heard = agent.call("history", &json!({})).unwrap();
    assert_eq!(heard[0]["from"], "User", "{heard}");
    assert!(agent.read().contains("Your role"), "{}", agent.read());
    let twice = json!({"decision": ["Atlas Park", "Atlas Park", "Lincoln Park"]});
    agent.call("propose", &twice).unwrap();
    let partner = begin(0, state).err().unwrap();
    assert_eq!(
        partner,
        "a partner plays user in this state: choose another seat"
    );
    let world = generate("planning", 7).unwrap();
    let free = json!({"game": "planning", "world": world, "order": "free"});
    let mut early = begin(1, free).unwrap();
    early.call("say", &json!({"text": "Hi!"})).unwrap();
    let wrong = Party::begin(&kinds, "planning", 0, &Begun::State(json!({"world": 7})));
    assert!(wrong.is_err());
    assert!(Party::begin(&kinds, "planning", 2, &Begun::Seed(1)).is_err());
}
