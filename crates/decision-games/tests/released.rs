//! The rules of the environment that was released with the paper, where others' figures come from.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use decision_games::forced::{Cut, situations};
use decision_games::measure::Rows;
use decision_games::serve::Server;
use decision_games::{Kinds, Manner, Recorded, Rules, open, rows};
use serde_json::{Value, json};

mod games;

/// For each turn the code of its refusal, or who may move after it.
fn played(game: &str, turns: &[(&str, &str)]) -> Vec<String> {
    let mut server = Server::default();
    let reset = json!({"op": "reset", "game": game, "seed": 7, "rules": "released"});
    server.answer(&reset.to_string());
    let step = |(seat, text): &(&str, &str)| {
        let step = json!({"op": "step", "seat": seat, "text": text});
        let answer = server.answer(&step.to_string());
        let movers = answer["movers"].as_array().unwrap().iter();
        let movers: Vec<&str> = movers.map(|seat| seat.as_str().unwrap()).collect();
        match answer["info"]["code"].as_str() {
            Some(code) => code.to_owned(),
            None => movers.join(" "),
        }
    };
    turns.iter().map(step).collect()
}

#[test]
fn a_partner_that_has_accepted_waits_for_the_others() {
    let mut server = Server::default();
    let reset = json!({"op": "reset", "game": "mediation", "seed": 7, "rules": "released",
        "limits": false, "partners": {"user0": "scripted"}});
    server.answer(&reset.to_string());
    let text = "all: [propose] user 0: id 0, user 1: id 0";
    let step = json!({"op": "step", "seat": "agent", "text": text}).to_string();
    // It accepts the third proposal in any case.
    let answers: Vec<Value> = (0..3).map(|_| server.answer(&step)).collect();
    let seen = answers[2]["observation"]["agent"].as_str().unwrap();
    assert!(seen.ends_with("User 0: [accept]"), "{seen}");
}

fn row(recorded: &Recorded, by: Rules, name: &str) -> f64 {
    let rows = rows::rows_by(&Kinds::default(), recorded, by).unwrap();
    let found = rows.iter().find(|row| row.name == name);
    found.unwrap_or_else(|| panic!("no {name}")).norm
}

#[test]
fn a_proposal_keeps_the_turn_in_planning_alone() {
    let proposal = "[propose] BLEU: Ava Li\nElectra: Daniel Nguyen\nGLUE: Sofia Patel\n\
        GloVe: Andrei Petrov\nLLaMA: Morgan Reed\nQuAC: Joseph Santos\nRoBERTa: Ethan Smith\n\
        SWAG: Noah Wilson";
    assert_eq!(
        played(
            "optimization",
            &[
                (
                    "player-1",
                    &format!("[propose] Proposal:\n{}", &proposal[10..])
                ),
                ("player-2", "[reject]")
            ]
        ),
        ["player-2", "player-2"]
    );
    let turns = [
        ("user", "[message] Hi"),
        ("agent", "[propose] [Atlas Park, Atlas Park, Lincoln Park]"),
        ("agent", "[message] Is that good?"),
        ("user", "[think] Hm\n[accept]"),
        ("user", "[accept]"),
    ];
    let expected = ["agent", "agent", "user", "must-answer", ""];
    assert_eq!(played("planning", &turns), expected);
    // A message in the same turn passes it.
    let said = "[propose] [Atlas Park, Lincoln Park, The Arboretum]\n[message] Is that good?";
    let turns = [("user", "[message] Hi"), ("agent", said)];
    assert_eq!(played("planning", &turns), ["agent", "user"]);
    // So players without a model come to an end.
    let mut all = Rows {
        rules: Rules::released(),
        ..Rows::default()
    };
    for index in [1, 2, 4] {
        let recorded = games::find("planning", index);
        all.played(recorded, "scripted", Manner::Scripted).unwrap();
    }
    for row in all.all.values() {
        assert_eq!(row.summary().failed, 0, "{}", row.summary());
    }
}

#[test]
fn an_answer_in_a_room_keeps_its_turn_and_can_be_repeated() {
    let turns = [
        ("agent", "all: [propose] user 0: id 0, user 1: id 0"),
        ("user0", "[accept]"),
        ("user0", "[message] And now?"),
        ("agent", "0: [message] Wait"),
        ("user0", "[accept]"),
        ("user0", "[reject]"),
        ("user1", "[accept]"),
        ("user1", "[message] Why not?"),
        ("user0", "[message] Too early"),
    ];
    assert_eq!(
        played("mediation", &turns),
        [
            "user0 user1",
            "user0 user1",
            "must-answer",
            "not-your-turn",
            "user0 user1",
            "user0 user1",
            "nothing-to-answer",
            "user0 agent",
            "agent"
        ]
    );
}

#[test]
fn rows_pass_through_the_text_that_is_misread() {
    let (released, recorded) = (Rules::released(), games::find("optimization", 1));
    // The conformance cases have this figure.
    let optimum = row(recorded, released, "optimum");
    assert!((optimum - 337.0 / 655.0).abs() < 1e-9, "{optimum}");
    let people = recorded.people(released).unwrap().unwrap();
    for (name, norm) in [("human first", people), ("human final", people)] {
        assert_eq!(row(recorded, released, name), norm, "{name}");
    }
    let replay = recorded.compare(released).unwrap().0;
    assert_eq!(replay.decision.unwrap().norm(), people);
    let mut all = Rows {
        rules: released,
        ..Rows::default()
    };
    all.forced(recorded).unwrap();
    all.played(recorded, "scripted", Manner::Scripted).unwrap();
    let summaries: Vec<_> = all.all.values().map(|row| row.summary()).collect();
    for figures in summaries {
        assert_eq!(figures.people, Some(people));
        assert!(figures.norm < 0.9, "{figures}");
    }
    let situation = &situations(recorded, Cut::Words(0), released).unwrap()[0];
    let forced = situation.propose(situation.words().unwrap().as_mut());
    assert!(forced.unwrap().norm < 0.9);
}

#[test]
fn the_mean_of_random_proposals_is_that_of_all_texts() {
    let mut world = games::find("optimization", 1).world.clone();
    for name in ["reviewers", "papers", "table"] {
        world[name].as_array_mut().unwrap().truncate(4);
    }
    let known = world["known"].as_array_mut().unwrap();
    known
        .iter_mut()
        .for_each(|known| known.as_array_mut().unwrap().truncate(4));
    let rows = |value: &mut Value| {
        let rows = value.as_array_mut().unwrap().iter_mut();
        rows.for_each(|row| row.as_array_mut().unwrap().truncate(4));
    };
    rows(&mut world["table"]);
    world["known"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .for_each(rows);
    let game = open("optimization", &world, Rules::released()).unwrap();
    let orders = (0..256usize).map(|n| [n % 4, n / 4 % 4, n / 16 % 4, n / 64]);
    let all: Vec<f64> = orders
        .filter(|order| (0..4).all(|paper| order.contains(&paper)))
        .map(|order| {
            let pairs: Vec<_> = order.iter().enumerate().collect();
            game.points(&game.sent(&json!(pairs))).norm()
        })
        .collect();
    assert_eq!(all.len(), 24);
    let mut recorded = games::find("optimization", 1).clone();
    (recorded.world, recorded.turns) = (world, Vec::new());
    let random = row(&recorded, Rules::released(), "random");
    assert!((random - all.iter().sum::<f64>() / 24.0).abs() < 1e-9);
}

#[test]
fn the_older_rule_for_categories_holds_in_the_worlds_that_name_it() {
    let (released, ours) = (Rules::released(), Rules::default());
    let norms = |index, name| {
        let recorded = games::find("planning", index);
        [ours, released].map(|by| row(recorded, by, name))
    };
    // The best and the worst never follow it; game 1 has it not.
    assert_eq!(norms(10, "optimum"), [1.0, 1.0]);
    let [by_ours, as_released] = norms(10, "random");
    assert!(by_ours < as_released, "{by_ours} {as_released}");
    for name in [
        "random",
        "silent",
        "all wishes",
        "human first",
        "human final",
    ] {
        let [by_ours, as_released] = norms(1, name);
        assert_eq!(by_ours, as_released, "{name}");
    }
    let replay = |by| games::find("planning", 10).compare(by).unwrap().0;
    let final_norm = |by| replay(by).decision.unwrap().norm();
    assert!((final_norm(ours) - 0.798_319_3).abs() < 1e-6);
    assert!((final_norm(released) - 0.840_336_1).abs() < 1e-6);
}
